"""The additive form: a score that is a sum over the terms of a document. TF-IDF, PrTFIDF and naive Bayes.

    score(d, c) = log_prior[c] + bias[c]
                + sum over terms v of gain(v, d) (default[c] + common[v] + table[group[v], c] + weights[c, v])

The gain of a term, by name:

    times       tf(v, d)                          multinomial, complement
    presence    1                                 simplified multinomial, Bernoulli
    levels      1 in layer k where tf >= k        stacked Bernoulli                                       [003 eq. 29]
    shares      tf / sum over known v' of tf      PrTFIDF                                                 [000 eq. 19]
    tfidf       tf idf(v), over its length        TF-IDF                                                  [000 eq. 4]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..storage.checks import need, sized, table_size, within
from ..storage.registry import stored
from .arrays import Bools, Csr, Explanation, Floats, Longs, TableByTerm, TermVector, pairwise_sum, running_sum

Gain = Literal["times", "presence", "levels", "shares", "tfidf"]


def check_layer(layer: Layer) -> None:
    n_labels, n_terms = table_size(layer.weights, "weights")
    sized(layer.bias, n_labels, what="bias")
    if layer.default is not None:
        sized(layer.default, n_labels, what="default")
    if layer.common is not None:
        sized(layer.common, n_terms, what="common")
    need((layer.groups is None) == (layer.table is None), "groups without a table, or a table without groups")
    if layer.groups is not None and layer.table is not None:
        sized(layer.groups, n_terms, kinds="i", what="groups")
        sized(layer.table, len(layer.table), n_labels, what="table")
        within(layer.groups, len(layer.table), "groups")
    if layer.absence is not None:
        need(isinstance(layer.absence, Layer) and layer.absence.shape == layer.shape, "another absence")


@stored("additive", keys=("bias", "weights", "default", "common", "groups", "table", "absence"), check=check_layer)
@dataclass(frozen=True, eq=False)
class Layer:
    """The parameters of one sum over terms. Only `bias` and `weights` are always there: the dense parts say what labels have in
    common, so that ten thousand labels and half a million terms never meet in a dense table."""

    bias: Floats  # labels
    weights: Csr  # labels x terms: what the terms that a label has add beyond the dense parts
    default: Floats | None = None  # labels
    common: Floats | None = None  # terms
    groups: Longs | None = None  # terms -> row of `table`
    table: Floats | None = None  # groups x labels
    absence: Layer | None = None  # what the absence of each term adds; part of `bias` already

    @property
    def shape(self) -> tuple[int, int]:
        return self.weights.shape  # type: ignore[no-any-return]

    @cached_property
    def by_term(self) -> TableByTerm:
        return TableByTerm.of(self.weights)

    def scores(self, gains: TermVector) -> Floats:
        """The scores of a document, given by the gain of each of its terms."""
        out = self.bias.copy()
        if self.default is not None:
            out += gains.total * self.default
        if self.common is not None:
            out += running_sum(gains.values * self.common[gains.columns])
        if self.groups is not None and self.table is not None:
            out += grouped_scores(self.groups[gains.columns], gains.values, self.table)
        self.by_term.add_product(gains, out)
        return out

    def term_scores(self, columns: Longs, gains: Floats) -> Floats:
        """The scores of documents of one term each, terms x labels: `scores` of many at once, to the same bits."""
        out = np.tile(self.bias, (len(columns), 1))
        if self.default is not None:
            out += gains[:, None] * self.default
        if self.common is not None:
            out += (gains * self.common[columns])[:, None]
        if self.groups is not None and self.table is not None:
            out += gains[:, None] * self.table[self.groups[columns]]
        out += gains[:, None] * self.by_term.write_rows(columns, np.zeros(out.shape))
        return out

    def rows(self, columns: Longs) -> Floats:
        """What each of these terms adds where its gain is 1: terms x labels."""
        out = self.by_term.write_rows(columns, np.zeros((len(columns), len(self.bias))))
        if self.default is not None:
            out += self.default
        if self.common is not None:
            out += self.common[columns][:, None]
        if self.groups is not None and self.table is not None:
            out += self.table[self.groups[columns]]
        return out

    def contributions(self, gains: TermVector) -> Floats:
        return self.rows(gains.columns) * gains.values[:, None]


def grouped_scores(groups: Longs, gains: Floats, table: Floats) -> Floats:
    """sum over groups of (sum of the gains in the group) table[group]. Groups are added in reverse order of first appearance:
    scipy's product of two sparse tables, by which many documents are scored, gives them so."""
    sums: dict[int, float] = {}
    for group, gain in zip(groups.tolist(), gains.tolist(), strict=True):
        sums[group] = sums.get(group, 0.0) + gain
    out = np.zeros(table.shape[1])
    for group in reversed(sums):
        out += sums[group] * table[group]
    return out


# -- layers as models and files hold them


def check_scorer(scorer: Scorer | Rest) -> None:
    need(isinstance(scorer.additive, Layer), "a scorer without a score")


@stored("scorer", keys=("additive",), check=check_scorer)
@dataclass(frozen=True, eq=False)
class Scorer:
    additive: Layer

    @property
    def layers(self) -> Sequence[Layer]:
        return (self.additive,)

    @property
    def shape(self) -> tuple[int, int]:
        return self.layers[0].shape


def check_fallback(scorer: FallbackScorer) -> None:
    check_scorer(scorer)
    sized(scorer.prior, scorer.shape[0], what="prior")


@stored("scorer.prior", keys=("additive", "prior"), check=check_fallback)
@dataclass(frozen=True, eq=False)
class FallbackScorer(Scorer):
    """One layer, and the scores of a document without a known term."""

    prior: Floats


def check_stack(stack: Stack) -> None:
    layers = stack.layers
    need(isinstance(layers, list) and layers and all(isinstance(layer, Layer) for layer in layers), "no layers")
    need(len({layer.shape for layer in layers}) == 1, "layers of different sizes")


@stored("scorer.stack", keys=("layers",), check=check_stack)
@dataclass(frozen=True, eq=False)
class Stack:
    """A layer for each further time a term occurs: layer k is for the terms that occur at least k times."""

    layers: list[Layer]

    @property
    def shape(self) -> tuple[int, int]:
        return self.layers[0].shape


def check_rest(rest: Rest) -> None:
    check_scorer(rest)
    sized(rest.scale, rest.shape[0], what="scale")
    sized(rest.whole, rest.shape[1], what="whole")


@stored("scorer.rest", keys=("additive", "whole", "scale"), check=check_rest)
@dataclass(frozen=True, eq=False)
class Rest:
    """The score of everything but the label, which is subtracted: similarity with one common prototype less the label's, over the
    length of what is left. A common part times a factor a label would be dense, so it is multiplied at scoring."""

    additive: Layer
    whole: Floats  # terms
    scale: Floats  # labels

    @property
    def shape(self) -> tuple[int, int]:
        return self.additive.shape

    def scores(self, gains: TermVector) -> Floats:
        common = running_sum(gains.values * self.whole[gains.columns])
        scores: Floats = self.additive.scores(gains) + common * self.scale
        return scores

    def contributions(self, gains: TermVector) -> Floats:
        common: Floats = (self.whole[gains.columns] * gains.values)[:, None] * self.scale
        return self.additive.contributions(gains) + common


# -- the form


@dataclass(frozen=True, slots=True, eq=False)
class Additive:
    """A classifier whose scores are sums over terms; see the module."""

    gain: Gain
    scorer: Scorer | Stack
    log_prior: Floats  # labels
    rest: Rest | None = None
    idf: Floats | None = None  # terms; of the gain "tfidf"
    cosine: bool = False  # whether documents are divided by their Euclidean length; of the gain "tfidf"
    known: Bools | None = None  # terms with a training occurrence; of the gain "shares"

    def __post_init__(self) -> None:
        need(isinstance(self.scorer, Scorer | Stack), "a model without layers")
        n_labels, n_terms = self.shape
        sized(self.log_prior, n_labels, what="log_prior")
        need(self.rest is None or (isinstance(self.rest, Rest) and self.rest.shape == self.shape), "another rest")
        for array, what in ((self.idf, "idf"), (self.known, "known")):
            if array is not None:
                sized(array, n_terms, kinds="fb", what=what)

    @property
    def shape(self) -> tuple[int, int]:
        return self.scorer.shape

    @property
    def layers(self) -> Sequence[Layer]:
        """One, or, with the gain "levels", one for each further time a term occurs."""
        return self.scorer.layers

    @property
    def fallback(self) -> Floats | None:
        """Scores of a document without a known term, a label each."""
        return self.scorer.prior if isinstance(self.scorer, FallbackScorer) else None

    def gains(self, document: TermVector) -> TermVector:
        """What each term of a document counts, in every gain but "levels"."""
        tf = document.values
        if self.gain == "presence":
            return present(document)
        if self.idf is not None:
            weighted = tf * self.idf[document.columns]
            if self.cosine:
                length = math.sqrt(pairwise_sum(weighted * weighted))
                weighted = weighted * (1 / (length if length > 0 else 1.0))
            return document.with_values(weighted)
        if self.known is not None:
            known = tf * self.known[document.columns]
            total = running_sum(known)
            return document.with_values(known * (1 / (total if total > 0 else 1.0)))
        return document

    def levels(self, document: TermVector) -> list[tuple[Layer, Bools]]:
        """The layers that the document reaches, and which of its terms reach them: the first all, layer k those with tf >= k."""
        out = [(self.layers[0], np.ones(len(document), dtype=bool))]
        for k, layer in enumerate(self.layers[1:], 2):
            reached = document.values >= k
            if not reached.any():
                break
            out.append((layer, reached))
        return out

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        out = np.empty((len(documents), len(self.log_prior)))
        for n, document in enumerate(documents):
            out[n] = self._without_prior(document) + self.log_prior
        return out

    def _without_prior(self, document: TermVector) -> Floats:
        if isinstance(self.scorer, Stack):
            (_, every), *higher = self.levels(document)
            out = self.layers[0].scores(present(document.at(every)))
            for layer, reached in higher:
                out += layer.scores(present(document.at(reached)))
            return out
        gains = self.gains(document)
        scores = self.layers[0].scores(gains)
        if self.fallback is not None and gains.total <= 0:
            scores = self.fallback.copy()
        return scores if self.rest is None else scores - self.rest.scores(gains)

    def term_scores(self, columns: Longs) -> Floats:
        """The scores of documents in which one term occurs once, terms x labels."""
        gains = np.ones(len(columns))
        if self.idf is not None:
            gains = self.idf[columns]
            if self.cosine:
                lengths = np.sqrt(gains * gains)
                gains = gains * (1 / np.where(lengths > 0, lengths, 1.0))
        elif self.known is not None:
            gains = gains * self.known[columns]
        scores = self.layers[0].term_scores(columns, gains)
        if self.fallback is not None:
            scores[gains <= 0] = self.fallback
        if self.rest is not None:
            common = (gains * self.rest.whole[columns])[:, None] * self.rest.scale
            scores = scores - (self.rest.additive.term_scores(columns, gains) + common)
        return scores + self.log_prior

    def explain(self, document: TermVector, scores: Floats) -> Explanation:
        """What each term of a document adds to its scores; the rest of them is prior, bias and fallback."""
        if isinstance(self.scorer, Stack):
            out = np.zeros((len(document), len(self.log_prior)))
            for layer, reached in self.levels(document):
                out[reached] += layer.contributions(present(document.at(reached)))
        else:
            gains = self.gains(document)
            out = self.layers[0].contributions(gains)
            if self.rest is not None:
                out = out - self.rest.contributions(gains)
        return Explanation(document.columns, out, scores - out.sum(axis=0))


def present(document: TermVector) -> TermVector:
    """1 for every term that is there."""
    return document.with_values(np.ones(len(document)))
