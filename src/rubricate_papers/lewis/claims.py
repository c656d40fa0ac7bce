"""What 001 says, and whether it holds here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import spearmanr

import rubricate as rb

from ..frame import Claim, verdict_of, verdict_of_parts
from .tables import LEVEL, Condition, Results
from .trials import FORMS, Method

MOST = 0.8  # of the conditions: «almost all»
ROCCHIO, WH, EG = ("Rocchio", "tf x idf"), ("WH", "tf x idf"), ("EG", "binary")


def claims(results: Results) -> tuple[Claim, ...]:
    """In the order of the paper."""
    out = [
        over_conditions(
            results,
            "Under almost all conditions WH is more effective than Rocchio.",
            [(("WH", form), ("Rocchio", form)) for form in FORMS],
            "abstract, sec. 9",
        ),
        over_conditions(
            results,
            "Under almost all conditions EG (binary) is more effective than Rocchio (binary).",
            [(EG, ("Rocchio", "binary"))],
            "abstract, sec. 9",
        ),
        many_cases(results),
        over_conditions(
            results,
            "tf x idf is generally better than binary, for Rocchio.",
            [(ROCCHIO, ("Rocchio", "binary"))],
            "sec. 8",
        ),
        over_conditions(
            results, "tf x idf is generally better than binary, for WH.", [(WH, ("WH", "binary"))], "sec. 8"
        ),
        over_conditions(
            results,
            "Applying EG to tf x idf is an obvious next step (it was not run); tf x idf is better than binary, for EG too.",
            [(("EG", "tf x idf"), EG)],
            "sec. 10",
        ),
        more_documents(results),
        big_and_small(results),
    ]
    if {segment.collection for segment in results.segments} >= {"ohsumed"}:
        out.append(titles(results))
    out.append(rare_classes(results))
    if any(method[0].endswith("last vector") for method in results.trials[0, 0]):
        for name, form in (("WH", "tf x idf"), ("EG", "binary")):
            sentence = f"The mean of all weight vectors is a better choice than the last, for {name} ({form})."
            out.append(over_conditions(results, sentence, [((name, form), (f"{name}, last vector", form))], "sec. 3.2"))
    return tuple(out)


def over_conditions(results: Results, sentence: str, pairs: Sequence[tuple[Method, Method]], where: str) -> Claim:
    """The first against the second in every condition: holds if it wins more classes in most, significantly in most of all."""
    tests = [results.against(at, first, second) for at in results.conditions for first, second in pairs]
    n = len(tests)
    more, sure = sum(t.wins > t.losses for t, _, _ in tests), sum(t.p < LEVEL for t, _, _ in tests)
    back = sum(rb.significance.sign_test(t.losses, t.wins, alternative="greater").p < LEVEL for t, _, _ in tests)
    wins, losses = sum(t.wins for t, _, _ in tests), sum(t.losses for t, _, _ in tests)
    means = [float(np.mean([values[k] for values in tests])) for k in (1, 2)]
    verdict = verdict_of(more >= MOST * n and sure >= n / 2, sure > back)
    return Claim(
        said=sentence,
        verdict=verdict,
        evidence=f"more classes won in {more} of {n} conditions, significantly (sign test, one-tailed, 5 %) in {sure}, "
        f"significantly fewer in {back}; {wins} classes won, {losses} lost; mean F1 {means[0]:.3f} and {means[1]:.3f}",
        where=where,
    )


def many_cases(results: Results) -> Claim:
    tests = [results.against(at, EG, ROCCHIO)[0] for at in results.conditions]
    more, sure = sum(t.wins > t.losses for t in tests), sum(t.p < LEVEL for t in tests)
    back = sum(rb.significance.sign_test(t.losses, t.wins, alternative="greater").p < LEVEL for t in tests)
    return Claim(
        said="EG on binary documents is in many cases more effective than Rocchio on tf x idf.",
        verdict=verdict_of(2 * more >= len(tests) and sure > back, more > 0),
        evidence=f"more classes won in {more} of {len(tests)} conditions, significantly in {sure}; significantly fewer in {back}",
        where="sec. 9",
    )


def more_documents(results: Results) -> Claim:
    """The largest training set against the smallest of the table, for every method."""
    few, many = max(results.plan["table sizes"]), 0
    tests = []
    for at in results.conditions:
        if at.size == many:
            for algorithm in ("Rocchio", "WH", "EG"):
                for form in FORMS:
                    less = Condition(at.segment, few, at.group)
                    a, b = (results.f1(where, (algorithm, form)).mean(axis=0) for where in (at, less))
                    tests.append(
                        (
                            (algorithm, form),
                            rb.significance.sign_test(a, b, alternative="greater"),
                            float(a.mean() - b.mean()),
                        )
                    )
    more, sure = sum(t.wins > t.losses for _, t, _ in tests), sum(t.p < LEVEL for _, t, _ in tests)
    odd = sorted({", ".join(method) for method, t, _ in tests if t.wins <= t.losses})
    return Claim(
        said="More training data is better than less.",
        verdict=verdict_of(more >= MOST * len(tests), 2 * more > len(tests)),
        evidence=f"all documents against {few:,}: more classes won in {more} of {len(tests)} cases (method, segment, group), "
        f"significantly in {sure}; mean F1 {float(np.mean([d for _, _, d in tests])):+.3f}"
        + (f"; not for {'; '.join(odd)}" if odd else ""),
        where="sec. 8",
    )


def big_and_small(results: Results) -> Claim:
    gaps, parts = [], []
    for at in results.conditions:
        if at.group == "big":
            small = Condition(at.segment, at.size, "small")
            values = [
                float(results.f1(at, method).mean() - results.f1(small, method).mean()) for method in (ROCCHIO, WH, EG)
            ]
            gaps += values
            parts.append(f"{results.segments[at.segment].title}, {at.size or 'all'}: {np.mean(values):+.2f}")
    ahead = sum(gap > 0 for gap in gaps)
    return Claim(
        said="More positive training documents (big classes) are better than fewer.",
        verdict=verdict_of(ahead >= MOST * len(gaps), 2 * ahead > len(gaps)),
        evidence=f"mean F1 of big classes is higher in {ahead} of {len(gaps)} cases (Rocchio and WH on tf x idf, EG on binary). "
        + "; ".join(parts),
        where="sec. 8",
    )


def titles(results: Results) -> Claim:
    """OHSUMED's titles against its abstracts, class by class."""
    at = {segment.name: n for n, segment in enumerate(results.segments) if segment.collection == "ohsumed"}
    parts, good = [], []
    for size in results.plan["table sizes"]:
        for algorithm in ("Rocchio", "WH", "EG"):
            for form in FORMS:
                a, b = (results.trials[at[name], size][algorithm, form].mean(axis=0) for name in ("title", "body"))
                test = rb.significance.sign_test(a, b, alternative="greater")
                good.append(test.wins > test.losses)
                parts.append(
                    f"{algorithm} {form}, {size or 'all'}: {a.mean():.2f} and {b.mean():.2f} (p = {test.p:.2g})"
                )
    verdict = verdict_of(all(good), sum(good) * 2 >= len(good))
    return Claim(
        said="An anomaly: OHSUMED titles work better than OHSUMED abstracts.",
        verdict=verdict,
        evidence="mean F1 of titles and abstracts: " + "; ".join(parts),
        where="sec. 8",
    )


def rare_classes(results: Results) -> Claim:
    """Whether WH's lead over Rocchio grows with the frequency of a class."""
    parts, signs = [], []
    for n, segment in enumerate(results.segments):
        gap = (results.trials[n, 0][WH] - results.trials[n, 0][ROCCHIO]).mean(axis=0)
        correlation = spearmanr(segment.frequencies, gap)
        signs.append(correlation.statistic > 0 and correlation.pvalue < LEVEL)
        parts.append(f"{segment.title} {correlation.statistic:+.2f} (p = {correlation.pvalue:.2g})")
    return Claim(
        said="Rocchio does its best with relatively low frequency categories.",
        verdict=verdict_of_parts(signs),
        evidence="rank correlation of a class's frequency with WH's lead over Rocchio (tf x idf, all documents): "
        + "; ".join(parts),
        where="sec. 9",
    )
