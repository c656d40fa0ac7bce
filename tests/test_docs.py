"""Documentation holds: generated pages are fresh, README's commands run, examples in docstrings are true."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rubricate
from rubricate.cli import COMMANDS

ROOT = Path(__file__).parent.parent


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "tools/make_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_is_in_the_reference() -> None:
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
    assert all(f"## `rubricate {name}`" in page for name in COMMANDS)


@pytest.mark.parametrize("name", ["recipe", "counting", "counts", "corpus", "term_scores"])
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(import_module(f"rubricate.{name}")).failed == 0


def code_blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text("utf-8"), flags=re.DOTALL)


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """Each `$ rubricate …` line of README's tour, in order, in one folder, by the installed package."""
    commands = [
        line.removeprefix("$ ")
        for block in code_blocks(ROOT / "README.md", "console")
        for line in block.splitlines()
        if line.startswith("$ rubricate")
    ]
    assert len(commands) >= 5
    sample = Path(rubricate.__file__).parent / "data"
    (tmp_path / "enquiries.jsonl").write_bytes((sample / "enquiries.jsonl").read_bytes())
    shim = tmp_path / "rubricate"
    shim.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from rubricate.cli import main; main()' \"$@\"\n")
    shim.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sample = Path(rubricate.__file__).parent / "data" / "enquiries.jsonl"
    (tmp_path / "enquiries.jsonl").write_bytes(sample.read_bytes())
    blocks = code_blocks(ROOT / "README.md", "python")
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_links_between_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_makefile_lists_its_commands() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert all(name in shown for name in ("demo", "test", "check", "fix", "bench", "docs"))
