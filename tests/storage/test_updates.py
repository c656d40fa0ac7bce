"""Two programs that change one file, or one topic, at the same time: no update is lost, and nothing is left lying about."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import Ran, captured
from forks import Forks
from rubricate.counts import Counts
from rubricate.errors import ChangedFile, InvalidSetting
from rubricate.foundation import files as stored
from rubricate.relevance.routing import JudgedDocument, Topics
from rubricate.relevance.routing.judgements import MOST_FILES
from rubricate.relevance.screening.session import Screening
from rubricate.training.text_classifier import TextClassifier

TEXTS = ["wheat and corn prices", "corn harvest rises", "crude oil falls", "oil exports of opec"] * 5
NAMES = ["grain", "grain", "oil", "oil"] * 5


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: captured(capfd, *arguments)


@pytest.fixture(scope="module")
def warm_forks(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Forks:
    """Forks that have imported and loaded what the commands below need."""
    folder = tmp_path_factory.mktemp("warm")
    row, counts, topics = one_row(folder / "row.jsonl", "rye is grown"), folder / "a.counts", folder / "topics"
    rb.count(["wheat"], labels=["grain"]).save(counts)
    models = [model_at(folder / f"{name}.rub", name) for name in ("multinomial", "least_squares")]
    learned = [[what, model, row] for model in models for what in ("learn", "forget")]
    topic = ["--topics", topics]
    judged = [
        ["topic", "judge", "wheat", "row-1", "yes", "--from", row, *topic],
        ["topic", "rank", "wheat", row, *topic],
    ]
    collected = ["topic", "collection", row, *topic]
    forks.warm(
        [
            *learned,
            ["merge", counts, counts, "-o", counts],
            ["topic", "new", "wheat", "wheat", *topic],
            collected,
            *judged,
        ]
    )
    return forks


AtOnce = Callable[..., list[Ran]]


@pytest.fixture
def at_once(warm_forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> AtOnce:
    """Runs commands in processes of their own, started together. feeds: rows for their standard input, which all have begun to
    read before one has a row, so that they are at work together."""

    def run_at_once(*commands: list[Any], feeds: Sequence[dict[str, str]] = ()) -> list[Ran]:
        rows = [json.dumps(row).encode() for row in feeds]
        return warm_forks.together(commands, tmp_path_factory.mktemp("at_once"), rows)

    return run_at_once


def one_row(path: Path, text: str, label: str = "grain") -> Path:
    path.write_text(json.dumps({"text": text, "label": label}) + "\n")
    return path


@cache
def fitted(name: str) -> TextClassifier:
    return TextClassifier(name).fit([f"{text} number{n}" for n, text in enumerate(TEXTS)], NAMES)


def model_at(path: Path, name: str = "multinomial") -> Path:
    fitted(name).save(path)
    return path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# -- models


@pytest.mark.parametrize("name", ["multinomial", "least_squares"])
def test_two_learns_at_once_keep_both_updates(at_once: AtOnce, tmp_path: Path, name: str) -> None:
    model, words = model_at(tmp_path / "model.rub", name), ["rye", "oats"]
    rows = [{"text": f"{word} is grown", "label": "grain"} for word in words]
    done = at_once(*[["learn", model, "-", "-f", "jsonl", "-l", "label"]] * 2, feeds=rows)
    assert [ran.code for ran in done] == [0, 0], done
    assert set(words) <= set(rb.load(model).terms_)
    assert rb.load(model).report_["documents"] == len(TEXTS) + 2
    assert [path for path in names_in(tmp_path) if path.startswith(".")] == []


def test_two_forgets_at_once_forget_both(at_once: AtOnce, tmp_path: Path) -> None:
    model = model_at(tmp_path / "model.rub")
    rows = [{"text": f"{TEXTS[n]} number{n}", "label": NAMES[n]} for n in (3, 7)]
    done = at_once(*[["forget", model, "-", "-f", "jsonl", "-l", "label"]] * 2, feeds=rows)
    assert [ran.code for ran in done] == [0, 0], done
    left = rb.load(model)
    assert left.report_["documents"] == len(TEXTS) - 2
    assert {"number3", "number7"}.isdisjoint(left.terms_)


def test_learning_through_a_link_and_by_the_name_itself_changes_one_file(at_once: AtOnce, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    model = model_at(tmp_path / "kept" / "model.rub")
    link = tmp_path / "current.rub"
    link.symlink_to(model)
    files = [one_row(tmp_path / f"{word}.jsonl", f"{word} is grown") for word in ("rye", "oats")]
    done = at_once(["learn", model, files[0]], ["learn", link, files[1]])
    assert [ran.code for ran in done] == [0, 0], done
    assert link.is_symlink()
    assert {"rye", "oats"} <= set(rb.load(model).terms_)


def test_a_file_that_was_replaced_without_the_lock_is_not_overwritten(tmp_path: Path) -> None:
    model, other = model_at(tmp_path / "model.rub"), model_at(tmp_path / "other.rub", "complement")
    with stored.updating(model):
        own = rb.load(model).learn(["rye"], ["grain"])
        shutil.copy(other, model)
        with pytest.raises(ChangedFile, match="changed by another program"):
            own.save(model)
    assert model.read_bytes() == other.read_bytes()
    assert names_in(tmp_path) == ["model.rub", "other.rub"]


def test_what_was_loaded_and_has_learned_replaces_only_what_was_loaded(tmp_path: Path) -> None:
    model = model_at(tmp_path / "model.rub")
    first, second, unchanged = rb.load(model), rb.load(model), rb.load(model)
    first.learn(["rye"], ["grain"]).save(model)
    second.learn(["oats"], ["grain"])
    with pytest.raises(ChangedFile):
        second.save(model)
    assert "rye" in rb.load(model).terms_
    second.save(tmp_path / "second.rub")
    first.learn(["barley"], ["grain"]).save(model)  # what it saved itself it may replace
    assert {"rye", "barley"} <= set(rb.load(model).terms_)
    unchanged.save(model)  # a plain copy over a file, as any other
    TextClassifier("multinomial").fit(TEXTS, NAMES).save(model)  # trained anew: no update of what is there
    first.fit(TEXTS, NAMES).save(model)
    model.unlink()
    first.learn(["millet"], ["grain"]).save(model)
    assert "millet" in rb.load(model).terms_


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_told_in_a_sentence(run: Any, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    model, more = model_at(tmp_path / "kept" / "model.rub"), one_row(tmp_path / "more.jsonl", "rye")
    before = model.read_bytes()
    (tmp_path / "kept").chmod(0o555)
    try:
        shown = run("learn", model, more)
    finally:
        (tmp_path / "kept").chmod(0o755)
    assert shown.code == 74
    assert "no file can be written in this folder" in shown.err
    assert model.read_bytes() == before


# -- the lock

HOLD = """
import sys, time
from rubricate.foundation.files import updating
with updating(sys.argv[1]):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    path = tmp_path / "file"
    path.write_text("old")
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as held:
        assert held.stdout is not None
        assert held.stdout.readline() == "held\n"
        yield path, held
        held.kill()


def test_who_waits_says_so_and_a_killed_program_holds_nothing(holder: tuple[Path, Any], monkeypatch: Any) -> None:
    path, held = holder
    monkeypatch.setattr(stored, "PATIENCE", 0.1)
    told: list[str] = []

    def waiting(text: str) -> None:
        told.append(text)
        held.kill()  # as kill -9 does: nothing is cleaned up

    with stored.updating(path, waiting=waiting), stored.updating(path):
        stored.write_atomically(path, [b"new"])
    assert told == ["waiting for another rubricate that is changing file"]
    assert path.read_text() == "new"
    assert names_in(path.parent) == ["file"]


def test_the_lock_of_a_file_that_has_been_replaced_is_not_enough(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_text("0")
    add = (
        "import sys; from pathlib import Path; from rubricate.foundation.files import updating, write_atomically\n"
        "path = Path(sys.argv[1])\n"
        "for _ in range(100):\n"
        "    with updating(path): write_atomically(path, [str(int(path.read_text()) + 1).encode()])\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", add, str(path)]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4
    assert path.read_text() == "400"


def test_without_locks_of_the_kernel_a_mark_beside_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "fcntl", None)
    monkeypatch.setattr(stored, "PATIENCE", 0.1)
    path, mark = tmp_path / "file", tmp_path / ".file.lock"
    path.write_text("old")
    with stored.updating(path), stored.reading(path):
        assert mark.exists()
        stored.write_atomically(path, [b"new"])
    assert names_in(tmp_path) == ["file"]
    mark.write_text("")
    told: list[str] = []

    def waiting(text: str) -> None:
        told.append(text)
        mark.unlink()

    with stored.updating(path, waiting=waiting):
        pass
    assert f"delete {mark}" in told[0]


# -- counts


def test_two_merges_into_one_file_at_once_keep_both(at_once: AtOnce, tmp_path: Path) -> None:
    total = tmp_path / "total.counts"
    rb.count(["wheat"], labels=["grain"]).save(total)
    for word in ("rye", "oats"):
        rb.count([word], labels=["grain"]).save(tmp_path / f"{word}.counts")
    done = at_once(*(["merge", total, tmp_path / f"{word}.counts", "-o", total] for word in ("rye", "oats")))
    assert [ran.code for ran in done] == [0, 0], done
    assert Counts.load(total).terms == ["oats", "rye", "wheat"]


# -- topics


@pytest.fixture
def topics(tmp_path: Path) -> Topics:
    made = Topics.make(tmp_path / "topics")
    made.keep_collection(rb.count(TEXTS, made.recipe))
    made.new("wheat", "wheat and corn")
    return made


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    path = tmp_path / "pile.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "text": f"wheat number{n}"}) + "\n" for n in range(40)))
    return path


def test_judgements_made_at_once_are_all_kept_once(at_once: AtOnce, topics: Topics, pile: Path) -> None:
    topic, before = topics.topic("wheat"), MOST_FILES
    for n in range(before):
        topic.judge([JudgedDocument(f"old{n}", n % 2 == 0, {"wheat": 1})])
    names = ["d0", "d1"]
    common = ["--from", pile, "--topics", topics.path, "--json"]
    done = at_once(*(["topic", "judge", "wheat", name, "yes", *common] for name in names))
    assert [ran.code for ran in done] == [0, 0], done
    history = [one.document for one in topic.history()]
    assert history[:before] == [f"old{n}" for n in range(before)]
    assert sorted(history[before:]) == names
    assert topics.query(topic).n_relevant == before // 2 + 2


ADD = """
import sys
from rubricate.relevance.routing import JudgedDocument, Topics
topic = Topics.open(sys.argv[1]).topic("wheat")
for n in range(150):
    topic.judge([JudgedDocument(f"{sys.argv[2]}{n}", True, {"wheat": 1})])
"""


def test_a_history_is_read_whole_while_others_write_it(topics: Topics) -> None:
    topic = topics.topic("wheat")
    processes = [subprocess.Popen([sys.executable, "-c", ADD, str(topics.path), who]) for who in "ab"]
    most = 0
    while any(process.poll() is None for process in processes):
        documents = [judged.document for judged in topic.history()]
        assert len(set(documents)) == len(documents) >= most
        most = len(documents)
        if not documents:
            time.sleep(0.01)  # nobody has begun to write
    assert [process.wait() for process in processes] == [0, 0]
    assert len(topic.history()) == 300


def test_two_screenings_at_once_overwrite_no_proposal(topics: Topics) -> None:
    topic, documents, scores = topics.topic("wheat"), [f"d{n}" for n in range(40)], np.linspace(0, 1, 40)
    first, second = Screening(topic, documents), Screening(topic, documents)
    proposed = [first.propose(scores, n=10, random=0.5, seed=1), second.propose(scores, n=10, random=0.5, seed=2)]
    files = [json.loads(path.read_bytes()) for path in sorted((topic.folder / "proposed").glob("*.json"))]
    assert [[*kept["chosen"], *kept["random"]] for kept in files] == proposed
    assert first.pending_or_new(scores, n=10) == proposed[1]  # what the other has proposed is judged first


def test_two_screens_at_once_propose_the_same_documents(at_once: AtOnce, topics: Topics, pile: Path) -> None:
    common = ["screen", pile, "--topic", "wheat", "--topics", topics.path, "-n", 10, "--random", 0.5, "--json"]
    done = at_once([*common, "--seed", 1], [*common, "--seed", 2])
    assert [ran.code for ran in done] == [0, 0], done
    files = sorted((topics.path / "wheat" / "proposed").glob("*.json"))
    kept = json.loads(files[0].read_bytes())
    for ran in done:
        assert {row["id"] for row in ran.json["next"]} == {*kept["chosen"], *kept["random"]}
    assert len(files) == 1


def test_two_topics_of_one_name_begun_at_once_are_one(at_once: AtOnce, tmp_path: Path) -> None:
    folder = tmp_path / "topics"
    done = at_once(*(["topic", "new", "wheat", text, "--topics", folder] for text in ("wheat prices", "corn prices")))
    assert sorted(ran.code for ran in done) == [0, 2], done
    text = Topics.open(folder).topic("wheat").text
    assert [ran.code for ran in done] == [0 if own == text else 2 for own in ("wheat prices", "corn prices")]


def test_a_device_or_a_folder_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InvalidSetting, match="name a file to write"):
            stored.write_atomically(place, [b"x"])
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
