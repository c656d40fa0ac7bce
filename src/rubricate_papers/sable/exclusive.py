"""Tables 3 and 4 in form: labels that exclude each other, two thirds of the documents for training. Source: 004 sec. 7.1-7.2.

The paper's images and news are not to be had; 20 Newsgroups and WebKB stand in for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import rubricate as rb

from ..arrays import Bools, Floats
from ..frame import Best, Claim, Grid, Plan, Row, Table, best_of, share_of, verdict_of
from .reuters import PAPER
from .rivals import RAINBOW, predict_labels
from .system import EXCLUSIVE, SETTINGS, Choice, Split, cross_validate, decide

FOUR = ("course", "faculty", "project", "student")
TASKS = {"newsgroups": "20 Newsgroups, 20 groups", "webkb4": "WebKB, 4 categories", "webkb7": "WebKB, 7 categories"}
PLAIN, DENSITY = "Rocchio/TF*IDF", "Density Estimation"
PRINTED = {
    PLAIN: PLAIN,
    DENSITY: DENSITY,
    "K-Nearest Neighbor": "K-Nearest Neighbor",
    **{name: f"{name} (Rainbow)" for name in ("Naive Bayes", "Probabilistic Indexing", "SVMs", "Maximum Entropy")},
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """Which test documents each system classifies correctly, its F1 of each label, and the settings chosen."""

    correct: Mapping[str, Bools]
    f1: Mapping[str, Floats]
    choice: Choice
    labels: Sequence[str]
    sizes: tuple[int, int]
    largest: float  # share of the largest label


def read_documents(task: str, data: Path | None) -> rb.Corpus:
    if task == "newsgroups":
        return rb.collections.read("20newsgroups", version="bydate", data=data)
    pages = rb.collections.read("webkb", data=data)
    if task == "webkb7":
        return pages
    return pages.at([n for n, labels in enumerate(pages.labels) if labels[0] in FOUR])


def split(corpus: rb.Corpus, *, seed: int) -> Split:
    table = rb.tabulate(corpus)
    test = rb.validation.held_out(table.labels, 1 / 3, seed=seed)
    train = table.at(~test)
    known = np.flatnonzero(np.bincount(train.X.indices, minlength=train.X.shape[1]))
    names = sorted(table.label_names)
    Y, T = (rb.counts.indicator(table.at(part).labels, names) for part in (~test, test))
    part = replace(train, X=train.X[:, known], term_array=table.term_array.take(known))
    return Split(part, Y, table.X[test][:, known], T, names)


def outcome(split: Split, plan: Plan) -> Outcome:
    folds = rb.validation.fold_numbers(split.table.labels, plan.repetitions, seed=plan.seed)
    settings = SETTINGS[-plan["settings"] :]
    trials = cross_validate(split.table.X, split.Y, folds, EXCLUSIVE, settings=settings, ks=plan["exclusive ks"])
    choice = trials.choice()
    ours = decide(split.table.X, split.Y, split.X_test, EXCLUSIVE, choice)
    decisions = {PLAIN: ours.plain, DENSITY: ours.density}
    for name in plan["rainbow"]:
        predictions = predict_labels(RAINBOW[name], split.table, split.X_test)
        decisions[name] = rb.counts.indicator([[str(label)] for label in predictions], split.labels).toarray()
    truth = split.T.toarray()
    return Outcome(
        {name: (table * truth).sum(axis=1) == 1 for name, table in decisions.items()},
        {name: 100 * rb.metrics.f_beta(table, truth) for name, table in decisions.items()},
        choice,
        split.labels,
        (split.table.X.shape[0], split.X_test.shape[0]),
        float(truth.mean(axis=0).max()),
    )


# -- tables, claims and the best systems


Outcomes = Mapping[str, Outcome]


def accuracy_table(outcomes: Outcomes) -> Table:
    rows = [
        Row.of(f"{TASKS[task]}, {name}", share_of(int(correct.sum()), len(correct)))
        for task, outcome in outcomes.items()
        for name, correct in outcome.correct.items()
    ]
    return PAPER.table("exclusive", rows)


def grids(outcomes: Outcomes) -> tuple[Grid, ...]:
    """All accuracies side by side; what was chosen; F1 of each label."""
    systems, settings, f1 = [], [], []
    for name, printed_name in PRINTED.items():
        printed = [PAPER[f"table{n}.{printed_name}.accuracy"].number for n in (3, 4)]
        correct = [outcome.correct.get(name) for outcome in outcomes.values()]
        systems.append((name, *printed, *("" if part is None else 100 * float(part.mean()) for part in correct)))
    for task, outcome in outcomes.items():
        choice, largest = outcome.choice, 100 * outcome.largest
        settings.append((TASKS[task], *outcome.sizes, largest, str(choice.plain), str(choice.density), choice.k))
        rows = [(label, *(float(of[n]) for of in outcome.f1.values())) for n, label in enumerate(outcome.labels)]
        f1.append(PAPER.grid("f1", rows, ("label", *outcome.f1), key_of_task=task, task=TASKS[task]))
    columns = "system", "printed, Indoor/Outdoor", "printed, Events", *(TASKS[task] for task in outcomes)
    return PAPER.grid("systems", systems, columns), PAPER.grid("exclusive_settings", settings), *f1


def claims(outcomes: Outcomes) -> list[Claim]:
    """Accuracy with density estimation and without: the paper's test and McNemar's."""
    better, gains, parts = [], {}, []
    for task, outcome in outcomes.items():
        a, b = outcome.correct[DENSITY], outcome.correct[PLAIN]
        careful = rb.significance.mcnemar(a, b).p
        theirs = rb.significance.chi_square([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]]).p
        gains[task] = 100 * (a.mean() - b.mean())
        better.append(gains[task] > 0 and careful < 0.05)
        ps = f"McNemar p = {careful:.2g}, the paper's chi-square {theirs:.2g}"
        parts.append(f"{TASKS[task]} {100 * b.mean():.1f} to {100 * a.mean():.1f} ({ps})")
    out = [PAPER.claim("accuracy", verdict_of(2 * sum(better) > len(better), any(better)), "; ".join(parts))]
    if len(outcomes) > 1:
        shares = {task: 100 * outcome.largest for task, outcome in outcomes.items()}
        order = sorted(outcomes, key=lambda task: shares[task])
        rising = [gains[task] for task in order] == sorted(gains.values())
        parts = [f"{TASKS[task]}: largest label {shares[task]:.0f} %, gain {gains[task]:+.1f}" for task in order]
        out.append(PAPER.claim("skewed", verdict_of(rising, gains[order[-1]] > gains[order[0]]), "; ".join(parts)))
    return out


def best(outcomes: Outcomes) -> list[Best]:
    """The best system of each task, and those not significantly worse by McNemar's test."""
    out = []
    for task, outcome in outcomes.items():
        values = {name: 100 * float(correct.mean()) for name, correct in outcome.correct.items()}
        first, others = best_of(values, lambda best, other: True)
        ps = [rb.significance.mcnemar(outcome.correct[first], outcome.correct[name]).p for name in others]
        adjusted = rb.significance.holm(ps)
        equals = [name for name, p in zip(others, adjusted, strict=True) if not p < 0.05]
        out.append(PAPER.best("exclusive", first, values[first], equals, task=TASKS[task]))
    return out
