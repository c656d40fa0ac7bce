"""rubricate page: what it writes, says and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import frozen
import rubricate as rb
from commands import Run


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.rub"
    rb.TextClassifier("support_vector", folds=2, jobs=1).fit(frozen.TEXTS, frozen.LISTS).save(path)
    return path


def test_the_command_says_what_the_file_holds_and_how_it_travels(run: Run, model: Path, tmp_path: Path) -> None:
    ran = run("page", model, "-o", tmp_path / "page.html")
    assert ran.code == 0
    assert "give it to nobody who may not know them" in ran.out
    assert "mail filters" in ran.err
    assert "next: rubricate evaluate" in ran.err
    assert "<h1><bdi>model</bdi></h1>" in (tmp_path / "page.html").read_text("utf-8")


def test_json_and_documents_to_check_on(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.jsonl").write_text(
        "".join(json.dumps({"text": text}) + "\n" for text in frozen.NEW if text.strip()), "utf-8"
    )
    ran = run(
        "page", model, "-o", tmp_path / "page.html", "--min-documents", 5, "--check", tmp_path / "new.jsonl", "--json"
    )
    summary = json.loads(ran.out)
    assert summary["changes"]["documents"] == len([text for text in frozen.NEW if text.strip()])
    assert summary["changes"]["on"] == f"documents of {tmp_path / 'new.jsonl'}"
    assert summary["left_out"] > 0
    assert summary["bytes"] == (tmp_path / "page.html").stat().st_size


def test_wrong_options_and_files_are_told_before_anything_is_written(run: Run, model: Path, tmp_path: Path) -> None:
    cases = {
        (model, "-o", model): 2,
        (model, "-o", tmp_path / "page.html", "--check", model): 2,
        (tmp_path / "none.rub", "-o", tmp_path / "page.html"): 66,
        (frozen.FOLDER / "dcm.one.rub", "-o", tmp_path / "page.html"): 2,
        (frozen.FOLDER / "counts.json", "-o", tmp_path / "page.html"): 65,
    }
    for arguments, code in cases.items():
        assert run("page", *arguments).code == code, arguments
    assert not (tmp_path / "page.html").exists()
