"""TextClassifier: raw text in, labels out. Recipe, selection, weighting, model, calibration and decision in one estimator.

    text -> terms (recipe) -> counts of the chosen terms -> weights -> scores -> probabilities (calibrated out of fold)
                                                                              -> decisions (cuts chosen out of fold)

What is not given is chosen inside the training set (`tuning`). Count models keep their statistics, so that `learn` and
`forget` are exact; other models keep the documents' counts and are fitted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import calibration
from .candidates import Candidate, candidate, shortlist
from .classifier import Explanation, lists_of_labels
from .corpus import Corpus
from .counting import Table, count, tabulate
from .counts import Counts
from .errors import BadChoice, UnknownName
from .metrics import measure as measure_named
from .recipe import Recipe
from .remembered import joined, without
from .thresholds import Cuts, fit_cuts
from .tuning import Data, Trial, beta_of, choose, chosen_terms, goal_of, tried
from .vectors import Weighting

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Given", "Reason", "TextClassifier", "given_labels"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
DECIDE = ("auto", "scut", "top", "own")
CALIBRATE = ("auto", "none", "sigmoid", "isotonic", "temperature")
FEWEST = 4  # documents below which nothing is held out


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text has or has not a label: what each term adds to the score, the score, the cut, the probability."""

    label: str
    score: float
    cut: float | None
    probability: float
    decided: bool
    terms: list[tuple[str, float]]  # largest first
    others: float  # what the terms that are not shown add
    base: float  # what is there without the terms


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """Labels as they were given: a list of names a document, whether several are allowed, and how to give them back."""

    names: list[list[str]]
    several: bool
    kind: str  # "one", "lists" or "indicator"
    classes: Any  # the labels themselves, in the order of their names
    order: list[str]  # their names


def given_labels(y: Any) -> Given:
    """One label a document, a list of labels a document, or a 0/1 indicator matrix."""
    if sparse.issparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2 and y.dtype.kind in "biuf"):
        table = sparse.csr_array(y)
        width = len(str(max(table.shape[1] - 1, 0)))
        order = [str(n).zfill(width) for n in range(table.shape[1])]  # sorted by name is sorted by column
        names = [
            [order[n] for n in table.indices[table.indptr[d] : table.indptr[d + 1]]] for d in range(table.shape[0])
        ]
        return Given(names, True, "indicator", np.arange(table.shape[1]), order)
    if lists_of_labels(list(y) if not isinstance(y, np.ndarray) else y):
        names = [sorted({str(label) for label in own}) for own in y]
        order = sorted({label for own in names for label in own})
        return Given(names, True, "lists", np.array(order), order)
    values = np.asarray(y)
    if values.ndim != 1:
        raise BadChoice(f"labels of shape {values.shape}: give one label a document, lists of labels, or a 0/1 matrix")
    classes = np.unique(values)
    if values.dtype.kind in "US" or values.dtype == object:
        order = [str(label) for label in classes.tolist()]
    else:
        width = len(str(len(classes)))
        order = [f"{n:0{width}d}" for n in range(len(classes))]
    place = dict(zip(classes.tolist(), order, strict=True))
    return Given([[place[label]] for label in values.tolist()], False, "one", classes, order)


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Raw text in, labels out.

    model: "auto", a name of `models.MODELS`, or one of its classes with settings. recipe: how text becomes terms. select:
    "dkl:5000", the best terms by a score. weighting: for models of weighted documents, "ltc" and others of `vectors.FORMS`.
    decide: "scut", a cut a label from out-of-fold scores; "top", the best score; "own", the model's own rule; "auto", scut for
    several labels a document and top for one. calibrate: "auto" (by held-out log loss), a calibrator's name, or "none".
    measure: what the choice is made by; microF1, or accuracy with one label a document. budget: about so many seconds for
    trials. folds: of the cross-validation.
    """

    def __init__(
        self,
        model: Any = "auto",
        *,
        recipe: Recipe | None = None,
        select: Any = None,
        weighting: str | None = None,
        decide: str = "auto",
        calibrate: str = "auto",
        measure: str = "auto",
        folds: int = 5,
        budget: float = 60.0,
        jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.model = model
        self.recipe = recipe
        self.select = select
        self.weighting = weighting
        self.decide = decide
        self.calibrate = calibrate
        self.measure = measure
        self.folds = folds
        self.budget = budget
        self.jobs = jobs
        self.random_state = random_state

    # -- learning

    def fit(self, X: Any, y: Any = None, *, progress: Callable[[Trial], None] | None = None) -> Self:
        """Learn from texts and their labels (one each, lists, or a 0/1 matrix), or from a corpus that has its labels."""
        texts, given = self._given(X, y)
        if len(given.order) == 0:
            raise BadChoice("no label to learn: every document is without labels")
        self._given_kind, self.classes_, self._order = given.kind, given.classes, given.order
        self.several_labels_ = given.several
        by = self._measure()
        data = Data.of(
            texts, given.names, several=given.several, folds=self.folds, seed=self.random_state, jobs=self.jobs
        )
        enough = data.folds is not None and len(given.names) >= FEWEST
        trial, trials, left = self._chosen(data, by, enough, progress)
        own = (
            trial.candidate
            if trial is not None
            else self._asked() or shortlist(recipe=self.recipe, select=self.select)[0]
        )
        self._fit_whole(data.table(own.recipe), own)
        self._settle(data, trial, by)
        self.report_ = {
            "measure": by.name,
            "documents": len(given.names),
            "labels": len(given.order),
            "chosen": own.as_dict(),
            "value": None if trial is None else trial.value,
            "interval": None if trial is None else [trial.low, trial.high],
            "tried": [one.as_dict() for one in trials],
            "left_out": [str(one) for one in left],
            "calibration": None if self.calibrated_ is None else self.calibrated_.choice,
            "statement": self._statement(trial, trials, left, by.name, len(given.names)),
        }
        return self

    def _given(self, X: Any, y: Any) -> tuple[Any, Given]:
        if isinstance(X, Corpus):
            if y is not None:
                raise BadChoice("a corpus has its labels: y goes with a list of texts")
            labels = [list(own) for own in X.labels]
            one = bool(labels) and all(len(own) == 1 for own in labels)
            return X, given_labels([own[0] for own in labels] if one else labels)
        texts = list(X)
        if y is None:
            raise ValueError("TextClassifier requires y to be passed, but the target y is None")
        given = given_labels(y)
        if len(given.names) != len(texts):
            raise ValueError(f"{len(texts)} texts with {len(given.names)} labels: give one label (or list) a text")
        if not texts:
            raise ValueError("Found array with 0 sample(s): there is no document to learn from")
        return texts, given

    def _measure(self) -> Any:
        if self.decide not in DECIDE:
            raise BadChoice(f"decide={self.decide!r}: choose one of {', '.join(DECIDE)}")
        if self.calibrate not in CALIBRATE:
            raise BadChoice(f"calibrate={self.calibrate!r}: choose one of {', '.join(CALIBRATE)}")
        return measure_named(
            self.measure if self.measure != "auto" else "microF1" if self.several_labels_ else "accuracy"
        )

    def _asked(self) -> Candidate | None:
        """The candidate that was asked for; None if one is to be chosen."""
        if isinstance(self.model, str) and self.model == "auto":
            return None
        return candidate(self.model, recipe=self.recipe, select=self.select, weighting=self.weighting)

    def _chosen(
        self, data: Data, by: Any, enough: bool, progress: Any
    ) -> tuple[Trial | None, list[Trial], list[Candidate]]:
        own = self._asked()
        if not enough:
            return None, [], []
        if own is not None:
            trial = tried(data, own, by, seed=self.random_state)
            if progress is not None:
                progress(trial)
            return trial, [trial], []
        usual = shortlist(recipe=self.recipe, select=self.select)
        return choose(data, usual, by=by.name, budget=self.budget, seed=self.random_state, progress=progress)

    def _fit_whole(self, table: Table, own: Candidate) -> None:
        """The chosen candidate on all documents."""
        self.candidate_, self.recipe_ = own, own.recipe
        self.counts_: Counts | None = table.counts if own.weighting is None else None
        self.documents_: Table | None = None if own.weighting is None else table
        self._refit()

    def _refit(self) -> None:
        """The model from what is kept: statistics, or documents."""
        own = self.candidate_
        table, held = self.documents_, self.counts_
        counts: Counts = table.counts if table is not None else held  # type: ignore[assignment]
        counts = counts.aligned(counts.terms, self._order)
        terms = chosen_terms(counts, own.select)
        counts = counts if terms is None else counts.select(terms)
        self.terms_ = counts.terms
        model: Any = own.made()
        self.weighting_: Weighting | None = None
        if table is None:
            self.model_: Any = model.fit_counts(counts, several_labels=self.several_labels_)
            return
        self.weighting_ = Weighting.fitted(counts, own.weighting or "ltc")
        X = table.X if terms is None else table.X[:, terms]
        self.model_ = model.fit_scores(self.weighting_.of(X), self._truth(table.labels))

    def _truth(self, labels: Sequence[Sequence[str]]) -> sparse.csr_array:
        place = {name: n for n, name in enumerate(self._order)}
        pairs = [(d, place[label]) for d, own in enumerate(labels) for label in own]
        rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        shape = (len(labels), len(self._order))
        return sparse.csr_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=shape)

    def _settle(self, data: Data, trial: Trial | None, by: Any) -> None:
        """Cuts and calibration, from out-of-fold scores."""
        self.cuts_: Cuts | None = None
        self.calibrated_ = None
        if trial is None:
            return
        truth = self._truth(data.labels)
        scores = np.full(truth.shape, -np.inf)
        scores[:, [self._order.index(name) for name in data.names]] = trial.scores
        how = self.decide if self.decide != "auto" else "scut" if self.several_labels_ else "top"
        if how == "scut":
            self.cuts_ = fit_cuts(
                scores, truth, by=goal_of(by), beta=beta_of(by), labels=self._order, random_state=self.random_state
            )
        if self.calibrate != "none":
            asked = None if self.calibrate == "auto" else (self.calibrate,)
            wanted = truth if self.several_labels_ else np.array([own[0] for own in data.labels])
            names = None if self.several_labels_ else self._order
            self.calibrated_ = calibration.choose(
                scores, wanted, labels=names, candidates=asked, random_state=self.random_state
            )

    def _statement(self, trial: Trial | None, trials: list[Trial], left: list[Any], by: str, n: int) -> str:
        if trial is None:
            return f"{n} documents are too few to hold any out: nothing was tried, and nobody knows how good it is"
        alike = [str(one.candidate) for one in trials if not one.worse and one is not trial]
        said = f"{by} {trial.value:.3f} ({trial.low:.3f} to {trial.high:.3f}) on documents that it had not seen"
        if alike:
            said += f"; not significantly better: {', '.join(alike)}"
        if left:
            said += f"; not tried for lack of time: {', '.join(map(str, left))}"
        return said

    # -- answering

    def _counted(self, X: Any) -> sparse.csr_array:
        check_is_fitted(self, "model_")
        texts = X if isinstance(X, Corpus) else list(X)
        return tabulate(texts, self.recipe_, terms=self.terms_, jobs=self.jobs).X

    def _scored(self, X: sparse.csr_array) -> Floats:
        scores: Floats = self.model_.class_scores(X if self.weighting_ is None else self.weighting_.of(X))
        return scores

    def decision_function(self, X: Any) -> Floats:
        """The model's own scores, documents x labels."""
        return self._scored(self._counted(X))

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities, documents x labels: calibrated on documents the model had not seen, unless calibrate="none"."""
        return self._probabilities(self.decision_function(X))

    def _probabilities(self, scores: Floats) -> Floats:
        if self.calibrated_ is not None:
            found: Floats = self.calibrated_.calibrator.predict_proba(scores)
            return found
        from scipy.special import expit, softmax

        squashed: Floats = expit(scores) if self.several_labels_ else softmax(scores, axis=1)
        return squashed

    def predict(self, X: Any) -> Any:
        """Labels in the form in which they were given: one each, a list each, or a 0/1 matrix."""
        return self._given_back(self._decisions(self.decision_function(X)))

    def _decisions(self, scores: Floats) -> Any:
        """0/1, documents x labels."""
        if self.several_labels_:
            if self.cuts_ is not None:
                return self.cuts_.decide(scores)
            return (self._probabilities(scores) > 0.5).astype(np.int64)
        out = np.zeros(scores.shape, dtype=np.int64)
        best = self._probabilities(scores) if self.calibrated_ is not None else scores
        out[np.arange(len(out)), np.argmax(best, axis=1)] = 1
        return out

    def _given_back(self, decisions: Any) -> Any:
        if self._given_kind == "indicator":
            return decisions
        if self._given_kind == "lists":
            return [[self._order[n] for n in np.flatnonzero(row)] for row in decisions]
        return self.classes_[decisions.argmax(axis=1)]

    @property
    def thresholds_(self) -> Floats | None:
        """The cut of each label; None where the best score decides."""
        check_is_fitted(self, "model_")
        return None if self.cuts_ is None else self.cuts_.cuts

    def explain(self, text: str, label: Any = None, *, top: int = 20) -> list[Reason]:
        """Why this text has its labels, or why it has this one or not: the terms with what they add to the score."""
        X = self._counted([text])
        scores = self._scored(X)
        probabilities, decisions = self._probabilities(scores)[0], self._decisions(scores)[0]
        asked = self._asked_labels(label, decisions, probabilities)
        told: Explanation = self.model_.explain(X if self.weighting_ is None else self.weighting_.of(X))[0]
        out = []
        for n in asked:
            parts = sorted(
                zip(told.terms.tolist(), told.contributions[:, n].tolist(), strict=True), key=lambda p: -abs(p[1])
            )
            out.append(
                Reason(
                    self._order[n] if self._given_kind != "one" else str(self.classes_[n]),
                    float(scores[0, n]),
                    None if self.cuts_ is None else float(self.cuts_.cuts[n]),
                    float(probabilities[n]),
                    bool(decisions[n]),
                    [(self.terms_[term], value) for term, value in parts[:top]],
                    float(sum(value for _, value in parts[top:])),
                    float(told.base[n]),
                )
            )
        return out

    def _asked_labels(self, label: Any, decisions: Any, probabilities: Floats) -> list[int]:
        if label is None:
            found: list[int] = np.flatnonzero(decisions).tolist()
            return found or [int(np.argmax(probabilities))]
        places = [n for n, own in enumerate(self.classes_.tolist()) if own == label or str(own) == str(label)]
        if not places:
            raise UnknownName("label", str(label), [str(own) for own in self.classes_.tolist()])
        return places

    # -- going on

    def learn(self, X: Any, y: Any) -> Self:
        """Learn further documents. Count models add them to their statistics; others are fitted anew with them. Cuts and
        calibration stay those of the last fit."""
        return self._change(X, y, add=True)

    def forget(self, X: Any, y: Any) -> Self:
        """Take documents back out. A count model is then as if it had never seen them, bit for bit; another is fitted anew on the
        others. Cuts and calibration stay those of the last fit: fit again to renew them."""
        return self._change(X, y, add=False)

    def _change(self, X: Any, y: Any, *, add: bool) -> Self:
        check_is_fitted(self, "model_")
        texts, given = self._given(X, y)
        names = self._known_names(given)
        if self.documents_ is None:
            delta = count(texts, self.recipe_, labels=names, jobs=self.jobs)
            held: Any = self.counts_
            self.counts_ = held + delta if add else held - delta
        else:
            table = tabulate(texts, self.recipe_, labels=names, jobs=self.jobs)
            self.documents_ = joined(self.documents_, table) if add else without(self.documents_, table)
        self._refit()
        return self

    def _known_names(self, given: Given) -> list[list[str]]:
        """The names by which the labels are known here; a label that is new needs cuts of its own, and so a fit."""
        own = dict(zip(given.order, given.classes.tolist(), strict=True))
        known = dict(zip(self.classes_.tolist(), self._order, strict=True))
        new = sorted({str(own[name]) for names in given.names for name in names if own[name] not in known})
        if new:
            raise BadChoice(f"new labels ({', '.join(new)}) need cuts of their own: fit again with all documents")
        return [[known[own[name]] for name in names] for names in given.names]

    # -- scikit-learn's door

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_label = True
        return tags
