"""The closed set of forms that a fitted classifier's scores have, and how a fitted model holds its own.

additive            a sum over terms                TF-IDF, PrTFIDF, multinomial, Bernoulli, stacked Bernoulli, complement
linear              w . x + b                       Rocchio, Widrow-Hoff, EG, SVM, maximum entropy, least squares
layered             one hidden layer                neural net
length-dependent    a sum over terms, and |d|       DCM, EDCM
neighbours          votes of training documents     nearest neighbours

Each scores single documents by numpy (`scores`); all but neighbours say what terms add (`explain`). Tables of documents are
scored with the same arrays by `models.table_scores`.
"""

from __future__ import annotations

from typing import Any

from ..errors import UnknownName
from ..storage.checks import need
from .additive import Additive, Gain
from .layered import Layered
from .length_dependent import LengthDependent
from .linear import Linear
from .neighbours import Neighbours

__all__ = ["Additive", "Form", "Layered", "LengthDependent", "Linear", "Neighbours", "form_of"]

Form = Additive | Linear | Layered | LengthDependent | Neighbours

GAINS: dict[str, Gain] = {
    "multinomial": "times",
    "complement": "times",
    "simplified_multinomial": "presence",
    "bernoulli": "presence",
    "stacked_bernoulli": "levels",
    "prtfidf": "shares",
    "tfidf": "tfidf",
}
LINEAR = (
    "rocchio",
    "widrow_hoff",
    "exponentiated_gradient",
    "support_vector",
    "maximum_entropy",
    "least_squares",
)


def form_of(name: str, model: Any) -> Form:
    """The form of a fitted model, which shares its arrays.

    name: by which `models.MODELS` knows it. model: the model, or its parts in a file, which have the same names.
    """
    if name in LINEAR or name == "neural_net":
        form = model.linear_ if name in LINEAR else model.net_
        need(isinstance(form, Linear | Layered), "no weights")
        return form  # type: ignore[no-any-return]
    if name in ("dcm", "edcm"):
        return LengthDependent(model._scorer.parameters, model.log_prior_)
    if name == "nearest_neighbours":
        index = model.memory_.index
        return Neighbours(tuple(index.parts), model.memory_.truth, index.n_terms, int(model.k), str(model.weights))
    if name not in GAINS:
        raise UnknownName("model", name, (*GAINS, *LINEAR, "neural_net", "dcm", "edcm", "nearest_neighbours"))
    return Additive(
        GAINS[name],
        model._scorer,
        model.log_prior_,
        rest=model._against,
        idf=model.idf_ if name == "tfidf" else None,
        cosine=name == "tfidf" and model.similarity == "cosine",
        known=model.known_ if name == "prtfidf" else None,
    )
