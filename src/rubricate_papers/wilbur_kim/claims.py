"""What the paper says, whether it holds here, and the best method of each task. Source: 003 sec. 5-7."""

from __future__ import annotations

import numpy as np

from ..frame import Best, Claim, verdict_of_parts
from .results import Results, Tally

SURE = 0.05
SMALL = 1.0  # points of which we would say that they have no practical value


def claims(results: Results) -> tuple[Claim, ...]:
    out = [at_least_as_good(results), significantly(results), almost_identical(results), svms(results)]
    out += [term_selection(results), stacking(results), above_chance(results), webkb(results)]
    return tuple(claim for claim in out if claim is not None)


def both(results: Results, first: str, second: str) -> tuple[Tally, Tally]:
    """The tally over the paper's problems and that over all binary problems."""
    return results.tally(first, second, binary=False), results.tally(first, second, binary=True)


def at_least_as_good(results: Results) -> Claim:
    tallies = both(results, "SMM", "MM")
    good = [2 * (tally.outcome.wins + tally.outcome.ties) > tally.outcome.n + tally.outcome.ties for tally in tallies]
    return Claim(
        said="SMM is as good as MM or better on most problems.",
        verdict=verdict_of_parts(good),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1, 6",
    )


def significantly(results: Results) -> Claim:
    tallies = both(results, "SMM", "MM")
    return Claim(
        said="SMM is better than MM by the sign test over all problems (20 : 6).",
        verdict=verdict_of_parts(t.outcome.wins > t.outcome.losses and t.outcome.p < SURE for t in tallies),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1",
    )


def almost_identical(results: Results) -> Claim:
    gaps: list[float] = []
    parts = []
    for other in ("DCM", "EDCM"):
        quality = results.quality["Reuters"]
        by_task = {"Reuters": quality["SMM"].micro - quality[other].micro}
        for task in ("20 Newsgroups", "WebKB"):
            by_task[task] = results.accuracy(task, "SMM").value - results.accuracy(task, other).value
        gaps += by_task.values()
        parts.append(f"SMM less {other}: " + ", ".join(f"{task} {value:+.2f}" for task, value in by_task.items()))
    return Claim(
        said="SMM is almost identical with DCM and EDCM, but for WebKB, where these are slightly better.",
        verdict=verdict_of_parts(
            [*(abs(gap) < SMALL for gap in np.array(gaps)[[0, 1, 3, 4]]), gaps[2] < 0, gaps[5] < 0]
        ),
        evidence="; ".join(parts) + f" (points; «almost identical» is read as less than {SMALL:g})",
        where="sec. 5.1",
    )


def svms(results: Results) -> Claim | None:
    if "IDF SVM" not in results.methods:
        return None
    tallies = both(results, "TF-IDF SVM", "IDF SVM")
    return Claim(
        said="TF-IDF SVM has a small advantage over IDF SVM, not significant by the sign test (12 : 6).",
        verdict=verdict_of_parts(t.outcome.wins > t.outcome.losses and t.outcome.p >= SURE for t in tallies),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1",
    )


def term_selection(results: Results) -> Claim:
    all_words, by_selection = results.quality["Reuters"], results.selection["Reuters"].quality
    better = [
        getattr(by_selection["MM"], average) > getattr(all_words["MM"], average) for average in ("micro", "macro")
    ]
    less = [
        getattr(by_selection["MM"], average) < getattr(by_selection["SMM"], average) for average in ("micro", "macro")
    ]
    tally = Tally.of(
        "SMM", "MM", "ten topics, words chosen", by_selection["SMM"].bep.tolist(), by_selection["MM"].bep.tolist()
    )
    return Claim(
        said="Choosing words by mutual information improves MM in general, and it is still less effective than SMM.",
        verdict=verdict_of_parts([*better, *less]),
        evidence=f"Reuters, micro / macro: MM {all_words['MM'].micro:.2f} / {all_words['MM'].macro:.2f} with all words, "
        f"{by_selection['MM'].micro:.2f} / {by_selection['MM'].macro:.2f} with those chosen; SMM with the same words "
        f"{by_selection['SMM'].micro:.2f} / {by_selection['SMM'].macro:.2f}; {tally}",
        where="sec. 5.1, fig. 3",
    )


def stacking(results: Results) -> Claim:
    tallies = [results.stacked_tally(binary=binary) for binary in (False, True)]
    won = [tally.outcome.wins > tally.outcome.losses for tally in tallies]
    sure = [tally.one_sided < SURE for tally in tallies]
    stack = results.stacked["Reuters"]
    step = stack.micro - stack.quality[1].micro
    return Claim(
        said="StMBM is better than MBM by the sign test (15 : 5), and the differences are of no practical value.",
        verdict=verdict_of_parts([*won, *sure, abs(step) < SMALL]),
        evidence="; ".join(map(str, [*tallies, results.stacked_tally_above_one()]))
        + f"; Reuters, micro break-even {step:+.2f} points; accuracy "
        + ", ".join(
            f"{task} {accuracies[1].value - accuracies[0].value:+.2f}"
            for task in ("20 Newsgroups", "WebKB")
            for accuracies in [results.stacked_accuracy(task)]
        ),
        where="sec. 5.2",
    )


def above_chance(results: Results) -> Claim:
    above, problems = results.above_chance()
    reuters = int(np.asarray(results.higher["Reuters"].above_random).sum())
    return Claim(
        said="The higher levels alone are significantly above chance on most problems (21 of 27).",
        verdict=verdict_of_parts([2 * above > problems]),
        evidence=f"above the upper limit of shuffled scores on {above} of {problems} binary problems; of the ten topics on "
        f"{reuters}",
        where="sec. 5.2",
    )


def webkb(results: Results) -> Claim:
    smm, mm = (results.accuracy("WebKB", method).value for method in ("SMM", "MM"))
    p = results.against("WebKB", "SMM", "MM")
    return Claim(
        said="WebKB is an exception: MM is better than SMM by 2.7 %.",
        verdict=verdict_of_parts([mm > smm]),
        evidence=f"MM {mm:.2f}, SMM {smm:.2f}, p = {p:.2g} (McNemar)",
        where="table 2",
    )


def best(results: Results) -> tuple[Best, ...]:
    """The best of the six methods on each task."""
    values = {
        "Reuters": {method: quality.micro for method, quality in results.quality["Reuters"].items()},
        **{
            task: {method: results.accuracy(task, method).value for method in results.methods}
            for task in ("20 Newsgroups", "WebKB")
        },
    }
    titles = {
        "Reuters": ("Reuters, ten topics, all words (003)", "micro break-even, %", "randomisation test over stories"),
        "20 Newsgroups": (
            "20 Newsgroups with whole headers (003)",
            "accuracy, %",
            "McNemar over articles; the headers name the groups",
        ),
        "WebKB": ("WebKB, Cornell for testing (003)", "accuracy, %", "McNemar over pages"),
    }
    out = []
    for task, by_method in values.items():
        first = max(by_method, key=lambda method: by_method[method])
        equals = [method for method in by_method if method != first and results.against(task, first, method) >= SURE]
        title, measure, test = titles[task]
        out.append(
            Best(task=title, method=first, value=by_method[first], measure=measure, equals=tuple(equals), note=test)
        )
    return tuple(out)
