"""Choosing a calibration: by log loss on documents it has not learned from. The choice keeps its evidence and its diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BadChoice, UnknownName
from ..metrics import Reliability, log_loss
from ..metrics.probabilities import top_choice
from ..splits import fold_numbers
from .beta import Beta
from .curves import Curves
from .given import Examples, are_probabilities
from .isotonic import Isotonic
from .sigmoid import Sigmoid
from .temperature import Temperature
from .unchanged import Unchanged

if TYPE_CHECKING:
    from typing import Self

__all__ = ["CALIBRATORS", "Calibrated", "choose", "diagram"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
# simplest first: of equally good ones the first is taken
CALIBRATORS: dict[str, Any] = {kind.name: kind for kind in (Unchanged, Temperature, Sigmoid, Beta, Isotonic)}
OF_PROBABILITIES = (Unchanged, Beta)
BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """The calibration that was chosen, fitted on all documents, with what spoke for it."""

    calibrator: Curves
    losses: dict[str, float]  # log loss of each candidate on held-out documents
    reliability: Reliability  # of the chosen one's probabilities for held-out documents
    folds: int
    random_state: int

    @property
    def choice(self) -> str:
        """The name of the calibration."""
        return self.calibrator.name

    def predict_proba(self, scores: Any) -> Floats:
        """Probabilities, documents x labels."""
        return self.calibrator.predict_proba(scores)

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {**self.evidence(), "calibrator": self.calibrator.as_dict()}

    def evidence(self) -> dict[str, Any]:
        """As `as_dict`, without the curves, which grow with the labels: what was chosen, and what spoke for it."""
        return {
            "calibrator": {"name": self.calibrator.name, "exclusive": self.calibrator.exclusive},
            "losses": self.losses,
            "reliability": {
                "probability": self.reliability.probability.tolist(),
                "share_true": self.reliability.share_true.tolist(),
                "count": self.reliability.count.tolist(),
            },
            "folds": self.folds,
            "random_state": self.random_state,
        }

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        bins = held["reliability"]
        return cls(
            calibrator=kind_of(held["calibrator"]["name"]).from_dict(held["calibrator"]),
            losses=dict(held["losses"]),
            reliability=Reliability(
                np.array(bins["probability"], dtype=float),
                np.array(bins["share_true"], dtype=float),
                np.array(bins["count"], dtype=np.int64),
            ),
            folds=held["folds"],
            random_state=held["random_state"],
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

    scores: documents x labels, of documents that the model has not learned from (out-of-fold); what it says of its own
    training documents is too good. Y, labels: see `given`. candidates: names in CALIBRATORS; None tries all that suit, those
    of probabilities only where the scores are some. Of equals (within 1e-12) the simplest is taken.
    """
    examples = Examples.of(scores, Y, labels)
    if len(examples.scores) < 2:
        raise BadChoice("one document cannot be both learned from and judged: give more")
    names = suitable(examples) if candidates is None else [kind_of(name).name for name in candidates]
    if not names:
        raise BadChoice(f"no candidates: give one or more of {', '.join(CALIBRATORS)}")
    folds = min(folds, len(examples.scores))
    own_labels = [[str(label) for label in np.flatnonzero(row)] for row in examples.yes]
    fold_of = fold_numbers(own_labels, folds, seed=random_state)
    losses, best = {}, None
    for name in sorted(names, key=list(CALIBRATORS).index):
        p = held_out(name, examples, fold_of)
        losses[name] = log_loss(p, examples.truth)
        if best is None or losses[name] < losses[best[0]] - 1e-12:
            best = name, p
    name, p = best  # type: ignore[misc]
    return Calibrated(kind_of(name).of(examples), losses, diagram(p, examples.truth), folds, random_state)


def kind_of(name: str) -> Any:
    """The calibrator of this name."""
    if name not in CALIBRATORS:
        raise UnknownName("calibration", str(name), CALIBRATORS)
    return CALIBRATORS[name]


def suitable(examples: Examples) -> list[str]:
    """Those that can be fitted on such scores."""
    within = are_probabilities(examples.scores, exclusive=False)
    sums = are_probabilities(examples.scores, exclusive=examples.exclusive)
    return [
        name
        for name, kind in CALIBRATORS.items()
        if kind not in OF_PROBABILITIES or (sums if kind is Unchanged else within)
    ]


def held_out(name: str, examples: Examples, fold_of: Any) -> Floats:
    """Probabilities of each document from curves that have not seen it."""
    p = np.empty(examples.scores.shape)
    for fold in np.unique(fold_of):
        inside = fold_of == fold
        p[inside] = kind_of(name).of(examples.at(~inside)).predict_proba(examples.scores[inside])
    return p


def diagram(probabilities: Floats, truth: Any, *, bins: int = BINS) -> Reliability:
    """Answers in bins of equal width, empty ones left out; of labels that exclude each other the most probable is the answer.

    With many labels nearly all probabilities are near 0: bins of equal mass (`metrics.reliability`) would put everything that
    is ever decided into the last one.
    """
    p, true = (
        top_choice(probabilities, truth) if np.ndim(truth) == 1 else (probabilities, np.asarray(truth, dtype=bool))
    )
    p, true = p.ravel(), true.ravel()
    place = np.minimum((p * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins)
    met = count > 0
    means, hits = (np.bincount(place, weights=part, minlength=bins)[met] / count[met] for part in (p, true))
    return Reliability(means, hits, count[met])
