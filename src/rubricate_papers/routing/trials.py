"""One trial: a topic's text and judged training documents make a query, which ranks and cuts the test documents. Source: 001
sec. 7.2: INQUERY's beliefs, the text's words and the best 50 or 1000 besides, Rocchio on whole beliefs (an absent word is 0.4),
Widrow-Hoff and EG started from it, targets 0.47 and 0.40, the pocketed vector, the cut with the best F1 on what was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import sparse

from rubricate.corpus import Corpus, collections
from rubricate.counts import indicator
from rubricate.counts.one_pass import tabulate
from rubricate.decisions.thresholds import scut
from rubricate.errors import InvalidSetting
from rubricate.measures.metrics import average_precision, f_beta, precision_at, r_precision
from rubricate.models.vectors import ABSENT
from rubricate.relevance.routing import BackgroundCollection, Settings
from rubricate.relevance.routing.query_weights import Evidence, QueryWeights, learn_weights, weigh_terms
from rubricate.terms.recipe import Recipe

from ..arrays import Bools, Floats, Longs
from .topics import text_of

__all__ = [
    "BESIDE",
    "COLLECTIONS",
    "MEASURES",
    "METHODS",
    "RECIPE",
    "TEXT",
    "Measured",
    "Stream",
    "evidence_of",
    "measured",
    "of_parts",
    "others_judged",
    "pool",
    "routed",
    "stream",
    "text_alone",
]


COLLECTIONS = {"reuters": "Reuters-90", "ohsumed": "OHSUMED"}
# INQUERY's tokeniser has a stop list and a stemmer of its own; this is ours
RECIPE = Recipe(tokens="letters", numbers="drop", stop="english", stem="english")
METHODS: Mapping[str, Settings] = {
    "Rocchio": Settings(absent=0.4),
    "WH": Settings(absent=0.4, learner="widrow-hoff", rate="example"),
    "EG": Settings(absent=0.4, learner="eg"),
}
# not of the paper: Widrow-Hoff with the rate that was probably meant (readings 001.2); Rocchio on what is above 0.4
BESIDE: Mapping[str, Settings] = {
    "WH, half the rate": Settings(absent=0.4, learner="widrow-hoff", rate="half-example"),
    "Rocchio above 0.4": Settings(absent=0.0),
}
TEXT = "topic text alone"
MEASURES = ("average precision", "R-precision", "P@10", "P@20", "F1")
RATIO = 4  # others judged for a relevant document; TREC's were 4.4                                      [001 sec. 7.1]
SMALL = 0.1  # of the mean weight: what counts as driven towards zero


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
        """Relevant training documents of each topic."""
        return np.asarray(self.truth.sum(axis=0), dtype=np.int64)

    def some(self, n: int) -> Stream:
        """So many topics, evenly spaced from the most frequent to the rarest; 0: all."""
        if not n or n >= len(self.topics):
            return self
        order = np.argsort(-self.relevant, kind="stable")
        return self.only(np.sort(order[np.linspace(0, len(order) - 1, n).round().astype(int)]))

    def only(self, kept: Longs) -> Stream:
        """These topics."""
        return replace(
            self,
            truth=self.truth[:, kept],
            truth_test=self.truth_test[:, kept],
            topics=[self.topics[at] for at in kept.tolist()],
            queries=self.queries[kept],
        )


def stream(collection: str, data: Path | None) -> tuple[Stream, tuple[Corpus, Corpus]]:
    """A collection as topics see it, and both parts in text."""
    if collection == "reuters":
        train, test = collections.load("reuters21578", version="90", data=data)
    else:
        train, test = collections.load("ohsumed", data=data)
    return of_parts(collection, train, test), (train, test)


def of_parts(collection: str, train: Corpus, test: Corpus, *, form: str = "inquery") -> Stream:
    """A stream from its two parts; document frequencies are those of the training part. form: of the beliefs."""
    table = tabulate(train, RECIPE)
    known, terms = BackgroundCollection.of_counts(table.counts), list(table.terms)
    topics = sorted({label for own in table.labels for label in own} & {label for own in test.labels for label in own})
    texts = tabulate([text_of(topic) for topic in topics], RECIPE.with_(fields=None), terms=terms).X

    def believed(X: sparse.csr_array) -> sparse.csr_array:
        return known.beliefs(sparse.csr_array(X).astype(np.float64), known.documents_with, form=form)

    return Stream(
        collection,
        terms,
        believed(table.X),
        indicator(table.labels, topics).toarray().astype(bool),
        believed(tabulate(test, RECIPE, terms=terms).X),
        indicator(test.labels, topics).toarray().astype(bool),
        topics,
        believed(texts).toarray(),
    )


def evidence_of(own: Stream, at: int, rows: Longs | None = None) -> Evidence:
    """What is known of a topic, if all training documents were judged, or these."""
    B, truth = (own.B, own.truth[:, at]) if rows is None else (own.B[rows], own.truth[rows, at])
    relevant, others = truth.astype(np.float64) @ B, (~truth).astype(np.float64) @ B
    n = int(truth.sum())
    return Evidence(own.queries[at], relevant, others, n, len(truth) - n, B, truth)


def others_judged(own: Stream, least: int) -> Longs:
    """How many documents of each topic were judged not relevant: RATIO for each relevant one, at least so many."""
    relevant = own.relevant
    found: Longs = np.minimum(np.maximum(RATIO * relevant, least), own.B.shape[0] - relevant)
    return found


def pool(own: Stream, at: int, least: int) -> Longs:
    """The documents that a topic's assessors might have seen: all relevant ones, and of the others those that Rocchio above 0.4,
    Q+50, ranks highest. TREC judged what its participants ranked highest.                                 [001 sec. 7.1]"""
    found = weigh_terms(evidence_of(own, at), BESIDE["Rocchio above 0.4"], own.terms.__getitem__)
    scores = own.B @ dense(found, len(own.terms))
    scores[own.truth[:, at]] = np.inf
    order = np.argsort(-scores.round(12), kind="stable")
    return np.sort(order[: own.relevant[at] + others_judged(own, least)[at]])


def documents(evidence: Evidence) -> tuple[sparse.csr_array, Bools]:
    """The judged documents and which of them are relevant."""
    if evidence.X is None or evidence.truth is None:
        raise InvalidSetting("a topic of a replication is weighed with its judged documents: give X and truth")
    return evidence.X, evidence.truth


def dense(found: QueryWeights, n_terms: int) -> Floats:
    """The weights of all terms."""
    weights: Floats = np.zeros(n_terms)
    weights[found.columns] = found.weights
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Each measure for each topic; small: the share of a query's weights below a tenth of their mean."""

    values: Mapping[str, Floats]
    small: Floats


def routed(
    own: Stream, settings: Settings, *, judged: Sequence[Longs] | None = None, uniform: bool = False
) -> Measured:
    """All topics with these settings. judged: the judged documents of each, all training documents if None; uniform: learners
    start from equal weights instead of Rocchio's."""
    n = len(own.topics)
    scores, cuts, small = np.empty((own.B_test.shape[0], n)), np.empty(n), np.zeros(n)
    for at in range(n):
        evidence = evidence_of(own, at, None if judged is None else judged[at])
        found = (
            equal_start(evidence, settings, own) if uniform else weigh_terms(evidence, settings, own.terms.__getitem__)
        )
        weights = dense(found, len(own.terms))
        scores[:, at] = own.B_test @ weights + found.bias
        X, truth = documents(evidence)
        cuts[at] = scut(X @ weights + found.bias, truth)
        size = np.abs(found.weights)
        small[at] = np.mean(size < SMALL * size.mean()) if size.any() else 1.0
    return measured(scores, cuts, own.truth_test, small)


def equal_start(evidence: Evidence, settings: Settings, own: Stream) -> QueryWeights:
    """The same terms, the learner started from equal weights.                                             [001 sec. 7.2]"""
    found = weigh_terms(evidence, replace(settings, learner="rocchio"), own.terms.__getitem__)
    start = np.full(len(found.columns), 1 / max(len(found.columns), 1))
    X, truth = documents(evidence)
    weights = learn_weights(sparse.csr_array(X[:, found.columns]), truth, start, settings)
    return QueryWeights(found.columns, weights, ABSENT * float(weights.sum()))


def text_alone(own: Stream) -> Measured:
    """The topics' texts as queries, nothing judged; there is no cut."""
    scores = own.B_test @ own.queries.T
    found = measured(scores, np.full(len(own.topics), np.inf), own.truth_test, np.zeros(len(own.topics)))
    return replace(found, values={**found.values, "F1": np.full(len(own.topics), np.nan)})


def measured(scores: Floats, cuts: Floats, truth: Bools, small: Floats) -> Measured:
    """The measures of scores, test documents x topics."""
    members = truth.astype(np.int64)
    values = (
        average_precision(scores, members),
        r_precision(scores, members),
        precision_at(scores, members, 10),
        precision_at(scores, members, 20),
        f_beta((scores > cuts).astype(np.int64), members),
    )
    return Measured(dict(zip(MEASURES, (np.asarray(one) for one in values), strict=True)), small)
