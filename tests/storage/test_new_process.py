"""Every file of an older format is read in a process that has imported none of its classes: they register when met."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
CLASSIFIERS = [
    *sorted((HERE / "fixtures").glob("frozen_format_*/*.*.rub")),
    *sorted((HERE / "fixtures").glob("workbench_format_*/*.rub")),
]
BARE = [
    *sorted((HERE / "fixtures").glob("model_format_*/*.rub")),
    *sorted((HERE / "fixtures").glob("frozen_format_*/parts.rub")),
]


def run(program: str, *paths: Path) -> None:
    """Run a program that has imported nothing before."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([*sys.path, str(HERE / "support")])}
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, paths)], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_every_classifier_is_loaded_with_nothing_but_load() -> None:
    assert len(CLASSIFIERS) > 40
    program = (
        "import sys, frozen, rubricate\n"
        "for path in sys.argv[1:]:\n"
        "    recipe = rubricate.Recipe(function=frozen.spelled) if 'function' in path else None\n"
        "    rubricate.load(path, recipe=recipe)\n"
    )
    run(program, *CLASSIFIERS)


def test_every_bare_model_is_decoded_with_nothing_but_storage() -> None:
    assert len(BARE) == 35
    program = (
        "import sys; from rubricate.storage.container import read; from rubricate.storage.trees import decode\n"
        "for path in sys.argv[1:]:\n"
        "    file = read(path); model = file.manifest['model']\n"
        "    tree, under = (model['settings'], 'model') if model else (file.manifest['workbench']['tree'], 'parts')\n"
        "    decode(tree, file.arrays, under=under)\n"
    )
    run(program, *BARE)


def test_a_file_is_read_with_numpy_alone() -> None:
    program = (
        "import sys; from rubricate.storage.container import read\n"
        "file = read(sys.argv[1]); assert type(file.manifest) is dict and file.arrays\n"
        "heavy = {'scipy', 'pyarrow', 'numba', 'sklearn', 'pandas', 'pydantic', 'safetensors'} & sys.modules.keys()\n"
        "assert not heavy, heavy\n"
        "from rubricate.storage.trees import decode\n"
        "arrays = {name: array for name, array in file.arrays.items() if name.endswith('log_prior_')}\n"
        "name = next(iter(arrays)); decode({'tuple': [{'array': name}, 1, 'text']}, {name: arrays[name]}, under='model')\n"
        "heavy = {'scipy', 'pyarrow', 'numba', 'sklearn', 'pandas', 'pydantic', 'safetensors'} & sys.modules.keys()\n"
        "assert not heavy, heavy\n"
    )
    run(program, BARE[0])
