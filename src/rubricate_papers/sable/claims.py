"""What 004 says of its third experiment, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Claim
from .reuters import averages
from .tables import COMBO, DENSITY, DRAWS, MEASURES, PCUT, Results

__all__ = ["claims"]


def claims(results: Results, cuts: Mapping[str, Any]) -> tuple[Claim, ...]:
    """What the paper says of its third experiment."""
    out = [
        higher(
            results,
            "Density estimation is a major improvement on Rocchio with Pcut by micro F1 (70.96 to 82.98).",
            DENSITY,
            [PCUT],
            "miF1",
        ),
        higher(results, "It lowers macro F1 (50.14 to 40.52), which Pcut keeps higher.", PCUT, [DENSITY], "maF1"),
        sizes_claim(results),
        higher(results, "Combo has a higher macro F1 than either alone.", COMBO, [PCUT, DENSITY], "maF1"),
        higher(results, "By micro F1 Combo is much better than Pcut.", COMBO, [PCUT], "miF1"),
        higher(
            results,
            "By micro F1 Combo is slightly worse than density estimation for all categories.",
            DENSITY,
            [COMBO],
            "miF1",
        ),
    ]
    there = [name for name in ("Naive Bayes", "Neural Net") if name in results.decisions]
    if there:
        said = "By micro F1 density estimation is better than naive Bayes, and marginally better than the neural net."
        out.append(higher(results, said, DENSITY, there, "miF1"))
    others = list(results.rivals)
    for name in others:
        if name not in there:
            out.append(
                higher(results, f"By micro F1 {name} is better than density estimation.", name, [DENSITY], "miF1")
            )
    if others:
        rows = [results.against(name, PCUT, "miF1") for name in others]
        out.append(
            Claim(
                said="Rocchio with Pcut is far below all methods of Yang & Liu by micro F1.",
                verdict=direction(rows),
                evidence="; ".join(f"{name} {d:+.1f} (p = {p:.2g})" for name, (d, p) in zip(others, rows, strict=True)),
                where="sec. 7.3",
            )
        )
    if cuts:
        out.append(cuts_claim(results, cuts))
    out.append(confidence_claim(results))
    return tuple(out)


def verdict(good: Sequence[bool]) -> str:
    """From the parts of a claim."""
    return "holds" if all(good) else "holds in part" if any(good) else "does not hold"


def direction(rows: Sequence[tuple[float, float]]) -> str:
    """Differences and p: all above 0 and significant; at least one above 0; none."""
    return "holds" if all(d > 0 and p < 0.05 for d, p in rows) else verdict([d > 0 for d, _ in rows] + [False])


def higher(results: Results, said: str, one: str, others: Sequence[str], measure: str) -> Claim:
    """One system above others, with p of a randomisation test over stories."""
    rows = [results.against(one, other, measure) for other in others]
    name = MEASURES[measure] if measure == "maF1" else f"micro {MEASURES[measure]}"
    return Claim(
        said=said,
        verdict=direction(rows),
        evidence=f"{name}: {one} {results.value(one, measure):.2f}; "
        + "; ".join(
            f"{other} {results.value(other, measure):.2f} (difference {d:+.2f}, p = {p:.2g})"
            for other, (d, p) in zip(others, rows, strict=True)
        ),
        where="sec. 7.3",
    )


def sizes_claim(results: Results) -> Claim:
    """Large categories and small ones, apart."""
    sizes = np.asarray(results.own.Y.sum(axis=0)).ravel()
    large = sizes >= np.median(sizes)
    density, plain = results.f1(DENSITY), results.f1(PCUT)
    tests = [
        rb.significance.sign_test(density[large], plain[large]),
        rb.significance.sign_test(plain[~large], density[~large]),
    ]
    told = [
        f"{what}: {one.wins} topics better with {who}, {one.losses} with {other}, {one.ties} equal (p = {one.p:.2g})"
        for one, what, who, other in zip(
            tests,
            (f"the {int(large.sum())} largest", f"the {int((~large).sum())} smallest"),
            ("density", "Pcut"),
            ("Pcut", "density"),
            strict=True,
        )
    ]
    return Claim(
        said="Density estimation may do better for large categories, Pcut for small ones.",
        verdict=verdict([one.wins > one.losses and one.p < 0.05 for one in tests]),
        evidence="F1 on test stories. " + "; ".join(told),
        where="sec. 7.3",
    )


def cuts_claim(results: Results, cuts: Mapping[str, Any]) -> Claim:
    """Pcut against Scut and the complement category."""
    comparison = rb.significance.compare(
        cuts, results.own.T, measure="microF1", against="Pcut", draws=DRAWS, interval_draws=100
    )
    values = {name: averages(own, results.own.T) for name, own in cuts.items()}
    good = [pair.better == "Pcut" for pair in comparison.pairs]
    return Claim(
        said="Of the three standard ways to decide by Rocchio's similarities Pcut works by far the best.",
        verdict=verdict(good),
        evidence="micro / macro F1: "
        + "; ".join(f"{name} {micro:.1f} / {macro:.1f}" for name, (micro, macro) in values.items())
        + f"; micro F1, p = {max(pair.adjusted for pair in comparison.pairs):.2g} at most",
        where="sec. 7.3",
    )


def confidence_claim(results: Results) -> Claim:
    """Whether the probabilities are what they say."""
    p, truth = results.found.decided.probability, results.own.T.toarray()
    sure = p > 0.5
    off = 100 * rb.metrics.calibration_error(p[sure], truth[sure])
    mean, right = 100 * p[sure].mean(), 100 * truth[sure].mean()
    return Claim(
        said="Density estimation's probabilities are confidence measures that are easily interpretable.",
        verdict="holds" if off < 5 else "holds in part" if off < 10 else "does not hold",
        evidence=f"of the {int(sure.sum()):,} labels assigned to test stories the mean probability is {mean:.1f} %, "
        f"and {right:.1f} % are right; expected calibration error {off:.1f} points (holds: below 5)",
        where="abstract, sec. 8",
    )
