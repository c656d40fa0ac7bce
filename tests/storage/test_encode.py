"""Curves and sequences in files: shared things are kept once, old forms are read, damaged ones refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rubricate.decisions.calibration import Isotonic
from rubricate.errors import DamagedFile
from rubricate.models import MODELS
from rubricate.scoring.calibrated import Range
from rubricate.storage.trees import decode, encode
from stored_curves import curves


def isotonic(n: int = 3) -> Isotonic:
    found = curves(n).calibrator
    assert isinstance(found, Isotonic)
    return found


def test_curves_come_back_as_they_were_and_what_was_shared_is_shared() -> None:
    own = isotonic(30)
    tree, arrays = encode(own, under="own")
    again = decode(tree, arrays, under="own")
    for mine, other in zip(own.corners, again.corners, strict=True):
        for part in (0, 1):
            np.testing.assert_array_equal(mine[part], other[part])
    assert again.corners[0] is again.corners[20]
    assert len(arrays) == 7


def test_curves_of_files_written_before_are_read() -> None:
    own = isotonic(3)
    tree, arrays = encode(own, under="own")
    parts = tree["parts"]
    for name in ("at", "value", "ends", "curve_of"):
        del arrays[parts.pop(name)["array"]]
    pairs = []
    for n, corners in enumerate(own.corners):
        pairs.append({"tuple": [{"array": f"own/corners/{n}/{part}"} for part in (0, 1)]})
        arrays |= {f"own/corners/{n}/{part}": corners[part] for part in (0, 1)}
    parts["corners"] = {"tuple": pairs}
    again = decode(tree, arrays, under="own")
    scores = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_array_equal(again.predict_proba(scores), own.predict_proba(scores))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ends", [0, 40, 20, 280]),
        ("ends", [0, 200, 240, 281]),
        ("ends", [0, 0, 240, 280]),
        ("ends", []),
        ("curve_of", [0, 1, 3]),
        ("curve_of", [0, -1, 2]),
        ("curve_of", [0, 1]),
        ("at", [0.0]),
        ("value", [np.nan] * 280),
        ("value", np.linspace(1, 0, 280).tolist()),
    ],
)
def test_curves_that_are_none_are_refused(name: str, value: list[float]) -> None:
    tree, arrays = encode(isotonic(3), under="own")
    key = tree["parts"][name]["array"]
    arrays[key] = np.array(value, dtype=arrays[key].dtype)
    with pytest.raises(DamagedFile):
        decode(tree, arrays, under="own")


def test_sequences_of_a_few_things_keep_each_once() -> None:
    first, second = Range(np.zeros(1), np.ones(1)), Range(np.ones(1), np.ones(1))
    things = (first, second, first) * 40
    tree, arrays = encode({"things": things, "list": [second] * 70}, under="own")
    again = decode(tree, arrays, under="own")
    assert isinstance(again["things"], tuple)
    assert isinstance(again["list"], list)
    assert len(arrays) == 6
    assert [thing is again["things"][0] for thing in again["things"]] == [True, False, True] * 40
    assert again["list"][69] is again["things"][1]
    places = next(name for name in arrays if name.endswith("places"))
    for wrong in (np.full(120, 2), np.full(120, -1), np.zeros((2, 60), dtype=np.int64), np.zeros(120)):
        with pytest.raises(DamagedFile):
            decode(tree, arrays | {places: wrong}, under="own")


def test_what_is_not_changed_is_not_copied() -> None:
    model = MODELS["support_vector"].kind()
    assert model.slimmed() is model
    assert replace(isotonic(3)).corners
