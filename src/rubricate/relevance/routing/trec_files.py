"""TREC's run files and judgements (qrels), read and written as trec_eval takes them.

    topic Q0 document rank score system      a run: ranked documents of topics
    topic 0 document relevance               judgements; above 0 is relevant

White space ends a field, so it may not stand in a name. `rubricate.corpus.readers.trec.read_qrels` reads judgements.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...corpus.readers.decompression import Limits
from ...corpus.readers.sgml import decode
from ...corpus.readers.sources import Source, lines
from ...corpus.readers.trec import Judgement
from ...errors import InputError
from ...foundation.arrays import Floats
from ...foundation.files import write_atomically

__all__ = ["Run", "order_of", "read_run", "relevant_by_topic", "write_qrels", "write_run"]

LONGEST = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One topic's documents and their scores, in any order; the score ranks."""

    documents: list[str]
    scores: Floats

    def ranked(self) -> list[int]:
        """Places in `documents`, the highest score first."""
        return order_of(self.documents, self.scores)


def order_of(documents: list[str], scores: Floats) -> list[int]:
    """The order in which trec_eval sees a run: scores in single precision, the highest first; of equals the document whose name
    comes later."""
    single = np.asarray(scores, dtype=np.float32).tolist()
    by_name = sorted(range(len(documents)), key=lambda at: documents[at].encode(), reverse=True)
    return sorted(by_name, key=lambda at: -single[at])


def read_run(path: str | Path) -> dict[str, Run]:
    """The run in a file, topic by topic. A document twice in a topic, or a score that is no number, is refused with its line."""
    given = Source(path, limits=Limits(), encoding="utf-8")
    found: dict[str, dict[str, float]] = {}
    with given.open() as stream:
        for number, line in enumerate(lines(stream, LONGEST), 1):
            words = decode(line).split()
            if not words:
                continue
            where = f"{given.name} line {number}"
            if len(words) != 6:
                raise InputError(
                    where, f"found {decode(line[:80]).strip()!r}", "write: topic Q0 document rank score system"
                )
            own = found.setdefault(words[0], {})
            if words[2] in own:
                raise InputError(where, f"document {words[2]} is given twice for topic {words[0]}", "give it once")
            try:
                own[words[2]] = float(words[4])
            except ValueError:
                raise InputError(where, f"the score is {words[4]!r}", "write a number") from None
            if math.isnan(own[words[2]]):
                raise InputError(where, "the score is nan", "write a number")
    return {topic: Run(list(own), np.array(list(own.values()))) for topic, own in found.items()}


def relevant_by_topic(judgements: Iterable[Judgement]) -> dict[str, dict[str, bool]]:
    """Topic -> document -> whether it is relevant. The last judgement of a document counts."""
    found: dict[str, dict[str, bool]] = {}
    for one in judgements:
        found.setdefault(one.topic, {})[one.document] = one.relevance > 0
    return found


def write_run(path: str | Path, run: Mapping[str, Run], *, system: str = "rubricate", depth: int | None = None) -> None:
    """Write a run; ranks from 1. depth: so many documents of each topic."""
    write_atomically(path, run_lines(run, system=system, depth=depth))


def run_lines(run: Mapping[str, Run], *, system: str, depth: int | None) -> Iterator[bytes]:
    """Topics in their order, documents by rank."""
    for topic, own in run.items():
        for rank, at in enumerate(own.ranked()[:depth], 1):
            document = field(own.documents[at], "document")
            yield f"{field(topic, 'topic')} Q0 {document} {rank} {own.scores[at]:.9g} {system}\n".encode()


def write_qrels(path: str | Path, judged: Mapping[str, Mapping[str, bool]]) -> None:
    """Write judgements: 1 for relevant, 0 for not."""
    write_atomically(
        path,
        (
            f"{field(topic, 'topic')} 0 {field(document, 'document')} {int(relevant)}\n".encode()
            for topic, own in judged.items()
            for document, relevant in own.items()
        ),
    )


def field(name: str, what: str) -> str:
    """A name that a TREC file can hold."""
    if not name or name.split() != [name]:
        raise InputError(f"{what} {name!r}", "has white space in its name, or none", "TREC's files cannot hold it")
    return name
