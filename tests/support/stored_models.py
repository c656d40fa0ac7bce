"""Small fitted models for tests of model files: every classifier, one label a document or several, usual and unusual settings."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rubricate.models import (
    DCM,
    EDCM,
    MODELS,
    TFIDF,
    Bernoulli,
    ExponentiatedGradient,
    LeastSquares,
    MaximumEntropy,
    NeuralNet,
    Rocchio,
    StackedBernoulli,
    SupportVector,
    WidrowHoff,
)
from rubricate.models.from_counts.count_model import CountModel

CLASSIFIERS = {name: row.kind for name, row in MODELS.items()}
DRAW = np.random.default_rng(7)
COUNTS = sparse.csr_array(DRAW.poisson(0.5, (24, 12)).astype(np.float64))
WEIGHTS = sparse.csr_array(COUNTS.multiply(np.linspace(0.5, 1.5, 12)))
NEW = sparse.csr_array(DRAW.poisson(0.6, (6, 12)).astype(np.float64))
ONE = np.array(["corn", "earn", "grain, rice"])[np.arange(24) * 7 % 3]
SEVERAL = (DRAW.random((24, 4)) < 0.4).astype(np.int64)
LABELS: dict[str, Any] = {
    "strings": ONE,
    "numbers": np.arange(24) * 5 % 3 - 1,
    "booleans": np.arange(24) % 3 > 0,
    "floats": np.array([1.0, 2.0])[np.arange(24) % 2],
    "objects": np.array([f"{n % 3}é" for n in range(24)], dtype=object),
    "indicator": SEVERAL,
    "lists": [[f"label {n}" for n in np.flatnonzero(row)] for row in SEVERAL],
}
UNUSUAL: dict[str, Any] = {
    "tfidf sqrt dot": TFIDF(idf="sqrt", similarity="dot"),
    "tfidf alone": TFIDF(similarity="category", against_rest=False),
    "bernoulli of numpy's numbers": Bernoulli(smoothing=np.float64(0.5)),
    "stacked higher": StackedBernoulli(f_limit=2, higher_only=True),
    "dcm two steps": DCM(max_iter=2, tol=0.0),
    "edcm uniform": EDCM(priors="uniform"),
    "rocchio open": Rocchio(clip=False, alpha=1.0, start=np.linspace(0, 1, 12)),
    "rocchio absent": Rocchio(absent=0.4, start=sparse.csr_array(np.eye(1, 12)), alpha=2.0),
    "widrow-hoff pocket": WidrowHoff(pocket=True, passes=9, average=False),
    "widrow-hoff last": WidrowHoff(average=False, order=list(range(24)), targets=(1, -1)),
    "gradient two-sided": ExponentiatedGradient(two_sided=True, link="sigmoid", total=30.0, rate=0.01),
    "support chosen": SupportVector(C=[0.5, 1.0, 2.0], loss="squared_hinge", balanced=True),
    "entropy auto": MaximumEntropy(C="auto", max_iter=np.int64(50)),
    "squares of rank": LeastSquares(rank=5),
    "net": NeuralNet(hidden=3, max_iter=2),
}


def documents_for(model: Any) -> sparse.csr_array:
    """What this model learns from."""
    return COUNTS if isinstance(model, CountModel) else WEIGHTS


def fitted(name: str, labels: str) -> Any:
    """A model of the table, with its usual settings, or an unusual one."""
    from sklearn.base import clone

    model = clone(UNUSUAL[name]) if name in UNUSUAL else CLASSIFIERS[name]()
    return model.fit(documents_for(model), LABELS[labels])


def answers(model: Any, X: Any = NEW) -> dict[str, Any]:
    """All that a model says of documents."""
    said = {"scores": model.class_scores(X), "probabilities": model.predict_proba(X), "decisions": model.predict(X)}
    if hasattr(model, "explain"):
        for n, reason in enumerate(model.explain(X)):
            said |= {f"{name} {n}": getattr(reason, name) for name in type(reason).__dataclass_fields__}
    return said
