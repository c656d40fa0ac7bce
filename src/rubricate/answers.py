"""Answers: what a fitted classifier says of a stream of documents, piece by piece and in order, in bounded memory.

Text is scanned in threads ahead of the piece that is being scored, and the vocabulary is laid out once. No text is held beyond
the pieces under way, and no table larger than CELLS.

    answered       pieces of a corpus with scores, probabilities and decisions
    collected      all of a labelled corpus, beside its truth, for judging
    chosen         other decisions from the same probabilities: the k most probable labels, or those above a threshold
    surely         how probable it is that all decisions on a document are right
    word_scores    what each word adds to the score of each label that a document is given
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from .counting import Pass
from .errors import BadChoice, InputError
from .from_vectors.nearest_neighbours import NearestNeighbours
from .thresholds import rcut

if TYPE_CHECKING:
    from .corpus import Corpus
    from .pipeline import TextClassifier

__all__ = [
    "Answers",
    "Collected",
    "answered",
    "chosen",
    "collected",
    "goes_by_terms",
    "names_of_labels",
    "surely",
    "word_scores",
]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
CELLS = 2**22  # documents x labels at a time: 32 MB a table
TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Some documents, in their order: ids, the labels they came with, counts of known terms, and what is said of them."""

    ids: list[str]
    labels: list[list[str]]
    X: sparse.csr_array  # documents x terms of the model
    scores: Floats  # documents x labels, as the next two
    probabilities: Floats
    decisions: Longs


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """Answers to a labelled corpus and its truth, documents x labels. `unknown`: labels that the model does not know; they have
    columns too, in which nothing is ever given."""

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


def names_of_labels(model: TextClassifier) -> list[str]:
    """The labels of a model in words."""
    return [str(label) for label in model.classes_.tolist()]


def answered(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Answers]:
    """What the model says of each document of a corpus."""
    scan = Pass(model.recipe_, model.terms_, jobs)
    places = np.arange(len(model.terms_), dtype=np.int32)
    step = max(1, CELLS // max(len(model.classes_), 1))
    for rows, ids, ends, values in scan.rows(corpus, progress):
        X = scan.stacked([rows], places, len(places))
        names = values.to_pylist()
        labels = [names[start:end] for start, end in pairwise(ends.tolist())]
        for start in range(0, len(ids), step):
            part = slice(start, start + step)
            scores = model._scored(X[part])
            yield Answers(
                ids[part], labels[part], X[part], scores, model._probabilities(scores), model._decisions(scores)
            )


def chosen(probabilities: Floats, *, k: int | None = None, threshold: float | None = None) -> Longs:
    """The k most probable labels of each document, those with a probability above a threshold, or both; of equals the first."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise BadChoice(f"threshold={threshold}: a probability lies between 0 and 1")
    kept = np.ones(probabilities.shape, dtype=np.int64) if k is None else rcut(probabilities, k)
    return kept if threshold is None else kept * (probabilities > threshold)


def surely(probabilities: Floats, decisions: Any, *, several: bool) -> Floats:
    """How probable it is that all decisions on a document are right: the probability of its label; with several labels, each
    decided for itself, the product over labels of the probability of the decision."""
    if not several:
        found: Floats = np.where(decisions > 0, probabilities, 0.0).max(axis=1)
        return found
    right = np.where(decisions > 0, probabilities, 1 - probabilities)
    product: Floats = np.exp(np.log(np.maximum(right, TINY)).sum(axis=1))
    return product


def goes_by_terms(model: TextClassifier) -> bool:
    """Whether terms add up to its scores; those of nearest neighbours come from documents."""
    return not isinstance(model.model_, NearestNeighbours)


def word_scores(model: TextClassifier, piece: Answers, decisions: Any, *, top: int) -> list[dict[str, list[Any]]]:
    """For each document and each label it is given (the most probable if none): [term, what it adds], the largest first."""
    if not goes_by_terms(model):
        raise BadChoice(
            f"{model.candidate_}: its scores come from documents nearby, and no word adds to them by itself"
        )
    names = names_of_labels(model)
    told = model.model_.explain(piece.X if model.weighting_ is None else model.weighting_.of(piece.X))
    out = []
    for n, one in enumerate(told):
        labels = np.flatnonzero(decisions[n]).tolist() or [int(np.argmax(piece.probabilities[n]))]
        own: dict[str, list[Any]] = {}
        for label in labels:
            adds = one.contributions[:, label]
            first = np.argsort(-np.abs(adds).round(12), kind="stable")[:top].tolist()
            own[names[label]] = [[model.terms_[one.terms[place]], float(adds[place])] for place in first]
        out.append(own)
    return out


def collected(
    model: TextClassifier,
    corpus: Corpus,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Collected:
    """The answers to all documents of a labelled corpus. Documents without labels are documents that no label fits, unless the
    model gives one label to every document: then they are left out."""
    ids: list[str] = []
    labels: list[list[str]] = []
    rows, tables = [], []
    seen = 0
    for piece in answered(model, corpus, jobs=jobs, progress=progress):
        kept = [n for n, own in enumerate(piece.labels) if own or model.several_labels_]
        ids += [piece.ids[n] for n in kept]
        labels += [piece.labels[n] for n in kept]
        rows.append(np.array(kept, dtype=np.int64) + seen)
        tables.append((piece.scores[kept], piece.probabilities[kept], sparse.csr_array(piece.decisions[kept])))
        seen += len(piece.ids)
    if not any(labels):
        raise InputError(corpus.name, "no document has a label to judge by", "name the column of labels with --labels")
    scores, probabilities = (np.concatenate([table[n] for table in tables]) for n in (0, 1))
    decisions = sparse.csr_array(sparse.vstack([table[2] for table in tables]))
    known = names_of_labels(model)
    unknown = sorted({label for own in labels for label in own} - set(known))
    names = [*known, *unknown]
    if unknown:
        lowest = min(0.0, float(scores[np.isfinite(scores)].min(initial=0.0))) - 1
        scores, probabilities = (
            np.pad(table, ((0, 0), (0, len(unknown))), constant_values=value)
            for table, value in ((scores, lowest), (probabilities, 0.0))
        )
        decisions = sparse.csr_array(
            (decisions.data, decisions.indices, decisions.indptr), shape=(len(ids), len(names))
        )
    several = model.several_labels_ or any(len(own) > 1 for own in labels)
    truth = table_of(labels, names)
    return Collected(
        ids, names, truth, decisions, probabilities, scores, several, unknown, seen - len(ids), np.concatenate(rows)
    )


def table_of(labels: list[list[str]], names: list[str]) -> sparse.csr_array:
    """documents x names, 1 where the document has the label."""
    place = {name: n for n, name in enumerate(names)}
    columns = np.array([place[label] for own in labels for label in own], dtype=np.int64)
    ends = np.cumsum([0, *(len(own) for own in labels)])
    table = sparse.csr_array((np.ones(len(columns), dtype=np.int64), columns, ends), shape=(len(labels), len(names)))
    table.sort_indices()
    return table
