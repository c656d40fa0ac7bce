"""One trial: a topic's text and judged training documents make a query; it ranks the test documents and decides by a threshold.

INQUERY's beliefs, the text's words and the best 50 or 1000 besides, Rocchio on whole beliefs (an absent word is 0.4), Widrow-Hoff
and EG started from it, targets 0.47 and 0.40, the pocketed vector, the threshold with the best F1 on what was judged.
Source: 001 sec. 7.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from scipy import sparse

import rubricate as rb

from ..arrays import Bools, Floats, Longs
from ..frame.published import published

PAPER = published("routing")
COLLECTIONS = {"reuters": "Reuters-90", "ohsumed": "OHSUMED"}
# INQUERY's tokeniser has a stop list and a stemmer of its own; this is ours
RECIPE = rb.Recipe(tokens="letters", numbers="drop", stop="english", stem="english")
METHODS: Mapping[str, rb.routing.Settings] = {
    "Rocchio": rb.routing.Settings(absent=0.4),
    "WH": rb.routing.Settings(absent=0.4, learner="widrow-hoff", rate="example"),
    "EG": rb.routing.Settings(absent=0.4, learner="eg"),
}
# not of the paper: Widrow-Hoff with the rate that was probably meant (readings 001.2); Rocchio on what is above 0.4
BESIDE: Mapping[str, rb.routing.Settings] = {
    "WH, half the rate": rb.routing.Settings(absent=0.4, learner="widrow-hoff", rate="half-example"),
    "Rocchio above 0.4": rb.routing.Settings(absent=0.0),
}
LEARNERS = ("WH", "EG", "WH, half the rate")
TEXT = "topic text alone"
MEASURES = ("average precision", "R-precision", "P@10", "P@20", "F1")
RATIO = 4  # others judged for a relevant document; TREC's were 4.4                                      [001 sec. 7.1]
SMALL = 0.1  # of the mean weight: what counts as driven towards zero


def text_of(label: str) -> str:
    known = {**PAPER.texts["topics"]["spelt"], **PAPER.texts["topics"]["described"], **rb.collections.LABEL_NAMES}
    return known.get(label) or label.replace("-", " ")


@dataclass(frozen=True, eq=False)
class Stream:
    """Beliefs above 0.4 of judged training documents and of test documents, who is relevant to which topic, and the beliefs of
    the topics' texts; topics in the order of their labels."""

    collection: str
    terms: list[str]
    B: sparse.csr_array
    truth: Bools
    B_test: sparse.csr_array
    truth_test: Bools
    topics: list[str]
    queries: Floats

    @property
    def relevant(self) -> Longs:
        return np.asarray(self.truth.sum(axis=0), dtype=np.int64)

    def sample(self, n: int) -> Stream:
        """So many topics, evenly spaced from the most frequent to the rarest; 0: all."""
        if not n or n >= len(self.topics):
            return self
        order = np.argsort(-self.relevant, kind="stable")
        return self.subset(np.sort(order[np.linspace(0, len(order) - 1, n).round().astype(int)]))

    def subset(self, topics: Longs) -> Stream:
        return replace(
            self,
            truth=self.truth[:, topics],
            truth_test=self.truth_test[:, topics],
            topics=[self.topics[at] for at in topics.tolist()],
            queries=self.queries[topics],
        )


def read_stream(collection: str, data: Path | None) -> tuple[Stream, tuple[rb.Corpus, rb.Corpus]]:
    name, version = ("reuters21578", "90") if collection == "reuters" else ("ohsumed", None)
    train, test = rb.collections.load(name, version=version, data=data)
    return stream_of_parts(collection, train, test), (train, test)


def stream_of_parts(collection: str, train: rb.Corpus, test: rb.Corpus, *, form: str = "inquery") -> Stream:
    """A stream from its two parts; document frequencies are those of the training part. form: of the beliefs."""
    table = rb.tabulate(train, RECIPE)
    known, terms = rb.routing.BackgroundCollection.of_counts(table.counts), list(table.terms)
    topics = sorted(set(chain(*table.labels)) & set(chain(*test.labels)))
    texts = rb.tabulate([text_of(topic) for topic in topics], RECIPE.with_(fields=None), terms=terms).X

    def beliefs_of(X: sparse.csr_array) -> sparse.csr_array:
        return known.beliefs(sparse.csr_array(X).astype(np.float64), known.documents_with, form=form)

    return Stream(
        collection,
        terms,
        beliefs_of(table.X),
        rb.counts.indicator(table.labels, topics).toarray().astype(bool),
        beliefs_of(rb.tabulate(test, RECIPE, terms=terms).X),
        rb.counts.indicator(test.labels, topics).toarray().astype(bool),
        topics,
        beliefs_of(texts).toarray(),
    )


def evidence_of(stream: Stream, topic: int, rows: Longs | None = None) -> rb.routing.Evidence:
    """What is known of a topic if all training documents are judged, or these rows."""
    B, truth = (stream.B, stream.truth[:, topic]) if rows is None else (stream.B[rows], stream.truth[rows, topic])
    relevant, others = truth.astype(np.float64) @ B, (~truth).astype(np.float64) @ B
    n = int(truth.sum())
    return rb.routing.Evidence(stream.queries[topic], relevant, others, n, len(truth) - n, B, truth)


def others_judged(stream: Stream, least: int) -> Longs:
    """How many documents of each topic were judged not relevant: RATIO for each relevant one, at least so many."""
    relevant = stream.relevant
    others: Longs = np.minimum(np.maximum(RATIO * relevant, least), stream.B.shape[0] - relevant)
    return others


def judged_pool(stream: Stream, topic: int, least: int) -> Longs:
    """The documents that a topic's assessors might have seen: all relevant ones, and of the others those that Rocchio above 0.4,
    Q+50, ranks highest. TREC judged what its participants ranked highest.                                 [001 sec. 7.1]"""
    query = weigh(stream, evidence_of(stream, topic), BESIDE["Rocchio above 0.4"])
    scores = stream.B @ dense_weights(query, len(stream.terms))
    scores[stream.truth[:, topic]] = np.inf
    order = np.argsort(-scores.round(12), kind="stable")
    return np.sort(order[: stream.relevant[topic] + others_judged(stream, least)[topic]])


def judged_documents(evidence: rb.routing.Evidence) -> tuple[sparse.csr_array, Bools]:
    if evidence.X is None or evidence.truth is None:
        raise rb.errors.InvalidSetting(
            "a topic of a replication is weighed with its judged documents: give X and truth"
        )
    return evidence.X, evidence.truth


def dense_weights(query: rb.routing.QueryWeights, n_terms: int) -> Floats:
    weights: Floats = np.zeros(n_terms)
    weights[query.columns] = query.weights
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """Each measure for each topic; small: the share of a query's weights below a tenth of their mean."""

    values: Mapping[str, Floats]
    small: Floats


def route_topics(
    stream: Stream, settings: rb.routing.Settings, *, pools: Sequence[Longs] | None = None, uniform: bool = False
) -> Measures:
    """All topics with these settings. pools: the judged documents of each, all training documents if None; uniform: learners
    start from equal weights instead of Rocchio's."""
    n = len(stream.topics)
    scores, thresholds, small = np.empty((stream.B_test.shape[0], n)), np.empty(n), np.zeros(n)
    for topic in range(n):
        evidence = evidence_of(stream, topic, None if pools is None else pools[topic])
        query = (equal_start if uniform else weigh)(stream, evidence, settings)
        weights = dense_weights(query, len(stream.terms))
        scores[:, topic] = stream.B_test @ weights + query.bias
        X, truth = judged_documents(evidence)
        thresholds[topic] = rb.thresholds.scut(X @ weights + query.bias, truth)
        size = np.abs(query.weights)
        small[topic] = np.mean(size < SMALL * size.mean()) if size.any() else 1.0
    return measure_scores(scores, thresholds, stream.truth_test, small)


def weigh(stream: Stream, evidence: rb.routing.Evidence, settings: rb.routing.Settings) -> rb.routing.QueryWeights:
    return rb.routing.weigh_query(evidence, settings, stream.terms.__getitem__)


def equal_start(
    stream: Stream, evidence: rb.routing.Evidence, settings: rb.routing.Settings
) -> rb.routing.QueryWeights:
    """The same terms, the learner started from equal weights.                                             [001 sec. 7.2]"""
    query = weigh(stream, evidence, replace(settings, learner="rocchio"))
    start = np.full(len(query.columns), 1 / max(len(query.columns), 1))
    X, truth = judged_documents(evidence)
    weights = rb.routing.learn_weights(sparse.csr_array(X[:, query.columns]), truth, start, settings)
    return rb.routing.QueryWeights(query.columns, weights, rb.vectors.ABSENT * float(weights.sum()))


def text_alone(stream: Stream) -> Measures:
    """The topics' texts as queries, nothing judged; there is no threshold."""
    n = len(stream.topics)
    scores = stream.B_test @ stream.queries.T
    measures = measure_scores(scores, np.full(n, np.inf), stream.truth_test, np.zeros(n))
    return replace(measures, values={**measures.values, "F1": np.full(n, np.nan)})


def measure_scores(scores: Floats, thresholds: Floats, truth: Bools, small: Floats) -> Measures:
    """The measures of scores, test documents x topics."""
    members = truth.astype(np.int64)
    values = (
        rb.metrics.average_precision(scores, members),
        rb.metrics.r_precision(scores, members),
        rb.metrics.precision_at(scores, members, 10),
        rb.metrics.precision_at(scores, members, 20),
        rb.metrics.f_beta((scores > thresholds).astype(np.int64), members),
    )
    return Measures(dict(zip(MEASURES, (np.asarray(value) for value in values), strict=True)), small)
