"""How good a run is, topic by topic: average precision, R-precision, precision at k; F1 of the documents above the thresholds.

The numbers are trec_eval's (map, Rprec, P_k, set_F): a relevant document that the run lacks counts as not retrieved; precision
at k divides by k also where fewer were retrieved. One thing differs: a topic without relevant documents has no average precision
(nan, and it is left out of the mean) where trec_eval says 0.                                      [001 sec. 5, table 3]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting
from ...measures.metrics.contingency import f_beta, mean_of_defined
from ...measures.metrics.ranking import average_precision, precision_at
from .trec_files import Run

NAN = float("nan")


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
    rows = [
        evaluate_topic(
            topic, run.get(topic), relevance, at=at, assigned=None if assigned is None else assigned.get(topic, ())
        )
        for topic, relevance in sorted(judged.items())
    ]
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
