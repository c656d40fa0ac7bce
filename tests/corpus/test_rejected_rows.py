"""Input of which too much cannot be used is refused; and nothing is written over what is read."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb
from commands import Run, piped
from rubricate.errors import InputError, InvalidSetting, RejectsWarning

WORDS = {"grain": "wheat corn rye crop", "money": "stock bank share fund"}


def write_csv(path: Path, rows: list[str], header: str = "id,label,text") -> Path:
    path.write_bytes("".join(f"{row}\n" for row in [header, *rows]).encode("cp1252"))
    return path


def sound(n: int, first: int = 0) -> list[str]:
    return [f"{first + k},{label},{words} {k}" for k, (label, words) in enumerate(list(WORDS.items()) * n)][:n]


FAILURES: dict[str, tuple[Callable[[int], str], str, list[str]]] = {
    "encoding": (lambda n: f"{100 + n},grain,caf\u00e9", "the row is not valid utf-8", ["--encoding", "utf-8"]),
    "ragged rows": (lambda n: f"{100 + n},grain,a" + ",b" * (n + 1), "4 cells where the header has 3", []),
    "repeated ids": (lambda n: f"{n},grain,again", "id '0' was given before", []),
    "quotes": (lambda n: f'{100 + n},grain,"a" b', "a quote in this line is not closed properly", []),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.rub"
    labels = list(WORDS) * 20
    rb.TextClassifier("multinomial").fit([WORDS[label] for label in labels], labels).save(path)
    return path


@pytest.mark.parametrize("name", FAILURES)
def test_more_than_a_tenth_of_rows_failing_for_one_reason_stops_every_command_that_writes(
    tmp_path: Path, run: Run, model: Path, name: str
) -> None:
    row, reason, options = FAILURES[name]
    path = write_csv(tmp_path / "a.csv", [*sound(35), *(row(n) for n in range(5))])
    own = tmp_path / "own.rub"
    own.write_bytes(model.read_bytes())
    out = tmp_path / "out"
    out.write_text("as it was")
    for command in (
        ["train", path, "-o", out, "--model", "multinomial", "--no-curve"],
        ["count", path, "-o", out],
        ["predict", model, path, "-o", out],
        ["learn", own, path],
        ["forget", own, path],
        ["split", path, "--test-set", "0.3", "-o", tmp_path / "parts"],
        ["label-errors", path, "--model", "multinomial", "-o", out],
    ):
        ran = run(*command, *options)
        assert ran.code == 65, (command, ran.err)
        assert f"5 of 40 rows cannot be used: {reason} ({path} line 37, {path} line 38, {path} line 39, …); " in ran.err
        assert "to go on without these rows: --keep-going" in ran.err
    assert (out.read_text(), own.read_bytes()) == ("as it was", model.read_bytes())
    assert not (tmp_path / "parts" / "train.jsonl").exists()
    ran = run("train", path, "-o", out, "--model", "multinomial", "--no-curve", "--json", "--keep-going", *options)
    assert (ran.code, ran.json["rows"]["rejected"], ran.json["documents"]) == (0, 5, 35)


def test_answers_printed_so_far_are_followed_by_the_refusal(tmp_path: Path, run: Run, model: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(30_000), *(f"{n},grain,again" for n in range(4_000))])
    ran = run("predict", model, path)
    assert ran.code == 65
    assert len(ran.lines) <= 30_000  # how many, threads that read ahead decide
    assert ran.err.startswith("rubricate: ")
    assert "4,000 of 34,000 rows cannot be used: id '0' was given before" in ran.err
    assert len(run("predict", model, path, "--keep-going").lines) == 30_000


def test_info_shows_what_there_is_before_it_refuses(tmp_path: Path, run: Run) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(35), *(f"{n},grain,again" for n in range(5))])
    shown, told = run("info", path), run("info", path, "--json")
    assert (shown.code, told.code, run("info", path, "--keep-going").code) == (65, 65, 0)
    assert "40 rows in = 35 kept + 5 rejected" in shown.err
    assert "5 of 40 rows cannot be used" in shown.err
    assert told.json["documents"] == 35


@pytest.mark.parametrize(("good", "bad", "code"), [(45, 5, 0), (44, 5, 65), (17, 2, 0), (18, 3, 65), (0, 19, 0)])
def test_a_tenth_of_twenty_rows_is_the_limit(tmp_path: Path, run: Run, good: int, bad: int, code: int) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(good), *(f"{100 + n},grain" for n in range(bad))])
    assert run("info", path).code == code


def test_different_reasons_are_not_added_up(tmp_path: Path, run: Run) -> None:
    bad = [f"{100 + n},grain" for n in range(4)] + [f"{n},grain,again" for n in range(4)] + [",,"] * 4
    path = write_csv(tmp_path / "a.csv", [*sound(38), *bad])
    assert run("info", path).code == 0
    assert len(rb.read(path).ids) == 38


def test_python_is_warned_and_may_ask_for_silence_or_refusal(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(35), *(f"{100 + n},grain" for n in range(5))])
    said = r"a\.csv: 5 of 40 rows cannot be used: 2 cells where the header has 3 \(.* line 37, .*, …\); quote cells"
    with pytest.warns(RejectsWarning, match=said):
        assert len(rb.read(path).ids) == 35
    with pytest.raises(InputError, match=said):
        rb.read(path, keep_going=False).ids  # noqa: B018
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(rb.read(path, keep_going=True).ids) == 35


def test_a_live_stream_is_refused_at_its_end(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "topics"
    assert run("topic", "new", "grain", "wheat corn", "--topics", folder).code == 0
    pile = tmp_path / "pile.jsonl"
    pile.write_text("".join(json.dumps({"id": f"d{n}", "text": list(WORDS.values())[n % 2]}) + "\n" for n in range(40)))
    assert run("topic", "rank", "grain", pile, "--topics", folder).code == 0
    for n, verdict in ((0, "yes"), (2, "yes"), (1, "no"), (3, "no")):
        assert run("topic", "judge", "grain", f"d{n}", verdict, "--topics", folder).code == 0
    live = (pile.read_text() + "broken\n" * 10).encode()
    for options, code in (([], 65), (["--json"], 65), (["--keep-going"], 0)):
        with piped(live):
            ran = run("route", "-", "--topics", folder, *options)
        assert (ran.code, len(ran.out.splitlines())) == (code, 20), ran.err
        assert ("10 of 50 rows cannot be used: not valid JSON" in ran.err) == bool(code)


# nothing is written over what is read


def linked(path: Path, kind: str) -> Path:
    other = path.with_name(f"other-{path.name}")
    if kind == "hard":
        other.hardlink_to(path)
    elif kind == "soft":
        other.symlink_to(path)
    return path if kind == "same" else other


KINDS = ["same", "hard", "soft"]


@pytest.mark.parametrize("kind", KINDS)
def test_rejects_never_empty_the_input_whatever_its_name(tmp_path: Path, run: Run, kind: str) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(30), "broken"])
    content = path.read_bytes()
    ran = run("info", path, "--rejects", linked(path, kind))
    assert ran.code == 2
    assert "is part of the input" in ran.err
    with pytest.raises(InvalidSetting, match="is part of the input"):
        rb.read(path, rejects=tmp_path / ("a.csv" if kind == "same" else "other-a.csv"))
    assert path.read_bytes() == content


def test_rejects_never_empty_the_file_that_is_standard_input(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_csv(tmp_path / "a.csv", [*sound(30), "broken"])
    content = path.read_bytes()
    for command in (["info", "-", "--rejects", path], ["count", "-", "-o", path]):
        with path.open() as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            ran = run(*command)
        assert (ran.code, path.read_bytes()) == (2, content), ran.err


def test_a_rejects_file_linked_to_a_document_of_a_folder_leaves_the_document_alone(tmp_path: Path) -> None:
    folder = tmp_path / "pile" / "grain"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("wheat")
    (folder / "b.txt").write_bytes(b"\xff")
    rejects = tmp_path / "rejects.jsonl"
    rejects.hardlink_to(folder / "a.txt")
    assert rb.read(tmp_path / "pile", rejects=rejects).texts == ["wheat"]
    assert "not valid utf-8" in rejects.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_no_output_is_written_over_the_documents_or_the_model(tmp_path: Path, run: Run, model: Path, kind: str) -> None:
    path = write_csv(tmp_path / "a.csv", sound(40))
    own = tmp_path / "own.rub"
    own.write_bytes(model.read_bytes())
    other, other_model = linked(path, kind), linked(own, kind)
    held = path.read_bytes(), own.read_bytes()
    for command in (
        ["predict", own, path, "-o", other],
        ["predict", own, path, "-o", other_model],
        ["predict", own, path, "--rejects", other_model],
        ["learn", own, path, "--rejects", other_model],
        ["train", path, "-o", other],
        ["learn", own, path, "-o", other],
        ["count", path, "-o", other],
        ["label-errors", path, "-o", other],
        ["evaluate", own, path, "--report", other],
        ["evaluate", own, path, "--report", other_model],
    ):
        ran = run(*command)
        assert ran.code == 2, (command, ran.err)
        assert "write it somewhere else" in ran.err
    assert (path.read_bytes(), own.read_bytes()) == held


def test_a_split_into_the_folder_of_its_own_input_is_refused(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "train.jsonl"
    rows = [
        json.dumps({"id": str(n), "text": WORDS[label], "label": label}) for n, label in enumerate(list(WORDS) * 10)
    ]
    path.write_text("\n".join(rows))
    ran = run("split", path, "--test-set", "0.3", "-o", tmp_path)
    assert ran.code == 2
    assert "write it somewhere else" in ran.err
    assert (path.read_text(), (tmp_path / "test.jsonl").exists()) == ("\n".join(rows), False)


def test_rejects_and_the_output_are_two_files(tmp_path: Path, run: Run) -> None:
    path: Any = write_csv(tmp_path / "a.csv", sound(40))
    assert run("count", path, "-o", tmp_path / "x", "--rejects", tmp_path / "x").code == 2
    assert run("count", path, "-o", tmp_path / "x", "--rejects", os.devnull).code == 0
