"""A classifier made smaller before it is given away: without rare terms, or with weights of 7 digits; and what that changes.

with_terms   the same classifier with some of its terms
rounded      the same with weights as float32
compare      what the smaller one does otherwise, on documents
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..foundation.arrays import Array
from ..scoring.additive import Additive, Layer, Rest, Stack
from ..scoring.arrays import Bools, Floats, Longs, Table, TermVector
from ..scoring.linear import Linear
from ..scoring.predictor import Predictor

# -- smaller


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to the arrays of a classifier that have a number a term."""

    table: Callable[[Any], Any]  # labels x terms, dense or sparse
    vector: Callable[[Any], Any]  # terms

    def predictor(self, predictor: Predictor, **changes: Any) -> Predictor:
        weighting = predictor.weighting
        if weighting is not None:
            vectors = {name: self.optional(getattr(weighting, name)) for name in ("idf", "documents_with")}
            weighting = replace(weighting, **vectors)
        form = predictor.form
        changed = self.linear(form) if isinstance(form, Linear) else self.additive(form)  # type: ignore[arg-type]
        return replace(predictor, weighting=weighting, form=changed, **changes)

    def optional(self, numbers: Any) -> Any:
        return None if numbers is None else self.vector(numbers)

    def linear(self, form: Linear) -> Linear:
        return replace(form, weights=self.table(form.weights), shared=self.optional(form.shared))

    def additive(self, form: Additive) -> Additive:
        if isinstance(form.scorer, Stack):
            scorer: Any = Stack([self.layer(layer) for layer in form.layers])
        else:
            scorer = replace(form.scorer, additive=self.layer(form.scorer.additive))
        idf, known = self.optional(form.idf), self.optional(form.known)
        return replace(form, scorer=scorer, rest=self.rest(form.rest), idf=idf, known=known)

    def rest(self, rest: Rest | None) -> Rest | None:
        if rest is None:
            return None
        return replace(rest, additive=self.layer(rest.additive), whole=self.vector(rest.whole))

    def layer(self, layer: Layer) -> Layer:
        """Without what the absence of single terms adds, which is part of the bias already."""
        common, groups = self.optional(layer.common), self.optional(layer.groups)
        return replace(layer, weights=self.table(layer.weights), common=common, groups=groups, absence=None)


def with_terms(predictor: Predictor, chosen: Bools) -> Predictor:
    """The classifier with these terms alone; thresholds and curves stay."""
    terms = [term for term, stays in zip(predictor.vocabulary.terms, chosen.tolist(), strict=True) if stays]
    change = Change(lambda table: columns_of(table, chosen), lambda vector: vector[chosen])
    return change.predictor(predictor, vocabulary=replace(predictor.vocabulary, terms=terms))


def columns_of(table: Any, chosen: Bools) -> Any:
    """Some columns of a table, dense or sparse."""
    if isinstance(table, np.ndarray):
        return table[:, chosen]
    entries = chosen[table.indices]
    ends = np.concatenate([[0], np.cumsum(entries)])[table.indptr]
    columns = places_of(chosen)[table.indices[entries]]
    return Table(table.data[entries], columns, ends, (table.shape[0], int(chosen.sum())))


def places_of(chosen: Bools) -> Longs:
    """The place of each column among those that stay."""
    places: Longs = np.cumsum(chosen) - 1
    return places


def rounded(predictor: Predictor) -> Predictor:
    """The classifier with the weights of terms as float32: about 7 digits."""
    return Change(rounded_table, rounded_vector).predictor(predictor)


def rounded_table(table: Any) -> Any:
    if isinstance(table, np.ndarray):
        return rounded_vector(table)
    return Table(rounded_vector(table.data), table.indices, table.indptr, table.shape)


def rounded_vector(numbers: Array) -> Array:
    return numbers.astype(np.float32).astype(np.float64) if numbers.dtype.kind == "f" else numbers


# -- what it changes


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a smaller classifier does otherwise, on some documents."""

    on: str  # which documents
    documents: int
    other_labels: int  # documents that get other labels
    score_change: float  # the largest, of scores that are finite


def compare(predictor: Predictor, smaller: Predictor, documents: Iterable[TermVector], *, on: str) -> Comparison:
    """documents: counts of the terms of `predictor`."""
    terms = set(smaller.vocabulary.terms)
    chosen = np.array([term in terms for term in predictor.vocabulary.terms], dtype=bool)
    n = other = 0
    change = 0.0
    for document in documents:
        before, after = answers(predictor, document), answers(smaller, with_columns(document, chosen))
        n += 1
        other += int((before[1] != after[1]).any())
        finite = np.isfinite(before[0]) & np.isfinite(after[0])
        change = max(change, float(np.abs(before[0] - after[0]).max(initial=0.0, where=finite)))
    return Comparison(on, n, other, change)


def with_columns(document: TermVector, chosen: Bools) -> TermVector:
    stays = chosen[document.columns]
    return TermVector(places_of(chosen)[document.columns[stays]], document.values[stays])


def answers(predictor: Predictor, document: TermVector) -> tuple[Floats, Longs]:
    scores, _, decisions, _ = predictor.predict_counts([document])
    return scores[0], decisions[0]
