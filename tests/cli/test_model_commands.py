"""train, predict, evaluate, explain, learn, forget, inspect, compare, label-errors: as a person or a script meets them."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import code_of, light_help
from rubricate import metrics
from rubricate.cli.commands.train import parse_seconds
from rubricate.corpus import batches
from rubricate.errors import InvalidSetting
from rubricate.evaluation import predictions as answers
from rubricate.scoring.forms import form_of
from rubricate.scoring.prediction_writer import bare
from rubricate.scoring.top_terms import term_weights, top_terms
from rubricate.training.choice_sentences import runner_up_sentence
from rubricate.training.text_classifier import TextClassifier

COMMANDS = ["compare", "evaluate", "explain", "forget", "inspect", "label-errors", "learn", "predict", "train"]
EVIL = "<script>\x1b[31m|label"


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_rows(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def trained(path: Path, out: Path, *more: str) -> Path:
    assert code_of("train", path, "-o", out, "--json", *more) == 0
    return out


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two parts of the sample with several labels (two text fields), and with one label a document."""
    folder = tmp_path_factory.mktemp("data")
    train, _ = rb.collections.load("enquiries")
    rows = [{"id": one.id, **one.fields, "labels": list(one.labels)} for one in list(train.documents())[:600]]
    write_rows(folder / "train.jsonl", rows[:450])
    write_rows(folder / "test.jsonl", rows[450:])
    write_rows(
        folder / "new.jsonl", [{"id": row["id"], "subject": row["subject"], "text": row["text"]} for row in rows[450:]]
    )
    one = [{"id": row["id"], "text": row["text"], "label": row["labels"][0]} for row in rows]
    write_rows(folder / "one.jsonl", one[:450])
    write_rows(folder / "one_test.jsonl", one[450:])
    return folder


@pytest.fixture(scope="module")
def models(data: Path) -> Path:
    trained(data / "train.jsonl", data / "counts.rub", "--model", "multinomial")
    trained(data / "train.jsonl", data / "weights.rub", "--model", "widrow_hoff", "--no-curve")
    trained(data / "one.jsonl", data / "one.rub", "--model", "complement", "--no-curve")
    return data


# -- help and errors


def test_no_help_loads_anything_heavy() -> None:
    shown = light_help(*([name] for name in COMMANDS))
    assert all(f"Usage: rubricate {name}" in shown for name in COMMANDS)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--model", "oracle"], "multinomial"),
        (["--model", "multinomial:smooth=1"], "smoothing"),
        (["--model", "dcm", "--select", "dkl:50"], "lengths"),
        (["--select", "luck:5"], "dkl"),
        (["--select", "dkl:50", "-T", "50"], "give one"),
        (["--weighting", "ltc"], "--model"),
        (["--decide", "coin"], "scut"),
        (["--calibrate", "hope"], "sigmoid"),
        (["--measure", "luck"], "microF"),
        (["--budget", "soon"], "5m"),
        (["--test-set", "most"], "fraction"),
        (["--recipe", "nobody"], "lewis"),
    ],
)
def test_a_wrong_choice_is_told_with_the_right_ones_before_anything_is_read(
    run: Any, tmp_path: Path, wrong: list[str], said: str
) -> None:
    documents = tmp_path / "empty.jsonl"  # would be refused (65) when it is read
    documents.touch()
    shown = run("train", documents, "-o", tmp_path / "x.rub", *wrong)
    assert shown.code == 2
    assert said in shown.err
    assert not (tmp_path / "x.rub").exists()


def test_what_is_not_there_and_what_is_no_model_have_their_exit_codes(run: Any, models: Path, tmp_path: Path) -> None:
    assert run("predict", tmp_path / "no.rub", models / "new.jsonl").code == 66
    assert run("predict", models / "test.jsonl", models / "new.jsonl").code == 65
    assert run("predict", models / "counts.rub", tmp_path / "no.jsonl").code == 66
    assert run("train", tmp_path / "no.jsonl", "-o", tmp_path / "x.rub").code == 66
    unlabelled = run("train", models / "new.jsonl", "-o", tmp_path / "x.rub")
    assert unlabelled.code == 65
    assert "--labels" in unlabelled.err
    assert run("evaluate", models / "counts.rub", models / "new.jsonl").code == 65
    cut_off = tmp_path / "cut.rub"
    cut_off.write_bytes((models / "counts.rub").read_bytes()[:-1])
    assert run("predict", cut_off, models / "new.jsonl").code == 65


def test_a_missing_folder_is_told_before_the_work(run: Any, models: Path, tmp_path: Path) -> None:
    nowhere, model, labelled = tmp_path / "nowhere" / "x", models / "counts.rub", models / "test.jsonl"
    for command in (
        ["train", tmp_path / "not-there.jsonl", "-o", nowhere],
        ["predict", tmp_path / "not-there.rub", labelled, "-o", nowhere],
        ["evaluate", model, tmp_path / "not-there.jsonl", "--report", nowhere],
        ["learn", model, tmp_path / "not-there.jsonl", "-o", nowhere],
        ["label-errors", tmp_path / "not-there.jsonl", "-o", nowhere],
    ):
        shown = run(*command)
        assert shown.code == 66
        assert "nowhere" in shown.err


def test_a_full_disk_leaves_the_old_file(
    run: Any, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "m.rub"
    model.write_bytes((models / "counts.rub").read_bytes())
    answers_before = tmp_path / "answers.jsonl"
    answers_before.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for command in (
        ["learn", model, models / "test.jsonl"],
        ["train", models / "train.jsonl", "-m", "multinomial", "-o", model],
        ["predict", model, models / "test.jsonl", "-o", answers_before],
        ["evaluate", model, models / "test.jsonl", "--report", tmp_path / "page.html"],
    ):
        shown = run(*command)
        assert shown.code == 74
        assert "No space left" in shown.err
    assert model.read_bytes() == (models / "counts.rub").read_bytes()
    assert answers_before.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.jsonl", "m.rub"]


def test_times_are_written_as_people_do() -> None:
    assert [parse_seconds(text) for text in ("90", "90s", "1.5m", "1h")] == [90, 90, 90, 3600]
    with pytest.raises(InvalidSetting):
        parse_seconds("s")


# -- train


def test_training_tells_what_was_tried_what_was_chosen_and_why(run: Any, data: Path, tmp_path: Path) -> None:
    shown = run("train", data / "train.jsonl", "-o", tmp_path / "m.rub", "--folds", "3")
    assert shown.code == 0
    model = rb.load(tmp_path / "m.rub")
    tried = model.report_["tried"]
    assert len(tried) > 4
    for row in tried:
        assert f"{row['value']:.4f}  {row['low']:.4f} to {row['high']:.4f}  {row['candidate']}" in shown.err
    assert str(model.candidate_) in shown.out
    assert model.report_["statement"] in shown.out
    assert "450 rows in = 450 kept + 0 rejected" in shown.err
    assert "next: rubricate evaluate" in shown.err


def test_the_model_of_the_command_is_that_of_the_library(run: Any, data: Path, tmp_path: Path) -> None:
    options = ["-m", "naivebayes:smoothing=0.1", "-T", "300", "--seed", "3", "--folds", "4", "--calibrate", "sigmoid"]
    told = run("train", data / "train.jsonl", "-o", tmp_path / "m.rub", "--json", *options).json
    ours = TextClassifier(
        rb.models.Multinomial(smoothing=0.1),
        select="mutual_information:300",
        folds=4,
        calibrate="sigmoid",
        learning_curve=True,
        random_state=3,
    ).fit(rb.read(data / "train.jsonl"))
    assert {key: told[key] for key in ours.report_} == json.loads(json.dumps(ours.report_))
    again = rb.load(tmp_path / "m.rub")
    new = rb.read(data / "new.jsonl")
    np.testing.assert_array_equal(again.predict_proba(new), ours.predict_proba(new))
    assert again.predict(new) == ours.predict(new)


@pytest.mark.parametrize("how", ["0.3", "60", "4pc", "ids", "kind=late"])
def test_a_test_set_is_kept_apart_and_judged(run: Any, data: Path, tmp_path: Path, how: str) -> None:
    rows = rows_of(data / "train.jsonl")
    path = write_rows(
        tmp_path / "all.jsonl", [{**row, "kind": "late" if n > 300 else "early"} for n, row in enumerate(rows)]
    )
    if how == "ids":
        (tmp_path / "ids").write_text("\n".join(row["id"] for row in rows[:50]))
        how = str(tmp_path / "ids")
    told = run(
        "train", path, "-o", tmp_path / "m.rub", "--test-set", how, "-m", "multinomial", "--no-curve", "--json"
    ).json
    assert told["documents"] + told["test"]["documents"] == len(rows)
    parts = tmp_path / "parts"
    assert run("split", path, "--test", how, "-o", parts).code == 0
    found = run("evaluate", tmp_path / "m.rub", parts / "test.jsonl", "--json").json
    assert found["overall"] == told["test"]["overall"]
    trained(parts / "train.jsonl", tmp_path / "rest.rub", "-m", "multinomial", "--no-curve")
    assert run("evaluate", tmp_path / "rest.rub", parts / "test.jsonl", "--json").json["overall"] == found["overall"]


def test_more_labels_and_the_runner_up_are_told(run: Any, data: Path, models: Path, tmp_path: Path) -> None:
    own = rb.load(models / "counts.rub")
    curve = own.report_["learning_curve"]
    shown = run("inspect", models / "counts.rub")
    assert f"{curve['sizes'][-1]:,} labelled documents" in shown.out
    page = tmp_path / "page.html"
    assert run("evaluate", models / "counts.rub", models / "test.jsonl", "--report", page).code == 0
    assert "Would more labels help?" in page.read_text()
    plain = trained(data / "train.jsonl", tmp_path / "m.rub", "--no-curve", "--folds", "3", "-m", "auto")
    assert rb.load(plain).report_["learning_curve"] is None
    assert "labelled documents" not in run("inspect", plain).out
    assert run("evaluate", plain, models / "test.jsonl", "--report", page).code == 0
    assert "Would more labels help?" not in page.read_text()
    model = rb.load(plain)
    second, rows = runner_up_sentence(model), model.report_["tried"]
    assert second is not None
    chosen = next(row for row in rows if row["candidate"] == str(model.candidate_))
    next_best = max((row for row in rows if row is not chosen), key=lambda row: row["value"])
    test = next_best["against_chosen"]
    ahead = (chosen, next_best) if chosen["behind"] is None else (next_best, chosen)
    assert second.startswith(f"«{ahead[0]['candidate']}» is ahead of «{ahead[1]['candidate']}»")
    assert f"by {abs(test['ahead']):.4f} in microF1" in second
    assert f"(p = {test['adjusted']:.4f})" in second
    assert second in run("inspect", plain).out
    assert second in run("train", data / "train.jsonl", "-o", plain, "--no-curve", "--folds", "3", "-m", "auto").out
    page_text = page.read_text()
    assert '<section id="choice"><h2>Against the runner-up</h2>' in page_text
    assert f"p = {test['adjusted']:.4f}" in page_text
    numbers = tmp_path / "page.json"
    assert run("evaluate", plain, models / "test.jsonl", "--report", numbers).code == 0
    assert json.loads(numbers.read_bytes())["choice"]["rivals"][0]["against_chosen"] == test
    for row in rows:  # as models of earlier versions have it: words and an interval
        row.pop("against_chosen", None)
    words = runner_up_sentence(model)
    assert words is not None
    assert words.startswith(f"«{ahead[0]['candidate']}» is ahead of «{ahead[1]['candidate']}»")
    assert f"by {abs(test['ahead']):.4f} in microF1" in words
    assert "(p =" not in words
    model.save(tmp_path / "old.rub")
    assert run("evaluate", tmp_path / "old.rub", models / "test.jsonl", "--report", page).code == 0
    assert 'id="choice"' not in page.read_text()
    assert "against the runner-up" in page.read_text()


def test_a_learning_curve_of_a_loss_is_told_as_falling(run: Any, data: Path, models: Path, tmp_path: Path) -> None:
    model, page = tmp_path / "m.rub", tmp_path / "page.html"
    shown = run("train", data / "train.jsonl", "-o", model, "--measure", "logloss", "--folds", "3", "-m", "prtfidf")
    curve = rb.load(model).report_["learning_curve"]
    assert curve["measure"] == "logloss"
    told = f"logloss, of which less is better, went from {curve['values'][-2]:.4f} to {curve['values'][-1]:.4f}"
    assert curve["values"][-1] < curve["values"][-2]
    assert told in shown.out
    assert told in run("inspect", model).out
    assert run("evaluate", model, models / "test.jsonl", "--report", page).code == 0
    assert told in page.read_text()


def test_what_comes_next_keeps_to_the_split_of_a_collection(run: Any, tmp_path: Path) -> None:
    few = ["-m", "multinomial", "--no-curve", "-o", tmp_path / "m.rub"]
    apart = run("train", "enquiries", "--part", "train", *few)
    assert "next: rubricate evaluate" in apart.err
    assert "enquiries --part test" in apart.err
    assert "--part train" in run("train", "enquiries", *few).err


def test_a_test_set_is_shown_in_words(run: Any, data: Path, tmp_path: Path) -> None:
    shown = run("train", data / "train.jsonl", "-o", tmp_path / "m.rub", "--test-set", "0.3", "-m", "multinomial")
    assert "135 documents were held out" in shown.out
    assert "microF1" in shown.out
    assert "next: rubricate predict" in shown.err


def test_documents_without_labels_are_no_ones_or_left_out(run: Any, data: Path, tmp_path: Path) -> None:
    rows = rows_of(data / "one.jsonl")
    path = write_rows(
        tmp_path / "some.jsonl", [{**row, "label": row["label"] if n % 10 else None} for n, row in enumerate(rows)]
    )
    shown = run("train", path, "-o", tmp_path / "m.rub", "-m", "multinomial")
    assert "--labelled-only" in shown.err
    assert rb.load(tmp_path / "m.rub").several_labels_
    told = run("train", path, "-o", tmp_path / "m.rub", "-m", "multinomial", "--labelled-only", "--json").json
    assert not told["several_labels"]
    assert told["documents"] == 405


def test_whether_documents_may_have_several_labels_is_said_or_seen(run: Any, data: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.rub"
    settings = ("-o", model, "-m", "multinomial", "--no-curve", "--json")
    for flags, multilabel in ((), False), (("--multilabel",), True), (("--single-label",), False):
        assert run("train", data / "one.jsonl", *settings, *flags).json["several_labels"] is multilabel
        assert rb.load(model).several_labels_ is multilabel
    model.unlink()
    refusal = run("train", data / "train.jsonl", *settings, "--single-label")
    assert refusal.code == 65
    assert "labels, where each document is to have one" in refusal.err
    rule = run("train", data / "one.jsonl", *settings, "--single-label", "--decide", "scut")
    assert rule.code == 2
    assert "scut" in rule.err
    assert not model.exists()


def test_standard_input_is_read_as_a_file_is(
    run: Any, data: Path, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    trained(data / "train.jsonl", tmp_path / "a.rub", "-m", "multinomial", "--no-curve")
    given((data / "train.jsonl").read_bytes() + b"not json\n")
    told = run(
        "train", "-", "-m", "multinomial", "--no-curve", "-o", tmp_path / "b.rub", "--test-set", "0.2", "--json"
    ).json
    assert told["rows"] == {"in": 451, "kept": 450, "rejected": 1}
    assert told["test"]["documents"] == 90
    given((data / "train.jsonl").read_bytes())
    assert run("train", "-", "-m", "multinomial", "--no-curve", "-o", tmp_path / "b.rub").code == 0
    new = rb.read(data / "new.jsonl")
    one, other = (rb.load(tmp_path / name).predict_proba(new) for name in ("a.rub", "b.rub"))
    np.testing.assert_array_equal(one, other)
    model, labelled = models / "counts.rub", models / "test.jsonl"
    expected = run("predict", model, labelled)
    given(labelled.read_bytes())
    assert run("predict", model, "-").out == expected.out
    given(labelled.read_bytes())
    page = tmp_path / "page.html"
    found = run("evaluate", model, "-", "--json", "--report", page).json
    assert found["overall"] == run("evaluate", model, labelled, "--json").json["overall"]
    assert page.exists()
    given(labelled.read_bytes())
    assert run("compare", model, models / "weights.rub", "-", "--json", "--draws", 50).json["documents"] == 150
    given(labelled.read_bytes())
    assert run("learn", model, "-", "-o", tmp_path / "c.rub", "--json").json["documents"] == 150
    given(b"The printer does not print and the computer shows an error since the update.")
    assert [reason["label"] for reason in run("explain", model, "-", "--json").json] == ["computers"]
    given((data / "train.jsonl").read_bytes())
    assert run("noise", "-", "-m", "multinomial", "--top", 1).code == 0


# -- predict


def test_predictions_are_those_of_the_library(run: Any, models: Path) -> None:
    new = rb.read(models / "new.jsonl")
    for name in ("counts", "weights"):
        own = rb.load(models / f"{name}.rub")
        shown = run("predict", models / f"{name}.rub", models / "new.jsonl")
        assert [row["id"] for row in shown.lines] == new.ids
        assert [sorted(row["labels"]) for row in shown.lines] == [sorted(labels) for labels in own.predict(new)]
        for row, p in zip(shown.lines, own.predict_proba(new), strict=True):
            expected = dict(zip(own.classes_, p.tolist(), strict=True))
            assert {label for label, value in expected.items() if value >= 0.0005} <= set(row["probabilities"])
            assert row["probabilities"] == pytest.approx(
                {label: expected[label] for label in row["probabilities"]}, abs=1e-6
            )
            assert list(row["probabilities"].values()) == sorted(row["probabilities"].values(), reverse=True)
        assert "150 rows in = 150 kept + 0 rejected" in shown.err
        assert "label column" not in shown.err


def test_one_label_a_document_is_given_one(run: Any, models: Path) -> None:
    own = rb.load(models / "one.rub")
    rows = run("predict", models / "one.rub", models / "one_test.jsonl").lines
    assert [row["labels"] for row in rows] == [[label] for label in own.predict(rb.read(models / "one_test.jsonl"))]


def test_neither_threads_nor_pieces_change_a_byte(
    run: Any, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("predict", models / "counts.rub", models / "new.jsonl").out
    monkeypatch.setattr(batches, "BATCH_ROWS", 7)
    monkeypatch.setattr(answers, "CELLS", 24)
    for jobs in (1, 2, 3):
        assert run("predict", models / "counts.rub", models / "new.jsonl", "--jobs", jobs).out == whole
    assert run("predict", models / "counts.rub", models / "new.jsonl", "-o", tmp_path / "out.jsonl").out == ""
    assert (tmp_path / "out.jsonl").read_text() == whole


def test_shares_of_a_batch_are_decided_on_all_documents_together(
    run: Any, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained(data / "train.jsonl", tmp_path / "m.rub", "-m", "multinomial", "--decide", "pcut", "--no-curve")
    new = rb.read(data / "new.jsonl")
    monkeypatch.setattr(batches, "BATCH_ROWS", 7)
    monkeypatch.setattr(answers, "CELLS", 24)
    own = rb.load(model).predict(new)
    shown = run("predict", model, data / "new.jsonl", "--words")
    assert [sorted(row["labels"]) for row in shown.lines] == [sorted(labels) for labels in own]
    assert "all documents together" in shown.err
    assert all(row["words"] for row in shown.lines)
    told = run("evaluate", model, data / "test.jsonl", "--json").json
    names = rb.load(model).classes_.tolist()
    truth = metrics.indicator(rb.read(data / "test.jsonl").labels, names)
    decisions = metrics.indicator(rb.load(model).predict(rb.read(data / "test.jsonl")), names)
    assert told["overall"]["microF1"]["value"] == pytest.approx(metrics.measure("microF1")(decisions, truth))
    alone = run("explain", model, "my card is lost")
    assert "batch" in alone.out
    assert ": yes" not in alone.out
    assert run("explain", model, "my card is lost", "--json").json[0]["decided"] is None
    assert run("predict", model, write_rows(tmp_path / "none.jsonl", []), "-f", "jsonl").out == ""


def test_answers_come_before_the_end_is_read(models: Path) -> None:
    texts = ["my card was lost", "the printer is broken"] * 500
    parts = list(iter(rb.Corpus.from_texts(texts)))
    pieces = [parts[0].slice(n, 10) for n in range(0, 1000, 10)]
    read = 0

    def source(tally: Any) -> Iterator[Any]:
        nonlocal read
        for piece in pieces:
            read += 1
            yield piece

    stream = rb.Corpus(source, columns=rb.Columns(), name="stream", once=True)
    found = answers.predictions(rb.load(models / "counts.rub"), stream, jobs=2)
    next(found)
    assert read < 10
    assert sum(len(piece.ids) for piece in found) == 990


def test_k_and_threshold_choose_by_probability(run: Any, models: Path) -> None:
    model, new = models / "counts.rub", models / "new.jsonl"
    p = rb.load(model).predict_proba(rb.read(new))
    names = rb.load(model).classes_.tolist()
    order = np.argsort(-p.round(12), axis=1, kind="stable")
    two = run("predict", model, new, "-k", 2).lines
    assert [set(row["labels"]) for row in two] == [{names[n] for n in row[:2]} for row in order]
    above = run("predict", model, new, "--threshold", 0.3).lines
    assert [set(row["labels"]) for row in above] == [{names[n] for n in np.flatnonzero(row > 0.3)} for row in p]
    both = run("predict", model, new, "--threshold", 0.3, "-k", 1).lines
    assert [set(row["labels"]) for row in both] == [
        {names[best[0]]} if own[best[0]] > 0.3 else set() for best, own in zip(order, p, strict=True)
    ]
    every = run("predict", model, new, "--every-label").lines
    assert all(set(row["probabilities"]) == set(names) for row in every)
    assert run("predict", model, new, "--threshold", 1.5).code == 2
    assert run("predict", model, new, "-k", 0).code == 2


def test_uncertain_documents_are_left_to_a_person(run: Any, models: Path, tmp_path: Path) -> None:
    for model, new in (("counts", "new"), ("one", "one_test")):
        plain = run("predict", models / f"{model}.rub", models / f"{new}.jsonl").lines
        rows = run("predict", models / f"{model}.rub", models / f"{new}.jsonl", "--abstain", 0.7).lines
        asked = [row["person"] for row in rows]
        assert 0 < sum(asked) < len(asked)
        assert asked == [row["certainty"] < 0.7 for row in rows]
        for row, before in zip(rows, plain, strict=True):
            assert row["labels"] == ([] if row["person"] else before["labels"])
        if model == "one":
            assert [row["certainty"] for row in rows] == [max(row["probabilities"].values()) for row in plain]
        out = tmp_path / "out.jsonl"
        told = run(
            "predict", models / f"{model}.rub", models / f"{new}.jsonl", "--abstain", 0.7, "-o", out, "--json"
        ).json
        assert told["to_a_person"] == sum(asked)
        assert told["documents"] == len(rows)
        assert told["rows"]["in"] == len(rows)


def test_every_form_says_the_same(run: Any, models: Path, tmp_path: Path) -> None:
    model, new = models / "counts.rub", models / "new.jsonl"
    rows = run("predict", model, new, "--abstain", 0.3).lines
    table = list(
        csv.DictReader(run("predict", model, new, "--abstain", 0.3, "--to", "tsv").out.splitlines(), delimiter="\t")
    )
    assert [row["id"] for row in table] == [row["id"] for row in rows]
    assert [[label for label in row["labels"].split("|") if label] for row in table] == [row["labels"] for row in rows]
    assert [row["person"] for row in table] == [str(row["person"]).lower() for row in rows]
    fasttext = run("predict", model, new, "--abstain", 0.3, "--to", "fasttext").out.split("\n")[:-1]
    assert [line.split()[::2] for line in fasttext] == [
        [f"__label__{label}" for label in row["labels"]] for row in rows
    ]
    trec = [line.split(" ") for line in run("predict", model, new, "--abstain", 0.3, "--to", "trec").out.splitlines()]
    scores = {(line[2], line[0]): float(line[4]) for line in trec}
    expected = {(row["id"], label): p for row in rows for label, p in row["probabilities"].items()}
    assert scores == pytest.approx(expected)
    assert {len(line) for line in trec} == {6}


def test_awkward_names_stay_one_field(run: Any, data: Path, tmp_path: Path) -> None:
    rows = [
        {"id": f'a "{n}"\t', "text": text, "label": label}
        for n, (text, label) in enumerate([("wheat corn rye", "two words"), ("bank loan share", EVIL)] * 20)
    ]
    path = write_rows(tmp_path / "odd.jsonl", rows)
    model = trained(path, tmp_path / "m.rub", "-m", "multinomial")
    refused = run("predict", model, path, "--to", "tsv")
    assert refused.code == 2
    assert "jsonl" in refused.err
    lines = run("predict", model, path, "--to", "trec", "--every-label").out.splitlines()
    assert {len(line.split()) for line in lines} == {6}
    assert {line.split()[0] for line in lines} == {"two%20words", bare(EVIL)}
    for command in (
        ["evaluate", model, path],
        ["inspect", model],
        ["explain", model, "bank\x1b[31m loan", "--label", EVIL],
    ):
        shown = run(*command)
        assert shown.code == 0, shown.err
        assert "\x1b[31m" not in shown.out + shown.err
    page = tmp_path / "page.html"
    assert run("evaluate", model, path, "--report", page).code == 0
    assert "<script" not in page.read_text()


def test_words_say_what_speaks_for_each_label(run: Any, models: Path) -> None:
    for name in ("counts", "weights"):
        own = rb.load(models / f"{name}.rub")
        texts = rb.read(models / "new.jsonl").texts
        rows = run("predict", models / f"{name}.rub", models / "new.jsonl", "--print-word-scores").lines
        for row, text in list(zip(rows, texts, strict=True))[:10]:
            reasons = {one.label: one.terms for one in own.explain(text, top=3)}
            assert set(row["words"]) == set(reasons)
            for label, terms in reasons.items():
                found = dict(row["words"][label])
                assert [abs(value) for value in found.values()][:3] == pytest.approx([abs(value) for _, value in terms])
                assert {term: found[term] for term, _ in terms if term in found} == pytest.approx(
                    {term: value for term, value in terms if term in found}
                )
    assert run("predict", models / "counts.rub", models / "new.jsonl", "--words", "--to", "tsv").code == 2


# -- evaluate


def test_an_evaluation_is_that_of_the_answers(run: Any, models: Path) -> None:
    own, labelled = rb.load(models / "counts.rub"), rb.read(models / "test.jsonl")
    names = own.classes_.tolist()
    truth = metrics.indicator(labelled.labels, names)
    decisions = metrics.indicator(own.predict(labelled), names)
    told = run("evaluate", models / "counts.rub", models / "test.jsonl", "--json").json
    assert told["overall"]["microF1"]["value"] == pytest.approx(metrics.measure("microF1")(decisions, truth))
    assert told["calibration"]["log_loss"] == pytest.approx(metrics.log_loss(own.predict_proba(labelled), truth))
    assert [row["documents"] for row in told["labels"]] == np.asarray(truth.sum(axis=0)).ravel().tolist()
    shown = run("evaluate", models / "counts.rub", models / "test.jsonl", "--top", 2)
    assert all(sentence in shown.out for sentence in told["sentences"])
    assert "6 more (--top 0" in shown.out
    assert "calibration error" in shown.out
    assert "next: rubricate evaluate" in shown.err


def test_a_report_is_one_page_with_mistakes_and_the_words_behind_them(run: Any, models: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    shown = run("evaluate", models / "counts.rub", models / "test.jsonl", "--report", page)
    assert shown.code == 0
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    told = run("evaluate", models / "counts.rub", models / "test.jsonl", "--json").json
    assert told["mistakes"][0]["id"] in text
    worst = next(one for one in rb.read(models / "test.jsonl").documents() if one.id == told["mistakes"][0]["id"])
    assert worst.text.split()[-1] in text
    assert run("evaluate", models / "counts.rub", models / "test.jsonl", "--report", page).code == 0
    assert page.read_text() == text
    same = tmp_path / "page.json"
    assert run("evaluate", models / "counts.rub", models / "test.jsonl", "--report", same).code == 0
    numbers = json.loads(same.read_text())
    assert numbers["evaluation"]["overall"] == told["overall"]
    assert numbers["errors"][0]["id"] == told["mistakes"][0]["id"]
    assert numbers["learning_curve"][-1]["documents"] == 360


def test_labels_that_the_model_does_not_know_count_as_missed(run: Any, models: Path, tmp_path: Path) -> None:
    rows = rows_of(models / "one_test.jsonl")
    rows[0]["label"], rows[1]["label"] = "unheard of", None
    path = write_rows(tmp_path / "odd.jsonl", rows)
    shown = run("evaluate", models / "one.rub", path, "--json")
    assert "unheard of" in shown.err
    assert "1 document without" in shown.err
    assert shown.json["documents"] == len(rows) - 1
    before = run("evaluate", models / "one.rub", write_rows(tmp_path / "rest.jsonl", rows[2:]), "--json").json
    right = before["overall"]["accuracy"]["value"] * before["documents"]
    assert shown.json["overall"]["accuracy"]["value"] == pytest.approx(right / (len(rows) - 1))


# -- explain, inspect


def test_explanations_add_up_and_name_the_threshold(run: Any, models: Path) -> None:
    text = "my card has expired and the book is overdue"
    for name in ("counts", "weights"):
        for reason in run("explain", models / f"{name}.rub", text, "--json").json:
            total = reason["base"] + reason["others"] + sum(value for _, value in reason["terms"])
            assert total == pytest.approx(reason["score"])
            assert reason["decided"] == (reason["score"] > reason["cut"])
    shown = run("explain", models / "counts.rub", text, "--label", "account")
    assert "card" in shown.out
    assert "probability" in shown.out
    assert run("explain", models / "counts.rub", text, "--label", "nothing").code == 2
    assert "knows none" in run("explain", models / "counts.rub", "qqqqq").err


def test_documents_that_decided_are_named(run: Any, data: Path, tmp_path: Path) -> None:
    rows = rows_of(data / "train.jsonl")[:200]
    few, ids = write_rows(tmp_path / "few.jsonl", rows), {row["id"] for row in rows}
    for name, options in (("knn", ["-m", "knn"]), ("density", ["-m", "multinomial", "--decide", "density"])):
        model = trained(few, tmp_path / f"{name}.rub", "--no-curve", *options)
        reason = run("explain", model, "my card is lost", "--json").json[0]
        near = dict(reason["neighbours"])
        assert near.keys() <= ids
        assert list(near.values()) == sorted(near.values(), reverse=True)
        assert bool(reason["terms"]) == (name == "density")
        shown = run("explain", model, "my card is lost")
        assert shown.code == 0
        assert next(iter(near)) in shown.out
        assert "(before any term)" in shown.out if name == "density" else "term" not in shown.out.split("\n")[1]
    knn = tmp_path / "knn.rub"
    told = run("predict", knn, data / "new.jsonl", "--words")
    assert told.code == 2
    assert "documents nearby" in told.err
    assert run("evaluate", knn, data / "test.jsonl", "--report", tmp_path / "page.html").code == 0
    assert "card" in run("inspect", knn, "--label", "account").out


def test_inspection_tells_choice_thresholds_calibration_and_terms(run: Any, models: Path) -> None:
    for name in ("counts", "weights", "one"):
        own = rb.load(models / f"{name}.rub")
        told = run("inspect", models / f"{name}.rub", "--json").json
        assert told["statement"] == own.report_["statement"]
        assert told["calibration"] == own.calibrated_.choice
        assert [row["label"] for row in told["label_rows"]] == own.classes_.tolist()
        if own.cuts_ is not None:
            assert [row["cut"] for row in told["label_rows"]] == own.cuts_.cuts.tolist()
        terms = {row["label"]: [one["term"] for one in row["terms"]] for row in told["label_rows"]}
        assert "card" in terms["account"]
        assert "printer" in terms["computers"]
        shown = run("inspect", models / f"{name}.rub", "--label", "account")
        assert "card" in shown.out
        assert "printer" not in shown.out
        assert run("inspect", models / f"{name}.rub", "--label", "nothing").code == 2


def test_weights_of_terms_are_what_one_occurrence_adds(models: Path) -> None:
    def weights(model: rb.TextClassifier, start: int, size: int) -> Any:
        form = form_of(model.candidate_.model, model.model_)
        return term_weights(form, start, size, multilabel=model.several_labels_)

    weighted = rb.load(models / "weights.rub")
    np.testing.assert_allclose(weights(weighted, 5, 20), weighted.model_.coef_[:, 5:25].T, atol=1e-12)
    counts = rb.load(models / "counts.rub")
    one = counts.explain("card", "account")[0]
    place = counts.terms_.index("card")
    assert weights(counts, place, 1)[0, 0] == pytest.approx(one.terms[0][1])
    single = rb.load(models / "one.rub")
    np.testing.assert_allclose(weights(single, 0, 50).sum(axis=1), 0, atol=1e-9)
    for own in (weighted, counts, single):
        for rows in top_terms(own, top=5).values():
            averages = [row.average for row in rows]
            assert len(rows) == 5
            assert averages == sorted(averages, reverse=True)


# -- learn, forget


@pytest.mark.parametrize("name", ["counts", "weights", "one"])
def test_what_is_learned_and_forgotten_leaves_no_trace(run: Any, models: Path, tmp_path: Path, name: str) -> None:
    model, more = models / f"{name}.rub", models / ("one_test.jsonl" if name == "one" else "test.jsonl")
    told = run("learn", model, more, "-o", tmp_path / "more.rub", "--json").json
    assert told["documents"] == 150
    assert told["exact"] == (name != "weights")
    before = run("predict", model, more).out
    assert run("predict", tmp_path / "more.rub", more).out != before
    shown = run("forget", tmp_path / "more.rub", more)
    assert "a new fit" in shown.out if name == "weights" else "exactly" in shown.out
    assert "thresholds and calibration are those of the last fit" in shown.out
    assert "450 documents in all" in shown.out
    changes = run("inspect", tmp_path / "more.rub", "--json").json["changes"]
    assert [change.partition(" by ")[0] for change in changes] == [
        "learned 150 further documents",
        "forgot 150 documents",
    ]
    assert run("predict", tmp_path / "more.rub", more).out == before
    written = (tmp_path / "more.rub").read_bytes()
    refused = run("forget", tmp_path / "more.rub", more)
    assert refused.code == 65
    assert (tmp_path / "more.rub").read_bytes() == written


def test_labels_a_model_cannot_take_are_refused(run: Any, models: Path, tmp_path: Path) -> None:
    rows = rows_of(models / "one_test.jsonl")[:3]
    two = write_rows(tmp_path / "two.jsonl", [{**rows[0], "label": ["account", "events"]}])
    assert run("learn", models / "one.rub", two, "-o", tmp_path / "x.rub").code == 65
    new = write_rows(tmp_path / "new.jsonl", [{**rows[0], "label": "unheard of"}])
    refused = run("learn", models / "one.rub", new, "-o", tmp_path / "x.rub")
    assert refused.code == 2
    assert "unheard of" in refused.err
    assert not (tmp_path / "x.rub").exists()


# -- compare


def test_a_model_and_its_own_answers_are_alike(run: Any, models: Path, tmp_path: Path) -> None:
    for name, labelled, measures in (
        ("counts", "test", ("F1", "logloss", "AP")),
        ("one", "one_test", ("auto", "logloss")),
    ):
        out = tmp_path / f"{name}-answers.jsonl"
        run("predict", models / f"{name}.rub", models / f"{labelled}.jsonl", "--every-label", "-o", out)
        for measure in measures:
            arguments = [
                models / f"{name}.rub",
                out,
                models / f"{labelled}.jsonl",
                "--measure",
                measure,
                "--draws",
                50,
            ]
            told = run("compare", *arguments, "--json").json
            first, second = (system["overall"]["value"] for system in told["systems"])
            assert first == pytest.approx(second, abs=1e-3)
            assert told["pairs"][0]["better"] is None or measure == "logloss"  # six digits are written
            assert told["documents"] == 150


def test_answers_in_a_table_are_compared_as_those_in_lines(run: Any, models: Path, tmp_path: Path) -> None:
    for form in ("jsonl", "tsv"):
        run("predict", models / "counts.rub", models / "test.jsonl", "--to", form, "-o", tmp_path / f"{form}.out")
    found = run("compare", *sorted(tmp_path.glob("*.out")), models / "test.jsonl", "--json", "--draws", 50).json
    first, second = (system["overall"]["value"] for system in found["systems"])
    assert first == second
    with (tmp_path / "tsv.out").open("a") as out:
        out.write("x\taccount\n")
    broken = run("compare", *sorted(tmp_path.glob("*.out")), models / "test.jsonl")
    assert broken.code == 65
    assert "line 152" in broken.err
    (tmp_path / "tsv.out").write_bytes(bytes(range(256)))
    assert run("compare", *sorted(tmp_path.glob("*.out")), models / "test.jsonl").code == 65


def test_a_comparison_names_the_better_one_and_what_it_would_take(run: Any, models: Path) -> None:
    systems = [models / "counts.rub", models / "weights.rub"]
    found = [
        run("evaluate", one, models / "test.jsonl", "--json").json["overall"]["microF1"]["value"] for one in systems
    ]
    told = run("compare", *systems, models / "test.jsonl", "--json", "--draws", 500).json
    assert [system["overall"]["value"] for system in told["systems"]] == pytest.approx(found)
    shown = run("compare", *systems, models / "test.jsonl", "--draws", 500, "--by-label")
    assert told["said"] in shown.out
    assert "counts vs. weights" in shown.out
    assert "account" in shown.out
    assert "next: rubricate inspect" in shown.err


def test_answers_that_do_not_belong_are_refused(run: Any, models: Path, tmp_path: Path) -> None:
    model, labelled = models / "counts.rub", models / "test.jsonl"
    part = write_rows(tmp_path / "part.jsonl", [{"id": "x", "labels": []}])
    missing = run("compare", model, part, labelled)
    assert missing.code == 65
    assert "no answer to 150 documents" in missing.err
    twice = write_rows(tmp_path / "twice.jsonl", [{"id": "x", "labels": []}] * 2)
    assert "twice" in run("compare", model, twice, labelled).err
    broken = run("compare", model, write_rows(tmp_path / "broken.jsonl", [[1]]), labelled)
    assert broken.code == 65
    assert "line 1" in broken.err
    assert run("compare", model, labelled).code == 2
    assert run("compare", model, model, labelled).code == 2
    assert run("compare", model, tmp_path / "no.rub", labelled).code == 66


# -- label-errors


@pytest.mark.parametrize("kind", ["one", "several"])
def test_labels_that_were_swapped_come_first(run: Any, data: Path, tmp_path: Path, kind: str) -> None:
    rows = rows_of(data / "train.jsonl")
    if kind == "one":
        rows = [row for row in rows if len(row["labels"]) == 1]
    names = sorted({label for row in rows for label in row["labels"]})
    swapped = set()
    for n in np.random.default_rng(0).choice(len(rows), 20, replace=False).tolist():
        own = rows[n]["labels"]
        rows[n]["labels"] = [next(name for name in names[n % len(names) :] + names if name not in own)]
        swapped.add(rows[n]["id"])
    path = write_rows(tmp_path / "noisy.jsonl", rows)
    out = tmp_path / "noise.jsonl"
    told = run("label-errors", path, "-m", "support_vector", "-o", out, "--json", "--top", len(swapped)).json
    worst = [row["id"] for row in told["worst"]]
    assert len(swapped & set(worst)) > 0.5 * len(swapped)
    every = rows_of(out)
    assert [row["id"] for row in every[: len(worst)]] == worst
    assert len(every) == told["contradicted"]
    times = [row["times"] for row in every]
    assert times == sorted(times, reverse=True)
    assert times[-1] > 1
    assert len(swapped & {row["id"] for row in every}) > 0.8 * len(swapped)
    shown = run("label-errors", path, "-m", "support_vector", "--top", 2)
    assert worst[0] in shown.out
    assert "next: rubricate train" in shown.err


def test_labels_too_rare_to_learn_are_not_doubted(run: Any, data: Path, tmp_path: Path) -> None:
    rows = rows_of(data / "one.jsonl")[:200]
    rows[0]["label"] = "odd"
    told = run(
        "label-errors", write_rows(tmp_path / "rare.jsonl", rows), "-m", "multinomial", "--json", "--top", 0
    ).json
    assert told["too_rare_to_doubt"] == ["odd"]
    assert rows[0]["id"] not in {row["id"] for row in told["worst"]}
    assert run("label-errors", write_rows(tmp_path / "few.jsonl", rows[:3])).code == 2


def test_predict_tells_how_many_documents_have_no_known_word_and_leaves_them_to_a_person(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = trained(data / "one.jsonl", tmp_path / "one.rub", "-m", "least_squares")
    labels = [row["label"] for row in rows_of(data / "one.jsonl")]
    commonest = max(sorted(set(labels)), key=labels.count)
    known = rows_of(data / "one_test.jsonl")[0]["text"]
    rows = [{"id": "a", "text": known}, {"id": "b", "text": "xyzzy plugh"}, {"id": "c", "text": ""}]
    new = write_rows(tmp_path / "new.jsonl", rows)
    capsys.readouterr()
    assert code_of("predict", model, new, "-o", tmp_path / "out.jsonl") == 0
    said = capsys.readouterr().err
    assert f"2 documents without a word that the model knows: labelled {commonest}" in said
    answers = rows_of(tmp_path / "out.jsonl")
    assert [row["labels"] for row in answers[1:]] == [[commonest], [commonest]]
    assert answers[1]["probabilities"] == answers[2]["probabilities"]
    assert answers[1]["probabilities"][commonest] == pytest.approx(labels.count(commonest) / len(labels), abs=1e-6)
    assert code_of("predict", model, new, "-o", tmp_path / "out.jsonl", "--abstain", "0", "--json") == 0
    account = json.loads(capsys.readouterr().out)
    assert (account["unknown"], account["to_a_person"]) == (2, 2)
    assert [(row["person"], row["labels"] == []) for row in rows_of(tmp_path / "out.jsonl")] == [
        (False, False),
        (True, True),
        (True, True),
    ]


def test_the_report_of_a_model_counts_the_rows_that_were_rejected(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text((data / "one.jsonl").read_text() + "not json\n")
    model = rb.load(trained(path, tmp_path / "some.rub", "-m", "multinomial"))
    assert {key: model.report_["data"][key] for key in ("rows", "rejected")} == {"rows": 451, "rejected": 1}
