"""What of a fitted classifier goes into a page, and what cannot. `page/model.js` takes it up.

Arrays go into the payload under the names that they have in `scoring`; what is said here returns the head: settings, labels
and terms.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidSetting
from ..scoring.additive import Additive, FallbackScorer, Layer
from ..scoring.arrays import Floats, TableByTerm
from ..scoring.calibrated import Calibration, Isotonic
from ..scoring.decider import Decider
from ..scoring.forms import Layered, LengthDependent, Neighbours
from ..scoring.linear import Linear
from ..scoring.predictor import Predictor
from ..scoring.weighting import BY_IDF, LOCAL, Weighting, bm25_idf, inquery_idf, okapi_idf
from ..terms.fields import Document
from ..terms.recipe import Recipe
from .payload import Payload

LOGARITHMS = 256  # of whole numbers below are carried as numpy gives them; browsers may differ in the last bit
MOSTLY = 0.8  # a dense table with fewer entries other than 0 is smaller as a sparse one
CURVES = ("slope", "offset", "a", "b", "c")  # numbers a label
CURVE_SETTINGS = ("exclusive", "temperature", "of_probabilities", "surest")

WHY_NOT = {
    Neighbours: "its scores come from the training documents, which a page must not carry",
    Layered: "a hidden layer stands between the words and the scores",
    LengthDependent: "its scores depend on the length of a text, not on its words alone",
}


def refuse_what_cannot_go(predictor: Predictor) -> None:
    """What a page cannot hold is said in a sentence."""
    rule, recipe = predictor.decider.rule.name, predictor.vocabulary.recipe
    model = str(predictor.report["chosen"]["model"]).replace("_", " ")
    problem = None
    if type(predictor.form) in WHY_NOT:
        why = WHY_NOT[type(predictor.form)]
        problem = f"{model}: {why}; train an additive or linear model, such as multinomial or support_vector"
    elif rule == "density":
        problem = "decide=density looks at the training documents, which a page must not carry; train with scut or top"
    elif rule == "pcut":
        problem = (
            "decide=pcut deals out a whole batch by shares, and a page sorts texts one by one; train with scut or top"
        )
    elif recipe.function is not None:
        problem = (
            "the recipe has a Python function, which a browser cannot run; train with settings of a recipe instead"
        )
    elif recipe.parts_of_speech:
        problem = (
            "the recipe chooses words by part of speech, and the tagger cannot go along; train without parts_of_speech"
        )
    elif recipe.prefix_fields and recipe.fields is None and recipe.tokens == "whitespace":
        problem = (
            "the recipe prefixes fields without naming them; train with fields=..., so that the page has a box for each"
        )
    if problem is not None:
        raise InvalidSetting(f"no page: {problem}")


def put_model(payload: Payload, predictor: Predictor) -> dict[str, Any]:
    """Everything that scores, as arrays, and the head."""
    counts = np.arange(LOGARITHMS, dtype=np.float64)
    payload.floats("logs", np.log(np.maximum(counts, 1)))
    payload.floats("logs1p", np.log1p(counts))
    put_unknown(payload, predictor)
    return {
        "labels": predictor.label_names,
        "terms": list(predictor.vocabulary.terms),
        "recipe": recipe_settings(predictor),
        "per_word": predictor.per_word,
        "weighting": put_weighting(payload, predictor.weighting),
        "form": put_form(payload, predictor.form),
        "calibration": put_calibration(payload, predictor.decider),
        "rule": put_rule(payload, predictor.decider),
    }


def recipe_settings(predictor: Predictor) -> dict[str, Any]:
    recipe = predictor.vocabulary.recipe
    names = ("tokens", "lowercase", "numbers", "stem", "pairs", "min_length", "prefix_fields")
    settings = {name: getattr(recipe, name) for name in names}
    return {**settings, "stop": sorted(recipe.stop_words), "fields": field_names(recipe, predictor.vocabulary.terms)}


def field_names(recipe: Recipe, terms: Any) -> list[str] | None:
    """The fields that a text has a box for; None: one text. Where terms carry their field's name, that stands before the last
    colon: no word of letters or digits has one."""
    if recipe.fields is not None:
        return list(recipe.fields)
    return sorted({term.rpartition(":")[0] for term in terms}) if recipe.prefix_fields else None


def put_weighting(payload: Payload, weighting: Weighting | None) -> dict[str, Any] | None:
    if weighting is None:
        return None
    payload.floats("weighting.per_term", per_term(weighting))
    return {"name": weighting.name, "average_length": weighting.average_length}


def per_term(weighting: Weighting) -> Floats | None:
    """What each term counts, whichever document it is in."""
    if weighting.name in LOCAL:
        return None
    if weighting.name in BY_IDF or weighting.documents_with is None:
        return weighting.idf
    idf = {"inquery": inquery_idf, "inquery_okapi": okapi_idf, "bm25": bm25_idf}[weighting.name]
    return idf(weighting.documents_with, weighting.n_documents)


# -- forms


def put_form(payload: Payload, form: Any) -> dict[str, Any]:
    return put_linear(payload, form) if isinstance(form, Linear) else put_additive(payload, form)


def put_linear(payload: Payload, form: Linear) -> dict[str, Any]:
    for name in ("bias", "factors", "shared"):
        payload.floats(f"linear.{name}", getattr(form, name))
    if form.is_sparse:
        put_table(payload, "linear", form.by_term)
    elif np.count_nonzero(form.weights) > MOSTLY * form.weights.size:
        payload.floats("linear.values", form.weights.T)
    else:
        rows = form.weights.T
        ends = np.concatenate([[0], np.cumsum(np.count_nonzero(rows, axis=1))])
        put_table(payload, "linear", TableByTerm(ends, rows.nonzero()[1].astype(np.int32), rows[rows != 0]))
    return {"kind": "linear"}


def put_additive(payload: Payload, form: Additive) -> dict[str, Any]:
    for n, layer in enumerate(form.layers):
        put_layer(payload, f"layer{n}", layer)
    if form.rest is not None:
        put_layer(payload, "rest", form.rest.additive)
        payload.floats("rest.whole", form.rest.whole)
        payload.floats("rest.scale", form.rest.scale)
    payload.floats("log_prior", form.log_prior)
    payload.floats("fallback", form.scorer.prior if isinstance(form.scorer, FallbackScorer) else None)
    payload.floats("idf", form.idf)
    payload.whole("known", form.known)
    return {
        "kind": "additive",
        "gain": form.gain,
        "cosine": form.cosine,
        "layers": len(form.layers),
        "rest": form.rest is not None,
    }


def put_layer(payload: Payload, name: str, layer: Layer) -> None:
    for part in ("bias", "default", "common", "table"):
        payload.floats(f"{name}.{part}", getattr(layer, part))
    payload.whole(f"{name}.groups", layer.groups)
    put_table(payload, name, layer.by_term)


def put_table(payload: Payload, name: str, table: TableByTerm) -> None:
    payload.whole(f"{name}.sizes", np.diff(table.ends))
    payload.whole(f"{name}.labels", table.labels)
    payload.floats(f"{name}.values", table.values)


# -- probabilities and decisions


def put_calibration(payload: Payload, decider: Decider) -> dict[str, Any]:
    settings = {"curve": None, "joint": decider.joint, "multilabel": decider.rule.multilabel}
    return settings if decider.calibration is None else {**settings, **put_curves(payload, decider.calibration)}


def put_curves(payload: Payload, calibration: Calibration) -> dict[str, Any]:
    curves, bounds = calibration.curves, calibration.bounds
    payload.floats("curves.lowest", curves.range.lowest)
    payload.floats("curves.highest", curves.range.highest)
    for name in CURVES:
        payload.floats(f"curves.{name}", getattr(curves, name, None))
    if isinstance(curves, Isotonic):
        at, value = (np.concatenate([corner[k] for corner in curves.corners]) for k in (0, 1))
        payload.floats("curves.at", at)
        payload.floats("curves.value", value)
        payload.whole("curves.ends", np.cumsum([0, *(len(corner[0]) for corner in curves.corners)]))
    if bounds is not None:
        payload.floats("bounds.lowest", bounds.lowest)
        payload.floats("bounds.highest", bounds.highest)
    return {
        "curve": curves.name,
        **{name: getattr(curves, name) for name in CURVE_SETTINGS if hasattr(curves, name)},
    }


def put_rule(payload: Payload, decider: Decider) -> dict[str, Any]:
    rule = decider.rule
    payload.floats("rule.thresholds", rule.thresholds)
    settings = {name: getattr(rule, name) for name in ("name", "multilabel", "k", "model_threshold", "only_best")}
    return {**settings, "ties_by_score": decider.prior is not None}


def put_unknown(payload: Payload, predictor: Predictor) -> None:
    """What is said of a document without a known word: it is always the same."""
    _, scores, probabilities, decisions, _ = predictor.predict_texts([document_of(predictor, "")])
    payload.floats("unknown.scores", scores[0])
    payload.floats("unknown.probabilities", probabilities[0])
    payload.whole("unknown.decisions", decisions[0])


def document_of(predictor: Predictor, text: str) -> Document:
    """A text as the classifier takes it: by itself, or in each of its fields."""
    fields = field_names(predictor.vocabulary.recipe, predictor.vocabulary.terms)
    return text if fields is None else dict.fromkeys(fields, text)
