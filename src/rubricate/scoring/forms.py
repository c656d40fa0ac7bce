"""The closed set of forms that a fitted classifier's scores have. Each scores documents; all but neighbours say what terms add.

additive            a sum over terms                TF-IDF, PrTFIDF, multinomial, Bernoulli, stacked Bernoulli, complement
linear              w . x + b                       Rocchio, Widrow-Hoff, EG, SVM, maximum entropy, least squares
layered             one hidden layer                neural net
length-dependent    a sum over terms, and |d|       DCM, EDCM
neighbours          votes of training documents     nearest neighbours
"""

from __future__ import annotations

from .additive import Additive
from .layered import Layered
from .length_dependent import LengthDependent
from .linear import Linear
from .neighbours import Neighbours

__all__ = ["FORMS", "Additive", "Form", "Layered", "LengthDependent", "Linear", "Neighbours"]

Form = Additive | Linear | Layered | LengthDependent | Neighbours
FORMS: dict[str, type[Form]] = {
    "additive": Additive,
    "linear": Linear,
    "layered": Layered,
    "length_dependent": LengthDependent,
    "neighbours": Neighbours,
}
