"""What people hand in, and that it is read once a recipe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.errors import InputError, InvalidSetting
from rubricate.training.label_sets import read_labels
from rubricate.training.text_classifier import TextClassifier
from rubricate.training.training_set import documents_of


def test_documents_of_several_fields() -> None:
    train, test = rb.collections.load("enquiries")
    rows = [document.fields for document in train.documents()]
    new = [document.fields for document in test.documents()]
    recipe = rb.Recipe(prefix_fields=True)
    model = rb.TextClassifier("complement", recipe=recipe).fit(rows, train.labels)
    same = rb.TextClassifier("complement", recipe=recipe).fit(train)
    assert model.predict(new) == same.predict(test)
    assert any(term.startswith("subject:") for term in model.terms_)
    columns = {name: [row[name] for row in new] for name in new[0]}
    assert model.predict(columns) == model.predict(new)
    before = model.decision_function(new)
    model.learn(new[:3], train.labels[:3]).forget(new[:3], train.labels[:3])
    np.testing.assert_array_equal(model.decision_function(new), before)
    assert model.explain(new[0])[0].terms


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ("one text", "single string"),
        ([{"a": "x"}, {"b": "y"}], "same fields"),
        ([{"a": "x"}, {"a": None}], "document 1, field 'a'"),
        ({"a": ["x"], "b": []}, "different lengths"),
    ],
)
def test_documents_that_make_no_sense_are_refused(wrong: Any, match: str) -> None:
    with pytest.raises(InvalidSetting, match=match):
        documents_of(wrong)


def test_texts_and_labels_must_match() -> None:
    with pytest.raises(ValueError, match="give one label"):
        TextClassifier().fit(["a", "b"], ["x"])
    with pytest.raises(ValueError, match="y is None"):
        TextClassifier().fit(["a", "b"])
    with pytest.raises(ValueError, match="no document"):
        TextClassifier().fit([], [])
    with pytest.raises(InvalidSetting, match="no label"):
        TextClassifier().fit(["a", "b"], [[], []])
    with pytest.raises(InvalidSetting, match="shape"):
        read_labels(np.array([[["a"]]]))


@pytest.mark.parametrize("model", ["auto", "multinomial", "support_vector"])
def test_documents_without_words_are_told_before_anything_is_tried(model: str) -> None:
    with pytest.raises(InputError, match="no document has a word to learn from"):
        TextClassifier(model).fit(["", " ", "..."] * 4, ["a", "b", "a"] * 4)


@pytest.mark.parametrize(("model", "recipes"), [("multinomial", 1), ("auto", 2)])
def test_a_corpus_is_read_once_a_recipe(model: str, recipes: int) -> None:
    train, test = rb.collections.load("enquiries")
    texts, labels, new = train.texts[:400], train.labels[:400], test.texts[:20]
    whole, readings = rb.Corpus.from_texts(texts, labels), []

    def source(tally: Any) -> Any:
        readings.append(1)
        for batch in whole:
            tally.keep(batch.num_rows)
            yield batch

    corpus = rb.Corpus(source, columns=whole.columns, name="counted")
    fitted_on_corpus = TextClassifier(model).fit(corpus)
    assert len(readings) == recipes  # `auto` has two: with bigrams and without
    assert fitted_on_corpus.predict(new) == TextClassifier(model).fit(texts, labels).predict(new)
    readings.clear()
    fitted_on_corpus.learn(corpus)
    assert len(readings) == 1
