"""Whole models, checked: all that scores is of the model's labels and terms; see `rubricate.sound`."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..counts import Counts
from ..decisions.density.nearest import Nearest
from ..models.additive import Additive
from ..models.from_counts import dcm, edcm
from ..models.from_counts.count_model import LengthScorer, Scorer
from ..models.from_vectors.nearest_neighbours import Memory
from ..models.from_vectors.neural_net import Net
from ..models.from_vectors.sums import Sums
from ..models.from_vectors.vector_model import Linear
from ..sound import need, sized, table_size

__all__ = ["check_estimator"]


def score_size(own: Any) -> tuple[int, int] | None:
    """Labels and terms of what scores."""
    if isinstance(own, Scorer) and not isinstance(own, LengthScorer):
        own = own.additive
    if isinstance(own, LengthScorer):
        own = own.parameters
    if isinstance(own, dcm.Odds | edcm.Odds):
        own = own.own
    if isinstance(own, dcm.Parameters):
        own = own.alpha
    if isinstance(own, edcm.Parameters):
        own = own.documents_with
    if isinstance(own, Additive | Linear):
        own = own.weights
    if isinstance(own, Sums):
        own = own.labels
    if isinstance(own, Counts):
        return len(own.labels), len(own.term_array)
    if isinstance(own, Net):
        return len(own.bias), len(own.into)
    if isinstance(own, Memory):
        return own.truth.shape[1], own.index.n_terms
    return own.shape if isinstance(own, sparse.csr_array | np.ndarray) else None


OF_LABELS, OF_TERMS = ("prior_", "log_prior_", "cuts_", "scale_", "_centres"), ("idf_", "known_")
SCORING = ("_scorer", "_against", "parameters_", "counts_", "linear_", "sums_", "net_", "memory_")


def check_estimator(own: Any) -> None:
    """All that scores is of the model's labels and terms."""
    labels: Any = getattr(own, "classes_", None)
    n_terms: Any = getattr(own, "n_features_in_", None)
    need(isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0, "a model without labels")
    need(type(n_terms) is int and isinstance(own.several_labels_, bool | np.bool_), "a model without terms")
    size = len(labels), n_terms
    for name in SCORING:
        found = getattr(own, name, None)
        need(found is None or score_size(found) == size, f"{name} is not of {size[0]} labels and {size[1]} terms")
    for names, n in ((OF_LABELS, len(labels)), (OF_TERMS, n_terms)):
        for name in names:
            if name in vars(own):
                sized(vars(own)[name], n, kinds="fb", what=name)
    for name in ("_last", "_mean"):
        found = getattr(own, name, None)
        if found is not None:
            sized(found, n_terms * (2 if getattr(own, "two_sided", False) else 1), len(labels), what=name)
    if isinstance(getattr(own, "_nearest", None), Nearest):
        need(table_size(own._labels, "labels") == (len(own._nearest.vectors), len(labels)), "other labels than vectors")
