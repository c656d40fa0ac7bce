"""What a model remembers, updated: other texts under known ids, old files without digests, and updates that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.corpus import Corpus
from rubricate.errors import InputError
from rubricate.training.text_classifier import TextClassifier

TEXTS = [f"{text} number{n}" for n, text in enumerate(["wheat corn", "corn rises", "crude oil", "oil of opec"] * 5)]
NAMES = ["grain", "grain", "oil", "oil"] * 5
NEW = ["rye and oats", "barley exports", "gas and oil"]
NEW_NAMES = ["grain", "grain", "oil"]
BOTH = pytest.mark.parametrize("model", ["multinomial", "least_squares"])


def fitted(model: str) -> TextClassifier:
    return TextClassifier(model).fit(TEXTS, NAMES)


def with_ids(texts: list[str], names: list[str], ids: list[str]) -> Corpus:
    return Corpus.from_texts(texts, names, ids)


def statistics(model: TextClassifier) -> Any:
    return model._statistics()


OLD = sorted((Path(__file__).parents[1] / "fixtures" / "workbench_format_1").glob("*.rub"))


@pytest.mark.parametrize("path", OLD, ids=[path.stem for path in OLD])
def test_files_without_digests_go_on_as_before_and_say_so(path: Path) -> None:
    own = rb.load(path)
    label = own.classes_[0] if own._given_kind == "one" else [str(own.classes_[0])]
    for _ in range(2):
        own.learn(["corn and rye"], [label])
        assert own.last_change_ == {"learned": 1, "known": 0, "corrected": 0, "forgotten": 0, "checked": False}
    assert "could not be checked" in own.report_["changes"][-1]
    own.forget(["corn and rye"] * 2, [label] * 2)
    assert not own.last_change_["checked"]


def test_an_update_that_cannot_be_fitted_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in ("multinomial", "least_squares"):
        own = fitted(model)
        before, report = statistics(own), own.report_

        def fails(self: Any) -> None:
            raise MemoryError

        with monkeypatch.context() as patched:
            patched.setattr(TextClassifier, "_refit", fails)
            with pytest.raises(MemoryError):
                own.learn(NEW, NEW_NAMES)
        assert (statistics(own), own.report_) == (before, report)
        assert own.learn(NEW, NEW_NAMES).last_change_["learned"] == 3


@pytest.mark.parametrize("labels", [["grain", "ship"], []])
def test_a_model_of_one_label_a_document_learns_no_document_with_none_or_two(labels: list[str]) -> None:
    texts, y = (
        ["corn wheat", "rye corn", "ship port", "port dock", "corn rye", "ship dock"],
        ["grain", "grain", "ship"] * 2,
    )
    model = rb.TextClassifier("multinomial").fit(texts, y)
    with pytest.raises(InputError, match="document 2"):
        model.learn(["wheat", "corn in port"], [["grain"], labels])
    assert model.report_["documents"] == len(texts)


def test_another_text_under_a_known_id_replaces_a_document_and_is_refused_where_only_counts_are_kept() -> None:
    first, second = with_ids(["rye and oats"], ["grain"], ["a"]), with_ids(["crude oil tanker"], ["oil"], ["a"])
    own = fitted("least_squares").learn(first).learn(second)
    assert own.last_change_["corrected"] == 1
    assert statistics(own) == rb.count([*TEXTS, "crude oil tanker"], labels=[*NAMES, "oil"])
    counts = fitted("multinomial").learn(first)
    before, scores = statistics(counts), counts.decision_function(NEW)
    with pytest.raises(InputError, match=r"document 1 \(id 'a'\): another text was learned.*forget the old text first"):
        counts.learn(second)
    assert statistics(counts) == before
    np.testing.assert_array_equal(counts.decision_function(NEW), scores)
    counts.forget(first).learn(second)
    assert statistics(counts) == statistics(own)
