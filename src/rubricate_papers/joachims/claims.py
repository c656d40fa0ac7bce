"""What 000 says of its results, and whether it holds here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..frame import Best, Claim, best_of, over, verdict_of, verdict_of_parts
from .newsgroups import Lambda
from .trials import METHODS, PAPER, TASKS, Results, size_text

FEWEST = 6  # trials, for a sign test that can say anything
Pairs = Sequence[tuple[str, str, str]]  # task, and two methods


def comparison_text(results: Results, task: str, first: str, second: str) -> str:
    difference = results.against(task, first, second)
    test = "corrected t" if task == "newsgroups" else "McNemar, median"
    ps = f"sign test p = {difference.sign:.2g}, {test} p = {difference.careful:.2g}"
    return f"{TASKS[task]}: {first} {difference.points:+.2f} against {second} ({ps})"


def claims(results: Results, lambdas: Mapping[bool, Lambda], word_accuracy: float) -> tuple[Claim, ...]:
    news = [("newsgroups", "PrTFIDF", "BAYES"), ("newsgroups", "BAYES", "TFIDF")]
    two = [(task, method, "TFIDF") for task in ("acq", "wheat") for method in ("PrTFIDF", "BAYES")]
    alike = [("acq", "PrTFIDF", "BAYES"), ("wheat", "PrTFIDF", "BAYES")]
    differ = any(results.against(*pair).significant for pair in alike)
    return (
        better("newsgroups", results, news),
        PAPER.claim(
            "alike", verdict_of(not differ, False), "; ".join(comparison_text(results, *pair) for pair in alike)
        ),
        better("reuters", results, two),
        few_examples(results),
        all_words(results),
        few_words(results),
        similar_lambdas(lambdas[False], lambdas[True]),
        PAPER.claim("wheat", verdict_of(abs(word_accuracy - 99.7) < 0.1, False), f"{word_accuracy:.2f} %"),
    )


def better(key: str, results: Results, pairs: Pairs) -> Claim:
    """Whether the first of each pair is significantly better than the second."""
    good = [(difference := results.against(*pair)).points > 0 and difference.significant for pair in pairs]
    verdict = "not tested" if results.plan.repetitions < FEWEST else verdict_of_parts(good)
    return PAPER.claim(key, verdict, "; ".join(comparison_text(results, *pair) for pair in pairs))


def few_examples(results: Results) -> Claim:
    """PrTFIDF minus BAYES by number of training articles."""
    sizes, trials = results.plan["articles"], results.trained
    gaps = [over([trial[n]["PrTFIDF"][0] - trial[n]["BAYES"][0] for trial in trials]) for n in range(len(sizes))]
    whole = over(results.values("newsgroups", "PrTFIDF")[:, -1] - results.values("newsgroups", "BAYES")[:, -1])
    ahead = [gap.low is not None and gap.low > 0 for gap in gaps]
    parts = [f"{gap.value:+.1f} at {size:,}" for size, gap in zip(sizes, gaps, strict=True)]
    verdict = verdict_of(all(ahead) and gaps[0].value > whole.value, any(ahead))
    evidence = f"PrTFIDF less BAYES: {', '.join(parts)}, {whole.value:+.1f} with all"
    return PAPER.claim("few_examples", verdict, evidence)


def all_words(results: Results) -> Claim:
    pairs = [(task, method) for task in ("newsgroups", "acq") for method in ("PrTFIDF", "BAYES", "TFIDF")]
    sizes = {pair: results.best(*pair)[0] for pair in pairs}
    evidence = "; ".join(f"{TASKS[task]}, {method}: {size_text(size)}" for (task, method), size in sizes.items())
    return PAPER.claim("all_words", verdict_of_parts(size == 0 for size in sizes.values()), evidence)


def few_words(results: Results) -> Claim:
    sizes = {method: results.best("wheat", method)[0] for method in ("PrTFIDF", "BAYES")}
    evidence = "; ".join(f"{method}: {size_text(size)}" for method, size in sizes.items())
    return PAPER.claim("few_words", verdict_of(set(sizes.values()) == {10}, False), evidence)


def similar_lambdas(plain: Lambda, prime: Lambda) -> Claim:
    """«About the same» holds if the standard deviation is at most a tenth of the mean, in part if at most a quarter."""
    evidence = (
        f"standard deviation / mean {plain.sd / plain.mean:.2f} with IDF (printed 0.20), {prime.sd / prime.mean:.2f} with IDF', "
        f"which the proof needs; largest / least {plain.largest / plain.least:.1f}"
    )
    share = prime.sd / prime.mean
    return PAPER.claim("lambda", verdict_of(share <= 0.1, share <= 0.25), evidence)


def best(results: Results) -> tuple[Best, ...]:
    out = []
    for task, title in TASKS.items():
        means = {method: over(results.best(task, method)[1]).value for method in METHODS}
        first, equals = best_of(means, lambda a, b: not results.against(task, a, b).significant)  # noqa: B023
        method = f"{first}, {size_text(results.best(task, first)[0])}"
        out.append(PAPER.best("task", method, means[first], equals, task=title))
    return tuple(out)
