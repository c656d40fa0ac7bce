"""What 001 says of routing, and whether it holds here. Verdicts are computed; a quick run tests too few topics for any."""

from __future__ import annotations

from itertools import product

import numpy as np

import rubricate as rb

from ..frame import Claim, verdict_of_parts
from .results import LEVEL, Results
from .trials import PAPER
from .variants import EQUAL, MAX_NORM, OKAPI, OKAPI_ABOVE, Variants

SLIGHT = 0.02  # R-precision: what passes for «slight» and «similar»


def claims(results: Results, variants: Variants | None) -> tuple[Claim, ...]:
    out = [
        more_effective(results, "WH"),
        more_effective(results, "EG"),
        ranking(results),
        features(results),
        large_feature_sets(results, variants),
        towards_zero(results),
    ]
    if variants is not None:
        rates = "mean R-precision with 1/(4 X^2) and with 1/||x||^2 as printed"
        starts = "mean R-precision from equal weights and from Rocchio's"
        out += [
            compare_variants("rate", results, variants, MAX_NORM, "WH", rates),
            compare_variants("start", results, variants, EQUAL, "EG", starts),
            order_of_examples(results, variants),
        ]
    return tuple(out)


def claim(key: str, results: Results, good: list[bool], evidence: str, **words: str) -> Claim:
    """Of several conditions: all, some or none; a quick run tests too few topics for any."""
    return PAPER.claim(key, "not tested" if results.plan.quick else verdict_of_parts(good), evidence, **words)


def more_effective(results: Results, method: str) -> Claim:
    """F1, one-tailed sign test, in each group of many relevant documents and each number of words."""
    parts, good = [], []
    for group, size in product(results.main, results.plan["words"]):
        test, a, b = results.against(group, size, method, "Rocchio", "F1")
        good.append(test.p < LEVEL)
        text = f"{group.title}, Q+{size}: {test.wins}:{test.losses} (p = {test.p:.2g}), mean F1 {a:.2f} and {b:.2f}"
        if method == "WH":
            half, c, _ = results.against(group, size, "WH, half the rate", "Rocchio", "F1")
            text += f"; with half the rate {half.wins}:{half.losses} (p = {half.p:.2g}), {c:.2f}"
        parts.append(text)
    return claim("more_effective", results, good, ". ".join(parts), method=method)


def ranking(results: Results) -> Claim:
    parts, good = [], []
    for group, size, method in product(results.main, results.plan["words"], ("WH", "EG")):
        f1, precision = (
            results.against(group, size, method, "Rocchio", measure)[0] for measure in ("F1", "average precision")
        )
        good.append((f1.wins > f1.losses) == (precision.wins > precision.losses))
        wins = f"F1 {f1.wins}:{f1.losses}, average precision {precision.wins}:{precision.losses}"
        parts.append(f"{group.title}, Q+{size}, {method}: {wins}")
    return claim("ranking", results, good, "; ".join(parts))


def features(results: Results) -> Claim:
    few, many = min(results.plan["words"]), max(results.plan["words"])
    parts, good = [], []
    for group, measure in product(results.main, ("R-precision", "F1")):
        a, b = (results.values(group, size, "EG", measure) for size in (many, few))
        p = rb.significance.sign_test(a, b).p
        good.append(not p < LEVEL)
        means = f"{a.mean():.3f} with {many}, {b.mean():.3f} with {few}"
        parts.append(f"{group.title}: {measure} {means} (p = {p:.2g})")
    printed = "Printed: .404 and .415 on topics 51-100, .295 and .403 on 101-150"
    return claim("features", results, good, f"{'; '.join(parts)}. {printed}")


def large_feature_sets(results: Results, variants: Variants | None) -> Claim:
    """Rocchio's fall, and what it comes from: lengths, which the paper suspects, or the 0.4 of absent words."""
    few, many = min(results.plan["words"]), max(results.plan["words"])
    parts, falls, by_length = [], [], []
    for group in results.main:
        a, b, c, d = (
            results.values(group, size, method, "R-precision")
            for method in ("Rocchio", "Rocchio above 0.4")
            for size in (few, many)
        )
        falls.append(rb.significance.sign_test(a, b, alternative="greater").p < LEVEL)
        means = [float(values.mean()) for values in (a, b, c, d)]
        parts.append(
            f"{group.title}: {means[0]:.3f} to {means[1]:.3f} on whole beliefs, {means[2]:.3f} to {means[3]:.3f} where an "
            f"absent word counts 0 instead of 0.4 ({fall_text(means[0] - means[1], means[2] - means[3])})"
        )
    changed, streams = ({}, []) if variants is None else (variants.changed, variants.streams)
    for n, stream in enumerate(streams):
        lost = {}
        for name in ("Rocchio", OKAPI, OKAPI_ABOVE):
            few_words, many_words = (float(changed[n, size, name].mean()) for size in (few, many))
            lost[name] = few_words - many_words
            parts.append(f"{stream.collection}, some topics, {name}: {few_words:.3f} to {many_words:.3f}")
        by_length.append(lost[OKAPI] < lost["Rocchio"] / 2)
        parts[-2] += f" ({fall_text(lost['Rocchio'], lost[OKAPI])})"
    good = [all(falls), bool(by_length) and all(by_length)]
    return claim("large_feature_sets", results, good, f"R-precision from Q+{few} to Q+{many}. " + "; ".join(parts))


def fall_text(before: float, after: float) -> str:
    """How much of a fall in effectiveness a change removes."""
    return f"{100 * (1 - after / before):.0f} % of the fall is gone" if before > 0 else "there was no fall"


def towards_zero(results: Results) -> Claim:
    """The share of weights below a tenth of the mean weight, EG beside Rocchio."""
    many = max(results.plan["words"])
    parts, good = [], []
    for group in results.main:
        eg, before = (
            float(results.pooled[group.stream, many, method].small[group.topics].mean()) for method in ("EG", "Rocchio")
        )
        good.append(eg > 0.25 and eg > before)
        shares = f"{100 * eg:.0f} % of EG's weights, {100 * before:.0f} % of Rocchio's it started from"
        parts.append(f"{group.title}: {shares}")
    return claim("towards_zero", results, good, f"below a tenth of the mean weight, Q+{many}: " + "; ".join(parts))


def compare_variants(key: str, results: Results, variants: Variants, first: str, second: str, what: str) -> Claim:
    """Two variants in all conditions: their means with p, and whether they are near and not significantly different."""
    parts, good = [], []
    for (n, stream), size in product(enumerate(variants.streams), results.plan["words"]):
        a, b, p = variants.pair(first, second, size, n)
        good.append(abs(a - b) <= SLIGHT and not p < LEVEL)
        parts.append(f"{stream.collection}, Q+{size}: {a:.3f} and {b:.3f} (p = {p:.2g})")
    return claim(key, results, good, f"{what}, {variants.draws:,} draws: " + "; ".join(parts))


def order_of_examples(results: Results, variants: Variants) -> Claim:
    parts, good = [], []
    for name, (n, stream), size in product(("WH", "EG"), enumerate(variants.streams), results.plan["words"]):
        spread = float(np.mean(variants.seeds[n, size, name].std(axis=0, ddof=1)))
        good.append(spread <= SLIGHT)
        parts.append(f"{name}, {stream.collection}, Q+{size}: {spread:.3f}")
    sequences = f"{results.plan['orders']} sequences of {variants.draws:,} draws"
    evidence = f"standard deviation of a topic's R-precision over {sequences}, mean over topics: {'; '.join(parts)}"
    return claim("order", results, good, evidence)
