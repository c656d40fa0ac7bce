"""What a command on little input may load: numpy, orjson, click and this package; nothing that takes a second to import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb
from rubricate.cli import COMMANDS
from rubricate.cli.commands import terms
from rubricate.counts.term_scores import SCORES

HEAVY = {
    "sklearn",
    "numba",
    "llvmlite",
    "pyarrow",
    "pandas",
    "pydantic",
    "scipy",
    "joblib",
    "rich",
    "safetensors",
    "fastapi",
}
PROGRAM = """
import atexit, json, sys
atexit.register(lambda: print("LOADED " + " ".join(sys.modules), file=sys.stderr))
from rubricate.cli import main
for line in sys.argv[1:]:
    try:
        main(json.loads(line))
    except SystemExit as done:
        assert not done.code, line
"""
LIGHT_COMMANDS = """
import contextlib, io, json, sys
from rubricate.cli import main
rows = []
for arguments in json.load(sys.stdin):
    text = io.StringIO()
    with contextlib.redirect_stderr(text), contextlib.redirect_stdout(io.StringIO()):
        try:
            main(arguments)
        except SystemExit as end:
            rows.append((end.code, text.getvalue(), list(sys.modules)))
print(json.dumps(rows))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cold")
    texts, labels = ["corn and wheat", "gold and silver"] * 6, ["grain", "metal"] * 6
    for name in ("multinomial", "support_vector", "nearest_neighbours"):
        rb.TextClassifier(name, folds=2).fit(texts, labels).save(folder / f"{name}.rub")
    rows = [
        {"id": str(n), "text": text, "label": label} for n, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    (folder / "new.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    table = ["id,text,label", *(",".join(row.values()) for row in rows)]
    (folder / "new.csv").write_text("\n".join(table) + "\n", "utf-8")
    return folder


def loaded(*commands: Sequence[object], stdin: bytes = b"") -> set[str]:
    """The modules that a process has loaded when it has run these commands, which end well."""
    done = in_a_new_process(PROGRAM, *(json.dumps([str(word) for word in words]) for words in commands), stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return set(done.stderr.decode().rpartition("LOADED ")[2].split())


def in_a_new_process(program: str, *arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)


def outcomes(commands: list[list[Any]]) -> list[tuple[int, str]]:
    """The exit code of each command, and what it said on standard error, where none of them loads numpy or anything heavy."""
    done = in_a_new_process(LIGHT_COMMANDS, stdin=json.dumps(commands, default=str).encode())
    assert done.returncode == 0, done.stderr.decode()
    rows = json.loads(done.stdout.splitlines()[-1])
    for command, (_, _, modules) in zip(commands, rows, strict=True):
        assert not set(modules) & (HEAVY | {"numpy"}), command
    return [(code, text) for code, text, _ in rows]


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours"])
def test_predict_explain_and_drift_of_little_input_load_numpy_alone(folder: Path, model: str) -> None:
    file = folder / f"{model}.rub"
    commands = [
        ("predict", file, folder / "new.jsonl"),
        ("predict", file, folder / "new.csv"),
        ("explain", file, "corn"),
        ("drift", file, folder / "new.jsonl"),
        ("predict", file, "-"),
    ]
    assert not loaded(*commands, stdin=b'{"text": "corn"}\n') & HEAVY


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours"])
def test_inspect_loads_numpy_alone(folder: Path, model: str) -> None:
    path = folder / f"{model}.rub"
    assert not loaded(("inspect", path), ("inspect", path, "--json")) & HEAVY


def test_a_first_look_at_little_input_loads_numpy_alone(folder: Path) -> None:
    assert not loaded(*(("info", folder / name) for name in ("new.jsonl", "new.csv"))) & HEAVY


def test_an_evaluation_on_little_input_loads_scipy_and_nothing_that_fits_or_compiles(folder: Path) -> None:
    """scipy.special has the exact binomial intervals, scipy.sparse the tables that every measure takes."""
    models = ("multinomial", "support_vector", "nearest_neighbours")
    modules = loaded(*(("evaluate", folder / f"{model}.rub", folder / "new.jsonl") for model in models))
    assert modules & HEAVY == {"scipy"}
    assert "scipy.stats" not in modules


def test_a_page_is_written_by_numpy_alone(folder: Path, tmp_path: Path) -> None:
    files = [folder / f"{model}.rub" for model in ("multinomial", "support_vector")]
    page, check = tmp_path / "page.html", folder / "new.csv"
    commands = [("page", file, "-o", page) for file in files]
    commands += [("page", file, "-o", page, "--min-documents", 2, "--check", check) for file in files]
    assert not loaded(*commands) & HEAVY


def test_help_loads_not_even_numpy() -> None:
    topics = ("background", "evaluate", "judge", "list", "new", "rank", "show")
    commands = [[], *([name] for name in COMMANDS), *(["topic", name] for name in topics)]
    assert {code for code, _ in outcomes([[*command, "--help"] for command in commands])} == {0}


def test_scores_that_the_help_names_are_those_there_are() -> None:
    assert tuple(SCORES) == terms.SCORES


def test_documents_that_are_not_there_are_told_before_anything_is_loaded(folder: Path, tmp_path: Path) -> None:
    nothing, model = tmp_path / "nothing.csv", folder / "multinomial.rub"
    commands = [
        *([name, nothing] for name in ("info", "label-errors", "screen", "simulate", "terms", "route")),
        *([name, nothing, "-o", tmp_path / "x"] for name in ("count", "split", "train")),
        *([name, model, nothing] for name in ("compare", "evaluate", "forget", "learn", "predict")),
        ["topic", "background", nothing],
        ["topic", "rank", "name", nothing],
    ]
    text = f"rubricate: {nothing}: there is no such file or folder; check the path\n"
    assert outcomes(commands) == [(66, text)] * len(commands)


def test_a_model_that_is_not_there_is_told_before_anything_is_loaded(folder: Path, tmp_path: Path) -> None:
    nothing, new = tmp_path / "nothing.rub", folder / "new.csv"
    commands = [
        *([name, nothing] for name in ("inspect", "serve")),
        *([name, nothing, new] for name in ("compare", "evaluate", "explain", "forget", "learn", "predict")),
        ["merge", nothing, "-o", tmp_path / "x"],
    ]
    text = f"rubricate: {nothing}: there is no such file; check the name\n"
    assert outcomes(commands) == [(66, text)] * len(commands)


def test_wrong_options_are_told_before_anything_is_loaded(folder: Path, tmp_path: Path) -> None:
    model, new, out, nowhere = (
        folder / "multinomial.rub",
        folder / "new.csv",
        tmp_path / "x",
        tmp_path / "nowhere" / "x",
    )
    wrong = [
        ["predict", model, new, "--to", "letters"],
        ["predict", model, new, "-k", "0"],
        ["evaluate", model, new, "--sed", "1"],
        ["explain", model, "corn", "--top", "none"],
        ["inspect", model, "--terms", "-1"],
        ["info", new, "--recipe", "cooked"],
        ["count", new, "-o", out, "--recipe", "cooked"],
        ["terms", new, "--by", "luck"],
        ["train", new, "-o", out, "--recipe", "cooked"],
        ["train", new],
    ]
    assert [code for code, _ in outcomes(wrong)] == [2] * len(wrong)
    in_no_folder = [
        *([name, new, "-o", nowhere] for name in ("train", "count", "label-errors")),
        *([name, model, new, "-o", nowhere] for name in ("predict", "learn", "forget")),
        ["evaluate", model, new, "--report", nowhere],
    ]
    assert [code for code, _ in outcomes(in_no_folder)] == [66] * len(in_no_folder)
