"""Arrays that do not fit each other are refused by the Predictor as by `rubricate.load`, before anything follows them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import frozen
from rubricate.errors import DamagedFile
from rubricate.scoring.assembly import predictor_from
from rubricate.scoring.format_1 import parts_of, tree_of
from rubricate.scoring.predictor import Predictor
from rubricate.storage.container import read

FILES = [
    f"{model}.{labels}"
    for model in ("multinomial", "bernoulli", "stacked_bernoulli", "tfidf", "prtfidf", "dcm", "edcm", "rocchio")
    for labels in ("one", "several")
] + ["support_vector.several", "neural_net.one", "nearest_neighbours.one", "exponentiated_gradient.several"]
TEXTS = ["corn and wheat harvest", "nobody knows such vocabulary", ""]


def load(root: Any, arrays: dict[str, Any]) -> Predictor | None:
    """A Predictor that can be asked, or None where the parts were refused."""
    try:
        predictor = predictor_from(parts_of(root, arrays, report_={}))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, DamagedFile):  # as `Predictor.load` has them
        return None
    with np.errstate(all="ignore"):
        predictor.scores(TEXTS)
        predictor.explain(TEXTS[0])
    return predictor


def arrays_of_the_model(root: Any, arrays: dict[str, Any]) -> list[str]:
    """Names of what was fitted by the model itself, the statistics it learned from apart."""
    at, fitted = next((n, value) for n, (key, value) in enumerate(root["pairs"]) if key == "fitted")
    place = next(n for n, (key, _) in enumerate(fitted["pairs"]) if key == "model_")
    under = f"workbench/{at}/{place}/"
    return [name for name in arrays if name.startswith(under) and not name.startswith(f"{under}counts_")]


@pytest.mark.parametrize("name", FILES)
def test_indices_that_lead_outside_and_arrays_of_other_sizes_are_refused_before_scoring(name: str) -> None:
    file = read(frozen.FOLDER / f"{name}.rub")
    root, arrays = tree_of(file.manifest), file.arrays
    assert load(root, arrays) is not None
    refused = 0
    for part in arrays_of_the_model(root, arrays):
        array = arrays[part]
        longer = np.concatenate([array, array[:1] if array.size else np.ones(1, dtype=array.dtype)])
        refused += load(root, arrays | {part: longer}) is None
        if array.dtype.kind in "iu" and array.size:
            highest = array.copy()
            highest[-1] = np.iinfo(array.dtype).max
            refused += load(root, arrays | {part: highest}) is None
    assert refused >= 2  # weights and bias of a linear model


def test_a_part_that_is_itself_is_refused() -> None:
    file = read(frozen.FOLDER / "multinomial.one.rub")
    root, arrays = tree_of(file.manifest), file.arrays
    root = deepcopy(root)
    at, fitted = next((n, value) for n, (key, value) in enumerate(root["pairs"]) if key == "fitted")
    place = next(n for n, (key, _) in enumerate(fitted["pairs"]) if key == "terms_")
    fitted["pairs"][place][1] = {"same": f"workbench/{at}/{place}"}
    with pytest.raises(DamagedFile, match="itself"):
        predictor_from(parts_of(root, arrays, report_={}))
