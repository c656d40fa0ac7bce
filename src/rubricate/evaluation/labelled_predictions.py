"""Predictions for a labelled corpus beside their truth, and how good they are.

LabelledPredictions   truth, decisions, probabilities and scores, documents x labels
with_truth            blocks of predictions, made by compiled loops or by numpy alone, put together
evaluate_labelled     their evaluation
evaluate_few          a model file and a small corpus: nothing that fits or compiles is loaded
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import sparse

from ..corpus import Corpus
from ..errors import InputError
from ..foundation.arrays import Bools, Floats, Longs
from ..measures.inputs import indicator
from ..scoring.assembly import predictor_from
from ..scoring.format_1 import fitted_parts, refuse_damage
from ..scoring.predictions import NamedText, Predictions, predict_blocks
from ..training.digests import document_digests, fields_to_digest
from .evaluate import evaluate
from .results import Evaluation


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPredictions:
    """Predictions for a labelled corpus and its truth, documents x labels. `unknown`: labels that the model does not know;
    they have columns too, in which nothing is ever given."""

    ids: list[str]
    names: list[str]
    truth: sparse.csr_array
    decisions: sparse.csr_array
    probabilities: Floats
    scores: Floats
    several: bool
    unknown: list[str]
    without: int  # documents that were left out: a model of one label a document cannot be judged by those without
    rows: Longs  # where the others stand in the corpus


def with_truth(
    blocks: Iterable[Predictions], *, labels: Sequence[str], multilabel: bool, name: str
) -> LabelledPredictions:
    """Predictions for all documents of a labelled corpus. Documents without labels are documents that no label fits, unless the
    model gives one label to every document: then they are left out. labels: of the model. name: of the corpus."""
    ids: list[str] = []
    label_sets: list[Sequence[str]] = []
    rows, tables = [], []
    documents = 0
    for block in blocks:
        used = [n for n, of_document in enumerate(block.labels) if of_document or multilabel]
        ids += [block.ids[n] for n in used]
        label_sets += [block.labels[n] for n in used]
        rows.append(np.array(used, dtype=np.int64) + documents)
        tables.append((block.scores[used], block.probabilities[used], sparse.csr_array(block.decisions[used])))
        documents += len(block.ids)
    if not any(label_sets):
        raise InputError(name, "no document has a label to judge by", "name the column of labels with --labels")
    scores, probabilities = (np.concatenate([table[n] for table in tables]) for n in (0, 1))
    decisions = sparse.csr_array(sparse.vstack([table[2] for table in tables]))
    unknown = sorted({label for of_document in label_sets for label in of_document} - set(labels))
    names = [*labels, *unknown]
    if unknown:
        lowest = min(0.0, float(scores[np.isfinite(scores)].min(initial=0.0))) - 1
        scores, probabilities = (
            np.pad(table, ((0, 0), (0, len(unknown))), constant_values=value)
            for table, value in ((scores, lowest), (probabilities, 0.0))
        )
        decisions = sparse.csr_array(
            (decisions.data, decisions.indices, decisions.indptr), shape=(len(ids), len(names))
        )
    return LabelledPredictions(
        ids,
        names,
        indicator(label_sets, names),
        decisions,
        probabilities,
        scores,
        multilabel or any(len(of_document) > 1 for of_document in label_sets),
        unknown,
        documents - len(ids),
        np.concatenate(rows),
    )


def evaluate_labelled(predictions: LabelledPredictions, *, learned: Bools | None, random_state: int) -> Evaluation:
    """learned: of the corpus, the documents that the model has learned from; None if it keeps no digests."""
    evaluation = evaluate(
        labels=predictions.names,
        truth=predictions.truth,
        decisions=predictions.decisions,
        probabilities=predictions.probabilities,
        scores=predictions.scores,
        several=predictions.several,
        ids=predictions.ids,
        random_state=random_state,
    )
    return replace(evaluation, learned=None if learned is None else int(learned[predictions.rows].sum()))


def evaluate_few(
    path: Path, corpus: Corpus, *, random_state: int = 0, progress: Callable[[int, int], None]
) -> tuple[LabelledPredictions, Evaluation]:
    """How good the model in a file is on a small labelled corpus; `model_evaluation.evaluate` says the same of any corpus.
    progress: called with documents and characters of text."""
    with refuse_damage(path):
        parts = fitted_parts(path)
        predictor, training_documents = predictor_from(parts), parts.training_documents_
    fields = fields_to_digest(corpus.fields, predictor.vocabulary.recipe)
    texts: list[tuple[str, ...]] = []

    def documents() -> Iterable[NamedText]:
        for document in corpus.documents():
            texts.append(tuple(document.fields[name] for name in fields))
            progress(1, sum(map(len, document.fields.values())))
            yield NamedText(document.id, document.fields, document.labels)

    blocks = predict_blocks(predictor, documents())
    labels, multilabel = predictor.label_names, predictor.multilabel
    predictions = with_truth(blocks, labels=labels, multilabel=multilabel, name=corpus.name)
    learned = None
    if training_documents is not None:
        learned = training_documents.has_texts(document_digests(texts, fields, predictor.vocabulary.recipe))
    return predictions, evaluate_labelled(predictions, learned=learned, random_state=random_state)
