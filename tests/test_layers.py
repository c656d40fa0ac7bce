"""The packages of the import-linter contract are the folders of the source, and the other way round."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_layers_of_the_contract_are_the_packages() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (layers,) = (
        contract["layers"] for contract in settings["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"
    )
    named = {name.strip() for layer in layers for name in layer.split("|")}
    source = ROOT / "src" / "rubricate"
    packages = {f"rubricate.{path.parent.name}" for path in source.glob("*/__init__.py")}
    assert named == packages | {"rubricate.errors", "rubricate_papers"}
    assert {path.name for path in source.glob("*.py")} == {"__init__.py", "__main__.py", "errors.py"}


def test_only_kernels_import_numba_and_only_commands_print() -> None:
    source = ROOT / "src" / "rubricate"
    for path in source.rglob("*.py"):
        package, text = path.relative_to(source).parts[0], path.read_text("utf-8")
        if package != "kernels":
            assert "import numba" not in text, path
            assert "from numba" not in text, path
        if package != "cli":
            assert "import click" not in text, path
