"""`rb.predict` and `rb.evaluate`: the commands' way through a corpus, from Python."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import Run


@cache
def sample() -> tuple[Any, Any]:
    return rb.collections.load("enquiries")


@cache
def fitted(kind: str) -> rb.TextClassifier:
    train, _ = sample()
    texts, labels = train.texts[:300], train.labels[:300]
    return rb.TextClassifier("multinomial").fit(texts, [row[0] for row in labels] if kind == "one" else labels)


@pytest.mark.parametrize("kind", ["one", "lists"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_predictions_of_a_stream_are_those_of_predict(kind: str, jobs: int) -> None:
    model, texts = fitted(kind), [*sample()[1].texts[:60], "", "qqqq zzzz"]
    predictions = list(rb.predict(model, texts, jobs=jobs))
    expected = model.predict(texts)
    assert [prediction.labels for prediction in predictions] == [row if kind == "lists" else [row] for row in expected]
    p = model.predict_proba(texts)
    labels = model.classes_.tolist()
    np.testing.assert_array_equal([[each.probabilities[label] for label in labels] for each in predictions], p)
    for prediction in predictions:
        values = list(prediction.probabilities.values())
        assert values == sorted(values, reverse=True)
    assert [prediction.unknown for prediction in predictions[-2:]] == [True, True]
    assert [prediction.id for prediction in predictions[:2]] == ["row-1", "row-2"]


def test_predictions_are_made_as_documents_come(tmp_path: Path) -> None:
    model = fitted("lists")
    stream = rb.predict(model, rb.Corpus.from_texts(["where is my card"] * 5000))
    assert next(stream).id == "row-1"
    model.save(tmp_path / "m.rub")
    assert next(rb.predict(tmp_path / "m.rub", ["where is my card"])) == next(rb.predict(model, ["where is my card"]))


def test_an_evaluation_is_that_of_the_command_and_makes_the_same_page(tmp_path: Path, run: Run) -> None:
    model, test = fitted("lists"), sample()[1]
    file, data = tmp_path / "m.rub", tmp_path / "test.jsonl"
    model.save(file)
    rows = zip(test.ids[:80], test.texts[:80], test.labels[:80], strict=True)
    data.write_text("".join(json.dumps({"id": i, "text": t, "labels": list(y)}) + "\n" for i, t, y in rows), "utf-8")
    result = rb.evaluate(file, rb.read(data))
    told = json.loads(run("evaluate", file, data, "--json", "--report", tmp_path / "command.html").out)
    assert told["overall"] == json.loads(json.dumps(result.as_dict()))["overall"]
    result.to_html(tmp_path / "python.html", title="m.rub on test.jsonl")
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    texts_and_labels = rb.evaluate(model, list(test.texts[:80]), list(test.labels[:80]))
    assert texts_and_labels.as_dict()["overall"] == result.as_dict()["overall"]
    assert result.sentences() == result.evaluation.sentences()
