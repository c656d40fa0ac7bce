"""Golden cases of paper 001's learners: Rocchio, Widrow-Hoff, exponentiated gradient, bounds, pocketing, the whole pipeline."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from golden_cases import Case, covers
from rubricate import thresholds, vectors
from rubricate.models.from_vectors.exponentiated_gradient import ExponentiatedGradient
from rubricate.models.from_vectors.rocchio import Rocchio, criterion
from rubricate.models.from_vectors.widrow_hoff import WidrowHoff

RATES = {"fixed": "max-norm", "example": "example", "half_example": "half-example"}
RATES |= {"1/||x||^2 in eq. 3 as printed": "example", "1/(4X^2)": "max-norm", "2/(3R^2)": "range"}


def documents(case: Case, part: str = "train") -> tuple[Any, float]:
    """Weighted documents, and the weight of a term that is not there."""
    if "X" in case.input:
        return np.array(case.input["X"], dtype=float), 0.0
    kind = case.input["representation"]
    X = case.X if part == "train" else case.corpus.X_test[:, case.columns]
    return vectors.weighted(X, case.counts(), kind), vectors.ABSENT if kind == "inquery" else 0.0


def truth(case: Case, part: str = "train") -> np.ndarray:
    """One column: 1 for documents of the category."""
    if "y" in case.input:
        return np.array(case.input["y"])[:, None]
    labels = case.corpus.labels if part == "train" else case.corpus.test_labels
    return np.array([[int(case.input["category"] in own)] for own in labels])


def table(own: np.ndarray) -> Any:
    return sparse.csr_array(own)  # an indicator matrix of one label


@covers("lewis_rocchio")
def lewis_rocchio(case: Case) -> None:
    X, _ = documents(case)
    words = {"alpha": case.input["alpha"], "beta": case.input["beta"], "gamma": case.input["gamma"]}
    plain = Rocchio(**words, clip=False, start=case.input["w1"]).fit(X, table(truth(case)))
    clip = Rocchio(**words, start=case.input["w1"]).fit(X, table(truth(case)))
    case.check("weights", plain.coef_[0])
    case.check("clipped", clip.coef_[0])
    unit = plain.coef_ / np.linalg.norm(plain.coef_)
    case.check("criterion_of_unit_weights", criterion(unit, plain.sums_)[0])
    if "test_scores_clipped" in case.expected:
        case.check("test_scores_clipped", clip.class_scores(documents(case, "test")[0])[:, 0])


def learned(case: Case, kind: Any, X: Any, absent: float, **words: Any) -> Any:
    order = words.pop("order", case.input.get("order"))
    return kind(order=order, absent=absent, **words).fit(X, table(truth(case)))


@covers("lewis_wh")
def lewis_wh(case: Case) -> None:
    X, absent = documents(case)
    words = {k: case.input[k] for k in ("start", "targets")} | {"rate": RATES[case.input["rate"]]}
    model = learned(case, WidrowHoff, X, absent, **words)
    case.check("eta", model.eta_)
    if case.input["rate"] != "fixed" and "eta" in case.expected:
        assert case.wanted("eta") is None  # a rate for each example
    vectors_of(case, model, WidrowHoff, X, absent, words)


@covers("lewis_eg")
def lewis_eg(case: Case) -> None:
    X, absent = documents(case)
    words = {k: case.input[k] for k in ("start", "targets")}
    model = learned(case, ExponentiatedGradient, X, absent, **words)
    case.check("eta", model.eta_)
    case.check("R", model.spread_)
    vectors_of(case, model, ExponentiatedGradient, X, absent, words)
    high, low = case.input["targets"]
    stored = X.toarray() if sparse.issparse(X) else X
    shifted = (stored + absent - low) / (high - low)
    moved = learned(case, ExponentiatedGradient, shifted, 0.0, start=case.input["start"])
    case.check("final_with_shifted_features", moved.final_[0])
    case.check("average_with_shifted_features", moved.average_[0])


def vectors_of(case: Case, model: Any, kind: Any, X: Any, absent: float, words: dict[str, Any]) -> None:
    case.check("final", model.final_[0])
    case.check("average", model.coef_[0])
    if "all_vectors" in case.expected:
        order = case.input["order"]
        seen = [learned(case, kind, X, absent, order=order[:n], **words).final_[0] for n in range(1, len(order) + 1)]
        case.check("all_vectors", [words["start"], *seen])


@covers("lewis_bounds")
def lewis_bounds(case: Case) -> None:
    X, absent = documents(case)
    order = case.input["order"]
    X, y = sparse.csr_array(X)[order], truth(case)[order]
    kind = WidrowHoff if case.name.startswith("wh") else ExponentiatedGradient
    model = kind(order=np.arange(len(order)), absent=absent).fit(X, table(y))
    for key, value in model.bounds(X, table(y), u=case.input["u"]).items():
        case.check(key, value[0])


@covers("lewis_pocket")
def lewis_pocket(case: Case) -> None:
    X, _ = documents(case)
    kind = WidrowHoff if case.input["kind"] == "wh" else ExponentiatedGradient
    high, low = max(case.input["targets"]), min(case.input["targets"])
    # the beliefs are the same whether 0.4 is stored or told
    for stored, absent in ((X, 0.0), (X - 0.4, 0.4)):
        words = {"start": case.input["start"], "targets": (high, low), "rate": RATES[case.input["rate"]]}
        model = learned(case, kind, stored, absent, pocket=True, order=case.input["sequence"], **words)
        case.check("pocket", model.coef_[0])
        case.check("scores", model.class_scores(stored)[:, 0])
        case.check("history", [[n, found[0], bool(better[0])] for n, found, better in model.history_[0]])


METHODS = {"rocchio": Rocchio, "wh": WidrowHoff, "eg": ExponentiatedGradient}


@covers("lewis_pipeline")
def lewis_pipeline(case: Case) -> None:
    if "f1" in case.input:
        values = {name: np.array(own) for name, own in case.input["f1"].items()}
        case.check("mean_f1", {name: own.mean() for name, own in values.items()})
        base = values["rocchio"]
        counts = {n: [(own > base).sum(), (own < base).sum(), (own == base).sum()] for n, own in values.items()}
        case.check("wins_losses_ties_vs_rocchio", {n: own for n, own in counts.items() if n != "rocchio"})
        return
    X, _ = documents(case)
    words = {} if case.input["method"] == "rocchio" else {"order": case.input["order"]}
    model = METHODS[case.input["method"]](**words).fit(X, table(truth(case)))
    scores, wanted = model.class_scores(X)[:, 0], truth(case)[:, 0]
    cut = thresholds.scut(scores, wanted)
    inside = scores > cut
    case.check("weights", model.coef_[0])
    case.check("train_scores", scores)
    case.check("threshold", cut)
    case.check("train_f1", f1(inside, wanted))
    case.check("n_assigned", inside.sum())
    case.check(
        "threshold_gap", scores[inside].min() - scores[~inside].max() if 0 < inside.sum() < len(inside) else None
    )
    new, known = model.class_scores(documents(case, "test")[0]), truth(case, "test")[:, 0]
    case.check("test_scores", new[:, 0])
    decisions = model.decide(new)[:, 0]  # the model's own cut is this one
    case.check("decisions", decisions)
    both, b, c = (decisions * known).sum(), (decisions * (1 - known)).sum(), ((1 - decisions) * known).sum()
    case.check("counts_abcd", [both, b, c, len(known) - both - b - c])
    case.check("test_f1", f1(decisions, known))


def f1(decisions: np.ndarray, wanted: np.ndarray) -> float:
    both, either = (decisions * wanted).sum(), decisions.sum() + wanted.sum()
    return 2 * both / either if either else 1.0
