"""What the terms of a text are: the definition, written plainly, one character after the other.

The compiled scanner (`kernels/`) does the same at native speed and is tested against this definition on arbitrary Unicode.

    characters   NFC; case folded (full Unicode folding: STRASSE = Straße); zero-width and direction marks ignored
    terms        runs of letters, of letters and digits, or of anything but white space; combining marks stay inside words
    no spaces    Han, Kana, Thai, Lao, Khmer, Myanmar: overlapping pairs of neighbouring characters
    numbers      kept, dropped, or all mapped to NUM; with NUM, 1,250.75 is one number
    then         minimum length, stop list, Snowball stem, in this order; bigrams of the remaining terms, if the recipe has them
"""

from __future__ import annotations

import gc
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

from . import characters as ch
from .recipe import FIELD_BREAK, NUMBER_TERM, Recipe

LONGEST_MARK_RUN = 30  # as in Unicode's stream-safe format; longer runs of marks are normalised in pieces
NUMERIC = (ch.NUMBER, ch.MARK, ch.IGNORED, ch.OTHER)  # the classes inside a number, such as the comma of 1,250


def terms_of(recipe: Recipe, text: str) -> list[str]:
    if recipe.function is not None:
        terms = (str(term) for term in recipe.function(text.replace(FIELD_BREAK, "\n")))
        return [term for term in terms if len(term) >= recipe.min_length and term not in recipe.stop_words]
    out: list[str] = []
    derive = term_filter(recipe)
    previous = ""  # the neighbour on the left, "" where there is none
    for token, joined, single in tokens(recipe, normalise(recipe.prepared(text))):
        if not joined:
            previous = ""
        if not token or (term := derive(token)) is None:
            previous = ""
            continue
        out.append(term)
        if recipe.pairs and previous and single:
            out.append(f"{previous} {term}")
        previous = term if single else ""
    return out


def tokens(recipe: Recipe, text: str) -> Iterator[tuple[str, bool, bool]]:
    """(token, only white space since the last token?, may be part of a bigram?); a token that is too short or a dropped
    number comes as ""."""
    table = ch.character_table()
    kinds = [class_in(recipe, table.of(character) & ch.CLASS_BITS) for character in text]
    n, at, joined = len(text), 0, False
    in_run = False  # the character at `at` was already the right half of a character pair
    while at < n:
        kind = kinds[at]
        if kind in (ch.SPACE, ch.CONTROL, ch.OTHER, ch.MARK, ch.IGNORED):
            # a mark or an ignored character outside a word says nothing
            joined = joined and kind in (ch.SPACE, ch.IGNORED)
            in_run = in_run and kind == ch.IGNORED
            at += 1
            continue
        if kind == ch.UNSPACED:
            first, end = cluster(text, kinds, at)
            if end < n and kinds[end] == ch.UNSPACED:
                second, _ = cluster(text, kinds, end)
                yield first + second, joined, False
                in_run = True
            else:
                if not in_run:
                    yield first, joined, False
                in_run = False
            at, joined = end, True
            continue
        in_run = False
        start, characters = at, []
        while at < n and continues(recipe, text, kinds, start, at):
            if kinds[at] != ch.IGNORED:
                characters.append(text[at])
            at += 1
        word = "".join(characters)
        token = fold_case(word) if recipe.lowercase else word
        numeric = all(kind in NUMERIC for kind in kinds[start:at])
        if numeric and recipe.numbers != "keep":
            yield ("" if recipe.numbers == "drop" else NUMBER_TERM), joined, recipe.numbers != "drop"
        else:
            yield (token if len(token) >= recipe.min_length else ""), joined, True
        joined = True


def class_in(recipe: Recipe, kind: int) -> int:
    """The class of a character as the recipe sees it."""
    if recipe.tokens == "whitespace":
        return kind if kind in (ch.SPACE, ch.CONTROL, ch.IGNORED) else ch.LETTER
    if recipe.tokens == "letters" and recipe.numbers == "drop" and kind == ch.NUMBER:
        return ch.OTHER
    return kind


def continues(recipe: Recipe, text: str, kinds: list[int], start: int, at: int) -> bool:
    """Does the word that began at `start` go on at `at`?"""
    kind = kinds[at]
    if kind in (ch.MARK, ch.IGNORED):
        return True
    if kind == ch.OTHER:
        return (
            recipe.numbers == "NUM"
            and text[at] in ".,"
            and at + 1 < len(text)
            and kinds[at - 1] == ch.NUMBER
            and kinds[at + 1] == ch.NUMBER
            and all(kind in NUMERIC for kind in kinds[start:at])
        )
    if recipe.tokens == "letters":
        return kind == kinds[start]
    return kind in (ch.LETTER, ch.NUMBER)


def cluster(text: str, kinds: list[int], at: int) -> tuple[str, int]:
    """A character of a script without spaces, with its marks; and where it ends."""
    end = at + 1
    while end < len(text) and kinds[end] in (ch.MARK, ch.IGNORED):
        end += 1
    return "".join(text[i] for i in range(at, end) if kinds[i] != ch.IGNORED), end


def term_filter(recipe: Recipe) -> Callable[[str], str | None]:
    """A function from a token to the term after stop list and stemmer, None if it is left out.

    Snowball's stemmers hold state: each thread makes its own. The pure Python classes are taken by name, since
    `snowballstemmer.stemmer` would silently switch to another package's if that is installed.
    """
    stop_words = recipe.stop_words
    if recipe.stem is None:
        return lambda token: None if token in stop_words else token
    module = import_module(f"snowballstemmer.{recipe.stem}_stemmer")
    stem: Callable[[str], str] = getattr(module, f"{recipe.stem.title().replace('_', '')}Stemmer")().stemWord
    # a stemmer may eat a whole token; such a token stays as it is
    return lambda token: None if token in stop_words else stem(token) or token


def fold_case(text: str) -> str:
    return "".join(map(ch.character_table().fold, text))


def normalise(text: str) -> str:
    """NFC, in linear time: runs of more than LONGEST_MARK_RUN marks are normalised piece by piece, since putting
    marks in order takes quadratic time in the standard library."""
    if text.isascii():
        return text
    pieces, start = [], 0
    for run in _long_mark_runs().finditer(text):
        for at in range(run.start() + LONGEST_MARK_RUN, run.end(), LONGEST_MARK_RUN):
            pieces.append(_composed(text[start:at]))
            start = at
    pieces.append(_composed(text[start:]))
    return "".join(pieces)


def _composed(text: str) -> str:
    """NFC of the Unicode version of the shipped table. A later Python knows more characters, which that version leaves alone:
    the text between them is normalised, and Unicode promises that for older characters this never changes."""
    if unicodedata.unidata_version == ch.character_table().unicode_version:
        return unicodedata.normalize("NFC", text)
    parts = _unassigned().split(text)
    parts[::2] = [unicodedata.normalize("NFC", part) for part in parts[::2]]
    return "".join(parts)


@cache
def _unassigned() -> re.Pattern[str]:
    """Runs of characters that the shipped table does not know, as a group, so that splitting keeps them."""
    stretches = (f"{chr(first)}-{chr(end - 1)}" for first, end in ch.character_table().unassigned.tolist())
    return re.compile(f"([{''.join(stretches)}]+)")


@cache
def _long_mark_runs() -> re.Pattern[str]:
    table = ch.character_table()
    bits = table.classes.reshape(-1, 256)[table.class_pages].reshape(-1)
    marks = "".join(map(chr, (bits & ch.REORDERS).nonzero()[0].tolist()))
    return re.compile(f"[{re.escape(marks)}]{{{LONGEST_MARK_RUN + 1},}}")


def tagged_words(text: str, tags: tuple[str, ...]) -> str:
    """The words of a text whose part-of-speech tag begins with one of `tags`, in order, by TextBlob's pattern tagger."""
    tagged = _tagger()(text)
    return f" {FIELD_BREAK} ".join(word for word, tag in tagged if tag.startswith(tags))


@cache
def _tagger() -> Callable[[str], list[tuple[str, str]]]:
    try:
        from textblob.en.taggers import PatternTagger
    except ImportError:
        from ..errors import MissingExtra

        raise MissingExtra("textblob", "pos", "choosing terms by part of speech") from None
    tagger = PatternTagger()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # textblob leaves its word list open when it first tags
        tagger.tag("once")
        gc.collect()
    tag: Callable[[str], list[tuple[str, str]]] = tagger.tag
    return tag
