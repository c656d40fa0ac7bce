"""Golden cases of measures: 000 footnote 1, 001 sec. 5, 002 sec. 4, 003 sec. 4-5, 004 sec. 6."""

from __future__ import annotations

from typing import Any

import numpy as np

from golden_cases import Case, covers
from rubricate import metrics, models
from rubricate.models.from_counts.count_model import CountModel


@covers("joachims_accuracy")
def joachims_accuracy(case: Case) -> None:
    case.check("accuracy", metrics.accuracy(case.input["predicted"], case.input["labels"]))


@covers("lewis_measures")
def lewis_measures(case: Case) -> None:
    given = case.input
    if "a" in given:
        a, b, c, beta = given["a"], given["b"], given["c"], given["beta"]
        table = metrics.Contingency(a, b, c, given.get("d", 0))
        case.check("recall", table.recall)
        case.check("precision", table.precision)
        case.check("f", metrics.f_beta(a, b, c, beta=beta))
        if a + b + c < 1000:  # the same from decisions
            decisions, truth = np.repeat([1, 1, 0], [a, b, c]), np.repeat([1, 0, 1], [a, b, c])
            case.check("f", metrics.f_beta(decisions, truth, beta=beta))
            case.check("precision", metrics.precision(decisions, truth))
            case.check("recall", metrics.recall(decisions, truth))
        return
    scores, labels = given["scores"], given["labels"]
    case.check("sap_index_order", metrics.average_precision(scores, labels))
    for ties in ("expected", "worst", "best"):
        case.check(f"sap_{ties}", metrics.average_precision(scores, labels, ties=ties))
    case.check("r_precision", metrics.r_precision(scores, labels))


@covers("sable_measures")
def sable_measures(case: Case) -> None:
    decisions, labels = case.input["decisions"], case.input["labels"]
    table, found = metrics.contingency(decisions, labels), metrics.micro_macro(decisions, labels)
    case.check("counts_abcd", np.stack([table.a, table.b, table.c, table.d], axis=1))
    for key in ("micro_precision", "micro_recall", "error"):
        case.check(key, getattr(found, key))
    case.check("error", metrics.error(decisions, labels))
    case.check("micro_f1", found.micro_f)
    case.check("macro_f1", found.macro_f)
    case.check("macro_f1_empty_0", metrics.micro_macro(decisions, labels, empty="zero").macro_f)


def log_odds(case: Case, model: CountModel) -> tuple[np.ndarray, np.ndarray]:
    """Scores of each label against the rest for the test documents, and the truth: documents x labels."""
    corpus = case.corpus
    fitted = model.fit(case.X, corpus.indicator(corpus.labels))
    return fitted.class_scores(corpus.X_test[:, case.columns]), corpus.indicator(corpus.test_labels)


@covers("schneider_breakeven")
def schneider_breakeven(case: Case) -> None:
    if "scores" in case.input:
        scores, labels = np.array(case.input["scores"]), np.array(case.input["labels"])
        found = metrics.break_even(scores, labels)
        case.check("hits_and_positives", [found.hits[0], found.positives[0]])
        case.check("expected_over_ties", metrics.break_even(scores, labels, ties="expected").bep)
        return
    scores, truth = log_odds(case, models.Multinomial())
    found = metrics.break_even(scores, truth)
    case.check("log_odds", scores.T)
    case.check("hits_and_positives", np.stack([found.hits, found.positives], axis=1))
    case.check("micro_recall", found.micro)
    case.check("macro_recall", found.macro)
    case.check("cut_gap", [gap(own, n) for own, n in zip(scores.T, found.positives, strict=True)])


def gap(scores: np.ndarray, n: int) -> float | None:
    """By how much the last document put in the class is ahead of the first left out."""
    ordered = np.sort(scores)[::-1]
    return ordered[n - 1] - ordered[n] if 0 < n < len(ordered) else None


@covers("wilbur_bep")
def wilbur_bep(case: Case) -> None:
    given = case.input
    listed = given.get("permutations", given.get("permutation"))
    if listed is not None:
        shuffled(case, metrics.shuffled(np.array(given["scores"]), np.array(given["labels"]), permutations=listed))
        return
    if "scores" in given:
        found = metrics.break_even_over(zip(given["scores"], given["labels"], strict=True))
    else:
        model = models.StackedBernoulli(
            f_limit=given["f_limit"], smoothing=given["eps"], higher_only=given["lowest_level"] == 2
        )
        scores, truth = log_odds(case, model)
        case.check("log_odds", scores.T)
        found = metrics.break_even(scores, truth)
    for key in ("bep", "micro", "macro", "micro_pooled"):
        case.check(key, getattr(found, key))


def shuffled(case: Case, found: metrics.Shuffled) -> None:
    """The random baseline. No case of it is among the files we were given: the keys are guessed from their `about`."""
    law: dict[str, Any] = {
        "bep": found.bep,
        "mean": found.mean,
        "sd": found.deviation,
        "limits": [found.lower, found.upper],
        "nearest_rank_limits": [found.lower, found.upper],
        "normal_limits": [found.normal_lower, found.normal_upper],
        "hypergeometric_mean": found.exact_mean,
        "hypergeometric_limits": [found.exact_lower, found.exact_upper],
        "exact_mean": found.exact_mean,
        "exact_limits": [found.exact_lower, found.exact_upper],
    }
    for key, value in law.items():
        case.check(key, value)
