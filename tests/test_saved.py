"""A TextClassifier on disk: saved, loaded, damaged, interrupted. What the container promises holds for whole models."""

from __future__ import annotations

import builtins
import hashlib
import json
import os
import pickle
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate import model_file
from rubricate.cli import main
from rubricate.errors import DamagedFile, RubricateError, TooLarge
from rubricate.pipeline import TextClassifier

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


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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
    model: TextClassifier, saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slim = tmp_path / "slim.rub"
    model.save(slim, slim=True)
    assert slim.stat().st_size < saved.stat().st_size
    np.testing.assert_array_equal(rb.load(slim).predict(["corn"]), model.predict(["corn"]))
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(slim)])
    assert not ended.value.code
    assert "saved slim" in capsys.readouterr().out


# -- damage


def refused(path: Path) -> bool:
    try:
        rb.load(path)
    except (DamagedFile, TooLarge):
        return True
    return False


def test_two_thousand_flipped_bits_of_a_model_are_all_refused(saved: Path) -> None:
    content = saved.read_bytes()
    with saved.open("r+b", buffering=0) as file:
        for place in np.random.default_rng(0).integers(0, 8 * len(content), 2000).tolist():
            own = content[place // 8]
            os.pwrite(file.fileno(), bytes([own ^ 1 << place % 8]), place // 8)
            assert refused(saved), place
            os.pwrite(file.fileno(), bytes([own]), place // 8)
    assert not refused(saved)


class Canary:
    """Whoever unpickles it leaves a trace."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return builtins.open, (self.path, "w")


def test_a_pickle_called_rub_is_refused_by_library_and_command_and_not_run(tmp_path: Path) -> None:
    path, trace = tmp_path / "model.rub", tmp_path / "canary"
    path.write_bytes(pickle.dumps(Canary(str(trace))))
    with pytest.raises(RubricateError):
        rb.load(path)
    for command in (["inspect", path], ["predict", path, path], ["explain", path, "text"], ["learn", path, path]):
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in command])
        assert ended.value.code == 65
    assert not trace.exists()
    pickle.loads(path.read_bytes()).close()
    assert trace.exists(), "the canary can sing"


# -- what happens while it is saved


def test_a_disk_that_fills_up_leaves_the_old_model(model: TextClassifier, saved: Path) -> None:
    before = saved.read_bytes()
    other = TextClassifier("multinomial").fit([*TEXTS, "rye oats"], [*LABELS, "grain"])
    for size in (0, 100, 5000, len(before) // 2, len(before) - 1):
        with files_of_at_most(size), pytest.raises(OSError, match="too large"):
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


KILLED = """
import os, random, signal, sys, time
import rubricate as rb
from rubricate import model_file

path, other, moments = sys.argv[1], sys.argv[2], int(sys.argv[3])
ours = [rb.load(path), rb.load(other)]
digests = [own.save(path) for own in ours]
draw, seen, killed = random.Random(0), [0, 0], 0
for moment in range(moments):
    ready, says = os.pipe()
    child = os.fork()
    if child == 0:
        n = moment
        while True:
            ours[n % 2].save(path)
            n += 1
            if n == moment + 1:
                os.write(says, b"!")
    os.read(ready, 1)
    os.close(ready)
    os.close(says)
    time.sleep(draw.uniform(0, 0.02))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = rb.load(path)
    own = [len(one.terms_) for one in ours].index(len(found.terms_))
    assert found.save(other) == digests[own]
    seen[own] += 1
    left = [name for name in os.listdir(os.path.dirname(path)) if name.endswith(".part")]
    killed += bool(left)
    for name in left:
        os.unlink(os.path.join(os.path.dirname(path), name))
print(*seen, killed)
"""


def test_killed_while_saving_a_model_leaves_the_old_one_or_the_new(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.rub"
    TextClassifier("multinomial").fit([*TEXTS, "rye oats barley"], [*LABELS, "grain"]).save(other)
    moments = 40
    command = [sys.executable, "-c", KILLED, str(saved), str(other), str(moments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    first, second, within = map(int, done.stdout.split())
    assert first + second == moments
    assert min(first, second) > 0
    assert within > 0, "some were killed while writing"


# -- files of formats that were written once


OLD = sorted((Path(__file__).parent / "fixtures").glob("workbench_format_*/*.rub"))


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
    assert {path.parent.name for path in OLD} == {f"workbench_format_{n}" for n in range(1, model_file.FORMAT + 1)}
