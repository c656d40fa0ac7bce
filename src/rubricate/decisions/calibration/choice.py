"""Choosing a calibration: by log loss on held-out documents. The choice keeps its evidence and its reliability diagram.

cross_fit    every candidate on every fold, curves fitted on the others; the best, fold by fold and on all documents
choose       the best on all documents
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.folds import fold_numbers
from ...foundation.jsonable import from_jsonable, jsonable
from ...measures.metrics import Reliability, log_loss
from ...measures.metrics.probabilities import top_choice
from ...scoring.calibrated import Calibration
from ...storage.registry import stored
from ..inputs import Examples, are_probabilities
from .curves import Bounds, Curves, Unchanged
from .isotonic import Isotonic
from .logistic import Beta, Sigmoid
from .temperature import Temperature

if TYPE_CHECKING:
    from typing import Self

# simplest first: of equally good ones the first is taken
CALIBRATORS: dict[str, Any] = {kind.name: kind for kind in (Unchanged, Temperature, Sigmoid, Beta, Isotonic)}
BINS = 10


@stored("calibrated", keys=("calibrator", "losses", "reliability", "folds", "random_state", "bounds"))
@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """The calibration that was chosen, fitted on all documents, with what spoke for it."""

    calibrator: Curves
    losses: dict[str, float]  # log loss of each candidate on held-out documents
    reliability: Reliability  # of the chosen one's probabilities for held-out documents
    folds: int
    random_state: int
    bounds: Bounds | None = None  # None in files of earlier versions

    @property
    def choice(self) -> str:
        """The name of the calibration."""
        return self.calibrator.name

    def predict_proba(self, scores: Any) -> Floats:
        """Probabilities, documents x labels; none surer than the held-out documents bear out."""
        return Calibration(self.calibrator, self.bounds).probabilities(scores)

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {**self.evidence(), "calibrator": self.calibrator.as_dict(), "bounds": jsonable(self.bounds)}

    def evidence(self) -> dict[str, Any]:
        """As `as_dict`, without the curves, which grow with the labels: what was chosen, and what spoke for it."""
        return {
            "calibrator": {"name": self.calibrator.name, "exclusive": self.calibrator.exclusive},
            "losses": self.losses,
            "reliability": jsonable(self.reliability),
            "folds": self.folds,
            "random_state": self.random_state,
        }

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        bounds = held.get("bounds")
        return cls(
            calibrator=calibrator_named(held["calibrator"]["name"]).from_dict(held["calibrator"]),
            losses=dict(held["losses"]),
            reliability=from_jsonable(Reliability, held["reliability"]),
            folds=held["folds"],
            random_state=held["random_state"],
            bounds=None if bounds is None else from_jsonable(Bounds, bounds),
        )


def choose(
    scores: Any,
    Y: Any,
    *,
    labels: Sequence[Any] | None = None,
    candidates: Sequence[str] | None = None,
    folds: int = 5,
    random_state: int = 0,
) -> Calibrated:
    """The calibration with the lowest log loss, each document judged by curves that were fitted on the other folds.

    scores: documents x labels, of documents that the model has not learned from (out-of-fold); its scores of
    training documents are too good. Y, labels: see `decisions.inputs`. candidates: names in CALIBRATORS; None tries all that
    suit, those of probabilities only where the scores are some. Of equals (within 1e-12) the simplest is taken.
    """
    examples = Examples.of(scores, Y, labels)
    if len(examples.scores) < 2:
        raise InvalidSetting("one document cannot be both learned from and judged: give more")
    label_lists = [[str(label) for label in np.flatnonzero(row)] for row in examples.positive]
    fold_of = fold_numbers(label_lists, min(folds, len(examples.scores)), seed=random_state)
    return best_cross_fit(examples, fold_of, candidates, random_state).whole


def cross_fit(
    scores: Any,
    Y: Any,
    fold_of: Any,
    *,
    labels: Sequence[Any] | None = None,
    candidates: Sequence[str] | None = None,
    random_state: int = 0,
) -> CrossFit:
    """The calibration that `choose` would choose with these folds, fitted on all but each of them."""
    return best_cross_fit(Examples.of(scores, Y, labels), np.asarray(fold_of), candidates, random_state)


@dataclass(eq=False)
class CrossFit:
    """One calibration, fitted on all documents but those of a fold, for every fold."""

    examples: Examples
    fold_of: Any
    curves: dict[int, Curves]  # of all folds but this one
    probabilities: Floats  # of each document by the curves of the other folds
    losses: dict[str, float]
    random_state: int

    @property
    def name(self) -> str:
        """Of the calibration."""
        return next(iter(self.curves.values())).name

    def without(self, fold: int) -> Calibrated:
        """As the other folds have it: what the documents of this fold are judged by."""
        if fold not in self.curves:  # none of its documents was among these
            return self.whole
        return self._calibrated(self.curves[fold], outside_fold(self.fold_of, fold))

    @cached_property
    def whole(self) -> Calibrated:
        """As all documents have it: what new documents are judged by."""
        everything = np.ones(len(self.fold_of), dtype=bool)
        return self._calibrated(calibrator_named(self.name).of(self.examples), everything)

    def bounds(self, curves: Curves, documents: Any) -> Bounds:
        """How sure a probability may be, from these documents, which are held-out: no curve was fitted on its own documents."""
        p, examples = self.probabilities[documents], self.examples
        return Bounds.of(p, examples.positive[documents], exclusive=examples.exclusive, pooled=curves.pooled)

    def _calibrated(self, curves: Curves, documents: Any) -> Calibrated:
        bounds = self.bounds(curves, documents)
        p, truth = bounds.within(self.probabilities[documents]), self.examples.at(documents).truth
        return Calibrated(curves, self.losses, diagram(p, truth), len(self.curves), self.random_state, bounds)


def best_cross_fit(examples: Examples, fold_of: Any, candidates: Sequence[str] | None, random_state: int) -> CrossFit:
    """The candidate with the lowest log loss on held-out documents; of equals the simplest."""
    kinds = suitable_calibrators(examples) if candidates is None else [calibrator_named(name) for name in candidates]
    if not kinds:
        raise InvalidSetting(f"no candidates: give one or more of {', '.join(CALIBRATORS)}")
    names = [name for name, kind in CALIBRATORS.items() if kind in kinds]
    curves: dict[str, dict[int, Curves]] = {name: {} for name in names}
    p = {name: np.empty(examples.scores.shape) for name in names}
    for fold in np.unique(fold_of).tolist():
        inside, others = fold_of == fold, examples.at(outside_fold(fold_of, fold))
        for name in names:
            curves[name][fold] = CALIBRATORS[name].of(others)
            p[name][inside] = curves[name][fold].predict_proba(examples.scores[inside])
    losses = {name: log_loss(p[name], examples.truth) for name in names}
    best = names[0]
    for name in names:
        best = name if losses[name] < losses[best] - 1e-12 else best
    return CrossFit(examples, fold_of, curves[best], p[best], losses, random_state)


def outside_fold(fold_of: Any, fold: int) -> Any:
    """A mask of the documents of the other folds; where there is only one fold, of all documents."""
    outside = fold_of != fold
    return outside if outside.any() else ~outside


def calibrator_named(name: str) -> Any:
    if name not in CALIBRATORS:
        raise UnknownName("calibration", str(name), CALIBRATORS)
    return CALIBRATORS[name]


def suitable_calibrators(examples: Examples) -> list[Any]:
    suits = {  # elsewhere any scores do
        Beta: are_probabilities(examples.scores, exclusive=False),
        Unchanged: are_probabilities(examples.scores, exclusive=examples.exclusive),
    }
    return [kind for kind in CALIBRATORS.values() if suits.get(kind, True)]


def diagram(probabilities: Floats, truth: Any, *, bins: int = BINS) -> Reliability:
    """Predictions in bins of equal width, without empty bins; of labels that exclude each other the most probable is predicted.

    With many labels nearly all probabilities are near 0: bins of equal mass (`metrics.reliability`) would put everything that
    is ever decided into the last one.
    """
    p, true = (
        top_choice(probabilities, truth) if np.ndim(truth) == 1 else (probabilities, np.asarray(truth, dtype=bool))
    )
    p, true = p.ravel(), true.ravel()
    place = np.minimum((p * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins)
    filled = count > 0
    means, hits = (np.bincount(place, weights=part, minlength=bins)[filled] / count[filled] for part in (p, true))
    return Reliability(means, hits, count[filled])
