"""The demo: a tour whose commands do what it shows, and which says where its files are."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
from pathlib import Path

import pytest

import rubricate as rb
from commands import code_of

FILES = ("enquiries.rub", "report.html", "answers.jsonl")


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which it was made, and what it printed."""
    folder, shown = tmp_path_factory.mktemp("tour"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(shown):
        patch.chdir(folder)
        patch.setenv("COLUMNS", "60")
        assert code_of("demo") == 0
    return folder, shown.getvalue()


def test_the_demo_leaves_a_model_a_report_and_answers_and_says_where(tour: tuple[Path, str]) -> None:
    folder, shown = tour
    for name in FILES:
        assert str(Path("rubricate-demo", name)) in shown.split("What there is now")[1]
    model = rb.load(folder / "rubricate-demo" / "enquiries.rub")
    assert len(model.classes_) == 8
    assert model.report_["documents"] == 1010
    page = (folder / "rubricate-demo" / "report.html").read_text("utf-8")
    assert "190 documents" in page
    answers = [json.loads(line) for line in (folder / "rubricate-demo" / "answers.jsonl").read_text().splitlines()]
    assert len(answers) == 120
    assert sorted(p.name for p in folder.iterdir()) == ["rubricate-demo"]
    assert sorted(p.name for p in (folder / "rubricate-demo").iterdir()) == sorted(FILES)


def test_the_commands_that_the_demo_shows_do_what_it_did(
    tour: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, shown = tour
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubricate-demo").mkdir()
    commands = [line.removeprefix("$ ") for line in shown.splitlines() if line.startswith("$ ")]
    assert [shlex.split(line)[1] for line in commands] == [
        "info", "train", "evaluate", "inspect", "explain", "predict",
    ]  # fmt: skip
    for line in commands:
        assert code_of(*shlex.split(line)[1:]) == 0, line
    for name in FILES:
        same = (folder / "rubricate-demo" / name, tmp_path / "rubricate-demo" / name)
        assert same[0].read_bytes() == same[1].read_bytes(), name


def test_the_demo_tells_programs_the_same(
    tour: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert code_of("demo", "--json", "--out", "a/b") == 0
    told = json.loads(capfd.readouterr().out)
    assert told["files"] == {name: str(Path("a/b", name)) for name in ("enquiries.rub", "report.html", "answers.jsonl")}
    assert (tmp_path / "a" / "b" / "enquiries.rub").read_bytes() == (tour[0] / "rubricate-demo" / FILES[0]).read_bytes()
    steps = told["steps"]
    terms = {row["label"]: [one["term"] for one in row["terms"]] for row in steps["inspect"]["label_rows"]}
    assert {"overdue", "loan"} <= set(terms["borrowing"])
    assert steps["evaluate"]["overall"]["microF1"]["value"] > 0.85
    assert {"account", "digital"} <= {reason["label"] for reason in steps["explain"] if reason["decided"]}
    assert steps["predict"]["documents"] == 120


def test_a_folder_that_is_a_file_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert code_of("demo", "--out", tmp_path / "taken") == 2
