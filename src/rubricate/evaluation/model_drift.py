"""Whether new documents are like those a model was trained on: `rubricate.drift`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..corpus import Corpus
from ..scoring.drift import Drift, drift_of
from ..scoring.predictions import NamedText
from ..training.text_classifier import TextClassifier, load
from ..training.training_set import documents_of


def drift(model: TextClassifier | str | Path, documents: Any, *, reference: Any = None) -> Drift:
    """New documents, which need no labels, beside the training documents: labels, unknown terms, certainty, length.

    model: a TextClassifier, or its file. reference: documents to compare with instead, which the model has not learned from.

    >>> import rubricate as rb
    >>> model = rb.TextClassifier("multinomial").fit(["corn and wheat", "gold and silver"] * 20, ["grain", "metal"] * 20)
    >>> drift = rb.drift(model, ["rye and barley and oats"] * 20)
    >>> drift.changed, drift.unknown_terms.changed
    (True, True)
    """
    fitted = load(model) if isinstance(model, str | Path) else model
    others = None if reference is None else named(reference)
    return drift_of(fitted._predictor(), named(documents), reference=others)


def named(documents: Any) -> Iterator[NamedText]:
    corpus = documents_of(documents)
    corpus = corpus if isinstance(corpus, Corpus) else Corpus.from_texts(corpus)
    return (NamedText(document.id, document.fields) for document in corpus.documents())
