"""The choice in sentences: who is ahead, and whether that may be chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from rubricate.evaluation import choice, choice_sentences, sentence
from rubricate.measures.metrics import measure
from rubricate.training.choice import rivals


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


def test_answers_that_are_the_same_have_no_difference_to_tell() -> None:
    truth = np.eye(4, dtype=int)
    same = rivals("x", truth, [truth], truth, by=measure("microF1"), draws=20)[0]
    told = {"measure": "microF1", "chosen": row("a"), "rivals": [row("b") | {"against_chosen": same.as_dict()}]}
    assert [sentence(parts) for parts in choice_sentences(told)] == [
        "«a» and «b» do equally well in microF1: there is no difference to test."
    ]


def test_one_candidate_alone_has_no_choice() -> None:
    assert choice({"measure": "microF1", "tried": [row("a")]}) is None
