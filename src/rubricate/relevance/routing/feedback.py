"""Relevance feedback: a topic in memory, which takes one judgement after the other and has its query at hand after each.

Sums of relevant and of other documents are kept and added to, so that a judgement costs a look at its own document's terms, the
choice of the best terms, and the cut. Weights do not depend on how the judgements were spread over time: only on the documents
in the order in which they first came, and on the last judgement of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from .background import Collection
from .query import Query, terms_of
from .query_weights import Evidence, weigh_query
from .settings import Settings
from .threshold import FOLDS, cut_of, folds_of

__all__ = ["Feedback"]

ROOM = 4096


class Feedback:
    """A topic's text and the judged documents, as terms; `query()` is what they make.

    >>> from rubricate import count, Recipe
    >>> counts = count(["wheat and corn", "corn prices", "oil prices", "gold"], Recipe())
    >>> topic = Feedback(Collection.of_counts(counts), "wheat")
    >>> topic.judge("1", {"wheat": 1, "and": 1, "corn": 1}, relevant=True)
    >>> topic.query().terms
    ('wheat', 'and', 'corn')
    """

    def __init__(
        self, collection: Collection, text: str, settings: Settings | None = None, *, form: str = "inquery"
    ) -> None:
        self.collection, self.settings, self.form = collection, settings or Settings(), form
        self._terms: list[str] = []
        self._place: dict[str, int] = {}
        self._frequencies: Floats = np.zeros(ROOM)
        self._sums: Floats = np.zeros((2, FOLDS, ROOM))  # of others, of relevant documents, in each part of `cuts`
        self._documents: dict[str, int] = {}
        self._relevant: list[bool] = []
        self._numbers = [0, 0]  # of others, of relevant documents
        self._ends = [0]  # of the documents among columns and beliefs
        self._columns: Any = np.zeros(ROOM, dtype=np.int64)
        self._beliefs: Floats = np.zeros(ROOM)
        columns, beliefs = self._believed(terms_of(text, collection.recipe))
        self._query = columns[beliefs > 0], beliefs[beliefs > 0]
        if not len(self._query[0]):  # every term is in every document: they are looked for all the same
            self._query = columns, np.full(len(columns), 1e-6)
        self._held: Query | None = None

    @property
    def n_judged(self) -> int:
        """Documents that were judged."""
        return len(self._relevant)

    @property
    def judged(self) -> dict[str, bool]:
        """The last judgement of each document."""
        return dict(zip(self._documents, self._relevant, strict=True))

    def judge(self, document: str, terms: Mapping[str, int], *, relevant: bool) -> None:
        """Learn that a document, given by its terms and how often each occurs, is relevant or not; the last judgement counts."""
        at = self._documents.get(document)
        if at is not None and self._relevant[at] == relevant:
            return
        self._held = None
        if at is not None:
            self._relevant[at] = relevant
            self._add_up()
            return
        columns, beliefs = self._believed(terms)
        self._keep(columns, beliefs)
        part = self._numbers[relevant] % FOLDS
        self._numbers[relevant] += 1
        self._documents[document] = len(self._relevant)
        self._relevant.append(relevant)
        self._sums[int(relevant), part, columns] += beliefs

    def query(self) -> Query:
        """The query that the text and the judgements make."""
        if self._held is None:
            evidence = self.evidence()
            found = weigh_query(evidence, self.settings, self._terms.__getitem__)
            self._held = Query(
                tuple(self._terms[at] for at in found.columns.tolist()),
                found.weights,
                found.bias,
                cut_of(evidence, found, self.settings, self._terms.__getitem__),
                evidence.n_relevant,
                evidence.n_others,
            )
        return self._held

    def evidence(self) -> Evidence:
        """The sums and documents as they stand."""
        n, end = len(self._terms), self._ends[-1]
        query = np.zeros(n)
        query[self._query[0]] = self._query[1]
        truth = np.array(self._relevant, dtype=bool)
        n_relevant = int(truth.sum())
        parts = self._sums[:, :, :n]
        others, relevant = parts.sum(axis=1)
        X = sparse.csr_array((self._beliefs[:end], self._columns[:end], self._ends), shape=(len(truth), n))
        return Evidence(query, relevant, others, n_relevant, len(truth) - n_relevant, X, truth, parts)

    def _keep(self, columns: Any, beliefs: Floats) -> None:
        start, end = self._ends[-1], self._ends[-1] + len(columns)
        while end > len(self._columns):
            self._columns = np.append(self._columns, np.zeros_like(self._columns))
            self._beliefs = np.append(self._beliefs, np.zeros_like(self._beliefs))
        self._columns[start:end], self._beliefs[start:end] = columns, beliefs
        self._ends.append(end)

    def _believed(self, terms: Mapping[str, int]) -> tuple[Any, Any]:
        """Columns and beliefs of a document; new terms get a column."""
        new = [term for term in terms if term not in self._place]
        if new:
            start, end = len(self._terms), len(self._terms) + len(new)
            while end > self._sums.shape[2]:
                self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=2)
                self._frequencies = np.append(self._frequencies, np.zeros_like(self._frequencies))
            self._frequencies[start:end] = self.collection.frequencies(new)
            self._place.update(zip(new, range(start, end), strict=True))
            self._terms += new
        columns = np.fromiter((self._place[term] for term in terms), dtype=np.int64, count=len(terms))
        times = np.fromiter(terms.values(), dtype=np.float64, count=len(terms))
        X = sparse.csr_array((times, np.arange(len(terms)), [0, len(terms)]), shape=(1, len(terms)))
        return columns, self.collection.beliefs(X, self._frequencies[columns], form=self.form).data

    def _add_up(self) -> None:
        """The sums anew, so that a judgement that was taken back leaves no rest of rounding."""
        self._sums[:] = 0.0
        self._numbers = [self._relevant.count(False), self._relevant.count(True)]
        parts = folds_of(np.array(self._relevant, dtype=bool)).tolist()
        for relevant, part, own in zip(self._relevant, parts, pairwise(self._ends), strict=True):
            self._sums[int(relevant), part, self._columns[slice(*own)]] += self._beliefs[slice(*own)]
