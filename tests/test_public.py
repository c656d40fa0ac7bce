"""The public names: complete, documented, and cheap to import."""

from __future__ import annotations

import subprocess
import sys

import rubricate as rb


def test_every_public_name_is_there_and_sorted() -> None:
    assert sorted(rb.__all__, key=lambda name: (not name[0].isupper(), name)) == rb.__all__
    for name in rb.__all__:
        assert getattr(rb, name) is not None
    assert dir(rb) == sorted(rb.__all__)


def test_every_public_name_says_what_it_is() -> None:
    for name in rb.__all__:
        if not name.startswith("__"):
            assert (getattr(rb, name).__doc__ or "").strip(), name


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
