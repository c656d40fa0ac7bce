"""Curves over the number of selected terms. Models whose score is a sum over terms are summed in the order of the ranking, in
one sweep; the others are fitted anew for each size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ...counts import Counts
from ...counts.term_scores import grid
from ...errors import InvalidSetting
from ...foundation.arrays import Array, Floats, Longs
from ...models.from_counts.bernoulli import Bernoulli
from ...models.from_counts.count_model import CountModel
from ...models.from_counts.evidence import Evidence
from ...models.from_counts.multinomial import Multinomial, SimplifiedMultinomial
from ...models.from_counts.stacked_bernoulli import StackedBernoulli
from ...models.table_scores import layer_scores
from ...scoring.additive import Layer

Measure = Callable[[Any, Any], float]
Scored = Iterator[tuple[CountModel, Floats]]
ROOM = 1 << 22  # numbers in the rows of a block of terms


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure at each number of selected terms."""

    sizes: list[int]
    values: list[float]


def selection_curve(
    model: CountModel,
    counts: Counts,
    order: Sequence[int] | Array,
    X: Any,
    y: Any,
    sizes: Sequence[int] | None = None,
    *,
    measure: Measure | None = None,
    on_scores: bool = False,
    train: tuple[Any, Any] | None = None,
) -> Curve:
    """The measure of `model`, fitted on the first m terms of `order`, at every m of `sizes` (100 sizes if None).

    X, y: documents to evaluate on, columns as `counts.terms`. measure(y, decisions), or measure(y, scores) with `on_scores`;
    accuracy if None.
    Multinomial, SimplifiedMultinomial, Bernoulli and StackedBernoulli are summed in one go; other models are fitted anew for
    each size, from the selected counts; or, where a model needs document lengths (DCM, EDCM), from the selected columns of
    the training documents, `train=(X, y)`.
    """
    order = np.asarray(order, dtype=np.int64)
    sizes = sorted({int(size) for size in (grid(len(order)) if sizes is None else sizes)})
    if sizes and not 0 < sizes[0] <= sizes[-1] <= len(order):
        raise InvalidSetting(f"sizes go from 1 to the {len(order)} ranked terms")
    measure = measure or accuracy
    y = y if sparse.issparse(y) or y is None else np.asarray(y)
    if type(model) in SUMMED:
        curve = sweep(model, counts, order, X, sizes)
    elif train is None:
        several = not counts.one_label_each
        curve = refit(
            lambda terms: clone(model).fit_counts(counts.select(terms), several_labels=several), order, X, sizes
        )
    else:
        documents, labels = sparse.csc_array(train[0]), train[1]
        curve = refit(lambda terms: clone(model).fit(documents[:, terms].tocsr(), labels), order, X, sizes)
    values = [float(measure(y, scores if on_scores else fitted.decide(scores))) for fitted, scores in curve]
    return Curve(list(sizes), values)


def accuracy(y: Any, decisions: Any) -> float:
    return float(np.mean(np.asarray(y) == decisions))


def refit(fit: Callable[[Longs], CountModel], order: Longs, X: Any, sizes: Sequence[int]) -> Scored:
    """The model fitted on the selected terms, and its scores, at each size."""
    X = sparse.csr_array(X)
    for size in sizes:
        fitted = fit(order[:size])
        yield fitted, fitted.class_scores(X[:, order[:size]])


def sweep(model: CountModel, counts: Counts, order: Longs, X: Any, sizes: Sequence[int]) -> Scored:
    """The model of all sizes, and the scores at each: every term is added once, in the order of the ranking."""
    from ...kernels.products import add_columns

    if not sizes:
        return
    ranked, columns = counts.select(order[: sizes[-1]]), ranked_columns(X, order[: sizes[-1]])
    evidence = Evidence(ranked)
    fitted = clone(model).fit_evidence(evidence, several_labels=not counts.one_label_each)
    layers = fitted.layers()
    gain, level = gains(fitted, columns.data, len(layers))
    parts = columns.indptr.astype(np.int64), columns.indices.astype(np.int32), gain, level
    fixed = absence_scores(layers, sizes) + fitted.log_prior_
    words = change = None
    if isinstance(model, Multinomial | SimplifiedMultinomial):
        words = cumulative_sums(
            sizes, sparse.csc_array((gain, columns.indices, columns.indptr), shape=columns.shape).tocsr()
        ).T
        change = normalisers(fitted, evidence, sizes)
    total = np.zeros((columns.shape[0], len(counts.labels)))
    at_a_time = max(1, ROOM // max(1, len(layers) * total.shape[1]))
    start = first = last = 0  # terms added up; terms whose rows are at hand
    rows = np.zeros((0, 0, 0))
    for n, size in enumerate(sizes):
        while start < size:
            if start == last:
                first, last = start, min(start + at_a_time, sizes[-1])
                rows = np.cumsum([layer.rows(np.arange(first, last)) for layer in layers], axis=0)
            end = min(size, last)
            add_columns(parts, rows, first, start, end, total)
            start = end
        scores = total + fixed[n]
        if words is not None and change is not None:
            scores += np.multiply.outer(words[n], change[n])
        yield fitted, scores


def ranked_columns(X: Any, order: Longs) -> sparse.csc_array:
    """These columns of X, in this order, each document once and none with 0."""
    columns = sparse.csc_array(sparse.csc_array(X)[:, order], dtype=np.float64)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    return columns


def gains(model: CountModel, times: Floats, n_layers: int) -> tuple[Floats, Longs]:
    """What each occurrence of a term is multiplied by, and up to which layer it counts."""
    none = np.zeros(len(times), dtype=np.int64)
    if isinstance(model, Multinomial):
        return times, none
    if isinstance(model, StackedBernoulli):
        return np.ones(len(times)), np.clip(np.floor(times), 1, n_layers).astype(np.int64) - 1
    return np.ones(len(times)), none


def cumulative_sums(sizes: Sequence[int], table: sparse.csr_array) -> Floats:
    """Sums over the first columns of a table, so many at each size: rows x sizes."""
    place = np.searchsorted(sizes, np.arange(table.shape[1]), side="right")
    blocks = sparse.csr_array((np.ones(len(place)), place, np.arange(len(place) + 1)), shape=(len(place), len(sizes)))
    sums: Floats = np.cumsum((table @ blocks).toarray(), axis=1)
    return sums


def absence_scores(layers: Sequence[Layer], sizes: Sequence[int]) -> Floats:
    """What the absence of all terms would add at each size: sizes x labels."""
    terms, ends = np.arange(sizes[-1]), np.append(0, sizes)
    blocks = sparse.csr_array((np.ones(len(terms)), terms, ends), shape=(len(sizes), len(terms)))
    added = [layer_scores(layer.absence, blocks) for layer in layers if layer.absence is not None]
    totals: Floats = np.cumsum(sum(added, start=np.zeros((len(sizes), layers[0].weights.shape[0]))), axis=0)
    return totals


def normalisers(model: CountModel, ranked: Evidence, sizes: Sequence[int]) -> Floats:
    """What is to be added for each word at each size: sizes x labels.

    log p(w|c) = log(eps + n_cw) - log(eps m + sum of n_cw over the m selected)                           [000 eq. 14]

    and only the second part changes with the selection; the last size is that of the model.
    """
    simplified = isinstance(model, SimplifiedMultinomial)
    table = ranked.documents_with if simplified else ranked.occurrences
    whole = ranked.all_documents_with if simplified else ranked.all_occurrences
    totals, smoothing = cumulative_sums(sizes, table).T, model.get_params()["smoothing"] * np.array(sizes)[:, None]
    logs: Floats = -np.log(totals + smoothing)
    if model.several_labels_:
        logs = logs + np.log(np.cumsum(whole)[np.array(sizes) - 1][:, None] - totals + smoothing)
    change: Floats = logs - logs[-1]
    return change


SUMMED = (Multinomial, SimplifiedMultinomial, Bernoulli, StackedBernoulli)
