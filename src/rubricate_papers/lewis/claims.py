"""What 001 says, and whether it holds here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import spearmanr

import rubricate as rb

from ..frame import Claim
from .tables import LEVEL, Condition, Results
from .trials import FORMS, Method

__all__ = ["claims"]

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
    if {own.collection for own in results.segments} >= {"ohsumed"}:
        out.append(titles(results))
    out.append(rare_classes(results))
    if any(method[0].endswith("last vector") for method in results.found[0, 0]):
        for name, form in (("WH", "tf x idf"), ("EG", "binary")):
            said = f"The mean of all weight vectors is a better choice than the last, for {name} ({form})."
            out.append(over_conditions(results, said, [((name, form), (f"{name}, last vector", form))], "sec. 3.2"))
    return tuple(out)


def over_conditions(results: Results, said: str, pairs: Sequence[tuple[Method, Method]], where: str) -> Claim:
    """The first against the second in every condition: holds if it wins more classes in most, significantly in most of all."""
    tests = [results.against(at, one, other) for at in results.conditions for one, other in pairs]
    n = len(tests)
    more, sure = sum(t.wins > t.losses for t, _, _ in tests), sum(t.p < LEVEL for t, _, _ in tests)
    back = sum(rb.significance.sign_test(t.losses, t.wins, alternative="greater").p < LEVEL for t, _, _ in tests)
    wins, losses = sum(t.wins for t, _, _ in tests), sum(t.losses for t, _, _ in tests)
    means = [float(np.mean([values[k] for values in tests])) for k in (1, 2)]
    verdict = "holds" if more >= MOST * n and sure >= n / 2 else "holds in part" if sure > back else "does not hold"
    return Claim(
        said=said,
        verdict=verdict,
        evidence=f"more classes won in {more} of {n} conditions, significantly (sign test, one-tailed, 5 %) in {sure}, "
        f"significantly fewer in {back}; {wins} classes won, {losses} lost; mean F1 {means[0]:.3f} and {means[1]:.3f}",
        where=where,
    )


def many_cases(results: Results) -> Claim:
    """EG on binary against Rocchio on tf x idf."""
    tests = [results.against(at, EG, ROCCHIO)[0] for at in results.conditions]
    more, sure = sum(t.wins > t.losses for t in tests), sum(t.p < LEVEL for t in tests)
    back = sum(rb.significance.sign_test(t.losses, t.wins, alternative="greater").p < LEVEL for t in tests)
    return Claim(
        said="EG on binary documents is in many cases more effective than Rocchio on tf x idf.",
        verdict="holds" if 2 * more >= len(tests) and sure > back else "holds in part" if more else "does not hold",
        evidence=f"more classes won in {more} of {len(tests)} conditions, significantly in {sure}; significantly fewer in {back}",
        where="sec. 9",
    )


def more_documents(results: Results) -> Claim:
    """The largest training set against the smallest of the table, for every method."""
    few, many = max(results.plan["table sizes"]), 0
    tests = []
    for at in results.conditions:
        if at.size == many:
            for one in ("Rocchio", "WH", "EG"):
                for form in FORMS:
                    less = Condition(at.segment, few, at.group)
                    a, b = (results.f1(where, (one, form)).mean(axis=0) for where in (at, less))
                    tests.append(
                        (
                            (one, form),
                            rb.significance.sign_test(a, b, alternative="greater"),
                            float(a.mean() - b.mean()),
                        )
                    )
    more, sure = sum(t.wins > t.losses for _, t, _ in tests), sum(t.p < LEVEL for _, t, _ in tests)
    odd = sorted({", ".join(method) for method, t, _ in tests if t.wins <= t.losses})
    return Claim(
        said="More training data is better than less.",
        verdict="holds" if more >= MOST * len(tests) else "holds in part" if 2 * more > len(tests) else "does not hold",
        evidence=f"all documents against {few:,}: more classes won in {more} of {len(tests)} cases (method, segment, group), "
        f"significantly in {sure}; mean F1 {float(np.mean([d for _, _, d in tests])):+.3f}"
        + (f"; not for {'; '.join(odd)}" if odd else ""),
        where="sec. 8",
    )


def big_and_small(results: Results) -> Claim:
    """Big classes against small ones."""
    gaps, told = [], []
    for at in results.conditions:
        if at.group == "big":
            small = Condition(at.segment, at.size, "small")
            values = [
                float(results.f1(at, method).mean() - results.f1(small, method).mean()) for method in (ROCCHIO, WH, EG)
            ]
            gaps += values
            told.append(f"{results.segments[at.segment].title}, {at.size or 'all'}: {np.mean(values):+.2f}")
    ahead = sum(gap > 0 for gap in gaps)
    return Claim(
        said="More positive training documents (big classes) are better than fewer.",
        verdict="holds" if ahead >= MOST * len(gaps) else "holds in part" if 2 * ahead > len(gaps) else "does not hold",
        evidence=f"mean F1 of big classes is higher in {ahead} of {len(gaps)} cases (Rocchio and WH on tf x idf, EG on binary). "
        + "; ".join(told),
        where="sec. 8",
    )


def titles(results: Results) -> Claim:
    """OHSUMED's titles against its abstracts, class by class."""
    at = {own.name: n for n, own in enumerate(results.segments) if own.collection == "ohsumed"}
    parts, good = [], []
    for size in results.plan["table sizes"]:
        for one in ("Rocchio", "WH", "EG"):
            for form in FORMS:
                a, b = (results.found[at[name], size][one, form].mean(axis=0) for name in ("title", "body"))
                test = rb.significance.sign_test(a, b, alternative="greater")
                good.append(test.wins > test.losses)
                parts.append(f"{one} {form}, {size or 'all'}: {a.mean():.2f} and {b.mean():.2f} (p = {test.p:.2g})")
    verdict = "holds" if all(good) else "holds in part" if sum(good) * 2 >= len(good) else "does not hold"
    return Claim(
        said="An anomaly: OHSUMED titles work better than OHSUMED abstracts.",
        verdict=verdict,
        evidence="mean F1 of titles and abstracts: " + "; ".join(parts),
        where="sec. 8",
    )


def rare_classes(results: Results) -> Claim:
    """Whether WH's lead over Rocchio grows with the frequency of a class."""
    told, signs = [], []
    for n, own in enumerate(results.segments):
        gap = (results.found[n, 0][WH] - results.found[n, 0][ROCCHIO]).mean(axis=0)
        found = spearmanr(own.frequencies, gap)
        signs.append(found.statistic > 0 and found.pvalue < LEVEL)
        told.append(f"{own.title} {found.statistic:+.2f} (p = {found.pvalue:.2g})")
    return Claim(
        said="Rocchio does its best with relatively low frequency categories.",
        verdict="holds" if all(signs) else "holds in part" if any(signs) else "does not hold",
        evidence="rank correlation of a class's frequency with WH's lead over Rocchio (tf x idf, all documents): "
        + "; ".join(told),
        where="sec. 9",
    )
