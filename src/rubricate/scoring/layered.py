"""The layered form: a neural net with one hidden layer. [004 table 5]

score(d) = max(0, x_d A + a) B + b
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..storage.checks import sized
from ..storage.registry import stored
from .arrays import Explanation, Floats, TermVector


def check_net(net: Layered) -> None:
    n_terms, hidden = net.into.shape
    sized(net.into, n_terms, hidden, what="into")
    sized(net.hidden_bias, hidden, what="hidden_bias")
    sized(net.out, hidden, len(net.bias), what="out")
    sized(net.bias, len(net.bias), what="bias")


@stored("net", keys=("into", "hidden_bias", "out", "bias"), check=check_net)
@dataclass(frozen=True, slots=True, eq=False)
class Layered:
    into: Floats  # A, terms x hidden
    hidden_bias: Floats  # a
    out: Floats  # B, hidden x labels
    bias: Floats  # b, labels

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.bias), len(self.into)

    def hidden(self, sums: Floats) -> Floats:
        """What the hidden units hand on of x A: documents x hidden."""
        units: Floats = np.maximum(sums + self.hidden_bias, 0.0)
        return units

    def scores_of_sums(self, sums: Floats) -> Floats:
        """Scores from x A; `einsum` adds in one order, whatever the threads of the libraries."""
        scores: Floats = np.einsum("dh,hc->dc", self.hidden(sums), self.out) + self.bias
        return scores

    def sums(self, documents: Sequence[TermVector]) -> Floats:
        """x A: documents x hidden."""
        sums = np.zeros((len(documents), len(self.hidden_bias)))
        for n, document in enumerate(documents):
            for column, value in zip(document.columns.tolist(), document.values.tolist(), strict=True):
                sums[n] += value * self.into[column]
        return sums

    def scores(self, documents: Sequence[TermVector]) -> Floats:
        return self.scores_of_sums(self.sums(documents))

    def explain(self, document: TermVector, scores: Floats) -> Explanation:
        """What each term adds to the scores, with the units that the document turns on held on and the others off. That is exact,
        since the net is linear as long as no unit turns; base and weights differ from document to document."""
        reached = self.out * (self.hidden(self.sums([document]))[0] > 0)[:, None]
        adds = (self.into[document.columns] @ reached) * document.values[:, None]
        return Explanation(document.columns, adds, self.hidden_bias @ reached + self.bias)
