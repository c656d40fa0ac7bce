"""Relevance feedback: a topic in memory, which takes one judgement after the other and has its query at hand after each.

Sums of relevant and of other documents are updated, so that a judgement costs a pass over the terms of its document, the choice
of the best terms, and the threshold. Weights do not depend on how the judgements were spread over time: only on the documents
in the order in which they first came, and on the last judgement of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from .background import BackgroundCollection
from .query import Query, Settings, terms_of
from .query_weights import FOLDS, Evidence, deal_into_folds, fit_threshold, weigh_query

FIRST_CAPACITY = 4096


class Feedback:
    """A topic's text and the judged documents, as terms; `query()` is made from them.

    >>> from rubricate import count, Recipe
    >>> counts = count(["wheat and corn", "corn prices", "oil prices", "gold"], Recipe())
    >>> topic = Feedback(BackgroundCollection.of_counts(counts), "wheat")
    >>> topic.judge("1", {"wheat": 1, "and": 1, "corn": 1}, relevant=True)
    >>> topic.query().terms
    ('wheat', 'and', 'corn')
    """

    def __init__(
        self, collection: BackgroundCollection, text: str, settings: Settings | None = None, *, form: str = "inquery"
    ) -> None:
        self.collection, self.settings, self.form = collection, settings or Settings(), form
        self._terms: list[str] = []
        self._place: dict[str, int] = {}
        self._frequencies: Floats = np.zeros(FIRST_CAPACITY)
        self._sums: Floats = np.zeros((2, FOLDS, FIRST_CAPACITY))  # of others and of relevant documents, by fold
        self._documents: dict[str, int] = {}
        self._relevant: list[bool] = []
        self._n_documents = [0, 0]  # others, relevant
        self._ends = [0]  # where each document ends in `_columns` and `_beliefs`
        self._columns: Any = np.zeros(FIRST_CAPACITY, dtype=np.int64)
        self._beliefs: Floats = np.zeros(FIRST_CAPACITY)
        columns, beliefs = self._beliefs_of(terms_of(text, collection.recipe))
        self._query = columns[beliefs > 0], beliefs[beliefs > 0]
        if not len(self._query[0]):  # every term is in every document: a tiny weight, so that they are looked for
            self._query = columns, np.full(len(columns), 1e-6)
        self._newest_query: Query | None = None

    @property
    def n_judged(self) -> int:
        """How many documents were judged."""
        return len(self._relevant)

    @property
    def judged(self) -> dict[str, bool]:
        """The last judgement of each document."""
        return dict(zip(self._documents, self._relevant, strict=True))

    def judge(self, document: str, terms: Mapping[str, int], *, relevant: bool) -> None:
        """Learn whether a document is relevant, from its terms and how often each occurs; its last judgement counts."""
        at = self._documents.get(document)
        if at is not None and self._relevant[at] == relevant:
            return
        self._newest_query = None
        if at is not None:
            self._relevant[at] = relevant
            self._recompute_sums()
            return
        columns, beliefs = self._beliefs_of(terms)
        self._append(columns, beliefs)
        fold = self._n_documents[relevant] % FOLDS
        self._n_documents[relevant] += 1
        self._documents[document] = len(self._relevant)
        self._relevant.append(relevant)
        self._sums[int(relevant), fold, columns] += beliefs

    def query(self) -> Query:
        """The query made from the text and the judgements so far."""
        if self._newest_query is None:
            evidence = self.evidence()
            names = self._terms.__getitem__
            weighted = weigh_query(evidence, self.settings, names)
            threshold = fit_threshold(evidence, weighted, self.settings, names)
            terms, numbers = tuple(map(names, weighted.columns.tolist())), (evidence.n_relevant, evidence.n_others)
            self._newest_query = Query(terms, weighted.weights, weighted.bias, threshold, *numbers)
        return self._newest_query

    def evidence(self) -> Evidence:
        """The sums and documents as they stand."""
        n, end = len(self._terms), self._ends[-1]
        query = np.zeros(n)
        query[self._query[0]] = self._query[1]
        truth = np.array(self._relevant, dtype=bool)
        n_relevant = int(truth.sum())
        fold_sums = self._sums[:, :, :n]
        others, relevant = fold_sums.sum(axis=1)
        X = sparse.csr_array((self._beliefs[:end], self._columns[:end], self._ends), shape=(len(truth), n))
        return Evidence(query, relevant, others, n_relevant, len(truth) - n_relevant, X, truth, fold_sums)

    def _append(self, columns: Any, beliefs: Floats) -> None:
        start, end = self._ends[-1], self._ends[-1] + len(columns)
        while end > len(self._columns):
            self._columns = np.append(self._columns, np.zeros_like(self._columns))
            self._beliefs = np.append(self._beliefs, np.zeros_like(self._beliefs))
        self._columns[start:end], self._beliefs[start:end] = columns, beliefs
        self._ends.append(end)

    def _beliefs_of(self, terms: Mapping[str, int]) -> tuple[Any, Any]:
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

    def _recompute_sums(self) -> None:
        """Sum all documents again after a changed judgement: subtracting its document would leave rounding errors."""
        self._sums[:] = 0.0
        self._n_documents = [self._relevant.count(False), self._relevant.count(True)]
        folds = deal_into_folds(np.array(self._relevant, dtype=bool)).tolist()
        for relevant, fold, (start, end) in zip(self._relevant, folds, pairwise(self._ends), strict=True):
            self._sums[int(relevant), fold, self._columns[start:end]] += self._beliefs[start:end]
