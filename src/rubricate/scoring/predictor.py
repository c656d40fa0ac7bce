"""Predictor: a fitted classifier as plain arrays. Text in; scores, probabilities, decisions and reasons out, by numpy alone.

    text -> terms (recipe) -> times of known terms -> weights -> scores -> probabilities -> decisions -> reasons

For single documents and small batches: a document costs 2 us a term. Large batches go through compiled loops (`TextClassifier`),
which give the same floats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..terms.fields import Document
from ..terms.recipe import Recipe
from .arrays import Bools, Explanation, Floats, Longs, TermVector
from .decider import Decider
from .document_profile import DocumentProfile
from .documents import Vocabulary, as_documents
from .forms import Form, Neighbours
from .reasons import DocumentResult, Reason, label_places, per_word, reason, shares_by_id
from .weighting import Weighting


@dataclass(frozen=True, eq=False)
class Predictor:
    """A fitted classifier; `Predictor.load(path)` reads one from a model file."""

    vocabulary: Vocabulary
    labels: list[Any]  # as they were given for training: text, or whole numbers
    weighting: Weighting | None  # None: the form scores counts
    form: Form
    per_word: bool  # whether scores are divided by the number of known words
    decider: Decider
    training_ids: list[str] | None = None  # of the training documents, where these are the reason of a decision
    report: Mapping[str, Any] = field(default_factory=dict)  # of the fit: what was tried, and what spoke for it
    reference: DocumentProfile | None = None  # of the training documents; None in files of earlier versions
    digest: str = ""  # of the file it was read from

    @classmethod
    def load(cls, path: str | Path, *, recipe: Recipe | None = None) -> Predictor:
        """The classifier that `TextClassifier.save` wrote. recipe: the one it was trained with, needed only where that has a
        Python function: code is never loaded from files."""
        from .assembly import predictor_from
        from .format_1 import fitted_parts, refuse_damage

        with refuse_damage(path):
            return predictor_from(fitted_parts(path, recipe=recipe))

    @classmethod
    def from_classifier(cls, classifier: Any) -> Predictor:
        """The same from a fitted `TextClassifier`, whose arrays are shared, not copied."""
        from .assembly import predictor_from

        return predictor_from(classifier)

    @property
    def label_names(self) -> list[str]:
        """The labels in words."""
        return [str(label) for label in self.labels]

    @property
    def goes_by_terms(self) -> bool:
        """Whether terms add up to the scores; those of nearest neighbours come from documents."""
        return not isinstance(self.form, Neighbours)

    @property
    def multilabel(self) -> bool:
        """Whether a document may have several labels, or none."""
        return self.decider.rule.multilabel

    def scores(self, texts: Iterable[Document]) -> Floats:
        """The model's scores, documents x labels."""
        counts = self._count(texts)
        return self._scores(counts, without_words(counts))

    def probabilities(self, texts: Iterable[Document]) -> Floats:
        """Documents x labels."""
        counts = self._count(texts)
        unknown = without_words(counts)
        return self.decider.probabilities(self._scores(counts, unknown), unknown)

    def decisions(self, texts: Iterable[Document]) -> Longs:
        """0/1, documents x labels."""
        counts = self._count(texts)
        unknown = without_words(counts)
        return self.decider.decide(self._scores(counts, unknown), unknown)

    def predict_texts(self, texts: Iterable[Document]) -> tuple[list[TermVector], Floats, Floats, Longs, Bools]:
        """Counts of known terms, scores, probabilities and decisions of some texts, and which have no known word."""
        counts = self._count(texts)
        return counts, *self.predict_counts(counts)

    def predict_counts(self, counts: list[TermVector]) -> tuple[Floats, Floats, Longs, Bools]:
        """The same of documents that are counts of the model's terms."""
        unknown = without_words(counts)
        scores = self._scores(counts, unknown)
        return scores, self.decider.probabilities(scores, unknown), self.decider.decide(scores, unknown), unknown

    def explanation(self, counts: TermVector) -> Explanation | None:
        """What each known term of a document adds to each score; None where no term adds by itself."""
        if isinstance(self.form, Neighbours) or not len(counts):
            return None
        document = self._weigh(counts)
        explanation = self.form.explain(document, self.form.scores([document])[0])
        return per_word(explanation, words_of(counts)) if self.per_word else explanation

    def decide(self, texts: Iterable[Document]) -> list[Any]:
        """The label of each document, or its list of labels where a document may have several."""
        decisions = self.decisions(texts)
        if not self.multilabel:
            return [self.labels[place] for place in decisions.argmax(axis=1).tolist()]
        return [[self.labels[place] for place in np.flatnonzero(row).tolist()] for row in decisions]

    def explain(self, text: Document, label: Any = None, *, limit: int = 20) -> list[Reason]:
        """Why this document has its labels, or why it has this one or not. limit: so many terms, those that add or take most."""
        counts = self._count([text])
        document, unknown = self._weigh(counts[0]), without_words(counts)
        scores, rule = self._scores(counts, unknown), self.decider.rule
        decisions = None if rule.of_batches else self.decider.decide(scores, unknown)[0]
        probabilities = self.decider.probabilities(scores, unknown)[0]
        result = DocumentResult(scores[0], probabilities, decisions, rule.thresholds)
        explanation = self.explanation(counts[0])
        neighbours = []
        if (
            not unknown[0] or self.decider.prior is None
        ):  # files of earlier versions name the nearest documents all the same
            neighbours = self._nearest(document, scores[0])
        return [
            reason(
                place,
                str(self.labels[place]),
                result,
                explanation,
                terms=self.vocabulary.terms,
                neighbours=neighbours,
                limit=limit,
            )
            for place in label_places(label, self.labels, result)
        ]

    # -- steps

    def _count(self, texts: Iterable[Document]) -> list[TermVector]:
        return [self.vocabulary.count(document) for document in as_documents(texts)]

    def _weigh(self, counts: TermVector) -> TermVector:
        """As the model takes it, without terms that weigh nothing."""
        if self.weighting is None:
            return counts
        document = self.weighting.of(counts)
        return document if document.values.all() else document.at(document.values != 0)

    def _scores(self, counts: list[TermVector], unknown: Bools) -> Floats:
        scores = self.form.scores([self._weigh(document) for document in counts])
        if self.per_word:
            scores = scores / np.array([words_of(document) for document in counts])[:, None]
        return self.decider.scores(scores, unknown)

    def _nearest(self, document: TermVector, scores: Floats) -> list[tuple[str, float]]:
        """The training documents that decide on a document: those with the most similar scores (density), or its neighbours."""
        density = self.decider.density
        if self.training_ids is None:
            return []
        if density is not None:
            distances, numbers = density.nearest(scores)
            return shares_by_id(density.weights(distances), numbers, self.training_ids)
        if isinstance(self.form, Neighbours):
            cosines, numbers = self.form.nearest(document)
            return shares_by_id(cosines, numbers, self.training_ids)
        return []


def words_of(document: TermVector) -> float:
    """The number of known words, 1 at least: a document without any keeps what is there without them.            [002 eq. 6-7]"""
    return max(document.total, 1.0)


def without_words(counts: list[TermVector]) -> Bools:
    """Which documents have no word that the model knows."""
    return np.array([len(document) == 0 for document in counts], dtype=bool)
