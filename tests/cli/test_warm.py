"""`warm` compiles everything ahead: afterwards a command compiles nothing and writes nothing beside the compiled loops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import rubricate as rb


def run(*arguments: str, cache: Path) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-m", "rubricate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_a_command_after_it_leaves_the_compiled_loops_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    told = json.loads(subprocess.run(
        [sys.executable, "-m", "rubricate", "warm", str(folder), "--json"], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])},
    ).stdout)  # fmt: skip
    assert told["kernels"] > 30
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert len(before) > told["kernels"]
    run("count", "enquiries", "-o", str(tmp_path / "x.counts"), cache=folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == before


READS_ONLY = """
import os
access = os.access
os.access = lambda path, mode, **rest: mode != os.W_OK and access(path, mode, **rest)
from rubricate.kernels import compilation, scan
assert compilation.READ_ONLY and str(compilation.FOLDER).startswith(os.environ["NUMBA_CACHE_DIR"]), compilation.FOLDER
assert sum(scan.scan.stats.cache_hits.values()) == 1, scan.scan.stats
"""


def test_loops_compiled_ahead_are_used_where_nothing_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-m", "rubricate", "warm", str(folder)]
    subprocess.run(command, capture_output=True, check=True, env=environment)
    environment["NUMBA_CACHE_DIR"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", READS_ONLY], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
