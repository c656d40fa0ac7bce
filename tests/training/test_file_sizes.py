"""What a model file holds and how large it becomes: slim files without statistics, and models of thousands of labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.decisions.calibration import Calibrated, Isotonic
from rubricate.decisions.rules import Decision
from rubricate.decisions.thresholds import Thresholds, fit_thresholds
from rubricate.errors import DamagedFile, InvalidSetting
from rubricate.foundation.jsonable import to_json
from rubricate.measures.metrics import Reliability
from rubricate.models import MODELS
from rubricate.scoring.calibrated import Range
from rubricate.storage import container
from rubricate.storage.trees import decode, encode
from rubricate.training.text_classifier import TextClassifier

WORDS = [f"word{n}" for n in range(900)]
NEW = ["word3 word5 word300 word5", "word800 word801", "nothing known", ""]
STATISTICS = {"counts", "counts.entries", "sums", "table"}  # kinds that only learning and forgetting need


def collection(several: bool) -> tuple[list[str], Any]:
    """Texts of three subjects, and their labels."""
    draw = np.random.default_rng(3)
    texts = [" ".join(draw.choice(WORDS[subject * 250 : subject * 250 + 400], 60)) for subject in [0, 1, 2] * 40]
    labels: list[Any] = ["grain", "money", "ship"] * 40
    return texts, [[label, "all"] if n % 4 == 0 else [label] for n, label in enumerate(labels)] if several else labels


def kinds_in(tree: Any) -> Iterator[str]:
    """The kinds of things in the tree of a file."""
    if isinstance(tree, dict):
        if isinstance(tree.get("kind"), str):
            yield tree["kind"]
        for part in tree.values():
            yield from kinds_in(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from kinds_in(part)


# -- slim is slim


@pytest.mark.parametrize("several", [False, True], ids=["one", "several"])
@pytest.mark.parametrize("name", MODELS)
def test_a_slim_file_holds_no_statistics_and_answers_as_the_whole_one(name: str, several: bool, tmp_path: Path) -> None:
    texts, labels = collection(several)
    model = TextClassifier(name, calibrate="sigmoid", jobs=1).fit(texts, labels)
    model.save(tmp_path / "whole.rub")
    model.save(tmp_path / "slim.rub", slim=True)
    inside = container.read(tmp_path / "slim.rub")
    assert not STATISTICS & set(kinds_in(inside.manifest["workbench"]["tree"]))
    assert not {"counts_", "documents_", "sums_", "entries"} & {
        part for name in inside.arrays for part in name.split("/")
    }
    whole, slim = ((tmp_path / f"{file}.rub").stat().st_size for file in ("whole", "slim"))
    assert slim < whole - 20_000
    again = rb.load(tmp_path / "slim.rub")
    np.testing.assert_array_equal(again.decision_function(NEW), model.decision_function(NEW))
    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    assert list(again.predict(NEW)) == list(model.predict(NEW))
    assert [again.explain(text) for text in NEW] == [model.explain(text) for text in NEW]
    for change in (again.learn, again.forget):
        with pytest.raises(InvalidSetting, match="saved slim"):
            change(texts[:1], labels[:1])


def test_a_slim_file_saved_again_is_the_same_file(tmp_path: Path) -> None:
    texts, labels = collection(several=False)
    model = TextClassifier("multinomial", jobs=1).fit(texts, labels)
    model.save(tmp_path / "slim.rub", slim=True)
    again = rb.load(tmp_path / "slim.rub")
    again.save(tmp_path / "a.rub", slim=True)
    again.save(tmp_path / "b.rub")
    for name in ("a.rub", "b.rub"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "slim.rub").read_bytes()
    assert model.counts_ is not None
    assert model.model_.counts_ is not None, "the model that was saved keeps what it has"


@pytest.mark.parametrize("name", ["multinomial", "tfidf", "rocchio"])
def test_a_slim_model_does_not_begin_anew_when_it_is_to_learn_further(name: str) -> None:
    X, y = np.random.default_rng(0).poisson(1.0, (30, 8)), np.arange(30) % 3
    slim = MODELS[name].kind().fit(X, y).slimmed()
    before = slim.decision_function(X)
    with pytest.raises(InvalidSetting, match="saved slim"):
        slim.partial_fit(X, y)
    np.testing.assert_array_equal(slim.decision_function(X), before)


def test_probabilities_of_dot_products_need_no_statistics() -> None:
    X, y = np.random.default_rng(0).poisson(1.0, (30, 8)), np.random.default_rng(1).integers(0, 2, (30, 3))
    model = rb.models.TFIDF(similarity="dot").fit(X, y)
    np.testing.assert_array_equal(model.slimmed().predict_proba(X), model.predict_proba(X))


# -- thousands of labels

MANY = 10_000


def curves(n: int, *, corners: int = 40) -> Calibrated:
    """A curve for each of n labels; every tenth shares one."""
    draw = np.random.default_rng(0)
    shared = np.linspace(-9, 9, 200), np.linspace(0.01, 0.9, 200)
    own = [
        shared if label % 10 == 0 else (np.sort(draw.normal(size=corners)), np.sort(draw.random(corners)))
        for label in range(n)
    ]
    pooled = np.arange(n) % 10 == 0
    isotonic = Isotonic(Range(np.full(n, -9.0), np.full(n, 9.0)), pooled, False, tuple(own))
    diagram = Reliability(np.array([0.1, 0.9]), np.array([0.2, 0.8]), np.array([7, 3]))
    return Calibrated(isotonic, {"isotonic": 0.5}, diagram, 5, 0)


def many_cuts(labels: list[str]) -> Thresholds:
    """Thresholds of these labels: those of a hundred, again and again."""
    draw = np.random.default_rng(1)
    truth = draw.random((30, 100)) < 0.3
    few = fit_thresholds(draw.normal(size=(30, 100)) + truth, truth, by="f", draws=0)
    again: dict[str, Any] = {"labels": tuple(labels)}
    for field in fields(few):
        part = getattr(few, field.name)
        if field.name != "labels" and isinstance(part, np.ndarray | tuple):
            again[field.name] = np.tile(part, MANY // 100) if isinstance(part, np.ndarray) else part * (MANY // 100)
    return replace(few, **again)


@pytest.fixture(scope="module")
def large() -> TextClassifier:
    """A model of 10,000 labels, with a curve and a cut for each."""
    texts = ["word3 word5", "word99 word5"]  # so few that nothing is held out
    labels = [[f"label number {n:05d}" for n in range(MANY) if n % 2 == place] for place in (0, 1)]
    model = TextClassifier("multinomial", calibrate="none", decide="half", jobs=1).fit(texts, labels)
    model.decision_ = Decision("scut", True, cuts=many_cuts([str(label) for label in model.classes_]))
    model.calibrated_ = curves(MANY)
    return model


def test_ten_thousand_labels_with_a_curve_each_are_saved_and_loaded(large: TextClassifier, tmp_path: Path) -> None:
    large.save(tmp_path / "large.rub")
    again = rb.load(tmp_path / "large.rub")
    texts = ["word3 word5", "word99"]
    np.testing.assert_array_equal(again.predict_proba(texts), large.predict_proba(texts))
    assert list(again.predict(texts)) == list(large.predict(texts))
    again.save(tmp_path / "again.rub")
    assert (tmp_path / "again.rub").read_bytes() == (tmp_path / "large.rub").read_bytes()


def test_arrays_and_manifest_do_not_grow_with_the_curves(large: TextClassifier, tmp_path: Path) -> None:
    large.save(tmp_path / "large.rub")
    inside = container.read(tmp_path / "large.rub")
    assert len(inside.arrays) < 100
    assert len(to_json(inside.manifest["workbench"])) < 20_000
    assert len(to_json(inside.manifest["calibration"] or {})) < 1000
    corners = 9000 * 40 + 200  # what is shared is kept once
    assert sum(array.size == corners for array in inside.arrays.values()) == 2


def test_labels_whose_names_are_long_are_saved_too(tmp_path: Path) -> None:
    texts = ["word3 word5", "word99 word5"]
    labels = [[f"{place} {n} {'a sentence, ' * 250}." for n in range(3000)] for place in (0, 1)]
    model = TextClassifier("multinomial", calibrate="none", decide="half", jobs=1).fit(texts, labels)
    model.save(tmp_path / "long.rub")
    again = rb.load(tmp_path / "long.rub")
    assert list(again.classes_) == list(model.classes_)


# -- curves in files


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
