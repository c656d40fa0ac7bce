"""A Predictor from the parts of a fitted classifier: fitted objects, or the parts of a file, which have the same names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DamagedFile, UnknownName
from ..storage.checks import need
from .arrays import Floats
from .calibrated import Beta, Bounds, Calibration, Curve, Isotonic, Range, Sigmoid, Temperature, Unchanged
from .decider import Decider
from .density import Density
from .documents import Vocabulary
from .forms import form_of
from .predictor import Predictor
from .rules import Rule
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
    )
    check_sizes(predictor)
    return predictor


def as_list(values: Any) -> list[Any]:
    return list(values.tolist() if isinstance(values, np.ndarray) else values)


def check_sizes(predictor: Predictor) -> None:
    """Everything that has a number a label has as many as there are labels."""
    n, decider = len(predictor.labels), predictor.decider
    sizes = [predictor.form.shape[0]]
    sizes += [len(row) for row in (decider.prior, decider.unknown_scores, decider.rule.thresholds) if row is not None]
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
    decision, calibrated = fitted.decision_, fitted.calibrated_
    return Decider(
        rule=Rule(
            decision.rule,
            bool(decision.several),
            None if decision.cuts is None else decision.cuts.cuts,
            int(decision.k),
            decision.proportions,
            model_threshold=0.5 if name == "prtfidf" else 0.0,
            only_best=name == "tfidf" and not getattr(fitted.model_, "against_rest", True),
        ),
        calibration=None if calibrated is None else calibration_of(calibrated),
        density=None if decision.density is None else density_of(decision),
        joint=bool(fitted.joint_scores_),
        prior=fitted.prior_,
        unknown_scores=fitted.unknown_,
    )


def calibration_of(calibrated: Any) -> Calibration:
    fitted = calibrated.calibrator
    return Calibration(
        curve_of(fitted), range_of(fitted.range), bool(fitted.exclusive), bounds_of(getattr(calibrated, "bounds", None))
    )


def curve_of(fitted: Any) -> Curve:
    if fitted.name == "sigmoid":
        return Sigmoid(fitted.slope, fitted.offset)
    if fitted.name == "temperature":
        return Temperature(float(fitted.temperature), bool(fitted.of_probabilities), bool(fitted.exclusive))
    if fitted.name == "beta":
        return Beta(fitted.a, fitted.b, fitted.c, float(fitted.surest))
    if fitted.name == "isotonic":
        return Isotonic(corners_of(fitted))
    if fitted.name == "unchanged":
        return Unchanged()
    raise UnknownName("calibration", str(fitted.name), ("sigmoid", "temperature", "beta", "isotonic", "unchanged"))


def corners_of(fitted: Any) -> tuple[tuple[Floats, Floats], ...]:
    """The corners of each label's curve; files join them into four arrays, those of earlier versions had two arrays a label."""
    if hasattr(fitted, "corners"):
        return tuple((at, value) for at, value in fitted.corners)
    starts, ends = fitted.ends[:-1].tolist(), fitted.ends[1:].tolist()
    curves = [(fitted.at[start:end], fitted.value[start:end]) for start, end in zip(starts, ends, strict=True)]
    return tuple(curves[place] for place in fitted.curve_of.tolist())


def range_of(seen: Any) -> Range:
    return Range(seen.lowest, seen.highest)


def bounds_of(bounds: Any) -> Bounds | None:
    """How sure probabilities may be; None in files of earlier versions."""
    return None if bounds is None else Bounds(bounds.lowest, bounds.highest, bool(bounds.exclusive))


def density_of(decision: Any) -> Density:
    density = decision.density
    return Density(
        density._nearest.vectors,
        density._labels,
        np.asarray(density.classes_, dtype=np.int64),
        int(decision.labels),
        int(density.k_),
        float(density.epsilon),
        range_of(density._range),
        bounds_of(getattr(decision, "bounds", None)),
    )
