"""The length-dependent form: scores that depend on the terms of a document and on its length. DCM and EDCM.

    rise(x, t) = log Gamma(x + t) - log Gamma(x)
    DCM    log p(d|c) = -rise(s, |d|) + sum over v of rise(alpha_v, tf)  + what no label changes                  [003 eq. 7]
    EDCM   log p(d|c) = -rise(s, |d|) + sum over v of log beta_v         + what no label changes                 [003 eq. 10]

With several labels a document the same of everything but the label, its rest, is subtracted. alpha and beta are smoothed, and s
is the sum of what comes out. Where a label is left unsmoothed, a term that it lacks makes its score -inf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..foundation.arrays import Ints
from ..storage.checks import amounts, need, sized, table_size, within
from ..storage.registry import stored
from .additive import Layer, present
from .arrays import Bools, Csr, Explanation, Floats, Longs, Table, TableByTerm, TermVector
from .functions import DIRECT, log, log_rise


def positive_or_one(x: Floats) -> Floats:
    """x, and 1 in place of 0: what is impossible is left out of sums of logarithms, and its score made -inf at the end."""
    return x if x.min(initial=1.0) > 0 else np.where(x > 0, x, 1.0)


def with_data(table: Csr, data: Floats) -> Any:
    """Other numbers in the places of a table, which is scipy's or none as before."""
    if isinstance(table, Table):
        return replace(table, data=data)
    return type(table)((data, table.indices, table.indptr), shape=table.shape)  # type: ignore[call-arg]


# -- EDCM


def check_beta(beta: Beta) -> None:
    n_labels, n_terms = table_size(beta.documents_with, "documents_with")
    for name in ("s", "scale", "extra"):
        amounts(getattr(beta, name), n_labels, name)
    sized(beta.maximum, n_labels, what="maximum")
    if beta.everything is not None:
        sized(beta.everything, n_terms, what="everything")
    if beta.frequencies is not None:
        need(isinstance(beta.frequencies, tuple) and len(beta.frequencies) == 2, "frequencies are no pair")
        values, groups = beta.frequencies
        sized(values, len(values), what="frequencies")
        sized(groups, n_terms, kinds="i", what="frequencies of terms")
        within(groups, len(values), "frequencies of terms")


@stored(
    "edcm.parameters",
    keys=("status", "maximum", "s", "scale", "extra", "documents_with", "everything", "frequencies"),
    check=check_beta,
)
@dataclass(frozen=True, eq=False)
class Beta:
    """What EDCM has learned about each label, or about each label's rest.

    beta_cv is scale[c] n_cv, and scale[c] (n_cv + extra[c]) when smoothed: kept as whole numbers and two factors a label.
    """

    status: list[str]
    maximum: Floats  # s of eq. 12 as it is: 0, inf or nan where there is no finite one
    s: Floats  # the s in use, before smoothing
    scale: Floats
    extra: Floats
    documents_with: Csr  # n_cv, labels x terms
    everything: Floats | None = None  # n_v, for rests: n_cv is then everything - documents_with
    frequencies: tuple[Floats, Longs] | None = None  # for rests: the different n_v, and which one each term has

    @property
    def shape(self) -> tuple[int, int]:
        return self.documents_with.shape  # type: ignore[no-any-return]

    @property
    def entries(self) -> Csr:
        """The table of the terms that labels have."""
        return self.documents_with

    @property
    def beta(self) -> Any:
        """beta before smoothing, at the terms that a label has: labels x terms."""
        table = self.documents_with
        data = table.data if self.everything is None else self.everything[table.indices] - table.data
        return with_data(table, data * np.repeat(self.scale, np.diff(table.indptr)))

    @property
    def unseen(self) -> Floats:
        """What smoothing adds to every term of a label."""
        return self.scale * self.extra

    @property
    def s_smoothed(self) -> Floats:
        total: Floats = self.s + self.shape[1] * self.unseen
        return total

    def row(self, label: int) -> Floats:
        """beta of one label before smoothing, dense."""
        row = np.zeros(self.shape[1])
        here = slice(*self.documents_with.indptr[label : label + 2])
        row[self.documents_with.indices[here]] = self.documents_with.data[here]
        beta: Floats = self.scale[label] * (row if self.everything is None else self.everything - row)
        return beta

    @cached_property
    def layer(self) -> Layer:
        """log of the smoothed beta, log(scale (n_cv + extra)): of a label one default for the terms it lacks; in a rest, which
        has n_v of a term that its label lacks, one row for all terms of equal n_v."""
        table = self.documents_with
        extra = np.repeat(self.extra, np.diff(table.indptr))
        groups = usual = default = None
        if self.everything is None or self.frequencies is None:
            default = np.log(positive_or_one(self.scale)) + np.log(positive_or_one(self.extra))
            smoothed, instead = table.data + extra, positive_or_one(extra)
        else:
            values, groups = self.frequencies
            usual = np.log(positive_or_one(values[:, None] + self.extra)) + np.log(positive_or_one(self.scale))
            everywhere = self.everything[table.indices]
            smoothed, instead = everywhere - table.data + extra, positive_or_one(everywhere + extra)
        weights = with_data(table, np.log(positive_or_one(smoothed) / instead))
        return Layer(np.zeros(len(self.s)), weights, default=default, groups=groups, table=usual)

    def contributions(self, document: TermVector) -> Floats:
        return self.layer.contributions(present(document))


# -- DCM


def check_alpha(alpha: Alpha) -> None:
    n_labels, n_terms = table_size(alpha.alpha, "alpha")
    amounts(alpha.unseen, n_labels, "unseen")
    amounts(alpha.s, n_labels, "s")
    need((alpha.kinds is None) == (alpha.shared is None), "kinds of terms without their values")
    if alpha.kinds is not None and alpha.shared is not None:
        sized(alpha.kinds, n_terms, kinds="i", what="kinds")
        sized(alpha.shared, len(alpha.shared), n_labels, what="shared")
        within(alpha.kinds, len(alpha.shared), "kinds")


@stored(
    "dcm.parameters", keys=("alpha", "unseen", "s", "iterations", "converged", "kinds", "shared"), check=check_alpha
)
@dataclass(frozen=True, eq=False)
class Alpha:
    """What DCM has learned about each label, or about each label's rest. A term that a label has is stored by itself; the others
    have one alpha, and in rests one for each kind of terms (those with the same histogram over everything)."""

    alpha: Csr  # before smoothing, labels x terms; of a rest, at the terms of its label (0 where it has none)
    unseen: Floats  # what smoothing adds to every term of a label
    s: Floats  # sums of alpha, before smoothing
    iterations: Longs
    converged: Bools
    kinds: Ints | None = None  # of a rest, terms -> row of `shared`: terms with the same histogram over everything
    shared: Floats | None = None  # of a rest, kinds x labels: alpha of the terms that its label lacks

    @property
    def shape(self) -> tuple[int, int]:
        return self.alpha.shape  # type: ignore[no-any-return]

    @property
    def entries(self) -> Csr:
        """The table of the terms that labels have."""
        return self.alpha

    @property
    def s_smoothed(self) -> Floats:
        total: Floats = self.s + self.shape[1] * self.unseen
        return total

    def row(self, label: int) -> Floats:
        """alpha of one label before smoothing, dense."""
        row = np.zeros(self.shape[1])
        if self.kinds is not None and self.shared is not None:
            row = self.shared[self.kinds, label]
        here = slice(*self.alpha.indptr[label : label + 2])
        row[self.alpha.indices[here]] = self.alpha.data[here]
        return row

    @cached_property
    def smoothed(self) -> TableByTerm:
        """The smoothed alpha of the terms that labels have."""
        return self.smooth(TableByTerm.of(self.alpha))

    def smooth(self, by_term: TableByTerm) -> TableByTerm:
        """`smoothed` from alpha by term."""
        values = positive_or_one(by_term.values + self.unseen[by_term.labels])
        return TableByTerm(by_term.ends, by_term.labels, values)

    @cached_property
    def instead(self) -> Floats:
        """Beside the values of `smoothed`: what the term would have if it were not stored."""
        ends, labels, _ = self.smoothed.arrays
        unseen = self.unseen[labels]
        if self.kinds is None or self.shared is None:
            return positive_or_one(unseen)
        place = np.repeat(self.kinds.astype(np.int64) * self.shared.shape[1], np.diff(ends)) + labels
        return positive_or_one(self.shared.ravel()[place] + unseen)

    @cached_property
    def unstored(self) -> Floats:
        """What terms have that are not stored, smoothed: kinds x labels; outside of rests there is one kind."""
        if self.shared is not None:
            return positive_or_one(self.shared + self.unseen)
        return positive_or_one(self.unseen)[None, :]

    def kind_of(self, columns: Any) -> Any:
        """The rows of terms in `unstored`."""
        return np.zeros(np.shape(columns), dtype=np.int64) if self.kinds is None else self.kinds[columns]

    def contributions(self, document: TermVector) -> Floats:
        alpha = self.smoothed.write_rows(document.columns, self.unstored[self.kind_of(document.columns)])
        for n, times in enumerate(document.values.tolist()):
            alpha[n] = log_rise(alpha[n], times)
        return alpha


# -- labels against their rests


def check_odds(both: Odds) -> None:
    sides = both.own, both.rest
    kind = Beta if isinstance(both, BetaOdds) else Alpha
    need(all(isinstance(side, kind) for side in sides), "no parameters")
    labels, rests = (side.entries for side in sides)
    same = labels.shape == rests.shape and np.array_equal(labels.indptr, rests.indptr)
    need(same and np.array_equal(labels.indices, rests.indices), "labels and rests with different terms")


@dataclass(frozen=True, eq=False)
class Odds:
    """What has been learned about labels and about their rests, for the scores of the first less those of the second."""

    own: Any
    rest: Any

    @property
    def shape(self) -> tuple[int, int]:
        return self.own.shape  # type: ignore[no-any-return]

    def contributions(self, document: TermVector) -> Floats:
        adds: Floats = self.own.contributions(document) - self.rest.contributions(document)
        return adds


@stored("edcm.odds", keys=("own", "rest"), check=check_odds)
class BetaOdds(Odds):
    @cached_property
    def layer(self) -> Layer:
        """The difference of the logarithms of the smoothed beta."""
        labels, rests = self.own.layer, self.rest.layer
        weights = with_data(labels.weights, labels.weights.data - rests.weights.data)
        table = None if rests.table is None else -rests.table
        return Layer(labels.bias - rests.bias, weights, labels.default, None, rests.groups, table)


@stored("dcm.odds", keys=("own", "rest"), check=check_odds)
class AlphaOdds(Odds):
    """Of DCM."""


# -- the form


def check_length_scorer(scorer: LengthScorer) -> None:
    need(isinstance(scorer.parameters, Beta | Alpha | Odds), "a scorer without parameters")


@stored("scorer.length", keys=("parameters",), check=check_length_scorer)
@dataclass(eq=False)
class LengthScorer:
    """Parameters as models and files hold them."""

    parameters: Beta | Alpha | Odds

    @property
    def shape(self) -> tuple[int, int]:
        return self.parameters.shape


@dataclass(frozen=True, slots=True, eq=False)
class LengthDependent:
    """DCM or EDCM; see the module."""

    parameters: Beta | Alpha | Odds
    log_prior: Floats  # labels

    def __post_init__(self) -> None:
        need(isinstance(self.parameters, Beta | Alpha | Odds), "a model without parameters")
        sized(self.log_prior, self.shape[0], what="log_prior")

    @property
    def shape(self) -> tuple[int, int]:
        return self.parameters.shape

    @property
    def labels(self) -> Any:
        return self.parameters.own if isinstance(self.parameters, Odds) else self.parameters

    @property
    def rests(self) -> Any:
        """Those of their rests; None with one label a document."""
        return self.parameters.rest if isinstance(self.parameters, Odds) else None

    @property
    def signed(self) -> list[tuple[float, Any]]:
        """Labels count for a score, rests against it."""
        return [(1.0, self.labels), *([] if self.rests is None else [(-1.0, self.rests)])]

    @property
    def layer(self) -> Layer | None:
        """The sum over terms of EDCM; None of DCM."""
        return getattr(self.parameters, "layer", None)

    @property
    def unsmoothed(self) -> list[int]:
        """Labels for which terms that they lack are impossible."""
        return [] if self.rests is not None else np.flatnonzero(self.labels.unseen == 0).tolist()

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        out = np.empty((len(documents), len(self.log_prior)))
        rises: dict[float, Floats] = {}
        for n, document in enumerate(documents):
            length = document.total
            if length not in rises:
                rises[length] = self._of_length(length)
            if self.layer is None:
                out[n] = -rises[length]
                self._add_rises(document, out[n])
            else:
                out[n] = self.layer.scores(present(document))
                out[n] -= rises[length]
            for label in self.unsmoothed:
                if (self.labels.row(label)[document.columns] <= 0).any():
                    out[n, label] = -np.inf
            out[n] += self.log_prior
        return out

    def _of_length(self, length: float) -> Floats:
        """log Gamma(s + |d|) - log Gamma(s), less that of the rests."""
        rises = log_rise(self.labels.s_smoothed, length)
        if self.rests is not None:
            rises -= log_rise(self.rests.s_smoothed, length)
        return rises

    def _add_rises(self, document: TermVector, out: Floats) -> None:
        """DCM's sum over terms: first as if no label had stored any of them, then put right for those that have."""
        rows: dict[tuple[int, float], Floats] = {}
        _, last = self.signed[-1]  # only rests tell kinds of terms apart
        kinds = last.kind_of(document.columns).tolist()
        for kind, times in zip(kinds, document.values.tolist(), strict=True):
            if (kind, times) not in rows:
                row = np.zeros(len(out))
                for sign, side in self.signed:
                    row += sign * log_rise(side.unstored[0 if side.kinds is None else kind], times)
                rows[kind, times] = row
            out += rows[kind, times]
        places, sizes = self.labels.smoothed.places(document.columns)
        times_of = np.repeat(document.values, sizes)
        values = np.zeros(len(places))
        for sign, side in self.signed:  # a label and its rest have the same terms stored
            for t in np.unique(times_of).tolist():
                here = times_of == t
                at = places[here]
                values[here] += sign * log_rise_ratio(side.smoothed.values[at], side.instead[at], t)
        np.add.at(out, self.labels.smoothed.labels[places], values)

    def explain(self, document: TermVector, scores: Floats) -> Explanation:
        """What each term of a document adds to its scores; the rest of them is its length and the prior."""
        adds = self.parameters.contributions(document)
        return Explanation(document.columns, adds, scores - adds.sum(axis=0))


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
