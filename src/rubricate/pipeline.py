"""TextClassifier: raw text in, labels out. Recipe, selection, weighting, model, calibration and decision in one estimator.

    text -> terms (recipe) -> counts of the chosen terms -> weights -> scores -> probabilities (calibrated out of fold)
                                                                              -> decisions (cuts chosen out of fold)

What is not given is chosen inside the training set (`tuning`). Count models keep their statistics, so that `learn` and
`forget` are exact; other models keep the documents' counts and are fitted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from . import calibration
from .candidates import Candidate, candidate, shortlist
from .classifier import Explanation, first_best
from .corpus import Corpus
from .counting import Table, tabulate
from .counts import Counts
from .deciding import Decision, Rule, bounded, decided, rule
from .deciding import fitted as rule_fitted
from .errors import BadChoice, DamagedFile, UnknownName
from .from_vectors.nearest_neighbours import NearestNeighbours
from .given import Given, documents_of, given_labels
from .learning_curve import learning_curve
from .metrics import measure as measure_named
from .recipe import Recipe
from .remembered import joined, without
from .saved import MOST, from_file, to_file
from .thresholds import Cuts
from .trials import Data, Trial, chosen_terms, labelled
from .tuning import choose
from .vectors import Weighting

if TYPE_CHECKING:
    from typing import Self

__all__ = ["CALIBRATE", "Reason", "TextClassifier", "load"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
CALIBRATE = ("auto", "none", *calibration.CALIBRATORS)
FEWEST = 4  # documents below which nothing is held out
NEAREST = 5  # training documents that are shown as a reason
# what a fit leaves behind, besides its report
FITTED = (
    "_given_kind", "_ids", "_order", "calibrated_", "candidate_", "classes_", "counts_", "decision_", "documents_", "model_",
    "recipe_", "several_labels_", "terms_", "weighting_",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text has or has not a label: what each term adds to the score, the score, the cut, the probability."""

    label: str
    score: float
    cut: float | None
    probability: float
    decided: bool | None  # None: the rule needs a whole batch
    terms: list[tuple[str, float]]  # largest first
    others: float  # what the terms that are not shown add
    base: float  # what is there without the terms
    neighbours: list[tuple[str, float]] = field(
        default_factory=list
    )  # training documents it was decided by, and their weight


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Raw text in, labels out.

    model: "auto", a name of `models.MODELS`, or one of its classes with settings. recipe: how text becomes terms. select:
    "dkl:5000", the best terms by a score. weighting: for models of weighted documents, "ltc" and others of `vectors.FORMS`.
    decide: how scores become labels, see `deciding.RULES`: "scut", a cut a label from out-of-fold scores; "top"; "density";
    "precision:0.95"; ...; "auto" is scut for several labels a document and top for one. calibrate: "auto" (by held-out log
    loss), a calibrator's name, or "none". measure: what the choice is made by; microF1, or accuracy with one label a document.
    budget: about so many seconds for trials. folds: of the cross-validation. learning_curve: also try the chosen one with less
    data, so that one can tell whether more would help.
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
        learning_curve: bool = False,
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
        self.learning_curve = learning_curve
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
        by, given_rule = self._measure(), rule(self.decide, several=given.several)
        data = Data.of(
            texts, given.names, several=given.several, folds=self.folds, seed=self.random_state, jobs=self.jobs
        )
        enough = data.folds is not None and len(given.names) >= FEWEST
        trial, trials, left = self._chosen(data, by, given_rule, enough, progress)
        own = trial.candidate if trial is not None else self._asked() or self._usual()[0]
        table = data.table(own.recipe)
        self._fit_whole(table, own)
        self._settle(data, trial, by, given_rule)
        self._ids: list[str] | None = table.ids if self._shows_documents() else None
        tally = texts.tally if isinstance(texts, Corpus) else None
        self.report_ = {
            "measure": by.name,
            "documents": len(given.names),
            "labels": len(given.order),
            "chosen": own.as_dict(),
            "decide": str(given_rule),
            "value": None if trial is None else trial.value,
            "interval": None if trial is None else [trial.low, trial.high],
            "tried": [one.as_dict() for one in trials],
            "left_out": [str(one) for one in left],
            "calibration": self._calibration_name(),
            "statement": self._statement(trial, trials, left, by.name, len(given.names)),
            "data": {
                "fingerprint": table.counts.digest,
                "documents": len(given.names),
                "rows": len(given.names) if tally is None else tally.rows_in,
                "rejected": 0 if tally is None else tally.rejected,
            },
            "learning_curve": None if trial is None else self._curve(data, trial, by, given_rule),
            "changes": [],
        }
        return self

    def _curve(self, data: Data, trial: Trial, by: Any, given: Rule) -> dict[str, Any] | None:
        if not self.learning_curve:
            return None
        return learning_curve(data, trial.candidate, trial.found, by, given, seed=self.random_state)

    def _given(self, X: Any, y: Any) -> tuple[Any, Given]:
        texts = documents_of(X)
        if isinstance(X, Corpus):
            if y is not None:
                raise BadChoice("a corpus has its labels: y goes with a list of texts")
            labels = [list(own) for own in X.labels]
            one = bool(labels) and all(len(own) == 1 for own in labels)
            return X, given_labels([own[0] for own in labels] if one else labels)
        if y is None:
            raise ValueError("TextClassifier requires y to be passed, but the target y is None")
        given = given_labels(y)
        if len(given.names) != len(texts):
            raise ValueError(f"{len(texts)} texts with {len(given.names)} labels: give one label (or list) a text")
        if len(texts) == 0:
            raise ValueError("Found array with 0 sample(s): there is no document to learn from")
        return texts, given

    def _measure(self) -> Any:
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

    def _usual(self) -> list[Candidate]:
        return shortlist(recipe=self.recipe, select=self.select)

    def _chosen(
        self, data: Data, by: Any, given: Rule, enough: bool, progress: Any
    ) -> tuple[Trial | None, list[Trial], list[Candidate]]:
        own = self._asked()
        if own is not None and own.weighting is not None and given.name == "own" and data.several:
            raise BadChoice(f"decide='own': {own.model} has no rule of its own for several labels; choose scut")
        if not enough:
            return None, [], []
        candidates = self._usual() if own is None else [own]
        if given.name == "own":
            candidates = [one for one in candidates if one.weighting is None or not data.several]
        return choose(
            data, candidates, by=by.name, rules=[given], budget=self.budget, seed=self.random_state, progress=progress
        )

    def _fit_whole(self, table: Table, own: Candidate) -> None:
        """The chosen candidate on all documents."""
        self.candidate_, self.recipe_ = own, own.recipe
        self.counts_: Counts | None = table.counts if own.weighting is None else None
        self.documents_: Table | None = None if own.weighting is None else table
        self._refit()

    def _refit(self) -> None:
        """The model from what is kept: statistics, or documents."""
        own, table = self.candidate_, self.documents_
        counts = self._statistics()
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

    def _settle(self, data: Data, trial: Trial | None, by: Any, given: Rule) -> None:
        """The rule and the calibration, from out-of-fold scores."""
        self.calibrated_ = None
        if trial is None:
            self.decision_ = Decision("half" if self.several_labels_ else "top", self.several_labels_)
            return
        truth = self._truth(data.labels)
        scores = np.full(truth.shape, -np.inf)
        scores[:, [self._order.index(name) for name in data.names]] = trial.scores
        self.decision_ = rule_fitted(
            given, scores, truth, several=self.several_labels_, by=by, labels=self._order, seed=self.random_state
        )
        if self.calibrate != "none" and not (given.name == "density" and self.calibrate == "auto"):
            asked = None if self.calibrate == "auto" else (self.calibrate,)
            wanted = truth if self.several_labels_ else np.array([own[0] for own in data.labels])
            names = None if self.several_labels_ else self._order
            self.calibrated_ = calibration.choose(
                scores, wanted, labels=names, candidates=asked, random_state=self.random_state
            )

    @property
    def cuts_(self) -> Cuts | None:
        """The cuts with their intervals; None where another rule decides."""
        return self.decision_.cuts

    def _calibration_name(self) -> str | None:
        if self.calibrated_ is not None:
            return self.calibrated_.choice
        return "density" if self.decision_.density is not None else None

    def _shows_documents(self) -> bool:
        """Whether training documents are the reason of a decision."""
        return self.decision_.density is not None or isinstance(self.model_, NearestNeighbours)

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
        return tabulate(documents_of(X), self.recipe_, terms=self.terms_, jobs=self.jobs).X

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
        if self.decision_.density is not None:
            return self.decision_.probabilities(scores)  # type: ignore[return-value]
        from scipy.special import expit, softmax

        squashed: Floats = expit(scores) if self.several_labels_ else softmax(scores, axis=1)
        return squashed

    def predict(self, X: Any) -> Any:
        """Labels in the form in which they were given: one each, a list each, or a 0/1 matrix."""
        return self._given_back(self._decisions(self.decision_function(X)))

    def _decisions(self, scores: Floats) -> Any:
        """0/1, documents x labels."""
        return decided(self.decision_, scores, self._probabilities, self._own_decisions)

    def _own_decisions(self, scores: Floats) -> Any:
        """By the model's own rule."""
        if self.several_labels_:
            return self.model_.decide(scores)
        out = np.zeros(scores.shape, dtype=np.int64)
        out[np.arange(len(out)), first_best(bounded(scores))] = 1
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
        probabilities = self._probabilities(scores)[0]
        decisions = None if self.decision_.of_batches else self._decisions(scores)[0]
        asked = self._asked_labels(label, decisions, probabilities)
        weighted = X if self.weighting_ is None else self.weighting_.of(X)
        told: Explanation | None = None
        if not isinstance(self.model_, NearestNeighbours):
            told = self.model_.explain(weighted)[0]
        nearest = self._nearest(weighted, scores)
        return [self._reason(n, told, nearest, scores[0], probabilities, decisions, top) for n in asked]

    def _reason(
        self,
        n: int,
        told: Explanation | None,
        nearest: Any,
        scores: Floats,
        probabilities: Floats,
        decisions: Any,
        top: int,
    ) -> Reason:
        parts = [] if told is None else zip(told.terms.tolist(), told.contributions[:, n].tolist(), strict=True)
        parts = sorted(parts, key=lambda part: -abs(part[1]))
        return Reason(
            self._order[n] if self._given_kind != "one" else str(self.classes_[n]),
            float(scores[n]),
            None if self.cuts_ is None else float(self.cuts_.cuts[n]),
            float(probabilities[n]),
            None if decisions is None else bool(decisions[n]),
            [(self.terms_[term], value) for term, value in parts[:top]],
            float(sum(value for _, value in parts[top:])),
            float(scores[n]) if told is None else float(told.base[n]),
            nearest,
        )

    def _nearest(self, weighted: sparse.csr_array, scores: Floats) -> list[tuple[str, float]]:
        """The training documents nearest to a document, where they are what decides: the nearest first, and their weight."""
        if self._ids is None:
            return []
        if self.decision_.density is not None:
            found = self.decision_.density.neighbours(scores)
            weights, places = 1 / (found.distances[0] + self.decision_.density.epsilon), found.indices[0]
        else:
            weights, places = (row[0] for row in self.model_.neighbours(weighted))
        share = weights / max(float(weights.sum()), 1e-300)
        return [(self._ids[place], float(value)) for place, value in zip(places[:NEAREST], share, strict=False)]

    def _asked_labels(self, label: Any, decisions: Any, probabilities: Floats) -> list[int]:
        if label is None:
            found: list[int] = [] if decisions is None else np.flatnonzero(decisions).tolist()
            return found or [int(np.argmax(probabilities))]
        places = [n for n, own in enumerate(self.classes_.tolist()) if own == label or str(own) == str(label)]
        if not places:
            raise UnknownName("label", str(label), [str(own) for own in self.classes_.tolist()])
        return places

    # -- going on

    def learn(self, X: Any, y: Any = None) -> Self:
        """Learn further documents. Count models add them to their statistics; others are fitted anew with them. Cuts and
        calibration stay those of the last fit."""
        return self._change(X, y, add=True)

    def forget(self, X: Any, y: Any = None) -> Self:
        """Take documents back out. A count model is then as if it had never seen them, bit for bit; another is fitted anew on the
        others. Cuts and calibration stay those of the last fit: fit again to renew them."""
        return self._change(X, y, add=False)

    def _change(self, X: Any, y: Any, *, add: bool) -> Self:
        check_is_fitted(self, "model_")
        texts, given = self._given(X, y)
        names = self._known_names(given)
        if self.documents_ is None and self.counts_ is None:
            raise BadChoice("this model was saved slim, without what is needed to learn or forget: train it again")
        table = labelled(tabulate(texts, self.recipe_, jobs=self.jobs), names)
        held: Any = self.counts_
        if self.documents_ is None:
            self.counts_ = held + table.counts if add else held - table.counts
        else:
            self.documents_ = joined(self.documents_, table) if add else without(self.documents_, table)
        if self.documents_ is not None and self._ids is not None:
            self._ids = self.documents_.ids
        self._refit()
        n = len(names) if add else -len(names)
        self.report_ = {
            **self.report_,
            "documents": self.report_["documents"] + n,
            "data": {
                "fingerprint": self._statistics().digest,
                "documents": self.report_["data"]["documents"] + n,
            },
            "changes": [*self.report_["changes"], self._told_change(abs(n), add)],
        }
        return self

    def _statistics(self) -> Counts:
        """The statistics of all documents that were learned and not forgotten."""
        table, held = self.documents_, self.counts_
        return table.counts if table is not None else held  # type: ignore[return-value]

    def _told_change(self, n: int, add: bool) -> str:
        how = "its statistics, exactly" if self.documents_ is None else "a new fit on the documents it remembers"
        what = f"learned {n:,} further documents" if add else f"forgot {n:,} documents"
        return f"{what} by {how}; cuts and calibration are those of the last fit"

    def _known_names(self, given: Given) -> list[list[str]]:
        """The names by which the labels are known here; a label that is new needs cuts of its own, and so a fit."""
        own = dict(zip(given.order, given.classes.tolist(), strict=True))
        known = dict(zip(self.classes_.tolist(), self._order, strict=True))
        new = sorted({str(own[name]) for names in given.names for name in names if own[name] not in known})
        if new:
            raise BadChoice(f"new labels ({', '.join(new)}) need cuts of their own: fit again with all documents")
        return [[known[own[name]] for name in names] for names in given.names]

    # -- files

    def save(self, path: str | Path, *, slim: bool = False) -> str:
        """Write one file that holds everything and runs no code; its digest is returned. slim: without the statistics or the
        documents' counts that only `learn` and `forget` need."""
        check_is_fitted(self, "model_")
        asked = self.model if isinstance(self.model, str) else candidate(self.model)
        settings = {**self.get_params(deep=False), "model": asked, "jobs": None}
        fitted = {name: value for name, value in vars(self).items() if name not in (*self.get_params(), "report_")}
        if slim:
            fitted |= {"counts_": None, "documents_": None}
        return to_file(path, settings=settings, fitted=fitted, report=self.report_, manifest=self._manifest())

    def _manifest(self) -> dict[str, Any]:
        """What the file says of itself."""
        own, few = self.candidate_, len(self._order) <= MOST
        return {
            "recipe": self.recipe_.to_dict(),
            "labels": [str(label) for label in self.classes_.tolist()],
            "several_labels": self.several_labels_,
            "selection": None if own.select is None else {"by": own.select.by, "top": own.select.top},
            "weighting": None if own.weighting is None else {"form": own.weighting},
            "decision": self.cuts_.as_dict() if self.cuts_ is not None and few else None,
            "calibration": self.calibrated_.as_dict() if self.calibrated_ is not None and few else None,
            "tried": self.report_["tried"],
            "data": self.report_["data"],
            "measure": self.report_["measure"],
            "random_state": self.random_state,
            "notes": [self.report_["statement"], *self.report_["changes"]],
        }

    # -- scikit-learn's door

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.classifier_tags.multi_label = True
        return tags


def load(path: str | Path, *, recipe: Recipe | None = None) -> TextClassifier:
    """The classifier that `TextClassifier.save` wrote: mapped into memory, checked to the last bit, nothing fitted anew.

    recipe: the one it was trained with, needed only where that has a Python function.
    """
    settings, fitted, report, _ = from_file(path, recipe=recipe)
    if isinstance(settings.get("model"), Candidate):
        settings["model"] = settings["model"].made()
    try:
        model = TextClassifier(**settings)
    except TypeError as problem:
        raise DamagedFile(f"{path}: {problem}") from None
    missing = [name for name in FITTED if name not in fitted]
    if missing or fitted.keys() - set(FITTED):
        raise DamagedFile(f"{path}: not what a TextClassifier holds: {', '.join(missing) or 'unknown parts'}")
    for name, value in {**fitted, "report_": report}.items():
        setattr(model, name, value)
    return model
