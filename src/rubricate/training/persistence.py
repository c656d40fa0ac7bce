"""What a model file says of a TextClassifier, and back. The arrays go through `kept`, the file is `model_file`'s.

    manifest    for people and programs: recipe, labels, what was tried, cuts with intervals (both unless they are very
                long), what spoke for the calibration, where the data came from
    workbench   the tree of everything that was set and fitted; what it names lies in the arrays

Nothing is fitted when a file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DamagedFile
from ..kept import put_together, taken_apart
from ..model_file import Stored, read, write
from ..model_file.plain import to_json
from ..terms.recipe import Recipe

__all__ = ["MOST", "State", "from_file", "to_file"]

UNDER = "workbench"
MOST = 20_000  # labels up to which the manifest repeats cuts for people; the arrays have them in any case
LONGEST = 4 * 2**20  # bytes of JSON up to which it repeats a field at all: names of labels may be sentences
REPEATED: dict[str, Any] = {
    "labels": [],
    "decision": None,
}  # fields that only repeat what the arrays have, and none of them

State = dict[str, Any]


def to_file(path: str | Path, *, settings: State, fitted: State, report: State, manifest: Mapping[str, Any]) -> str:
    """Write settings, what was fitted and the report of the fit; the file's digest is returned."""
    tree, arrays = taken_apart({"settings": settings, "fitted": fitted}, under=UNDER)
    long = {name: none for name, none in REPEATED.items() if len(to_json({name: manifest.get(name)})) > LONGEST}
    return write(path, {**manifest, **long, "workbench": {"tree": tree, "report": plain(report)}}, arrays)


def from_file(path: str | Path, *, recipe: Recipe | None = None) -> tuple[State, State, State, Stored]:
    """Settings, what was fitted, the report of the fit, and the file as it is.

    recipe: the one the model was trained with, needed where it has a Python function: code is never loaded from files.
    """
    stored = read(path)
    told = stored.manifest.workbench
    if not told:
        raise DamagedFile(f"{path}: holds no TextClassifier; `rubricate.model_file.read` shows what it holds")
    state = put_together(told.get("tree"), stored.arrays, under=UNDER, recipe=recipe)
    report = told.get("report")
    parts = (state.get("settings"), state.get("fitted")) if isinstance(state, dict) else (None, None)
    if not all(isinstance(part, dict) for part in (*parts, report)):
        raise DamagedFile(f"{path}: settings, what was fitted, or the report is missing")
    return (*parts, report, stored)  # type: ignore[return-value]


def plain(value: Any) -> Any:
    """The same with plain numbers, lists and dictionaries."""
    if isinstance(value, Mapping):
        return {str(key): plain(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [plain(own) for own in value]
    return value.item() if isinstance(value, np.generic) else value
