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

LONGEST_LINE = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One topic's documents and their scores, in any order; the score ranks."""

    documents: list[str]
    scores: Floats

    def ranked(self) -> list[int]:
        """Places in `documents`, the highest score first."""
        return trec_order(self.documents, self.scores)


def trec_order(documents: list[str], scores: Floats) -> list[int]:
    """The order in which trec_eval sees a run: scores in single precision, the highest first; of equals the document whose name
    comes later."""
    single = np.asarray(scores, dtype=np.float32).tolist()
    by_name = sorted(range(len(documents)), key=lambda at: documents[at].encode(), reverse=True)
    return sorted(by_name, key=lambda at: -single[at])


def read_run(path: str | Path) -> dict[str, Run]:
    """The run in a file, topic by topic. A document twice in a topic, or a score that is no number, is refused with its line."""
    source = Source(path, limits=Limits(), encoding="utf-8")
    scores_by_topic: dict[str, dict[str, float]] = {}
    with source.open() as stream:
        for number, line in enumerate(lines(stream, LONGEST_LINE), 1):
            words = decode(line).split()
            if not words:
                continue
            where = f"{source.name} line {number}"
            if len(words) != 6:
                raise InputError(
                    where, f"found {decode(line[:80]).strip()!r}", "write: topic Q0 document rank score system"
                )
            topic, _, document, _, score, _ = words
            scores = scores_by_topic.setdefault(topic, {})
            if document in scores:
                raise InputError(where, f"document {document} is given twice for topic {topic}", "give it once")
            try:
                scores[document] = float(score)
            except ValueError:
                raise InputError(where, f"the score is {score!r}", "write a number") from None
            if math.isnan(scores[document]):
                raise InputError(where, "the score is nan", "write a number")
    return {topic: Run(list(scores), np.array(list(scores.values()))) for topic, scores in scores_by_topic.items()}


def relevant_by_topic(judgements: Iterable[Judgement]) -> dict[str, dict[str, bool]]:
    """Topic -> document -> whether it is relevant. The last judgement of a document counts."""
    relevance: dict[str, dict[str, bool]] = {}
    for judgement in judgements:
        relevance.setdefault(judgement.topic, {})[judgement.document] = judgement.relevance > 0
    return relevance


def write_run(path: str | Path, run: Mapping[str, Run], *, system: str = "rubricate", depth: int | None = None) -> None:
    """Write a run; ranks from 1. depth: documents of each topic, at most."""
    write_atomically(path, run_lines(run, system=system, depth=depth))


def run_lines(run: Mapping[str, Run], *, system: str, depth: int | None) -> Iterator[bytes]:
    """Topics in their order, documents by rank."""
    for topic, documents in run.items():
        for rank, at in enumerate(documents.ranked()[:depth], 1):
            document = checked_name(documents.documents[at], "document")
            score = documents.scores[at]
            yield f"{checked_name(topic, 'topic')} Q0 {document} {rank} {score:.9g} {system}\n".encode()


def write_qrels(path: str | Path, judged: Mapping[str, Mapping[str, bool]]) -> None:
    """Write judgements: 1 for relevant, 0 for not."""
    write_atomically(
        path,
        (
            f"{checked_name(topic, 'topic')} 0 {checked_name(document, 'document')} {int(relevant)}\n".encode()
            for topic, relevance in judged.items()
            for document, relevant in relevance.items()
        ),
    )


def checked_name(name: str, what: str) -> str:
    """The name, if a TREC file can hold it."""
    if not name or name.split() != [name]:
        raise InputError(f"{what} {name!r}", "has white space in its name, or none", "TREC's files cannot hold it")
    return name
