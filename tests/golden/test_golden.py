"""Every case of every file in tests/golden, one test each; a file or a key that nothing checks fails."""

from __future__ import annotations

from fractions import Fraction

import pytest

import golden_cases
import golden_density  # noqa: F401  (these register their checks)
import golden_linear  # noqa: F401
import golden_metrics  # noqa: F401
import golden_models  # noqa: F401
import golden_scores  # noqa: F401
import golden_significance  # noqa: F401
import golden_thresholds  # noqa: F401
import golden_vectors  # noqa: F401


@pytest.mark.parametrize("case", list(golden_cases.cases()), ids=lambda case: f"{case.file}::{case.name}")
def test_the_papers_formulas_give_the_golden_numbers(case: golden_cases.Case) -> None:
    assert case.file in golden_cases.CHECKS, f"tests/golden/{case.file}.json: no function covers it"
    golden_cases.CHECKS[case.file](case)
    assert set(case.expected) == case.looked_at, f"unchecked: {sorted(set(case.expected) - case.looked_at)}"


def test_every_check_has_its_file() -> None:
    assert set(golden_cases.CHECKS) <= {case.file for case in golden_cases.cases()}


def test_the_comparison_can_fail() -> None:
    case = golden_cases.Case("file", "case", {}, {"a": [1.0, None, "inf", "1/3"], "b": 2})
    case.check("a", [1.0 + 1e-10, float("nan"), float("inf"), Fraction(1, 3)])
    assert case.looked_at == {"a"}
    for wrong in (
        [1.0 + 1e-8, None, float("inf"), Fraction(1, 3)],
        [1.0, 0.0, float("inf"), Fraction(1, 3)],
        [1.0, None, 1e308, Fraction(1, 3)],
        [1.0, None, float("inf"), Fraction(1, 2)],
        [1.0, None, float("inf")],
    ):
        with pytest.raises(AssertionError):
            case.check("a", wrong)
