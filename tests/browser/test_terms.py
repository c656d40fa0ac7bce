"""Characters, terms and stems of the page: every code point, arbitrary Unicode, every language."""

from __future__ import annotations

import json
import unicodedata
from importlib import import_module
from typing import Any

import pytest
import snowballstemmer
from hypothesis import given, settings
from hypothesis import strategies as st

import frozen
from hostile_documents import ODD, documents
from rubricate.browser.export import source
from rubricate.browser.parts import recipe_settings
from rubricate.browser.stemmers import stemmer_script
from rubricate.scoring.documents import Vocabulary
from rubricate.scoring.predictor import Predictor
from rubricate.terms import characters as ch
from rubricate.terms.definition import normalise
from rubricate.terms.recipe import Recipe
from strategies import RECIPES, texts

pytestmark = pytest.mark.xdist_group("browser")

EVERY_POINT = """() => {
  const { characters } = model.recipe, classes = [], folds = [], composed = [];
  for (let point = 0; point < N_POINTS; point++) {
    classes.push(characters.classes[point]);
    const folded = [];
    characters.fold(point, folded);
    if (folded.length > 1 || folded[0] !== point) folds.push([point, ...folded]);
    const nfc = characters.normalise([point]);
    if (nfc.length > 1 || nfc[0] !== point) composed.push([point, ...nfc]);
  }
  return JSON.stringify({ classes: classes.join(""), folds, composed });
}"""


def test_the_class_the_fold_and_nfc_of_every_code_point(scorer: Any) -> None:
    table, result = ch.character_table(), json.loads(scorer.evaluate(EVERY_POINT))
    classes = table.classes.reshape(-1, 256)[table.class_pages].reshape(-1) & ch.CLASS_BITS
    assert result["classes"] == "".join(map(str, classes.tolist()))
    every = [chr(point) for point in range(0x110000)]
    folds = {
        c: table.fold(c)
        for c in map(chr, table.folds.reshape(-1, 256)[table.fold_pages].reshape(-1).nonzero()[0].tolist())
    }
    assert {chr(point): "".join(map(chr, folded)) for point, *folded in result["folds"]} == folds
    if unicodedata.unidata_version != table.unicode_version:
        pytest.skip("this Python has another Unicode version")
    composed = {
        c: nfc for c in every if not "\ud800" <= c <= "\udfff" and (nfc := unicodedata.normalize("NFC", c)) != c
    }
    assert {chr(point): "".join(map(chr, nfc)) for point, *nfc in result["composed"]} == composed


def test_a_megabyte_of_marks_and_a_word_of_a_megabyte(scorer: Any) -> None:
    sizes = """([marks, letters]) => [`a${"\\u0301\\u0323".repeat(marks)}`, "x".repeat(letters)].map((text) => {
      const terms = model.recipe.termsOf(text);
      return [terms.length, terms[0].length];
    })"""
    assert scorer.evaluate(sizes, [250_000, 1_000_000]) == [
        [1, len(normalise("a" + "\u0301\u0323" * 250_000))],
        [1, 1_000_000],
    ]


SETTINGS = {name: recipe for name, recipe in RECIPES.items() if recipe.function is None}
TERMS = """([settings, texts]) => {
  const recipes = JSON.parse(settings).map((own) => new Recipe(own, model.recipe.characters, own.stem ? makeStemmer() : null));
  return JSON.stringify(recipes.map((recipe) => JSON.parse(texts).map((text) => recipe.terms([text]))));
}"""


def page_settings(recipe: Recipe) -> dict[str, Any]:
    predictor = Predictor.load(frozen.FOLDER / "multinomial.one.rub")
    object.__setattr__(predictor, "vocabulary", Vocabulary(recipe, []))
    return recipe_settings(predictor)


HEADS = json.dumps([page_settings(recipe) for recipe in SETTINGS.values()])


@given(st.lists(st.one_of(texts, st.lists(st.sampled_from(ODD), max_size=12).map("".join)), min_size=8, max_size=25))
@settings(max_examples=25)
def test_terms_of_arbitrary_texts_by_every_recipe(scorer: Any, drawn: list[str]) -> None:
    by_recipe = json.loads(scorer.evaluate(TERMS, [HEADS, json.dumps(drawn)]))
    for (name, recipe), lists in zip(SETTINGS.items(), by_recipe, strict=True):
        assert lists == [recipe.terms(text) for text in drawn], name


WORDS = sorted({word for text in documents() for word in Recipe().terms(text)})
LETTERS = [
    "abcdefghiklmnoprstuvy'",
    "αβγδεηικλμνοπρστυωάέήίόςύ",
    "абвдезийклмнопрстуыья",
    "ابتجدرسشعفقكلمنهويةى",
    "अइकतनपमरलसहािीेों",
]


def invented_words() -> list[str]:
    """Words of each script's letters with endings that stemmers look for, most of them in no dictionary."""
    from random import Random

    draw = Random(1)
    return ["".join(draw.choice(letters) for _ in range(draw.randint(2, 11))) for letters in LETTERS for _ in range(30)]


def test_every_stemmer_gives_the_stems_of_snowball(browser: Any) -> None:
    words = [*WORDS[:: max(len(WORDS) // 100, 1)], *invented_words()]
    page = browser.new_page()
    for language in snowballstemmer.algorithms():
        module = import_module(f"snowballstemmer.{language}_stemmer")
        stem = getattr(module, f"{language.title().replace('_', '')}Stemmer")().stemWord
        script = f"{source('stemmer.js')}{stemmer_script(language)}"
        stems = page.evaluate(
            f"(words) => {{ {script} const s = makeStemmer(); return words.map((word) => s.stemWord(word)).join(' '); }}",
            words,
        )
        assert stems.split(" ") == [stem(word) for word in words], language
    page.close()
