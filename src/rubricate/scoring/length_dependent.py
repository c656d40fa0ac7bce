"""The length-dependent form: scores that depend on the terms of a document and on its length. DCM and EDCM.

    rise(x, t) = log Gamma(x + t) - log Gamma(x)
    DCM    log p(d|c) = -rise(s, |d|) + sum over v of rise(alpha_v, tf)  + what no label changes                  [003 eq. 7]
    EDCM   log p(d|c) = -rise(s, |d|) + sum over v of log beta_v         + what no label changes                 [003 eq. 10]

With several labels a document the same of everything but the label, its rest, is subtracted. alpha and beta are smoothed, and s
is the sum of what comes out. Where a label is left unsmoothed (`impossible`), a term that it lacks makes its score -inf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .additive import Layer, present
from .arrays import Bools, Floats, Longs, TableByTerm, TermVector, running_sum
from .functions import DIRECT, log, log_rise

__all__ = ["Alpha", "Impossible", "LengthDependent", "LogBeta", "LogGamma"]


@dataclass(frozen=True, slots=True, eq=False)
class LogBeta:
    """EDCM's sum over the terms that are there: of labels, less that of their rests where documents have several labels."""

    layer: Layer  # the difference of the next two
    labels: Layer
    rests: Layer | None = None

    def scores(self, document: TermVector, lengths: Floats) -> Floats:
        """Of a document; lengths: log Gamma(s + |d|) - log Gamma(s), a label each."""
        out = self.layer.scores(present(document))
        out -= lengths
        return out

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term adds to the score of a label."""
        adds = self.labels.contributions(present(document), label)
        return adds if self.rests is None else adds - self.rests.contributions(present(document), label)


@dataclass(frozen=True, slots=True, eq=False)
class Alpha:
    """DCM's smoothed alpha of labels, or of their rests. A term that a label has is stored by itself; the others have one alpha,
    and in rests one for each kind of terms (those with the same histogram over everything)."""

    stored: TableByTerm
    instead: Floats  # beside the stored values: what the term would have if it were not stored
    unstored: Floats  # kinds x labels
    kinds: Longs | None = None  # terms -> row of `unstored`; None: there is one row

    def row_of(self, column: int) -> int:
        """The kind of a term."""
        return 0 if self.kinds is None else int(self.kinds[column])

    def of_label(self, columns: Longs, label: int) -> Floats:
        """alpha of these terms for a label."""
        places, sizes = self.stored.places(columns)
        rows = np.zeros(len(columns), dtype=np.int64) if self.kinds is None else self.kinds[columns]
        out: Floats = self.unstored[rows, label]
        here = self.stored.labels[places] == label
        out[np.repeat(np.arange(len(columns)), sizes)[here]] = self.stored.values[places[here]]
        return out


@dataclass(frozen=True, slots=True, eq=False)
class LogGamma:
    """DCM's sum over terms: of labels, less that of their rests. Both store the same terms of each label."""

    labels: Alpha
    rests: Alpha | None = None

    @property
    def signed(self) -> list[tuple[float, Alpha]]:
        """Labels count for a score, rests against it."""
        return [(1.0, self.labels), *([] if self.rests is None else [(-1.0, self.rests)])]

    def scores(self, document: TermVector, lengths: Floats) -> Floats:
        """Of a document; first as if no label had stored any of its terms, then put right for those that have."""
        out = -lengths
        rows: dict[tuple[int, float], Floats] = {}
        kinds = self.labels if self.rests is None else self.rests
        for column, times in zip(document.columns.tolist(), document.values.tolist(), strict=True):
            kind = kinds.row_of(column)
            if (kind, times) not in rows:
                rows[kind, times] = self._unstored(column, times)
            out += rows[kind, times]
        places, sizes = self.labels.stored.places(document.columns)
        values = self._corrections(places, np.repeat(document.values, sizes))
        np.add.at(out, self.labels.stored.labels[places], values)
        return out

    def _unstored(self, column: int, times: float) -> Floats:
        row = np.zeros(self.labels.unstored.shape[1])
        for sign, alpha in self.signed:
            row += sign * log_rise(alpha.unstored[alpha.row_of(column)], times)
        return row

    def _corrections(self, places: Longs, times: Floats) -> Floats:
        """What the stored entries add beyond the unstored ones."""
        values = np.zeros(len(places))
        for sign, alpha in self.signed:
            for t in np.unique(times).tolist():
                here = times == t
                at = places[here]
                values[here] += sign * log_rise_ratio(alpha.stored.values[at], alpha.instead[at], t)
        return values

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term adds to the score of a label."""
        out = np.zeros(len(document))
        for n, times in enumerate(document.values.tolist()):
            rises = [log_rise(alpha.of_label(document.columns[[n]], label), times) for _, alpha in self.signed]
            out[n] = rises[0][0] if len(rises) == 1 else rises[0][0] - rises[1][0]
        return out


def log_rise_ratio(x: Floats, y: Floats, t: float) -> Floats:
    """log_rise(x, t) - log_rise(y, t); of few whole t as the log of one quotient."""
    if not (t <= DIRECT and t == math.floor(t)):
        return log_rise(x, t) - log_rise(y, t)
    above, under = x.copy(), y.copy()
    for factor in range(1, int(t)):
        above *= x + factor
        under *= y + factor
    direct = (x < 1e15) & (y > 1e-60) & (y < 1e15)
    out = log(np.where(direct, above / under, 1.0))
    if not direct.all():
        out[~direct] = log_rise(x[~direct], t) - log_rise(y[~direct], t)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Impossible:
    """Labels that were left unsmoothed, and the terms that each label has."""

    unsmoothed: Bools  # labels
    terms: TableByTerm  # values: 1 where the label has the term

    def mark(self, document: TermVector, scores: Floats) -> None:
        """-inf for the unsmoothed labels that lack a term of the document."""
        places, _ = self.terms.places(document.columns)
        here = self.terms.labels[places][self.terms.values[places] > 0]
        has = np.bincount(here, minlength=len(scores))
        scores[self.unsmoothed & (has < len(document))] = -np.inf


@dataclass(frozen=True, slots=True, eq=False)
class LengthDependent:
    """DCM or EDCM; see the module."""

    terms: LogBeta | LogGamma
    s: Floats  # labels
    s_rests: Floats | None
    log_prior: Floats  # labels
    impossible: Impossible | None = None

    @property
    def n_labels(self) -> int:
        """How many labels are scored."""
        return len(self.log_prior)

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        """Documents x labels."""
        out = np.empty((len(documents), self.n_labels))
        rises: dict[float, Floats] = {}
        for n, document in enumerate(documents):
            length = document.total
            if length not in rises:
                rises[length] = self._of_length(length)
            out[n] = self.terms.scores(document, rises[length])
            if self.impossible is not None:
                self.impossible.mark(document, out[n])
            out[n] += self.log_prior
        return out

    def _of_length(self, length: float) -> Floats:
        """log Gamma(s + |d|) - log Gamma(s), less that of the rests."""
        rises = log_rise(self.s, length)
        if self.s_rests is not None:
            rises -= log_rise(self.s_rests, length)
        return rises

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term of a document adds to the score of a label; the rest of the score is its length and the prior."""
        return self.terms.contributions(document, label)

    def base(self, document: TermVector, label: int) -> float:
        """What is there without the terms."""
        score = float(self.scores([document])[0, label])
        return score - running_sum(self.contributions(document, label))
