"""How good a run is, topic by topic: average precision, R-precision, precision at k; F1 of what passed the cuts.

The numbers are trec_eval's (map, Rprec, P_k, set_F): a relevant document that the run lacks was never found, and precision at k
divides by k also where fewer were retrieved. One thing differs: a topic without relevant documents has no average precision
(nan, and it is left out of the mean) where trec_eval says 0.                                      [001 sec. 5, table 3]
"""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import InvalidSetting
from ...measures.metrics.contingency import f_beta, mean_of_defined
from ...measures.metrics.ranking import average_precision, precision_at
from .trec_files import Run

__all__ = ["Evaluated", "TopicMeasures", "evaluate", "of_topic"]

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class TopicMeasures:
    """One topic: documents retrieved, relevant ones, those of them that the run has, and the measures. nan: not defined."""

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
class Evaluated:
    """All judged topics, and the means over those for which a measure is defined. missing: judged topics that the run lacks; all
    their measures are 0. unjudged: topics of the run without judgements; they are left out."""

    topics: list[TopicMeasures]
    average_precision: float
    r_precision: float
    precision_at: dict[int, float]
    f1: float
    missing: list[str]
    unjudged: list[str]


def of_topic(
    topic: str,
    run: Run | None,
    judged: Mapping[str, bool],
    *,
    at: Sequence[int] = (5, 10, 20),
    assigned: Several[str] | None = None,
) -> TopicMeasures:
    """The measures of one topic. judged: document -> whether it is relevant; who is not judged is taken not to be."""
    documents = [] if run is None else [run.documents[place] for place in run.ranked()]
    truth = np.array([judged.get(document, False) for document in documents], dtype=np.int64)
    places = -np.arange(len(documents), dtype=np.float64)
    relevant, found = sum(judged.values()), int(truth.sum())
    mean = float(average_precision(places, truth)) * found / relevant if found else 0.0
    at_r = float(precision_at(places, truth, relevant)) if relevant and len(truth) else 0.0
    f1 = NAN
    if assigned is not None:
        right = sum(judged.get(document, False) for document in assigned)
        f1 = float(f_beta(right, len(assigned) - right, relevant - right))
    return TopicMeasures(
        topic,
        len(documents),
        relevant,
        found,
        mean if relevant else NAN,
        at_r if relevant else NAN,
        {k: float(precision_at(places, truth, k)) if len(truth) else 0.0 for k in at},
        f1,
        None if assigned is None else len(assigned),
    )


def evaluate(
    run: Mapping[str, Run],
    judged: Mapping[str, Mapping[str, bool]],
    *,
    at: Sequence[int] = (5, 10, 20),
    assigned: Mapping[str, Several[str]] | None = None,
) -> Evaluated:
    """A run against judgements. assigned: the documents that passed each topic's cut, for F1."""
    for k in at:
        if k < 1:
            raise InvalidSetting(f"P@{k}: k is a whole number from 1")
    if not judged:
        raise InvalidSetting("no topic has a judgement: there is nothing to go by")
    rows = [
        of_topic(topic, run.get(topic), own, at=at, assigned=None if assigned is None else assigned.get(topic, ()))
        for topic, own in sorted(judged.items())
    ]
    with_relevant = [row for row in rows if row.relevant]
    return Evaluated(
        rows,
        mean_of_defined(np.array([row.average_precision for row in rows])),
        mean_of_defined(np.array([row.r_precision for row in rows])),
        {k: mean_of_defined(np.array([row.precision_at[k] for row in with_relevant])) for k in at},
        mean_of_defined(np.array([row.f1 for row in rows])),
        sorted(set(judged) - set(run)),
        sorted(set(run) - set(judged)),
    )
