"""Cross-validation by subtraction: a fold is trained on `total - fold`. No text and no training document is looked at again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse
from sklearn.base import clone

from ...counts import Counts
from ...counts.document_table import Table
from ...errors import InvalidSetting, NeedsRecount, UnknownName
from ...foundation.arrays import Array, Floats, Longs
from ...foundation.threads import available_threads, workers
from ...models.additive import Turn
from ...models.classifier import lengths_of
from ...models.from_counts.count_model import CountModel
from ...models.from_counts.evidence import Evidence

__all__ = ["CrossValidated", "cross_validate", "fold_counts"]

Labels = Sequence[str] | Sequence[Sequence[str]]


def fold_counts(table: Table, folds: Array) -> list[Counts]:
    """The counts of each fold, from the documents x terms table."""
    if len(folds) != table.X.shape[0]:
        raise InvalidSetting(f"{len(folds)} fold numbers for {table.X.shape[0]} documents")
    return [table.at(folds == fold).counts for fold in range(int(folds.max()) + 1)]


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Out-of-fold scores: `scores[name][d, c]` is what a model that never saw document d says of label c."""

    labels: list[str]
    folds: Array
    scores: dict[str, Floats]
    decisions: dict[str, Any]
    lengths: Floats  # of each document in words that its models knew


def cross_validate(
    counts_by_fold: Sequence[Counts],
    X: sparse.csr_array,
    folds: Array,
    models: Mapping[str, CountModel],
    *,
    terms: Sequence[str],
    select: Callable[[Counts], Array] | None = None,
    labels: Labels | None = None,
    several_labels: bool | None = None,
    jobs: int | None = None,
) -> CrossValidated:
    """Train on `total - fold` for each fold and score the fold.

    X, folds: all documents and the fold of each; `terms` names X's columns. select: from the training counts to the columns
    to keep, chosen anew in each fold. labels: of each document, a list of names or one name; needed only where terms are
    selected for a model of document lengths (DCM, EDCM), which selection changes: they are then added up from X.
    several_labels: one problem a label; if None, where some document has none or several. jobs: threads, a fold each. A label
    with no document outside a fold scores -inf there.
    """
    total = counts_by_fold[0]
    for part in counts_by_fold[1:]:
        total = total + part
    several = not total.one_label_each if several_labels is None else several_labels
    threads = min(jobs or available_threads(), len(counts_by_fold))
    shape = X.shape[0], len(total.labels)
    scores = {name: np.full(shape, -np.inf) for name in models}
    decisions: dict[str, Any] = {
        name: np.zeros(shape, dtype=np.int8) if several else np.empty(X.shape[0], dtype=object) for name in models
    }
    known_words = np.zeros(X.shape[0])
    names = pa.array(list(terms), pa.large_string())
    lengths = None if labels is None or select is None else Lengths.of(X, total.labels, labels)

    def one_fold(fold: int) -> None:
        train, inside = total - counts_by_fold[fold], np.flatnonzero(folds == fold)
        if select is not None:
            train = train.select(select(train))
        columns = columns_of(train, names)
        if lengths is not None:
            train = lengths.added(train, columns, folds != fold)
        part, rows = with_columns(X[inside], columns), places(train.labels, total.labels)
        known_words[inside] = lengths_of(part)
        evidence = Evidence.of(train)  # held here, as is the turn, so that models share what they work out
        turn = Turn.of(evidence.documents_with)
        for name, model in models.items():
            fitted = fit(clone(model), name, evidence.counts, several)
            found = fitted.class_scores(part)
            scores[name][inside] = whole = wide(found, rows, shape[1])
            decisions[name][inside] = fitted.decide(whole if several else found)
        del turn, evidence

    with workers(threads) as pool:
        list(pool.map(one_fold, range(len(counts_by_fold))))
    return CrossValidated(total.labels, folds, scores, decisions, known_words)


def fit(model: CountModel, name: str, train: Counts, several: bool) -> CountModel:
    """The model of a fold."""
    try:
        return model.fit_counts(train, several_labels=several)
    except NeedsRecount as cause:
        raise NeedsRecount(
            f"{name} needs document lengths, and selecting terms has changed them: give cross_validate labels=, the labels of "
            "all documents, and they are added up from X"
        ) from cause


@dataclass(frozen=True, slots=True)
class Lengths:
    """Documents as X has them, and the labels they have: for lengths over selected terms, without the text."""

    X: sparse.csr_array
    label_of: Longs  # pairs of label ...
    document_of: Longs  # ... and document
    names: list[str]

    @classmethod
    def of(cls, X: sparse.csr_array, names: list[str], labels: Labels) -> Lengths:
        """From the labels of each document."""
        if len(labels) != X.shape[0]:
            raise InvalidSetting(f"labels= has {len(labels)} documents, X has {X.shape[0]}")
        lists = [[own] if isinstance(own, str) else list(own) for own in labels]
        document_of = np.repeat(np.arange(len(lists)), [len(own) for own in lists])
        return cls(X, places(list(chain.from_iterable(lists)), names), document_of, names)

    def added(self, train: Counts, columns: Longs, chosen: Array) -> Counts:
        """The counts of these documents with their lengths over these columns."""
        lengths = self.X @ np.isin(np.arange(self.X.shape[1]), columns).astype(self.X.dtype)
        number = np.cumsum(chosen) - 1
        own = chosen[self.document_of]
        row = np.full(len(self.names), -1, dtype=np.int64)
        row[places(train.labels, self.names)] = np.arange(len(train.labels))
        return train.with_lengths(lengths[chosen], row[self.label_of[own]], number[self.document_of[own]])


def places(names: Sequence[str], among: Sequence[str]) -> Longs:
    """The number of each name."""
    number = {name: n for n, name in enumerate(among)}
    unknown = next((name for name in names if name not in number), None)
    if unknown is not None:
        raise UnknownName("label", str(unknown), among)
    return np.array([number[name] for name in names], dtype=np.int64)


def columns_of(train: Counts, names: pa.LargeStringArray) -> Longs:
    """The columns of X in which the terms of the counts are."""
    found = pc.index_in(train.term_array, value_set=names)
    if found.null_count:
        missing = train.term_array.filter(found.is_null())[0]
        raise InvalidSetting(
            f"terms= must name the columns of X: {missing.as_py()!r} was counted and is not among them"
        )
    columns: Longs = found.to_numpy(zero_copy_only=False).astype(np.int64)
    return columns


def with_columns(X: sparse.csr_array, columns: Longs) -> sparse.csr_array:
    """These columns of X, as floats."""
    place = np.full(X.shape[1], -1, dtype=np.int32)
    place[columns] = np.arange(len(columns))
    taken = place[X.indices]
    kept = taken >= 0
    ends = np.append(0, np.cumsum(kept))[X.indptr]
    out = sparse.csr_array((X.data[kept].astype(np.float64), taken[kept], ends), shape=(X.shape[0], len(columns)))
    out.sort_indices()
    return out


def wide(scores: Floats, columns: Longs, n: int) -> Floats:
    """Scores in these of n columns, -inf in the others."""
    if np.array_equal(columns, np.arange(n)):
        return scores
    place = np.full(n, len(columns))
    place[columns] = np.arange(len(columns))
    return np.take(np.concatenate([scores, np.full((len(scores), 1), -np.inf)], axis=1), place, axis=1)
