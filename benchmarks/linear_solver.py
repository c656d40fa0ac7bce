"""The solver of linear models against scikit-learn's, on the same matrices, in one process: CPU seconds on one thread in turn,
and how far each is above the least objective. `python -m benchmarks.linear_solver` prints one JSON object. Needs the real
collections."""

from __future__ import annotations

import json
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

import rubricate as rb
from rubricate import collections, models
from rubricate.counts import indicator
from rubricate.foundation.folds import fold_numbers
from rubricate.foundation.threads import alone, available_threads
from rubricate.models.vectors import Weighting

from .texts import data_folder

ROUNDS = 3
TOL = 1e-3  # of the gap: objective within 1.001 of the least


def matrices(name: str, version: str) -> list[tuple[Any, Any]]:
    """Weighted documents and labels: all of them, then without each of five folds."""
    train, _ = collections.load(name, version=version, data=data_folder())
    table = rb.tabulate(train)
    X = Weighting.fitted(table.counts, "ltc").of(table.X)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # as liblinear wants them
    truth, folds = indicator(table.labels, table.counts.labels), fold_numbers(table.labels, 5, seed=0)
    return [(X, truth), *((X[folds != fold], truth[folds != fold]) for fold in range(5))]


def objective(X: Any, truth: Any, weights: Any, bias: Any, loss: str, penalised: bool) -> Any:
    """Label by label, at C = 1 (or ridge = 1, halved)."""
    Y = truth.toarray()
    scores = X @ weights.T + bias
    rest = np.maximum(0, 1 - np.where(Y > 0, scores, -scores))
    losses = {
        "hinge": rest,
        "squared_hinge": rest**2,
        "logistic": np.logaddexp(0, np.where(Y > 0, -scores, scores)),
        "squares": 0.5 * (Y - scores) ** 2,
    }[loss]
    return 0.5 * ((weights**2).sum(axis=1) + (bias**2 if penalised else 0)) + losses.sum(axis=0)


def machines(loss: str) -> tuple[Callable[..., Any], Callable[[], Any]]:
    """Ours, by the gap to be reached, and scikit-learn's at its defaults."""
    ours: dict[str, Callable[..., Any]] = {
        "hinge": lambda tol: models.SupportVector(tol=tol),
        "squared_hinge": lambda tol: models.SupportVector(loss="squared_hinge", tol=tol),
        "logistic": lambda tol: models.MaximumEntropy(tol=tol),
        "squares": lambda tol: models.LeastSquares(tol=tol),
    }
    peers: dict[str, Callable[[], Any]] = {
        "hinge": lambda: OneVsRestClassifier(LinearSVC(loss="hinge", random_state=0)),
        "squared_hinge": lambda: OneVsRestClassifier(LinearSVC(random_state=0)),
        "logistic": lambda: OneVsRestClassifier(LogisticRegression(max_iter=1000)),
        "squares": lambda: Ridge(fit_intercept=False),
    }
    return ours[loss], peers[loss]


def measure(parts: list[tuple[Any, Any]], loss: str) -> dict[str, Any]:
    """Medians of rounds in turn, each over all parts; and the worst label's share above the least objective."""
    ours, peer = machines(loss)
    ours(TOL).fit_scores(parts[0][0][:200], parts[0][1][:200])  # loads what is compiled
    seconds: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(ROUNDS):
        start = time.process_time()
        found = [ours(TOL).fit_scores(X, truth) for X, truth in parts]
        seconds["ours"].append(time.process_time() - start)
        dense = [truth.toarray() for _, truth in parts]
        start = time.process_time()
        rivals = [peer().fit(X, Y) for (X, _), Y in zip(parts, dense, strict=True)]
        seconds["peer"].append(time.process_time() - start)
    X, truth = parts[0]
    exact = ours(1e-7).fit_scores(X, truth)
    penalised = loss.endswith("hinge")
    least = objective(X, truth, exact.coef_, exact.intercept_, loss, penalised)
    weights, bias = found[0].coef_, found[0].intercept_
    inner = getattr(rivals[0], "estimators_", None)
    theirs = rivals[0].coef_ if inner is None else np.concatenate([each.coef_ for each in inner])
    their_bias = np.zeros(len(theirs)) if inner is None else np.concatenate([each.intercept_ for each in inner])
    return {
        **{who: statistics.median(times) for who, times in seconds.items()},
        "above": float((objective(X, truth, weights, bias, loss, penalised) / least - 1).max()),
        "peer_above": float((objective(X, truth, theirs, their_bias, loss, penalised) / least - 1).max()),
        "fits": len(parts),
        "rounds": ROUNDS,
    }


def on_all_cores(parts: list[tuple[Any, Any]]) -> dict[str, float]:
    """Wall seconds of the linear SVM on one thread and on all, in turn."""
    work = lambda: [models.SupportVector(loss="squared_hinge", tol=TOL).fit_scores(X, truth) for X, truth in parts]  # noqa: E731
    seconds: dict[str, list[float]] = {"one": [], "all": []}
    for _ in range(ROUNDS):
        with alone():
            start = time.perf_counter()
            work()
            seconds["one"].append(time.perf_counter() - start)
        start = time.perf_counter()
        work()
        seconds["all"].append(time.perf_counter() - start)
    return {who: statistics.median(times) for who, times in seconds.items()} | {"threads": available_threads()}


def main() -> None:
    warnings.simplefilter("ignore")
    found: dict[str, Any] = {}
    for name, version in (("reuters21578", "90"), ("20newsgroups", "bydate")):
        parts = matrices(name, version)
        with alone(), threadpool_limits(1, "blas"):
            own = {loss: measure(parts, loss) for loss in ("squared_hinge", "hinge")}
            own |= {loss: measure(parts[:1], loss) for loss in ("logistic", "squares")}
        X, truth = parts[0]
        sizes = {"documents": X.shape[0], "terms": X.shape[1], "labels": truth.shape[1]}
        found[name] = {"losses": own, "cores": on_all_cores(parts), **sizes}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
