"""Rules to decide by: what each promises, one label a document or several, and that files keep them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import metrics
from rubricate.decisions.rules import RULES, Rule, parse_rule
from rubricate.decisions.thresholds import pcut_counts
from rubricate.errors import InvalidSetting, UnknownName

SEVERAL = ["scut", "precision:0.9", "recall:0.8", "half", "top", "top:2", "pcut", "density", "own"]


@cache
def sample() -> tuple[Any, Any]:
    train, _ = rb.collections.load("enquiries")
    return train.split(test=0.4, seed=3)


@cache
def fitted(how: str, *, several: bool = True) -> rb.TextClassifier:
    train, _ = sample()
    labels = train.labels if several else [own[0] for own in train.labels]
    return rb.TextClassifier("multinomial", decide=how).fit(train.texts, labels)


@cache
def judged(how: str) -> tuple[np.ndarray, np.ndarray]:
    _, test = sample()
    names = fitted(how).classes_.tolist()
    found = fitted(how).predict(test.texts)
    return metrics.indicator(found, names).toarray(), metrics.indicator(test.labels, names).toarray()


def test_every_rule_has_a_test() -> None:
    assert {how.partition(":")[0] for how in SEVERAL} == set(RULES)


@pytest.mark.parametrize("how", SEVERAL)
def test_each_rule_decides_better_than_chance_and_comes_back_from_a_file(how: str, tmp_path: Path) -> None:
    _, test = sample()
    decisions, truth = judged(how)
    shuffled = np.random.default_rng(0).permutation(truth)
    f1 = metrics.measure("microF1")
    assert f1(decisions, truth) > f1(shuffled, truth) + 0.2
    assert fitted(how).report_["decide"] == how
    fitted(how).save(tmp_path / "m.rub")
    back = rb.load(tmp_path / "m.rub")
    assert back.predict(test.texts) == fitted(how).predict(test.texts)
    np.testing.assert_array_equal(back.predict_proba(test.texts), fitted(how).predict_proba(test.texts))
    assert back.explain(test.texts[0]) == fitted(how).explain(test.texts[0])


def test_a_precision_and_a_recall_are_kept_on_documents_kept_apart() -> None:
    for how, measure, least in (("precision:0.9", "microP", 0.85), ("recall:0.8", "microR", 0.75)):
        decisions, truth = judged(how)
        assert metrics.measure(measure)(decisions, truth) > least


def test_the_best_k_are_k_and_shares_of_a_batch_are_those_of_training() -> None:
    assert (judged("top")[0].sum(axis=1) == 1).all()
    assert (judged("top:2")[0].sum(axis=1) == 2).all()
    train, test = sample()
    shares = metrics.indicator(train.labels, fitted("pcut").classes_.tolist()).toarray().mean(axis=0)
    assert (judged("pcut")[0].sum(axis=0) == pcut_counts(len(test.texts), shares)).all()
    with pytest.raises(InvalidSetting, match="batch"):
        fitted("pcut").predict(test.texts[:1])


def test_density_gives_its_probabilities_and_names_the_documents_behind_them() -> None:
    train, test = sample()
    own = fitted("density")
    p = own.predict_proba(test.texts)
    assert (p > 0.5).astype(int).tolist() == judged("density")[0].tolist()
    reason = own.explain(test.texts[0])[0]
    weights = [weight for _, weight in reason.neighbours]
    assert weights == sorted(weights, reverse=True)
    assert 0 < sum(weights) <= 1 + 1e-12
    assert {one for one, _ in reason.neighbours} <= {f"row-{n + 1}" for n in range(len(train.texts))}
    assert own.report_["calibration"] == "density"
    assert fitted("scut").explain(test.texts[0])[0].neighbours == []


@pytest.mark.parametrize("how", ["top", "density", "own"])
def test_where_documents_have_one_label_they_get_one(how: str) -> None:
    _, test = sample()
    own = fitted(how, several=False)
    found = own.predict(test.texts)
    assert np.mean([one in labels for one, labels in zip(found, test.labels, strict=True)]) > 0.5
    np.testing.assert_allclose(own.predict_proba(test.texts).sum(axis=1), 1.0)
    if how != "own":
        assert (own.classes_[own.predict_proba(test.texts).argmax(axis=1)] == found).all()


def test_rules_that_make_no_sense_are_refused() -> None:
    assert parse_rule("auto", multilabel=True) == Rule("scut")
    assert parse_rule("auto", multilabel=False) == Rule("top")
    assert str(parse_rule("top:3", multilabel=True)) == "top:3"
    for wrong in ("precision", "precision:2", "recall:x", "top:0", "top:x", "density:4", "scut:1"):
        with pytest.raises(InvalidSetting, match="decide="):
            parse_rule(wrong, multilabel=True)
    for wrong in ("scut", "pcut", "top:2", "half", "precision:0.9"):
        with pytest.raises(InvalidSetting, match="one each"):
            parse_rule(wrong, multilabel=False)
    with pytest.raises(UnknownName, match="scut"):
        parse_rule("coin", multilabel=True)
    with pytest.raises(InvalidSetting, match="no rule of its own"):
        rb.TextClassifier("rocchio", decide="own").fit(["a b", "b c", "c d", "d a"] * 3, [["x"], ["y"]] * 6)
