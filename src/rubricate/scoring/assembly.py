"""A Predictor from the parts of a fitted classifier: fitted objects, or the parts of a file, which have the same names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DamagedFile
from ..storage.checks import need
from .decider import Decider
from .documents import Vocabulary
from .forms import form_of
from .predictor import Predictor
from .weighting import Weighting, check_weighting


def predictor_from(fitted: Any) -> Predictor:
    """fitted: a `TextClassifier`, or `format_1.fitted_parts` of its file."""
    labels, terms = as_list(fitted.classes_), as_list(fitted.terms_)
    name = str(fitted.candidate_.model)
    predictor = Predictor(
        vocabulary=Vocabulary(fitted.recipe_, terms),
        labels=labels,
        weighting=weighting_of(fitted.weighting_, len(terms)),
        form=form_of(name, fitted.model_),
        per_word=bool(fitted.per_word_),
        decider=decider_of(fitted, name),
        training_ids=None if fitted._ids is None else as_list(fitted._ids),
        report=fitted.report_,
        reference=fitted.reference_,
        digest=getattr(fitted, "digest", ""),
    )
    check_sizes(predictor)
    return predictor


def as_list(values: Any) -> list[Any]:
    return list(values.tolist() if isinstance(values, np.ndarray) else values)


def check_sizes(predictor: Predictor) -> None:
    """Everything that has a number a label has as many as there are labels."""
    n, decider, reference = len(predictor.labels), predictor.decider, predictor.reference
    sizes = [predictor.form.shape[0]]
    sizes += [len(row) for row in (decider.prior, decider.unknown_scores, decider.rule.thresholds) if row is not None]
    sizes += [] if reference is None else [len(reference.labels)]
    if any(size != n for size in sizes):
        raise DamagedFile(f"numbers of {sorted(set(sizes))} labels in a model of {n}")
    need(predictor.form.shape[1] == len(predictor.vocabulary.terms), "scores of other terms than the model's")


# -- weights, probabilities, decisions


def weighting_of(weighting: Any, n_terms: int) -> Weighting | None:
    if weighting is None:
        return None
    need(weighting.n_terms == n_terms, "weights of other terms than the model's")
    check_weighting(weighting)
    return Weighting(
        weighting.form,
        weighting.idf,
        weighting.documents_with,
        float(weighting.n_documents),
        float(weighting.average_length),
    )


def decider_of(fitted: Any, name: str) -> Decider:
    """Rule, calibration, density and prior; name: of the model."""
    return Decider.of(
        fitted.decision_,
        fitted.calibrated_,
        joint=bool(fitted.joint_scores_),
        prior=fitted.prior_,
        unknown_scores=fitted.unknown_,
        model_threshold=0.5 if name == "prtfidf" else 0.0,
        only_best=name == "tfidf" and not getattr(fitted.model_, "against_rest", True),
    )
