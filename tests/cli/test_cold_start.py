"""What a command on little input may load: numpy, orjson, click and this package; nothing that takes a second to import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rubricate as rb

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
import atexit, sys
atexit.register(lambda: print("LOADED " + " ".join(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr))
from rubricate.cli import main
main(sys.argv[1:])
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


def loaded(*arguments: object, stdin: bytes = b"") -> set[str]:
    """The packages that a command has loaded when it ends."""
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    return set(done.stderr.decode().rpartition("LOADED ")[2].split())


@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours"])
def test_predict_and_explain_of_little_input_load_numpy_alone(folder: Path, model: str) -> None:
    file = folder / f"{model}.rub"
    for arguments in (
        ("predict", file, folder / "new.jsonl"),
        ("predict", file, folder / "new.csv"),
        ("explain", file, "corn"),
    ):
        assert not loaded(*arguments) & HEAVY, arguments
    assert not loaded("predict", file, "-", stdin=b'{"text": "corn"}\n') & HEAVY


def test_a_page_is_written_by_numpy_alone(folder: Path, tmp_path: Path) -> None:
    for model in ("multinomial", "support_vector"):
        file, page = folder / f"{model}.rub", tmp_path / "page.html"
        assert not loaded("page", file, "-o", page) & HEAVY
        assert not loaded("page", file, "-o", page, "--min-documents", 2, "--check", folder / "new.csv") & HEAVY


def test_help_loads_not_even_numpy() -> None:
    for arguments in (("--help",), ("predict", "--help"), ("serve", "--help"), ("page", "--help"), ("train", "--help")):
        assert not loaded(*arguments) & (HEAVY | {"numpy", "orjson"}), arguments
