"""Recipe: what a term is."""

from __future__ import annotations

import unicodedata
from types import SimpleNamespace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubricate.errors import InvalidSetting, UnknownName
from rubricate.terms import definition
from rubricate.terms.characters import character_table
from rubricate.terms.definition import normalise
from rubricate.terms.recipe import STOP_LISTS, Recipe, stop_list
from strategies import recipes, texts


@pytest.mark.parametrize(
    ("recipe", "text", "terms"),
    [
        (Recipe(), "The CAT sat, 2 mats; mp3!", ["the", "cat", "sat", "2", "mats", "mp3"]),
        (Recipe(tokens="letters"), "mp3 don't", ["mp", "3", "don", "t"]),
        (Recipe(tokens="letters", numbers="drop"), "mp3 2nd", ["mp", "nd"]),
        (Recipe(numbers="drop"), "mp3 3 42nd 42", ["mp3", "42nd"]),
        (Recipe(numbers="NUM"), "1,250.75 and 3. Then 4,x", ["NUM", "and", "NUM", "then", "NUM", "x"]),
        (Recipe(tokens="letters", numbers="NUM"), "mp3 v2.0", ["mp", "NUM", "v", "NUM"]),
        (Recipe(tokens="whitespace"), "It's A-1 (really)", ["it's", "a-1", "(really)"]),
        (Recipe(lowercase=False), "US us", ["US", "us"]),
        (Recipe(min_length=3), "an ant ate it", ["ant", "ate"]),
        (Recipe(stop=("the", "The")), "The the cat", ["cat"]),
        (Recipe(stem="english"), "running runs", ["run", "run"]),
        (Recipe(stem="german", lowercase=True), "Häuser Hauses", ["haus", "haus"]),
    ],
)
def test_terms_of_plain_text(recipe: Recipe, text: str, terms: list[str]) -> None:
    assert recipe.terms(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs and virama stay inside the word
        ("اَلْعَرَبِيَّة", ["اَلْعَرَبِيَّة"]),  # so do Arabic vowels
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("ΣΑΣ σας", ["σασ", "σασ"]),
        ("e\u0301t\u00e9", ["été"]),  # decomposed and composed are one
        ("co\u00adop\u200d", ["coop"]),  # soft hyphen and joiner are not there
        ("日本語", ["日本", "本語"]),
        ("語", ["語"]),
        ("日本abc本", ["日本", "abc", "本"]),
        ("カタカナー", ["カタ", "タカ", "カナ", "ナー"]),
        ("กำ", ["กำ"]),
        ("\u0301 \u0301a", ["a"]),  # a mark alone is no word
        ("😀👍 !!! \u202e", []),
        ("한국어 단어", ["한국어", "단어"]),  # Korean has spaces
    ],
)
def test_terms_of_the_worlds_scripts(text: str, terms: list[str]) -> None:
    assert Recipe().terms(text) == [unicodedata.normalize("NFC", term) for term in terms]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("new york times", ["new york", "york times"]),
        ("new, york", []),
        ("new\n  york", ["new york"]),
        ("bank of england", []),  # the stop word stands between
        ("bank (england)", []),
        ("日本 england", []),
    ],
)
def test_pairs_are_neighbours_without_punctuation_or_stop_words_between(text: str, pairs: list[str]) -> None:
    recipe = Recipe(pairs=True, stop=("of",))
    assert [term for term in recipe.terms(text) if " " in term] == pairs


def test_a_pair_is_made_of_stems() -> None:
    assert Recipe(pairs=True, stem="english").terms("running shoes") == ["run", "shoe", "run shoe"]


def test_parts_of_speech_restrict_words_and_part_them() -> None:
    pytest.importorskip("textblob")
    recipe = Recipe.sable(parts_of_speech=("NN",)).with_(pairs=True)
    assert recipe.terms("The old librarian reads three dusty books in Leeds.") == ["librarian", "books", "leeds"]


def test_a_function_makes_the_terms_alone() -> None:
    recipe = Recipe(function=lambda text: text.upper().split("-"), min_length=2)
    assert recipe.terms("ab-c-de") == ["AB", "DE"]
    with pytest.raises(InvalidSetting, match="pairs"):
        Recipe(function=str.split, pairs=True)


@pytest.mark.parametrize(
    "settings",
    [
        {"tokens": "words"},
        {"numbers": "some"},
        {"stop": "klingon"},
        {"stem": "klingon"},
    ],
)
def test_unknown_names_are_refused_with_the_choices(settings: dict[str, str]) -> None:
    with pytest.raises(UnknownName, match="choose from"):
        Recipe(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings",
    [
        {"min_length": 0},
        {"fields": ()},
        {"fields": "title"},
        {"tokens": "whitespace", "numbers": "drop"},
        {"function": 3},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InvalidSetting):
        Recipe(**settings)  # type: ignore[arg-type]


@given(recipes)
def test_a_recipe_comes_back_from_its_settings_with_the_same_fingerprint(recipe: Recipe) -> None:
    if recipe.function is not None:
        with pytest.raises(InvalidSetting, match="never loaded from files"):
            Recipe.from_dict(recipe.to_dict())
        return
    rebuilt = Recipe.from_dict(recipe.to_dict())
    assert rebuilt == recipe
    assert rebuilt.fingerprint == recipe.fingerprint


def test_fingerprints_follow_the_terms_and_not_the_spelling_of_settings() -> None:
    assert Recipe(stop=("b", "a")).fingerprint == Recipe(stop=("a", "b", "a")).fingerprint
    assert Recipe(stop=stop_list("english")).fingerprint == Recipe(stop="english").fingerprint
    distinct = {Recipe().fingerprint, Recipe(pairs=True).fingerprint, Recipe(min_length=2).fingerprint}
    assert len(distinct) == 3


@pytest.mark.parametrize(
    ("text", "recipe"),
    [
        ("lewis", Recipe.lewis()),
        ("wilbur_kim,pairs=no", Recipe.wilbur_kim(pairs=False)),
        (
            "tokens=letters,numbers=drop,stop=english,pairs",
            Recipe(tokens="letters", numbers="drop", stop="english", pairs=True),
        ),
        (
            "min_length=3,fields=title+body,prefix_fields",
            Recipe(min_length=3, fields=("title", "body"), prefix_fields=True),
        ),
        ("", Recipe()),
    ],
)
def test_recipes_are_written_on_a_command_line(text: str, recipe: Recipe) -> None:
    assert Recipe.parse(text) == recipe


@pytest.mark.parametrize(
    "text", ["nobody", "tokens=letters,lewis", "min_length=many", "pairs=perhaps", "function=os.system"]
)
def test_a_misspelled_recipe_is_refused(text: str) -> None:
    with pytest.raises((UnknownName, InvalidSetting)):
        Recipe.parse(text)


@pytest.mark.parametrize("name", STOP_LISTS)
def test_stop_lists_are_sorted_lower_case_words(name: str) -> None:
    words = stop_list(name)
    assert list(words) == sorted(set(words))
    assert all(Recipe().terms(word) == [word] for word in words)
    assert name != "bnc100" or len(words) == 100


@given(texts)
def test_normalisation_is_nfc(text: str) -> None:
    if unicodedata.unidata_version != character_table().unicode_version:
        pytest.skip("this Python has another Unicode version")
    assert normalise(text) == unicodedata.normalize("NFC", text)


@given(st.lists(st.one_of(texts, st.characters(categories=["Cn", "Mn", "Lo"])), max_size=8).map("".join))
def test_a_later_python_is_not_asked_about_characters_that_the_table_does_not_know(text: str) -> None:
    """Unicode 15 gave U+1E4EE a combining class: marks before it would change places, and terms with the Python that runs."""
    asked: list[str] = []

    def normalize_later(form: Literal["NFC"], part: str) -> str:
        asked.append(part)
        return unicodedata.normalize(form, part)

    later = SimpleNamespace(unidata_version="99.0.0", normalize=normalize_later)
    expected = normalise(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(definition, "unicodedata", later)
        assert normalise(text) == expected
    unassigned = [range(first, end) for first, end in character_table().unassigned.tolist()]
    assert not any(ord(character) in stretch for part in asked for character in part for stretch in unassigned)


def test_a_megabyte_of_combining_marks_takes_linear_time() -> None:
    text = "a" + "\u0301\u0323" * 250_000  # the standard library would need hours
    assert len(normalise(text)) > 400_000
    assert len(Recipe().terms(text)) == 1


def test_the_character_table_is_that_of_its_unicode_version() -> None:
    if unicodedata.unidata_version != character_table().unicode_version:
        pytest.skip("this Python has another Unicode version")
    table = character_table()
    for character in map(chr, [*range(0xD800), *range(0xE000, 0x110000, 7)]):
        expected = unicodedata.normalize("NFC", character.casefold())
        assert table.fold(character) == expected, hex(ord(character))
