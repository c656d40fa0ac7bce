"""Choices made inside the training set: each candidate judges documents it has not seen, and the simplest that is not
significantly worse than the best is taken.

Scores are out-of-fold: a document is scored by a model fitted on the other folds, selection of terms and frequencies for
weights included. Count models are trained on `total - fold`. Decisions are cross-fitted too: the cuts for a fold come from
the scores of the others. Nothing here looks at a clock, so that the same data and seed give the same choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from .candidates import Candidate, Selection, cost
from .classifier import first_best
from .corpus import Corpus
from .counting import Table, tabulate
from .counts import Counts
from .linear import VectorModel
from .metrics import measure
from .metrics.names import Measure
from .models import MODELS
from .recipe import Recipe
from .significance import bootstrap, bootstrap_difference
from .splits import fold_numbers
from .term_scores import select as best_terms
from .thresholds import fit_cuts
from .thresholds.intervals import exact
from .validation import cross_validate, fold_counts
from .vectors import Weighting

__all__ = ["Data", "Trial", "choose", "cross_fitted", "out_of_fold", "tried"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
DRAWS = 500  # of the bootstrap between candidates
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
    tables: dict[str, Table] = field(default_factory=dict)

    @classmethod
    def of(cls, documents: Any, labels: list[list[str]], *, several: bool, folds: int, seed: int, jobs: Any) -> Data:
        """Folds in proportion to the labels, seeded."""
        names = sorted({label for own in labels for label in own})
        k = min(folds, len(labels))
        numbers = fold_numbers(labels, k, seed=seed) if k >= 2 and len(names) > 0 else None
        return cls(documents, labels, names, several, numbers, jobs)

    def table(self, recipe: Recipe) -> Table:
        """The documents by this recipe; the text is read once a recipe."""
        key = recipe.fingerprint
        if key not in self.tables:
            labels = None if isinstance(self.documents, Corpus) else self.labels
            self.tables[key] = tabulate(self.documents, recipe, labels=labels, jobs=self.jobs)
        return self.tables[key]

    @property
    def truth(self) -> sparse.csr_array:
        """documents x labels, 0/1."""
        place = {name: n for n, name in enumerate(self.names)}
        columns = [place[label] for own in self.labels for label in own]
        ends = np.cumsum([0, *(len(own) for own in self.labels)])
        shape = (len(self.labels), len(self.names))
        return sparse.csr_array((np.ones(len(columns), dtype=np.int8), columns, ends), shape=shape)

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return 0 if self.folds is None else int(self.folds.max()) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A candidate, what it scored out of fold, and how good its decisions were."""

    candidate: Candidate
    scores: Floats
    decisions: Any
    value: float
    low: float
    high: float
    difference: tuple[float, float, float] | None = None  # best less this one, and its interval
    note: str = ""

    @property
    def worse(self) -> bool:
        """Whether the best is significantly better."""
        return self.difference is not None and self.difference[1] > 0

    def as_dict(self) -> dict[str, Any]:
        """A row of the table of what was tried."""
        return {
            "candidate": str(self.candidate),
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "behind": None if self.difference is None else list(self.difference),
            "significantly_worse": self.worse,
            "note": self.note,
        }


def chosen_terms(counts: Counts, own: Selection | None) -> Any:
    """The columns of the selected terms in the order of the vocabulary; None for all."""
    return None if own is None else np.sort(best_terms(counts, by=own.by, top=own.top))


def out_of_fold(data: Data, own: Candidate) -> Floats:
    """Scores of all documents by models that have not seen them: documents x labels. -inf: nothing to learn the label from."""
    table = data.table(own.recipe)
    if not MODELS[own.model].needs_weights:
        found = cross_validate(
            fold_counts(table, data.folds),
            table.X,
            data.folds,
            {"own": own.made()},
            terms=table.terms,
            select=None if own.select is None else lambda counts: chosen_terms(counts, own.select),
            jobs=data.jobs,
        )
        scores = np.full((len(data.labels), len(data.names)), -np.inf)
        scores[:, [data.names.index(name) for name in found.labels]] = found.scores["own"]
        return scores
    scores = np.full((len(data.labels), len(data.names)), -np.inf)
    parts = fold_counts(table, data.folds)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    truth = data.truth
    column = {term: n for n, term in enumerate(table.terms)}
    for fold, part in enumerate(parts):
        counts = total - part
        terms = chosen_terms(counts, own.select)
        counts = counts if terms is None else counts.select(terms)
        columns = np.array([column[term] for term in counts.terms], dtype=np.int64)
        inside = data.folds == fold
        weighting = Weighting.fitted(counts, own.weighting or "ltc")
        model: Any = own.made()
        known = np.flatnonzero(np.asarray(truth[~inside].sum(axis=0)).ravel())
        fitted: VectorModel = model.fit_scores(weighting.of(table.X[~inside][:, columns]), truth[~inside][:, known])
        scores[np.ix_(inside, known)] = fitted.class_scores(weighting.of(table.X[inside][:, columns]))
    return scores


def goal_of(by: Measure) -> str:
    """Which cuts serve a measure: those of the best micro average, or of each label's best F."""
    return "micro_f" if by.name.startswith("micro") else "f"


def beta_of(by: Measure) -> float:
    """The beta of an F measure; 1 for others."""
    number = by.name.rsplit("F", 1)[-1] if "F" in by.name else ""
    return float(number) if number.replace(".", "", 1).isdigit() else 1.0


def cross_fitted(data: Data, scores: Floats, by: Measure) -> Any:
    """Decisions on each fold by cuts from the other folds, 0/1 documents x labels; with one label a document, the names of
    those with the best score."""
    if not data.several:
        return np.array(data.names, dtype=object)[first_best(np.where(np.isneginf(scores), -1e300, scores))]
    out, truth = np.zeros(scores.shape, dtype=np.int64), data.truth
    for fold in range(data.n_folds):
        inside = data.folds == fold
        cuts = fit_cuts(scores[~inside], truth[~inside], by=goal_of(by), beta=beta_of(by), draws=0)
        out[inside] = cuts.decide(scores[inside])
    return out


def judged(data: Data, by: Measure, *trials: tuple[Any, Floats]) -> tuple[Any, ...]:
    """What the measure takes of (decisions, scores), one or several times; and the truth in the same form."""
    if by.needs != "decisions":
        return (*(scores for _, scores in trials), data.truth)
    truth = data.truth if data.several else np.array([own[0] for own in data.labels], dtype=object)
    return (*(decisions for decisions, _ in trials), truth)


def tried(data: Data, own: Candidate, by: Measure, *, seed: int = 0) -> Trial:
    """One candidate, judged on documents it has not seen."""
    scores = out_of_fold(data, own)
    decisions = cross_fitted(data, scores, by)
    values, truth = judged(data, by, (decisions, scores))
    found = bootstrap(by, values, truth, draws=DRAWS, level=LEVEL, random_state=seed)
    low, high = float(found.low), float(found.high)
    if by.name in ("accuracy", "subset"):  # the bootstrap of five documents, all right, is sure of itself
        ends = exact(float(found.value), float(len(data.labels)), LEVEL)
        low, high = min(low, ends[0]), max(high, ends[1])
    return Trial(own, scores, decisions, float(found.value), low, high)


def affordable(data: Data, candidates: Sequence[Candidate], budget: float) -> tuple[list[Candidate], list[Candidate]]:
    """Those whose trials fit into the budget together, and those left out; the first is always tried."""
    inside: list[Candidate] = []
    left: list[Candidate] = []
    spent = 0.0
    for own in candidates:
        base = data.table(candidates[0].recipe)
        needed = cost(own, entries=base.X.nnz, labels=len(data.names), folds=data.n_folds)
        if not inside or spent + needed <= budget:
            inside.append(own)
            spent += needed
        else:
            left.append(own)
    return inside, left


def choose(
    data: Data,
    candidates: Sequence[Candidate],
    *,
    by: str,
    budget: float,
    seed: int = 0,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[Trial, list[Trial], list[Candidate]]:
    """The trial of the chosen candidate, all trials, and candidates that did not fit into the budget.

    candidates: simplest first. Chosen is the first that is not significantly worse than the best, by a paired bootstrap over
    documents.
    """
    own_measure = measure(by)
    inside, left = affordable(data, candidates, budget)
    trials = list(each(data, inside, own_measure, seed, progress))
    sign = 1 if own_measure.higher_is_better else -1
    best = max(trials, key=lambda trial: sign * trial.value)
    compared = [against(data, own_measure, best, trial, seed) for trial in trials]
    return next(trial for trial in compared if not trial.worse), compared, left


def each(
    data: Data, candidates: Sequence[Candidate], by: Measure, seed: int, progress: Callable[[Trial], None] | None
) -> Iterator[Trial]:
    """Trials, one after the other, told as they come."""
    for own in candidates:
        trial = tried(data, own, by, seed=seed)
        if progress is not None:
            progress(trial)
        yield trial


def against(data: Data, by: Measure, best: Trial, trial: Trial, seed: int) -> Trial:
    """The same trial with its distance from the best."""
    if trial is best:
        return trial
    first, second, truth = judged(data, by, (best.decisions, best.scores), (trial.decisions, trial.scores))
    found = bootstrap_difference(by, first, second, truth, draws=DRAWS, level=LEVEL, random_state=seed)
    low, high, value = float(found.low), float(found.high), float(found.value)
    if not by.higher_is_better:
        low, high, value = -high, -low, -value
    return Trial(
        trial.candidate,
        trial.scores,
        trial.decisions,
        trial.value,
        trial.low,
        trial.high,
        (value, low, high),
        trial.note,
    )
