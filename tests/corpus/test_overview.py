"""A first look at a collection: by the plain definition and by compiled loops the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rubricate as rb
from rubricate.corpus.overview import length_summary, overview
from rubricate.counts.overview import overview as overview_by_kernels
from rubricate.errors import UnknownName

ROWS = [
    {"title": "Corn, corn", "body": "wheat – 1,250.75 tonnes", "label": ["grain", "trade"]},
    {"title": "Corn, corn", "body": "wheat – 1,250.75 tonnes", "label": ["grain"]},
    {"title": "Grüße\u0301 漢字漢", "body": "STRASSE the of", "label": "Grain"},
    {"title": "", "body": "...", "label": []},
    {"title": "Corn, corn", "body": "wheat – 1,250.75 tonnes", "label": ["trade", "grain"]},
]


@pytest.mark.parametrize(
    "recipe", ["", "pairs", "lewis", "stop=english,stem=english,min_length=2", "fields=body", "prefix_fields"]
)
def test_a_small_corpus_is_counted_as_a_large_one(recipe: str, tmp_path: Path) -> None:
    file = tmp_path / "news.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in [*ROWS, {"title": 7}]), "utf-8")
    corpora = [rb.read(file, text=["title", "body"], labels="label", keep_going=True) for _ in range(2)]
    few = overview(corpora[0], rb.Recipe.parse(recipe))
    assert few.to_dict() == overview_by_kernels(corpora[1], rb.Recipe.parse(recipe)).to_dict()
    assert (few.documents, few.repeated, few.conflicting) == (5, 2, 1)
    assert few.lengths["empty"] == 1
    assert few.notes == ["labels that differ only in case or spacing are kept apart: 'Grain', 'grain'"]


def test_a_field_that_is_not_there_is_told_even_where_there_are_no_documents() -> None:
    with pytest.raises(UnknownName, match="title"):
        overview(rb.Corpus.from_texts([]), rb.Recipe(fields=("title",)))


def test_the_median_of_an_even_number_of_lengths_is_the_lower() -> None:
    assert length_summary({3: 1, 0: 2, 9: 1}) == {"min": 0, "median": 0, "mean": 3.0, "max": 9, "empty": 2}
    assert length_summary({2: 1, 4: 2})["median"] == 4
    assert length_summary({}) == {"min": 0, "median": 0, "mean": 0.0, "max": 0, "empty": 0}
