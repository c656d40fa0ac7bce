"""The forms in which answers are written: JSON Lines, TSV, fastText's predict-prob, a TREC run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["FORMATS", "Said", "check_labels"]

Pairs = list[tuple[str, float]]  # label, probability
BETWEEN = "|"  # labels in a cell
AWKWARD = re.compile(r"[\s%]")


@dataclass(slots=True)
class Said:
    """What is said of a document: labels that it is given, probabilities of others too; the most probable first."""

    id: str
    labels: Pairs
    probabilities: Pairs
    person: bool  # left to a person
    certainty: float | None  # of the whole answer, where a person may be asked
    words: dict[str, Any] | None  # what speaks for each label


def jsonl(said: Iterable[Said], *, person: bool) -> Iterator[bytes]:
    """An object a document."""
    import orjson

    for one in said:
        row: dict[str, Any] = {"id": one.id, "labels": [label for label, _ in one.labels]}
        if person:
            row |= {"person": one.person, "certainty": one.certainty}
        row["probabilities"] = dict(one.probabilities)
        if one.words is not None:
            row["words"] = one.words
        yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def tsv(said: Iterable[Said], *, person: bool) -> Iterator[bytes]:
    """A row a document, with a header."""
    yield row_of(["id", "labels", "probabilities", *(["person"] if person else [])])
    for one in said:
        cells = [one.id, BETWEEN.join(label for label, _ in one.labels), BETWEEN.join(f"{p:g}" for _, p in one.labels)]
        yield row_of([*cells, *([str(one.person).lower()] if person else [])])


def row_of(cells: Sequence[str]) -> bytes:
    """A row; a cell that holds a tab, a quote or a line break is quoted."""
    quoted = (f'"{cell.replace(chr(34), chr(34) * 2)}"' if re.search(r'[\t"\r\n]', cell) else cell for cell in cells)
    return ("\t".join(quoted) + "\n").encode()


def fasttext(said: Iterable[Said], *, person: bool) -> Iterator[bytes]:
    """`__label__a 0.93 __label__b 0.6`, an empty line where no label is given."""
    for one in said:
        yield (" ".join(f"__label__{bare(label)} {p:g}" for label, p in one.labels) + "\n").encode()


def trec(said: Iterable[Said], *, person: bool) -> Iterator[bytes]:
    """`label Q0 document 0 probability rubricate`, a line for each label that is probable enough to be written."""
    for one in said:
        for label, p in one.probabilities:
            yield f"{bare(label)} Q0 {bare(one.id)} 0 {p:g} rubricate\n".encode()


def bare(name: str) -> str:
    """Without white space, which ends a field in these forms: it is written as in addresses of the web, %20."""
    return AWKWARD.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name) or "%"


FORMATS: dict[str, Callable[..., Iterator[bytes]]] = {"jsonl": jsonl, "tsv": tsv, "fasttext": fasttext, "trec": trec}


def check_labels(form: str, labels: Sequence[str]) -> None:
    """Whether the labels can be told apart in this form."""
    from ..errors import BadChoice

    odd = next((label for label in labels if BETWEEN in label), None)
    if form == "tsv" and odd is not None:
        raise BadChoice(f"--to tsv puts {BETWEEN} between labels, and {odd!r} holds one: write jsonl")
