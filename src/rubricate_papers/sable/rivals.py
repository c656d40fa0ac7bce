"""The systems beside 004's own: on Reuters those of Yang & Liu (1999), whose numbers of terms and settings are taken over, with
cuts from out-of-fold scores; where labels exclude each other, stand-ins for the Rainbow package. Source: 004 tables 3-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import clone

from rubricate.counts.one_pass import Table
from rubricate.counts.term_scores import select
from rubricate.decisions.thresholds import micro_thresholds, pcut
from rubricate.models.from_counts.multinomial import Multinomial
from rubricate.models.from_counts.prtfidf import PrTFIDF
from rubricate.models.from_vectors.least_squares import LeastSquares
from rubricate.models.from_vectors.maximum_entropy import MaximumEntropy
from rubricate.models.from_vectors.nearest_neighbours import NearestNeighbours
from rubricate.models.from_vectors.neural_net import NeuralNet
from rubricate.models.from_vectors.support_vector import SupportVector
from rubricate.models.vectors import Weighting

from ..arrays import Floats
from .system import shares_of

__all__ = ["OTHERS", "RAINBOW", "YANG_LIU", "Answers", "Rival", "answers", "predicted"]

NEVER = -1e9  # log of a probability, of a label that a fold has not seen


@dataclass(frozen=True, slots=True)
class Rival:
    """A model, and so many terms by chi-square, weighted as ltc; or counts, where form is empty."""

    model: Any
    terms: int
    form: str = "ltc"

    def scores(self, table: Table, Y: sparse.csr_array, X: sparse.csr_array) -> tuple[Floats, Floats]:
        """Scores of new documents, and 1 where the model's own rule would say yes."""
        chosen = np.sort(select(table.counts, by="chi2", top=self.terms))
        if not self.form:
            scores = posterior(self.model, table.X[:, chosen], Y, X[:, chosen])
            return scores, (scores > np.log(0.5)).astype(np.int64)
        weighting = Weighting.fitted(table.counts.select(chosen), self.form)
        fitted = clone(self.model).fit(weighting.of(table.X[:, chosen]), Y)
        scores = fitted.class_scores(weighting.of(X[:, chosen]))
        return scores, fitted.decide(scores)


YANG_LIU: Mapping[str, Rival] = {
    "Support Vector Machines": Rival(SupportVector(), 10_000),
    "K-Nearest Neighbor": Rival(NearestNeighbours(k=45), 2415),
    "Least Squares Fit": Rival(LeastSquares(), 2415),
    "Neural Net": Rival(NeuralNet(hidden=64), 1000),
    "Naive Bayes": Rival(Multinomial(), 2000, form=""),
}
OTHERS: Mapping[str, Rival] = {"Least Squares Fit, 500 singular values": Rival(LeastSquares(rank=500), 2415)}
RAINBOW: Mapping[str, Any] = {
    "K-Nearest Neighbor": NearestNeighbours(),
    "Naive Bayes": Multinomial(),
    "Probabilistic Indexing": PrTFIDF(),
    "SVMs": SupportVector(),
    "Maximum Entropy": MaximumEntropy(),
}


@dataclass(frozen=True, eq=False)
class Answers:
    """Decisions on test documents by cuts with the highest micro F1 on out-of-fold scores; by Pcut; by the model's own rule."""

    micro: Any
    pcut: Any
    own: Any


def posterior(model: Any, X: sparse.csr_array, Y: sparse.csr_array, new: sparse.csr_array) -> Floats:
    """log P(C|d) among all labels; a training document of several labels is learned once for each, as Rainbow would."""
    document_of, label_of = Y.nonzero()
    fitted = clone(model).fit(X[document_of], label_of)
    found = np.full((new.shape[0], Y.shape[1]), NEVER)
    found[:, fitted.classes_] = log_softmax(fitted.class_scores(new), axis=1)
    return found


def answers(rival: Rival, table: Table, Y: sparse.csr_array, X: sparse.csr_array, folds: Any) -> Answers:
    """Train on everything; terms and cuts come from the training documents alone, terms anew in each fold."""
    new, own = rival.scores(table, Y, X)
    held = np.empty(Y.shape)
    for fold in np.unique(folds):
        inside = folds == fold
        held[inside] = rival.scores(table.at(~inside), Y[~inside], table.X[inside])[0]
    return Answers((new > micro_thresholds(held, Y)).astype(np.int64), pcut(new, shares_of(Y)), own)


def predicted(
    model: Any,
    X: sparse.csr_array,
    Z: sparse.csr_array,
    y: Sequence[str],
    new: sparse.csr_array,
    Z_new: sparse.csr_array,
) -> Any:
    """One label a document. X, new: counts; Z, Z_new: the same, weighted."""
    on_counts = isinstance(model, Multinomial | PrTFIDF)
    fitted = clone(model).fit(X if on_counts else Z, np.array(y))
    return fitted.predict(new if on_counts else Z_new)
