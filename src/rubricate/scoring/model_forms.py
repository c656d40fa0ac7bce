"""Forms from the parameters of fitted models: of the models themselves, or of the parts of a file, which have the same names.

Arrays are shared with what they come from; only tables of labels x terms are turned over, to lie by term.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnknownName
from .additive import Additive, Gain, Layer, Rest
from .arrays import Floats, TableByTerm
from .forms import Form, Layered, LengthDependent, Linear, Neighbours
from .length_dependent import Alpha, Impossible, LogBeta, LogGamma
from .neighbours import Postings

__all__ = ["form_of"]

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
    """The form of a fitted model. name: by which `models.MODELS` knows it."""
    if name in GAINS:
        return additive_of(name, model)
    if name in LINEAR:
        return linear_of(model.linear_)
    if name == "neural_net":
        net = model.net_
        return Layered(net.into, net.hidden_bias, net.out, net.bias)
    if name in ("dcm", "edcm"):
        return length_dependent_of(model)
    if name == "nearest_neighbours":
        return neighbours_of(model)
    raise UnknownName("model", name, (*GAINS, *LINEAR, "neural_net", "dcm", "edcm", "nearest_neighbours"))


def additive_of(name: str, model: Any) -> Additive:
    """TF-IDF, PrTFIDF, or naive Bayes."""
    scorer, against = model._scorer, model._against
    layers = getattr(scorer, "layers", None) or [scorer.additive]
    return Additive(
        gain=GAINS[name],
        layers=tuple(layer_of(layer) for layer in layers),
        log_prior=model.log_prior_,
        idf=model.idf_ if name == "tfidf" else None,
        cosine=name == "tfidf" and model.similarity == "cosine",
        known=model.known_ if name == "prtfidf" else None,
        fallback=getattr(scorer, "prior", None),
        rest=None if against is None else Rest(layer_of(against.additive), against.whole, against.scale),
    )


def layer_of(additive: Any) -> Layer:
    """One sum over terms."""
    weights = TableByTerm.of(additive.weights)
    return Layer(additive.bias, weights, additive.default, additive.common, additive.groups, additive.table)


def linear_of(linear: Any) -> Linear:
    """A weighted sum, with dense or sparse weights."""
    weights = TableByTerm.of(linear.weights) if hasattr(linear.weights, "indptr") else linear.weights
    return Linear(weights, linear.bias, linear.factors, linear.shared)


def neighbours_of(model: Any) -> Neighbours:
    """Training documents that vote."""
    memory = model.memory_
    parts = []
    for part in memory.index.parts:
        ends, documents, weights = part.postings
        parts.append(Postings(ends, documents, weights, len(part.commons[0]) - 1))
    return Neighbours(tuple(parts), memory.truth, int(model.k), str(model.weights))


def length_dependent_of(model: Any) -> LengthDependent:
    """DCM or EDCM, of labels, or of labels against their rests."""
    learned = model._scorer.parameters
    labels, rests = getattr(learned, "own", learned), getattr(learned, "rest", None)
    by_beta = hasattr(labels, "documents_with")
    terms = (log_beta_of if by_beta else log_gamma_of)(labels, rests)
    n_terms = (labels.documents_with if by_beta else labels.alpha).shape[1]
    return LengthDependent(
        terms,
        labels.s + n_terms * unseen_of(labels),
        None if rests is None else rests.s + n_terms * unseen_of(rests),
        model.log_prior_,
        impossible_of(labels) if rests is None else None,
    )


def unseen_of(side: Any) -> Floats:
    """What smoothing adds to alpha or beta of every term of a label."""
    unseen: Floats = side.scale * side.extra if hasattr(side, "documents_with") else side.unseen
    return unseen


def impossible_of(labels: Any) -> Impossible | None:
    """The labels that were left unsmoothed, if there are any."""
    unsmoothed = unseen_of(labels) == 0
    if not unsmoothed.any():
        return None
    if not hasattr(labels, "documents_with"):
        return Impossible(unsmoothed, TableByTerm.of(labels.alpha))
    by_term = TableByTerm.of(labels.documents_with)
    return Impossible(
        unsmoothed, TableByTerm(by_term.ends, by_term.labels, by_term.values * labels.scale[by_term.labels])
    )


def positive(x: Floats) -> Floats:
    """x, and 1 in place of 0: what is impossible is left out of sums of logarithms, and seen to by `Impossible`."""
    return np.where(x > 0, x, 1.0)


def log_beta_of(labels: Any, rests: Any) -> LogBeta:
    """EDCM: log of the smoothed beta, less that of the rests. Both have entries in the same places."""
    left = log_beta_layer(labels)
    if rests is None:
        return LogBeta(left, left)
    right = log_beta_layer(rests)
    weights = TableByTerm(left.weights.ends, left.weights.labels, left.weights.values - right.weights.values)
    table = None if right.table is None else -right.table
    return LogBeta(Layer(left.bias, weights, left.default, None, right.groups, table), left, right)


def log_beta_layer(side: Any) -> Layer:
    """log(scale (n_cv + extra)): of a label one default for the terms it lacks; in a rest, which has n_v of a term that its label
    lacks, one row for all terms of equal n_v."""
    by_term = TableByTerm.of(side.documents_with)
    extra, bias = side.extra[by_term.labels], np.zeros(len(side.s))
    if side.everything is None or side.frequencies is None:
        values = np.log(positive(by_term.values + extra) / positive(extra))
        default = np.log(positive(side.scale)) + np.log(positive(side.extra))
        return Layer(bias, TableByTerm(by_term.ends, by_term.labels, values), default)
    frequencies, groups = side.frequencies
    usual = np.log(positive(frequencies[:, None] + side.extra)) + np.log(positive(side.scale))
    everything = np.repeat(side.everything, np.diff(by_term.ends))
    values = np.log(positive(everything - by_term.values + extra) / positive(everything + extra))
    return Layer(bias, TableByTerm(by_term.ends, by_term.labels, values), groups=groups, table=usual)


def log_gamma_of(labels: Any, rests: Any) -> LogGamma:
    """DCM: alpha of labels and of their rests."""
    return LogGamma(alpha_of(labels), None if rests is None else alpha_of(rests))


def alpha_of(side: Any) -> Alpha:
    """The smoothed alpha."""
    by_term = TableByTerm.of(side.alpha)
    unseen = side.unseen[by_term.labels]
    stored = TableByTerm(by_term.ends, by_term.labels, positive(by_term.values + unseen))
    if side.kinds is None or side.shared is None:
        return Alpha(stored, positive(unseen), positive(side.unseen)[None, :])
    kinds = side.kinds.astype(np.int64)
    instead = side.shared[np.repeat(kinds, np.diff(by_term.ends)), by_term.labels] + unseen
    return Alpha(stored, positive(instead), positive(side.shared + side.unseen), kinds)
