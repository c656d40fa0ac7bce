"""What 001 says of routing, and whether it holds here. Verdicts are computed; a quick run tests too few topics for any."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import rubricate as rb

from ..frame import Claim, verdict_of_parts
from .results import LEVEL, Results
from .variants import EQUAL, MAX_NORM, OKAPI, OKAPI_ABOVE, Variants

SLIGHT = 0.02  # R-precision: what passes for «slight» and «similar»


def claims(results: Results, variants: Variants | None) -> tuple[Claim, ...]:
    """In the order of the paper."""
    out = [
        more_effective(results, "WH", "WH is more effective than Rocchio on routing."),
        more_effective(results, "EG", "EG is more effective than Rocchio on routing."),
        ranking_alike(results),
        as_many_features(results),
        large_feature_sets(results, variants),
        towards_zero(results),
    ]
    if variants is not None:
        out += [
            rate_matters_not(results, variants),
            start_matters_not(results, variants),
            order_matters_not(results, variants),
        ]
    return tuple(out)


def verdict(results: Results, good: Sequence[bool]) -> str:
    """Of several conditions: all, some or none; a quick run tests too few topics for any."""
    if results.plan.quick:
        return "not tested"
    return verdict_of_parts(good)


def more_effective(results: Results, method: str, sentence: str) -> Claim:
    """F1, one-tailed sign test, in each group of many relevant documents and each number of words."""
    parts, good = [], []
    for group in results.main:
        for size in results.plan["words"]:
            test, a, b = results.against(group, size, method, "Rocchio", "F1")
            good.append(test.p < LEVEL)
            text = f"{group.title}, Q+{size}: {test.wins}:{test.losses} (p = {test.p:.2g}), mean F1 {a:.2f} and {b:.2f}"
            if method == "WH":
                half, c, _ = results.against(group, size, "WH, half the rate", "Rocchio", "F1")
                text += f"; with half the rate {half.wins}:{half.losses} (p = {half.p:.2g}), {c:.2f}"
            parts.append(text)
    return Claim(
        said=sentence, verdict=verdict(results, good), evidence=". ".join(parts), where="abstract, table 4, sec. 9"
    )


def ranking_alike(results: Results) -> Claim:
    """Whether average precision says what F1 says."""
    parts, good = [], []
    for group in results.main:
        for size in results.plan["words"]:
            for method in ("WH", "EG"):
                by_cut, by_rank = (
                    results.against(group, size, method, "Rocchio", measure)[0]
                    for measure in ("F1", "average precision")
                )
                good.append((by_cut.wins > by_cut.losses) == (by_rank.wins > by_rank.losses))
                parts.append(
                    f"{group.title}, Q+{size}, {method}: F1 {by_cut.wins}:{by_cut.losses}, average precision "
                    f"{by_rank.wins}:{by_rank.losses}"
                )
    return Claim(
        said="Similar results were obtained when documents were ranked, with effectiveness measured by SAP.",
        verdict=verdict(results, good),
        evidence="; ".join(parts),
        where="sec. 9",
    )


def as_many_features(results: Results) -> Claim:
    """EG with 50 and with 1000 words."""
    few, many = min(results.plan["words"]), max(results.plan["words"])
    parts, good = [], []
    for group in results.main:
        for measure in ("R-precision", "F1"):
            a, b = (results.values(group, size, "EG", measure) for size in (many, few))
            p = rb.significance.sign_test(a, b).p
            good.append(not p < LEVEL)
            parts.append(
                f"{group.title}: {measure} {a.mean():.3f} with {many}, {b.mean():.3f} with {few} (p = {p:.2g})"
            )
    return Claim(
        said="EG with 1000 features gave essentially the same effectiveness as with 50.",
        verdict=verdict(results, good),
        evidence="; ".join(parts) + ". Printed: .404 and .415 on topics 51-100, .295 and .403 on 101-150",
        where="sec. 9",
    )


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
    return Claim(
        said="Rocchio is ill suited to large feature sets here, probably due to differences in document length normalization.",
        verdict=verdict(results, [all(falls), bool(by_length) and all(by_length)]),
        evidence=f"R-precision from Q+{few} to Q+{many}. " + "; ".join(parts),
        where="table 3, sec. 9",
    )


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
        parts.append(
            f"{group.title}: {100 * eg:.0f} % of EG's weights, {100 * before:.0f} % of Rocchio's it started from"
        )
    return Claim(
        said="EG tends to drive toward zero many of the weights.",
        verdict=verdict(results, good),
        evidence=f"below a tenth of the mean weight, Q+{many}: " + "; ".join(parts),
        where="sec. 9",
    )


def compare_variants(results: Results, variants: Variants, first: str, second: str) -> tuple[list[str], list[bool]]:
    """Two variants in all conditions: their means with p, and whether they are near and not significantly different."""
    parts, good = [], []
    for n, stream in enumerate(variants.streams):
        for size in results.plan["words"]:
            a, b, p = variants.pair(first, second, size, n)
            good.append(abs(a - b) <= SLIGHT and not p < LEVEL)
            parts.append(f"{stream.collection}, Q+{size}: {a:.3f} and {b:.3f} (p = {p:.2g})")
    return parts, good


def rate_matters_not(results: Results, variants: Variants) -> Claim:
    parts, good = compare_variants(results, variants, MAX_NORM, "WH")
    return Claim(
        said="WH's rate (1/||x||^2 for each example instead of 1/(4 X^2)) is unlikely to have had an effect, given the training "
        "procedure.",
        verdict=verdict(results, good),
        evidence=f"mean R-precision with 1/(4 X^2) and with 1/||x||^2 as printed, {variants.draws:,} draws: "
        + "; ".join(parts),
        where="sec. 7.2",
    )


def start_matters_not(results: Results, variants: Variants) -> Claim:
    parts, good = compare_variants(results, variants, EQUAL, "EG")
    return Claim(
        said="EG started from equal weights produces similar results.",
        verdict=verdict(results, good),
        evidence=f"mean R-precision from equal weights and from Rocchio's, {variants.draws:,} draws: "
        + "; ".join(parts),
        where="sec. 7.2",
    )


def order_matters_not(results: Results, variants: Variants) -> Claim:
    parts, good = [], []
    for name in ("WH", "EG"):
        for n, stream in enumerate(variants.streams):
            for size in results.plan["words"]:
                spread = float(np.mean(variants.seeds[n, size, name].std(axis=0, ddof=1)))
                good.append(spread <= SLIGHT)
                parts.append(f"{name}, {stream.collection}, Q+{size}: {spread:.3f}")
    return Claim(
        said="The order of the examples has slight impact, due to pocketing and to examples seen many times.",
        verdict=verdict(results, good),
        evidence=f"standard deviation of a topic's R-precision over {results.plan['orders']} sequences of {variants.draws:,} "
        "draws, mean over topics: " + "; ".join(parts),
        where="sec. 7.2",
    )
