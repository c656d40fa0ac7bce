"""What the paper says, whether it holds here, and the best method of each task. Source: 003 sec. 5-7."""

from __future__ import annotations

import numpy as np

from ..frame import Best, Claim
from .results import Results, Tally

__all__ = ["best", "claims"]

SURE = 0.05
SMALL = 1.0  # points of which we would say that they have no practical value


def claims(results: Results) -> tuple[Claim, ...]:
    """All claims."""
    out = [at_least_as_good(results), significantly(results), alike(results), machines(results)]
    out += [choosing(results), stacking(results), above_chance(results), webkb(results)]
    return tuple(own for own in out if own is not None)


def verdict(*good: bool) -> str:
    """All, some or none."""
    return "holds" if all(good) else "holds in part" if any(good) else "does not hold"


def both(results: Results, first: str, second: str) -> tuple[Tally, Tally]:
    """The tally of the paper's kind and that of all binary problems."""
    return results.tally(first, second, binary=False), results.tally(first, second, binary=True)


def at_least_as_good(results: Results) -> Claim:
    """The paper's first."""
    tallies = both(results, "SMM", "MM")
    good = [2 * (own.outcome.wins + own.outcome.ties) > own.outcome.n + own.outcome.ties for own in tallies]
    return Claim(
        said="SMM is as good as MM or better on most problems.",
        verdict=verdict(*good),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1, 6",
    )


def significantly(results: Results) -> Claim:
    """20 : 6."""
    tallies = both(results, "SMM", "MM")
    return Claim(
        said="SMM is better than MM by the sign test over all problems (20 : 6).",
        verdict=verdict(*(own.outcome.wins > own.outcome.losses and own.outcome.p < SURE for own in tallies)),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1",
    )


def alike(results: Results) -> Claim:
    """SMM, DCM, EDCM."""
    gaps: list[float] = []
    told = []
    for other in ("DCM", "EDCM"):
        judged = results.judged["Reuters"]
        own = {"Reuters": judged["SMM"].micro - judged[other].micro}
        for task in ("20 Newsgroups", "WebKB"):
            own[task] = results.accuracy(task, "SMM").value - results.accuracy(task, other).value
        gaps += own.values()
        told.append(f"SMM less {other}: " + ", ".join(f"{task} {value:+.2f}" for task, value in own.items()))
    return Claim(
        said="SMM is almost identical with DCM and EDCM, but for WebKB, where these are slightly better.",
        verdict=verdict(*(abs(value) < SMALL for value in np.array(gaps)[[0, 1, 3, 4]]), gaps[2] < 0, gaps[5] < 0),
        evidence="; ".join(told) + f" (points; «almost identical» is read as less than {SMALL:g})",
        where="sec. 5.1",
    )


def machines(results: Results) -> Claim | None:
    """TF-IDF SVM and IDF SVM."""
    if "IDF SVM" not in results.methods:
        return None
    tallies = both(results, "TF-IDF SVM", "IDF SVM")
    return Claim(
        said="TF-IDF SVM has a small advantage over IDF SVM, not significant by the sign test (12 : 6).",
        verdict=verdict(*(own.outcome.wins > own.outcome.losses and own.outcome.p >= SURE for own in tallies)),
        evidence="; ".join(map(str, tallies)),
        where="sec. 5.1",
    )


def choosing(results: Results) -> Claim:
    """Words chosen for MM."""
    judged, chosen = results.judged["Reuters"], results.selected["Reuters"].judged
    better = [getattr(chosen["MM"], own) > getattr(judged["MM"], own) for own in ("micro", "macro")]
    less = [getattr(chosen["MM"], own) < getattr(chosen["SMM"], own) for own in ("micro", "macro")]
    tally = Tally.of("SMM", "MM", "ten topics, words chosen", chosen["SMM"].bep.tolist(), chosen["MM"].bep.tolist())
    return Claim(
        said="Choosing words by mutual information improves MM in general, and it is still less effective than SMM.",
        verdict=verdict(*better, *less),
        evidence=f"Reuters, micro / macro: MM {judged['MM'].micro:.2f} / {judged['MM'].macro:.2f} with all words, "
        f"{chosen['MM'].micro:.2f} / {chosen['MM'].macro:.2f} with those chosen; SMM with the same words "
        f"{chosen['SMM'].micro:.2f} / {chosen['SMM'].macro:.2f}; {tally}",
        where="sec. 5.1, fig. 3",
    )


def stacking(results: Results) -> Claim:
    """15 : 5."""
    tallies = [results.stacked_tally(binary=binary) for binary in (False, True)]
    won = [own.outcome.wins > own.outcome.losses for own in tallies]
    sure = [own.one_sided < SURE for own in tallies]
    stack = results.stacked["Reuters"]
    step = stack.micro - stack.judged[1].micro
    return Claim(
        said="StMBM is better than MBM by the sign test (15 : 5), and the differences are of no practical value.",
        verdict=verdict(*won, *sure, abs(step) < SMALL),
        evidence="; ".join(map(str, [*tallies, results.stacked_tally_above_one()]))
        + f"; Reuters, micro break-even {step:+.2f} points; accuracy "
        + ", ".join(
            f"{task} {own[1].value - own[0].value:+.2f}"
            for task in ("20 Newsgroups", "WebKB")
            for own in [results.stacked_accuracy(task)]
        ),
        where="sec. 5.2",
    )


def above_chance(results: Results) -> Claim:
    """21 of 27."""
    above, problems = results.above_chance()
    reuters = int(np.asarray(results.higher["Reuters"].above_random).sum())
    return Claim(
        said="The higher levels alone are significantly above chance on most problems (21 of 27).",
        verdict=verdict(2 * above > problems),
        evidence=f"above the upper limit of shuffled scores on {above} of {problems} binary problems; of the ten topics on "
        f"{reuters}",
        where="sec. 5.2",
    )


def webkb(results: Results) -> Claim:
    """The exception."""
    smm, mm = (results.accuracy("WebKB", method).value for method in ("SMM", "MM"))
    p = results.against("WebKB", "SMM", "MM")
    return Claim(
        said="WebKB is an exception: MM is better than SMM by 2.7 %.",
        verdict=verdict(mm > smm),
        evidence=f"MM {mm:.2f}, SMM {smm:.2f}, p = {p:.2g} (McNemar)",
        where="table 2",
    )


def best(results: Results) -> tuple[Best, ...]:
    """The best of the six methods on each task."""
    values = {
        "Reuters": {method: own.micro for method, own in results.judged["Reuters"].items()},
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
    for task, own in values.items():
        first = max(own, key=lambda method: own[method])
        equals = [method for method in own if method != first and results.against(task, first, method) >= SURE]
        title, measure, test = titles[task]
        out.append(Best(task=title, method=first, value=own[first], measure=measure, equals=tuple(equals), note=test))
    return tuple(out)
