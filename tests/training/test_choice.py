"""Choices inside the training set: out-of-fold scores, candidates that are stopped, learning curves, fields."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import models, significance
from rubricate.decisions.rules import parse_rule
from rubricate.measures.metrics import measure
from rubricate.training.candidates import (
    candidate,
    cost,
    expected_winner,
    shortlist,
)
from rubricate.training.choice import AT_ONCE, FEWER, SHUFFLES, affordable, choose, rivals
from rubricate.training.training_set import TrainingSet
from rubricate.training.trial import Rival, Trial, comparable


@cache
def data() -> TrainingSet:
    train, _ = rb.collections.load("enquiries")
    return TrainingSet.of(train.texts, train.labels, multilabel=True, folds=4, seed=0, jobs=None)


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
    assert ["stopped" in trial.note for trial in again[1]] == [True, False], (
        "who is expected to win has nobody to fall behind"
    )
    assert again[0].candidate == good
    alone = choose(data(), [bad], by=measure("microF1"), rule=parse_rule("auto", multilabel=True), budget=1e9)
    assert [trial.note for trial in alone[1]] == [""]


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
@pytest.mark.parametrize("kind", ["several", "one"])
def test_choices_can_be_made_by_any_measure(name: str, kind: str) -> None:
    candidates = [candidate("multinomial"), candidate("rocchio")]
    rule = parse_rule("auto", multilabel=kind != "one")
    trial, trials, _ = choose(quarter(kind), candidates, by=measure(name), rule=rule, budget=1e9)
    values = [one.value for one in trials]
    best = max(values) if measure(name).higher_is_better else min(values)
    assert all(one.low <= one.value <= one.high for one in trials)
    assert trial.value == best or not trial.worse
    if name == "AP":
        assert best > 0.6
    if name == "logloss":
        assert best < (0.3 if kind == "several" else 1.3)


# -- the runner-up

NAMES = ("prtfidf", "rocchio", "widrow_hoff")


@cache
def quarter(kind: str = "several") -> TrainingSet:
    train, _ = rb.collections.load("enquiries")
    train = train.at(np.arange(0, len(train.labels), 4)).in_memory()
    labels = train.labels if kind == "several" else [names[:1] for names in train.labels]
    return TrainingSet.of(train.texts, labels, multilabel=kind == "several", folds=3, seed=0, jobs=None)


@cache
def trials(by: str = "microF1", kind: str = "several", names: tuple[str, ...] = NAMES) -> tuple[Trial, list[Trial]]:
    rule = parse_rule("auto", multilabel=kind == "several")
    chosen, tried, _ = choose(quarter(kind), [candidate(name) for name in names], by=measure(by), rule=rule, budget=1e9)
    return chosen, tried


@pytest.mark.parametrize("by", ["microF1", "macroF1", "logloss", "subset"])
@pytest.mark.parametrize("kind", ["several", "one"])
def test_the_test_is_that_of_compare_on_answers_out_of_fold(by: str, kind: str) -> None:
    chosen, tried = trials(by, kind)
    tested = [trial for trial in tried if trial.rival is not None]
    assert tested
    for trial in tested:
        test: Any = trial.rival
        own, other, truth = comparable(
            quarter(kind), measure(by), chosen.out_of_fold.scored, chosen.decisions, trial.decisions
        )
        pair = significance.compare({"own": own, "other": other}, truth, measure=by, interval_draws=1).pairs[0]
        up = 1 if measure(by).higher_is_better else -1
        assert test.chosen == str(chosen.candidate)
        assert test.p == pair.test.p
        assert test.ahead == pytest.approx(up * (chosen.value - trial.value), abs=1e-12)
        assert test.low <= test.ahead <= test.high
        assert (test.shuffles, test.exact, test.apart) == (pair.test.draws, pair.test.exact, pair.test.n)
        assert test.documents == len(quarter(kind).labels)
        if pair.sign is not None:
            assert (test.wins, test.losses) == (pair.sign.wins, pair.sign.losses)
        assert test.swapped == "documents"


@pytest.mark.parametrize("by", ["microF1", "logloss"])
def test_the_best_of_the_others_is_tested_and_the_next_too_if_a_simpler_one_was_chosen(by: str) -> None:
    up = 1 if measure(by).higher_is_better else -1
    for names in (NAMES, NAMES[::-1], ("least_squares", "widrow_hoff", "support_vector")):
        chosen, tried = trials(by, "several", names)
        others = sorted((one for one in tried if one is not chosen and not one.note), key=lambda one: -up * one.value)
        best = chosen.difference is None
        assert [one.rival is not None for one in others] == [n < (1 if best else 2) for n in range(len(others))]
        assert chosen.rival is None
        assert next(one for one in tried if not one.worse) is chosen


def test_two_rivals_are_corrected_for_two_tests() -> None:
    draw = np.random.default_rng(0)
    truth = draw.random((200, 3)) < 0.4
    own, one, other = (np.where(draw.random(truth.shape) < share, ~truth, truth) for share in (0.1, 0.13, 0.15))
    both = rivals("x", own, [one, other], truth, by=measure("microF1"), draws=50)
    alone = rivals("x", own, [one], truth, by=measure("microF1"), draws=50)[0]
    assert both[0].p == alone.p == alone.adjusted
    np.testing.assert_allclose(
        [test.adjusted for test in both], significance.holm([test.p for test in both]), atol=1e-15
    )


def test_what_is_surely_better_is_told_so_whichever_way_the_measure_runs() -> None:
    draw = np.random.default_rng(0)
    truth = draw.random((200, 3)) < 0.4
    near, far = (np.clip(truth + draw.normal(0, noise, truth.shape), 0, 1) for noise in (0.1, 0.6))
    for by, own, other in (("logloss", near, far), ("microF1", near > 0.5, far > 0.5)):
        ahead = rivals("x", own, [other], truth, by=measure(by), draws=100)[0]
        behind = rivals("x", other, [own], truth, by=measure(by), draws=100)[0]
        assert ahead.better == "chosen"
        assert behind.better == "other"
        assert ahead.p == behind.p < 0.001
        assert ahead.low > 0
        np.testing.assert_allclose(
            [ahead.ahead, ahead.low, ahead.high], [-behind.ahead, -behind.high, -behind.low], atol=1e-12
        )


def test_of_rankings_the_values_of_labels_are_swapped() -> None:
    draw = np.random.default_rng(0)
    truth = draw.random((60, 5)) < 0.4
    own, other = (truth + draw.normal(0, noise, truth.shape) for noise in (0.3, 0.9))
    test = rivals("x", own, [other], truth, by=measure("AP"), draws=20)[0]
    values = [measure("AP").per_label(scores, truth) for scores in (own, other)]
    alone = significance.randomisation_of_pairs(*values)
    assert (test.swapped, test.exact, test.shuffles, test.apart) == ("labels", True, 2**5, 5)
    assert (test.p, test.ahead) == (alone.p, pytest.approx(alone.statistic))
    assert np.isnan(test.more_documents)
    assert test.as_dict()["more_documents"] is None


def test_measures_that_cost_a_call_a_shuffle_are_shuffled_less_and_joint_rankings_not_at_all() -> None:
    draw = np.random.default_rng(0)
    truth = draw.random((40, 2)) < 0.4
    own, other = (np.clip(truth + draw.normal(0, noise, truth.shape), 0, 1) for noise in (0.2, 0.4))
    assert rivals("x", own, [other], truth, by=measure("ECE"), draws=20)[0].shuffles == FEWER
    assert rivals("x", own, [other], truth, by=measure("brier"), draws=20)[0].shuffles == SHUFFLES
    assert rivals("x", own, [other], truth, by=measure("pooledBEP"), draws=20) == []


def test_answers_that_are_the_same_have_no_difference_to_test() -> None:
    truth = np.eye(4, dtype=int)
    same = rivals("x", truth, [truth], truth, by=measure("microF1"), draws=20)[0]
    assert (same.ahead, same.p, same.better, same.apart) == (0.0, 1.0, None, 0)
    assert same.as_dict()["more_documents"] is None


def test_one_candidate_alone_and_those_that_were_stopped_have_no_test() -> None:
    _, tried = trials("microF1", "several", ("prtfidf",))
    assert tried[0].rival is None
    assert "against_chosen" not in tried[0].as_dict()
    bad = candidate(rb.models.Rocchio(beta=0.0, gamma=16.0, clip=False))
    _, stopped, _ = choose(
        quarter(),
        [candidate("widrow_hoff"), bad],
        by=measure("microF1"),
        rule=parse_rule("auto", multilabel=True),
        budget=1e9,
    )
    assert "stopped" in stopped[1].note
    assert stopped[1].rival is None


def test_a_model_keeps_its_test_in_the_file_whatever_the_number_of_threads(tmp_path: Any) -> None:
    train, _ = rb.collections.load("enquiries")
    some = train.at(np.arange(0, len(train.labels), 4)).in_memory()
    own = rb.TextClassifier(folds=3).fit(some)
    held = [one["against_chosen"] for one in own.report_["tried"] if "against_chosen" in one]
    assert held
    assert set(held[0]) == set(Rival.__dataclass_fields__)
    own.save(tmp_path / "m.rub")
    assert rb.load(tmp_path / "m.rub").report_ == own.report_
    assert rb.TextClassifier(folds=3, jobs=1).fit(some).report_ == own.report_
