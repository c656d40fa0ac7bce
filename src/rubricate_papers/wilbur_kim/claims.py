"""What the paper says, whether it holds here, and the best method of each task. Source: 003 sec. 5-7."""

from __future__ import annotations

import numpy as np

from ..frame import Best, Claim, best_of, verdict_of_parts
from .results import Results, Tally
from .tasks import PAPER

SURE = 0.05
SMALL = 1.0  # points of which we would say that they have no practical value


def claims(results: Results) -> tuple[Claim, ...]:
    machines = [svms(results)] if "IDF SVM" in results.methods else []
    return (
        *wins_over_mm(results),
        almost_identical(results),
        *machines,
        term_selection(results),
        stacking(results),
        above_chance(results),
        webkb(results),
    )


def tallies(results: Results, first: str, second: str) -> list[Tally]:
    """The tally over the paper's problems and that over all binary problems."""
    return [results.tally(first, second, binary=binary) for binary in (False, True)]


def wins_over_mm(results: Results) -> list[Claim]:
    both = tallies(results, "SMM", "MM")
    evidence, outcomes = "; ".join(map(str, both)), [tally.outcome for tally in both]
    as_good = verdict_of_parts(2 * (t.wins + t.ties) > t.n + t.ties for t in outcomes)
    better = verdict_of_parts(t.wins > t.losses and t.p < SURE for t in outcomes)
    return [PAPER.claim("as_good", as_good, evidence), PAPER.claim("significantly", better, evidence)]


def almost_identical(results: Results) -> Claim:
    good, parts = [], []
    for other in ("DCM", "EDCM"):
        quality = results.quality["Reuters"]
        gaps = {"Reuters": quality["SMM"].micro - quality[other].micro}
        for task in ("20 Newsgroups", "WebKB"):
            gaps[task] = results.accuracy(task, "SMM").value - results.accuracy(task, other).value
        good += [gap < 0 if task == "WebKB" else abs(gap) < SMALL for task, gap in gaps.items()]
        parts.append(f"SMM less {other}: " + ", ".join(f"{task} {value:+.2f}" for task, value in gaps.items()))
    evidence = "; ".join(parts) + f" (points; «almost identical» is read as less than {SMALL:g})"
    return PAPER.claim("almost_identical", verdict_of_parts(good), evidence)


def svms(results: Results) -> Claim:
    both = tallies(results, "TF-IDF SVM", "IDF SVM")
    verdict = verdict_of_parts(t.outcome.wins > t.outcome.losses and t.outcome.p >= SURE for t in both)
    return PAPER.claim("svms", verdict, "; ".join(map(str, both)))


def term_selection(results: Results) -> Claim:
    all_words, by_selection = results.quality["Reuters"]["MM"], results.selection["Reuters"].quality
    mm, smm = by_selection["MM"], by_selection["SMM"]
    better = [mm.micro > all_words.micro, mm.macro > all_words.macro]
    less = [mm.micro < smm.micro, mm.macro < smm.macro]
    tally = Tally.of("SMM", "MM", "ten topics, words chosen", smm.bep.tolist(), mm.bep.tolist())
    evidence = (
        f"Reuters, micro / macro: MM {all_words.micro:.2f} / {all_words.macro:.2f} with all words, {mm.micro:.2f} / "
        f"{mm.macro:.2f} with those chosen; SMM with the same words {smm.micro:.2f} / {smm.macro:.2f}; {tally}"
    )
    return PAPER.claim("term_selection", verdict_of_parts([*better, *less]), evidence)


def stacking(results: Results) -> Claim:
    both = [results.stacked_tally(binary=binary) for binary in (False, True)]
    good = [tally.outcome.wins > tally.outcome.losses for tally in both]
    good += [tally.one_sided < SURE for tally in both]
    stack = results.stacked["Reuters"]
    step = stack.micro - stack.quality[1].micro
    gains = []
    for task in ("20 Newsgroups", "WebKB"):
        plain, best = results.stacked_accuracy(task)
        gains.append(f"{task} {best.value - plain.value:+.2f}")
    tallies_text = "; ".join(map(str, [*both, results.stacked_tally_above_one()]))
    evidence = f"{tallies_text}; Reuters, micro break-even {step:+.2f} points; accuracy {', '.join(gains)}"
    return PAPER.claim("stacking", verdict_of_parts([*good, abs(step) < SMALL]), evidence)


def above_chance(results: Results) -> Claim:
    above = {task: np.asarray(shuffled.above_random) for task, shuffled in results.higher.items()}
    n, problems = int(sum(part.sum() for part in above.values())), sum(len(part) for part in above.values())
    evidence = (
        f"above the upper limit of shuffled scores on {n} of {problems} binary problems; of the ten topics on "
        f"{int(above['Reuters'].sum())}"
    )
    return PAPER.claim("above_chance", verdict_of_parts([2 * n > problems]), evidence)


def webkb(results: Results) -> Claim:
    smm, mm = (results.accuracy("WebKB", method).value for method in ("SMM", "MM"))
    p = results.against("WebKB", "SMM", "MM")
    return PAPER.claim("webkb", verdict_of_parts([mm > smm]), f"MM {mm:.2f}, SMM {smm:.2f}, p = {p:.2g} (McNemar)")


def best(results: Results) -> tuple[Best, ...]:
    values = {"Reuters": {method: quality.micro for method, quality in results.quality["Reuters"].items()}}
    for task in ("20 Newsgroups", "WebKB"):
        values[task] = {method: results.accuracy(task, method).value for method in results.methods}
    out = []
    for task, of_methods in values.items():
        first, equals = best_of(of_methods, lambda a, b: results.against(task, a, b) >= SURE)  # noqa: B023
        out.append(PAPER.best(task, first, of_methods[first], equals))
    return tuple(out)
