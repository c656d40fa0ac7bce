"""The compiled scanner does what the recipe says, on any text, in any order, checked or unchecked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubricate.kernels import vocabulary as vocabulary_module
from rubricate.kernels.chunks import Scanner
from rubricate.kernels.vocabulary import TermBytes, Vocabulary
from rubricate.terms.recipe import Recipe
from strategies import RECIPES, texts


def count_terms(scanner: Scanner, batch: list[str]) -> list[Counter[str]]:
    """The rows of a chunk, as the terms they stand for."""
    chunk = scanner.chunk([("text", pa.array(batch, pa.large_string()))])
    names = chunk.vocabulary.strings()
    rows = []
    for start, end in zip(chunk.row_ends, chunk.row_ends[1:], strict=False):
        assert len(set(chunk.terms[start:end].tolist())) == end - start
        rows.append(
            Counter({names[t]: int(n) for t, n in zip(chunk.terms[start:end], chunk.times[start:end], strict=True)})
        )
    return rows


SCANNERS = {name: Scanner(recipe) for name, recipe in RECIPES.items()}


@pytest.mark.parametrize("name", sorted(RECIPES))
@given(batch=st.lists(texts, max_size=6))
def test_the_scanner_makes_the_terms_of_the_definition(name: str, batch: list[str]) -> None:
    assert count_terms(SCANNERS[name], batch) == [Counter(RECIPES[name].terms(text)) for text in batch]


@given(st.lists(st.text(alphabet="abcdefgh éß日1. ", max_size=40), min_size=1, max_size=6))
def test_where_a_text_lies_in_the_buffer_changes_nothing(batch: list[str]) -> None:
    together = count_terms(SCANNERS["default"], batch)
    assert together == [count_terms(SCANNERS["default"], [text])[0] for text in batch]


def test_words_of_every_length_are_kept_whole() -> None:
    words = ["é" * n + "x" for n in range(1, 40)] + ["w" * n for n in range(1, 200)]
    assert count_terms(SCANNERS["default"], [" ".join(words)]) == [Counter(words)]


def test_a_vocabulary_that_outgrows_its_first_room_is_complete() -> None:
    words = [f"w{n}" for n in range(50_000)]
    assert count_terms(Scanner(Recipe()), [" ".join(words), " ".join(reversed(words))]) == [Counter(words)] * 2


def test_slices_of_arrow_arrays_are_read_where_they_lie() -> None:
    whole = pa.array(["zero", "one two", "two three", "four"], pa.large_string())
    chunk = SCANNERS["default"].chunk([("text", whole.slice(1, 2))])
    assert chunk.vocabulary.strings() == ["one", "two", "three"]


def test_ten_megabytes_without_a_space_are_one_term() -> None:
    text = "ab" * 5_000_000
    (row,) = count_terms(Scanner(Recipe()), [text])
    assert row == Counter([text])


def test_terms_that_differ_late_stay_apart() -> None:
    long = ["y" * 30 + letter for letter in "abc"]
    assert count_terms(SCANNERS["default"], [" ".join(long)]) == [Counter(long)]


@given(st.lists(texts, max_size=8))
def test_the_seed_of_the_hash_changes_nothing(batch: list[str]) -> None:
    before = vocabulary_module.SEED
    expected = SCANNERS["default"].chunk([("text", pa.array(batch, pa.large_string()))])
    try:
        import rubricate.kernels.chunks as chunks_module

        chunks_module.SEED = vocabulary_module.SEED = np.uint64(12345)
        chunk = Scanner(Recipe()).chunk([("text", pa.array(batch, pa.large_string()))])
    finally:
        chunks_module.SEED = vocabulary_module.SEED = before
    assert chunk.vocabulary.strings() == expected.vocabulary.strings()
    assert chunk.terms.tolist() == expected.terms.tolist()


@given(st.lists(st.text(min_size=1).filter(lambda word: "\x00" not in word and word.isprintable()), unique=True))
def test_terms_are_ordered_as_python_orders_strings(words: list[str]) -> None:
    terms = TermBytes.of(words)
    assert terms.take(terms.order()).strings() == sorted(words)


@pytest.mark.parametrize("number", [3, 64, 65, 500])
def test_many_terms_that_begin_alike_are_ordered_too(number: int) -> None:
    words = [f"international{n}" for n in range(number)]
    terms = TermBytes.of(words)
    assert terms.take(terms.order()).strings() == sorted(words)


@given(st.lists(st.lists(st.text(alphabet="abcé", min_size=1, max_size=30))))
def test_a_vocabulary_numbers_terms_as_they_come(batches: list[list[str]]) -> None:
    vocabulary, expected = Vocabulary(2), {}
    for batch in batches:
        numbers = vocabulary.add(TermBytes.of(batch))
        assert numbers.tolist() == [expected.setdefault(term, len(expected)) for term in batch]
    assert vocabulary.terms.strings() == list(expected)
    assert vocabulary.find(TermBytes.of(["no such term", *expected])).tolist() == [-1, *range(len(expected))]


def test_kernels_run_clean_with_bounds_checked(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked("""
import rubricate as rb, random
from strategies import RECIPES, ODD
draw = random.Random(0)
texts = ["".join(draw.choices(ODD, k=draw.randrange(60))) for _ in range(300)]
labels = [draw.sample(["a", "b", "c"], draw.randrange(3)) for _ in texts]
for name, recipe in RECIPES.items():
    table = rb.tabulate(texts, recipe, labels=labels, jobs=2)
    whole = rb.count(texts, recipe, labels=labels)
    assert table.counts == whole, name
    half = rb.count(texts[:150], recipe, labels=labels[:150])
    assert half + (whole - half) == whole, name
    for row in rb.models.COUNT_MODELS.values():
        assert row.kind().fit_counts(whole).class_scores(table.X).shape == (300, 3)
""")
