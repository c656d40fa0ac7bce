"""Choices inside the training set: out-of-fold scores, candidates that are stopped, learning curves, fields."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import models
from rubricate.decisions.rules import parse_rule
from rubricate.errors import InvalidSetting
from rubricate.measures.metrics import measure
from rubricate.models.vectors import Weighting
from rubricate.training.candidates import (
    EXPECTED,
    Candidate,
    Selection,
    candidate,
    cost,
    expected_winner,
    selection,
    shortlist,
)
from rubricate.training.choice import AT_ONCE, affordable, choose
from rubricate.training.out_of_fold import out_of_fold, selected_terms
from rubricate.training.training_set import TrainingSet, documents_of

WHICH_MODEL = Path(__file__).parents[2] / "benchmarks" / "which_model.jsonl"


@cache
def data(kind: str = "lists") -> TrainingSet:
    train, _ = rb.collections.load("enquiries")
    labels = [own[:1] for own in train.labels] if kind != "lists" else train.labels
    return TrainingSet.of(train.texts, labels, multilabel=kind != "one", folds=4, seed=0, jobs=None)


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
        scores = model.fit_counts(counts, several_labels=given.multilabel).class_scores(X[inside])
        if given.multilabel:  # one cut is for long documents and short ones: scores are taken per word
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
        data(), [good, bad], by=measure("microF1"), rule=parse_rule("auto", multilabel=True), budget=1e9
    )
    assert trial.candidate == good
    assert left == []
    assert "stopped after 2 of 4" in trials[1].note
    assert trials[1].worse
    assert trials[1].out_of_fold.scored.sum() == (data().folds < 2).sum()
    again = choose(data(), [bad, good], by=measure("microF1"), rule=parse_rule("auto", multilabel=True), budget=1e9)
    assert ["stopped" in one.note for one in again[1]] == [True, False], (
        "who is expected to win has nobody to fall behind"
    )
    assert again[0].candidate == good
    alone = choose(data(), [bad], by=measure("microF1"), rule=parse_rule("auto", multilabel=True), budget=1e9)
    assert [one.note for one in alone[1]] == [""]


# -- the budget


def sizes_of(documents: int, words: int, labels: int) -> Any:
    """Training data of these sizes, as far as the budget looks at it."""
    table = SimpleNamespace(X=SimpleNamespace(nnz=documents * words))
    names = [f"label {n}" for n in range(labels)]
    return SimpleNamespace(
        table=lambda recipe: table, labels=[["label 0"]] * documents, names=names, multilabel=False, n_folds=5
    )


@pytest.mark.parametrize("budget", [0.0, 1e-9, 1.0, 60.0, 3600.0, 1e9])
@pytest.mark.parametrize("documents", [100, 44_000, 2_000_000])
@pytest.mark.parametrize(("words", "labels"), [(8, 58), (30, 58), (150, 20), (100, 2000)])
def test_the_expected_winner_and_the_simplest_are_tried_whatever_the_budget(
    budget: float, documents: int, words: int, labels: int
) -> None:
    candidates = shortlist()
    inside, left = affordable(sizes_of(documents, words, labels), candidates, budget)
    assert [str(own) for own in candidates if own in inside] == [str(own) for own in inside], "in their order"
    assert expected_winner(candidates) in inside
    assert candidates[0] in inside
    assert [own for own in candidates if own not in inside] == left, "what is left out is told"
    seconds = {
        own: cost(own, documents=documents, entries=documents * words, labels=labels, several=False, folds=5)
        for own in candidates
    }
    winner = seconds[expected_winner(candidates)]
    others = sum(seconds[own] for own in inside if own not in (candidates[0], expected_winner(candidates)))
    assert others <= max(AT_ONCE * budget - winner, winner / 5)
    if budget == 1e9:
        assert left == []


def test_the_linear_svm_is_tried_on_44_000_short_texts_in_58_classes() -> None:
    inside, left = affordable(sizes_of(44_000, 35, 58), shortlist(), 60.0)
    assert "support_vector" in {own.model for own in inside}
    assert "least_squares" in {own.model for own in left}, "it costs as much, and is rarely better"
    assert {"multinomial", "complement", "prtfidf", "bernoulli", "widrow_hoff"} <= {own.model for own in inside}


def test_a_larger_budget_leaves_no_more_out() -> None:
    given = sizes_of(20_000, 100, 40)
    sizes = [len(affordable(given, shortlist(), budget)[0]) for budget in (0, 1, 10, 100, 1000, 10_000)]
    assert sizes == sorted(sizes)
    assert sizes[-1] == len(shortlist())


def test_the_expected_winner_is_the_best_of_the_measured_models() -> None:
    rows = [json.loads(line) for line in WHICH_MODEL.read_text("utf-8").splitlines()]
    whole = {(row["collection"], row["model"]): row for row in rows if row["set"] == "whole"}
    ranks: dict[str, list[int]] = {}
    for collection in {name for name, _ in whole}:
        figures = {
            model: row.get("accuracy", row.get("microF1"))
            for (name, model), row in whole.items()
            if name == collection and model in EXPECTED
        }
        for n, model in enumerate(sorted(figures, key=lambda own: -figures[own])):
            ranks.setdefault(model, []).append(n)
    assert min(ranks, key=lambda model: sum(ranks[model]) / len(ranks[model])) == EXPECTED[0]


def test_the_expected_winner_is_tried_first_and_all_are_told_in_their_order() -> None:
    seen: list[str] = []
    candidates = [candidate("multinomial"), candidate("rocchio"), candidate("support_vector")]
    _, trials, _ = choose(
        data(),
        candidates,
        by=measure("microF1"),
        rule=parse_rule("auto", multilabel=True),
        budget=1e9,
        progress=lambda trial: seen.append(trial.candidate.model),
    )
    assert seen == ["support_vector", "multinomial", "rocchio"]
    assert [trial.candidate for trial in trials] == candidates


def test_the_same_data_seed_and_budget_give_the_same_choice() -> None:
    train, _ = rb.collections.load("enquiries")
    first, again = (rb.TextClassifier(budget=0.3).fit(train.texts, train.labels).report_ for _ in range(2))
    assert first["tried"] == again["tried"]
    assert first["left_out"] == again["left_out"]
    assert first["chosen"] == again["chosen"]


@pytest.mark.parametrize("name", ["microF1", "macroF1", "logloss", "brier", "AP", "F0.5"])
@pytest.mark.parametrize("kind", ["lists", "one"])
def test_choices_can_be_made_by_any_measure(name: str, kind: str) -> None:
    candidates = [candidate("multinomial"), candidate("rocchio")]
    own_rule = parse_rule("auto", multilabel=kind != "one")
    trial, trials, _ = choose(data(kind), candidates, by=measure(name), rule=own_rule, budget=1e9)
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
    kept = selected_terms(counts, selection("common:3"))
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
    with pytest.raises(InvalidSetting, match=match):
        documents_of(wrong)
