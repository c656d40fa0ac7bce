"""The public names: complete, documented, and cheap to import."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator

import rubricate as rb


def test_every_public_name_is_there_and_sorted() -> None:
    assert sorted(rb.__all__, key=lambda name: (not name[0].isupper(), name)) == rb.__all__
    for name in rb.__all__:
        assert getattr(rb, name) is not None
    assert dir(rb) == sorted(rb.__all__)


def undocumented(owner: object, path: str) -> Iterator[str]:
    """The functions, classes and public methods that people see without a word about them. Constants and types have none."""
    if not (inspect.isroutine(owner) or inspect.isclass(owner) or inspect.ismodule(owner)):
        return
    if not (inspect.getdoc(owner) or "").strip():
        yield path
    if inspect.ismodule(owner):
        for name in getattr(owner, "__all__", ()):
            yield from undocumented(getattr(owner, name), f"{path}.{name}")
    elif inspect.isclass(owner) and owner.__module__.startswith("rubricate"):
        for name, member in vars(owner).items():
            shown = not name.startswith("_") and (
                inspect.isroutine(member) or isinstance(member, (property, classmethod))
            )
            if shown and not (inspect.getdoc(getattr(owner, name)) or inspect.getdoc(member) or "").strip():
                yield f"{path}.{name}"


def test_every_public_name_says_what_it_is() -> None:
    """The rule for docstrings: public names, those of the public packages, and their public methods have one. Elsewhere a
    docstring stands where the name does not say it all."""
    missing = [
        path for name in rb.__all__ if not name.startswith("__") for path in undocumented(getattr(rb, name), name)
    ]
    assert missing == []


def test_importing_the_package_imports_nothing_else() -> None:
    program = """
import sys, rubricate
heavy = {"numpy", "pyarrow", "scipy", "sklearn", "numba", "rich", "click", "textblob", "orjson"} & set(sys.modules)
sys.exit(str(heavy) if heavy else 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_room_imports_pickle_or_joblib_of_its_own() -> None:
    from pathlib import Path

    for path in Path(rb.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "import pickle" not in text
        assert "import joblib" not in text
        assert "import nltk" not in text
