"""TextClassifier: raw text in, labels out. Recipe, selection, weighting, model, calibration and decision in one estimator.

    text -> terms (recipe) -> counts of the chosen terms -> weights -> scores -> probabilities (calibrated out of fold)
                                                                              -> decisions (thresholds chosen out of fold)

What is not given is chosen inside the training set (`choice`). Count models keep their statistics, so that `learn` and
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
from ..decisions.rules import Decision, Rule, parse_rule
from ..decisions.thresholds import Thresholds
from ..errors import DamagedFile, InvalidSetting
from ..foundation.arrays import TIE, Bools, Floats
from ..foundation.files import Version, updating, version_of
from ..foundation.threads import n_jobs_as_threads
from ..measures.metrics import measure as measure_named
from ..measures.metrics.names import Measure
from ..models.classifier import lengths_of, per_word
from ..models.from_vectors.nearest_neighbours import NearestNeighbours
from ..models.vectors import Weighting
from ..scoring.assembly import decider_of, predictor_from
from ..scoring.decider import Decider
from ..scoring.document_profile import DocumentProfile
from ..scoring.predictor import Predictor
from ..scoring.reasons import Reason
from ..terms.recipe import Recipe
from .candidates import Candidate, candidate, shortlist
from .choice import choose, eligible
from .compiled_vocabulary import few_texts, with_compiled_vocabulary
from .drift_reference import reference_profile
from .fit_report import changed_report, duality_gap, fit_report
from .label_sets import LabelForm
from .out_of_fold import fit_model, selected_terms, without_words
from .persistence import Fitted, read_classifier, write_classifier
from .table_updates import Remembered, read_new_documents
from .training_documents import TrainingDocuments
from .training_set import TrainingSet, documents_of, labelled_documents, read_inputs, read_training_set
from .trial import Trial, fit_final_decider, learning_curve

if TYPE_CHECKING:
    from typing import Self

    from ..browser.export import PageSummary

__all__ = ["CALIBRATE", "Reason", "TextClassifier", "load"]

CALIBRATE = ("auto", "none", *calibration.CALIBRATORS)
FEWEST = 4  # documents below which nothing is held out


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Raw text in, labels out.

    model: "auto", a name of `models.MODELS` or `.ALIASES`, or a model with settings. recipe: how text becomes terms. select:
    "dkl:5000", the best terms by a score. weighting: for models of weighted documents, "ltc" and others of `vectors.FORMS`.
    multilabel: whether a document may have several labels; None: as y looks. decide: how scores become labels, see
    `decisions.rules.RULES`: "scut", a threshold a label from out-of-fold scores; "top"; "density";
    "precision:0.95"; ...; "auto" is scut for several labels a document and top for one. calibrate: "auto" (by held-out log
    loss), a calibrator's name, or "none". measure: what the choice is made by; microF1, or accuracy with one label a document.
    budget: about so many seconds for trials, estimated for two cores (no clock is looked at); the linear SVM, which is expected
    to win, is tried even if it takes more. folds: of the cross-validation. learning_curve: also try the chosen one with less
    data, so that one can tell whether more would help. jobs: threads; None is all cores, but one in a worker of joblib, so that
    `cross_val_score(..., n_jobs=-1)` does not start cores x cores of them. n_jobs: the same as scikit-learn counts them (-1: all
    cores), where jobs is None. random_state: a whole number; the same one gives the same folds and the same choice.
    """

    _for_few: tuple[Fitted, Predictor] | None = None  # see `_predictor`
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
        n_jobs: int | None = None,
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
        self.n_jobs = n_jobs
        self.random_state = random_state

    # -- learning

    def fit(self, X: Any, y: Any = None, *, progress: Callable[[Trial], None] | None = None) -> Self:
        """Learn from texts and their labels (one each, lists, or a 0/1 table, by the rules of `label_sets`), or from a corpus
        that has its labels."""
        self._origin, self._updated = None, False
        candidates = self._candidates()
        inputs = read_training_set(
            X,
            y,
            recipe=candidates[0].recipe,
            multilabel=self.multilabel,
            folds=self.folds,
            seed=self.random_state,
            jobs=self._threads(),
            calibrate=self.calibrate,
        )
        training, labels = inputs.training, inputs.labels
        self._given_kind, self.classes_, self._order = labels.kind, labels.classes, labels.names
        self.several_labels_ = labels.multilabel
        usual = "microF1" if self.several_labels_ else "accuracy"
        measure = measure_named(usual if self.measure == "auto" else self.measure)
        rule = parse_rule(self.decide, multilabel=self.several_labels_)
        candidates = eligible(candidates, rule, multilabel=self.several_labels_)
        trial: Trial | None = None  # with too few documents to hold any out
        trials: list[Trial] = []
        left_out: list[Candidate] = []
        if training.folds is not None and len(training.labels) >= FEWEST:
            trial, trials, left_out = choose(
                training, candidates, by=measure, rule=rule, budget=self.budget, progress=progress
            )
        chosen = candidates[0] if trial is None else trial.candidate
        table = training.table(chosen.recipe)
        self.candidate_, self.recipe_ = chosen, chosen.recipe
        self.counts_: Counts | None = table.counts if chosen.weighting is None else None
        self.documents_: Table | None = None if chosen.weighting is None else table
        self.prior_: Floats | None = np.zeros(len(self._order))
        self._refit()
        self.training_documents_: TrainingDocuments | None = inputs.documents
        self._fit_decisions(training, trial, measure, rule)
        curve = None
        if self.learning_curve and trial is not None:
            curve = learning_curve(training, chosen, trial.out_of_fold, measure, rule)
        density = "density" if self.decision_.density is not None else None
        self.report_ = fit_report(
            inputs,
            chosen,
            by=measure,
            decide=str(rule),
            trial=trial,
            trials=trials,
            left_out=left_out,
            calibration=density if self.calibrated_ is None else self.calibrated_.choice,
            not_promised=() if self.cuts_ is None else self.cuts_.not_promised,
            curve=curve,
            gap=duality_gap(self.model_),
        )
        return self

    def _candidates(self) -> list[Candidate]:
        """Those that are tried, the simplest first; one, if a model was named. Wrong settings are refused before any reading."""
        if self.calibrate not in CALIBRATE:
            raise InvalidSetting(f"calibrate={self.calibrate!r}: choose one of {', '.join(CALIBRATE)}")
        parse_rule(self.decide, multilabel=True)
        if self.measure != "auto":
            measure_named(self.measure)
        if isinstance(self.model, str) and self.model == "auto":
            return shortlist(recipe=self.recipe, select=self.select)
        return [candidate(self.model, recipe=self.recipe, select=self.select, weighting=self.weighting)]

    def _refit(self) -> None:
        """The model from what is kept: statistics, or documents."""
        counts = self._statistics()
        counts = counts.aligned(counts.terms, self._order)
        if self.prior_ is not None:
            self.prior_ = counts.documents[:-1] / max(int(counts.documents[-1]), 1)
        columns = selected_terms(counts, self.candidate_.select)
        counts = counts if columns is None else counts.select(columns)
        X = truth = None
        if self.documents_ is not None:
            X = self.documents_.X if columns is None else self.documents_.X[:, columns]
            truth = indicator(self.documents_.labels, self._order)
        model, weighting = fit_model(self.candidate_, counts, X, truth, multilabel=self.several_labels_)
        self.terms_ = counts.terms
        self.model_: Any = model
        self.weighting_: Weighting | None = weighting

    def _fit_decisions(self, training: TrainingSet, trial: Trial | None, measure: Measure, rule: Rule) -> None:
        """The rule and the calibration, from out-of-fold scores: those of the trial, fitted on all folds."""
        self.calibrated_, self.unknown_ = None, None
        self.reference_: DocumentProfile | None = None
        self.joint_scores_ = training.joint(self.candidate_)
        self.per_word_ = trial is not None and training.per_word(self.candidate_)
        if trial is None:
            self.decision_ = Decision("half" if self.several_labels_ else "top", self.several_labels_)
        else:
            decider, probabilities = fit_final_decider(training, trial.out_of_fold, measure, rule, labels=self._order)
            self.reference_ = reference_profile(training, trial, measure, probabilities, labels=self._order)
            self.decision_, self.calibrated_, self.unknown_ = decider.decision, decider.calibrated, decider.unknown
        shows = self.decision_.density is not None or isinstance(self.model_, NearestNeighbours)
        self._ids: list[str] | None = training.table(self.recipe_).ids if shows else None

    @property
    def cuts_(self) -> Thresholds | None:
        """The thresholds with their intervals; None where another rule decides."""
        return self.decision_.cuts

    # -- answering

    def _tabulate(self, X: Any) -> sparse.csr_array:
        check_is_fitted(self, "model_")
        return tabulate(documents_of(X), self.recipe_, terms=self.terms_, jobs=self._threads()).X

    def _threads(self) -> int | None:
        return self.jobs if self.jobs is not None or self.n_jobs is None else n_jobs_as_threads(self.n_jobs)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The terms of `terms_`, in the order of the columns that the model sees, as scikit-learn asks for them."""
        check_is_fitted(self, "model_")
        return np.array(self.terms_, dtype=object)

    def _predictor(self) -> Predictor:
        """The same classifier for a few texts at a time; made anew when anything that was fitted has changed."""
        held = self._for_few
        if held is None or not held[0].is_of(self):
            check_is_fitted(self, "model_")
            predictor = with_compiled_vocabulary(predictor_from(self), like=None if held is None else held[1])
            held = self._for_few = Fitted.of(self), predictor
        return held[1]

    @property
    def _decider(self) -> Decider:
        return decider_of(self, str(self.candidate_.model))

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
        return self._predictor().scores(X) if few_texts(X) else self.score_table(self._tabulate(X))

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
        if few_texts(X):
            return self._predictor().probabilities(X)
        table = self._tabulate(X)
        return self.probabilities_of_scores(self.score_table(table), without_words(table))

    def probabilities_of_scores(self, scores: Floats, unknown: Bools) -> Floats:
        """Probabilities from scores. unknown: documents without a word that the model knows."""
        return self._decider.probabilities(scores, unknown)

    def predict(self, X: Any) -> Any:
        """Labels in the form in which they were given: one each, a list each, or a 0/1 matrix. A text without a known word has
        the commonest label, where documents have one each."""
        return self._label_form().labels_of(self._decide(X))

    def _decide(self, X: Any) -> Any:
        if few_texts(X):
            return self._predictor().decisions(X)
        table = self._tabulate(X)
        return self.decide_scores(self.score_table(table), without_words(table))

    def _label_form(self) -> LabelForm:
        return LabelForm(self._given_kind, self.several_labels_, self.classes_, self._order)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of documents whose labels are exactly right: accuracy with one label a document, exact match with several.
        y in any form that `fit` takes; a corpus has its own. scikit-learn cross-validates with lists if it is given the folds
        (cv=KFold(5)): told their number alone, it looks at y and refuses lists."""
        documents, labels = labelled_documents(X, y)
        matches = self._label_form().exact_matches(self._decide(documents), labels)
        return float(np.average(matches, weights=sample_weight))

    def decide_scores(self, scores: Floats, unknown: Bools) -> Any:
        """Decisions from scores, 0/1 documents x labels. unknown: documents without a word that the model knows."""
        return self._decider.decide(scores, unknown)

    @property
    def thresholds_(self) -> Floats | None:
        """The threshold of each label; None where the best score decides."""
        check_is_fitted(self, "model_")
        return None if self.cuts_ is None else self.cuts_.cuts

    def explain(self, text: str, label: Any = None, *, top: int = 20) -> list[Reason]:
        """Why this text has its labels, or why it has this one or not: the terms with what they add to the score."""
        return self._predictor().explain(text, label, limit=top)

    # -- going on

    def learn(self, X: Any, y: Any = None, *, again: bool = False) -> Self:
        """Learn further documents. Count models add them to their statistics; others are fitted anew with them. Thresholds and
        calibration stay those of the last fit. Documents that were learned before are left out, and those that had other labels
        are corrected, unless again=True: see `training_documents`. `last_change_` tells the numbers."""
        return self._change(X, y, add=True, again=again)

    def forget(self, X: Any, y: Any = None) -> Self:
        """Take documents back out. A count model is then as if it had never seen them, bit for bit; another is fitted anew on the
        others. Thresholds and calibration stay those of the last fit: fit again to renew them. What was never learned is refused,
        and nothing is changed."""
        return self._change(X, y, add=False)

    def _change(self, X: Any, y: Any, *, add: bool, again: bool = False) -> Self:
        check_is_fitted(self, "model_")
        if self.documents_ is None and self.counts_ is None:
            raise InvalidSetting("this model was saved slim, without what is needed to learn or forget: train it again")
        documents, labels = read_inputs(X, y)
        new = read_new_documents(documents, labels, self._label_form(), recipe=self.recipe_, jobs=self._threads())
        before = Remembered(self.counts_, self.documents_, self.training_documents_)
        after, self.last_change_ = before.learn(new, again=again) if add else before.forget(new)
        if after is before:
            return self
        fitted = Fitted.of(self)
        try:
            self.counts_, self.documents_, self.training_documents_ = after
            if after.documents is not None and self._ids is not None:
                self._ids = after.documents.ids
            self._refit()
        except BaseException:  # nothing is changed
            fitted.restore(self)
            raise
        exactly = self.documents_ is None
        gap = duality_gap(self.model_)
        self.report_ = changed_report(self.report_, self._statistics(), self.last_change_, exactly=exactly, gap=gap)
        self._updated = True
        return self

    def _statistics(self) -> Counts:
        """The statistics of all documents that were learned and not forgotten."""
        return self.counts_ if self.documents_ is None else self.documents_.counts  # type: ignore[return-value]

    # -- files

    def save(self, path: str | Path, *, slim: bool = False) -> str:
        """Write one file that holds everything and runs no code; its digest is returned. slim: without the statistics or the
        documents' counts that only `learn` and `forget` need.

        Where the model was loaded from this file and has learned or forgotten since, the file must still be the one that was
        loaded; otherwise `ChangedFile`, since somebody else's update would be lost: load it again.
        """
        check_is_fitted(self, "model_")
        fitted = Fitted.of(self).slimmed() if slim else Fitted.of(self)
        real = os.path.realpath(path)
        origin = self._origin if self._updated else None
        with updating(path, version=origin[1]) if origin is not None and origin[0] == real else nullcontext():
            digest = write_classifier(path, settings=self.get_params(deep=False), fitted=fitted, report=self.report_)
            self._origin, self._updated = (real, version_of(real)), False
        return digest

    def to_page(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        min_documents: int = 1,
        small: bool = False,
        check: Any = None,
    ) -> PageSummary:
        """Write one HTML file that sorts texts in a browser, without Python and without a network; what it holds is returned.

        **The file holds the terms of the training documents**: give it to nobody who may not know them. min_documents leaves out
        those that fewer documents have, small rounds weights to 7 digits; check: texts on which the changes are judged (otherwise
        training documents, where the model keeps them). Models that are no sum over terms are refused: see docs/page.md.
        """
        from ..browser.export import write_page

        check_is_fitted(self, "model_")
        name = Path(path).stem if title is None else title
        return write_page(self, path, title=name, min_documents=min_documents, small=small, check=check)

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
    origin = os.path.realpath(path), version_of(path)
    settings, fitted, report = read_classifier(path, recipe=recipe)
    try:
        model = TextClassifier(**settings)
    except TypeError as problem:
        raise DamagedFile(f"{path}: {problem}") from None
    fitted.restore(model)
    model.report_, model._origin = report, origin
    return model
