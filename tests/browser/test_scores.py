"""The page scores as Python does: a thousand documents, half of them hostile Unicode, by every model, recipe, calibration and
rule that can go into one. Terms and decisions are identical, numbers agree to 1e-9."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import frozen
import rubricate as rb
from deciders import with_decider
from hostile_documents import documents
from rubricate import models
from rubricate.browser.parts import refuse_what_cannot_go
from rubricate.decisions.calibration import CALIBRATORS
from rubricate.models.vectors import FORMS
from rubricate.scoring.additive import Additive
from rubricate.scoring.forms import GAINS, LINEAR
from rubricate.scoring.linear import Linear
from rubricate.scoring.predictor import Predictor
from rubricate.terms.fields import document_terms

pytestmark = pytest.mark.xdist_group("browser")

NEAR = 1e-9
MODELS = (*GAINS, *LINEAR)
SETTINGS = {
    "exponentiated_gradient": models.ExponentiatedGradient(two_sided=True),
    "rocchio": models.Rocchio(clip=False),
    "stacked_bernoulli": models.StackedBernoulli(f_limit=3),
    "tfidf": models.TFIDF(similarity="cosine"),
}
RECIPES = {
    "letters, NUM, pairs": rb.Recipe(tokens="letters", numbers="NUM", pairs=True),
    "whitespace": rb.Recipe(tokens="whitespace", pairs=True),
    "stems, stop list": rb.Recipe(stem="english", stop="english", pairs=True, min_length=2),
    "case kept, no numbers": rb.Recipe(lowercase=False, numbers="drop"),
}


@cache
def fitted(model: str, multilabel: bool, **settings: Any) -> rb.TextClassifier:
    y = frozen.labels_in("lists" if multilabel else "one")
    arguments = {"calibrate": "sigmoid", "decide": "top", "folds": 2, "jobs": 1, **settings}
    return rb.TextClassifier(SETTINGS.get(model, model), **arguments).fit(frozen.TEXTS, y)


@cache
def terms(recipe: rb.Recipe) -> list[list[str]]:
    """Of the thousand documents; made once a recipe."""
    return [recipe.terms(text) for text in documents()]


def agree(scorer: Any, predictor: Predictor, every: int = 1) -> None:
    """All that the page says of the documents, or every so many, is what Python says."""
    texts, expected = documents()[::every], terms(predictor.vocabulary.recipe)[::every]
    agree_on(scorer, predictor, texts, expected, [predictor.vocabulary.count_terms(document) for document in expected])


def agree_on(scorer: Any, predictor: Predictor, texts: list[Any], expected: list[list[str]], counts: Any) -> None:
    fields = [[text] if isinstance(text, str) else list(text.values()) for text in texts]
    answers = scorer.predictions(predictor, fields)
    assert answers["problems"] == []
    assert answers["terms"] == expected
    scores, probabilities, decisions, _ = predictor.predict_counts(counts)
    np.testing.assert_allclose(answers["scores"], scores, rtol=NEAR, atol=NEAR)
    np.testing.assert_allclose(answers["probabilities"], probabilities, rtol=0, atol=NEAR)
    assert (answers["decisions"] == decisions).all()
    for n, reasons in enumerate(answers["reasons"]):
        for answer, label in zip(reasons, predictor.labels, strict=True):
            (reason,) = predictor.explain(texts[11 * n], label, limit=8)
            values = [answer["others"], answer["base"], *(value for _, value in answer["terms"])]
            then = [reason.others, reason.base, *(value for _, value in reason.terms)]
            np.testing.assert_allclose(np.array(values, dtype=float), then, rtol=NEAR, atol=NEAR)
            assert sorted_terms(answer["terms"]) == sorted_terms(reason.terms)


def agree_on_fields(scorer: Any, predictor: Predictor, texts: list[Any]) -> None:
    expected = [list(document_terms(text, predictor.vocabulary.recipe)) for text in texts]
    agree_on(scorer, predictor, texts, expected, [predictor.vocabulary.count(text) for text in texts])


def sorted_terms(parts: list[Any]) -> list[str]:
    """Terms by what they add, to nine digits, then by name."""
    return [term for term, _ in sorted(parts, key=lambda part: (-round(abs(part[1]), 9), part[0]))]


@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
@pytest.mark.parametrize("model", MODELS)
def test_every_model_scores_a_thousand_documents_as_python_does(scorer: Any, model: str, multilabel: bool) -> None:
    predictor = Predictor.from_classifier(fitted(model, multilabel))
    agree(scorer, predictor)


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_makes_the_terms_of_python(scorer: Any, name: str) -> None:
    predictor = Predictor.from_classifier(fitted("support_vector", True, recipe=RECIPES[name]))
    agree(scorer, predictor)


@pytest.mark.parametrize("form", FORMS)
def test_every_weighting(scorer: Any, form: str) -> None:
    predictor = Predictor.from_classifier(fitted("rocchio", True, weighting=form))
    agree(scorer, predictor, every=8)


@pytest.mark.parametrize("model", ["prtfidf", "support_vector"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["single", "multi"])
def test_every_calibration_and_rule(scorer: Any, model: str, multilabel: bool) -> None:
    rules = ("scut", "precision:0.7", "recall:0.7", "half", "top", "top:2", "own") if multilabel else ("top", "own")
    ways = [(calibrate, "half" if multilabel else "top") for calibrate in ("none", *CALIBRATORS)]
    ways += [("sigmoid", decide) for decide in rules]
    base, tried = fitted(model, multilabel), set()
    before = base.decision_, base.calibrated_, base.unknown_, base._ids
    try:
        for calibrate, decide in ways:
            classifier = with_decider(base, multilabel, calibrate, decide)
            if classifier is None or (calibrate in ("beta", "unchanged") and model == "support_vector"):
                continue  # these two are for scores that are probabilities
            agree(scorer, Predictor.from_classifier(classifier), every=25)
            tried.add((calibrate, decide))
    finally:
        base.decision_, base.calibrated_, base.unknown_, base._ids = before
    assert {decide for _, decide in tried} >= set(rules) - {"own"}
    assert {calibrate for calibrate, _ in tried} >= {"none", "sigmoid", "isotonic", "temperature"}


@pytest.mark.parametrize("path", sorted(frozen.FOLDER.glob("*.*.rub")), ids=lambda path: path.stem)
def test_files_of_earlier_versions_are_refused_or_score_as_python_does(scorer: Any, path: Path) -> None:
    recipe = rb.Recipe(function=frozen.spelled) if path.stem.startswith("function.") else None
    predictor = Predictor.load(path, recipe=recipe)
    goes = isinstance(predictor.form, Additive | Linear) and predictor.decider.rule.name not in ("density", "pcut")
    if not goes or recipe is not None:
        with pytest.raises(rb.errors.InvalidSetting, match="no page: "):
            refuse_what_cannot_go(predictor)
        return
    refuse_what_cannot_go(predictor)
    agree_on_fields(scorer, predictor, frozen.NEW_FIELDS if predictor.vocabulary.recipe.fields else frozen.NEW)


@pytest.mark.parametrize("fields", [None, ("title", "body")])
def test_prefixed_fields_have_a_box_each(scorer: Any, fields: Any) -> None:
    recipe = rb.Recipe(prefix_fields=True, fields=fields)
    classifier = rb.TextClassifier("multinomial", recipe=recipe, folds=2, jobs=1).fit(frozen.FIELDS, frozen.LISTS)
    predictor = Predictor.from_classifier(classifier)
    order = ("title", "body") if fields else ("body", "title")
    agree_on_fields(scorer, predictor, [{name: row[name] for name in order} for row in frozen.NEW_FIELDS])


def test_labels_without_documents_and_with_all(scorer: Any) -> None:
    """Naive Bayes scores -inf and inf there."""
    own = frozen.labels_in("indicator")
    y = np.hstack([own, np.zeros((len(own), 1), dtype=np.int64), np.ones((len(own), 1), dtype=np.int64)])
    for model in ("multinomial", "bernoulli", "prtfidf", "tfidf"):
        classifier = rb.TextClassifier(model, calibrate="sigmoid", decide="half", folds=2, jobs=1).fit(frozen.TEXTS, y)
        agree(scorer, Predictor.from_classifier(classifier), every=8)


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "stacked_bernoulli", "tfidf", "prtfidf"])
def test_a_page_with_fewer_terms_and_rounder_weights_scores_as_its_python(scorer: Any, model: str) -> None:
    from rubricate.browser.reduction import rounded, with_terms

    predictor = Predictor.from_classifier(fitted(model, True))
    chosen = np.arange(len(predictor.vocabulary.terms)) % 3 > 0
    agree(scorer, rounded(with_terms(predictor, chosen)), every=8)
