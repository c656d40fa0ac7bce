"""What scores, checked: of one size, with groups, kinds and frequencies that are in their tables; see `rubricate.sound`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..models.additive import Additive
from ..models.from_counts import dcm, edcm
from ..models.from_vectors.neural_net import Net
from ..models.from_vectors.sums import Sums
from ..models.from_vectors.vector_model import Linear
from ..sound import need, sized, table_size, within

__all__ = [
    "check_additive",
    "check_dcm",
    "check_dcm_odds",
    "check_edcm",
    "check_edcm_odds",
    "check_layers",
    "check_linear",
    "check_net",
    "check_scorer",
    "check_sums",
]


def check_additive(own: Additive) -> None:
    """Of one size, with groups that are in their table."""
    n_labels, n_terms = table_size(own.weights, "weights")
    sized(own.bias, n_labels, what="bias")
    if own.default is not None:
        sized(own.default, n_labels, what="default")
    if own.common is not None:
        sized(own.common, n_terms, what="common")
    need((own.groups is None) == (own.table is None), "groups without a table, or a table without groups")
    if own.groups is not None and own.table is not None:
        sized(own.groups, n_terms, kinds="i", what="groups")
        sized(own.table, len(own.table), n_labels, what="table")
        within(own.groups, len(own.table), "groups")
    if own.absence is not None:
        need(isinstance(own.absence, Additive) and own.absence.weights.shape == own.weights.shape, "another absence")


def check_scorer(own: Any) -> None:
    """An additive score, and what else the scorer has."""
    need(isinstance(own.additive, Additive), "a scorer without a score")
    n_labels, n_terms = own.additive.weights.shape
    for name, size in (("prior", n_labels), ("scale", n_labels), ("whole", n_terms)):
        if hasattr(own, name):
            sized(getattr(own, name), size, what=name)


def check_layers(layers: Any) -> None:
    """Additive scores of one size."""
    need(isinstance(layers, list) and layers and all(isinstance(own, Additive) for own in layers), "no layers")
    need(len({own.weights.shape for own in layers}) == 1, "layers of different sizes")


def amounts(array: Any, n: int, what: str) -> None:
    """Numbers from 0: a loop that climbs from one far below never ends."""
    sized(array, n, what=what)
    need((array >= 0).all(), f"{what} below 0")


def check_dcm(own: dcm.Parameters) -> None:
    """Of one size; kinds of terms that are in their table."""
    n_labels, n_terms = table_size(own.alpha, "alpha")
    for name in ("unseen", "s"):
        amounts(getattr(own, name), n_labels, name)
    need((own.kinds is None) == (own.shared is None), "kinds of terms without their values")
    if own.kinds is not None and own.shared is not None:
        sized(own.kinds, n_terms, kinds="i", what="kinds")
        sized(own.shared, len(own.shared), n_labels, what="shared")
        within(own.kinds, len(own.shared), "kinds")


def check_dcm_odds(both: dcm.Odds) -> None:
    """Labels and rests with entries in the same places."""
    need(isinstance(both.own, dcm.Parameters) and isinstance(both.rest, dcm.Parameters), "no parameters")
    own, rest = both.own.alpha, both.rest.alpha
    same = own.shape == rest.shape and own.nnz == rest.nnz
    same = same and np.array_equal(own.indptr, rest.indptr) and np.array_equal(own.indices, rest.indices)
    need(same, "labels and rests with different terms")


def check_edcm(own: edcm.Parameters) -> None:
    """Of one size; frequencies that are in their table."""
    n_labels, n_terms = table_size(own.documents_with, "documents_with")
    for name in ("s", "scale", "extra"):
        amounts(getattr(own, name), n_labels, name)
    sized(own.maximum, n_labels, what="maximum")
    if own.everything is not None:
        sized(own.everything, n_terms, what="everything")
    if own.frequencies is not None:
        need(isinstance(own.frequencies, tuple) and len(own.frequencies) == 2, "frequencies are no pair")
        values, groups = own.frequencies
        sized(values, len(values), what="frequencies")
        sized(groups, n_terms, kinds="i", what="frequencies of terms")
        within(groups, len(values), "frequencies of terms")


def check_edcm_odds(both: edcm.Odds) -> None:
    """Labels and rests of one size."""
    need(isinstance(both.own, edcm.Parameters) and isinstance(both.rest, edcm.Parameters), "no parameters")
    need(both.own.documents_with.shape == both.rest.documents_with.shape, "labels and rests of different sizes")


def check_linear(own: Linear) -> None:
    """Weights of a table, dense or sparse, and what goes with them."""
    sparsely = sparse.issparse(own.weights)
    n_labels, n_terms = table_size(own.weights, "weights") if sparsely else own.weights.shape
    if not sparsely:
        sized(own.weights, n_labels, n_terms, what="weights")
    sized(own.bias, n_labels, what="bias")
    need((own.factors is None) == (own.shared is None), "factors without a shared direction")
    if own.factors is not None and own.shared is not None:
        sized(own.factors, n_labels, what="factors")
        sized(own.shared, n_terms, what="shared")


def check_sums(own: Sums) -> None:
    """Sums of one size."""
    n_labels, n_terms = table_size(own.labels, "sums")
    sized(own.everything, n_terms, what="everything")
    sized(own.documents, n_labels, what="documents")


def check_net(own: Net) -> None:
    """Layers that follow each other."""
    n_terms, hidden = own.into.shape
    sized(own.into, n_terms, hidden, what="into")
    sized(own.hidden_bias, hidden, what="hidden_bias")
    sized(own.out, hidden, len(own.bias), what="out")
    sized(own.bias, len(own.bias), what="bias")
