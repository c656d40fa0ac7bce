"""What 002 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Claim, Plan, verdict_of_parts
from . import newsgroups
from .reuters import Retrieval

Runs = Mapping[str, Retrieval]


def claims(plan: Plan, folds: Mapping[str, Floats], literal: Runs, with_numbers: Runs) -> tuple[Claim, ...]:
    sizes, words = list(plan["reuters words"]), list(plan["words"])
    tests = {size: fold_tests(folds, n) for n, size in enumerate(words)}
    sure = all(tests[size][1] < 0.01 for size in words if size <= 200)
    likely = all(tests[size][1] < 0.05 for size in words if size <= 2000)
    last = max(words)
    return (
        Claim(
            said="On 20 Newsgroups dKL is better than MI, at 99 % confidence for 20 to 200 words, at 95 % for 20 to 2,000.",
            verdict=verdict_of_parts([sure, likely]),
            evidence="; ".join(
                f"{size:,} words {d:+.2f}, p = {p:.2g}" for size, (d, p, _) in tests.items() if size <= 2000
            )
            + f". Above, MI is better: {last:,} words {tests[last][0]:+.2f}",
            where="sec. 4",
        ),
        most_sizes("KL", literal, with_numbers, sizes),
        most_sizes("dKL", literal, with_numbers, sizes),
        at_size("At 100 words micro recall of dKL is 1.5 above MI", literal, with_numbers, "dKL", "micro", sizes, 100),
        at_size(
            "At 20,000 words macro recall of KL is 3.9 above MI",
            literal,
            with_numbers,
            "KL",
            "macro",
            sizes,
            20000,
        ),
        at_size("At 5,000 words macro recall of KL is 5.6 above MI", literal, with_numbers, "KL", "macro", sizes, 5000),
        at_size(
            "At 5,000 words macro recall of dKL is 2.9 above MI", literal, with_numbers, "dKL", "macro", sizes, 5000
        ),
    )


def most_sizes(name: str, literal: Runs, with_numbers: Runs, sizes: Sequence[int]) -> Claim:
    """Whether its micro recall is above MI's at most sizes."""
    above = [int((runs[name].micro > runs["MI"].micro).sum()) for runs in (literal, with_numbers)]
    verdicts = ["holds" if 2 * n > len(sizes) else "does not hold" for n in above]
    return Claim(
        said=f"{name} has a slightly higher micro recall than MI for most numbers of words.",
        verdict=verdicts[0] if verdicts[0] == verdicts[1] else "holds in part",
        evidence=f"higher at {above[0]} of {len(sizes)} sizes as printed, at {above[1]} with numbers in the total alone",
        where="sec. 4, fig. 2",
    )


def at_size(
    sentence: str, literal: Runs, with_numbers: Runs, name: str, average: str, sizes: Sequence[int], size: int
) -> Claim:
    """A difference at one size, in both readings, with a randomisation test over stories and the sign test over topics."""
    at, parts, good = sizes.index(size), [], []
    for reading, runs in (("as printed", literal), ("numbers in the total alone", with_numbers)):
        difference, by_story, by_topic = against(runs[name], runs["MI"], average, at)
        good.append(difference > 0 and by_story < 0.05)
        parts.append(f"{reading} {difference:+.1f} (p = {by_story:.2g} over stories, {by_topic:.2g} over ten topics)")
    verdict = verdict_of_parts(good)
    return Claim(said=sentence + ".", verdict=verdict, evidence="; ".join(parts), where="sec. 4")


def best(plan: Plan, folds: Mapping[str, Floats], literal: Runs, with_numbers: Runs) -> tuple[Best, ...]:
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


# -- whether two ways to choose words differ: over folds, over stories, over topics


def against(first: Retrieval, second: Retrieval, average: str, at: int) -> tuple[float, float, float]:
    """The difference in recall, p of a randomisation test over stories, and p of the sign test over topics, two-sided.

    Swapping what two systems found, story by story, is a test of micro recall; of macro recall, where a story counts for more,
    the fewer its topic has.
    """
    sizes = [hits.shape[1] for hits in first.hits.values()]
    counts = np.repeat([1 / size for size in sizes], sizes) if average == "macro" else np.ones(sum(sizes))
    a, b = (run.pooled[at] * counts for run in (first, second))
    difference = getattr(first, average)[at] - getattr(second, average)[at]
    by_topic = rb.significance.sign_test(first.recall[:, at], second.recall[:, at]).p
    return float(difference), rb.significance.randomisation_of_pairs(a, b, random_state=0).p, by_topic


def fold_tests(folds: Mapping[str, Floats], n: int) -> tuple[float, float, float]:
    """dKL less MI, and p that it is higher: the paper's test, and the corrected one."""
    a, b = folds["dKL"][:, n], folds["MI"][:, n]
    corrected = rb.significance.corrected_resampled_t(
        a, b, n_train=newsgroups.FOLDS - 1, n_test=1, alternative="greater"
    )
    return float((a - b).mean()), rb.significance.paired_t_test(a, b, alternative="greater").p, corrected.p
