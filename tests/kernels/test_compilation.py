"""Kernels compiled ahead: what is left to compile afterwards is nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rubricate as rb
from rubricate.errors import InvalidSetting
from rubricate.kernels import compilation

COUNT = """
import sys
from numba.core.event import install_recorder
from rubricate.cli import main
with install_recorder("numba:compile") as recorder:
    try:
        main(["count", sys.argv[1], "-o", sys.argv[2]])
    except SystemExit as done:
        assert not done.code, done.code
print(len(recorder.buffer))
"""


def in_a_new_process(program: str, *arguments: object, cache: Path | None = None) -> str:
    """The last line that a program prints; cache: where its kernels are kept."""
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    words = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_after_compiling_ahead_a_count_compiles_nothing(tmp_path: Path) -> None:
    texts, cache = tmp_path / "a.jsonl", tmp_path / "cache"
    texts.write_text('{"text": "wheat corn", "label": "x"}\n{"text": "loan of a bank", "label": "y"}\n')
    ahead = (
        "import sys; from pathlib import Path; from rubricate.kernels.compilation import compile_kernels\n"
        "print(compile_kernels(), compile_kernels(Path(sys.argv[1])))"
    )
    number, again = in_a_new_process(ahead, cache).split()
    assert number == again
    indices = {path.name for path in cache.rglob("*.nbi")}
    assert len(indices) == int(number)
    assert {name.partition("-")[0] for name in indices} >= {"scan.scan", "count_tables.make_rows", "online.renew"}
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")}
    assert in_a_new_process(COUNT, texts, tmp_path / "a.counts") == "0", "where kernels are kept by default"
    assert in_a_new_process(COUNT, texts, tmp_path / "b.counts", cache=cache) == "0"
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*.nb?")} == before


def test_kernels_that_this_process_could_not_keep_are_compiled_for_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rubricate.kernels import products

    assert compilation.compile_kernels() > 40
    added = products.add_rows.py_func
    row = next(row for row in compilation.KERNELS if row[0] is added)
    monkeypatch.setattr(compilation, "KERNELS", [row])
    monkeypatch.setattr(compilation, "FOLDER", None)
    with pytest.raises(InvalidSetting, match="name one that can be written to"):
        compilation.compile_kernels()
    before = os.environ.get("NUMBA_CACHE_DIR")
    assert compilation.compile_kernels(tmp_path) == 1
    assert {path.suffix for path in tmp_path.rglob("*.nb?")} == {".nbi", ".nbc"}
    assert os.environ.get("NUMBA_CACHE_DIR") == before


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidSetting, match="name another folder"):
        compilation.compile_kernels(tmp_path / "file")
