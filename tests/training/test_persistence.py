"""A TextClassifier on disk: saved, loaded, damaged, interrupted. What the container promises holds for whole models."""

from __future__ import annotations

import hashlib
import json
import pickle
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import Run, code_of
from hostile_input import Canary, flipped, killed_while_saving, limited, names_in, refused
from rubricate.decisions.rules import Decision
from rubricate.decisions.thresholds import Thresholds, fit_thresholds
from rubricate.errors import InvalidSetting, RubricateError
from rubricate.foundation.jsonable import to_json
from rubricate.models import MODELS
from rubricate.storage import container
from rubricate.storage.manifest import FORMAT
from rubricate.training.text_classifier import TextClassifier
from stored_curves import curves

TEXTS = [
    f"{subject} number{n % 7} {['late', 'paid', 'lost'][n % 3]}"
    for n in range(60)
    for subject in ("wheat corn", "bank loan")
]
LABELS = ["grain", "money"] * 60


@pytest.fixture(scope="module")
def model() -> TextClassifier:
    return TextClassifier("multinomial").fit(TEXTS, LABELS)


@pytest.fixture
def saved(model: TextClassifier, tmp_path: Path) -> Path:
    path = tmp_path / "model.rub"
    model.save(path)
    return path


# -- what is saved is loaded


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "multinomial"},
        {"model": "support_vector"},
        {"model": "nearest_neighbours"},
        {"model": "multinomial", "decide": "density"},
        {"model": "multinomial", "select": "dkl:5", "calibrate": "none"},
    ],
    ids=str,
)
@pytest.mark.parametrize("several", [False, True])
def test_what_is_loaded_answers_and_is_saved_as_before(settings: dict[str, Any], several: bool, tmp_path: Path) -> None:
    labels: Any = [[label, "all"] if n % 4 == 0 else [label] for n, label in enumerate(LABELS)] if several else LABELS
    own = TextClassifier(**settings).fit(TEXTS, labels)
    digest = own.save(tmp_path / "a.rub")
    again = rb.load(tmp_path / "a.rub")
    new = ["corn and wheat", "a loan number3", "nothing known", ""]
    np.testing.assert_array_equal(again.predict_proba(new), own.predict_proba(new))
    assert list(again.predict(new)) == list(own.predict(new))
    assert again.explain(new[0]) == own.explain(new[0])
    assert again.save(tmp_path / "b.rub") == digest
    assert (tmp_path / "b.rub").read_bytes() == (tmp_path / "a.rub").read_bytes()


def test_same_data_and_seed_same_bytes(saved: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        TextClassifier("multinomial", jobs=jobs).fit(TEXTS, LABELS).save(tmp_path / "other.rub")
        assert (tmp_path / "other.rub").read_bytes() == saved.read_bytes()


def test_a_slim_model_answers_and_says_what_it_cannot_do(
    model: TextClassifier, saved: Path, tmp_path: Path, run: Run
) -> None:
    slim = tmp_path / "slim.rub"
    model.save(slim, slim=True)
    assert slim.stat().st_size < saved.stat().st_size
    np.testing.assert_array_equal(rb.load(slim).predict(["corn"]), model.predict(["corn"]))
    shown = run("inspect", slim)
    assert shown.code == 0
    assert "saved slim" in shown.out


# -- damage


def test_two_thousand_flipped_bits_of_a_model_are_all_refused(saved: Path) -> None:
    places = np.random.default_rng(0).integers(0, 8 * saved.stat().st_size, 2000)
    for place in flipped(saved, places.tolist()):
        assert refused(rb.load, saved), place
    assert not refused(rb.load, saved)


def test_a_pickle_called_rub_is_refused_by_library_and_command_and_not_run(tmp_path: Path) -> None:
    path, trace = tmp_path / "model.rub", tmp_path / "canary"
    path.write_bytes(pickle.dumps(Canary(trace)))
    with pytest.raises(RubricateError):
        rb.load(path)
    for command in (["inspect", path], ["predict", path, path], ["explain", path, "text"], ["learn", path, path]):
        assert code_of(*command) == 65
    assert not trace.exists()
    pickle.loads(path.read_bytes()).close()
    assert trace.exists(), "the canary can sing"


# -- what happens while it is saved


def test_a_disk_that_fills_up_leaves_the_old_model(model: TextClassifier, saved: Path) -> None:
    before = saved.read_bytes()
    other = TextClassifier("multinomial").fit([*TEXTS, "rye oats"], [*LABELS, "grain"])
    for size in (0, 100, 5000, len(before) // 2, len(before) - 1):
        with limited(resource.RLIMIT_FSIZE, size), pytest.raises(OSError, match="too large"):
            other.save(saved)
        assert saved.read_bytes() == before
        assert names_in(saved.parent) == ["model.rub"]
    other.save(saved)
    assert "rye" in rb.load(saved).terms_


SMALL_DISK = """
set -e
mount -t tmpfs -o size=$3k none "$1"
cp "$2/model.rub" "$1/model.rub"
"$4" -c 'from rubricate.cli import main; main()' learn "$1/model.rub" "$2/more.jsonl" && exit 1 || echo "code $?"
cmp "$1/model.rub" "$2/model.rub" && ls -A "$1"
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_no_space_left_is_told_with_its_code_and_leaves_the_old_model(saved: Path, tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / "more.jsonl").write_text('{"text": "rye", "label": "grain"}\n')
    room = str(saved.stat().st_size // 1024 + 12)
    script = ["unshare", "-m", "sh", "-c", SMALL_DISK, "sh", str(disk), str(tmp_path), room, sys.executable]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    if "permission denied" in done.stderr.lower():
        pytest.skip("mounting is not allowed here")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "No space left" in done.stderr
    assert done.stdout.split() == ["code", "74", "model.rub"]


TWO_MODELS = """
import sys
import rubricate as rb

path, other = sys.argv[1:]
longest = 0.02
ours = [rb.load(path), rb.load(other)]
digests = [own.save(path) for own in ours]

def save(n):
    ours[n].save(path)

def which():
    found = rb.load(path)
    n = [len(one.terms_) for one in ours].index(len(found.terms_))
    assert found.save(other) == digests[n]
    return n
"""


def test_killed_while_saving_a_model_leaves_the_old_one_or_the_new(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.rub"
    TextClassifier("multinomial").fit([*TEXTS, "rye oats barley"], [*LABELS, "grain"]).save(other)
    first, second, within = killed_while_saving(TWO_MODELS, saved, other, moments=40)
    assert first + second == 40
    assert min(first, second) > 0
    assert within > 0, "some were killed while writing"


# -- files of formats that were written once


OLD = sorted((Path(__file__).parents[1] / "fixtures").glob("workbench_format_*/*.rub"))


@pytest.mark.parametrize("path", OLD, ids=[f"{path.parent.name}/{path.stem}" for path in OLD])
def test_a_classifier_of_every_format_loads_and_says_what_it_said(path: Path) -> None:
    held = json.loads((path.parent / "said.json").read_text("utf-8"))
    own, texts = held["said"][path.stem], held["texts"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == own["digest"], "a file of a format is never written again"
    model = rb.load(path)
    assert [one if isinstance(one, list) else str(one) for one in model.predict(texts)] == own["labels"]
    np.testing.assert_allclose(model.predict_proba(texts), own["probabilities"], rtol=1e-9, atol=1e-12)
    before = model.decision_function(texts)
    label = model.classes_[0] if model._given_kind == "one" else [str(model.classes_[0])]
    model.learn(["corn and rye"], [label]).forget(["corn and rye"], [label])
    solved_anew = model.candidate_.model in ("support_vector", "maximum_entropy")
    if solved_anew:  # by another solver than the file was: near it, then the same
        np.testing.assert_allclose(model.decision_function(texts), before, atol=1e-3)
        before = model.decision_function(texts)
        model.learn(["corn and rye"], [label]).forget(["corn and rye"], [label])
    np.testing.assert_allclose(model.decision_function(texts), before, rtol=1e-12, atol=1e-12)
    assert model.explain(texts[0])


def test_every_format_has_files_of_classifiers() -> None:
    assert {path.parent.name for path in OLD} == {f"workbench_format_{n}" for n in range(1, FORMAT + 1)}


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
