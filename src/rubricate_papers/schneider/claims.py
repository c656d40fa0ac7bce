"""What 002 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

import rubricate as rb

from ..arrays import Floats
from ..frame import Best, Claim, Plan, verdict_of_parts
from .tables import Runs
from .trials import FOLDS, PAPER, Retrieval


def claims(plan: Plan, folds: Mapping[str, Floats], literal: Runs, with_numbers: Runs) -> tuple[Claim, ...]:
    sizes, words = plan["reuters words"], plan["words"]
    tests = {size: fold_tests(folds, n) for n, size in enumerate(words)}
    sure = all(tests[size][1] < 0.01 for size in words if size <= 200)
    likely = all(tests[size][1] < 0.05 for size in words if size <= 2000)
    parts = [f"{size:,} words {d:+.2f}, p = {p:.2g}" for size, (d, p, _) in tests.items() if size <= 2000]
    above = f"Above, MI is better: {max(words):,} words {tests[max(words)][0]:+.2f}"
    points = (
        ("dKL", "micro", 100, 1.5),
        ("KL", "macro", 20000, 3.9),
        ("KL", "macro", 5000, 5.6),
        ("dKL", "macro", 5000, 2.9),
    )
    return (
        PAPER.claim("newsgroups", verdict_of_parts([sure, likely]), f"{'; '.join(parts)}. {above}"),
        *(most_sizes(name, literal, with_numbers) for name in ("KL", "dKL")),
        *(at_size(literal, with_numbers, sizes, *point) for point in points),
    )


def most_sizes(name: str, literal: Runs, with_numbers: Runs) -> Claim:
    n = len(literal["MI"].micro)
    above = [int((runs[name].micro > runs["MI"].micro).sum()) for runs in (literal, with_numbers)]
    evidence = f"higher at {above[0]} of {n} sizes as printed, at {above[1]} with numbers in the total alone"
    return PAPER.claim("most_sizes", verdict_of_parts(2 * k > n for k in above), evidence, name=name)


def at_size(
    literal: Runs, with_numbers: Runs, sizes: Sequence[int], name: str, average: str, size: int, printed: float
) -> Claim:
    """A difference at one size, in both readings, with a randomisation test over stories and the sign test over topics."""
    parts, good = [], []
    for reading, runs in (("as printed", literal), ("numbers in the total alone", with_numbers)):
        difference, by_story, by_topic = against(runs[name], runs["MI"], average, sizes.index(size))
        good.append(difference > 0 and by_story < 0.05)
        parts.append(f"{reading} {difference:+.1f} (p = {by_story:.2g} over stories, {by_topic:.2g} over ten topics)")
    words = {"name": name, "average": average, "size": size, "printed": printed}
    return PAPER.claim("at_size", verdict_of_parts(good), "; ".join(parts), **words)


def best(plan: Plan, folds: Mapping[str, Floats], literal: Runs) -> tuple[Best, ...]:
    means = {name: values.mean(axis=0).tolist() for name, values in folds.items()}
    value, at, name = max((value, n, name) for name, curve in means.items() for n, value in enumerate(curve))
    ps = {
        other: rb.significance.corrected_resampled_t(folds[name][:, at], values[:, at], n_train=FOLDS - 1, n_test=1).p
        for other, values in folds.items()
        if other != name
    }
    equals = [other for other, p in ps.items() if not p < 0.05]
    out = [PAPER.best("newsgroups", f"{name}, {plan['words'][at]:,} words", value, equals)]
    for average in ("micro", "macro"):
        curves = {name: getattr(run, average).tolist() for name, run in literal.items()}
        value, at, name = max((value, n, name) for name, curve in curves.items() for n, value in enumerate(curve))
        ps = {other: against(literal[name], run, average, at)[1] for other, run in literal.items() if other != name}
        method = f"{name}, {plan['reuters words'][at]:,} words"
        out.append(PAPER.best("reuters", method, value, [other for other in ps if ps[other] >= 0.05], average=average))
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
    corrected = rb.significance.corrected_resampled_t(a, b, n_train=FOLDS - 1, n_test=1, alternative="greater")
    return float((a - b).mean()), rb.significance.paired_t_test(a, b, alternative="greater").p, corrected.p
