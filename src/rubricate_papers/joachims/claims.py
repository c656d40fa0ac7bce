"""What 000 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..frame import Best, Claim, over
from .newsgroups import Lambda
from .results import TASKS, Results, size_told
from .trials import METHODS

__all__ = ["best", "claims"]

FEWEST = 6  # trials, for a sign test that can say anything


def told(results: Results, task: str, one: str, other: str) -> str:
    """A comparison in words."""
    found = results.against(task, one, other)
    test = "corrected t" if task == "newsgroups" else "McNemar, median"
    ps = f"sign test p = {found.sign:.2g}, {test} p = {found.careful:.2g}"
    return f"{TASKS[task]}: {one} {found.points:+.2f} against {other} ({ps})"


def claims(results: Results, found: Mapping[bool, Lambda], alone_right: float) -> tuple[Claim, ...]:
    """What the paper says of them."""
    news = [("newsgroups", "PrTFIDF", "BAYES"), ("newsgroups", "BAYES", "TFIDF")]
    two = [(task, method, "TFIDF") for task in ("acq", "wheat") for method in ("PrTFIDF", "BAYES")]
    alike = [("acq", "PrTFIDF", "BAYES"), ("wheat", "PrTFIDF", "BAYES")]
    return (
        better("On 20 Newsgroups PrTFIDF is significantly better than BAYES, and BAYES than TFIDF.", results, news),
        Claim(
            said="PrTFIDF and BAYES do not differ on the two Reuters tasks.",
            verdict="does not hold" if any(results.against(*pair).sure for pair in alike) else "holds",
            evidence="; ".join(told(results, *pair) for pair in alike),
            where="sec. 6.2.1",
        ),
        better("On both Reuters tasks the probabilistic methods are significantly better than TFIDF.", results, two),
        few_examples(results),
        rising(results),
        few_words(results),
        Claim(
            said="Lambda is about the same for all groups, as the proof assumes.",
            verdict=verdict_of_spread(found[True].sd / found[True].mean),
            evidence=f"standard deviation / mean {found[False].sd / found[False].mean:.2f} with IDF (printed 0.20), "
            f"{found[True].sd / found[True].mean:.2f} with IDF', which the proof needs; largest / least "
            f"{found[False].largest / found[False].least:.1f}",
            where="sec. 5.2",
        ),
        Claim(
            said="The word wheat alone classifies 99.7 % of the test stories rightly.",
            verdict="holds" if abs(alone_right - 99.7) < 0.1 else "does not hold",
            evidence=f"{alone_right:.2f} %",
            where="sec. 6.1.2",
        ),
    )


def verdict_of_spread(share: float) -> str:
    """How far «about the same» goes: a tenth of the mean, or a quarter."""
    return "holds" if share <= 0.1 else "holds in part" if share <= 0.25 else "does not hold"


def better(said: str, results: Results, pairs: Sequence[tuple[str, str, str]]) -> Claim:
    """Whether the first of each pair is better than the second, surely."""
    good = [(found := results.against(*pair)).points > 0 and found.sure for pair in pairs]
    verdict = "holds" if all(good) else "holds in part" if any(good) else "does not hold"
    if results.plan.repetitions < FEWEST:
        verdict = "not tested"
    return Claim(
        said=said, verdict=verdict, evidence="; ".join(told(results, *pair) for pair in pairs), where="sec. 6.2.1"
    )


def few_examples(results: Results) -> Claim:
    """PrTFIDF with few training articles."""
    sizes, trials = results.plan["articles"], results.trained
    gaps = [over([one[n]["PrTFIDF"][0] - one[n]["BAYES"][0] for one in trials]) for n in range(len(sizes))]
    whole = over(results.values("newsgroups", "PrTFIDF")[:, -1] - results.values("newsgroups", "BAYES")[:, -1])
    ahead = [one.low is not None and one.low > 0 for one in gaps]
    return Claim(
        said="On 20 Newsgroups PrTFIDF does particularly well with few training articles; with many, BAYES comes near.",
        verdict="holds"
        if all(ahead) and gaps[0].value > whole.value
        else "holds in part"
        if any(ahead)
        else "does not hold",
        evidence="PrTFIDF less BAYES: "
        + ", ".join(f"{one.value:+.1f} at {size:,}" for size, one in zip(sizes, gaps, strict=True))
        + f", {whole.value:+.1f} with all",
        where="sec. 6.2.2, 6.2.4",
    )


def rising(results: Results) -> Claim:
    """More words are better."""
    pairs = [(task, method) for task in ("newsgroups", "acq") for method in ("PrTFIDF", "BAYES", "TFIDF")]
    tops = {pair: results.best(*pair)[0] == 0 for pair in pairs}
    return Claim(
        said="On 20 Newsgroups and acq accuracy is highest with all words, for all methods.",
        verdict="holds" if all(tops.values()) else "holds in part" if any(tops.values()) else "does not hold",
        evidence="; ".join(
            f"{TASKS[task]}, {method}: {size_told(results.best(task, method)[0])}" for task, method in tops
        ),
        where="sec. 6.2.3",
    )


def few_words(results: Results) -> Claim:
    """Ten words are best for wheat."""
    sizes = {method: results.best("wheat", method)[0] for method in ("PrTFIDF", "BAYES")}
    return Claim(
        said="For wheat PrTFIDF and BAYES are best with the least number of words, 10.",
        verdict="holds" if set(sizes.values()) == {10} else "does not hold",
        evidence="; ".join(f"{method}: {size_told(size)}" for method, size in sizes.items()),
        where="sec. 6.2.3",
    )


def best(results: Results) -> tuple[Best, ...]:
    """The best method of each task."""
    out = []
    for task, title in TASKS.items():
        means = {method: over(results.best(task, method)[1]).value for method in METHODS}
        first = max(means, key=lambda method: means[method])
        equals = [method for method in METHODS if method != first and not results.against(task, first, method).sure]
        out.append(
            Best(
                task=f"{title}, accuracy (000)",
                method=f"{first}, {size_told(results.best(task, first)[0])}",
                value=means[first],
                measure="accuracy, %",
                equals=tuple(equals),
            )
        )
    return tuple(out)
