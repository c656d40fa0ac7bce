"""The forms in which answers are written: JSON Lines, TSV, fastText's predict-prob, a TREC run. A piece at a time, as bytes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from operator import add
from typing import Any

__all__ = ["FORMATS", "LEAST", "Said", "Written", "check_labels"]

BETWEEN = "|"  # labels in a cell
LEAST = 0.0005  # probabilities below are written only where every label is asked for
AWKWARD = re.compile(r"[\s%]")
QUOTED = re.compile(r'[\t"\r\n]')


@dataclass(slots=True)
class Said:
    """What is said of some documents. A cell is a label of a document with its probability, the most probable first; some cells
    are labels that the document is given. Ends have a 0 in front."""

    ids: list[str]
    columns: list[int]  # of cells: the label
    values: Any  # of cells: the probability, rounded
    ends: list[int]  # of each document's cells
    given: list[int]  # which cells are labels that are given
    given_ends: list[int]  # of each document's
    person: list[bool] | None = None  # left to a person, where one may be asked
    certainty: list[float] | None = None  # of the whole answer
    words: list[dict[str, Any]] | None = None  # what speaks for each label


class Written(ABC):
    """A form, with the labels as they stand in it."""

    head = b""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = [self.named(name) for name in names]

    @abstractmethod
    def named(self, name: str) -> bytes:
        """A label as it is written."""

    @abstractmethod
    def of(self, said: Said) -> bytes:
        """A piece."""

    def all_of(self, pieces: Iterable[Said], *, person: bool) -> Iterator[bytes]:
        """Everything, the head first."""
        if self.head:
            yield self.head.replace(b"\n", b"\tperson\n") if person else self.head
        for said in pieces:
            yield self.of(said)


class Jsonl(Written):
    """An object a document."""

    def named(self, name: str) -> bytes:
        """As a JSON string."""
        return as_json(name)

    def of(self, said: Said) -> bytes:
        """Put together from parts: most of what a line holds has been written before."""
        from orjson import dumps

        keys = [name + b":" for name in self.names]
        cells = list(map(add, map(keys.__getitem__, said.columns), numbers(said.values)))
        labels = [self.names[said.columns[place]] for place in said.given]
        asked: Iterable[bytes] = repeat(b"")
        if said.person is not None and said.certainty is not None:
            sure = zip(said.person, numbers(said.certainty), strict=True)
            asked = [b'"person":%b,"certainty":%b,' % (b"true" if one else b"false", p) for one, p in sure]
        words = repeat(b"") if said.words is None else [b',"words":' + dumps(own) for own in said.words]
        parts = zip(map(dumps, said.ids), pairwise(said.given_ends), asked, pairwise(said.ends), words, strict=False)
        return b"".join(
            b'{"id":%b,"labels":[%b],%b"probabilities":{%b}%b}\n'
            % (one, b",".join(labels[a:b]), how, b",".join(cells[c:d]), why)
            for one, (a, b), how, (c, d), why in parts
        )


class Tsv(Written):
    """A row a document, with a header; a cell that holds a tab, a quote or a line break is quoted."""

    head = b"id\tlabels\tprobabilities\n"

    def named(self, name: str) -> bytes:
        """As it is: labels stand together in one cell, which is quoted as a whole."""
        return name.encode()

    def of(self, said: Said) -> bytes:
        """Labels that are given, and their probabilities."""
        all_numbers = numbers(said.values)
        labels = [self.names[said.columns[place]] for place in said.given]
        values = [all_numbers[place] for place in said.given]
        person: Any = repeat(b"")
        if said.person is not None:
            person = [b"\ttrue" if one else b"\tfalse" for one in said.person]
        between = BETWEEN.encode()
        return b"".join(
            b"%b\t%b\t%b%b\n" % (cell(one.encode()), cell(between.join(labels[a:b])), between.join(values[a:b]), left)
            for one, (a, b), left in zip(said.ids, pairwise(said.given_ends), person, strict=False)
        )


class FastText(Written):
    """`__label__a 0.93 __label__b 0.6`, an empty line where no label is given."""

    def named(self, name: str) -> bytes:
        """With its mark, and a space after it."""
        return f"__label__{bare(name)} ".encode()

    def of(self, said: Said) -> bytes:
        """Labels that are given, and their probabilities."""
        all_numbers = numbers(said.values)
        pairs = [self.names[said.columns[place]] + all_numbers[place] for place in said.given]
        return b"".join(b" ".join(pairs[a:b]) + b"\n" for a, b in pairwise(said.given_ends))


class Trec(Written):
    """`label Q0 document 0 probability rubricate`, a line for each label that is probable enough to be written."""

    def named(self, name: str) -> bytes:
        """Without white space."""
        return bare(name).encode()

    def of(self, said: Said) -> bytes:
        """All cells."""
        all_numbers = numbers(said.values)
        return b"".join(
            b"%b Q0 %b 0 %b rubricate\n" % (self.names[said.columns[place]], name, all_numbers[place])
            for name, (a, b) in zip((bare(one).encode() for one in said.ids), pairwise(said.ends), strict=True)
            for place in range(a, b)
        )


def as_json(value: Any) -> bytes:
    """As orjson has it."""
    import orjson

    return orjson.dumps(value)


def numbers(values: Any) -> list[bytes]:
    """Numbers in their shortest form, all at once."""
    import orjson

    return orjson.dumps(values, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1].split(b",") if len(values) else []


def cell(content: bytes) -> bytes:
    """A cell of a table."""
    text = content.decode()
    return f'"{text.replace(chr(34), chr(34) * 2)}"'.encode() if QUOTED.search(text) else content


def bare(name: str) -> str:
    """Without white space, which ends a field in these forms: it is written as in addresses of the web, %20."""
    return AWKWARD.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name) or "%"


FORMATS: dict[str, Callable[[Sequence[str]], Written]] = {
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
