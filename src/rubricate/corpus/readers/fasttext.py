"""fastText's training format: `__label__a __label__b the text`, one document a line.

As in fastText, a label may also stand later in the line: it is taken out of the text, and noted. A line without
labels is a document without labels. Blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import Row, Tally
from .columns import ColumnChoice, ColumnRequest, default_columns
from .sources import Overlong, Source, lines

PREFIX = "__label__"


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    """There is nothing to choose; a file that cannot be opened is an error now."""
    with source.text():
        return default_columns("fastText", request)


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    """The documents, one a line."""
    with source.text() as encoded:
        for note in encoded.notes:
            tally.repair(note)
        for number, line in enumerate(lines(encoded.stream, source.limits.max_row_bytes), 1):
            where = f"{source.name} line {number}"
            if isinstance(line, Overlong):
                limit = source.limits.max_row_bytes
                tally.reject(where, f"the line has more than {limit:,} bytes", "raise max_row_bytes=", raw=bytes(line))
                continue
            try:
                text = line.decode(encoded.encoding).strip()
            except UnicodeError:
                what = f"the line is not valid {source.encoding}"
                tally.reject(where, what, 'name the encoding, e.g. encoding="latin-1"', raw=line)
                continue
            if not text:
                continue
            labels: list[str] = []
            while text.startswith(PREFIX):
                label, text = (*text.split(maxsplit=1), "")[:2]
                labels.append(label[len(PREFIX) :])
            if PREFIX in text:
                words = text.split(" ")
                late = [word for word in words if word.startswith(PREFIX)]
                if late:
                    tally.repair("a label in the middle of a line taken out of the text")
                    labels += [word[len(PREFIX) :] for word in late]
                    text = " ".join(word for word in words if not word.startswith(PREFIX))
            yield Row(where, None, (text,), tuple(labels))
