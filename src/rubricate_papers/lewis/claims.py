"""What 001 says, and whether it holds here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import rubricate as rb

from ..frame import Claim, verdict_of, verdict_of_parts
from .tables import LEVEL, Condition, Results
from .trials import ALGORITHMS, FORMS, PAPER, Method

MOST = 0.8  # of the conditions: «almost all»
ROCCHIO, WH, EG = ("Rocchio", "tf x idf"), ("WH", "tf x idf"), ("EG", "binary")


def claims(results: Results) -> tuple[Claim, ...]:
    out = [
        over_conditions(results, "wh", [(("WH", form), ("Rocchio", form)) for form in FORMS]),
        over_conditions(results, "eg", [(EG, ("Rocchio", "binary"))]),
        many_cases(results),
        over_conditions(results, "tfidf_rocchio", [(ROCCHIO, ("Rocchio", "binary"))]),
        over_conditions(results, "tfidf_wh", [(WH, ("WH", "binary"))]),
        over_conditions(results, "tfidf_eg", [(("EG", "tf x idf"), EG)]),
        more_documents(results),
        big_classes(results),
    ]
    if "ohsumed" in {segment.collection for segment in results.segments}:
        out.append(titles(results))
    out.append(rare_classes(results))
    if any(algorithm.endswith("last vector") for algorithm, _ in results.trials[0, 0]):
        for name, form in (WH, EG):
            pair = (name, form), (f"{name}, last vector", form)
            out.append(over_conditions(results, "mean_vector", [pair], name=name, form=form))
    return tuple(out)


def wins_by_condition(tests: Sequence[rb.significance.SignOutcome]) -> tuple[int, int, int]:
    """In how many conditions more classes are won, significantly more, and significantly fewer."""
    fewer = sum(rb.significance.sign_test(t.losses, t.wins, alternative="greater").p < LEVEL for t in tests)
    return sum(t.wins > t.losses for t in tests), sum(t.p < LEVEL for t in tests), fewer


def over_conditions(results: Results, key: str, pairs: Sequence[tuple[Method, Method]], **words: str) -> Claim:
    """The first against the second in every condition: holds if it wins more classes in most, significantly in most of all."""
    comparisons = [results.against(at, first, second) for at in results.conditions for first, second in pairs]
    tests, n = [test for test, _, _ in comparisons], len(comparisons)
    more, sure, fewer = wins_by_condition(tests)
    wins, losses = sum(t.wins for t in tests), sum(t.losses for t in tests)
    first_mean, second_mean = (float(np.mean([values[k] for values in comparisons])) for k in (1, 2))
    evidence = (
        f"more classes won in {more} of {n} conditions, significantly (sign test, one-tailed, 5 %) in {sure}, significantly "
        f"fewer in {fewer}; {wins} classes won, {losses} lost; mean F1 {first_mean:.3f} and {second_mean:.3f}"
    )
    return PAPER.claim(key, verdict_of(more >= MOST * n and sure >= n / 2, sure > fewer), evidence, **words)


def many_cases(results: Results) -> Claim:
    tests = [results.against(at, EG, ROCCHIO)[0] for at in results.conditions]
    more, sure, fewer = wins_by_condition(tests)
    evidence = f"more classes won in {more} of {len(tests)} conditions, significantly in {sure}; significantly fewer in {fewer}"
    return PAPER.claim("many_cases", verdict_of(2 * more >= len(tests) and sure > fewer, more > 0), evidence)


def compare_f1(a: Any, b: Any) -> rb.significance.SignOutcome:
    return rb.significance.sign_test(a, b, alternative="greater")


def more_documents(results: Results) -> Claim:
    """The largest training set against the smallest of the table, for every method."""
    few = max(results.plan["table sizes"])
    tests, gains, odd = [], [], set()
    for at in results.conditions:
        for method in product(ALGORITHMS, FORMS) if at.size == 0 else ():
            less = Condition(at.segment, few, at.group)
            a, b = (results.f1(where, method).mean(axis=0) for where in (at, less))
            tests.append(compare_f1(a, b))
            gains.append(float(a.mean() - b.mean()))
            if tests[-1].wins <= tests[-1].losses:
                odd.add(", ".join(method))
    more, sure, _ = wins_by_condition(tests)
    evidence = (
        f"all documents against {few:,}: more classes won in {more} of {len(tests)} cases (method, segment, group), "
        f"significantly in {sure}; mean F1 {float(np.mean(gains)):+.3f}"
        + (f"; not for {'; '.join(sorted(odd))}" if odd else "")
    )
    return PAPER.claim("more_documents", verdict_of(more >= MOST * len(tests), 2 * more > len(tests)), evidence)


def big_classes(results: Results) -> Claim:
    gaps, parts = [], []
    for at in results.conditions:
        if at.group == "big":
            small = Condition(at.segment, at.size, "small")
            values = [float(results.f1(at, m).mean() - results.f1(small, m).mean()) for m in (ROCCHIO, WH, EG)]
            gaps += values
            parts.append(f"{results.segments[at.segment].title}, {at.size or 'all'}: {np.mean(values):+.2f}")
    ahead = sum(gap > 0 for gap in gaps)
    cases = f"{ahead} of {len(gaps)} cases (Rocchio and WH on tf x idf, EG on binary)"
    verdict = verdict_of(ahead >= MOST * len(gaps), 2 * ahead > len(gaps))
    return PAPER.claim("big_classes", verdict, f"mean F1 of big classes is higher in {cases}. {'; '.join(parts)}")


def titles(results: Results) -> Claim:
    at = {segment.name: n for n, segment in enumerate(results.segments) if segment.collection == "ohsumed"}
    parts, good = [], []
    for size, *method in product(results.plan["table sizes"], ALGORITHMS, FORMS):
        a, b = (results.trials[at[name], size][method[0], method[1]].mean(axis=0) for name in ("title", "body"))
        test = compare_f1(a, b)
        good.append(test.wins > test.losses)
        parts.append(f"{' '.join(method)}, {size or 'all'}: {a.mean():.2f} and {b.mean():.2f} (p = {test.p:.2g})")
    verdict = verdict_of(all(good), sum(good) * 2 >= len(good))
    return PAPER.claim("titles", verdict, "mean F1 of titles and abstracts: " + "; ".join(parts))


def rare_classes(results: Results) -> Claim:
    """Whether WH's lead over Rocchio grows with the frequency of a class."""
    parts, signs = [], []
    for n, segment in enumerate(results.segments):
        gap = (results.trials[n, 0][WH] - results.trials[n, 0][ROCCHIO]).mean(axis=0)
        correlation = spearmanr(segment.frequencies, gap)
        signs.append(correlation.statistic > 0 and correlation.pvalue < LEVEL)
        parts.append(f"{segment.title} {correlation.statistic:+.2f} (p = {correlation.pvalue:.2g})")
    what = "rank correlation of a class's frequency with WH's lead over Rocchio (tf x idf, all documents)"
    return PAPER.claim("rare_classes", verdict_of_parts(signs), f"{what}: {'; '.join(parts)}")
