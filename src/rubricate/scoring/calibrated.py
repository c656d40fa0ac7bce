"""Calibration applied: scores, documents x labels, to probabilities, by curves that `decisions.calibration` fits on held-out
documents.

    sigmoid        1 / (1 + exp(-(slope s + offset)))                              Platt 1999
    isotonic       straight between corners, level outside them                    Zadrozny & Elkan 2002
    temperature    softmax(s / T); 1 / (1 + exp(-s / T)) with several labels       Guo et al. 2017
    beta           1 / (1 + exp(-(a ln p - b ln(1 - p) + c)))                      Kull et al. 2017
    unchanged      scores that are probabilities already

Infinite scores are taken as the lowest or highest that was seen (`Range`); no probability is surer than the held-out documents
bear out (`Bounds`). Of labels that exclude each other the probabilities of a document are divided by their sum.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from ..errors import InvalidSetting, UnknownName
from ..storage.registry import stored
from .arrays import Bools, Floats
from .functions import expit, softmax

SUREST = 1e-12  # a probability of 0 has no logarithm
LEAST_KEPT = 0.01  # of what the most probable label is ahead, where nothing is borne out: the order stays
ROUNDING = 1e-9  # what lies so little outside 0 and 1 came there by rounding


def refuse_nan(values: Floats, name: str = "scores", nan: str = "nan") -> None:
    """Infinite scores have a place in an order, nan has none. nan: how the message spells it."""
    missing = np.isnan(values)
    if missing.any():
        document, *label = np.argwhere(missing)[0].tolist()
        place = f"document {document}, label {label[0]}" if label else f"document {document}"
        raise InvalidSetting(f"{name}: {nan} at {place}; -inf says that a label is impossible")


@stored("calibration.range", keys=("lowest", "highest"))
@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The lowest and the highest finite score of each label; 0 where a label has none. A label that no document of a fold has
    scores -inf, which is then taken as low as the lowest score that there was."""

    lowest: Floats
    highest: Floats

    @classmethod
    def of(cls, scores: Floats) -> Range:
        finite = np.isfinite(scores)
        none = ~finite.any(axis=0)
        lowest = np.where(finite, scores, np.inf).min(axis=0, initial=np.inf)
        highest = np.where(finite, scores, -np.inf).max(axis=0, initial=-np.inf)
        return cls(np.where(none, 0.0, lowest), np.where(none, 0.0, highest))

    def clip_infinite(self, scores: Floats) -> Floats:
        """Scores with -inf as the lowest and inf as the highest; finite ones stay, within the range or not."""
        return np.where(scores == -np.inf, self.lowest, np.where(scores == np.inf, self.highest, scores))


@dataclass(frozen=True, slots=True, eq=False)
class Curves(ABC):
    """Curves from scores to probabilities, a label each."""

    name: ClassVar[str]

    range: Range  # of the scores that the curves were fitted on
    pooled: Bools  # labels that share a curve, since they have too few documents for one of their own
    exclusive: bool  # labels exclude each other: the probabilities of a document sum to 1

    @abstractmethod
    def probabilities(self, scores: Floats) -> Floats:
        """The curve of each column, finite scores to numbers from 0 to 1."""

    def predict_proba(self, scores: Floats) -> Floats:
        """Probabilities, documents x labels."""
        if not np.isfinite(scores).all():
            refuse_nan(scores)
            scores = self.range.clip_infinite(scores)
        p = self.probabilities(scores)
        if not self.exclusive:
            return p
        totals = p.sum(axis=1, keepdims=True)
        if (totals > 0).all():
            shares: Floats = p / totals
            return shares
        return np.where(totals > 0, p / np.where(totals > 0, totals, 1.0), 1 / p.shape[1])


@dataclass(frozen=True, slots=True, eq=False)
class Sigmoid(Curves):
    """1 / (1 + exp(-(slope s + offset)))."""

    name: ClassVar[str] = "sigmoid"

    slope: Floats  # labels, none below 0
    offset: Floats

    def probabilities(self, scores: Floats) -> Floats:
        return expit(self.slope * scores + self.offset)


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic(Curves):
    """Rising curves, straight between their corners, level outside them."""

    name: ClassVar[str] = "isotonic"

    corners: tuple[tuple[Floats, Floats], ...]  # labels: scores, probabilities

    def probabilities(self, scores: Floats) -> Floats:
        p = np.empty(scores.shape)
        for label, (at, value) in enumerate(self.corners):
            p[:, label] = np.interp(scores[:, label], at, value)
        return p


@dataclass(frozen=True, slots=True, eq=False)
class Temperature(Curves):
    """softmax(s / T) of labels that exclude each other, otherwise 1 / (1 + exp(-s / T))."""

    name: ClassVar[str] = "temperature"

    temperature: float
    of_probabilities: bool

    def probabilities(self, scores: Floats) -> Floats:
        s = logits(scores, self.of_probabilities, self.exclusive) / self.temperature
        return softmax(s) if self.exclusive else expit(s)


def logits(scores: Floats, of_probabilities: bool, exclusive: bool) -> Floats:
    """Scores as they are; probabilities as logarithms, or as log odds."""
    if not of_probabilities:
        return scores
    p = np.clip(scores, SUREST, 1 - SUREST)
    logarithms: Floats = np.log(p) if exclusive else np.log(p) - np.log1p(-p)
    return logarithms


@dataclass(frozen=True, slots=True, eq=False)
class Beta(Curves):
    """a ln p - b ln(1 - p) + c as log odds, of scores p that are probabilities."""

    name: ClassVar[str] = "beta"

    a: Floats  # labels, none below 0
    b: Floats
    c: Floats
    surest: float  # p comes no nearer to 0 and 1

    def probabilities(self, scores: Floats) -> Floats:
        up, down = log_odds_parts(scores, self.surest)
        return expit(self.a * up + self.b * down + self.c)


def log_odds_parts(p: Floats, surest: float) -> Floats:
    """ln p and -ln(1 - p), for p no nearer to 0 and 1 than `surest`."""
    outside = (p < -ROUNDING) | (p > 1 + ROUNDING)
    if outside.any():
        raise InvalidSetting(
            f"beta calibration is for scores from 0 to 1, and {p[outside][0]:g} is among them: use sigmoid or isotonic"
        )
    p = np.clip(p, surest, 1 - surest)
    return np.stack([np.log(p), -np.log1p(-p)])


@dataclass(frozen=True, slots=True, eq=False)
class Unchanged(Curves):
    """Scores that are probabilities already, as they are."""

    name: ClassVar[str] = "unchanged"

    def probabilities(self, scores: Floats) -> Floats:
        return np.clip(scores, 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The lowest and the highest probability of each label; one of each where labels exclude each other."""

    lowest: Floats
    highest: Floats
    exclusive: bool

    def within(self, probabilities: Floats) -> Floats:
        """The same probabilities, no surer than the bounds. What comes nearer to 1 than twice 1 - highest is moved half of the
        way back, likewise at 0; of exclusive labels what is taken from the most probable is spread over all alike."""
        if not self.exclusive:
            return squeezed(probabilities, self.lowest, self.highest)
        n_labels = probabilities.shape[1]
        if n_labels < 2 or not len(probabilities):
            return probabilities
        best, even, highest = probabilities.max(axis=1), 1 / n_labels, self.highest[0]
        knee = max(2 * highest - 1, even)
        if (best <= knee).all():
            return probabilities
        moved = 1 - max((highest - knee) / (1 - knee), LEAST_KEPT)  # of what lies above the knee
        above = np.maximum(best - knee, 0.0)
        spread = np.divide(moved * above, best - even, out=np.zeros(len(best)), where=above > 0)[:, None]
        mixed: Floats = (1 - spread) * probabilities + spread * even
        return mixed


def squeezed(p: Floats, lowest: Floats, highest: Floats) -> Floats:
    """0 becomes the lowest and 1 the highest; what is farther from 0 and 1 than twice that stays, if anything is."""
    low, high = 2 * lowest, 2 * highest - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        below = lowest + p * (low - lowest) / low
        above = high + (p - high) * (highest - high) / (1 - high)
    by_ends = np.where(p < low, below, np.where(p > high, above, p))
    everywhere = lowest + p * (highest - lowest)
    return np.where(low <= high, by_ends, everywhere)


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Curves, and the bounds that held-out documents set."""

    curves: Curves
    bounds: Bounds | None = None  # None in files of earlier versions

    @classmethod
    def of(cls, calibrated: Any) -> Calibration:
        """calibrated: a fitted `decisions.calibration.Calibrated`, or that of a file."""
        return cls(curves_of(calibrated.calibrator), part_of(Bounds, getattr(calibrated, "bounds", None)))

    def probabilities(self, scores: Floats) -> Floats:
        p = self.curves.predict_proba(scores)
        return p if self.bounds is None else self.bounds.within(p)


# -- from files, whose parts have the names of the fields


def part_of(kind: Any, part: Any, **parts: Any) -> Any:
    """The thing itself where it is of this class or None; of a file a new one, with what is made already."""
    if part is None or isinstance(part, kind):
        return part
    return kind(**{field.name: getattr(part, field.name) for field in fields(kind) if field.name not in parts}, **parts)


def curves_of(calibrator: Any) -> Curves:
    """Fitted curves as they are; those of a file by their name."""
    if isinstance(calibrator, Curves):
        return calibrator
    kinds = {kind.name: kind for kind in (Sigmoid, Temperature, Beta, Isotonic, Unchanged)}
    if calibrator.name not in kinds:
        raise UnknownName("calibration", str(calibrator.name), kinds)
    parts = {"range": part_of(Range, calibrator.range)}
    if calibrator.name == "isotonic":
        parts["corners"] = corners_of(calibrator)
    curves: Curves = part_of(kinds[calibrator.name], calibrator, **parts)
    return curves


def corners_of(fitted: Any) -> tuple[tuple[Floats, Floats], ...]:
    """The corners of each label's curve; files join them into four arrays, those of earlier versions had two arrays a label."""
    if hasattr(fitted, "corners"):
        return tuple((at, value) for at, value in fitted.corners)
    curves = [(fitted.at[start:end], fitted.value[start:end]) for start, end in pairwise(fitted.ends.tolist())]
    return tuple(curves[place] for place in fitted.curve_of.tolist())
