"""What the trial of each candidate of `model="auto"` costs: CPU seconds of all threads, beside what `candidates.cost` expects.

Collections of several sizes and shapes: long and short texts, few labels and many, one label a document and several. The short
texts are passages of twelve words from the training parts of 20 Newsgroups (20 labels), Reuters (its 15 largest topics) and
OHSUMED (23 labels): 58 labels, one a passage. `python -m benchmarks.trial_costs` prints one JSON object; seconds are the least
of some rounds, since another program on the machine can only add to them. `python -m benchmarks.trial_costs short 44000` prints
one collection only, a line a candidate.
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
from rubricate.decisions.rules import parse_rule
from rubricate.measures.metrics import measure
from rubricate.training.candidates import Candidate, cost, shortlist
from rubricate.training.out_of_fold import out_of_fold
from rubricate.training.training_set import TrainingSet
from rubricate.training.trial import judge

from .texts import data_folder

FOLDS, ROUNDS, SEED = 5, 2, 0
WORDS, LARGEST = 12, 15
SIZES = [  # collection, training documents; 0: all
    ("enquiries", 0),
    ("webkb", 0),
    ("20newsgroups", 2800),
    ("20newsgroups", 0),
    ("reuters21578", 0),
    ("ohsumed", 0),
    ("short", 11_000),
    ("short", 44_000),
]
VERSIONS = {"20newsgroups": "bydate", "reuters21578": "90"}


def training_part(name: str) -> rb.Corpus:
    return collections.load(name, version=VERSIONS.get(name), data=data_folder())[0].in_memory()


def passages() -> Iterator[tuple[str, str]]:
    """Twelve words at a time and the label of their document."""
    for name in ("20newsgroups", "reuters21578", "ohsumed"):
        corpus = training_part(name)
        sizes: dict[str, int] = {}
        for labels in corpus.labels:
            for label in labels:
                sizes[label] = sizes.get(label, 0) + 1
        largest = set(sorted(sizes, key=lambda label: -sizes[label])[: LARGEST if name == "reuters21578" else None])
        for text, labels in zip(corpus.texts, corpus.labels, strict=True):
            words = text.split()
            if len(labels) == 1 and labels[0] in largest:
                for start in range(0, len(words) - WORDS + 1, WORDS):
                    yield " ".join(words[start : start + WORDS]), f"{name} {labels[0]}"


def collection(name: str, documents: int) -> tuple[list[str], list[list[str]]]:
    """Texts and labels, so many of them, drawn at random; 0: all."""
    if name == "short":
        texts, labels = zip(*((text, [label]) for text, label in passages()), strict=True)
    else:
        corpus = training_part(name)
        texts, labels = tuple(corpus.texts), tuple(corpus.labels)
    some = np.sort(np.random.default_rng(SEED).permutation(len(texts))[: documents or None])
    return [texts[n] for n in some], [list(labels[n]) for n in some]


def cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def trial_of(data: TrainingSet, candidate: Candidate) -> tuple[float, float]:
    """CPU seconds of its scores out of fold (of its terms too, if the recipe is its own) and of judging them."""
    own_recipe = candidate.recipe != rb.Recipe()
    if own_recipe:
        for kept in (data.tables, data.parts):
            kept.pop(candidate.recipe.fingerprint, None)
    scoring, found = cpu(lambda: list(out_of_fold(data, candidate))[-1])
    by, decide = measure("microF1" if data.multilabel else "accuracy"), parse_rule("auto", multilabel=data.multilabel)
    judging, _ = cpu(lambda: judge(data, candidate, found, by, decide))
    return scoring, judging


def measured(name: str, documents: int) -> dict[str, Any]:
    """All candidates on one collection."""
    texts, labels = collection(name, documents)
    several = any(len(own) != 1 for own in labels)
    data = TrainingSet.of(texts, labels, multilabel=several, folds=FOLDS, seed=SEED, jobs=None)
    table = data.table(rb.Recipe())
    data.fold_counts(rb.Recipe())
    rows = []
    for candidate in shortlist():
        rounds = []
        for _ in range(ROUNDS):
            rounds.append(trial_of(data, candidate))
        scoring, judging = min(rounds, key=sum)
        rows.append({"candidate": str(candidate), "scoring": round(scoring, 3), "judging": round(judging, 3)})
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    sizes = {
        "documents": len(texts),
        "entries": int(table.X.nnz),
        "labels": len(data.names),
        "several": several,
        "folds": FOLDS,
    }
    return {"collection": name, "terms": int(table.X.shape[1]), **sizes, "rows": with_estimates(rows, sizes)}


def with_estimates(rows: list[dict[str, Any]], sizes: dict[str, Any]) -> list[dict[str, Any]]:
    """The same rows with what is expected of these sizes today."""
    return [
        {**row, "expected": round(cost(candidate, **sizes), 3)}
        for row, candidate in zip(rows, shortlist(), strict=True)
    ]


def main(arguments: list[str]) -> None:
    rb.TextClassifier().fit(*collection("enquiries", 200))  # compiled loops are loaded before anything is measured
    sizes = [(arguments[0], int(arguments[1]))] if arguments else SIZES
    print(json.dumps({"collections": [measured(*size) for size in sizes]}))


if __name__ == "__main__":
    main(sys.argv[1:])
