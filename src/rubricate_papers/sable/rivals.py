"""The systems beside 004's own: on Reuters those of Yang & Liu (1999), whose numbers of terms and settings are taken over, with
thresholds from out-of-fold scores; where labels exclude each other, stand-ins for the Rainbow package. Source: 004 tables 3-5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import log_softmax
from sklearn.base import clone

import rubricate as rb

from ..arrays import Floats
from .system import shares_of

NEVER = -1e9  # log of a probability, of a label that a fold has not seen


@dataclass(frozen=True, slots=True)
class Rival:
    """A model, and so many terms by chi-square, weighted as ltc; or counts, where form is empty."""

    model: Any
    terms: int
    form: str = "ltc"

    def scores(self, table: rb.Table, Y: sparse.csr_array, X: sparse.csr_array) -> tuple[Floats, Floats]:
        """Scores of new documents, and 1 where the model's own rule would say yes."""
        terms = np.sort(rb.term_scores.select(table.counts, by="chi2", top=self.terms))
        if not self.form:
            scores = posterior(self.model, table.X[:, terms], Y, X[:, terms])
            return scores, (scores > np.log(0.5)).astype(np.int64)
        weighting = rb.vectors.Weighting.fitted(table.counts.select(terms), self.form)
        fitted = clone(self.model).fit(weighting.of(table.X[:, terms]), Y)
        scores = fitted.class_scores(weighting.of(X[:, terms]))
        return scores, fitted.decide(scores)


YANG_LIU: Mapping[str, Rival] = {
    "Support Vector Machines": Rival(rb.models.SupportVector(), 10_000),
    "K-Nearest Neighbor": Rival(rb.models.NearestNeighbours(k=45), 2415),
    "Least Squares Fit": Rival(rb.models.LeastSquares(), 2415),
    "Neural Net": Rival(rb.models.NeuralNet(hidden=64), 1000),
    "Naive Bayes": Rival(rb.models.Multinomial(), 2000, form=""),
}
OTHERS: Mapping[str, Rival] = {"Least Squares Fit, 500 singular values": Rival(rb.models.LeastSquares(rank=500), 2415)}
RAINBOW: Mapping[str, Any] = {
    "K-Nearest Neighbor": rb.models.NearestNeighbours(),
    "Naive Bayes": rb.models.Multinomial(),
    "Probabilistic Indexing": rb.models.PrTFIDF(),
    "SVMs": rb.models.SupportVector(),
    "Maximum Entropy": rb.models.MaximumEntropy(),
}


@dataclass(frozen=True, eq=False)
class RivalDecisions:
    """On test documents, by thresholds with the highest micro F1 on out-of-fold scores; by Pcut; by the model's own rule."""

    micro: Any
    pcut: Any
    model_rule: Any


def posterior(model: Any, X: sparse.csr_array, Y: sparse.csr_array, new: sparse.csr_array) -> Floats:
    """log P(C|d) among all labels; a training document of several labels is learned once for each, as Rainbow would."""
    document_of, label_of = Y.nonzero()
    fitted = clone(model).fit(X[document_of], label_of)
    log_posteriors = np.full((new.shape[0], Y.shape[1]), NEVER)
    log_posteriors[:, fitted.classes_] = log_softmax(fitted.class_scores(new), axis=1)
    return log_posteriors


def decide_by_rival(
    rival: Rival, table: rb.Table, Y: sparse.csr_array, X: sparse.csr_array, folds: Any
) -> RivalDecisions:
    """Train on everything; terms and thresholds come from the training documents alone, terms anew in each fold."""
    new, model_rule = rival.scores(table, Y, X)
    out_of_fold = np.empty(Y.shape)
    for fold in np.unique(folds):
        inside = folds == fold
        out_of_fold[inside] = rival.scores(table.at(~inside), Y[~inside], table.X[inside])[0]
    return RivalDecisions(
        (new > rb.thresholds.micro_thresholds(out_of_fold, Y)).astype(np.int64),
        rb.thresholds.pcut(new, shares_of(Y)),
        model_rule,
    )


def predict_labels(model: Any, table: rb.Table, X: sparse.csr_array) -> Any:
    """One label a document of X, whose terms are those of the training documents; counts, or their weights as ltc."""
    y = np.array([label for (label,) in table.labels])
    if isinstance(model, rb.models.Multinomial | rb.models.PrTFIDF):
        return clone(model).fit(table.X, y).predict(X)
    weighting = rb.vectors.Weighting.fitted(table.counts, "ltc")
    return clone(model).fit(weighting.of(table.X), y).predict(weighting.of(X))
