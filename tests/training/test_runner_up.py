"""The chosen candidate against the runner-up: who is tested, what the test says, and how it is told."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import significance
from rubricate.decisions.rules import parse_rule
from rubricate.evaluation import choice, choice_sentences, sentence
from rubricate.measures.metrics import measure
from rubricate.training.candidates import candidate
from rubricate.training.choice import FEWER, SHUFFLES, choose, rivals
from rubricate.training.training_set import TrainingSet
from rubricate.training.trial import Rival, Trial, comparable

NAMES = ("prtfidf", "rocchio", "widrow_hoff")


@cache
def data(kind: str = "several") -> TrainingSet:
    train, _ = rb.collections.load("enquiries")
    train = train.at(np.arange(0, len(train.labels), 4)).in_memory()
    labels = train.labels if kind == "several" else [own[:1] for own in train.labels]
    return TrainingSet.of(train.texts, labels, multilabel=kind == "several", folds=3, seed=0, jobs=None)


@cache
def trials(by: str = "microF1", kind: str = "several", names: tuple[str, ...] = NAMES) -> tuple[Trial, list[Trial]]:
    own_rule = parse_rule("auto", multilabel=kind == "several")
    chosen, tried, _ = choose(
        data(kind), [candidate(name) for name in names], by=measure(by), rule=own_rule, budget=1e9
    )
    return chosen, tried


def report_of(by: str, tried: list[Trial]) -> dict[str, Any]:
    """As a model file has it."""
    told: dict[str, Any] = json.loads(
        json.dumps({"measure": by, "tried": [one.as_dict() for one in tried]}, allow_nan=False)
    )
    return told


@pytest.mark.parametrize("by", ["microF1", "macroF1", "logloss", "subset"])
@pytest.mark.parametrize("kind", ["several", "one"])
def test_the_test_is_that_of_compare_on_answers_out_of_fold(by: str, kind: str) -> None:
    chosen, tried = trials(by, kind)
    tested = [trial for trial in tried if trial.rival is not None]
    assert tested
    for trial in tested:
        test: Any = trial.rival
        own, other, truth = comparable(
            data(kind), measure(by), chosen.out_of_fold.scored, chosen.decisions, trial.decisions
        )
        pair = significance.compare({"own": own, "other": other}, truth, measure=by, interval_draws=1).pairs[0]
        up = 1 if measure(by).higher_is_better else -1
        assert test.chosen == str(chosen.candidate)
        assert test.p == pair.test.p
        assert test.ahead == pytest.approx(up * (chosen.value - trial.value), abs=1e-12)
        assert test.low <= test.ahead <= test.high
        assert (test.shuffles, test.exact, test.apart) == (pair.test.draws, pair.test.exact, pair.test.n)
        assert test.documents == len(data(kind).labels)
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
    told = {"measure": "microF1", "chosen": row("a"), "rivals": [row("b") | {"against_chosen": same.as_dict()}]}
    assert [sentence(parts) for parts in choice_sentences(told)] == [
        "«a» and «b» do equally well in microF1: there is no difference to test."
    ]


def test_one_candidate_alone_and_those_that_were_stopped_have_no_test() -> None:
    _, tried = trials("microF1", "several", ("prtfidf",))
    assert tried[0].rival is None
    assert choice(report_of("microF1", tried)) is None
    assert "against_chosen" not in tried[0].as_dict()
    bad = candidate(rb.models.Rocchio(beta=0.0, gamma=16.0, clip=False))
    _, stopped, _ = choose(
        data(),
        [candidate("widrow_hoff"), bad],
        by=measure("microF1"),
        rule=parse_rule("auto", multilabel=True),
        budget=1e9,
    )
    assert "stopped" in stopped[1].note
    assert stopped[1].rival is None


def row(name: str) -> dict[str, Any]:
    return {"candidate": name, "value": 0.8, "low": 0.7, "high": 0.9}


def told(*tests: dict[str, Any]) -> list[str]:
    """What is said of tests that found this."""
    usual = {
        "chosen": "own", "ahead": 0.02, "low": 0.01, "high": 0.03, "p": 0.01, "adjusted": 0.01, "better": "chosen",
        "more_documents": 120.0,
    }  # fmt: skip
    rows = [row("own"), *(row(f"rival {n}") | {"against_chosen": usual | test} for n, test in enumerate(tests))]
    found = choice({"measure": "microF1", "tried": rows})
    assert found is not None
    return [sentence(parts) for parts in choice_sentences(found)]


def test_sentences_say_who_is_ahead_and_whether_that_may_be_chance() -> None:
    assert told({}) == [
        "«own» is ahead of «rival 0», the next best, by 0.0200 in microF1 (0.0100 to 0.0300 is likely), and that is more than "
        "chance (p = 0.0100)."
    ]
    doubtful = {"low": -0.01, "p": 0.3, "adjusted": 0.3, "better": None}
    assert told(doubtful)[0].endswith(
        "(−0.0100 to 0.0300 is likely), which may be chance (p = 0.3000): about 120 more documents would be needed to tell."
    )
    assert told(doubtful | {"more_documents": None})[0].endswith("which may be chance (p = 0.3000).")
    behind = {"ahead": -0.02, "low": -0.05, "high": 0.01, "p": 0.2, "adjusted": 0.2, "better": None}
    first, why = told(behind)
    assert first.startswith(
        "«rival 0» is ahead of «own» by 0.0200 in microF1 (−0.0100 to 0.0500 is likely), which may be"
    )
    assert why == "«own» was taken because it is simpler, and the best is not ahead of it beyond doubt."
    assert [one.split(" is ahead")[0] for one in told({}, behind)][::2] == ["«rival 1»", "«own»"]  # the best first


def test_where_test_and_interval_disagree_it_is_called_a_close_call() -> None:
    assert (
        "more than chance (p = 0.0100); the likely range still holds 0, so it is a close call."
        in told({"low": -0.001})[0]
    )
    assert "may still be chance (p = 0.0600)" in told({"adjusted": 0.06, "better": None})[0]
    assert "close call" in told({"adjusted": 0.06, "better": None})[0]


def test_reports_without_a_test_or_with_an_undefined_one_have_no_choice() -> None:
    assert choice({"measure": "microF1", "tried": []}) is None
    assert choice({"measure": "microF1", "tried": [row("a"), row("b")]}) is None
    undefined = row("b") | {
        "against_chosen": {"chosen": "a", "ahead": None, "low": None, "high": None, "adjusted": None}
    }
    assert choice({"measure": "microF1", "tried": [row("a"), undefined]}) is None


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
