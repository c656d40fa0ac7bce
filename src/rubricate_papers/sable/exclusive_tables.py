"""What came out where labels exclude each other: 004's tables 3 and 4 in form, on other collections."""

from __future__ import annotations

from collections.abc import Mapping

import rubricate as rb

from ..frame import Best, Claim, Grid, Published, Row, Table, share_of
from .exclusive import TASKS, Outcome

__all__ = ["accuracy_table", "best", "claims", "grids"]

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
        Row.of(f"{TASKS[task]}, {name}", share_of(int(right.sum()), len(right)))
        for task, one in outcomes.items()
        for name, right in one.right.items()
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
    for name, said in PRINTED.items():
        cells = [printed[f"table{n}.{said}.accuracy"].number for n in (3, 4)]
        ours = [100 * float(one.right[name].mean()) if name in one.right else "" for one in outcomes.values()]
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
                    *one.sizes,
                    100 * one.largest,
                    str(one.chosen.plain),
                    str(one.chosen.density),
                    one.chosen.k,
                )
                for task, one in outcomes.items()
            ),
        ),
    ]
    for task, one in outcomes.items():
        labels = tuple((label, *(float(values[n]) for values in one.f1.values())) for n, label in enumerate(one.labels))
        out.append(
            Grid(key=f"f1_{task}", title=f"F1 of each label, %: {TASKS[task]}", columns=("label", *one.f1), rows=labels)
        )
    return tuple(out)


def claims(outcomes: Outcomes) -> tuple[Claim, ...]:
    """Density estimation with and without, the paper's test and McNemar's."""
    tests, told = [], []
    for task, one in outcomes.items():
        a, b = one.right[DENSITY], one.right[PLAIN]
        careful = rb.significance.mcnemar(a, b).p
        theirs = rb.significance.chi_square([[a.sum(), (~a).sum()], [b.sum(), (~b).sum()]]).p
        tests.append((a.mean() - b.mean(), careful))
        told.append(
            f"{TASKS[task]} {100 * b.mean():.1f} to {100 * a.mean():.1f} "
            f"(McNemar p = {careful:.2g}, the paper's chi-square {theirs:.2g})"
        )
    better = [d > 0 and p < 0.05 for d, p in tests]
    majority = "holds" if 2 * sum(better) > len(tests) else "holds in part" if any(better) else "does not hold"
    out = [
        Claim(
            said="Density estimation improves the accuracy of Rocchio in the majority of cases.",
            verdict=majority,
            evidence="; ".join(told),
            where="sec. 1, 7, tables 3 and 4",
        )
    ]
    if len(outcomes) > 1:
        gains = {task: 100 * d for task, (d, _) in zip(outcomes, tests, strict=True)}
        shares = {task: 100 * one.largest for task, one in outcomes.items()}
        order = sorted(outcomes, key=lambda task: shares[task])
        rising = [gains[task] for task in order] == sorted(gains.values())
        out.append(
            Claim(
                said="Density estimation can account for skewed category sizes: the gain is larger where they are.",
                verdict="holds"
                if rising
                else "holds in part"
                if gains[order[-1]] > gains[order[0]]
                else "does not hold",
                evidence="; ".join(
                    f"{TASKS[task]}: largest label {shares[task]:.0f} %, gain {gains[task]:+.1f}" for task in order
                ),
                where="sec. 5",
            )
        )
    return tuple(out)


def best(outcomes: Outcomes) -> tuple[Best, ...]:
    """The best system of each task, and those that McNemar's test cannot tell from it."""
    out = []
    for task, one in outcomes.items():
        first = max(one.right, key=lambda name: one.right[name].mean())
        others = [name for name in one.right if name != first]
        adjusted = rb.significance.holm(
            [rb.significance.mcnemar(one.right[first], one.right[name]).p for name in others]
        )
        equals = tuple(name for name, p in zip(others, adjusted, strict=True) if not p < 0.05)
        value = 100 * float(one.right[first].mean())
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
