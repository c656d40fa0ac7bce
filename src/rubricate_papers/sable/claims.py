"""What 004 says of its third experiment, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rubricate as rb

from ..frame import Claim, verdict_of, verdict_of_parts
from .reuters import PAPER, averages
from .tables import COMBO, DENSITY, DRAWS, MEASURES, PCUT, Results


def claims(results: Results, rules: Mapping[str, Any]) -> list[Claim]:
    out = [
        higher(results, "density", DENSITY, [PCUT], "miF1"),
        higher(results, "density_macro", PCUT, [DENSITY], "maF1"),
        sizes(results),
        higher(results, "combo_macro", COMBO, [PCUT, DENSITY], "maF1"),
        higher(results, "combo_pcut", COMBO, [PCUT], "miF1"),
        higher(results, "combo_density", DENSITY, [COMBO], "miF1"),
    ]
    beaten = [name for name in ("Naive Bayes", "Neural Net") if name in results.decisions]
    if beaten:
        out.append(higher(results, "beaten_rivals", DENSITY, beaten, "miF1"))
    for name in results.rivals:
        if name not in beaten:
            out.append(higher(results, "better_rival", name, [DENSITY], "miF1", name=name))
    if results.rivals:
        rows = {name: results.against(name, PCUT, "miF1") for name in results.rivals}
        evidence = "; ".join(f"{name} {d:+.1f} (p = {p:.2g})" for name, (d, p) in rows.items())
        out.append(PAPER.claim("pcut", direction(list(rows.values())), evidence))
    if rules:
        out.append(threshold_rules(results, rules))
    out.append(confidence(results))
    return out


def direction(rows: Sequence[tuple[float, float]]) -> str:
    """From differences and their p: all above 0 and significant; at least one above 0; none."""
    return verdict_of(all(d > 0 and p < 0.05 for d, p in rows), any(d > 0 for d, _ in rows))


def higher(results: Results, key: str, system: str, others: Sequence[str], measure: str, **words: str) -> Claim:
    """Whether a system is above others, with p of a randomisation test over stories."""
    rows = {other: results.against(system, other, measure) for other in others}
    name = MEASURES[measure] if measure == "maF1" else f"micro {MEASURES[measure]}"
    parts = [
        f"{other} {results.value(other, measure):.2f} (difference {d:+.2f}, p = {p:.2g})"
        for other, (d, p) in rows.items()
    ]
    evidence = f"{name}: {system} {results.value(system, measure):.2f}; {'; '.join(parts)}"
    return PAPER.claim(key, direction(list(rows.values())), evidence, **words)


def sizes(results: Results) -> Claim:
    """Sign tests over large and over small categories."""
    n_stories = np.asarray(results.stories.Y.sum(axis=0)).ravel()
    large = n_stories >= np.median(n_stories)
    density, plain = results.f1(DENSITY), results.f1(PCUT)
    good, parts = [], []
    for what, part, first, second in (
        ("largest", large, ("density", density), ("Pcut", plain)),
        ("smallest", ~large, ("Pcut", plain), ("density", density)),
    ):
        test = rb.significance.sign_test(first[1][part], second[1][part])
        good.append(test.wins > test.losses and test.p < 0.05)
        better = f"{test.wins} topics better with {first[0]}, {test.losses} with {second[0]}, {test.ties} equal"
        parts.append(f"the {int(part.sum())} {what}: {better} (p = {test.p:.2g})")
    return PAPER.claim("sizes", verdict_of_parts(good), "F1 on test stories. " + "; ".join(parts))


def threshold_rules(results: Results, rules: Mapping[str, Any]) -> Claim:
    comparison = rb.significance.compare(
        rules, results.stories.T, measure="microF1", against="Pcut", draws=DRAWS, interval_draws=100
    )
    values = {name: averages(decisions, results.stories.T) for name, decisions in rules.items()}
    parts = [f"{name} {micro:.1f} / {macro:.1f}" for name, (micro, macro) in values.items()]
    p = max(pair.adjusted for pair in comparison.pairs)
    evidence = f"micro / macro F1: {'; '.join(parts)}; micro F1, p = {p:.2g} at most"
    return PAPER.claim("rules", verdict_of_parts(pair.better == "Pcut" for pair in comparison.pairs), evidence)


def confidence(results: Results) -> Claim:
    p, truth = results.experiment.decisions.probability, results.stories.T.toarray()
    sure = p > 0.5
    error = 100 * rb.metrics.calibration_error(p[sure], truth[sure])
    mean, correct = 100 * p[sure].mean(), 100 * truth[sure].mean()
    evidence = (
        f"of the {int(sure.sum()):,} labels assigned to test stories the mean probability is {mean:.1f} %, and {correct:.1f} % "
        f"are right; expected calibration error {error:.1f} points (holds: below 5)"
    )
    return PAPER.claim("confidence", verdict_of(error < 5, error < 10), evidence)
