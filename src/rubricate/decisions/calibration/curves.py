"""What the families of curves share: from scores to probabilities, a curve a label, and how sure these may be.

The curves themselves, with what applies them, are `scoring.calibrated`; here they are fitted.

A label with fewer than 10 documents that have it (or that do not) has too few for a curve of its own: such labels share one,
fitted on all of them together, or on all labels if they are too few even so. `pooled` tells which they are.
Labels that exclude each other have a curve each as well; the probabilities of a document are then divided by their sum.

A probability may be no surer than the held-out documents beyond its score bear out (`Bounds`).

Of the n held-out documents that were given at least some probability, k had the label. The rule of succession takes
(k + 1) / (n + 2) from that, and no group of documents at the top supports more than

    highest = max over groups at the top of      (k + 1) / (n + 2)
    lowest  = min over groups at the bottom of   (k + 1) / (n + 2)

A curve such as a sigmoid goes on rising where there are no documents, to 0.99998 after a thousand of them. What comes nearer to
1 than twice 1 - highest is moved half of the way back, so that 1 becomes `highest`; likewise at 0. The order of probabilities
never changes, so neither does a decision for the most probable label.

Labels that share a curve share their bounds. Of labels that exclude each other the most probable one is the claim: its
probability is bounded, and what is taken from it is spread over all labels alike.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Bools, Floats
from ...scoring import calibrated as scoring
from ...storage.checks import need, sized
from ...storage.registry import stored
from ..inputs import Examples, are_probabilities, check_score_table

if TYPE_CHECKING:
    from typing import Self

FEWEST = 10  # documents with and without a label that a curve of its own needs
SHARED = ("range", "pooled", "exclusive")  # keys that all curves store


def check_curves(curves: Any, *arrays: str) -> None:
    """Every array has a number a label."""
    need(isinstance(curves.pooled, np.ndarray) and curves.pooled.ndim == 1, "curves of no labels")
    n = len(curves.pooled)
    sized(curves.pooled, n, kinds="b", what="pooled")
    need(isinstance(curves.range, scoring.Range), "curves without a range of scores")
    sized(curves.range.lowest, n, what="lowest scores")
    sized(curves.range.highest, n, what="highest scores")
    for name in arrays:
        sized(getattr(curves, name), n, what=name)


class Curves(scoring.Curves):
    """What a fitted calibrator is: predict_proba(scores). Frozen; `as_dict` is plain JSON."""

    __slots__ = ()

    @classmethod
    def fit(cls, scores: Any, Y: Any, *, labels: Sequence[Any] | None = None) -> Self:
        """Of scores, for some curves probabilities, documents x labels, and their truth (see `decisions.inputs`)."""
        return cls.of(Examples.of(scores, Y, labels))

    @classmethod
    @abstractmethod
    def of(cls, examples: Examples) -> Self:
        """Of examples already read."""

    def predict_proba(self, scores: Any) -> Floats:
        """Probabilities, documents x labels."""
        return super().predict_proba(check_score_table(scores, len(self.pooled)))

    def parameters(self) -> dict[str, Any]:
        """Of the curves, as plain JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in SHARED}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {
            "name": self.name,
            "exclusive": self.exclusive,
            "pooled": self.pooled.tolist(),
            "lowest": self.range.lowest.tolist(),
            "highest": self.range.highest.tolist(),
            **self.parameters(),
        }

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        values = {field.name: held[field.name] for field in fields(cls) if field.name not in SHARED}
        return cls(
            range=scoring.Range(np.array(held["lowest"], dtype=float), np.array(held["highest"], dtype=float)),
            pooled=np.array(held["pooled"], dtype=bool),
            exclusive=bool(held["exclusive"]),
            **{name: np.array(value) if isinstance(value, list) else value for name, value in values.items()},
        )


@stored("calibration.unchanged", keys=SHARED, check=check_curves)
class Unchanged(Curves, scoring.Unchanged):
    """Scores that are probabilities already, as they are: what every other calibration has to beat."""

    __slots__ = ()

    @classmethod
    def of(cls, examples: Examples) -> Self:
        if not are_probabilities(examples.scores, exclusive=examples.exclusive):
            raise InvalidSetting(
                "scores that are not probabilities cannot stay unchanged: use sigmoid, isotonic or temperature"
            )
        return cls(examples.range, np.zeros(examples.scores.shape[1], dtype=bool), examples.exclusive)


def fit_by_label(examples: Examples, fit: Callable[[Examples, int], Any]) -> tuple[list[Any], Bools]:
    """A curve for each label, and which labels share one. fit: the curve of one column of some examples."""
    positive, scores = examples.positive, examples.scores
    rare = too_few(positive)
    shared = None
    if rare.any():
        pool = rare if not too_few(positive[:, rare].reshape(-1, 1)).any() else np.ones(len(rare), dtype=bool)
        columns = scores[:, pool].reshape(-1, 1), positive[:, pool].reshape(-1, 1)
        shared = fit(Examples(*columns, examples.exclusive, examples.range), 0)
    return [shared if few else fit(examples, label) for label, few in enumerate(rare.tolist())], rare


def too_few(positive: Bools) -> Bools:
    have = np.count_nonzero(positive, axis=0)
    few: Bools = (have < FEWEST) | (len(positive) - have < FEWEST)
    return few


def label_targets(positive: Any) -> tuple[float, float]:
    """Platt's targets of a label's documents (0/1): of those that have it, and of the others."""
    have = int(np.count_nonzero(positive))
    return (have + 1) / (have + 2), 1 / (len(positive) - have + 2)


@stored("calibrated.bounds", keys=("lowest", "highest", "exclusive"))
@dataclass(frozen=True, slots=True, eq=False)
class Bounds(scoring.Bounds):
    """Bounds fitted on held-out documents: `within` applies them."""

    @classmethod
    def of(cls, probabilities: Floats, yes: Bools, *, exclusive: bool, pooled: Bools) -> Self:
        """From held-out probabilities and the truth, documents x labels. pooled: labels that share a curve."""
        if exclusive:
            rows, best = np.arange(len(probabilities)), probabilities.argmax(axis=1)
            highest = highest_supported(probabilities[rows, best], yes[rows, best])
            return cls(np.zeros(1), np.array([highest]), True)
        highs, lows = np.empty(yes.shape[1]), np.empty(yes.shape[1])
        groups = [[label] for label in np.flatnonzero(~pooled).tolist()]
        if pooled.any():
            groups.append(np.flatnonzero(pooled).tolist())
        for labels in groups:
            p, truth = probabilities[:, labels].ravel(), yes[:, labels].ravel()
            highs[labels], lows[labels] = highest_supported(p, truth), 1 - highest_supported(-p, ~truth)
        return cls(lows, highs, False)

    @classmethod
    def of_neighbours(cls, k: int, *, exclusive: bool) -> Self:
        """What k documents bear out, where probabilities are shares of k documents."""
        lowest = np.zeros(1) if exclusive else np.array([1 / (k + 2)])
        return cls(lowest, np.array([(k + 1) / (k + 2)]), exclusive)


def highest_supported(values: Floats, correct: Bools) -> float:
    """What groups at the top bear out at most: max over groups of (correct + 1) / (size + 2). Equal values are in one group."""
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    sizes = np.flatnonzero(np.append(ordered[:-1] != ordered[1:], True)) + 1
    return float(((np.cumsum(correct[order])[sizes - 1] + 1) / (sizes + 2)).max(initial=0.5))
