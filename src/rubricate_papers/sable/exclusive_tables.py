"""What came out where labels exclude each other: 004's tables 3 and 4 in form, on other collections."""

from __future__ import annotations

from collections.abc import Mapping

import rubricate as rb

from ..frame import Best, Claim, Grid, Published, Row, Table, share_of, verdict_of
from .exclusive import TASKS, Outcome

PLAIN, DENSITY = "Rocchio/TF*IDF", "Density Estimation"
PRINTED = {
    PLAIN: PLAIN,
    DENSITY: DENSITY,
    "K-Nearest Neighbor": "K-Nearest Neighbor",
    "Naive Bayes": "Naive Bayes (Rainbow)",
    "Probabilistic Indexing": "Probabilistic Indexing (Rainbow)",
    "SVMs": "SVMs (Rainbow)",
    "Maximum Entropy": "Maximum Entropy (Rainbow)",
}

Outcomes = Mapping[str, Outcome]


def accuracy_table(outcomes: Outcomes) -> Table:
    """Overall accuracy of every system on every task."""
    rows = [
        Row.of(f"{TASKS[task]}, {name}", share_of(int(correct.sum()), len(correct)))
        for task, outcome in outcomes.items()
        for name, correct in outcome.correct.items()
    ]
    note = "The paper's documents are not to be had, so that nothing printed stands beside; what it printed is in the grid below."
    return Table(
        key="exclusive",
        title="Labels that exclude each other: overall accuracy",
        measure="accuracy, %",
        rows=tuple(rows),
        where="tables 3 and 4, in form",
        note=note,
    )


def grids(outcomes: Outcomes, printed: Published) -> tuple[Grid, ...]:
    """All accuracies side by side; what was chosen; F1 of each label."""
    rows = []
    for name, printed_name in PRINTED.items():
        cells = [printed[f"table{n}.{printed_name}.accuracy"].number for n in (3, 4)]
        ours = [
            100 * float(outcome.correct[name].mean()) if name in outcome.correct else ""
            for outcome in outcomes.values()
        ]
        rows.append((name, *cells, *ours))
    out = [
        Grid(
            key="systems",
            title="Accuracy, %: the paper's two experiments, and ours",
            columns=("system", "printed, Indoor/Outdoor", "printed, Events", *(TASKS[task] for task in outcomes)),
            rows=tuple(rows),
            note="Printed for the last four: Rainbow's; ours are our models of the same kind (probabilistic indexing: PrTFIDF).",
        ),
        Grid(
            key="exclusive_settings",
            title="Chosen inside the training set",
            columns=("task", "training", "test", "largest label, %", "Rocchio", "density estimation", "k"),
            rows=tuple(
                (
                    TASKS[task],
                    *outcome.sizes,
                    100 * outcome.largest,
                    str(outcome.choice.plain),
                    str(outcome.choice.density),
                    outcome.choice.k,
                )
                for task, outcome in outcomes.items()
            ),
        ),
    ]
    for task, outcome in outcomes.items():
        labels = tuple(
            (label, *(float(values[n]) for values in outcome.f1.values())) for n, label in enumerate(outcome.labels)
        )
        out.append(
            Grid(
                key=f"f1_{task}",
                title=f"F1 of each label, %: {TASKS[task]}",
                columns=("label", *outcome.f1),
                rows=labels,
            )
        )
    return tuple(out)


def claims(outcomes: Outcomes) -> tuple[Claim, ...]:
    """Accuracy with density estimation and without: the paper's test and McNemar's."""
    tests, parts = [], []
    for task, outcome in outcomes.items():
        a, b = outcome.correct[DENSITY], outcome.correct[PLAIN]
        careful = rb.significance.mcnemar(a, b).p
        theirs = rb.significance.chi_square([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]]).p
        tests.append((a.mean() - b.mean(), careful))
        parts.append(
            f"{TASKS[task]} {100 * b.mean():.1f} to {100 * a.mean():.1f} "
            f"(McNemar p = {careful:.2g}, the paper's chi-square {theirs:.2g})"
        )
    better = [d > 0 and p < 0.05 for d, p in tests]
    majority = verdict_of(2 * sum(better) > len(tests), any(better))
    out = [
        Claim(
            said="Density estimation improves the accuracy of Rocchio in the majority of cases.",
            verdict=majority,
            evidence="; ".join(parts),
            where="sec. 1, 7, tables 3 and 4",
        )
    ]
    if len(outcomes) > 1:
        gains = {task: 100 * d for task, (d, _) in zip(outcomes, tests, strict=True)}
        shares = {task: 100 * outcome.largest for task, outcome in outcomes.items()}
        order = sorted(outcomes, key=lambda task: shares[task])
        rising = [gains[task] for task in order] == sorted(gains.values())
        out.append(
            Claim(
                said="Density estimation can account for skewed category sizes: the gain is larger where they are.",
                verdict=verdict_of(rising, gains[order[-1]] > gains[order[0]]),
                evidence="; ".join(
                    f"{TASKS[task]}: largest label {shares[task]:.0f} %, gain {gains[task]:+.1f}" for task in order
                ),
                where="sec. 5",
            )
        )
    return tuple(out)


def best(outcomes: Outcomes) -> tuple[Best, ...]:
    """The best system of each task, and those not significantly worse by McNemar's test."""
    out = []
    for task, outcome in outcomes.items():
        first = max(outcome.correct, key=lambda name: outcome.correct[name].mean())
        others = [name for name in outcome.correct if name != first]
        adjusted = rb.significance.holm(
            [rb.significance.mcnemar(outcome.correct[first], outcome.correct[name]).p for name in others]
        )
        equals = tuple(name for name, p in zip(others, adjusted, strict=True) if not p < 0.05)
        value = 100 * float(outcome.correct[first].mean())
        out.append(
            Best(
                task=f"{TASKS[task]}, random third (004)",
                method=first,
                value=value,
                measure="accuracy, %",
                equals=equals,
            )
        )
    return tuple(out)
