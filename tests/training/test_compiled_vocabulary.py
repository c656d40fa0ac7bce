"""Terms of one text by compiled loops are those of the recipe's plain definition, whatever the recipe, text and thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given

import frozen
import rubricate as rb
from rubricate.scoring.documents import Vocabulary
from rubricate.training.compiled_vocabulary import CompiledVocabulary
from strategies import texts

RECIPES = [
    "",
    "pairs",
    "stem=english",
    "stop=english",
    "tokens=whitespace",
    "tokens=letters+digits,numbers=NUM",
    "joachims",
]


def same(recipe: rb.Recipe, known: list[str], documents: list[str]) -> None:
    terms = sorted({term for text in known for term in recipe.terms(text)})
    plain, compiled = Vocabulary(recipe, terms), CompiledVocabulary(recipe, terms)
    for text in documents:
        expected, result = plain.count(text), compiled.count(text)
        assert result.columns.tolist() == expected.columns.tolist()
        assert result.values.tolist() == expected.values.tolist()


@pytest.mark.parametrize("recipe", RECIPES)
@given(known=texts, new=texts)
def test_the_terms_of_any_text_are_those_of_the_plain_definition(recipe: str, known: str, new: str) -> None:
    same(rb.Recipe.parse(recipe), [known], [known, new, ""])


@pytest.mark.parametrize(
    "recipe", [rb.Recipe(fields=["title"]), rb.Recipe(fields=["title", "body"], prefix_fields=True)]
)
def test_fields_are_read_as_the_recipe_says(recipe: rb.Recipe) -> None:
    document = {"title": "Corn and wheat", "body": "wheat, 5 tonnes"}
    terms = sorted(set(Vocabulary(recipe, []).recipe.terms("corn wheat and tonnes")) | {"title:corn", "body:wheat"})
    plain, compiled = Vocabulary(recipe, terms).count(document), CompiledVocabulary(recipe, terms).count(document)
    assert compiled.columns.tolist() == plain.columns.tolist() != []


def test_eight_threads_count_what_one_counts() -> None:
    recipe = rb.Recipe()
    documents = [f"corn {n} wheat wheat gold{n % 7}" for n in range(400)]
    vocabulary = CompiledVocabulary(recipe, sorted({term for text in documents for term in recipe.terms(text)}))
    expected = [vocabulary.count(text).columns.tolist() for text in documents]
    with ThreadPoolExecutor(8) as pool:
        results = [vector.columns.tolist() for vector in pool.map(vocabulary.count, documents)]
    assert results == expected


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours"])
def test_eight_threads_that_call_one_model_get_the_answers_of_one(model: str, tmp_path: Path) -> None:
    fitted = rb.TextClassifier(model, folds=2, jobs=1).fit(frozen.TEXTS, frozen.labels_in("lists"))
    fitted.save(tmp_path / "model.rub")
    documents = [f"{text} {n}" for n, text in enumerate(frozen.TEXTS * 2)]

    def answers(classifier: rb.TextClassifier, text: str) -> object:
        labels, p = classifier.predict([text]), classifier.predict_proba([text]).tolist()
        return labels, p, [asdict(reason) for reason in classifier.explain(text)]

    expected = [answers(fitted, text) for text in documents]
    shared = rb.load(
        tmp_path / "model.rub"
    )  # whatever is laid out at the first call is laid out by eight threads at once
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(partial(answers, shared), documents)) == expected
