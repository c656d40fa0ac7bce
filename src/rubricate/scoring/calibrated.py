"""Calibration applied: scores, documents x labels, to probabilities, by curves that were fitted on held-out documents.

    sigmoid        1 / (1 + exp(-(slope s + offset)))                              Platt 1999
    isotonic       straight between corners, level outside them                    Zadrozny & Elkan 2002
    temperature    softmax(s / T); 1 / (1 + exp(-s / T)) with several labels       Guo et al. 2017
    beta           1 / (1 + exp(-(a ln p - b ln(1 - p) + c)))                      Kull et al. 2017
    unchanged      scores that are probabilities already

Infinite scores are taken as the lowest or highest that was seen (`Range`); no probability is surer than the held-out documents
bear out (`Bounds`). Of labels that exclude each other the probabilities of a document are divided by their sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InvalidSetting
from .arrays import Floats
from .functions import expit, softmax

__all__ = ["Beta", "Bounds", "Calibration", "Curve", "Isotonic", "Range", "Sigmoid", "Temperature", "Unchanged"]

SUREST = 1e-12  # a probability of 0 has no logarithm
LEAST_KEPT = 0.01  # of what the most probable label is ahead, where nothing is borne out: the order stays
ROUNDING = 1e-9  # what lies so little outside 0 and 1 came there by rounding


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The lowest and the highest score of each label that was seen."""

    lowest: Floats
    highest: Floats

    def put(self, scores: Floats) -> Floats:
        """Scores with -inf as the lowest and inf as the highest."""
        if np.isfinite(scores).all():
            return scores
        return np.where(scores == -np.inf, self.lowest, np.where(scores == np.inf, self.highest, scores))


@dataclass(frozen=True, slots=True, eq=False)
class Sigmoid:
    """Platt's curve, a label each."""

    slope: Floats
    offset: Floats

    def probabilities(self, scores: Floats) -> Floats:
        """1 / (1 + exp(-(slope s + offset)))."""
        return expit(self.slope * scores + self.offset)


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """Rising steps, a label each, by their corners."""

    corners: tuple[tuple[Floats, Floats], ...]  # labels: scores, probabilities

    def probabilities(self, scores: Floats) -> Floats:
        """The curve of each column."""
        p = np.empty(scores.shape)
        for label, (at, value) in enumerate(self.corners):
            p[:, label] = np.interp(scores[:, label], at, value)
        return p


@dataclass(frozen=True, slots=True, eq=False)
class Temperature:
    """One divisor for all scores."""

    temperature: float
    of_probabilities: bool  # scores are probabilities, and become their logarithms, or log odds, first
    exclusive: bool

    def probabilities(self, scores: Floats) -> Floats:
        """softmax(s / T), or 1 / (1 + exp(-s / T))."""
        if self.of_probabilities:
            p = np.clip(scores, SUREST, 1 - SUREST)
            scores = np.log(p) if self.exclusive else np.log(p) - np.log1p(-p)
        s = scores / self.temperature
        return softmax(s) if self.exclusive else expit(s)


@dataclass(frozen=True, slots=True, eq=False)
class Beta:
    """Beta calibration, a label each, of scores that are probabilities."""

    a: Floats
    b: Floats
    c: Floats
    surest: float

    def probabilities(self, scores: Floats) -> Floats:
        """a ln p - b ln(1 - p) + c as log odds."""
        outside = (scores < -ROUNDING) | (scores > 1 + ROUNDING)
        if outside.any():
            raise InvalidSetting(
                f"beta calibration is for scores from 0 to 1, and {scores[outside][0]:g} is among them"
            )
        p = np.clip(scores, self.surest, 1 - self.surest)
        return expit(self.a * np.log(p) + self.b * -np.log1p(-p) + self.c)


@dataclass(frozen=True, slots=True, eq=False)
class Unchanged:
    """Scores that are probabilities already."""

    def probabilities(self, scores: Floats) -> Floats:
        """As they came."""
        return np.clip(scores, 0.0, 1.0)


Curve = Sigmoid | Isotonic | Temperature | Beta | Unchanged


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
    """Curves with the range of scores that they were fitted on and the bounds that held-out documents set."""

    curve: Curve
    range: Range
    exclusive: bool
    bounds: Bounds | None = None  # None in files of earlier versions

    def probabilities(self, scores: Floats) -> Floats:
        """Documents x labels."""
        if np.isnan(scores).any():
            document, label = np.argwhere(np.isnan(scores))[0].tolist()
            raise InvalidSetting(
                f"scores: nan at document {document}, label {label}; -inf says that a label is impossible"
            )
        p = self.curve.probabilities(self.range.put(scores))
        if self.exclusive:
            totals = p.sum(axis=1, keepdims=True)
            p = np.where(totals > 0, p / np.where(totals > 0, totals, 1.0), 1 / p.shape[1])
        return p if self.bounds is None else self.bounds.within(p)
