"""Choices inside the training set: out-of-fold scores, candidates that are stopped, learning curves, fields."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import models
from rubricate.candidates import Candidate, Selection, candidate, selection
from rubricate.deciding import rule
from rubricate.errors import BadChoice
from rubricate.given import documents_of
from rubricate.metrics import measure
from rubricate.trials import Data, chosen_terms, out_of_fold
from rubricate.tuning import choose
from rubricate.vectors import Weighting


@cache
def data(kind: str = "lists") -> Data:
    train, _ = rb.collections.load("enquiries")
    labels = [own[:1] for own in train.labels] if kind != "lists" else train.labels
    return Data.of(train.texts, labels, several=kind != "one", folds=4, seed=0, jobs=None)


def found(own: Candidate, kind: str) -> Any:
    *_, last = out_of_fold(data(kind), own)
    return last


@pytest.mark.parametrize("kind", ["lists", "lists of one", "one"])
@pytest.mark.parametrize("name", ["multinomial", "bernoulli", "rocchio", "widrow_hoff"])
def test_out_of_fold_scores_are_those_of_a_model_fitted_on_the_other_folds(name: str, kind: str) -> None:
    own, given = candidate(name), data(kind)
    table, inside = given.table(own.recipe), given.folds == 1
    counts = table.at(~inside).counts.pruned()
    columns = counts.positions(counts.terms)
    model: Any = own.made()
    X = table.X[:, [table.terms.index(term) for term in counts.terms]]
    if own.weighting is None:
        scores = model.fit_counts(counts, several_labels=given.several).class_scores(X[inside])
        if given.several:  # one cut is for long documents and short ones: scores are taken per word
            scores = scores / np.maximum(X[inside].sum(axis=1), 1)[:, None]
    else:
        weighting = Weighting.fitted(counts, own.weighting)
        scores = model.fit_scores(weighting.of(X[~inside]), given.truth[~inside]).class_scores(weighting.of(X[inside]))
    assert len(columns) == X.shape[1]
    np.testing.assert_allclose(found(own, kind).scores[inside], scores, rtol=1e-9, atol=1e-9)


def test_a_candidate_that_cannot_win_is_stopped_and_never_chosen() -> None:
    good = candidate("widrow_hoff")
    bad = candidate(models.Rocchio(beta=0.0, gamma=16.0, clip=False))
    trial, trials, left = choose(
        data(), [good, bad], by="microF1", rules=[rule("auto", several=True)], budget=1e9, seed=0
    )
    assert trial.candidate == good
    assert left == []
    assert "stopped after 2 of 4" in trials[1].note
    assert trials[1].worse
    assert trials[1].found.seen.sum() == (data().folds < 2).sum()
    again = choose(data(), [bad, good], by="microF1", rules=[rule("auto", several=True)], budget=1e9, seed=0)
    assert [one.note for one in again[1]] == ["", ""], "the first has nobody to fall behind"
    assert again[0].candidate == good


@pytest.mark.parametrize("name", ["microF1", "macroF1", "logloss", "brier", "AP", "F0.5"])
@pytest.mark.parametrize("kind", ["lists", "one"])
def test_choices_can_be_made_by_any_measure(name: str, kind: str) -> None:
    candidates = [candidate("multinomial"), candidate("rocchio")]
    own_rule = rule("auto", several=kind != "one")
    trial, trials, _ = choose(data(kind), candidates, by=name, rules=[own_rule], budget=1e9)
    values = [one.value for one in trials]
    best = max(values) if measure(name).higher_is_better else min(values)
    assert all(one.low <= one.value <= one.high for one in trials)
    assert trial.value == best or not trial.worse
    if name == "AP":
        assert best > 0.6
    if name == "logloss":
        assert best < (0.3 if kind == "lists" else 1.3)


def test_terms_of_so_many_documents() -> None:
    counts = data().table(rb.Recipe()).counts
    kept = chosen_terms(counts, selection("common:3"))
    assert (counts.documents_with[[-1]].toarray()[0][kept] >= 3).all()
    assert len(kept) == (counts.documents_with[[-1]].toarray()[0] >= 3).sum()
    assert str(Selection("common", 3)) == "common:3"


@pytest.mark.parametrize("name", ["multinomial", "rocchio"])
def test_a_learning_curve_rises_on_nested_parts_and_ends_with_everything(name: str) -> None:
    train, _ = rb.collections.load("enquiries")
    own = rb.TextClassifier(name, learning_curve=True).fit(train)
    curve = own.report_["learning_curve"]
    n = len(train.texts)
    assert curve["measure"] == "microF1"
    assert curve["sizes"] == sorted(curve["sizes"])
    assert curve["sizes"][-1] == pytest.approx(0.8 * n, abs=1)
    assert curve["values"][-1] > curve["values"][0]
    assert all(
        low <= value <= high for low, value, high in zip(curve["low"], curve["values"], curve["high"], strict=True)
    )
    again = rb.TextClassifier(name, learning_curve=True, jobs=1).fit(train)
    assert again.report_["learning_curve"] == curve
    assert rb.TextClassifier(name).fit(train).report_["learning_curve"] is None
    few = rb.TextClassifier(name, learning_curve=True).fit(["a b", "b c", "c d", "d a"] * 3, ["x", "y"] * 6)
    assert few.report_["learning_curve"] is None


def test_documents_of_several_fields() -> None:
    train, test = rb.collections.load("enquiries")
    rows = [document.fields for document in train.documents()]
    new = [document.fields for document in test.documents()]
    recipe = rb.Recipe(prefix_fields=True)
    own = rb.TextClassifier("complement", recipe=recipe).fit(rows, train.labels)
    same = rb.TextClassifier("complement", recipe=recipe).fit(train)
    assert own.predict(new) == same.predict(test)
    assert any(term.startswith("subject:") for term in own.terms_)
    columns = {name: [row[name] for row in new] for name in new[0]}
    assert own.predict(columns) == own.predict(new)
    before = own.decision_function(new)
    own.learn(new[:3], train.labels[:3]).forget(new[:3], train.labels[:3])
    np.testing.assert_array_equal(own.decision_function(new), before)
    assert own.explain(new[0])[0].terms


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
    with pytest.raises(BadChoice, match=match):
        documents_of(wrong)
