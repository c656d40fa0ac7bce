"""The share of judging in a default fit: CPU seconds of thresholds, calibration, bootstraps and tests beside the whole fit.

One thread. Judging is all that `choose` does with out-of-fold scores, and the final decider; each set is fitted once before it is
measured, so that nothing is compiled. `python -m benchmarks.judging` prints a JSON object a set: the 90 topics of Reuters-21578,
20 Newsgroups, the sample, and 3,900 made messages of 6 to 19 words with one of two labels. `python -m benchmarks.judging short`
measures that one alone.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rubricate as rb
from rubricate import collections
from rubricate.measures.significance.bootstrap import resampled_interval
from rubricate.training import choice, text_classifier, trial

from .texts import data_folder

SETS = {"reuters": ("reuters21578", "90"), "newsgroups": ("20newsgroups", "bydate"), "sample": ("enquiries", None)}
STAGES = {  # functions that are timed: where they are looked up, their name, what their time is called
    "learning": [(choice, "out_of_fold")],
    "judging": [(text_classifier, "choose"), (text_classifier, "fit_final_decider")],
    "calibration": [(trial, "cross_calibrate")],
    "thresholds": [(trial, "rank_documents"), (trial, "fit_threshold_decider"), (trial, "fit_decider")],
    "bootstraps": [(sys.modules[resampled_interval.__module__], "resampled_interval")],
    "tests": [(choice, "compare")],
}
WORDS, MESSAGES = 8000, 3900


def messages() -> tuple[list[str], list[str]]:
    """Words by Zipf's law, some of them commoner with one label than with the other."""
    draw = np.random.default_rng(0)
    words = np.array([f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(WORDS)])
    common, lean = 1 / np.arange(1, WORDS + 1), draw.normal(size=WORDS)
    texts, labels = [], []
    for _ in range(MESSAGES):
        spam = bool(draw.random() < 0.4)
        chance = common * np.exp(lean * (0.5 if spam else -0.5))
        texts.append(" ".join(words[draw.choice(WORDS, size=int(draw.integers(6, 20)), p=chance / chance.sum())]))
        labels.append("spam" if spam else "ham")
    return texts, labels


def documents(name: str) -> tuple[Any, Any]:
    if name == "short":
        return messages()
    collection, version = SETS[name]
    return collections.load(collection, version=version, data=data_folder())[0].in_memory(), None


def timed(function: Callable[..., Any], stage: str, seconds: dict[str, float]) -> Callable[..., Any]:
    """The same function, whose time is added up; of one that yields results, the time between them."""

    def call(*positional: Any, **named: Any) -> Any:
        start = time.process_time()
        result = function(*positional, **named)
        seconds[stage] += time.process_time() - start
        return stepwise(result) if isinstance(result, Iterator) else result

    def stepwise(results: Iterator[Any]) -> Iterator[Any]:
        while True:
            start = time.process_time()
            result = next(results, None)
            seconds[stage] += time.process_time() - start
            if result is None:
                return
            yield result

    return call


def measured(name: str) -> dict[str, Any]:
    X, y = documents(name)
    rb.TextClassifier(jobs=1).fit(X, y)
    seconds = dict.fromkeys(STAGES, 0.0)
    before = [(module, key, getattr(module, key)) for places in STAGES.values() for module, key in places]
    for stage, places in STAGES.items():
        for module, key in places:
            setattr(module, key, timed(getattr(module, key), stage, seconds))
    start = time.process_time()
    try:
        rb.TextClassifier(jobs=1).fit(X, y)
    finally:
        for module, key, function in before:
            setattr(module, key, function)
    whole = time.process_time() - start
    seconds["judging"] -= seconds["learning"]
    rounded = {stage: round(value, 2) for stage, value in seconds.items()}
    return {"set": name, "fit": round(whole, 2), **rounded, "share": round(seconds["judging"] / whole, 3)}


if __name__ == "__main__":
    for set_name in sys.argv[1:] or (*SETS, "short"):
        print(json.dumps(measured(set_name)), flush=True)
