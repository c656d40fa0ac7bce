"""How results and progress are shown: results to standard output, everything else to standard error.

All that people read goes through `echo` and `say`, which let no control character through, whoever wrote the text: names of
files, labels, cells and our own messages alike. `print_json` is for programs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ..foundation.share_text import decimals

# what a terminal obeys: C0 but for tabs and line feeds, DEL, C1, marks of direction, line separators, as UTF-8
CONTROLS = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xd8\x9c|\xef\xbb\xbf"
)

number = decimals
NO_LABELS = "no label column found: documents have no labels"  # what a reader notes as a repair

if TYPE_CHECKING:
    from ..corpus import Tally


def visible(text: str, *, keep: str = "") -> str:
    """Text from outside, safe for a terminal: control, direction and half characters as escapes of Python's source text. keep:
    those that may stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else ascii(c)[1:-1] for c in text)


def echo(text: str = "", *, bold: str = "", err: bool = False) -> None:
    """A line for a person, on standard output; empty lines may come before it. bold: how it begins."""
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"

    def safe(part: str) -> str:
        line = part.lstrip("\n")  # a line break inside comes from a name or a text, and would look like a line of ours
        line = "\n" * (len(part) - len(line)) + visible(line, keep="\t")
        return line.encode(encoding, "backslashreplace").decode(encoding)

    click.echo((click.style(safe(bold), bold=True) if bold else "") + safe(text), err=err)


def say(text: str = "") -> None:
    echo(text, err=True)


def print_json(value: Any, *, tally: Tally | None = None, err: bool = False) -> None:
    """A result for programs, with the `rows` that were read; to standard error where standard output has another."""
    import orjson

    if tally is not None:
        value = {**value, "rows": row_counts(tally)}
    stream = (sys.stderr if err else sys.stdout).buffer
    stream.write(escape_controls(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)))
    stream.flush()


def json_line(value: Any) -> bytes:
    import orjson

    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


def escape_controls(text: bytes) -> bytes:
    """Lines of JSON with control characters as \\u escapes: they stand in strings, where both mean the same."""
    return CONTROLS.sub(lambda match: "".join(f"\\u{ord(c):04x}" for c in match[0].decode()).encode(), text)


def printable(text: str, width: int = 60) -> str:
    """Text from outside on one line of at most so many characters; control characters as escapes."""
    line = visible("".join(" " if c in "\n\t\r" else c for c in text[: width + 1]))
    return line if len(line) <= width else line[: width - 1] + "…"


def some_of(names: Iterable[str]) -> str:
    """The first five, for a remark."""
    return ", ".join(printable(name) for name in islice(names, 5))


def table(rows: Sequence[Sequence[Any]], header: Sequence[str], *, right: Sequence[int] = ()) -> None:
    """Rows in columns; columns in `right` are set to the right."""
    lines = [list(header), *([printable(f"{v:,}" if isinstance(v, int) else str(v)) for v in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for n, line in enumerate(lines):
        places = enumerate(zip(line, widths, strict=True))
        text = "  ".join(cell.rjust(width) if k in right else cell.ljust(width) for k, (cell, width) in places).rstrip()
        echo(text if n else "", bold="" if n else text)


def bar(share: float, width: int = 24) -> str:
    return "█" * max(1, round(share * width)) if share > 0 else ""


def plural(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def interval(low: float | None, high: float | None, digits: int = 3) -> str:
    return "–" if number(low) == "–" else f"{number(low, digits)} to {number(high, digits)}"


def row_counts(tally: Tally) -> dict[str, Any]:
    """Rows in, kept and rejected, for programs; repairs where there were any."""
    counts = {"in": tally.rows_in, "kept": tally.kept, "rejected": tally.rejected}
    return counts | ({"repairs": dict(tally.repairs.most_common())} if tally.repairs else {})


def report_rows(tally: Tally | None, rejects: Any = None, *, labels_expected: bool = True) -> None:
    """Say rows in = rows kept + rows rejected; why, and where the first of these are. labels_expected: whether documents without
    a column of labels are worth a remark."""
    from ..corpus.readers.western import AS_WESTERN

    if tally is None:
        return
    say(f"{tally.rows_in:,} rows in = {tally.kept:,} kept + {tally.rejected:,} rejected")
    for reason, times in tally.reasons.most_common(5):
        say(f"  rejected {times:,}: {printable(reason, 110)}")
    for reject in tally.first[:3]:
        say(f"  e.g. {printable(f'{reject.where}: {reject.reason}', 170)}")
    if not labels_expected:
        tally.repairs.pop(NO_LABELS, None)
    for repair, times in tally.repairs.most_common(8):
        first = tally.first_repairs.get(repair)
        say(f"  repaired {times:,}: {printable(repair + (f' (first {first})' if first else ''), 170)}")
    if AS_WESTERN in tally.repairs:
        say("  not UTF-8: taken for cp1252, as Excel for Windows writes it; if it is another, name it with --encoding")
    if tally.rejected:
        say(f"  rejected rows are in {rejects}" if rejects else "  keep them with --rejects FILE")


def next_command(text: str) -> None:
    say(f"\nnext: {text}")


@contextmanager
def progress(what: str, *, quiet: bool = False, compiled: bool = True) -> Iterator[Callable[[int, int], None]]:
    """A line that counts documents and megabytes while work goes on, on a terminal only.

    The first use of the compiled loops on a machine takes some seconds: said once, if the work uses them (`compiled`).
    """
    if compiled:
        from ..kernels.compilation import must_compile

        if must_compile():
            say("compiling rubricate's loops for this machine: once, about 15 seconds")
    if quiet or not sys.stderr.isatty():
        yield lambda documents, size: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    totals = [0, 0]  # documents, bytes
    columns = (SpinnerColumn(), TextColumn(what), TextColumn("{task.fields[done]}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as line:
        task = line.add_task(what, total=None, done="")

        def count(documents: int, size: int) -> None:
            totals[0] += documents
            totals[1] += size
            line.update(task, done=f"{totals[0]:,} documents, {totals[1] / 1e6:,.0f} MB")

        yield count
