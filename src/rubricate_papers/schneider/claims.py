"""What 002 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Claim, Plan
from . import newsgroups
from .differences import against, fold_tests
from .reuters import Found

__all__ = ["best", "claims"]

Runs = Mapping[str, Found]


def claims(plan: Plan, folds: Mapping[str, Floats], literal: Runs, counted: Runs) -> tuple[Claim, ...]:
    """What the paper says of them."""
    sizes, words = list(plan["reuters words"]), list(plan["words"])
    tests = {size: fold_tests(folds, n) for n, size in enumerate(words)}
    sure = all(tests[size][1] < 0.01 for size in words if size <= 200)
    likely = all(tests[size][1] < 0.05 for size in words if size <= 2000)
    last = max(words)
    return (
        Claim(
            said="On 20 Newsgroups dKL is better than MI, at 99 % confidence for 20 to 200 words, at 95 % for 20 to 2,000.",
            verdict="holds" if sure and likely else "holds in part" if sure or likely else "does not hold",
            evidence="; ".join(
                f"{size:,} words {d:+.2f}, p = {p:.2g}" for size, (d, p, _) in tests.items() if size <= 2000
            )
            + f". Above, MI is better: {last:,} words {tests[last][0]:+.2f}",
            where="sec. 4",
        ),
        most_sizes("KL", literal, counted, sizes),
        most_sizes("dKL", literal, counted, sizes),
        at_size("At 100 words micro recall of dKL is 1.5 above MI", literal, counted, "dKL", "micro", sizes, 100),
        at_size(
            "At 20,000 words macro recall of KL is 3.9 above MI",
            literal,
            counted,
            "KL",
            "macro",
            sizes,
            20000,
        ),
        at_size("At 5,000 words macro recall of KL is 5.6 above MI", literal, counted, "KL", "macro", sizes, 5000),
        at_size("At 5,000 words macro recall of dKL is 2.9 above MI", literal, counted, "dKL", "macro", sizes, 5000),
    )


def most_sizes(name: str, literal: Runs, counted: Runs, sizes: Sequence[int]) -> Claim:
    """Whether it is above MI at most sizes."""
    above = [int((runs[name].micro > runs["MI"].micro).sum()) for runs in (literal, counted)]
    verdicts = ["holds" if 2 * n > len(sizes) else "does not hold" for n in above]
    return Claim(
        said=f"{name} has a slightly higher micro recall than MI for most numbers of words.",
        verdict=verdicts[0] if verdicts[0] == verdicts[1] else "holds in part",
        evidence=f"higher at {above[0]} of {len(sizes)} sizes as printed, at {above[1]} with numbers in the total alone",
        where="sec. 4, fig. 2",
    )


def at_size(said: str, literal: Runs, counted: Runs, name: str, average: str, sizes: Sequence[int], size: int) -> Claim:
    """A difference at one size, in both readings, with a randomisation test over stories and the sign test over topics."""
    at, told, good = sizes.index(size), [], []
    for reading, runs in (("as printed", literal), ("numbers in the total alone", counted)):
        difference, by_story, by_topic = against(runs[name], runs["MI"], average, at)
        good.append(difference > 0 and by_story < 0.05)
        told.append(f"{reading} {difference:+.1f} (p = {by_story:.2g} over stories, {by_topic:.2g} over ten topics)")
    verdict = "holds" if all(good) else "holds in part" if any(good) else "does not hold"
    return Claim(said=said + ".", verdict=verdict, evidence="; ".join(told), where="sec. 4")


def best(plan: Plan, folds: Mapping[str, Floats], literal: Runs, counted: Runs) -> tuple[Best, ...]:
    """The best score and size of each task."""
    at, name = max(
        (float(values.mean(axis=0)[n]), n, name) for name, values in folds.items() for n in range(values.shape[1])
    )[1:]
    rivals = [
        other
        for other, values in folds.items()
        if other != name
        and not rb.significance.corrected_resampled_t(
            folds[name][:, at], values[:, at], n_train=newsgroups.FOLDS - 1, n_test=1
        ).p
        < 0.05
    ]
    out = [
        Best(
            task="20 Newsgroups, choice of words for naive Bayes (002)",
            method=f"{name}, {plan['words'][at]:,} words",
            value=float(folds[name].mean(axis=0)[at]),
            measure="accuracy, %, five folds",
            equals=tuple(rivals),
        )
    ]
    for average in ("micro", "macro"):
        curves = {name: getattr(run, average).tolist() for name, run in literal.items()}
        value, n, method = max((value, n, name) for name, curve in curves.items() for n, value in enumerate(curve))
        equals = [
            other
            for other, run in literal.items()
            if other != method and against(literal[method], run, average, n)[1] >= 0.05
        ]
        out.append(
            Best(
                task=f"Reuters, ten topics, choice of words for naive Bayes (002), {average}",
                method=f"{method}, {plan['reuters words'][n]:,} words",
                value=value,
                measure=f"{average} recall at break-even, %",
                equals=tuple(equals),
                note="formulas as printed",
            )
        )
    return tuple(out)
