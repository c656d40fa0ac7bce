"""What other programs rely on, one thing a line: tests/public_api.txt, tests/json_keys.txt, tests/sample_answers.txt.

    python tools/public_api.py            write them anew; what would break somebody's program is refused
    python tools/public_api.py --force    ... and is written all the same
    python tools/public_api.py --check    only say what has changed

public_api.txt       every public name of `rubricate` with its signature (no types: they may get better names); public methods of
                     its classes; names that people type (keys of tables); every command with each spelling of its options
json_keys.txt        the keys of what each command prints with --json, and of the lines of `predict`, on the sample. `*` stands
                     for what the documents say: labels, ids, numbers
sample_answers.txt   labels and probabilities of three models for the first documents of the sample's test part

A removed name, a signature that old calls do not fit, a key that is gone and another answer break programs; additions do not.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import inspect
import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import numpy as np
from scipy import sparse

import rubricate as rb
from rubricate.cli import ALIASES, COMMANDS, command_of, main

TESTS = Path(__file__).parent.parent / "tests"
PLAIN = (bool, int, float, str, bytes, type(None))


# -- names and signatures


def api_lines() -> list[str]:
    """Everything that `dir(rubricate)` leads to, and every command."""
    lines: set[str] = set()
    for name in dir(rb):
        if not name.startswith("__"):
            lines.update(of_value(f"rubricate.{name}", getattr(rb, name)))
    lines.update(of_fitted())
    for name in (*COMMANDS, *ALIASES):
        lines.update(of_command(f"$ rubricate {name}", command_of(name)))
    return sorted(lines)


def of_value(name: str, value: Any) -> Iterator[str]:
    """The lines of one public name."""
    if isinstance(value, ModuleType):
        yield f"{name}: module"
        for own in getattr(value, "__all__", ()):
            inside = getattr(value, own)
            if not isinstance(inside, ModuleType):
                yield from of_value(f"{name}.{own}", inside)
    elif inspect.isclass(value):
        yield f"{name}{signature(value)}: class{bases(value)}"
        yield from of_members(name, value)
    elif inspect.isroutine(value):
        yield f"{name}{signature(value)}"
    elif isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        yield f"{name}: table"
        yield from (f"{name}[{key!r}]" for key in value)
    elif isinstance(value, tuple) and all(isinstance(own, str) for own in value):
        yield f"{name}: names"
        yield from (f"{name}[{own!r}]" for own in value)
    else:
        yield f"{name} = {value!r}" if isinstance(value, PLAIN) else f"{name}: {type(value).__name__}"


def of_members(name: str, kind: type[Any]) -> Iterator[str]:
    """Public fields, methods and properties, also those inherited from classes of ours."""
    if dataclasses.is_dataclass(kind):
        yield from (f"{name}.{own.name}: attribute" for own in dataclasses.fields(kind) if own.name[0] != "_")
    for own in dir(kind):
        if own.startswith("_") or re.fullmatch("set_.+_request", own):  # the latter are scikit-learn's
            continue
        home = next(base for base in kind.__mro__ if own in vars(base))
        if not home.__module__.startswith("rubricate"):
            continue
        value = inspect.getattr_static(kind, own)
        if isinstance(value, classmethod | staticmethod):
            yield f"{name}.{own}{signature(getattr(kind, own))}: {type(value).__name__}"
        elif inspect.isfunction(value):
            yield f"{name}.{own}{signature(value)}"
        else:
            yield f"{name}.{own}: attribute"


def bases(kind: type[Any]) -> str:
    """The exceptions and classes of others that a class is one of."""
    others = [base.__name__ for base in kind.__mro__[1:] if base.__module__ == "builtins" and base is not object]
    return f" ({', '.join(others)})" if others else ""


def signature(value: Any) -> str:
    """Names, kinds and defaults of parameters; `...` for a default that is no plain value."""
    try:
        told = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    own = [
        one.replace(
            annotation=inspect.Parameter.empty,
            default=one.default if one.default is inspect.Parameter.empty or plain(one.default) else ...,
        )
        for one in told.parameters.values()
    ]
    return str(inspect.Signature(own)).replace("Ellipsis", "...")


def plain(value: Any) -> bool:
    return isinstance(value, PLAIN) or (isinstance(value, tuple) and all(map(plain, value)))


def of_fitted() -> Iterator[str]:
    """What a fit leaves behind for others to read: names that end in `_`, of one label a document and of several."""
    X = sparse.csr_array(np.random.default_rng(0).poisson(0.6, (24, 6)).astype(np.float64))
    one, several = np.arange(24) % 3, [[f"label {n % 3}"] * (n % 2) for n in range(24)]
    for row in rb.models.MODELS.values():
        both = [row.kind().fit(X, y) for y in (one, several)]
        names = {own for model in both for own in vars(model) if own.endswith("_") and own[0] != "_"}
        yield from (f"rubricate.models.{row.kind.__name__}.{own}: fitted" for own in names)
    whole = rb.TextClassifier("multinomial").fit(["corn", "bank", "corn rye", "bank loan"] * 3, ["a", "b"] * 6)
    names = {own for own in vars(whole) if own.endswith("_") and own[0] != "_"}
    yield from (f"rubricate.TextClassifier.{own}: fitted" for own in names)


def of_command(name: str, command: click.Command) -> Iterator[str]:
    """A command, its arguments, and each spelling of each option, also those that help does not show."""
    yield name
    if isinstance(command, click.Group):
        for own, inside in command.commands.items():
            yield from of_command(f"{name} {own}", inside)
    for option in command.params:
        many = " ..." if option.multiple or option.nargs == -1 else ""
        choices = f" {'|'.join(map(str, option.type.choices))}" if isinstance(option.type, click.Choice) else ""
        if isinstance(option, click.Argument):
            yield f"{name} {(option.name or '').upper()}{many}{'' if option.required else ' (may be left out)'}"
            continue
        flag = " (flag)" if getattr(option, "is_flag", False) else ""
        need = " (required)" if option.required else ""
        for spelling in (*option.opts, *option.secondary_opts):
            yield f"{name} {spelling}{choices}{many}{flag}{need}"


# -- keys of JSON

OPEN = (
    "forms",
    "terms",
    "versions",
)  # whose keys are systems that are compared, terms of documents, versions of collections
MODEL = ("-m", "multinomial", "-o", "model.rub")
RUNS: tuple[tuple[str, ...], ...] = (
    ("info", "enquiries", "--json"),
    ("collections", "--json"),
    ("split", "enquiries", "--test", "date>=2026-01-01", "-o", "parts", "--json"),
    ("count", "parts/test.jsonl", "-o", "test.counts", "--json"),
    ("merge", "test.counts", "test.counts", "-o", "both.counts", "--json"),
    ("terms", "parts/test.jsonl", "--top", "3", "--json"),
    ("terms", "parts/test.jsonl", "--label", "events", "--top", "3", "--json"),
    ("train", "parts/train.jsonl", *MODEL, "--test-set", "0.25", "--json"),
    ("inspect", "model.rub", "--label", "events", "--terms", "3", "--json"),
    ("drift", "model.rub", "parts/test.jsonl", "--json"),
    ("evaluate", "model.rub", "parts/test.jsonl", "--json"),
    ("train", "parts/test.jsonl", "-m", "rocchio", "--no-curve", "--decide", "top:2", "-o", "other.rub", "--json"),
    ("compare", "model.rub", "other.rub", "parts/test.jsonl", "--json"),
    ("explain", "model.rub", "The app says my card has expired", "--top", "3", "--json"),
    ("label-errors", "parts/test.jsonl", "-m", "multinomial", "--top", "50", "--json"),
    ("noise", "parts/test.jsonl", "-m", "multinomial", "--top", "50", "--json"),
    ("page", "model.rub", "-o", "page.html", "--small", "--json"),
    ("predict", "model.rub", "parts/test.jsonl"),
    ("predict", "model.rub", "parts/test.jsonl", "--abstain", "0.5"),
    ("predict", "model.rub", "parts/test.jsonl", "-o", "answers.jsonl", "--json"),
    ("learn", "model.rub", "parts/test.jsonl", "-o", "more.rub", "--json"),
    ("forget", "more.rub", "parts/test.jsonl", "-o", "again.rub", "--json"),
    ("topic", "new", "events", "talks, readings and story time", "--json"),
    ("topic", "background", "parts/test.jsonl", "--json"),
    ("topic", "collection", "parts/test.jsonl", "--json"),
    ("topic", "rank", "events", "parts/test.jsonl", "--top", "3", "--json"),
    ("screen", "parts/test.jsonl", "--topic", "events", "--next", "3", "--json"),
    ("topic", "evaluate", "--from", "parts/test.jsonl", "--all-documents", "--qrels-out", "judged.qrels", "--json"),
    ("topic", "judge", "--qrels", "judged.qrels", "--from", "parts/test.jsonl", "--json"),
    ("topic", "list", "--json"),
    ("topic", "show", "events", "--json"),
    ("route", "parts/test.jsonl"),
    ("route", "parts/test.jsonl", "--json"),
    ("simulate", "parts/test.jsonl", "--label", "events", "--says", "events=talks and readings", "--seeds", "1", "--json"),
)  # fmt: skip


def key_lines() -> list[str]:
    """The paths of keys of all these commands, run one after the other in an empty folder."""
    labels = {label for own in rb.collections.load("enquiries")[0].labels for label in own}
    lines: set[str] = set()
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        environment = os.environ.pop("RUBRICATE_TOPICS", None)
        try:
            for arguments in RUNS:
                shown = printed(*arguments)
                groups = 2 if arguments[0] == "topic" else 1
                name = " ".join(["$ rubricate", *arguments[:groups]]) + (" --json" if "--json" in arguments else "")
                lines.update(f"{name} {path}" for value in shown for path in paths(value, labels))
            report = rb.load("model.rub").report_
            lines.update(f"TextClassifier.report_ {path}" for path in paths(report, labels))
        finally:
            if environment is not None:
                os.environ["RUBRICATE_TOPICS"] = environment
    return sorted(lines)


def printed(*arguments: str) -> list[Any]:
    """What a command prints: one value, or one a line."""
    out, remarks = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code: Any = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(remarks):
        try:
            main(list(arguments))
        except SystemExit as ended:
            code = ended.code
    text, told = (own.buffer.getvalue().decode() for own in (out, remarks))  # type: ignore[attr-defined]
    if code:
        raise RuntimeError(f"rubricate {' '.join(arguments)} ended with {code}: {told}")
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def paths(value: Any, labels: set[str], where: str = "") -> Iterator[str]:
    """`/labels/[]/label`: keys below each other, [] for a list."""
    if isinstance(value, dict):
        for key, own in value.items():
            open_ended = where.rpartition("/")[2] in OPEN or re.fullmatch(r"[0-9.]+|HV-\d+", key)
            name = "*" if open_ended or key in labels else re.sub(f"_of_({'|'.join(sorted(labels))})$", "_of_*", key)
            yield f"{where}/{name}"
            yield from paths(own, labels, f"{where}/{name}")
    elif isinstance(value, list):
        for own in value:
            yield from paths(own, labels, f"{where}/[]")


# -- answers for the sample

MODELS = ("multinomial", "prtfidf", "support_vector")
DOCUMENTS = 50
DIGITS = 9
NEAR = 1.5e-9  # between probabilities that were rounded to so many digits


def answer_lines() -> list[str]:
    """`model id label|label p p p ...`, the probabilities in the order of the labels' names."""
    train, test = rb.collections.load("enquiries")
    texts, ids = test.texts[:DOCUMENTS], test.ids[:DOCUMENTS]
    lines = []
    for name in MODELS:
        model = rb.TextClassifier(name).fit(train)
        for own, labels, p in zip(ids, model.predict(texts), model.predict_proba(texts), strict=True):
            lines.append(" ".join([name, own, "|".join(labels) or "-", *(f"{one:.{DIGITS}f}" for one in p)]))
    return sorted(lines)


def same_answer(then: str, now: str) -> bool:
    """Equal but for the last digit, which another processor may round otherwise."""
    old, new = then.split(" "), now.split(" ")
    same = old[:3] == new[:3] and len(old) == len(new)
    return same and all(abs(float(a) - float(b)) <= NEAR for a, b in zip(old[3:], new[3:], strict=True))


# -- what has changed


def fits(then: str, now: str) -> bool:
    """Whether calls that the old signature took are taken by the new one."""
    old, new = (arguments_of(line) for line in (then, now))
    if old is None or new is None or then.rpartition(")")[2] != now.rpartition(")")[2]:
        return False
    return (
        new["placed"][: len(old["placed"])] == old["placed"]
        and all(default is not None for _, default in new["placed"][len(old["placed"]) :])
        and all(own in new["named"] for own in old["named"])
        and all(own[1] is not None for own in new["named"] if own not in old["named"])
        and old["rest"] == new["rest"]
    )


def arguments_of(line: str) -> dict[str, Any] | None:
    """The parameters of a line, with their defaults as text."""
    found = re.search(r"\(.*\)", line.partition(": class (")[0])
    try:
        tree: Any = ast.parse(f"def f{found.group() if found else ''}: pass").body[0]
    except SyntaxError:
        return None
    own = tree.args
    placed = [*own.posonlyargs, *own.args]
    defaults = [None] * (len(placed) - len(own.defaults)) + [ast.unparse(one) for one in own.defaults]
    return {
        "placed": [(one.arg, default) for one, default in zip(placed, defaults, strict=True)],
        "named": [
            (one.arg, None if default is None else ast.unparse(default))
            for one, default in zip(own.kwonlyargs, own.kw_defaults, strict=True)
        ],
        "rest": (own.vararg is not None, own.kwarg is not None),
    }


def changes(then: list[str], now: list[str]) -> dict[str, list[str]]:
    """Lines that are gone, that old uses no longer fit, that still fit, and new ones."""
    gone, new = [one for one in then if one not in set(now)], [one for one in now if one not in set(then)]
    later = {one.partition("(")[0]: one for one in new if "(" in one and not one.startswith("$")}
    out: dict[str, list[str]] = {"removed": [], "changed": [], "widened": [], "added": []}
    for one in gone:
        other = later.pop(one.partition("(")[0], None) if "(" in one and not one.startswith("$") else None
        if other is None:
            out["removed"].append(one)
        else:
            out["widened" if fits(one, other) else "changed"].append(f"{one}  ->  {other}")
            new.remove(other)
    out["added"] = new
    return out


FILES = {"public_api.txt": api_lines, "json_keys.txt": key_lines, "sample_answers.txt": answer_lines}


def told(name: str, now: list[str]) -> tuple[str, bool]:
    """What has changed since the file was written, as text, and whether somebody's program would break."""
    path = TESTS / name
    then = path.read_text("utf-8").splitlines() if path.is_file() else []
    if name == "sample_answers.txt":
        before = {tuple(one.split(" ")[:2]): one for one in then}
        pairs = [(before.get(tuple(one.split(" ")[:2]), ""), one) for one in now]
        now = [old if old and same_answer(old, new) else new for old, new in pairs]
    found = changes(then, now)
    text = "".join(f"{name}: {what}: {one}\n" for what, lines in found.items() for one in lines)
    return text, bool(found["removed"] or found["changed"])


def run(arguments: list[str]) -> int:
    stale = broken = False
    for name, made in FILES.items():
        now = made()
        text, breaks = told(name, now)
        stale, broken = stale or bool(text), broken or breaks
        print(text if (TESTS / name).is_file() else f"{name}: new\n", end="")
        if "--check" not in arguments and (not breaks or "--force" in arguments):
            (TESTS / name).write_text("\n".join(now) + "\n", "utf-8")
    if "--check" in arguments:
        print("run `python tools/public_api.py`" if stale else "the public names and keys are as they were written")
        return int(stale)
    if broken and "--force" not in arguments:
        print(
            "not written where something is removed or changed: other programs rely on it; --force, if an issue says so"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
