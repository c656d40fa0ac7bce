"""What 004 says of its third experiment, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Claim, verdict_of, verdict_of_parts
from .reuters import averages
from .tables import COMBO, DENSITY, DRAWS, MEASURES, PCUT, Results


def claims(results: Results, rules: Mapping[str, Any]) -> tuple[Claim, ...]:
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
    run_here = [name for name in ("Naive Bayes", "Neural Net") if name in results.decisions]
    if run_here:
        sentence = (
            "By micro F1 density estimation is better than naive Bayes, and marginally better than the neural net."
        )
        out.append(higher(results, sentence, DENSITY, run_here, "miF1"))
    others = list(results.rivals)
    for name in others:
        if name not in run_here:
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
    if rules:
        out.append(rules_claim(results, rules))
    out.append(confidence_claim(results))
    return tuple(out)


def direction(rows: Sequence[tuple[float, float]]) -> str:
    """From differences and their p: all above 0 and significant; at least one above 0; none."""
    return verdict_of(all(d > 0 and p < 0.05 for d, p in rows), any(d > 0 for d, _ in rows))


def higher(results: Results, sentence: str, system: str, others: Sequence[str], measure: str) -> Claim:
    """Whether a system is above others, with p of a randomisation test over stories."""
    rows = [results.against(system, other, measure) for other in others]
    name = MEASURES[measure] if measure == "maF1" else f"micro {MEASURES[measure]}"
    return Claim(
        said=sentence,
        verdict=direction(rows),
        evidence=f"{name}: {system} {results.value(system, measure):.2f}; "
        + "; ".join(
            f"{other} {results.value(other, measure):.2f} (difference {d:+.2f}, p = {p:.2g})"
            for other, (d, p) in zip(others, rows, strict=True)
        ),
        where="sec. 7.3",
    )


def sizes_claim(results: Results) -> Claim:
    """Sign tests over large and over small categories."""
    sizes = np.asarray(results.stories.Y.sum(axis=0)).ravel()
    large = sizes >= np.median(sizes)
    density, plain = results.f1(DENSITY), results.f1(PCUT)
    tests = [
        rb.significance.sign_test(density[large], plain[large]),
        rb.significance.sign_test(plain[~large], density[~large]),
    ]
    parts = [
        f"{what}: {test.wins} topics better with {who}, {test.losses} with {other}, {test.ties} equal (p = {test.p:.2g})"
        for test, what, who, other in zip(
            tests,
            (f"the {int(large.sum())} largest", f"the {int((~large).sum())} smallest"),
            ("density", "Pcut"),
            ("Pcut", "density"),
            strict=True,
        )
    ]
    return Claim(
        said="Density estimation may do better for large categories, Pcut for small ones.",
        verdict=verdict_of_parts(test.wins > test.losses and test.p < 0.05 for test in tests),
        evidence="F1 on test stories. " + "; ".join(parts),
        where="sec. 7.3",
    )


def rules_claim(results: Results, rules: Mapping[str, Any]) -> Claim:
    """Pcut against Scut and the complement category."""
    comparison = rb.significance.compare(
        rules, results.stories.T, measure="microF1", against="Pcut", draws=DRAWS, interval_draws=100
    )
    values = {name: averages(decisions, results.stories.T) for name, decisions in rules.items()}
    good = [pair.better == "Pcut" for pair in comparison.pairs]
    return Claim(
        said="Of the three standard ways to decide by Rocchio's similarities Pcut works by far the best.",
        verdict=verdict_of_parts(good),
        evidence="micro / macro F1: "
        + "; ".join(f"{name} {micro:.1f} / {macro:.1f}" for name, (micro, macro) in values.items())
        + f"; micro F1, p = {max(pair.adjusted for pair in comparison.pairs):.2g} at most",
        where="sec. 7.3",
    )


def confidence_claim(results: Results) -> Claim:
    """Whether the probabilities are calibrated."""
    p, truth = results.experiment.decisions.probability, results.stories.T.toarray()
    sure = p > 0.5
    off = 100 * rb.metrics.calibration_error(p[sure], truth[sure])
    mean, right = 100 * p[sure].mean(), 100 * truth[sure].mean()
    return Claim(
        said="Density estimation's probabilities are confidence measures that are easily interpretable.",
        verdict=verdict_of(off < 5, off < 10),
        evidence=f"of the {int(sure.sum()):,} labels assigned to test stories the mean probability is {mean:.1f} %, "
        f"and {right:.1f} % are right; expected calibration error {off:.1f} points (holds: below 5)",
        where="abstract, sec. 8",
    )
