"""Validation without a second look at the text: whole curves over selected terms, and cross-validation by subtraction.

A score that is a sum over terms can be summed in the order of the ranking: the sum over 20 selected terms is a part of the
sum over 100. And a fold is trained on `total - fold`, selection of terms included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from .additive import present
from .counting import Table, available_cores
from .counts import Counts
from .errors import BadChoice
from .estimator import CountModel, at_least
from .evidence import Evidence
from .from_counts.bernoulli import Bernoulli
from .from_counts.multinomial import Multinomial
from .from_counts.simplified_multinomial import SimplifiedMultinomial
from .from_counts.stacked_bernoulli import StackedBernoulli
from .term_scores import grid

__all__ = ["CrossValidated", "Curve", "cross_validate", "fold_counts", "selection_curve"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Measure = Callable[[Any, Any], float]


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure at each number of selected terms."""

    sizes: list[int]
    values: list[float]


def selection_curve(
    model: CountModel,
    counts: Counts,
    order: Sequence[int] | np.ndarray[Any, Any],
    X: Any,
    y: Any,
    sizes: Sequence[int] | None = None,
    *,
    measure: Measure | None = None,
    on_scores: bool = False,
    train: tuple[Any, Any] | None = None,
) -> Curve:
    """The measure of `model`, fitted on the first m terms of `order`, at every m of `sizes` (100 sizes if None).

    X, y: documents to judge on, columns as `counts.terms`. measure(y, decisions), or measure(y, scores) with `on_scores`;
    the share of right decisions if None.
    Multinomial, SimplifiedMultinomial, Bernoulli and StackedBernoulli are summed in one go; other models are fitted anew for
    each size, from the selected counts; or, where a model needs document lengths (DCM, EDCM), from the selected columns of
    the training documents, `train=(X, y)`.
    """
    order = np.asarray(order, dtype=np.int64)
    sizes = sorted({int(size) for size in (grid(len(order)) if sizes is None else sizes)})
    if sizes and not 0 < sizes[0] <= sizes[-1] <= len(order):
        raise BadChoice(f"sizes go from 1 to the {len(order)} ranked terms")
    X = sparse.csr_array(X).astype(np.float64)
    fitted = clone(model).fit_counts(counts)
    measure = measure or share_right
    y = y if sparse.issparse(y) or y is None else np.asarray(y)
    values = []
    if type(model) in SUMMED:
        curve = _summed(fitted, counts, order, X, sizes)
    elif train is None:
        curve = _refitted(fitted, counts, order, X, sizes)
    else:
        curve = _refitted_on(fitted, train, order, X, sizes)
    for scores in curve:
        values.append(float(measure(y, scores if on_scores else fitted.decide(scores))))
    return Curve(list(sizes), values)


def share_right(y: Any, decisions: Any) -> float:
    """Decisions that are right, over all decisions."""
    return float(np.mean(np.asarray(y) == decisions))


def _refitted(model: CountModel, counts: Counts, order: Any, X: sparse.csr_array, sizes: Sequence[int]) -> Any:
    for size in sizes:
        chosen = order[:size]
        part = clone(model).fit_counts(counts.select(chosen), several_labels=model.several_labels_)
        yield part.class_scores(X[:, chosen])


def _refitted_on(
    model: CountModel, train: tuple[Any, Any], order: Any, X: sparse.csr_array, sizes: Sequence[int]
) -> Any:
    documents, y = sparse.csc_array(train[0]), train[1]
    for size in sizes:
        chosen = order[:size]
        yield clone(model).fit(documents[:, chosen].tocsr(), y).class_scores(X[:, chosen])


def _summed(model: CountModel, counts: Counts, order: Any, X: sparse.csr_array, sizes: Sequence[int]) -> Any:
    """Scores at each size, each term added once, block by block between two sizes."""
    ranked = counts.select(order)
    fitted = clone(model).fit_counts(ranked, several_labels=model.several_labels_)
    layers = [(present(X) if presence else X, layer) for presence, layer in fitted.layers()]
    if isinstance(model, StackedBernoulli):
        layers = [(at_least(X, k), layer) for k, (_, layer) in enumerate(layers, 1)]
    gains = [(table[:, order].tocsc(), layer) for table, layer in layers]
    normaliser = (
        Normaliser(fitted, Evidence(ranked)) if isinstance(model, Multinomial | SimplifiedMultinomial) else None
    )
    total = np.zeros((X.shape[0], len(counts.labels)))
    amounts = np.zeros(X.shape[0])
    start = 0
    for size in sizes:
        for table, layer in gains:
            block = table[:, start:size]
            total += block @ layer.between(start, size)
            if layer.absence is not None:
                total += layer.absence.between(start, size).sum(axis=0)
            if normaliser is not None:
                amounts += np.asarray(block.sum(axis=1)).ravel()
        start = size
        yield total + model.log_prior_ + (0.0 if normaliser is None else amounts[:, None] * normaliser.at(size))


class Normaliser:
    """log p(w|c) = log(eps + n_cw) - log(eps m + sum of n_cw over the m selected): only the second part changes with the
    selection.                                                                                            [000 eq. 14]"""

    def __init__(self, model: CountModel, ranked: Evidence) -> None:
        simplified = isinstance(model, SimplifiedMultinomial)
        table = ranked.documents_with if simplified else ranked.occurrences
        whole = ranked.all_documents_with if simplified else ranked.all_occurrences
        self.table, self.several = table.tocsc(), model.several_labels_
        self.smoothing: float = model.get_params()["smoothing"]
        self.whole = np.concatenate([[0.0], np.cumsum(whole)])
        self.totals, self.seen = np.zeros(ranked.n_labels), 0
        self.fitted = self._defaults(np.asarray(table.sum(axis=1)).ravel(), ranked.n_terms)

    def _defaults(self, totals: Floats, size: int) -> Floats:
        """What the normaliser adds for each word of a document."""
        logs = -np.log(totals + self.smoothing * size)
        if self.several:
            logs = logs + np.log(self.whole[size] - totals + self.smoothing * size)
        return logs

    def at(self, size: int) -> Floats:
        """The difference between the normaliser of the first `size` terms and that of the whole fit; sizes ascend."""
        self.totals = self.totals + np.asarray(self.table[:, self.seen : size].sum(axis=1)).ravel()
        self.seen = size
        return self._defaults(self.totals, size) - self.fitted


SUMMED = (Multinomial, SimplifiedMultinomial, Bernoulli, StackedBernoulli)


def fold_counts(table: Table, folds: np.ndarray[Any, Any]) -> list[Counts]:
    """The counts of each fold, from the documents x terms table."""
    if len(folds) != table.X.shape[0]:
        raise BadChoice(f"{len(folds)} fold numbers for {table.X.shape[0]} documents")
    return [table.at(folds == fold).counts for fold in range(int(folds.max()) + 1)]


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Out-of-fold scores: `scores[name][d, c]` is what a model that never saw document d says of label c."""

    labels: list[str]
    folds: np.ndarray[Any, Any]
    scores: dict[str, Floats]
    decisions: dict[str, Any]


def cross_validate(
    counts_by_fold: Sequence[Counts],
    X: sparse.csr_array,
    folds: np.ndarray[Any, Any],
    models: Mapping[str, CountModel],
    *,
    terms: Sequence[str],
    select: Callable[[Counts], np.ndarray[Any, Any]] | None = None,
    jobs: int | None = None,
) -> CrossValidated:
    """Train on `total - fold` for each fold and score the fold; no text and no training document is looked at again.

    X, folds: all documents and the fold of each; `terms` names X's columns. select: from the training counts to the columns
    to keep, chosen anew in each fold. jobs: threads, a fold each. A label with no document outside a fold scores -inf there.
    """
    total = counts_by_fold[0]
    for part in counts_by_fold[1:]:
        total = total + part
    column = {term: n for n, term in enumerate(terms)}
    row = {label: n for n, label in enumerate(total.labels)}
    several = not total.one_label_each
    scores = {name: np.full((X.shape[0], len(total.labels)), -np.inf) for name in models}
    decisions: dict[str, Any] = {
        name: np.zeros(scores[name].shape, dtype=np.int64) if several else np.empty(X.shape[0], dtype=object)
        for name in models
    }

    def one_fold(fold: int) -> None:
        train = total - counts_by_fold[fold]
        if select is not None:
            train = train.select(select(train))
        inside = np.flatnonzero(folds == fold)
        part = X[inside][:, [column[term] for term in train.terms]]
        labels = np.array([row[label] for label in train.labels], dtype=np.int64)
        for name, model in models.items():
            fitted = clone(model).fit_counts(train, several_labels=several)
            found = fitted.class_scores(part)
            scores[name][np.ix_(inside, labels)] = found
            if several:
                decisions[name][np.ix_(inside, labels)] = fitted.decide(found)
            else:
                decisions[name][inside] = fitted.decide(found)

    with ThreadPoolExecutor(jobs or available_cores()) as pool:
        list(pool.map(one_fold, range(len(counts_by_fold))))
    return CrossValidated(total.labels, folds, scores, decisions)
