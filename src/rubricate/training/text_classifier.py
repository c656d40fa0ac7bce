"""TextClassifier: raw text in, labels out. Recipe, selection, weighting, model, calibration and decision in one estimator.

    text -> terms (recipe) -> counts of the chosen terms -> weights -> scores -> probabilities (calibrated out of fold)
                                                                              -> decisions (cuts chosen out of fold)

What is not given is chosen inside the training set (`tuning`). Count models keep their statistics, so that `learn` and
`forget` are exact; other models keep the documents' counts and are fitted anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ..counts import Counts, indicator
from ..counts.document_table import Table
from ..counts.one_pass import tabulate
from ..decisions import calibration
from ..decisions.decider import Decider, cross_calibrate, fit_decider, needs_calibration
from ..decisions.rules import Decision, Rule, parse_rule
from ..decisions.thresholds import Thresholds
from ..errors import DamagedFile, InputError, InvalidSetting
from ..foundation.arrays import Bools, Floats
from ..foundation.files import Version, updating, version_of
from ..foundation.ties import TIE
from ..measures.metrics import measure as measure_named
from ..measures.metrics.names import Measure
from ..models.classifier import lengths_of, per_word
from ..models.vectors import Weighting
from ..scoring.reasons import DocumentResult, Reason, label_places, reason
from ..scoring.rules import best_only, bounded
from ..terms.recipe import Recipe
from .candidates import Candidate, candidate, shortlist
from .choice import choose
from .fit_report import changed_report, fit_report
from .inputs import documents_of, labelled_documents, read_inputs
from .label_sets import LabelSets, exact_matches, known_names, predicted_labels, read_labels
from .learning_curve import learning_curve
from .out_of_fold import selected_terms
from .persistence import MOST, from_file, to_file
from .reasons import all_by_terms, nearest, shows_documents
from .table_updates import NewDocuments, Remembered
from .training_documents import DigestedCorpus, TrainingDocuments
from .training_set import TrainingSet, read_training_set, with_labels
from .trial import Trial

if TYPE_CHECKING:
    from typing import Self

__all__ = ["CALIBRATE", "Reason", "TextClassifier", "load"]

CALIBRATE = ("auto", "none", *calibration.CALIBRATORS)
FEWEST = 4  # documents below which nothing is held out
# what a fit leaves behind, besides its report
FITTED = (
    "_given_kind", "_ids", "_order", "calibrated_", "candidate_", "classes_", "counts_", "decision_", "documents_", "model_",
    "recipe_", "several_labels_", "terms_", "weighting_",
)  # fmt: skip
# of these, what a slim file leaves out, besides what its model needs to learn
ONLY_TO_LEARN = ("counts_", "documents_", "training_documents_")
# what files of earlier versions lack, and how it was then
LATER = {"joint_scores_": False, "per_word_": False, "prior_": None, "training_documents_": None, "unknown_": None}


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Raw text in, labels out.

    model: "auto", a name of `models.MODELS` or `.ALIASES`, or a model with settings. recipe: how text becomes terms. select:
    "dkl:5000", the best terms by a score. weighting: for models of weighted documents, "ltc" and others of `vectors.FORMS`.
    multilabel: whether a document may have several labels; None: as y looks. decide: how scores become labels, see
    `decisions.rules.RULES`: "scut", a threshold a label from out-of-fold scores; "top"; "density";
    "precision:0.95"; ...; "auto" is scut for several labels a document and top for one. calibrate: "auto" (by held-out log
    loss), a calibrator's name, or "none". measure: what the choice is made by; microF1, or accuracy with one label a document.
    budget: about so many seconds for trials, on two cores; the linear SVM, which is expected to win, is tried even if it takes
    more. folds: of the cross-validation. learning_curve: also try the chosen one with less data, so that one can tell whether
    more would help.
    """

    _origin: tuple[str, Version | None] | None = None  # the file it was loaded from or saved to, as that was then
    _updated = False  # whether it has learned or forgotten since

    def __init__(
        self,
        model: Any = "auto",
        *,
        recipe: Recipe | None = None,
        select: Any = None,
        weighting: str | None = None,
        multilabel: bool | None = None,
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
        self.multilabel = multilabel
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
        """Learn from texts and their labels (one each, lists, or a 0/1 table, by the rules of `label_sets`), or from a corpus
        that has its labels."""
        self._origin, self._updated = None, False
        self._check_settings()
        candidates = self._candidates()
        inputs = read_training_set(
            X,
            y,
            recipe=candidates[0].recipe,
            multilabel=self.multilabel,
            folds=self.folds,
            seed=self.random_state,
            jobs=self.jobs,
            calibrate=self.calibrate,
        )
        training = inputs.training
        self._set_labels(inputs.labels)
        measure = measure_named(self._measure_name())
        rule = parse_rule(self.decide, multilabel=self.several_labels_)
        trial, trials, left_out = self._choose(training, candidates, measure, rule, progress)
        candidate = candidates[0] if trial is None else trial.candidate
        self._fit_whole(training.table(candidate.recipe), candidate)
        self.training_documents_: TrainingDocuments | None = inputs.documents
        self._fit_decisions(training, trial, measure, rule)
        curve = None
        if self.learning_curve and trial is not None:
            curve = learning_curve(training, candidate, trial.out_of_fold, measure, rule, seed=self.random_state)
        self.report_ = fit_report(
            training.table(candidate.recipe).counts,
            candidate,
            by=measure,
            decide=str(rule),
            documents=len(training.labels),
            labels=len(self._order),
            trial=trial,
            trials=trials,
            left=left_out,
            calibration=self._calibration_name(),
            not_promised=() if self.cuts_ is None else self.cuts_.not_promised,
            curve=curve,
            tally=None if inputs.corpus is None else inputs.corpus.tally,
            repairs=inputs.labels.tally.repairs,
        )
        return self

    def _check_settings(self) -> None:
        """What can be told to be wrong before a document is read."""
        if self.calibrate not in CALIBRATE:
            raise InvalidSetting(f"calibrate={self.calibrate!r}: choose one of {', '.join(CALIBRATE)}")
        parse_rule(self.decide, multilabel=True)
        if self.measure != "auto":
            measure_named(self.measure)

    def _measure_name(self) -> str:
        if self.measure != "auto":
            return self.measure
        return "microF1" if self.several_labels_ else "accuracy"

    def _candidates(self) -> list[Candidate]:
        """Those that are tried, the simplest first: one, if a model was named."""
        if isinstance(self.model, str) and self.model == "auto":
            return shortlist(recipe=self.recipe, select=self.select)
        return [candidate(self.model, recipe=self.recipe, select=self.select, weighting=self.weighting)]

    def _set_labels(self, labels: LabelSets) -> None:
        self._given_kind, self.classes_, self._order = labels.kind, labels.classes, labels.names
        self.several_labels_ = labels.multilabel

    def _choose(
        self, training: TrainingSet, candidates: list[Candidate], measure: Measure, rule: Rule, progress: Any
    ) -> tuple[Trial | None, list[Trial], list[Candidate]]:
        """The trial of the chosen candidate (None where there are too few documents to hold any out), all trials, and candidates
        beyond the budget."""
        if rule.name == "own" and training.multilabel:
            with_rule = [each for each in candidates if each.weighting is None]
            if not with_rule:
                model = candidates[0].model
                raise InvalidSetting(f"decide='own': {model} has no rule of its own for several labels; choose scut")
            candidates = with_rule
        if training.folds is None or len(training.labels) < FEWEST:
            return None, [], []
        return choose(
            training,
            candidates,
            by=measure.name,
            rules=[rule],
            budget=self.budget,
            seed=self.random_state,
            progress=progress,
        )

    def _fit_whole(self, table: Table, chosen: Candidate) -> None:
        """The chosen candidate on all documents."""
        self.candidate_, self.recipe_ = chosen, chosen.recipe
        self.counts_: Counts | None = table.counts if chosen.weighting is None else None
        self.documents_: Table | None = None if chosen.weighting is None else table
        self.prior_: Floats | None = np.zeros(len(self._order))
        self._refit()

    def _refit(self) -> None:
        """The model from what is kept: statistics, or documents."""
        chosen, table = self.candidate_, self.documents_
        counts = self._statistics()
        counts = counts.aligned(counts.terms, self._order)
        if self.prior_ is not None:
            self.prior_ = counts.documents[:-1] / max(int(counts.documents[-1]), 1)
        terms = selected_terms(counts, chosen.select)
        counts = counts if terms is None else counts.select(terms)
        self.terms_ = counts.terms
        model: Any = chosen.made()
        self.weighting_: Weighting | None = None
        if table is None:
            self.model_: Any = model.fit_counts(counts, several_labels=self.several_labels_)
            return
        self.weighting_ = Weighting.fitted(counts, chosen.weighting or "ltc")
        X = table.X if terms is None else table.X[:, terms]
        self.model_ = model.fit_scores(self.weighting_.of(X), indicator(table.labels, self._order))

    def _fit_decisions(self, training: TrainingSet, trial: Trial | None, measure: Measure, rule: Rule) -> None:
        """The rule and the calibration, from out-of-fold scores: those of the trial, fitted on all folds."""
        self.calibrated_, self.unknown_ = None, None
        self.joint_scores_ = training.joint(self.candidate_)
        self.per_word_ = trial is not None and training.per_word(self.candidate_)
        if trial is None:
            self.decision_ = Decision("half" if self.several_labels_ else "top", self.several_labels_)
        else:
            decider = self._fit_decider(training, trial, measure, rule)
            self.decision_, self.calibrated_, self.unknown_ = decider.decision, decider.calibrated, decider.unknown
        shows = shows_documents(self.model_, self.decision_.density)
        self._ids: list[str] | None = training.table(self.recipe_).ids if shows else None

    def _fit_decider(self, training: TrainingSet, trial: Trial, measure: Measure, rule: Rule) -> Decider:
        truth = indicator(training.labels, self._order)
        scores = np.full(truth.shape, -np.inf)  # labels of a 0/1 table that no document has are not in the trial
        scores[:, [column for column, name in enumerate(self._order) if name in training.label_columns]] = trial.scores
        parts = scores, truth, trial.out_of_fold.unknown
        settings: dict[str, Any] = {
            "multilabel": self.several_labels_,
            "joint": self.joint_scores_,
            "seed": self.random_state,
        }
        curves = None
        if needs_calibration(rule, self.calibrate):
            curves = cross_calibrate(*parts, training.folds, calibrate=self.calibrate, **settings)
        whole = None if curves is None else curves.whole
        return fit_decider(rule, *parts, calibrated=whole, by=measure, labels=self._order, **settings)

    @property
    def cuts_(self) -> Thresholds | None:
        """The cuts with their intervals; None where another rule decides."""
        return self.decision_.cuts

    def _calibration_name(self) -> str | None:
        if self.calibrated_ is not None:
            return self.calibrated_.choice
        return "density" if self.decision_.density is not None else None

    # -- answering

    def _counted(self, X: Any) -> sparse.csr_array:
        check_is_fitted(self, "model_")
        return tabulate(documents_of(X), self.recipe_, terms=self.terms_, jobs=self.jobs).X

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The terms of `terms_`, in the order of the columns that the model sees, as scikit-learn asks for them."""
        check_is_fitted(self, "model_")
        return np.array(self.terms_, dtype=object)

    @property
    def _decider(self) -> Decider:
        """What turns scores into probabilities and labels."""
        return Decider(self.decision_, self.calibrated_, self.joint_scores_, self.prior_, self.unknown_)

    def score_table(self, X: sparse.csr_array) -> Floats:
        """Scores of documents that are counts of the model's terms: see `class_scores`."""
        scores: Floats = self.model_.class_scores(self.weight_table(X))
        scores = per_word(scores, lengths_of(X)) if self.per_word_ else scores
        return self._decider.scores(scores, without_words(X))

    def weight_table(self, X: sparse.csr_array) -> sparse.csr_array:
        """Counts as the model takes them."""
        return X if self.weighting_ is None else self.weighting_.of(X)

    def class_scores(self, X: Any) -> Floats:
        """The model's scores, documents x labels; of naive Bayes with several labels per word, so that a threshold can serve
        documents of all lengths."""
        return self.score_table(self._counted(X))

    def decision_function(self, X: Any) -> Floats:
        """The model's scores as scikit-learn wants them: documents x labels; for two exclusive labels one column, how much the
        second is ahead."""
        scores = self.class_scores(X)
        if self.several_labels_ or len(self.classes_) != 2:
            return scores
        ahead: Floats = scores[:, 1] - scores[:, 0]
        return np.where(np.abs(ahead) <= TIE, 0.0, ahead)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities, documents x labels: calibrated on documents the model had not seen, unless calibrate="none". A text
        without a known word has the prior."""
        counted = self._counted(X)
        return self.probabilities_of_scores(self.score_table(counted), without_words(counted))

    def probabilities_of_scores(self, scores: Floats, unknown: Bools) -> Floats:
        """Probabilities from scores. unknown: documents without a word that the model knows."""
        return self._decider.probabilities(scores, unknown)

    def predict(self, X: Any) -> Any:
        """Labels in the form in which they were given: one each, a list each, or a 0/1 matrix. A text without a known word has
        the commonest label, where documents have one each."""
        counted = self._counted(X)
        decisions = self.decide_scores(self.score_table(counted), without_words(counted))
        return predicted_labels(decisions, self._given_kind, classes=self.classes_, order=self._order)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of documents whose labels are exactly right: accuracy with one label a document, exact match with several.
        y in any form that `fit` takes; a corpus has its own. scikit-learn cross-validates with lists if it is given the folds
        (cv=KFold(5)): told their number alone, it looks at y and refuses lists."""
        documents, labels = labelled_documents(X, y)
        counted = self._counted(documents)
        decisions = self.decide_scores(self.score_table(counted), without_words(counted))
        right = exact_matches(decisions, labels, classes=self.classes_, order=self._order)
        return float(np.average(right, weights=sample_weight))

    def decide_scores(self, scores: Floats, unknown: Bools) -> Any:
        """Decisions from scores, 0/1 documents x labels. unknown: documents without a word that the model knows."""
        return self._decider.decide(scores, unknown, self._own_decisions)

    def _own_decisions(self, scores: Floats) -> Any:
        """By the model's own rule."""
        if self.several_labels_:
            return self.model_.decide(scores)
        return best_only(bounded(scores))

    @property
    def thresholds_(self) -> Floats | None:
        """The cut of each label; None where the best score decides."""
        check_is_fitted(self, "model_")
        return None if self.cuts_ is None else self.cuts_.cuts

    def explain(self, text: str, label: Any = None, *, top: int = 20) -> list[Reason]:
        """Why this text has its labels, or why it has this one or not: the terms with what they add to the score."""
        counted = self._counted([text])
        X, scores, unknown = self.weight_table(counted), self.score_table(counted), without_words(counted)
        decisions = None if self.decision_.of_batches else self.decide_scores(scores, unknown)[0]
        probabilities = self.probabilities_of_scores(scores, unknown)[0]
        result = DocumentResult(scores[0], probabilities, decisions, self.thresholds_)
        explanation = None
        if X.nnz and not shows_documents(self.model_, None):
            explanation = all_by_terms(self.model_, X, by_word=self.per_word_)[0]
        documents, labels = [], self.classes_.tolist()
        if not unknown[0] or self.prior_ is None:  # files of earlier versions name the nearest documents all the same
            documents = nearest(self.model_, X, scores, density=self.decision_.density, ids=self._ids)
        return [
            reason(n, str(labels[n]), result, explanation, terms=self.terms_, neighbours=documents, limit=top)
            for n in label_places(label, labels, result)
        ]

    # -- going on

    def learn(self, X: Any, y: Any = None, *, again: bool = False) -> Self:
        """Learn further documents. Count models add them to their statistics; others are fitted anew with them. Cuts and
        calibration stay those of the last fit. Documents that were learned before are left out, and those that had other labels
        are corrected, unless again=True: see `training_documents`. `last_change_` tells the numbers."""
        return self._change(X, y, add=True, again=again)

    def forget(self, X: Any, y: Any = None) -> Self:
        """Take documents back out. A count model is then as if it had never seen them, bit for bit; another is fitted anew on the
        others. Cuts and calibration stay those of the last fit: fit again to renew them. What was never learned is refused, and
        nothing is changed."""
        return self._change(X, y, add=False)

    def _change(self, X: Any, y: Any, *, add: bool, again: bool = False) -> Self:
        check_is_fitted(self, "model_")
        if self.documents_ is None and self.counts_ is None:
            raise InvalidSetting("this model was saved slim, without what is needed to learn or forget: train it again")
        documents, labels = read_inputs(X, y)
        source = getattr(documents, "name", "texts")
        digested = DigestedCorpus(documents, self.recipe_)
        table = tabulate(digested.documents, self.recipe_, jobs=self.jobs)
        labels = read_labels(table.labels) if labels is None else labels
        if not labels.sets:
            raise InputError(source, "there is no document in it", "nothing was changed")
        names = known_names(labels, classes=self.classes_, order=self._order)
        odd = next((n for n, label_set in enumerate(names) if len(label_set) != 1), None)
        if not self.several_labels_ and odd is not None:
            raise InputError(
                f"{source} document {odd + 1}",
                f"{len(names[odd])} labels, and this model gives each document one",
                "give one label a document; nothing was changed",
            )
        table = with_labels(table, names)
        before = Remembered(self.counts_, self.documents_, self.training_documents_)
        new = NewDocuments(table, digested.digests(), names, self._order, source)
        after, self.last_change_ = before.learn(new, again=again) if add else before.forget(new)
        if after is not before:
            self._remember(after)
            self.report_ = changed_report(
                self.report_, self._statistics(), self.last_change_, exactly=self.documents_ is None
            )
            self._updated = True
        return self

    def _remember(self, after: Remembered) -> None:
        """Fit anew on what is remembered; if that fails, nothing is changed."""
        before = {name: getattr(self, name) for name in (*FITTED, *LATER)}
        try:
            self.counts_, self.documents_, self.training_documents_ = after
            if after.documents is not None and self._ids is not None:
                self._ids = after.documents.ids
            self._refit()
        except BaseException:
            for name, value in before.items():
                setattr(self, name, value)
            raise

    def _statistics(self) -> Counts:
        """The statistics of all documents that were learned and not forgotten."""
        table, held = self.documents_, self.counts_
        return table.counts if table is not None else held  # type: ignore[return-value]

    # -- files

    def save(self, path: str | Path, *, slim: bool = False) -> str:
        """Write one file that holds everything and runs no code; its digest is returned. slim: without the statistics or the
        documents' counts that only `learn` and `forget` need.

        Where the model was loaded from this file and has learned or forgotten since, the file must still be the one that was
        loaded; otherwise `ChangedFile`, since somebody else's update would be lost: load it again.
        """
        check_is_fitted(self, "model_")
        asked = self.model if isinstance(self.model, str) else candidate(self.model)
        settings = {**self.get_params(deep=False), "model": asked, "jobs": None}
        fitted = {name: getattr(self, name) for name in sorted((*FITTED, *LATER))}
        if slim:
            fitted |= {**dict.fromkeys(ONLY_TO_LEARN), "model_": self.model_.slimmed()}
        real = os.path.realpath(path)
        origin = self._origin if self._updated else None
        with updating(path, version=origin[1]) if origin is not None and origin[0] == real else nullcontext():
            digest = to_file(path, settings=settings, fitted=fitted, report=self.report_, manifest=self._manifest())
            self._origin, self._updated = (real, version_of(real)), False
        return digest

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
            "calibration": None if self.calibrated_ is None else self.calibrated_.evidence(),
            "tried": self.report_["tried"],
            "data": {name: value for name, value in self.report_["data"].items() if name != "repairs"},
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


def without_words(X: sparse.csr_array) -> Bools:
    """Which documents have no word that the model knows."""
    empty: Bools = np.diff(X.indptr) == 0
    return empty


def load(path: str | Path, *, recipe: Recipe | None = None) -> TextClassifier:
    """The classifier that `TextClassifier.save` wrote: mapped into memory, checked to the last bit, nothing fitted anew.

    recipe: the one it was trained with, needed only where that has a Python function.
    """
    origin = os.path.realpath(path), version_of(path)
    settings, fitted, report, _ = from_file(path, recipe=recipe)
    if isinstance(settings.get("model"), Candidate):
        settings["model"] = settings["model"].made()
    try:
        model = TextClassifier(**settings)
    except TypeError as problem:
        raise DamagedFile(f"{path}: {problem}") from None
    missing = [name for name in FITTED if name not in fitted]
    if missing or fitted.keys() - set(FITTED) - set(LATER):
        raise DamagedFile(f"{path}: not what a TextClassifier holds: {', '.join(missing) or 'unknown parts'}")
    for name, value in {**LATER, **fitted, "report_": report, "_origin": origin}.items():
        setattr(model, name, value)
    Remembered(model.counts_, model.documents_, model.training_documents_).check(path, labels=len(model._order))
    return model
