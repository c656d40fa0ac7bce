"""The one table of models: name -> class, paper, what it learns from, and the other names by which people ask for one. Commands,
docs and tests read it."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UnknownName
from .classifier import Classifier
from .from_counts.bernoulli import Bernoulli
from .from_counts.count_model import CountModel
from .from_counts.dcm import DCM
from .from_counts.edcm import EDCM
from .from_counts.multinomial import Complement, Multinomial, SimplifiedMultinomial
from .from_counts.prtfidf import PrTFIDF
from .from_counts.stacked_bernoulli import StackedBernoulli
from .from_counts.tfidf import TFIDF
from .from_vectors.exponentiated_gradient import ExponentiatedGradient
from .from_vectors.least_squares import LeastSquares
from .from_vectors.maximum_entropy import MaximumEntropy
from .from_vectors.nearest_neighbours import NearestNeighbours
from .from_vectors.neural_net import NeuralNet
from .from_vectors.rocchio import Rocchio
from .from_vectors.support_vector import SupportVector
from .from_vectors.widrow_hoff import WidrowHoff

__all__ = [
    "ALIASES",
    "COUNT_MODELS",
    "DCM",
    "EDCM",
    "MODELS",
    "TFIDF",
    "Bernoulli",
    "Complement",
    "CountModel",
    "ExponentiatedGradient",
    "KNearestNeighbours",
    "LeastSquares",
    "LinearSVM",
    "LogisticRegression",
    "MaximumEntropy",
    "Model",
    "Multinomial",
    "MultinomialNB",
    "NearestNeighbours",
    "NeuralNet",
    "PrTFIDF",
    "Ridge",
    "Rocchio",
    "SimplifiedMultinomial",
    "StackedBernoulli",
    "SupportVector",
    "WidrowHoff",
    "model_named",
]

# the same classes by the names that the field has for them
KNearestNeighbours = NearestNeighbours
LinearSVM = SupportVector
LogisticRegression = MaximumEntropy
MultinomialNB = Multinomial
Ridge = LeastSquares


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    kind: type[Classifier]
    source: str
    learns_from: str

    @property
    def needs_lengths(self) -> bool:
        """Whether it needs document lengths, which selection of terms changes."""
        return "lengths" in self.learns_from

    @property
    def needs_weights(self) -> bool:
        """Whether it learns from weighted documents (`vectors.weighted`) rather than counts."""
        return not issubclass(self.kind, CountModel)


MODELS = {
    row.name: row
    for row in (
        Model("tfidf", TFIDF, "000 eq. 3-9, 004 sec. 3", "occurrences, documents_with"),
        Model("prtfidf", PrTFIDF, "000 eq. 17-23", "documents, occurrences"),
        Model("multinomial", Multinomial, "000 eq. 10-16, 002 eq. 1-3, 003 eq. 3-4", "documents, occurrences"),
        Model("simplified_multinomial", SimplifiedMultinomial, "003 eq. 5-6", "documents, documents_with"),
        Model("bernoulli", Bernoulli, "003 eq. 19-23", "documents, documents_with"),
        Model("stacked_bernoulli", StackedBernoulli, "003 eq. 24-30", "documents, levels"),
        Model("dcm", DCM, "003 eq. 7-8", "documents, times, lengths"),
        Model("edcm", EDCM, "003 eq. 10-14", "documents, documents_with, lengths"),
        Model("complement", Complement, "Rennie et al. 2003", "documents, occurrences"),
        Model("rocchio", Rocchio, "001 eq. 1-2", "sums of weighted documents"),
        Model("widrow_hoff", WidrowHoff, "001 eq. 3-5", "weighted documents, in order"),
        Model("exponentiated_gradient", ExponentiatedGradient, "001 sec. 3.3, eq. 6", "weighted documents, in order"),
        Model("support_vector", SupportVector, "003 sec. 2.1.4, 004 sec. 7", "weighted documents"),
        Model("maximum_entropy", MaximumEntropy, "Nigam et al. 1999", "weighted documents"),
        Model("least_squares", LeastSquares, "004 sec. 7 (Yang & Chute 1994)", "weighted documents"),
        Model("nearest_neighbours", NearestNeighbours, "004 sec. 7 (Yang & Liu 1999)", "weighted documents"),
        Model("neural_net", NeuralNet, "004 sec. 7 (Yang & Liu 1999)", "weighted documents"),
    )
}
COUNT_MODELS = {name: row for name, row in MODELS.items() if not row.needs_weights}

# other names that people type, in Python and commands; maxent, naivebayes and prind are rainbow's
ALIASES = {
    "knn": "nearest_neighbours",
    "linear_svm": "support_vector",
    "logistic_regression": "maximum_entropy",
    "maxent": "maximum_entropy",
    "naive_bayes": "multinomial",
    "naivebayes": "multinomial",
    "prind": "prtfidf",
    "ridge": "least_squares",
    "svm": "support_vector",
}


def model_named(name: str) -> Model:
    """The row of a name or an alias."""
    if (row := MODELS.get(ALIASES.get(name, name))) is None:
        raise UnknownName("model", name, (*MODELS, "auto"))
    return row
