"""Model files: what one says of a TextClassifier, and back; and bare classifiers as settings and arrays.

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
from sklearn.utils.validation import check_is_fitted

from ..errors import DamagedFile, InvalidSetting
from ..foundation.arrays import Array
from ..foundation.jsonable import to_json
from ..models.classifier import Classifier
from ..storage.container import Stored, read, write
from ..storage.registry import kind_of
from ..storage.trees import decode, encode
from ..terms.recipe import Recipe

__all__ = ["MOST", "State", "arrays_of", "from_file", "model_from", "to_file"]

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
    tree, arrays = encode({"settings": settings, "fitted": fitted}, under=UNDER)
    long = {name: none for name, none in REPEATED.items() if len(to_json({name: manifest.get(name)})) > LONGEST}
    return write(path, {**manifest, **long, "workbench": {"tree": tree, "report": plain(report)}}, arrays)


def from_file(path: str | Path, *, recipe: Recipe | None = None) -> tuple[State, State, State, Stored]:
    """Settings, what was fitted, the report of the fit, and the file as it is.

    recipe: the one the model was trained with, needed where it has a Python function: code is never loaded from files.
    """
    stored = read(path)
    workbench = stored.manifest["workbench"]
    if not workbench:
        raise DamagedFile(f"{path}: holds no TextClassifier; `rubricate.storage.container.read` shows what it holds")
    state = decode(workbench.get("tree"), stored.arrays, under=UNDER, recipe=recipe)
    report = workbench.get("report")
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


def arrays_of(model: Classifier) -> tuple[dict[str, Any], dict[str, Array]]:
    """A fitted classifier as settings that JSON can hold and arrays whose names begin with `model/`."""
    if not isinstance(model, Classifier):
        raise InvalidSetting(f"{type(model).__name__} is no classifier of rubricate: it cannot be kept in a file")
    kind_of(model, "model")
    check_is_fitted(model)
    return encode(model, under="model")


def model_from(settings: Mapping[str, Any], arrays: Mapping[str, Array], *, recipe: Recipe | None = None) -> Classifier:
    """The classifier that `arrays_of` was given. recipe: the one it was counted with, needed where that has a Python function:
    code is never loaded from files."""
    model = decode(settings, arrays, under="model", recipe=recipe)
    if not isinstance(model, Classifier):
        raise DamagedFile("model: these settings are not those of a classifier")
    return model
