"""Cross-validation by subtraction: a fold is trained on `total - fold`. Neither texts nor training documents are read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import add
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
from ...models.classifier import lengths_of
from ...models.from_counts.count_model import CountModel
from ...models.from_counts.evidence import Evidence

Labels = Sequence[str] | Sequence[Sequence[str]]


def fold_counts(table: Table, folds: Array) -> list[Counts]:
    """The counts of each fold, from the documents x terms table."""
    if len(folds) != table.X.shape[0]:
        raise InvalidSetting(f"{len(folds)} fold numbers for {table.X.shape[0]} documents")
    return [table.at(folds == fold).counts for fold in range(int(folds.max()) + 1)]


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Out-of-fold scores: `scores[name][d, c]` is what a model fitted without the fold of document d gives label c."""

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
    total = reduce(add, counts_by_fold)
    several = not total.one_label_each if several_labels is None else several_labels
    shape = X.shape[0], len(total.labels)
    scores = {name: np.full(shape, -np.inf) for name in models}
    decisions: dict[str, Any] = {
        name: np.zeros(shape, dtype=np.int8) if several else np.empty(X.shape[0], dtype=object) for name in models
    }
    known_words = np.zeros(X.shape[0])
    names = pa.array(list(terms), pa.large_string())
    with_lengths = None if labels is None or select is None else length_adder(X, total.labels, labels)

    def score_fold(fold: int) -> None:
        train, inside = total - counts_by_fold[fold], np.flatnonzero(folds == fold)
        if select is not None:
            train = train.select(select(train))
        columns = columns_of(train, names)
        if with_lengths is not None:
            train = with_lengths(train, columns, folds != fold)
        documents = with_columns(X[inside], columns)
        known_words[inside] = lengths_of(documents)
        evidence, known = Evidence(train), np.ix_(inside, places(train.labels, total.labels))
        for name, model in models.items():
            fitted = fit(clone(model), name, evidence, several)
            fitted.transpose(evidence.transposition)
            fold_scores = fitted.class_scores(documents)
            scores[name][known] = fold_scores
            decisions[name][inside] = fitted.decide(scores[name][inside] if several else fold_scores)

    with workers(min(jobs or available_threads(), len(counts_by_fold))) as pool:
        list(pool.map(score_fold, range(len(counts_by_fold))))
    return CrossValidated(total.labels, folds, scores, decisions, known_words)


def fit(model: CountModel, name: str, evidence: Evidence, several: bool) -> CountModel:
    try:
        return model.fit_evidence(evidence, several_labels=several)
    except NeedsRecount as cause:
        raise NeedsRecount(
            f"{name} needs document lengths, and selecting terms has changed them: give cross_validate labels=, the labels of "
            "all documents, and they are added up from X"
        ) from cause


def length_adder(X: sparse.csr_array, names: list[str], labels: Labels) -> Callable[[Counts, Longs, Array], Counts]:
    """What adds the lengths of documents over selected terms to counts, without the text. names: of all labels; labels: of each
    document of X."""
    if len(labels) != X.shape[0]:
        raise InvalidSetting(f"labels= has {len(labels)} documents, X has {X.shape[0]}")
    lists = [[entry] if isinstance(entry, str) else list(entry) for entry in labels]
    document_of = np.repeat(np.arange(len(lists)), [len(entry) for entry in lists])
    label_of = places(list(chain.from_iterable(lists)), names)

    def with_lengths(train: Counts, columns: Longs, training: Array) -> Counts:
        """The counts of the training documents (a mask) with their lengths over these columns."""
        lengths = X @ np.isin(np.arange(X.shape[1]), columns).astype(X.dtype)
        number = np.cumsum(training) - 1
        pairs = training[document_of]
        row = np.full(len(names), -1, dtype=np.int64)
        row[places(train.labels, names)] = np.arange(len(train.labels))
        return train.with_lengths(lengths[training], row[label_of[pairs]], number[document_of[pairs]])

    return with_lengths


def places(names: Sequence[str], among: Sequence[str]) -> Longs:
    number = {name: n for n, name in enumerate(among)}
    unknown = next((name for name in names if name not in number), None)
    if unknown is not None:
        raise UnknownName("label", str(unknown), among)
    return np.array([number[name] for name in names], dtype=np.int64)


def columns_of(train: Counts, names: pa.LargeStringArray) -> Longs:
    """The columns of X in which the terms of the counts are."""
    positions = pc.index_in(train.term_array, value_set=names)
    if positions.null_count:
        missing = train.term_array.filter(positions.is_null())[0]
        raise InvalidSetting(
            f"terms= must name the columns of X: {missing.as_py()!r} was counted and is not among them"
        )
    columns: Longs = positions.to_numpy(zero_copy_only=False).astype(np.int64)
    return columns


def with_columns(X: sparse.csr_array, columns: Longs) -> sparse.csr_array:
    out = X[:, columns].astype(np.float64)
    out.sort_indices()
    return out
