"""The forms in which predictions are written: JSON Lines, TSV, fastText's predict-prob, a TREC run. A block at a time."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from operator import add
from typing import Any

BETWEEN = "|"  # labels in a cell
LEAST = 0.0005  # probabilities below are written only where every label is asked for
AWKWARD = re.compile(r"[\s%]")
QUOTED = re.compile(r'[\t"\r\n]')


@dataclass(slots=True)
class OutputRows:
    """What is written of some documents. A cell is a label of a document with its probability, the most probable first; some
    cells are labels that the document gets. Ends have a 0 in front."""

    ids: list[str]
    columns: list[int]  # of cells: the label
    values: Any  # of cells: the probability, rounded
    ends: list[int]  # of each document's cells
    assigned: list[int]  # which cells are labels that the document gets
    assigned_ends: list[int]  # of each document's
    person: list[bool] | None = None  # left to a person, where one may be asked
    certainty: list[float] | None = None  # of the whole answer
    words: list[dict[str, Any]] | None = None  # what speaks for each label


class Writer(ABC):
    """A form, with the labels as they stand in it."""

    head = b""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [self.label(name) for name in names]

    @abstractmethod
    def label(self, name: str) -> bytes:
        """A label as it is written."""

    @abstractmethod
    def block(self, rows: OutputRows) -> bytes:
        """The lines of some documents."""

    def lines(self, blocks: Iterable[OutputRows], *, person: bool) -> Iterator[bytes]:
        if self.head:
            yield self.head.replace(b"\n", b"\tperson\n") if person else self.head
        for rows in blocks:
            yield self.block(rows)


class Jsonl(Writer):
    """An object a document."""

    def label(self, name: str) -> bytes:
        return as_json(name)

    def block(self, rows: OutputRows) -> bytes:
        """Put together from parts: most of what a line holds has been written before."""
        from orjson import dumps

        keys = [name + b":" for name in self.names]
        cells = list(map(add, map(keys.__getitem__, rows.columns), numbers(rows.values)))
        labels = [self.names[rows.columns[place]] for place in rows.assigned]
        certainty: Iterable[bytes] = repeat(b"")
        if rows.person is not None and rows.certainty is not None:
            pairs = zip(rows.person, numbers(rows.certainty), strict=True)
            certainty = [b'"person":%b,"certainty":%b,' % (b"true" if person else b"false", p) for person, p in pairs]
        words = repeat(b"") if rows.words is None else [b',"words":' + dumps(document) for document in rows.words]
        parts = zip(
            map(dumps, rows.ids), pairwise(rows.assigned_ends), certainty, pairwise(rows.ends), words, strict=False
        )
        return b"".join(
            b'{"id":%b,"labels":[%b],%b"probabilities":{%b}%b}\n'
            % (name, b",".join(labels[a:b]), sure, b",".join(cells[c:d]), why)
            for name, (a, b), sure, (c, d), why in parts
        )


class Tsv(Writer):
    """A row a document, with a header; a cell that holds a tab, a quote or a line break is quoted."""

    head = b"id\tlabels\tprobabilities\n"

    def label(self, name: str) -> bytes:
        """As it is: labels stand together in one cell, which is quoted as a whole."""
        return name.encode()

    def block(self, rows: OutputRows) -> bytes:
        all_numbers = numbers(rows.values)
        labels = [self.names[rows.columns[place]] for place in rows.assigned]
        values = [all_numbers[place] for place in rows.assigned]
        person: Any = repeat(b"")
        if rows.person is not None:
            person = [b"\ttrue" if review else b"\tfalse" for review in rows.person]
        between = BETWEEN.encode()
        return b"".join(
            b"%b\t%b\t%b%b\n"
            % (cell(name.encode()), cell(between.join(labels[a:b])), between.join(values[a:b]), review)
            for name, (a, b), review in zip(rows.ids, pairwise(rows.assigned_ends), person, strict=False)
        )


class FastText(Writer):
    """`__label__a 0.93 __label__b 0.6`, an empty line where no label is given."""

    def label(self, name: str) -> bytes:
        """With its mark, and a space after it."""
        return f"__label__{bare(name)} ".encode()

    def block(self, rows: OutputRows) -> bytes:
        all_numbers = numbers(rows.values)
        pairs = [self.names[rows.columns[place]] + all_numbers[place] for place in rows.assigned]
        return b"".join(b" ".join(pairs[a:b]) + b"\n" for a, b in pairwise(rows.assigned_ends))


class Trec(Writer):
    """`label Q0 document 0 probability rubricate`, a line for each label that is probable enough to be written."""

    def label(self, name: str) -> bytes:
        """Without white space."""
        return bare(name).encode()

    def block(self, rows: OutputRows) -> bytes:
        all_numbers = numbers(rows.values)
        return b"".join(
            b"%b Q0 %b 0 %b rubricate\n" % (self.names[rows.columns[place]], name, all_numbers[place])
            for name, (a, b) in zip((bare(row_id).encode() for row_id in rows.ids), pairwise(rows.ends), strict=True)
            for place in range(a, b)
        )


def as_json(value: Any) -> bytes:
    import orjson

    return orjson.dumps(value)


def numbers(values: Any) -> list[bytes]:
    """Numbers in their shortest form, all at once."""
    import orjson

    return orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1].split(b",") if len(values) else []


def cell(content: bytes) -> bytes:
    text = content.decode()
    return f'"{text.replace(chr(34), chr(34) * 2)}"'.encode() if QUOTED.search(text) else content


def bare(name: str) -> str:
    """Without white space, which ends a field in these forms: it is written as in addresses of the web, %20."""
    return AWKWARD.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), name) or "%"


FORMATS: dict[str, Callable[[Sequence[str]], Writer]] = {
    "jsonl": Jsonl,
    "tsv": Tsv,
    "fasttext": FastText,
    "trec": Trec,
}


def check_labels(form: str, labels: Sequence[str]) -> None:
    """Whether the labels can be told apart in this form."""
    from ..errors import InvalidSetting

    odd = next((label for label in labels if BETWEEN in label), None)
    if form == "tsv" and odd is not None:
        raise InvalidSetting(f"--to tsv puts {BETWEEN} between labels, and {odd!r} holds one: write jsonl")
