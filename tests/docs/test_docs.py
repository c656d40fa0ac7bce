"""Documentation holds: generated pages are fresh, every block of code runs, what is shown is what is printed, examples are true.

A page is worked through from top to bottom in a folder that holds the sample (enquiries.jsonl, enquiries_new.jsonl): blocks of
python in one namespace, the `$ ` lines of blocks of console one by one. Lines below a command are what it prints on standard
output; `…` stands for anything, alone on a line for any lines. Blocks of text and json are not run; others there are none.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rubricate
from commands import on_the_path
from rubricate.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((DOCS / "reference" / "commands").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
SHELL = set("|<>&;$`*")  # a line with one of these outside quotation marks is for a shell


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "tools/make_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_page_with_an_example(name: str) -> None:
    page = (DOCS / "reference" / "commands" / f"{name}.md").read_text("utf-8")
    assert f"(commands/{name}.md)" in (DOCS / "reference" / "cli.md").read_text("utf-8")
    shown = page.partition("\n## Example\n")[2]
    assert re.search(rf"^(\$ )?rubricate {name} ", shown, re.MULTILINE), "add an example to tools/command_examples.py"


@pytest.mark.parametrize(
    "name", ["terms.recipe", "counts.one_pass", "counts", "corpus", "counts.term_scores.information"]
)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(import_module(f"rubricate.{name}")).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for sample in (Path(rubricate.__file__).parent / "data").glob("enquiries*.jsonl"):
        (tmp_path / sample.name).write_bytes(sample.read_bytes())
    names: dict[str, Any] = {"__name__": "__main__"}
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        language, block = found.groups()
        if language == "python":
            above = "\n" * text[: found.start(2)].count("\n")  # so that an error names the line of the page
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(above + block, str(page), "exec"), names)
        elif language == "console":
            for command, shown in commands(block):
                printed = ran(command, tmp_path)
                assert not shown or fits(shown, printed), f"{command}\nshown:\n{shown}\nprinted:\n{printed}"
        else:
            assert language in ("text", "json"), f"a block of {language or 'nothing'}: python, console, text or json"


def commands(block: str) -> Iterator[tuple[str, str]]:
    """What is typed, and what is shown below it. A tour shows commands itself: within it they are text."""
    typed, shown = "", [""]
    for line in block.splitlines(keepends=True):
        if line.startswith("$ ") and not typed.startswith("rubricate demo"):
            if typed:
                yield typed, "".join(shown)
            typed, shown = line.removeprefix("$ ").strip(), [""]
        else:
            assert typed, f"a console block begins with a command: {line}"
            shown.append(line)
    yield typed, "".join(shown)


def ran(command: str, folder: Path) -> str:
    """What a command prints; in this process where no shell is needed, since starting one takes longer than the work."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
    if command.startswith("rubricate ") and not SHELL & set(bare):
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
            main(shlex.split(command)[1:])
        printed.flush()
        assert not ended.value.code, command
        return printed.buffer.getvalue().decode()
    environment = on_the_path(folder / "bin")
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    return done.stdout


def fits(shown: str, printed: str) -> bool:
    """Whether what is shown is what was printed, where `…` stands for anything; spaces at the end of lines do not count."""
    lines = [line.rstrip() for line in shown.strip("\n").splitlines()]
    wanted = "".join(
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines
    )
    told = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(wanted, told) is not None


def test_what_is_shown_is_compared_line_by_line() -> None:
    assert fits("a\n…\nd\n", "a\nb\nc\nd\n")
    assert fits("a … c\n", "a b c\n")
    assert not fits("a\nd\n", "a\nb\nd\n")
    assert not fits("a\n…\ne\n", "a\nb\nd\n")


def test_every_part_of_the_report_is_explained() -> None:
    headings = {
        found
        for path in (Path(import_module("rubricate.evaluation.report").__file__ or "").parent).glob("*.py")
        for found in re.findall(r'Section\(\s*"\w+",\s*"([^"]+)"', path.read_text("utf-8"))
    }
    assert len(headings) >= 13
    page = (DOCS / "reading-the-report.md").read_text("utf-8")
    assert {heading for heading in headings if f"\n## {heading}\n" not in page} == set()


def test_the_tables_of_which_model_are_those_that_were_measured() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.which_model", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_links_between_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_makefile_has_the_commands_that_pages_name() -> None:
    shown = subprocess.run(
        ["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    named = {name for page in PAGES for name in re.findall(r"^\$? ?make (\w+)", page.read_text("utf-8"), re.MULTILINE)}
    assert {"demo", "test"} <= named
    assert all(name in shown for name in {*named, "check", "fix", "bench", "docs"})
