"""Fitted classifiers as named arrays and plain settings, and back, without fitting anything again.

    settings, arrays = arrays_of(model)         what a model file holds
    model = model_from(settings, arrays)        the same scores, decisions, probabilities and reasons, bit for bit

`taken_apart` and `put_together` do the same for anything made of what is in the closed table of `kinds`: cuts, calibrations,
weightings, counts. What is in no table is refused, on the way out and on the way in. Functions are never kept: they come from
the classes. What can be worked out again, such as a transposed table, is not kept either, so that a model that has been used
gives the same bytes as one that has not. The arrays are used as they are; read-only ones, mapped from a file, will do. What
they say is checked before a compiled loop follows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..errors import DamagedFile, InvalidSetting
from ..foundation.arrays import Array
from ..models.classifier import Classifier
from ..terms.recipe import Recipe
from .apart import Apart
from .kinds import kind_of
from .together import put_together

__all__ = ["arrays_of", "model_from", "put_together", "taken_apart"]


def arrays_of(model: Classifier) -> tuple[dict[str, Any], dict[str, Array]]:
    """A fitted classifier as settings that JSON can hold and arrays whose names begin with `model/`."""
    if not isinstance(model, Classifier):
        raise InvalidSetting(f"{type(model).__name__} is no classifier of rubricate: it cannot be kept in a file")
    kind_of(model, "model")
    check_is_fitted(model)
    return taken_apart(model, under="model")


def taken_apart(thing: Any, *, under: str) -> tuple[Any, dict[str, Array]]:
    """The tree of a thing, and the arrays it names, whose names begin with `under/`. What could not be put together again is told
    now, not when it is needed."""
    work = Apart()
    tree = work.tree(thing, under)
    put_together(tree, work.arrays, under=under, recipe=work.recipe)
    return tree, work.arrays


def model_from(settings: Mapping[str, Any], arrays: Mapping[str, Array], *, recipe: Recipe | None = None) -> Classifier:
    """The classifier that `arrays_of` was given. recipe: the one it was counted with, needed where that has a Python function:
    code is never loaded from files."""
    model = put_together(settings, arrays, under="model", recipe=recipe)
    if not isinstance(model, Classifier):
        raise DamagedFile("model: these settings are not those of a classifier")
    return model
