"""Trials: what a candidate says of documents it has not seen, and how good that is.

Scores are out-of-fold: a document is scored by a model fitted on the other folds, selection of terms and frequencies for
weights included. Count models are trained on `total - fold`, all folds at once; others fold by fold, so that a hopeless one can
be stopped. A fold is then decided as `predict` would decide it: by a rule and a calibration that come from the scores of the
others (`decider`). How good that is, is how good `predict` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.compute as pc
from scipy import sparse

from ..corpus import Corpus
from ..counts import Counts, indicator
from ..counts.one_pass import Table, numbered_labels, tabulate
from ..counts.term_scores import select as best_terms
from ..decisions.decider import Decider, cross_calibrate, fit_decider, needs_calibration
from ..decisions.rules import Rule
from ..decisions.thresholds.intervals import clopper_pearson
from ..foundation.arrays import Bools, Floats
from ..foundation.folds import fold_numbers
from ..foundation.ties import first_best
from ..measures.metrics.names import Measure
from ..measures.significance import bootstrap
from ..models import MODELS
from ..models.classifier import lengths_of, per_word
from ..models.from_vectors.vector_model import VectorModel
from ..models.vectors import Weighting
from ..scoring.rules import bounded
from ..terms.recipe import Recipe
from .candidates import COMMON, Candidate, Selection
from .runner_up import Rival
from .validation import cross_validate, fold_counts

__all__ = [
    "Data",
    "Found",
    "Trial",
    "chosen_terms",
    "judged",
    "labelled",
    "out_of_fold",
    "said",
    "scored",
    "tried",
]

DRAWS = 500  # of the bootstrap
LEVEL = 0.95


@dataclass(eq=False)
class Data:
    """The training documents: their tables by recipe, labels and folds."""

    documents: Any
    labels: list[list[str]]
    names: list[str]
    several: bool
    folds: Any  # the fold of each document; None where there are too few to try anything
    jobs: int | None = None
    seed: int = 0
    calibrate: str = "auto"  # how scores become probabilities; "none": by what they say themselves
    tables: dict[str, Table] = field(default_factory=dict)
    parts: dict[str, list[Counts]] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Any, labels: list[list[str]], *, several: bool, folds: int, seed: int, jobs: Any) -> Data:
        """Folds in proportion to the labels, seeded."""
        names = sorted({label for own in labels for label in own})
        k = min(folds, len(labels))
        numbers = fold_numbers(labels, k, seed=seed) if k >= 2 and len(names) > 0 else None
        return cls(documents, labels, names, several, numbers, jobs, seed)

    def table(self, recipe: Recipe) -> Table:
        """The documents by this recipe; the text is read once a recipe."""
        key = recipe.fingerprint
        if key not in self.tables:
            if isinstance(self.documents, Corpus):
                self.tables[key] = labelled(tabulate(self.documents, recipe, jobs=self.jobs), self.labels)
            else:
                self.tables[key] = tabulate(self.documents, recipe, labels=self.labels, jobs=self.jobs)
        return self.tables[key]

    def folded(self, recipe: Recipe) -> list[Counts]:
        """The counts of each fold."""
        key = recipe.fingerprint
        if key not in self.parts:
            self.parts[key] = fold_counts(self.table(recipe), self.folds)
        return self.parts[key]

    @cached_property
    def truth(self) -> sparse.csr_array:
        """documents x labels, 0/1."""
        return indicator(self.labels, self.names)

    @cached_property
    def one_each(self) -> Any:
        """The label of each document, where they have one each."""
        return np.array([own[0] for own in self.labels], dtype=object)

    def by_word(self, own: Candidate) -> bool:
        """Whether scores are taken per word: where one cut is for documents of all lengths, and scores would grow with them."""
        return self.calibrate != "none" and self.several and MODELS[own.model].kind.grows_with_length

    def joint(self, own: Candidate) -> bool:
        """Whether scores are joint log probabilities, which are made comparable between documents before they are calibrated."""
        return not self.several and MODELS[own.model].kind.joint_scores

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return 0 if self.folds is None else int(self.folds.max()) + 1


def labelled(table: Table, labels: list[list[str]]) -> Table:
    """The same table with these labels, which may be known by other names than in the corpus, or not be there at all."""
    if table.labels == labels:
        return table
    return Table(table.X, table.term_array, table.ids, *numbered_labels(labels), table.recipe)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What is known so far out of fold."""

    scores: Floats  # documents x labels; -inf: nothing to learn the label from
    own: Any  # the models' own decisions, 0/1
    seen: Bools  # the documents that have been scored
    unknown: Bools  # those without a word that their model knows
    joint: bool  # see `Data.joint`


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A candidate, what it scored out of fold, and how good its decisions were."""

    candidate: Candidate
    rule: Rule
    found: Found
    decisions: Any
    value: float
    low: float
    high: float
    difference: tuple[float, float, float] | None = None  # best less this one, and its interval
    note: str = ""
    rival: Rival | None = None  # what a test against the chosen candidate says, of those that come next to it

    @property
    def scores(self) -> Floats:
        """Out-of-fold scores, documents x labels."""
        return self.found.scores

    @property
    def worse(self) -> bool:
        """Whether the best is significantly better."""
        return self.difference is not None and self.difference[1] > 0

    def as_dict(self) -> dict[str, Any]:
        """A row of the table of what was tried."""
        row = {
            "candidate": str(self.candidate),
            "decide": str(self.rule),
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "behind": None if self.difference is None else list(self.difference),
            "significantly_worse": self.worse,
            "note": self.note,
        }
        return row if self.rival is None else row | {"against_chosen": self.rival.as_dict()}


def chosen_terms(counts: Counts, own: Selection | None) -> Any:
    """The columns of the selected terms in the order of the vocabulary; None for all."""
    if own is None:
        return None
    if own.by == COMMON:  # where no term is in so many documents, those that are in most
        frequencies = counts.documents_with[[-1]].toarray()[0]
        return np.flatnonzero(frequencies >= min(own.top, frequencies.max(initial=0)))
    return np.sort(best_terms(counts, by=own.by, top=own.top))


def out_of_fold(data: Data, own: Candidate) -> Iterator[Found]:
    """Scores of documents by models that have not seen them, after each fold what there is so far."""
    if MODELS[own.model].needs_weights:
        yield from fold_by_fold(data, own)
        return
    table = data.table(own.recipe)
    found = cross_validate(
        data.folded(own.recipe),
        table.X,
        data.folds,
        {"own": own.made()},
        terms=table.terms,
        select=None if own.select is None else lambda counts: chosen_terms(counts, own.select),
        several_labels=data.several,
        jobs=data.jobs,
    )
    shape = len(data.labels), len(data.names)
    columns = [data.names.index(name) for name in found.labels]
    scores, decisions = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int8)
    scores[:, columns] = found.scores["own"]
    if data.by_word(own):
        scores = per_word(scores, found.lengths)
    if data.several:
        decisions[:, columns] = found.decisions["own"]
    else:
        place = {name: n for n, name in enumerate(data.names)}
        decisions[np.arange(shape[0]), [place[name] for name in found.decisions["own"].tolist()]] = 1
    yield Found(scores, decisions, np.ones(shape[0], dtype=bool), found.lengths == 0, data.joint(own))


def fold_by_fold(data: Data, own: Candidate) -> Iterator[Found]:
    """A model of weighted documents: fitted on the other folds, one after the other."""
    total = summed(data.folded(own.recipe))
    shape = len(data.labels), len(data.names)
    scores, decisions = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int8)
    unknown = np.zeros(shape[0], dtype=bool)
    for fold, part in enumerate(data.folded(own.recipe)):
        inside = data.folds == fold
        scores[inside], unknown[inside] = scored(data, own, total - part, ~inside, inside)
        best = first_best(bounded(scores[inside]))  # its own rule where documents have one label
        decisions[np.flatnonzero(inside), best] = 1
        yield Found(scores, decisions, data.folds <= fold, unknown, data.joint(own))


def summed(parts: list[Counts]) -> Counts:
    """The counts of everything."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def scored(data: Data, own: Candidate, counts: Counts, train: Bools, test: Bools) -> tuple[Floats, Bools]:
    """Scores of the test documents by a model of the training documents, whose counts are given; and which have no known word."""
    table = data.table(own.recipe)
    terms = chosen_terms(counts, own.select)
    counts = counts if terms is None else counts.select(terms)
    columns = np.array(pc.index_in(counts.term_array, value_set=table.term_array), dtype=np.int64)
    model: Any = own.made()
    out = np.full((int(test.sum()), len(data.names)), -np.inf)
    X = table.X[test][:, columns]
    unknown = np.diff(X.indptr) == 0
    if own.weighting is None:
        model.fit_counts(counts, several_labels=data.several)
        place = {name: n for n, name in enumerate(data.names)}
        out[:, [place[name] for name in counts.labels]] = model.class_scores(X)
        return per_word(out, lengths_of(X)) if data.by_word(own) else out, unknown
    weighting = Weighting.fitted(counts, own.weighting)
    known = np.flatnonzero(np.asarray(data.truth[train].sum(axis=0)).ravel())
    learned: VectorModel = model.fit_scores(weighting.of(table.X[train][:, columns]), data.truth[train][:, known])
    out[:, known] = learned.class_scores(weighting.of(X))
    return out, unknown


# -- what is said of a fold by what the others have taught


def fold_deciders(
    data: Data, found: Found, by: Measure, given: Rule, *, calibrated: bool
) -> Iterator[tuple[Bools, Decider]]:
    """Each fold that was scored, and what decides on it, learned from the others. calibrated: whether probabilities matter."""
    curves = None
    seen = np.flatnonzero(found.seen)
    if calibrated and needs_calibration(given, data.calibrate):
        curves = cross_calibrate(
            found.scores[seen],
            data.truth[seen],
            found.unknown[seen],
            data.folds[seen],
            calibrate=data.calibrate,
            multilabel=data.several,
            joint=found.joint,
            seed=data.seed,
        )
    for fold in np.unique(data.folds[seen]).tolist():
        inside = data.folds == fold
        others = found.seen & ~inside
        others = others if others.any() else inside
        decider = fit_decider(
            given,
            found.scores[others],
            data.truth[others],
            found.unknown[others],
            calibrated=None if curves is None else curves.without(fold),
            multilabel=data.several,
            joint=found.joint,
            by=by,
            draws=0,
            seed=data.seed,
        )
        yield inside, decider


def said(data: Data, found: Found, by: Measure, given: Rule) -> Any:
    """What the measure is about, of each fold as the others have it: decisions (0/1 documents x labels, or names where documents
    have one label each), scores, or probabilities."""
    about = by.needs
    if about == "scores" and not data.several:
        about = "probabilities"  # a score that is only good for comparing labels cannot rank documents
    by_probability = given.name == "half" or (given.name == "top" and not data.several)
    out = np.zeros(found.scores.shape, dtype=np.int64 if about == "decisions" else np.float64)
    calibrated = about == "probabilities" or (about == "decisions" and by_probability)
    for inside, decider in fold_deciders(data, found, by, given, calibrated=calibrated):
        unknown = found.unknown[inside]
        scores = decider.scores(found.scores[inside], unknown)
        if about == "scores":
            out[inside] = bounded(scores)
        elif about == "probabilities":
            out[inside] = decider.probabilities(scores, unknown)
        else:
            model_rule = np.asarray(found.own, dtype=np.int64)[inside][~unknown]
            out[inside] = decider.decide(scores, unknown, lambda _, decisions=model_rule: decisions)
    if about != "decisions" or data.several:
        return out
    return np.array(data.names, dtype=object)[out.argmax(axis=1)]


def judged(data: Data, by: Measure, documents: Bools, *answers: Any) -> tuple[Any, ...]:
    """What the measure takes: one or several systems' answers on these documents, and the truth in the same form."""
    if data.several or by.needs == "scores":
        truth: Any = data.truth[documents]
    elif by.needs == "probabilities":
        truth = np.asarray(data.truth[documents].argmax(axis=1)).ravel()
    else:
        truth = data.one_each[documents]
    return (*(own[documents] for own in answers), truth)


def tried(data: Data, own: Candidate, found: Found, by: Measure, given: Rule, *, seed: int = 0) -> Trial:
    """One candidate with one rule, judged on documents it has not seen."""
    answers = said(data, found, by, given)
    values, truth = judged(data, by, found.seen, answers)
    drawn = bootstrap(by, values, truth, draws=DRAWS, level=LEVEL, random_state=seed)
    low, high = float(drawn.low), float(drawn.high)
    if by.name in ("accuracy", "subset"):  # the bootstrap of five documents, all right, is sure of itself
        ends = clopper_pearson(float(drawn.value), float(found.seen.sum()), LEVEL)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Trial(own, given, found, answers, float(drawn.value), low, high)
