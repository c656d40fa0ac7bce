"""How often `drift` sounds an alarm: where new documents come from the same source as the training documents, and where they do
not. `RUBRICATE_DATA=... python -m benchmarks.drift [SPLITS [ROW...]]` prints the table of docs/drift.md.

    same        new documents drawn at random from those that were not trained on
    labels      of those that do not have the second commonest label, two thirds are left out: its share more than doubles
    words       each tenth word of the new documents is one that nobody uses
    cut         new documents end after two thirds of their words
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import rubricate as rb
from rubricate.scoring.document_profile import profile_of
from rubricate.scoring.drift import Drift, drift_between
from rubricate.scoring.predictions import NamedText, predict_blocks

# collection, its version, model, training documents, new documents
ROWS = (
    ("enquiries", None, "linear_svm", 600, 200),
    ("enquiries", None, "multinomial", 600, 200),
    ("20newsgroups", "bydate", "linear_svm", 500, 500),
    ("20newsgroups", "bydate", "multinomial", 500, 500),
    ("reuters21578", "10", "linear_svm", 500, 500),
    ("reuters21578", "10", "multinomial", 500, 500),
    ("ohsumed", None, "linear_svm", 500, 500),
)
Labels = str | list[str]


def documents_of(name: str, version: str | None) -> tuple[list[str], list[Any]]:
    parts = rb.collections.load(name, version=version, data=os.environ.get("RUBRICATE_DATA"))
    documents = [document for part in parts for document in part.documents()]
    labels: list[Any] = [list(document.labels) for document in documents]
    if all(len(label_set) == 1 for label_set in labels):
        labels = [label_set[0] for label_set in labels]
    return [" ".join(document.fields.values()) for document in documents], labels


def same(text: str) -> str:
    return text


def words(text: str) -> str:
    return " ".join(word if n % 10 else f"zq{n}zq" for n, word in enumerate(text.split()))


def cut(text: str) -> str:
    words = text.split()
    return " ".join(words[: -(-2 * len(words) // 3)])


def has(label_set: Labels, label: str) -> bool:
    return label == label_set if isinstance(label_set, str) else label in label_set


def drifts(texts: list[str], labels: list[Any], model: str, n: int, m: int, seed: int) -> dict[str, Drift]:
    """A model of n documents, and what is said of m others, as they are and changed."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(texts)).tolist()
    train, rest = order[:n], order[n:]
    classifier = rb.TextClassifier(model, jobs=1).fit([texts[i] for i in train], [labels[i] for i in train])
    predictor = classifier._predictor()
    flat = [label for i in train for label in ([labels[i]] if isinstance(labels[i], str) else labels[i])]
    second = Counter(flat).most_common(2)[1][0]
    fewer = [i for i in rest if has(labels[i], second) or rng.random() < 1 / 3]

    def drift(chosen: list[int], change: Callable[[str], str]) -> Drift:
        documents = (NamedText("", change(texts[i])) for i in chosen[:m])
        blocks = predict_blocks(predictor, documents)
        new = profile_of(blocks, n_labels=len(predictor.labels), multilabel=predictor.multilabel)
        return drift_between(predictor.reference, new, predictor.label_names, multilabel=predictor.multilabel)  # type: ignore[arg-type]

    return {
        "same": drift(rest, same),
        "labels": drift(fewer, same),
        "words": drift(rest, words),
        "cut": drift(rest, cut),
    }


def main() -> None:
    splits = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rows = [ROWS[int(n)] for n in sys.argv[2:]] or ROWS
    print(
        "| collection, model | trained on, new | any false alarm | labels | unknown terms | certainty | length |",
        end="",
    )
    print(" found: labels | words | cut |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name, version, model, n, m in rows:
        texts, labels = documents_of(name, version)
        results = [drifts(texts, labels, model, n, m, seed) for seed in range(splits)]
        null = [result["same"] for result in results]
        p = np.array([[each.labels_p, *(quantity.p for quantity in each.quantities)] for each in null])
        alarms = [
            np.mean([each.changed for each in null]),
            *(p <= 0.05).mean(axis=0),
            np.mean([result["labels"].labels_changed for result in results]),
            np.mean([result["words"].unknown_terms.changed for result in results]),
            np.mean([result["cut"].length.changed for result in results]),
        ]
        cells = " | ".join(f"{100 * alarm:.1f}" for alarm in alarms)
        print(f"| {name}, {model} | {n:,}, {m:,} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
