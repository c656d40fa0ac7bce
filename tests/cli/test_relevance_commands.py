"""topic, route, screen, simulate: as a person or a script meets them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import pytrec_eval

from commands import Run, light_help, piped, program

NAMES = ("topic", "route", "screen", "simulate")
GRAIN = ["wheat harvest", "wheat exports of grain", "grain and wheat ships", "corn and grain", "wheat prices for grain"]
OTHER = [
    "oil prices",
    "gold mine",
    "interest rates",
    "the bank and gold",
    "oil in the gulf",
    "trade in oil",
    "shares fell",
]


@pytest.fixture
def run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """In a folder of its own, with no topics elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RUBRICATE_TOPICS", raising=False)
    return run


def rows(name: str = "") -> list[dict[str, Any]]:
    both = [(text, ["grain"]) for text in GRAIN] + [(text, ["trade"]) for text in OTHER]
    return [{"id": f"{name}d{at}", "text": text, "labels": labels} for at, (text, labels) in enumerate(both)]


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    path = tmp_path / "pile.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    return path


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "stream.jsonl"
    lines = [json.dumps(row) for row in rows("s")]
    path.write_text("\n".join([*lines[:3], "not json", *lines[3:], '{"text": 7}']) + "\n")
    return path


@pytest.fixture
def taught(run: Run, pile: Path) -> Path:
    """A topic with judgements, in the usual folder."""
    assert run("topic", "new", "grain", "wheat and corn").code == 0
    qrels = pile.with_name("qrels")
    qrels.write_text("".join(f"grain 0 d{at} {int(at < 5)}\n" for at in range(12)))
    assert run("topic", "judge", "--qrels", qrels, "--from", pile).code == 0
    return pile.with_name("topics")


def test_every_command_explains_itself(run: Run) -> None:
    for name in NAMES:
        shown = run(name, "--help")
        assert shown.code == 0
        assert "--json" in shown.out
    for name in ("new", "judge", "rank", "evaluate", "list", "show", "collection"):
        shown = run("topic", name, "--help")
        assert shown.code == 0
        assert "--json" in shown.out


def test_help_loads_nothing_heavy() -> None:
    shown = light_help(*([name] for name in NAMES))
    assert all(f"Usage: rubricate {name}" in shown for name in NAMES)


def test_a_first_afternoon(run: Run, pile: Path) -> None:
    made = run("topic", "new", "grain", "wheat and corn")
    assert made.code == 0
    assert "corn, wheat" in made.out
    assert "next: rubricate topic rank grain" in made.err
    first = run("topic", "rank", "grain", pile)
    assert "12 rows in = 12 kept + 0 rejected" in first.err
    assert "are now the background collection" in first.err
    assert "next: rubricate topic judge grain" in first.err
    told = run("topic", "rank", "grain", pile, "--json").json
    assert told["ranking"][0]["id"] in ("d3", "d0", "d1", "d2", "d4")
    assert all(row["passes"] is None for row in told["ranking"])
    assert run("topic", "judge", "grain", "d1", "yes").code == 0  # the pile is remembered
    after = run("topic", "judge", "grain", "d5", "no", "--json").json
    assert after["topics"]["grain"]["cut"]["source"] == "resubstitution"
    assert set(after["topics"]["grain"]["terms"]) >= {"wheat", "corn", "grain", "exports"}
    again = run("topic", "rank", "grain", pile, "--unjudged", "--json").json
    assert again["documents"] == 10
    assert {row["id"] for row in again["ranking"][:4]} == {"d0", "d2", "d3", "d4"}
    shown = run("topic", "show", "grain")
    assert "1 relevant, 1 not" in shown.out
    listed = run("topic", "list", "--json").json
    assert [(row["topic"], row["relevant"], row["others"]) for row in listed["topics"]] == [("grain", 1, 1)]


def test_conflicting_judgements_the_last_wins_and_history_is_kept(run: Run, taught: Path) -> None:
    shown = run("topic", "judge", "grain", "d0", "no")
    assert shown.code == 0
    assert "was judged otherwise before" in shown.err
    told = run("topic", "show", "grain", "--json").json
    assert [one["relevant"] for one in told["history"] if one["document"] == "d0"] == [True, False]
    assert told["query"]["relevant"] == 4


def test_unknown_topics_and_missing_documents_are_named_and_nothing_is_lost(
    run: Run, taught: Path, tmp_path: Path
) -> None:
    unknown = run("topic", "judge", "barley", "d0", "yes")
    assert unknown.code == 2
    assert "choose from: grain" in unknown.err
    missing = run("topic", "judge", "grain", "d99", "yes")
    assert missing.code == 65
    assert "d99 is not there" in missing.err
    qrels = tmp_path / "more"
    qrels.write_text("grain 0 d0 1\ngrain 0 d77 1\nbarley 0 d0 1\n")
    some = run("topic", "judge", "--qrels", qrels, "--rejects", tmp_path / "left", "--json")
    assert some.code == 0
    assert (some.json["judged"], some.json["missing"], some.json["unknown_topics"]) == (1, ["d77"], {"barley": 1})
    assert json.loads((tmp_path / "left").read_text()) == {"topic": "grain", "document": "d77", "relevant": True}
    assert run("topic", "judge", "--qrels", qrels, "--strict").code == 2
    qrels.write_text("grain 0 d77 1\ngrain 0 d78 1\n")
    none = run("topic", "judge", "--qrels", qrels)
    assert none.code == 65
    assert "nothing was judged" in none.err
    qrels.write_text("grain 0 d0\n")
    assert run("topic", "judge", "--qrels", qrels).code == 65
    assert len(run("topic", "show", "grain", "--json").json["history"]) == 13


def test_judgements_from_json_lines(run: Run, taught: Path, tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text('{"document": "d5", "relevant": "yes"}\n\n{"id": "d6", "relevant": false, "topic": "grain"}\n')
    told = run("topic", "judge", "grain", "--file", path, "--json").json
    assert told["judged"] == 2
    assert told["changed"] == [{"topic": "grain", "document": "d5", "now": "yes"}]
    for line, what in (
        ("{", "not valid JSON"),
        ('{"document": "d5"}', "write"),
        ('{"document": "d5", "relevant": true}', "no topic"),
    ):
        path.write_text(f'{{"document": "d6", "relevant": true, "topic": "grain"}}\n{line}\n')
        shown = run("topic", "judge", "--file", path)
        assert shown.code == 65
        assert "line 2" in shown.err
        assert what in shown.err
    assert run("topic", "judge", "--file", tmp_path / "none").code == 66


def test_what_cannot_be_asked_is_refused(run: Run, pile: Path, tmp_path: Path) -> None:
    assert run("topic", "rank", "grain", pile).code == 66  # no folder yet
    assert run("topic", "new", "grain", "").code == 2
    assert run("topic", "new", "grain", "the of").code == 2
    assert not (tmp_path / "topics").exists()
    assert run("topic", "new", "grain", "wheat", "--goal", "speed").code == 2
    assert run("topic", "new", "a b", "wheat").code == 2
    assert run("topic", "new", "grain", "wheat").code == 0
    assert run("topic", "new", "grain", "wheat").code == 2
    assert run("topic", "judge", "grain").code == 2
    assert "say where the documents are" in run("topic", "judge", "grain", "d0", "yes").err
    assert run("topic", "judge", "grain", "d0", "maybe").code == 2
    assert run("route", tmp_path / "none.jsonl").code == 66
    too_early = run("route", pile)
    assert too_early.code == 2
    assert "no topic has a threshold yet" in too_early.err
    assert run("route", pile, "--idle", "1").code == 2
    assert run("topic", "evaluate", "--run", pile).code == 2
    assert run("topic", "evaluate", "--from", pile, "--at", "x").code == 2
    assert run("screen", pile, "--topic", "oats").code == 2
    assert run("simulate", pile).code == 2
    assert run("simulate", pile, "--label", "none").code == 2
    silent = run("simulate", pile, "--label", "grain", "--says", "grain=the of")
    assert silent.code == 2
    assert "--says grain=TEXT" in silent.err


def test_a_stream_with_broken_lines_is_routed_and_nothing_is_lost(
    run: Run, taught: Path, stream: Path, tmp_path: Path
) -> None:
    shown = run("route", stream, "--rejects", tmp_path / "rejects")
    assert shown.code == 0
    assert "14 rows in = 12 kept + 2 rejected" in shown.err
    assert len((tmp_path / "rejects").read_text().splitlines()) == 2
    found = {row["id"] for row in shown.lines}
    assert {f"sd{at}" for at in range(5)} <= found
    assert all(row["topics"][0]["topic"] == "grain" for row in shown.lines)
    every = run("route", stream, "--every-document", "-o", tmp_path / "out.jsonl", "--json")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 12
    told = json.loads(every.out)
    assert (told["documents"], told["routed"], told["rows"]) == (12, len(found), {"in": 14, "kept": 12, "rejected": 2})
    strict = run("route", stream, "--strict")
    assert strict.code == 65
    assert "line 4" in strict.err


def test_a_topic_without_a_cut_lets_nothing_pass_and_is_told(run: Run, taught: Path, stream: Path) -> None:
    run("topic", "new", "gold", "gold")
    shown = run("route", stream)
    assert "1 topics have no threshold yet" in shown.err
    assert all(own["topic"] == "grain" for row in shown.lines for own in row["topics"])


def test_standard_input_is_answered_line_by_line(run: Run, taught: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        program("route", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        for name in ("first", "second"):
            child.stdin.write(json.dumps({"id": name, "text": "wheat and grain harvest"}).encode() + b"\n")
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["id"] == name  # answered before the next line is written
        child.stdin.write(b"broken\n")
        child.stdin.close()
        assert "3 rows in = 2 kept + 1 rejected" in child.stderr.read().decode()
        assert child.wait() == 0


def test_a_growing_file_is_followed_and_an_end_by_idleness_is_told(
    run: Run, taught: Path, stream: Path, tmp_path: Path
) -> None:
    out = tmp_path / "routed.jsonl"
    with subprocess.Popen(
        program("route", str(stream), "--follow", "--idle", "3", "-o", str(out), "--json"),
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as child:
        for _ in range(600):
            if out.exists() and out.read_text().count("\n") >= 5:
                break
            time.sleep(0.05)
        with stream.open("a") as more:
            more.write(json.dumps({"id": "late", "text": "wheat grain"}) + "\n")
        told = json.loads(child.communicate()[0])
        assert child.returncode == 0
    assert told["rows"] == {"in": 15, "kept": 13, "rejected": 2}
    assert json.loads(out.read_text().splitlines()[-1])["id"] == "late"


def test_evaluation_by_labels_and_by_qrels_agree_with_trec_eval(
    run: Run, taught: Path, stream: Path, tmp_path: Path
) -> None:
    told = run(
        "topic", "evaluate", "--from", stream, "--run-out", tmp_path / "run", "--qrels-out", tmp_path / "truth", "--json"
    ).json  # fmt: skip
    with (tmp_path / "run").open() as a, (tmp_path / "truth").open() as b:
        peer = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(b), {"map", "Rprec", "P.5"})
        wanted = peer.evaluate(pytrec_eval.parse_run(a))
    row = told["topics"][0]
    assert row["average_precision"] == pytest.approx(wanted["grain"]["map"], abs=1e-6)
    assert row["r_precision"] == pytest.approx(wanted["grain"]["Rprec"], abs=1e-6)
    assert row["precision_at"]["5"] == pytest.approx(wanted["grain"]["P_5"], abs=1e-6)
    assert row["f1"] > 0.8
    again = run("topic", "evaluate", "--run", tmp_path / "run", "--qrels", tmp_path / "truth", "--json").json
    assert again["average_precision"] == told["average_precision"]
    shown = run("topic", "evaluate", "--from", stream, "--qrels", tmp_path / "truth")
    assert "mean" in shown.out
    assert run("topic", "evaluate", "--from", stream, "--qrels", tmp_path / "none").code == 66


def test_documents_that_were_learned_from_are_not_evaluated(run: Run, taught: Path, pile: Path) -> None:
    shown = run("topic", "evaluate", "--from", pile)
    assert shown.code == 2
    assert "no document is known to be relevant" in shown.err
    told = run("topic", "evaluate", "--from", pile, "--all-documents", "--json").json
    assert told["topics"][0]["relevant"] == 5


def test_the_collection_may_be_a_file_of_counts(run: Run, pile: Path, tmp_path: Path) -> None:
    run("topic", "new", "grain", "wheat")
    assert run("count", pile, "-o", tmp_path / "counts").code == 0
    wrong = run("topic", "background", tmp_path / "counts")
    assert wrong.code == 65
    assert "count again" in wrong.err
    assert run("count", pile, "-r", "stop=english", "-o", tmp_path / "counts").code == 0
    assert run("topic", "background", tmp_path / "counts", "--json").json["documents"] == 12
    assert run("topic", "background", pile, "--json").json["documents"] == 12
    told = run("topic", "judge", "grain", "new", "yes", "--this-text", "wheat from the field", "--json").json
    assert told["judged"] == 1


def test_text_is_kept_only_if_asked(run: Run, taught: Path, pile: Path) -> None:
    def everything() -> bytes:
        return b"".join(path.read_bytes() for path in taught.rglob("*") if path.is_file())

    assert b"wheat exports of grain" not in everything()
    run("topic", "judge", "grain", "d1", "no", "--keep-text")
    assert b"wheat exports of grain" in everything()


def test_the_folder_may_be_named_by_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RUBRICATE_TOPICS", str(tmp_path / "mine"))
    run("topic", "new", "grain", "wheat")
    assert (tmp_path / "mine" / "grain" / "topic.json").is_file()
    monkeypatch.delenv("RUBRICATE_TOPICS")
    made = run("topic", "new", "oil", "oil", "--topics", tmp_path / "mine")
    assert f"--topics {tmp_path / 'mine'}" in made.err
    assert len(run("topic", "list", "--topics", tmp_path / "mine", "--json").json["topics"]) == 2


def test_a_pile_is_screened_to_its_end(run: Run, pile: Path) -> None:
    run("topic", "new", "grain", "wheat")
    truth = {row["id"]: "yes" if "grain" in row["labels"] else "no" for row in rows()}
    for _ in range(10):
        told = run("screen", pile, "--topic", "grain", "-n", 4, "--random", 0.25, "--json").json
        if not told["next"]:
            break
        assert told["left"]["low"] <= 5 - told["found"] <= told["left"]["high"]
        assert told["next"] == run("screen", pile, "--topic", "grain", "-n", 4, "--json").json["next"]  # until judged
        for one in told["next"]:
            assert run("topic", "judge", "grain", one["id"], truth[one["id"]]).code == 0
    assert (told["judged"], told["found"], told["left"]["high"]) == (12, 5, 0)
    assert [own["stop"] for own in told["stop"]] == [True, True]
    shown = run("screen", pile, "--topic", "grain")
    assert "found 5 relevant" in shown.out
    assert "stop: " in shown.out


def test_a_person_is_asked_and_each_answer_is_kept_at_once(run: Run, pile: Path) -> None:
    run("topic", "new", "grain", "wheat")
    with piped(b"yes\nno\nquit\n"):
        ran = run("screen", pile, "--topic", "grain", "--judge", "-n", 3, "--random", 0)
    assert ran.code == 0, ran.err
    assert "judged 2 of 12 documents; found 1 relevant" in ran.out
    assert len(run("topic", "show", "grain", "--json").json["history"]) == 2
    assert run("screen", pile, "--topic", "grain", "--judge", "--json").code == 2


def test_simulate_tells_work_saved_tests_and_whether_stopping_was_right(run: Run, pile: Path) -> None:
    words = [
        "simulate",
        pile,
        "--every-label",
        "--least",
        3,
        "--says",
        "grain=wheat and corn",
        "--batch",
        2,
        "--seeds",
        2,
    ]
    told = run(*words, "--json").json
    assert [one["topic"] for one in told["topics"]] == ["grain", "trade"]
    assert [one["relevant"] for one in told["topics"]] == [5, 7]
    assert all(len(one["feedback"]) == 2 for one in told["topics"])
    assert {one["other"] for one in told["tests"]} == {"one-shot Rocchio", "random order"}
    assert run(*words, "--json").json == told
    shown = run(*words)
    assert "saved (WSS@95)" in shown.out
    assert "sign test" in shown.out
    assert "stopping by the ranking" in shown.out
    assert "next: rubricate screen" in shown.err
