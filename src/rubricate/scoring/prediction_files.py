"""Files of answers, as `predict` writes them, read back. The form is known by its content, not by the name of the file.

jsonl      {"id": …, "labels": […], "probabilities": {…}}     a line a document
tsv        id, labels, probabilities of these labels          a row a document, after a header
fasttext   __label__a 0.93 __label__b 0.6                     a line a document, without ids; empty: no label
trec       label Q0 document 0 score name                     a line a label and document; scores, no decisions
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from .prediction_writer import BETWEEN

__all__ = ["Line", "answers_in", "form_of", "unbare"]

MARK = "__label__"
FIELDS = 6  # of a line of a run
FORMS = "JSON Lines, TSV, fastText's predict-prob or a TREC run"


@dataclass(slots=True)
class Line:
    """What is said of one document. id: None where the form has none; labels: None where it has no decisions."""

    id: str | None
    labels: list[str] | None
    values: dict[str, float]  # probabilities, or scores


def answers_in(path: Path) -> tuple[str, list[Line]]:
    """The form of a file, and its answers in their order."""
    from ..errors import InputError

    form = form_of(path)
    with path.open(encoding="utf-8", errors="replace", newline="" if form in ("jsonl", "tsv") else "\n") as text:
        lines = list(READERS[form](str(path), text))
    twice = next(
        (name for name, times in Counter(line.id for line in lines).items() if name is not None and times > 1), None
    )
    if twice is not None:
        raise InputError(str(path), f"document {twice!r} is answered twice", "one answer a document")
    return form, lines


def form_of(path: Path) -> str:
    """By its first line that says something; a file of nothing but empty lines is fastText's, one of nothing has no answers."""
    from .prediction_writer import Tsv

    empty = False
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        for line in lines:
            if line.startswith(Tsv.head.decode().rstrip()):
                return "tsv"
            words = line.split()
            if words and words[0].startswith(MARK):
                return "fasttext"
            if len(words) == FIELDS and words[1].upper() == "Q0":
                return "trec"
            if words:
                return "jsonl"
            empty = True
    return "fasttext" if empty else "jsonl"


def unbare(name: str) -> str:
    """A name as it was before white space and per cent signs in it were written as in addresses of the web."""
    return "" if name == "%" else unquote(name)


# -- one reader a form: the name of the file and its lines to answers


def each(where: str, rows: Iterable[object], read: Callable[..., Line], *, first: int = 1) -> Iterator[Line]:
    """Row by row; one that is no answer is named. Rows before the first are headings."""
    from ..errors import InputError

    number = 0
    try:
        for number, row in enumerate(rows, 1):
            if number >= first:
                yield read(row)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, csv.Error):
        what = "is neither a model nor an answer"
        cure = f'give files of `rubricate predict`, {FORMS}: {{"id": …, "labels": […], "probabilities": {{…}}}}'
        raise InputError(f"{where} line {max(number, 1)}", what, cure) from None


def in_jsonl(where: str, text: Iterable[str]) -> Iterator[Line]:
    """An answer on a line of JSON."""
    import orjson

    def read(line: str) -> Line:
        row = orjson.loads(line)
        if isinstance(row["labels"], str):
            raise TypeError("a list of labels is needed")
        p = {str(label): float(value) for label, value in row.get("probabilities", {}).items()}
        return Line(str(row["id"]), [str(label) for label in row["labels"]], p)

    return each(where, text, read)


def in_tsv(where: str, text: Iterable[str]) -> Iterator[Line]:
    """An answer in a row of a table: only the labels that were given have probabilities."""

    def read(row: list[str]) -> Line:
        labels, values = ([part for part in cell.split(BETWEEN) if part] for cell in row[1:3])
        return Line(row[0], labels, dict(zip(labels, map(float, values), strict=True)))

    return each(where, csv.reader(text, delimiter="\t"), read, first=2)


def in_fasttext(where: str, text: Iterable[str]) -> Iterator[Line]:
    """Labels, each with its probability after it, or without (fastText's predict)."""

    def read(line: str) -> Line:
        labels: list[str] = []
        values: dict[str, float] = {}
        for word in line.split():
            if word.startswith(MARK):
                labels.append(unbare(word.removeprefix(MARK)))
            elif labels[-1] in values:
                raise ValueError("two numbers after a label")
            else:
                values[labels[-1]] = float(word)
        return Line(None, labels, values)

    return each(where, text, read)


def in_trec(where: str, text: Iterable[str]) -> Iterator[Line]:
    """The lines of a document put together, in the order in which documents are first met."""
    documents: dict[str, Line] = {}

    def read(line: str) -> Line:
        label, _, document, _, score, _ = line.split()
        predicted = documents.setdefault(document, Line(unbare(document), None, {}))
        if (name := unbare(label)) in predicted.values:
            raise ValueError("a label stands twice")
        predicted.values[name] = float(score)
        return predicted

    for _ in each(where, text, read):
        pass
    return iter(documents.values())


READERS: dict[str, Callable[[str, Iterable[str]], Iterator[Line]]] = {
    "jsonl": in_jsonl,
    "tsv": in_tsv,
    "fasttext": in_fasttext,
    "trec": in_trec,
}
