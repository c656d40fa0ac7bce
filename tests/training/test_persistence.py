"""A TextClassifier on disk: saved, loaded, damaged, interrupted. What the container promises holds for whole models."""

from __future__ import annotations

import hashlib
import json
import pickle
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import Run, code_of
from hostile_input import Canary, flipped, killed_while_saving, limited, names_in, refused
from rubricate.errors import RubricateError
from rubricate.storage.manifest import FORMAT
from rubricate.training.text_classifier import TextClassifier

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
    np.testing.assert_allclose(model.decision_function(texts), before, rtol=1e-12, atol=1e-12)
    assert model.explain(texts[0])


def test_every_format_has_files_of_classifiers() -> None:
    assert {path.parent.name for path in OLD} == {f"workbench_format_{n}" for n in range(1, FORMAT + 1)}
