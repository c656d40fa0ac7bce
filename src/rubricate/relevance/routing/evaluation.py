"""Runs, ranked documents of topics: TREC's files as trec_eval takes them, and how good a run is.

    topic Q0 document rank score system      a run
    topic 0 document relevance               judgements (qrels); above 0 is relevant

White space ends a field, so it may not stand in a name. `rubricate.corpus.readers.trec.read_qrels` reads judgements.

Average precision, R-precision, precision at k, and F1 of the documents above the thresholds are trec_eval's (map, Rprec, P_k,
set_F): a relevant document that the run lacks counts as not retrieved; precision at k divides by k also where fewer were
retrieved. One thing differs: a topic without relevant documents has no average precision (nan, and it is left out of the mean)
where trec_eval says 0.                                                                            [001 sec. 5, table 3]
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...corpus.readers.decompression import Limits
from ...corpus.readers.sgml import decode
from ...corpus.readers.sources import Source, lines
from ...corpus.readers.trec import Judgement
from ...errors import InputError, InvalidSetting
from ...foundation.arrays import Floats
from ...foundation.files import write_atomically
from ...measures.metrics.contingency import f_beta, mean_of_defined
from ...measures.metrics.ranking import average_precision, precision_at

LONGEST_LINE = 1 << 16
NAN = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One topic's documents and their scores, in any order; the score ranks."""

    documents: list[str]
    scores: Floats

    def ranked(self) -> list[int]:
        """Places in `documents` in the order in which trec_eval sees them: by scores in single precision, the highest first; of
        equals the document whose name comes later."""
        single = np.asarray(self.scores, dtype=np.float32).tolist()
        by_name = sorted(range(len(self.documents)), key=lambda at: self.documents[at].encode(), reverse=True)
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
                what = f"found {decode(line[:80]).strip()!r}"
                raise InputError(where, what, "write: topic Q0 document rank score system")
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

    def run_lines() -> Iterator[bytes]:
        for topic, documents in run.items():
            for rank, at in enumerate(documents.ranked()[:depth], 1):
                document, score = checked_name(documents.documents[at], "document"), documents.scores[at]
                yield f"{checked_name(topic, 'topic')} Q0 {document} {rank} {score:.9g} {system}\n".encode()

    write_atomically(path, run_lines())


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
    if not name or name.split() != [name]:
        raise InputError(f"{what} {name!r}", "has white space in its name, or none", "TREC's files cannot hold it")
    return name


# -- how good a run is


@dataclass(frozen=True, slots=True)
class TopicMeasures:
    """One topic: documents retrieved, relevant ones, relevant ones retrieved (`found`), and the measures. nan: not defined."""

    topic: str
    retrieved: int
    relevant: int
    found: int
    average_precision: float
    r_precision: float
    precision_at: dict[int, float]
    f1: float = NAN
    assigned: int | None = None


@dataclass(frozen=True, slots=True)
class RunEvaluation:
    """All judged topics, and the means over those for which a measure is defined. missing: judged topics that the run lacks; all
    their measures are 0. unjudged: topics of the run without judgements; they are left out."""

    topics: list[TopicMeasures]
    average_precision: float
    r_precision: float
    precision_at: dict[int, float]
    f1: float
    missing: list[str]
    unjudged: list[str]


def evaluate_topic(
    topic: str,
    run: Run | None,
    judged: Mapping[str, bool],
    *,
    at: Sequence[int] = (5, 10, 20),
    assigned: Collection[str] | None = None,
) -> TopicMeasures:
    """The measures of one topic. judged: document -> whether it is relevant; an unjudged document counts as not relevant."""
    documents = [] if run is None else [run.documents[place] for place in run.ranked()]
    truth = np.array([judged.get(document, False) for document in documents], dtype=np.int64)
    places = -np.arange(len(documents), dtype=np.float64)
    n_relevant, n_found = sum(judged.values()), int(truth.sum())
    precision = float(average_precision(places, truth)) * n_found / n_relevant if n_found else 0.0
    r_precision = float(precision_at(places, truth, n_relevant)) if n_relevant and len(truth) else 0.0
    f1 = NAN
    if assigned is not None:
        correct = sum(judged.get(document, False) for document in assigned)
        f1 = float(f_beta(correct, len(assigned) - correct, n_relevant - correct))
    return TopicMeasures(
        topic,
        len(documents),
        n_relevant,
        n_found,
        precision if n_relevant else NAN,
        r_precision if n_relevant else NAN,
        {k: float(precision_at(places, truth, k)) if len(truth) else 0.0 for k in at},
        f1,
        None if assigned is None else len(assigned),
    )


def evaluate(
    run: Mapping[str, Run],
    judged: Mapping[str, Mapping[str, bool]],
    *,
    at: Sequence[int] = (5, 10, 20),
    assigned: Mapping[str, Collection[str]] | None = None,
) -> RunEvaluation:
    """A run against judgements. assigned: the documents above each topic's threshold, for F1."""
    for k in at:
        if k < 1:
            raise InvalidSetting(f"P@{k}: k is a whole number from 1")
    if not judged:
        raise InvalidSetting("no topic has a judgement: there is nothing to go by")
    rows = []
    for topic, relevance in sorted(judged.items()):
        above = None if assigned is None else assigned.get(topic, ())
        rows.append(evaluate_topic(topic, run.get(topic), relevance, at=at, assigned=above))
    with_relevant = [row for row in rows if row.relevant]
    return RunEvaluation(
        rows,
        mean_of_defined(np.array([row.average_precision for row in rows])),
        mean_of_defined(np.array([row.r_precision for row in rows])),
        {k: mean_of_defined(np.array([row.precision_at[k] for row in with_relevant])) for k in at},
        mean_of_defined(np.array([row.f1 for row in rows])),
        sorted(set(judged) - set(run)),
        sorted(set(run) - set(judged)),
    )
