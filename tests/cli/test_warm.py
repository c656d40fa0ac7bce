"""`warm` compiles everything ahead: afterwards a command compiles nothing and writes nothing beside the compiled loops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rubricate as rb

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}


def run(*arguments: object, **environment: str) -> str:
    """What a program that is started with these words prints."""
    words = [sys.executable, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=ENVIRONMENT | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """A folder of kernels compiled ahead, and what the command said."""
    folder = tmp_path_factory.mktemp("warm") / "kernels"
    return folder, json.loads(run("-m", "rubricate", "warm", folder, "--json"))


def test_a_command_after_it_leaves_the_compiled_loops_as_they_are(
    warmed: tuple[Path, dict[str, int]], tmp_path: Path
) -> None:
    folder, told = warmed
    assert told["kernels"] > 30
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert len(before) > told["kernels"]
    run("-m", "rubricate", "count", "enquiries", "-o", tmp_path / "x.counts", NUMBA_CACHE_DIR=str(folder))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == before


READS_ONLY = """
import os
access = os.access
os.access = lambda path, mode, **rest: mode != os.W_OK and access(path, mode, **rest)
from rubricate.kernels import compilation, scan
assert compilation.READ_ONLY and str(compilation.FOLDER).startswith(os.environ["NUMBA_CACHE_DIR"]), compilation.FOLDER
assert sum(scan.scan.stats.cache_hits.values()) == 1, scan.scan.stats
"""


def test_loops_compiled_ahead_are_used_where_nothing_can_be_written(warmed: tuple[Path, dict[str, int]]) -> None:
    run("-c", READS_ONLY, NUMBA_CACHE_DIR=str(warmed[0]))
