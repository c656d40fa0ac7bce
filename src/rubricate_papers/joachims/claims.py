"""What 000 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..frame import Best, Claim, over, verdict_of, verdict_of_parts
from .newsgroups import Lambda
from .results import TASKS, Results, size_text
from .trials import METHODS

FEWEST = 6  # trials, for a sign test that can say anything


def comparison_text(results: Results, task: str, first: str, second: str) -> str:
    difference = results.against(task, first, second)
    test = "corrected t" if task == "newsgroups" else "McNemar, median"
    ps = f"sign test p = {difference.sign:.2g}, {test} p = {difference.careful:.2g}"
    return f"{TASKS[task]}: {first} {difference.points:+.2f} against {second} ({ps})"


def claims(results: Results, lambdas: Mapping[bool, Lambda], word_accuracy: float) -> tuple[Claim, ...]:
    news = [("newsgroups", "PrTFIDF", "BAYES"), ("newsgroups", "BAYES", "TFIDF")]
    two = [(task, method, "TFIDF") for task in ("acq", "wheat") for method in ("PrTFIDF", "BAYES")]
    alike = [("acq", "PrTFIDF", "BAYES"), ("wheat", "PrTFIDF", "BAYES")]
    return (
        better("On 20 Newsgroups PrTFIDF is significantly better than BAYES, and BAYES than TFIDF.", results, news),
        Claim(
            said="PrTFIDF and BAYES do not differ on the two Reuters tasks.",
            verdict="does not hold" if any(results.against(*pair).significant for pair in alike) else "holds",
            evidence="; ".join(comparison_text(results, *pair) for pair in alike),
            where="sec. 6.2.1",
        ),
        better("On both Reuters tasks the probabilistic methods are significantly better than TFIDF.", results, two),
        few_examples(results),
        rising(results),
        few_words(results),
        Claim(
            said="Lambda is about the same for all groups, as the proof assumes.",
            verdict=verdict_of_spread(lambdas[True].sd / lambdas[True].mean),
            evidence=f"standard deviation / mean {lambdas[False].sd / lambdas[False].mean:.2f} with IDF (printed 0.20), "
            f"{lambdas[True].sd / lambdas[True].mean:.2f} with IDF', which the proof needs; largest / least "
            f"{lambdas[False].largest / lambdas[False].least:.1f}",
            where="sec. 5.2",
        ),
        Claim(
            said="The word wheat alone classifies 99.7 % of the test stories rightly.",
            verdict="holds" if abs(word_accuracy - 99.7) < 0.1 else "does not hold",
            evidence=f"{word_accuracy:.2f} %",
            where="sec. 6.1.2",
        ),
    )


def verdict_of_spread(share: float) -> str:
    """«About the same» holds if the standard deviation is at most a tenth of the mean, in part if at most a quarter."""
    return verdict_of(share <= 0.1, share <= 0.25)


def better(sentence: str, results: Results, pairs: Sequence[tuple[str, str, str]]) -> Claim:
    """Whether the first of each pair is significantly better than the second."""
    good = [(difference := results.against(*pair)).points > 0 and difference.significant for pair in pairs]
    verdict = verdict_of_parts(good)
    if results.plan.repetitions < FEWEST:
        verdict = "not tested"
    return Claim(
        said=sentence,
        verdict=verdict,
        evidence="; ".join(comparison_text(results, *pair) for pair in pairs),
        where="sec. 6.2.1",
    )


def few_examples(results: Results) -> Claim:
    """PrTFIDF minus BAYES by number of training articles."""
    sizes, trials = results.plan["articles"], results.trained
    gaps = [over([trial[n]["PrTFIDF"][0] - trial[n]["BAYES"][0] for trial in trials]) for n in range(len(sizes))]
    whole = over(results.values("newsgroups", "PrTFIDF")[:, -1] - results.values("newsgroups", "BAYES")[:, -1])
    ahead = [gap.low is not None and gap.low > 0 for gap in gaps]
    return Claim(
        said="On 20 Newsgroups PrTFIDF does particularly well with few training articles; with many, BAYES comes near.",
        verdict=verdict_of(all(ahead) and gaps[0].value > whole.value, any(ahead)),
        evidence="PrTFIDF less BAYES: "
        + ", ".join(f"{gap.value:+.1f} at {size:,}" for size, gap in zip(sizes, gaps, strict=True))
        + f", {whole.value:+.1f} with all",
        where="sec. 6.2.2, 6.2.4",
    )


def rising(results: Results) -> Claim:
    """Whether each method is best with all words."""
    pairs = [(task, method) for task in ("newsgroups", "acq") for method in ("PrTFIDF", "BAYES", "TFIDF")]
    tops = {pair: results.best(*pair)[0] == 0 for pair in pairs}
    return Claim(
        said="On 20 Newsgroups and acq accuracy is highest with all words, for all methods.",
        verdict=verdict_of_parts(tops.values()),
        evidence="; ".join(
            f"{TASKS[task]}, {method}: {size_text(results.best(task, method)[0])}" for task, method in tops
        ),
        where="sec. 6.2.3",
    )


def few_words(results: Results) -> Claim:
    """Whether ten words are best for wheat."""
    sizes = {method: results.best("wheat", method)[0] for method in ("PrTFIDF", "BAYES")}
    return Claim(
        said="For wheat PrTFIDF and BAYES are best with the least number of words, 10.",
        verdict="holds" if set(sizes.values()) == {10} else "does not hold",
        evidence="; ".join(f"{method}: {size_text(size)}" for method, size in sizes.items()),
        where="sec. 6.2.3",
    )


def best(results: Results) -> tuple[Best, ...]:
    out = []
    for task, title in TASKS.items():
        means = {method: over(results.best(task, method)[1]).value for method in METHODS}
        first = max(means, key=lambda method: means[method])
        equals = [
            method for method in METHODS if method != first and not results.against(task, first, method).significant
        ]
        out.append(
            Best(
                task=f"{title}, accuracy (000)",
                method=f"{first}, {size_text(results.best(task, first)[0])}",
                value=means[first],
                measure="accuracy, %",
                equals=tuple(equals),
            )
        )
    return tuple(out)
