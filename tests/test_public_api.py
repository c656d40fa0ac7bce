"""The contract with other programs: names, signatures, options, keys of JSON and answers for the sample are as they were written.

Where a test fails, either a promise was broken, or something was added: `python tools/public_api.py` writes additions down.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "public_api.py"
# what architecture.md promises, beside the methods below
PROMISED = {
    "": "Corpus Counts Recipe TextClassifier count load read agreement collections density metrics models significance "
    "term_scores thresholds",
    "models": "TFIDF PrTFIDF Multinomial SimplifiedMultinomial Bernoulli StackedBernoulli DCM EDCM Rocchio WidrowHoff "
    "ExponentiatedGradient SupportVector NearestNeighbours MaximumEntropy LeastSquares",
    "Recipe": "joachims lewis schneider wilbur_kim sable",
    "Counts": "from_matrix terms labels documents documents_with occurrences levels lengths select",
    "Corpus": "texts labels ids",
    "TextClassifier": "fit predict predict_proba explain learn forget save",
    "collections": "load",
    "term_scores": "mutual_information word_mutual_information kl dkl exact_kl chi2 select",
    "thresholds": "scut pcut rcut complement",
    "density": "DensityEstimation",
    "metrics": "f_beta micro_macro break_even average_precision r_precision accuracy error calibration_error",
    "significance": "sign_test paired_t_test chi_square mcnemar randomisation holm",
}


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("public_api", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["public_api.txt", "json_keys.txt", "sample_answers.txt"])
def test_what_programs_rely_on_is_as_it_was_written(tool: Any, name: str) -> None:
    text, breaks = tool.told(name, tool.FILES[name]())
    advice = "this breaks other people's programs" if breaks else "only additions: run `python tools/public_api.py`"
    assert text == "", f"{advice}\n{text}"


def test_what_the_architecture_promises_is_among_the_public_names() -> None:
    lines = (TOOL.parent.parent / "tests" / "public_api.txt").read_text("utf-8").splitlines()
    for owner, names in PROMISED.items():
        for name in names.split():
            full = ".".join(part for part in ("rubricate", owner, name) if part)
            assert any(line == full or line.startswith((f"{full}(", f"{full}:")) for line in lines), full


def test_every_command_is_written_down_with_all_its_options_and_keys() -> None:
    from rubricate.cli import COMMANDS

    tests = TOOL.parent.parent / "tests"
    lines = (tests / "public_api.txt").read_text("utf-8").splitlines()
    keys = {line.split(" ")[2] for line in (tests / "json_keys.txt").read_text("utf-8").splitlines() if line[0] == "$"}
    for name in COMMANDS:
        assert f"$ rubricate {name}" in lines
        assert any(line.startswith(f"$ rubricate {name}") and line.endswith("--json (flag)") for line in lines)
    assert set(COMMANDS) - keys == {"demo", "replicate", "serve", "warm"}, (
        "one runs the others, one needs collections, one does not end, one compiles for a minute"
    )


def test_additions_fit_and_removals_do_not(tool: Any) -> None:
    then = "rubricate.f(a, b=1, *, c=None)"
    for now in ("(a, b=1, *, c=None, d=2)", "(a, b=1, e=0, *, c=None)"):
        assert tool.fits(then, f"rubricate.f{now}"), now
    for now in (
        "(a, *, b=1, c=None)",
        "(a, b=2, *, c=None)",
        "(a, b=1)",
        "(a, b=1, *, c=None, d)",
        "(b, a=1, *, c=None)",
    ):
        assert not tool.fits(then, f"rubricate.f{now}"), now
    found = tool.changes(["rubricate.f(a)", "rubricate.g"], ["rubricate.f(a, *, b=1)", "rubricate.h"])
    assert [len(found[what]) for what in ("removed", "changed", "widened", "added")] == [1, 0, 1, 1]


def test_another_answer_is_told_and_another_last_digit_is_not(tool: Any) -> None:
    then = "multinomial HV-1 events 0.123456789 0.900000000"
    assert tool.same_answer(then, "multinomial HV-1 events 0.123456790 0.900000000")
    assert not tool.same_answer(then, "multinomial HV-1 events 0.123456799 0.900000000")
    assert not tool.same_answer(then, "multinomial HV-1 account 0.123456789 0.900000000")
