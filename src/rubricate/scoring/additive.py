"""The additive form: a score that is a sum over the terms of a document. TF-IDF, PrTFIDF and naive Bayes.

    score(d, c) = log_prior[c] + bias[c]
                + sum over terms v of gain(v, d) (default[c] + common[v] + table[group[v], c] + w[c, v])

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
from typing import Literal

import numpy as np

from .arrays import Bools, Floats, Longs, TableByTerm, TermVector, pairwise_sum, running_sum

__all__ = ["Additive", "Gain", "Layer", "Rest"]

Gain = Literal["times", "presence", "levels", "shares", "tfidf"]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The parameters of one sum over terms. Only `bias` and `weights` are always there: the dense parts say what labels have in
    common, so that ten thousand labels and half a million terms never meet in a dense table."""

    bias: Floats  # labels
    weights: TableByTerm
    default: Floats | None = None  # labels
    common: Floats | None = None  # terms
    groups: Longs | None = None  # terms -> row of `table`
    table: Floats | None = None  # groups x labels

    def scores(self, gains: TermVector) -> Floats:
        """The scores of a document, given by the gain of each of its terms."""
        out = self.bias.copy()
        if self.default is not None:
            out += gains.total * self.default
        if self.common is not None:
            out += running_sum(gains.values * self.common[gains.columns])
        if self.groups is not None and self.table is not None:
            out += grouped_scores(self.groups[gains.columns], gains.values, self.table)
        self.weights.add_product(gains, out)
        return out

    def contributions(self, gains: TermVector, label: int) -> Floats:
        """What each term adds to the score of a label."""
        out = self.weights.of_label(gains.columns, label)
        if self.default is not None:
            out += self.default[label]
        if self.common is not None:
            out += self.common[gains.columns]
        if self.groups is not None and self.table is not None:
            out += self.table[self.groups[gains.columns], label]
        adds: Floats = out * gains.values
        return adds


def grouped_scores(groups: Longs, gains: Floats, table: Floats) -> Floats:
    """sum over groups of (sum of the gains in the group) table[group]. Groups are added in reverse order of first appearance:
    scipy's product of two sparse tables, which the compiled road uses, gives them so."""
    sums: dict[int, float] = {}
    for group, gain in zip(groups.tolist(), gains.tolist(), strict=True):
        sums[group] = sums.get(group, 0.0) + gain
    out = np.zeros(table.shape[1])
    for group in reversed(sums):
        out += sums[group] * table[group]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """The score of everything but the label, which is subtracted: similarity with one common prototype less the label's, over the
    length of what is left. A common part times a factor a label would be dense, so it is multiplied at scoring."""

    layer: Layer
    whole: Floats  # terms
    scale: Floats  # labels

    def scores(self, gains: TermVector) -> Floats:
        """The scores of a document."""
        scores: Floats = self.layer.scores(gains) + running_sum(gains.values * self.whole[gains.columns]) * self.scale
        return scores

    def contributions(self, gains: TermVector, label: int) -> Floats:
        """What each term adds."""
        common: Floats = self.whole[gains.columns] * gains.values * self.scale[label]
        return self.layer.contributions(gains, label) + common


@dataclass(frozen=True, slots=True, eq=False)
class Additive:
    """A classifier whose scores are sums over terms; see the module."""

    gain: Gain
    layers: tuple[Layer, ...]  # one, or, with the gain "levels", one for each further time a term occurs
    log_prior: Floats  # labels
    idf: Floats | None = None  # terms; of the gain "tfidf"
    cosine: bool = False  # whether documents are divided by their Euclidean length; of the gain "tfidf"
    known: Bools | None = None  # terms with a training occurrence; of the gain "shares"
    fallback: Floats | None = None  # labels: scores of a document without a known term; of the gain "shares"
    rest: Rest | None = None

    @property
    def n_labels(self) -> int:
        """How many labels are scored."""
        return len(self.log_prior)

    def gains(self, document: TermVector) -> TermVector:
        """What each term of a document counts, in every gain but "levels"."""
        tf = document.values
        if self.gain == "presence":
            return document.with_values(np.ones(len(tf)))
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
        """The layers that the document reaches, and which of its terms reach them: layer k those with tf >= k."""
        out = []
        for k, layer in enumerate(self.layers, 1):
            reached = document.values >= k
            if k > 1 and not reached.any():
                break
            out.append((layer, reached))
        return out

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        """Documents x labels."""
        out = np.empty((len(documents), self.n_labels))
        for n, document in enumerate(documents):
            out[n] = self._without_prior(document) + self.log_prior
        return out

    def _without_prior(self, document: TermVector) -> Floats:
        if self.gain == "levels":
            out = np.zeros(0)
            for layer, reached in self.levels(document):
                scores = layer.scores(present(document.at(reached)))
                out = out + scores if len(out) else scores
            return out
        gains = self.gains(document)
        scores = self.layers[0].scores(gains)
        if self.fallback is not None and gains.total <= 0:
            scores = self.fallback.copy()
        return scores if self.rest is None else scores - self.rest.scores(gains)

    def contributions(self, document: TermVector, label: int) -> Floats:
        """What each term of a document adds to the score of a label; the rest of the score is prior, bias and fallback."""
        if self.gain == "levels":
            out = np.zeros(len(document))
            for layer, reached in self.levels(document):
                out[reached] += layer.contributions(present(document.at(reached)), label)
            return out
        gains = self.gains(document)
        adds = self.layers[0].contributions(gains, label)
        return adds if self.rest is None else adds - self.rest.contributions(gains, label)

    def base(self, document: TermVector, label: int) -> float:
        """What is there without the terms."""
        score = float(self.scores([document])[0, label])
        return score - running_sum(self.contributions(document, label))


def present(document: TermVector) -> TermVector:
    """1 for every term that is there."""
    return document.with_values(np.ones(len(document)))
