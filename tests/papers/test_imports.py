"""The replications are written as anybody could write them: with rubricate's public names alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rubricate as rb

PAPERS = Path(__file__).parents[2] / "src" / "rubricate_papers"
MODULES = sorted(PAPERS.rglob("*.py"))


def rubricate_imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is imported of rubricate: module and name (no name for `import module`)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "rubricate")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "rubricate":
            yield from ((node.module or "", alias.name) for alias in node.names)


def dotted(node: ast.expr) -> list[str]:
    """`rb.metrics.f_beta` as its parts; nothing for an expression that is no chain of names."""
    if isinstance(node, ast.Name):
        return [node.id]
    inside = dotted(node.value) if isinstance(node, ast.Attribute) else []
    return [*inside, node.attr] if isinstance(node, ast.Attribute) and inside else []


def not_public(parts: list[str]) -> str:
    """The first part of a chain of names that its face does not show, or nothing. Faces are modules with `__all__`."""
    value: object = rb
    for part in parts:
        if not isinstance(value, ModuleType):
            return ""
        names = getattr(value, "__all__", None)
        if names is not None and part not in names:
            return part
        value = getattr(value, part)
    return ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PAPERS)))
def test_a_replication_imports_public_faces_alone(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    for module, name in rubricate_imports(tree):
        assert module == "rubricate", f"{path.name} imports {module}: say `import rubricate as rb`"
        assert not name or name in rb.__all__, f"{path.name} imports {name}, which is no public name of rubricate"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PAPERS)))
def test_a_replication_uses_names_that_a_face_shows(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    faces = {name for module, name in rubricate_imports(tree) if name}
    for node in ast.walk(tree):
        parts = dotted(node) if isinstance(node, ast.Attribute) else []
        if parts and (parts[0] == "rb" or parts[0] in faces):
            hidden = not_public(parts[1:] if parts[0] == "rb" else parts)
            assert not hidden, f"{path.name}: {'.'.join(parts)}, but {hidden} is not in its face's __all__"


def test_a_name_that_no_face_shows_is_reported() -> None:
    assert not_public(["metrics", "f_beta"]) == not_public(["Recipe", "joachims"]) == ""
    assert not_public(["report", "plots", "svg"]) == ""
    assert not_public(["metrics", "f_beta_of_nothing"]) == "f_beta_of_nothing"
    assert not_public(["foundation", "folds"]) == "foundation"
