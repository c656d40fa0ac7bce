"""The command `drift`: sentences, numbers, exit codes; on little input by numpy alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import frozen
import rubricate as rb
from commands import code_of

LONG = "lengthy remarks about nothing that anybody has heard of before "


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drift")
    texts, labels = ["corn and wheat", "gold and silver"] * 20, ["grain", "metal"] * 20
    rb.TextClassifier("multinomial").fit(texts, labels).save(folder / "m.rub")
    for name, rows in {"same": texts[:30], "other": [LONG] * 30, "none": []}.items():
        lines = [json.dumps({"id": f"d{n}", "text": text}) + "\n" for n, text in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return folder


def test_drift_is_told_in_sentences_and_numbers(run: Any, folder: Path) -> None:
    same = run("drift", folder / "m.rub", folder / "same.jsonl")
    assert same.code == 0
    assert "No change can be shown with 30 documents" in same.out
    assert "next: rubricate evaluate" in same.err
    other = run("drift", folder / "m.rub", folder / "other.jsonl")
    assert other.code == 0
    assert "Terms that the model does not know: 0.0 % -> 100.0 % of a document's terms (p = 0.0008)." in other.out
    numbers = json.loads(run("drift", folder / "m.rub", folder / "other.jsonl", "--json").out)
    assert (numbers["changed"], numbers["documents"], numbers["reference_documents"]) == (True, 30, 40)
    assert numbers["length"]["now"] > numbers["length"]["before"]


def test_a_script_can_ask_for_an_exit_code(folder: Path) -> None:
    assert code_of("drift", folder / "m.rub", folder / "other.jsonl", "--fail") == 1
    assert code_of("drift", folder / "m.rub", folder / "same.jsonl", "--fail", "--json") == 0


def test_a_reference_of_documents_takes_the_place_of_the_training_documents(run: Any, folder: Path) -> None:
    other = folder / "other.jsonl"
    assert "No change can be shown" in run("drift", folder / "m.rub", other, "--reference", other).out
    old = frozen.FOLDER / "multinomial.several.rub"
    refused = run("drift", old, other)
    assert (refused.code, "--reference FILE" in refused.err) == (2, True)
    assert run("drift", old, other, "--reference", other, "--fail").code == 0


def test_wrong_input_has_its_exit_code(run: Any, folder: Path) -> None:
    assert run("drift", folder / "m.rub", folder / "none.jsonl").code == 65
    assert run("drift", folder / "m.rub", folder / "nothing.jsonl").code == 66
    both = run("drift", folder / "m.rub", "-", "--reference", "-")
    assert (both.code, "standard input" in both.err) == (2, True)
