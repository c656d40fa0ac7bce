"""One text is answered soon after the start of Python: nothing heavy is imported on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import frozen
import rubricate as rb

HEAVY = (
    "importlib.metadata",
    "numba",
    "pandas",
    "pyarrow",
    "pydantic",
    "rich",
    "rubricate.models",
    "rubricate.kernels",
    "safetensors",
    "scipy",
    "sklearn",
    "snowballstemmer",
)
PROGRAM = """
import json, sys
from rubricate.scoring.predictor import Predictor
predictor = Predictor.load(sys.argv[1])
texts = ["corn and wheat harvest", "nobody knows such vocabulary"]
answer = predictor.decide(texts), predictor.probabilities(texts).tolist(), [len(predictor.explain(text)) for text in texts]
print(json.dumps([answer, sorted(sys.modules)]))
"""


def answer_in_a_new_process(path: Path) -> tuple[list[object], list[str]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(rb.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer, modules = json.loads(done.stdout)
    return answer, modules


@pytest.mark.parametrize(
    "name", ["multinomial.several", "support_vector.several", "dcm.one", "nearest_neighbours.one", "neural_net.one"]
)
def test_a_prediction_with_its_reasons_imports_nothing_heavy(name: str) -> None:
    answer, modules = answer_in_a_new_process(frozen.FOLDER / f"{name}.rub")
    assert len(answer) == 3
    assert [module for module in HEAVY if module in modules] == []


def test_a_recipe_that_stems_imports_its_stemmer_and_nothing_else() -> None:
    _, modules = answer_in_a_new_process(frozen.FOLDER / "pairs_stems_stop.several.rub")
    assert "snowballstemmer.english_stemmer" in modules
    allowed = ("importlib.metadata", "snowballstemmer")  # the stemmer's version is part of the recipe's fingerprint
    assert [module for module in HEAVY if module in modules and module not in allowed] == []
