"""Trials: how good a candidate is with fewer documents."""

from __future__ import annotations

import pytest

import rubricate as rb


@pytest.mark.parametrize("name", ["multinomial", "rocchio"])
def test_a_learning_curve_rises_on_nested_parts_and_ends_with_everything(name: str) -> None:
    train, _ = rb.collections.load("enquiries")
    model = rb.TextClassifier(name, learning_curve=True).fit(train)
    curve = model.report_["learning_curve"]
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
