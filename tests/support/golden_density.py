"""Golden cases of density estimation: 004 sec. 3, 5 and 7.3."""

from __future__ import annotations

from typing import Any

import numpy as np

from golden_cases import Case, CorpusOfCase, covers
from rubricate import density, metrics, models, thresholds
from rubricate.foundation.arrays import first_best


def truth_of(labels: list[list[int]], n_labels: int) -> np.ndarray:
    """Documents x labels, 0/1."""
    return np.array([[int(label in own) for label in range(n_labels)] for own in labels])


def sable(kind: str) -> models.TFIDF:
    """The similarity of 004: plain, also where a document has several labels."""
    return models.TFIDF(similarity=kind, against_rest=False)


def labels_and_columns(corpus: CorpusOfCase) -> tuple[Any, np.ndarray]:
    """What a model is fitted on; and, of all labels, those that it then knows."""
    if not corpus.single:
        return corpus.y, np.arange(corpus.n_labels)
    return corpus.y, np.unique(corpus.y)


def spread(scores: np.ndarray, columns: np.ndarray, n_labels: int) -> np.ndarray:
    """Scores of all labels; a label without training documents is similar to nothing."""
    out = np.zeros((len(scores), n_labels))
    out[:, columns] = scores
    return out


@covers("sable_scores")
def sable_scores(case: Case) -> None:
    corpus, model = case.corpus, sable(case.input["kind"])
    y, columns = labels_and_columns(corpus)
    fitted = model.fit(corpus.X, y)
    case.check("test", spread(fitted.class_scores(corpus.X_test), columns, corpus.n_labels))
    for key, how in (("train", "resubstitution"), ("train_leave_one_out", "leave-one-out")):
        found = density.training_scores(model, corpus.X, y, how=how)
        case.check(key, spread(found, columns, corpus.n_labels))


@covers("sable_density")
def sable_density(case: Case) -> None:
    given, n_labels = case.input, case.input["n_classes"]
    train = np.array(given["train_scores"], dtype=float)
    new = np.array(given["scores"], dtype=float)
    Y = truth_of(given["train_labels"], n_labels)
    for way in ("blocks", "tree"):
        model = density.DensityEstimation(k=given["k"], epsilon=given["eps"], way=way).fit(train, Y)
        found = model.neighbours(new)
        case.check("neighbours", found.indices)
        probabilities = model.predict_proba(new)
        case.check("probability", probabilities)
        case.check("argmax", first_best(probabilities))
        case.check("decisions", model.predict(new))
        everything = density.Nearest(train, way=way).find(new, len(train))
        in_place = np.empty_like(everything.distances)
        np.put_along_axis(in_place, everything.indices, everything.distances, axis=1)
        case.check("distance", in_place)
        k = given["k"]
        gap = everything.distances[:, k] - everything.distances[:, k - 1] if k < len(train) else [None] * len(new)
        case.check("cut_gap", gap)
    if all(len(own) == 1 for own in given["train_labels"]):
        y = np.array([own[0] for own in given["train_labels"]])
        exclusive = density.DensityEstimation(k=given["k"], epsilon=given["eps"]).fit(train, y)
        case.check("probability", spread(exclusive.predict_proba(new), exclusive.classes_, n_labels))
        case.check("argmax", exclusive.predict(new))


def measures(decisions: np.ndarray, truth: np.ndarray) -> dict[str, Any]:
    """What 004 reports of decisions."""
    found = metrics.micro_macro(decisions, truth)
    table = found.contingency
    return {
        "counts_abcd": np.column_stack([table.a, table.b, table.c, table.d]),
        "micro_precision": found.micro_precision,
        "micro_recall": found.micro_recall,
        "micro_f1": found.micro_f,
        "macro_f1": found.macro_f,
        "error": found.error,
    }


@covers("sable_thresholds")
def sable_thresholds(case: Case) -> None:
    given = case.input
    if "n_test" in given:
        share = given["n_in_category"] / given["n_train"]
        case.check("x", thresholds.pcut_counts(given["n_test"], share)[0])
        return
    corpus = case.corpus
    Y, truth = corpus.indicator(corpus.labels), corpus.indicator(corpus.test_labels)
    train, new = np.array(given["train_scores"], dtype=float), np.array(given["test_scores"], dtype=float)
    found: dict[str, np.ndarray] = {}

    cuts = thresholds.scut(train, Y)
    found["scut"] = (new > cuts).astype(int)
    assigned = train > cuts
    case.check("scut_threshold_f1_assigned", np.column_stack([cuts, metrics.f_beta(assigned, Y), assigned.sum(axis=0)]))

    case.check("pcut_x", thresholds.pcut_counts(len(new), Y.mean(axis=0)))
    found["pcut"] = thresholds.pcut(new, Y.mean(axis=0))

    model = sable(given["kind"]).fit(corpus.X, Y)
    own, rest = model.class_scores(corpus.X_test), model.complement_scores(corpus.X_test)
    case.check("complement_scores", np.stack([own, rest], axis=2))
    found["complement"] = thresholds.complement(own, rest)

    estimator = density.DensityEstimation(k=given["k"], epsilon=given["eps"]).fit(train, Y)
    case.check("density_probability", estimator.predict_proba(new))
    found["density"] = estimator.predict(new)

    chosen = density.Combo(np.array(given["cv_f1_density"]), np.array(given["cv_f1_pcut"]))
    case.check("combo_choice", chosen.choice)
    found["combo"] = chosen.decide(found["density"], found["pcut"])

    for name, decisions in found.items():
        case.check(name, decisions)
        case.check(f"{name}_measures", measures(decisions, truth))
