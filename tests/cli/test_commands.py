"""The commands, as a person or a script meets them."""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
from pathlib import Path

import pytest

import rubricate as rb
import toy
from commands import Run, light_help, piped, program
from rubricate.cli import COMMANDS, exit_code
from rubricate.cli.output import printable
from rubricate.errors import DamagedFile, InputError, InvalidSetting, MissingData, NeverCounted, UnknownName


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    path = tmp_path / "toy.jsonl"
    rows = zip(toy.IDS, toy.TEXTS, toy.LABELS, strict=True)
    path.write_text("".join(json.dumps({"id": i, "text": t, "labels": ls}) + "\n" for i, t, ls in rows))
    return path


@pytest.fixture
def with_bad_rows(tmp_path: Path) -> Path:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "one", "label": "a"}\n{"text": "two", "label": 7}\nnot json\n{"text": "three"}\n')
    return path


def test_help_answers_at_once_and_loads_nothing_heavy() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shown = light_help([])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert all(name in shown for name in COMMANDS)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert cpu < 1.0  # the goal of 0.3 s is measured by `make bench`; this only catches a heavy import


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(run: Run, name: str) -> None:
    shown = run(name, "--help")
    assert shown.code == 0
    assert "Usage: rubricate" in shown.out
    assert "--json" in shown.out


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        (["screen"], "--target", "--recall"),
        (["screen"], "--level", "--confidence"),
        (["simulate"], "--level", "--confidence"),
        (["split"], "--test", "--test-set"),
        (["topic", "rank"], "--run", "--run-out"),
    ],
)
def test_an_option_keeps_its_older_spelling_which_the_help_does_not_show(
    run: Run, command: list[str], old: str, new: str
) -> None:
    words = run(*command, "--help").out.split()
    assert new in words
    assert old not in words
    values = [run(*command, spelling, "not a number" if command != ["split"] else "0.3") for spelling in (old, new)]
    assert values[0].code == values[1].code == 2
    assert all("No such option" not in value.err for value in values)


def test_commands_keep_their_older_names_which_the_help_does_not_list(run: Run, jsonl: Path, tmp_path: Path) -> None:
    assert "noise" not in run("--help").out
    assert run("noise", "--help").out.splitlines()[2:] == run("label-errors", "--help").out.splitlines()[2:]
    assert "collection " not in run("topic", "--help").out
    background, collection = (
        run("topic", name, jsonl, "--topics", tmp_path / name, "--json") for name in ("background", "collection")
    )
    assert background.json == collection.json
    assert background.json["documents"] == 4


def test_info_tells_documents_labels_and_the_account(run: Run, jsonl: Path) -> None:
    shown = run("info", jsonl)
    assert shown.code == 0
    assert "4 documents" in shown.out
    assert "9 terms" in shown.out
    assert "4 rows in = 4 kept + 0 rejected" in shown.err
    assert "next: rubricate terms" in shown.err
    told = run("info", jsonl, "--json").json
    assert told["labels"] == {"grain": 2, "trade": 2}
    assert told["lengths"] == {"min": 3, "median": 3, "mean": 3.5, "max": 4, "empty": 0}
    assert told["occurrences"] == 14
    assert told["labels_a_document"] == {"0": 1, "1": 2, "2": 1}


def test_info_notices_repeats_and_labels_that_look_alike(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "again.csv"
    path.write_text("text,label\nsame,Spam\nsame,spam\nsame,Spam\nother,x\n")
    told = run("info", path, "--json").json
    assert told["repeated_texts"] == 2
    assert told["repeated_with_other_labels"] == 1
    assert any("'Spam', 'spam'" in note for note in told["notes"])


def test_bad_rows_are_told_kept_apart_and_do_not_stop_the_rest(run: Run, with_bad_rows: Path, tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    shown = run("info", with_bad_rows, "--rejects", rejects)
    assert shown.code == 0
    assert "4 rows in = 2 kept + 2 rejected" in shown.err
    assert "line 2" in shown.err
    rows = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert len(rows) == 2
    assert "line 2" in rows[0]["where"]
    strict = run("info", with_bad_rows, "--strict")
    assert strict.code == 65
    assert "line 2: label is a number (7)" in strict.err


def test_counts_merge_and_are_taken_back(run: Run, jsonl: Path, tmp_path: Path) -> None:
    lines = jsonl.read_text().splitlines(keepends=True)
    (tmp_path / "first.jsonl").write_text("".join(lines[:2]))
    (tmp_path / "last.jsonl").write_text("".join(lines[2:]))
    for name in ("toy", "first", "last"):
        assert run("count", tmp_path / f"{name}.jsonl", "-o", tmp_path / f"{name}.counts").code == 0
    assert run("merge", tmp_path / "last.counts", tmp_path / "first.counts", "-o", tmp_path / "all.counts").code == 0
    assert (tmp_path / "all.counts").read_bytes() == (tmp_path / "toy.counts").read_bytes()
    told = run(
        "merge", tmp_path / "all.counts", "--minus", tmp_path / "last.counts", "-o", tmp_path / "back.counts", "--json"
    ).json
    assert told["documents"] == 2
    assert (tmp_path / "back.counts").read_bytes() == (tmp_path / "first.counts").read_bytes()
    never = run("merge", tmp_path / "first.counts", "--minus", tmp_path / "last.counts", "-o", tmp_path / "x.counts")
    assert never.code == 65
    assert not (tmp_path / "x.counts").exists()


def test_terms_of_a_file_or_of_its_counts(run: Run, jsonl: Path, tmp_path: Path) -> None:
    run("count", jsonl, "-o", tmp_path / "toy.counts")
    for path in (jsonl, tmp_path / "toy.counts"):
        told = run("terms", path, "--json", "--top", "2").json
        assert told == [
            {"term": "corn", "occurrences": 3, "documents": 2},
            {"term": "and", "occurrences": 2, "documents": 2},
        ]
        told = run("terms", path, "--json", "--label", "grain", "--top", "1").json
        assert told[0]["term"] == "corn"
        assert told[0]["documents_of_grain"] == 2
    assert "corn" in run("terms", jsonl).out
    wrong = run("terms", jsonl, "--label", "grein")
    assert wrong.code == 2
    assert "grain, trade" in wrong.err


def test_recipes_are_chosen_on_the_command_line(run: Run, jsonl: Path) -> None:
    told = run("terms", jsonl, "--json", "--recipe", "stop=english,pairs", "--top", "50").json
    assert "trade talks" in [row["term"] for row in told]
    wrong = run("terms", jsonl, "--recipe", "nobody")
    assert wrong.code == 2
    assert "choose from" in wrong.err


def test_standard_input_is_read_as_a_dash(run: Run, jsonl: Path) -> None:
    with piped(jsonl.read_bytes()):
        assert run("info", "-", "--json").json["documents"] == 4


def test_split_writes_both_parts_and_loses_nothing(run: Run, jsonl: Path, tmp_path: Path) -> None:
    shown = run("split", jsonl, "--test-set", "1", "-o", tmp_path / "parts")
    assert shown.code == 0
    parts = [rb.read(tmp_path / "parts" / f"{name}.jsonl") for name in ("train", "test")]
    assert sorted(parts[0].ids + parts[1].ids) == toy.IDS
    assert len(parts[1]) == 1
    assert run("split", jsonl, "--test-set", "most", "-o", tmp_path / "parts").code == 2


def test_split_by_a_column_keeps_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "dated.csv"
    path.write_text("text,label,date\none,a,1987-04-01\ntwo,b,1987-04-09\n")
    assert run("split", path, "--test-set", "date>=1987-04-08", "-o", tmp_path / "parts").code == 0
    assert json.loads((tmp_path / "parts" / "test.jsonl").read_text())["date"] == "1987-04-09"


def test_collections_are_listed_with_where_to_get_them(run: Run) -> None:
    shown = run("collections")
    assert "reuters21578" in shown.out
    assert "9,603 train / 3,299 test" in shown.out
    assert len(run("collections", "--json").json) == 5
    assert run("collections", "enquiries", "--verify", "--json").json[0]["verified"] == {
        "labelled": "same",
        "new": "same",
    }
    assert run("collections", "nothing").code == 2
    assert run("info", "enquiries", "--json").json["documents"] == 1200
    assert run("info", "enquiries", "--part", "test", "--json").json["documents"] == 190


def test_a_collection_that_is_not_there_is_missing_data(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUBRICATE_DATA", raising=False)
    shown = run("info", "reuters21578", "--data", tmp_path)
    assert shown.code == 66
    assert "reuters21578" in shown.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MissingData("x", "not there"), 66),
        (InputError("x", "bad"), 65),
        (DamagedFile("x"), 65),
        (NeverCounted("x"), 65),
        (UnknownName("label", "x", ["y"]), 2),
        (InvalidSetting("x"), 2),
        (OSError(28, "No space left on device"), 74),
    ],
)
def test_exit_codes_mean_something(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_a_full_disk_ends_with_74_and_one_sentence(
    run, jsonl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    shown = run("count", jsonl, "-o", tmp_path / "x.counts")
    assert shown.code == 74
    assert "No space left" in shown.err
    assert "Traceback" not in shown.err
    assert not (tmp_path / "x.counts").exists()


def test_unknown_commands_and_missing_options_are_usage_errors(run: Run, jsonl: Path) -> None:
    assert run("no-such-command").code == 2
    assert run("count", jsonl).code == 2


def test_control_characters_from_documents_do_not_reach_the_terminal() -> None:
    assert printable("a\x1b[31mred\nb") == "a\\x1b[31mred b"
    assert printable("x" * 100, 10) == "x" * 9 + "…"


def test_a_reader_that_goes_away_is_no_error() -> None:
    pipeline = f"{shlex.join(program('collections'))} | head -1"
    done = subprocess.run(pipeline, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
