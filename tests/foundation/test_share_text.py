"""Shares in words say no more than the data: all only where it is all, none only where it is none."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubricate import report
from rubricate.evaluation import Evaluation, evaluate
from rubricate.foundation.share_text import at_least, at_most, decimals, of_100, p_value, per_cent
from rubricate.relevance.screening.stopping import RemainingEstimate, by_sample

shares = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.004, 0.005, 0.995, 0.996, 0.9999, 1e-9, 1 - 1e-9]))


@given(st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(0, 4))
def test_all_is_said_only_of_all_and_none_only_of_none(of: tuple[int, int], digits: int) -> None:
    right, n = of
    value = right / n
    assert (of_100(value) == "100") == (right == n)
    assert (of_100(value) == "0") == (right == 0)
    for text, whole in ((per_cent(value, digits), 100), (decimals(value, digits), 1)):
        number = float(text.removeprefix("over ").removeprefix("under "))
        assert (number == whole) == (right == n)
        assert (number == 0) == (right == 0)
        assert abs(number - whole * value) <= 0.5001 * 10.0**-digits


@given(shares, st.integers(0, 3))
def test_what_is_promised_is_rounded_down(value: float, digits: int) -> None:
    assert at_least(value, digits) <= value + 1e-8
    assert at_most(value, digits) >= value - 1e-8


def test_shares_are_told_as_people_say_them() -> None:
    assert [of_100(value) for value in (0, 0.001, 0.05, 0.914, 0.996, 1)] == [
        "0", "fewer than 1", "5", "91", "more than 99", "100",
    ]  # fmt: skip
    assert [per_cent(value) for value in (0, 0.0004, 0.914, 0.996, 0.99996, 1)] == [
        "0",
        "0.04",
        "91",
        "99.6",
        "99.996",
        "100",
    ]
    assert [decimals(value) for value in (0, 0.00004, 0.9141, 0.99996, 1, 1.5, None)] == [
        "0.000", "0.00004", "0.914", "0.99996", "1.000", "1.500", "–",
    ]  # fmt: skip
    assert per_cent(1 - 1e-11) == "over 99.999999"
    assert [p_value(p) for p in (0.0312, 0.0001, 1e-9)] == ["p = 0.0312", "p = 0.0001", "p < 0.0001"]


def nearly_all(n: int, wrong: int, *, several: bool) -> Evaluation:
    """Documents of two labels, all right but so many."""
    truth = np.eye(2, dtype=int)[np.arange(n) % 2]
    decisions = truth.copy()
    decisions[:wrong] = 1 - decisions[:wrong]
    p = np.where(decisions == 1, 0.9997, 0.0003)
    given_: dict[str, Any] = {"labels": ["a", "b"], "truth": truth, "decisions": decisions, "probabilities": p}
    return evaluate(**given_, several=several, draws=50)


@pytest.mark.parametrize("several", [True, False])
def test_no_sentence_says_100_of_100_where_one_document_of_250_is_wrong(several: bool) -> None:
    found = nearly_all(250, 1, several=several)
    said = " ".join(found.sentences())
    assert "249 of 250" in said
    assert "more than 99" in said
    assert not re.search(
        r"(?<!between 9\d and )\b100 (as you did|are right|get exactly|of 100)|finds 100|\b100 %", said
    ), said
    page = report.page(found, title="nearly all")
    big = re.findall(r'class="big">(.*?)<', page)
    assert big
    assert set(big) == {"99.6"}


@pytest.mark.parametrize("several", [True, False])
def test_all_right_and_none_right_are_said_to_be(several: bool) -> None:
    said = " ".join(nearly_all(250, 0, several=several).sentences())
    assert "more than 99 " not in said
    assert "100 as you did" in said or "100 are right" in said
    nothing = nearly_all(250, 250, several=several).sentences()
    assert re.search(r"(files|gives,) 0 ", nothing[0]), nothing[0]


def test_a_recall_that_is_promised_is_not_rounded_up() -> None:
    said = by_sample(RemainingEstimate(found=9_996, best=0, low=0, high=4, level=0.95, draws=500), target=0.9).sentence
    assert "at least 99.9 %" in said
    said = by_sample(
        RemainingEstimate(found=94_996, best=4_000, low=4_000, high=5_004, level=0.95, draws=500), target=0.95
    ).sentence
    assert "at least 94.9 %" in said
    assert "wanted are 95 %" in said
