"""A setting chosen inside the training set. Learns from: training documents, four fifths of them at a time.

Each value learns four folds and decides the fifth, five times: accuracy with one label a document, micro-averaged F1 with
several. Of the values whose mean lies within one standard error of the best, the simplest is chosen: the strongest penalty
(Breiman et al. 1984, sec. 3.4.3). Folds have each label in proportion and depend on the seed alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.folds import fold_numbers
from ...measures.metrics.contingency import micro_macro
from ...storage.registry import stored
from .solvers import above_zero
from .vector_model import VectorModel

FOLDS = 5
SAME = 1e-12


@stored("choice", keys=("setting", "value", "values", "figures", "measure", "statement"))
@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The values tried, their figures in each fold, and the one chosen; `statement` is the choice in a sentence."""

    setting: str
    value: float
    values: tuple[float, ...]  # simplest first
    figures: Floats  # values x folds; no folds where nothing could be tried
    measure: str
    statement: str

    @property
    def means(self) -> Floats:
        """The mean figure of each value; nan where nothing could be tried."""
        return means_of(self.figures)

    @property
    def errors(self) -> Floats:
        """The standard error of each mean."""
        return errors_of(self.figures)


def means_of(figures: Floats) -> Floats:
    means: Floats = figures.mean(axis=1) if figures.shape[1] else np.full(len(figures), np.nan)
    return means


def errors_of(figures: Floats) -> Floats:
    folds = figures.shape[1]
    errors: Floats = figures.std(axis=1, ddof=1) / np.sqrt(folds) if folds > 1 else np.full(len(figures), np.nan)
    return errors


def simplest(figures: Floats) -> int:
    """The first value whose mean is within one standard error of the best mean."""
    means, errors = means_of(figures), errors_of(figures)
    best = int(np.argmax(means >= means.max() - SAME))
    return int(np.argmax(means >= means[best] - errors[best] - SAME))


# -- settings


def is_choice(value: Any) -> bool:
    """Whether a setting asks for a choice: "auto", or values to choose from."""
    return isinstance(value, str | list | tuple | np.ndarray)


def check_choice(setting: str, value: Any) -> None:
    """Refuse a setting that is neither a positive number, nor "auto", nor a list of positive numbers."""
    if not is_choice(value):
        above_zero(setting, value)
    elif isinstance(value, str):
        if value != "auto":
            raise UnknownName(setting, value, ("auto", "a number above 0", "a list of numbers to choose from"))
    elif np.ndim(value) != 1 or len(value) == 0:
        raise InvalidSetting(f"{setting}={value!r}: give a number, a list of numbers to choose from, or 'auto'")
    else:
        for candidate in value:
            above_zero(setting, candidate)


# -- choosing


def choose_value(
    model: VectorModel,
    setting: str,
    X: sparse.csr_array,
    truth: sparse.csr_array,
    *,
    usual: float,
    grid: tuple[float, ...],
) -> tuple[float, Choice | None]:
    """The value of a setting: a number as it is, or chosen among values, and how. grid: for "auto", simplest first."""
    request: Any = getattr(model, setting)
    if not is_choice(request):
        return float(request), None
    descending = grid[0] > grid[-1]
    values = (
        grid if isinstance(request, str) else tuple(sorted({float(value) for value in request}, reverse=descending))
    )
    several = model.several_labels_
    measure = "micro-averaged F1" if several else "accuracy"
    sizes = np.asarray(truth.sum(axis=0)).ravel()
    single = len(sizes) == 1 and not several
    if single or not (sizes >= 2).any():
        value = usual if isinstance(request, str) or usual in values else values[0]
        why = "there is one label only" if single else "no label has two documents, one to learn and one to try"
        sentence = f"{setting} = {value:g} without a trial: {why}"
        return value, Choice(setting, value, values, np.zeros((len(values), 0)), measure, sentence)
    folds = folds_of(truth, int(getattr(model, "random_state", 0) or 0))
    figures = np.array(
        [[figure(model, setting, value, X, truth, folds == fold) for fold in np.unique(folds)] for value in values]
    )
    place = simplest(figures)
    choice = Choice(
        setting, values[place], values, figures, measure, statement(setting, values, figures, place, measure, sizes)
    )
    return choice.value, choice


def folds_of(truth: sparse.csr_array, seed: int) -> Any:
    rows = [
        [str(label) for label in truth.indices[truth.indptr[n] : truth.indptr[n + 1]]] for n in range(truth.shape[0])
    ]
    return fold_numbers(rows, min(FOLDS, truth.shape[0]), seed=seed)


def figure(
    model: VectorModel, setting: str, value: float, X: sparse.csr_array, truth: sparse.csr_array, held_out: Any
) -> float:
    """How a model with this value, learned from the other documents, decides those held out."""
    trial: Any = clone(model).set_params(**{setting: value})
    trial.n_features_in_ = X.shape[1]
    train_truth, test_truth = truth[~held_out], truth[held_out]
    if model.several_labels_:
        document_of, label_of = train_truth.nonzero()
        trial._learn(X[~held_out], np.arange(truth.shape[1]), True, (label_of, document_of))
        return float(micro_macro(trial.decide(trial._scores(X[held_out])), test_truth.toarray()).micro_f)
    # a label all of whose documents are held out cannot be learned, and has no score to win with
    labels, label_of = np.unique(train_truth.indices, return_inverse=True)
    trial._learn(X[~held_out], labels, False, (label_of.reshape(-1), np.arange(train_truth.shape[0])))
    return float(np.mean(trial.decide(trial._scores(X[held_out])) == test_truth.indices))


def statement(setting: str, values: tuple[float, ...], figures: Floats, place: int, measure: str, sizes: Any) -> str:
    means, errors = means_of(figures), errors_of(figures)
    best = int(np.argmax(means >= means.max() - SAME))
    sentence = (
        f"{setting} = {values[place]:g} of {', '.join(f'{value:g}' for value in values)}: {measure} {means[place]:.4f} in "
        f"{figures.shape[1]} folds of the training documents; best {means[best]:.4f} (standard error {errors[best]:.4f}) "
        f"with {values[best]:g}"
    )
    untried = int((sizes < 2).sum())
    return sentence + (f"; {untried} labels with fewer than two documents could not be tried" if untried else "")
