"""Digests of learned documents: forget refuses what is not there, learn notices what is, labels are corrected."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from commands import captured
from rubricate.corpus import Corpus
from rubricate.errors import DamagedFile, InputError, NeverCounted
from rubricate.storage import container
from rubricate.training.text_classifier import TextClassifier
from rubricate.training.training_documents import DigestedCorpus, TrainingDocuments

TEXTS = [f"{text} number{n}" for n, text in enumerate(["wheat corn", "corn rises", "crude oil", "oil of opec"] * 5)]
NAMES = ["grain", "grain", "oil", "oil"] * 5
NEW = ["rye and oats", "barley exports", "gas and oil"]
NEW_NAMES = ["grain", "grain", "oil"]
BOTH = pytest.mark.parametrize("model", ["multinomial", "least_squares"])


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: captured(capfd, *arguments)


def fitted(model: str) -> TextClassifier:
    return TextClassifier(model).fit(TEXTS, NAMES)


def with_ids(texts: list[str], names: list[str], ids: list[str]) -> Corpus:
    return Corpus.from_texts(texts, names, ids)


def rows(path: Path, texts: list[str], names: list[str], ids: list[str] | None = None) -> Path:
    lines = [{"text": text, "label": name} for text, name in zip(texts, names, strict=True)]
    if ids is not None:
        lines = [{"id": own, **line} for own, line in zip(ids, lines, strict=True)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def statistics(model: TextClassifier) -> Any:
    return model._statistics()


def documents(texts: list[str], names: list[str], ids: list[str] | None = None) -> TrainingDocuments:
    read = DigestedCorpus(Corpus.from_texts(texts, names, ids), rb.Recipe())
    return TrainingDocuments.of(read.digests(), [[name] for name in names], ["a", "b", "c"])


# -- the law


def test_statistics_into_which_a_document_would_fit_do_not_make_it_known() -> None:
    texts = ["wheat rye", "corn oats", "wheat corn", "crude oil", "gas oil", "crude gas"]
    own = TextClassifier("multinomial").fit(texts, ["grain"] * 3 + ["oil"] * 3)
    before = statistics(own)
    with pytest.raises(NeverCounted):
        own.forget(["rye oats"], ["grain"])  # each word is there, and so is a document of two words
    own.forget(["wheat corn"], ["grain"])
    with pytest.raises(NeverCounted):
        own.forget(["wheat corn"], ["grain"])
    own.learn(["wheat corn"], ["grain"])
    assert statistics(own) == before


@BOTH
def test_what_was_never_learned_is_not_forgotten(model: str) -> None:
    own = fitted(model)
    before = statistics(own)
    with pytest.raises(NeverCounted, match="document 2 of those to forget was never learned, or not with this text"):
        own.forget([TEXTS[0], "corn wheat"], ["grain", "grain"])  # of known words, in known numbers
    with pytest.raises(NeverCounted, match="never learned with these labels"):
        own.forget(TEXTS[:1], ["oil"])
    with pytest.raises(NeverCounted, match="less often"):
        own.forget([TEXTS[0]] * 4, ["grain"] * 4)
    own.forget(TEXTS[:1], ["grain"])
    for _ in range(3):
        with pytest.raises(NeverCounted):
            own.forget(TEXTS[:1], ["grain"])
    own.learn(TEXTS[:1], ["grain"])
    assert statistics(own) == before


@BOTH
def test_learning_the_same_documents_twice_learns_them_once(model: str) -> None:
    own = fitted(model).learn(NEW, NEW_NAMES)
    once, scores = statistics(own), own.decision_function(NEW)
    changes = list(own.report_["changes"])
    own.learn([*NEW, *TEXTS], [*NEW_NAMES, *NAMES])
    assert statistics(own) == once
    assert own.last_change_ == {"learned": 0, "known": 23, "corrected": 0, "forgotten": 0, "checked": True}
    assert own.report_["changes"] == changes
    np.testing.assert_array_equal(own.decision_function(NEW), scores)
    own.learn([*NEW, "millet"], [*NEW_NAMES, "grain"], again=True)
    assert own.last_change_["learned"] == 4
    assert own.report_["documents"] == statistics(own).n_documents == 27
    own.forget(NEW * 2, NEW_NAMES * 2)
    with pytest.raises(NeverCounted, match="never learned"):
        own.forget(NEW, NEW_NAMES)


@BOTH
def test_a_corrected_label_is_as_if_it_had_been_right_from_the_start(model: str) -> None:
    own = fitted(model).learn(NEW, NEW_NAMES)
    right = ["grain", "oil", "oil"]
    own.learn([NEW[1], "millet"], ["oil", "grain"])
    whole = TextClassifier(model).fit([*TEXTS, *NEW, "millet"], [*NAMES, *right, "grain"])
    assert statistics(own) == statistics(whole)
    assert own.last_change_ == {"learned": 1, "known": 0, "corrected": 1, "forgotten": 0, "checked": True}
    np.testing.assert_allclose(own.decision_function(NEW), whole.decision_function(NEW), rtol=1e-9, atol=1e-9)
    assert "learned 1 further documents and corrected 1 by" in own.report_["changes"][-1]
    assert own.report_["documents"] == 24
    own.learn([NEW[1]], ["oil"])
    assert own.last_change_["known"] == 1
    with pytest.raises(NeverCounted, match="with these labels"):
        own.forget([NEW[1]], ["grain"])


def test_several_labels_are_corrected_together() -> None:
    labels = [["grain"], ["grain", "oil"], ["oil"], []] * 5
    own = TextClassifier("multinomial").fit(TEXTS, labels)
    own.learn([TEXTS[1], TEXTS[3]], [["oil"], ["grain", "oil"]])
    labels[1], labels[3] = ["oil"], ["grain", "oil"]
    assert own.last_change_["corrected"] == 2
    assert statistics(own) == statistics(TextClassifier("multinomial").fit(TEXTS, labels))


@BOTH
def test_an_id_says_which_document_it_is(model: str) -> None:
    own = fitted(model).learn(with_ids(NEW, NEW_NAMES, ["a", "b", "c"]))
    own.learn(with_ids(NEW[:1], NEW_NAMES[:1], ["another"]))  # the same text under two ids is two documents
    assert own.last_change_["learned"] == 1
    own.learn(with_ids(NEW[:1], ["oil"], ["a"]))
    assert own.last_change_["corrected"] == 1
    with pytest.raises(NeverCounted, match=r"id 'b'.*under another id"):
        own.forget(with_ids(NEW[:1], ["oil"], ["b"]))
    own.forget(with_ids(NEW[:1], ["oil"], ["a"])).forget(NEW[:1], NEW_NAMES[:1])  # who names no id means the text
    whole = TextClassifier(model).fit([*TEXTS, *NEW[1:]], [*NAMES, *NEW_NAMES[1:]])
    assert statistics(own) == statistics(whole)


def test_another_text_under_a_known_id_replaces_a_document_and_is_refused_where_only_counts_are_kept() -> None:
    first, second = with_ids(["rye and oats"], ["grain"], ["a"]), with_ids(["crude oil tanker"], ["oil"], ["a"])
    own = fitted("least_squares").learn(first).learn(second)
    assert own.last_change_["corrected"] == 1
    assert statistics(own) == rb.count([*TEXTS, "crude oil tanker"], labels=[*NAMES, "oil"])
    counts = fitted("multinomial").learn(first)
    before, scores = statistics(counts), counts.decision_function(NEW)
    with pytest.raises(InputError, match=r"document 1 \(id 'a'\): another text was learned.*forget the old text first"):
        counts.learn(second)
    assert statistics(counts) == before
    np.testing.assert_array_equal(counts.decision_function(NEW), scores)
    counts.forget(first).learn(second)
    assert statistics(counts) == statistics(own)


def test_rows_that_were_numbered_are_not_taken_for_each_other(tmp_path: Path) -> None:
    one, two = rows(tmp_path / "one.jsonl", NEW[:1], ["grain"]), rows(tmp_path / "two.jsonl", NEW[1:2], ["oil"])
    written = rows(tmp_path / "split.jsonl", NEW[2:], ["oil"], ["row-1"])  # as `rubricate split` writes them
    own = fitted("multinomial").learn(rb.read(one)).learn(rb.read(two)).learn(rb.read(written))
    assert statistics(own).n_documents == 23
    assert own.last_change_ == {"learned": 1, "known": 0, "corrected": 0, "forgotten": 0, "checked": True}
    assert len(own.training_documents_.ids) == 0


def test_ids_that_come_later_and_ids_that_are_missing_meet_by_the_text() -> None:
    own = fitted("multinomial").learn(with_ids(TEXTS[:2], NAMES[:2], ["a", "b"]))
    assert own.last_change_["known"] == 2
    own.learn(with_ids(NEW, NEW_NAMES, ["x", "y", "z"])).learn(NEW, NEW_NAMES)
    assert own.last_change_["known"] == 3
    own.learn(NEW[:1], ["oil"])
    assert own.last_change_["corrected"] == 1
    own.learn(with_ids(NEW[:1], ["grain"], ["x"]))  # and it still is x
    assert own.last_change_["corrected"] == 1


def test_a_collection_may_have_a_text_more_than_once() -> None:
    own = TextClassifier("multinomial").fit([*TEXTS, *TEXTS], [*NAMES, *NAMES])
    own.learn(TEXTS, NAMES)
    assert own.last_change_["known"] == 20
    own.learn(TEXTS * 3, NAMES * 3)
    assert own.last_change_ == {"learned": 20, "known": 40, "corrected": 0, "forgotten": 0, "checked": True}
    own.forget(TEXTS * 2, NAMES * 2)
    assert statistics(own) == rb.count(TEXTS, labels=NAMES)


@pytest.mark.parametrize("seed", range(5))
def test_what_was_just_learned_is_known_and_can_be_forgotten(seed: int) -> None:
    draw = np.random.default_rng(seed)

    def some(n: int) -> TrainingDocuments:
        texts = [f"text{number}" for number in draw.integers(0, 6, n)]
        labels = draw.choice(["a", "b", "c"], n).tolist()
        if draw.random() < 0.5:
            return documents(texts, labels)
        return documents(texts, labels, [f"id{number}" for number in draw.permutation(8)[:n]])

    learned = some(6)
    for _ in range(20):
        new = some(int(draw.integers(1, 8)))
        update = learned.learn(new)
        assert len(update.documents) == len(learned) + update.added.sum() - len(update.removed)
        assert update.added.sum() + update.known == len(new)
        again = update.documents.learn(new)
        assert (again.known, again.corrected, len(again.removed)) == (len(new), 0, 0)
        left = update.documents.forget(new, [""] * len(new)).documents
        assert len(left) == len(update.documents) - len(new)
        learned = update.documents if draw.random() < 0.7 else left


def test_where_a_field_ends_makes_a_difference() -> None:
    def texts(*fields: dict[str, str]) -> Any:
        from rubricate.training.training_set import documents_of

        return DigestedCorpus(documents_of(list(fields)), rb.Recipe()).digests()[0]

    one = texts({"title": "wheat", "body": "corn"})
    assert (one != texts({"title": "whe", "body": "atcorn"})).any()
    assert (one != texts({"title": "corn", "body": "wheat"})).any()
    assert (one == texts({"title": "wheat", "body": "corn"}, {"title": "x", "body": "y"})[:1]).all()
    alone = DigestedCorpus(["wheat"], rb.Recipe()).digests()[0]
    assert (alone == DigestedCorpus(Corpus.from_texts(["wheat"]), rb.Recipe()).digests()[0]).all()


# -- files


@BOTH
def test_digests_are_kept_in_files_and_no_text(model: str, tmp_path: Path) -> None:
    secret = "Xylophonist Przybylski wins"
    TextClassifier(model, recipe=rb.Recipe.parse("stop=english")).fit([*TEXTS, secret], [*NAMES, "oil"]).save(
        tmp_path / "m.rub"
    )
    assert secret.encode() not in (tmp_path / "m.rub").read_bytes()
    own = rb.load(tmp_path / "m.rub").learn(TEXTS, NAMES)
    assert own.last_change_["known"] == 20
    own.learn(TEXTS[:1], ["oil"]).forget([secret], ["oil"])
    assert own.report_["documents"] == 20


@BOTH
def test_slim_files_keep_no_digests(model: str, tmp_path: Path) -> None:
    fitted(model).save(tmp_path / "whole.rub")
    fitted(model).save(tmp_path / "slim.rub", slim=True)
    names = {name: list(container.read(tmp_path / f"{name}.rub").arrays) for name in ("whole", "slim")}
    raw = {name: (tmp_path / f"{name}.rub").read_bytes() for name in names}
    digest = fitted(model).training_documents_.texts[0].tobytes()
    assert digest in raw["whole"]
    assert digest not in raw["slim"]
    assert len(names["slim"]) < len(names["whole"])
    assert rb.load(tmp_path / "slim.rub").training_documents_ is None


OLD = sorted((Path(__file__).parents[1] / "fixtures" / "workbench_format_1").glob("*.rub"))


@pytest.mark.parametrize("path", OLD, ids=[path.stem for path in OLD])
def test_files_without_digests_go_on_as_before_and_say_so(path: Path) -> None:
    own = rb.load(path)
    label = own.classes_[0] if own._given_kind == "one" else [str(own.classes_[0])]
    for _ in range(2):
        own.learn(["corn and rye"], [label])
        assert own.last_change_ == {"learned": 1, "known": 0, "corrected": 0, "forgotten": 0, "checked": False}
    assert "could not be checked" in own.report_["changes"][-1]
    own.forget(["corn and rye"] * 2, [label] * 2)
    assert not own.last_change_["checked"]


def saved_and_loaded(model: TextClassifier, path: Path) -> TextClassifier:
    model.save(path)
    return rb.load(path)


def test_digests_of_other_documents_are_refused(tmp_path: Path) -> None:
    own = fitted("multinomial")
    held = own.training_documents_
    short = held.at(np.arange(20) < 19)
    wrong = [
        short,
        replace(held, label_numbers=held.label_numbers + 2),
        replace(held, label_sizes=held.label_sizes * 2),
        replace(held, texts=held.texts[:, :1]),
        replace(held, ids=held.texts[:3]),
        replace(held, label_sizes=-held.label_sizes),
    ]
    for damaged in wrong:
        own.training_documents_ = damaged
        with pytest.raises(DamagedFile):
            saved_and_loaded(own, tmp_path / "m.rub")


def test_an_update_that_cannot_be_fitted_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for model in ("multinomial", "least_squares"):
        own = fitted(model)
        before, report = statistics(own), own.report_

        def fails(self: Any) -> None:
            raise MemoryError

        with monkeypatch.context() as patched:
            patched.setattr(TextClassifier, "_refit", fails)
            with pytest.raises(MemoryError):
                own.learn(NEW, NEW_NAMES)
        assert (statistics(own), own.report_) == (before, report)
        assert own.learn(NEW, NEW_NAMES).last_change_["learned"] == 3


# -- commands


@BOTH
def test_the_command_leaves_out_what_is_known_and_insists_when_told(run: Any, tmp_path: Path, model: str) -> None:
    path, more = tmp_path / "m.rub", rows(tmp_path / "more.jsonl", NEW, NEW_NAMES)
    fitted(model).save(path)
    assert run("learn", path, more).code == 0
    written, stamp = path.read_bytes(), path.stat()
    shown = run("learn", path, more)
    assert shown.code == 0
    assert rb.load(path).report_["documents"] == 23
    assert "nothing new: 3 documents learned before" in shown.out
    assert (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) == (
        written,
        stamp.st_ino,
        stamp.st_mtime_ns,
    )
    assert run("learn", path, more, "-o", tmp_path / "copy.rub", "--json").json["known"] == 3
    assert (tmp_path / "copy.rub").read_bytes() == written
    rows(tmp_path / "mixed.jsonl", [NEW[0], NEW[1], "millet"], ["oil", "grain", "grain"])
    shown = run("learn", path, tmp_path / "mixed.jsonl")
    assert "learned 1 further documents and corrected 1" in shown.out
    assert "left out: 1 document learned before (--again learns them again)" in shown.out
    told = run("learn", path, more, "--again", "--json").json
    assert (told["learned"], told["known"], told["corrected"], told["documents_in_all"]) == (3, 0, 0, 27)


@BOTH
def test_the_command_forgets_a_document_no_more_often_than_it_was_learned(run: Any, tmp_path: Path, model: str) -> None:
    path, gone = tmp_path / "m.rub", rows(tmp_path / "gone.jsonl", TEXTS[:1], NAMES[:1])
    fitted(model).save(path)
    assert run("forget", path, gone).code == 0
    written = path.read_bytes()
    for _ in range(3):
        shown = run("forget", path, gone)
        assert shown.code == 65
        assert "document 1 of those to forget was never learned" in shown.err
        assert path.read_bytes() == written


def test_a_file_without_usable_rows_changes_nothing_and_is_refused(run: Any, tmp_path: Path) -> None:
    path, empty, bad = tmp_path / "m.rub", tmp_path / "empty.jsonl", tmp_path / "bad.jsonl"
    TextClassifier("multinomial").fit(TEXTS, [[name] for name in NAMES]).save(path)
    empty.write_text("\n")
    bad.write_text('{"text": 7, "label": "grain"}\nnot json\n')
    unlabelled = tmp_path / "unlabelled.jsonl"
    unlabelled.write_text('{"text": "wheat", "id": "a"}\n')
    written, stamp = path.read_bytes(), path.stat()
    for file in (empty, bad, unlabelled):
        for command in ("learn", "forget"):
            shown = run(command, path, file)
            assert shown.code == 65, (command, file)
            assert str(file) in shown.err
    assert "no document has a label" in shown.err
    assert "2 rejected" in run("learn", path, bad).err
    assert (path.read_bytes(), path.stat().st_ino, path.stat().st_mtime_ns) == (
        written,
        stamp.st_ino,
        stamp.st_mtime_ns,
    )
    with pytest.raises(InputError, match="no document"):
        rb.load(path).learn(rb.read(bad))


# -- evaluate and compare


def test_evaluating_on_what_was_learned_says_so(run: Any, tmp_path: Path) -> None:
    path, page = tmp_path / "m.rub", tmp_path / "page.html"
    TextClassifier("multinomial").fit(TEXTS, NAMES).save(path)
    learned = rows(tmp_path / "learned.jsonl", TEXTS, NAMES)
    sentence = "20 of the 20 documents were learned by this model: these figures say nothing about new documents."
    shown = run("evaluate", path, learned, "--report", page)
    assert sentence in shown.out
    assert sentence in page.read_text("utf-8")
    told = run("evaluate", path, learned, "--json", "--report", tmp_path / "page.json").json
    assert (told["learned"], told["sentences"][0]) == (20, sentence)
    assert json.loads((tmp_path / "page.json").read_text())["evaluation"]["learned"] == 20
    some = rows(tmp_path / "some.jsonl", [*NEW, TEXTS[0]], [*NEW_NAMES, NAMES[0]])
    assert (
        "1 of the 4 documents was learned by this model: the figures of these say nothing"
        in run("evaluate", path, some).out
    )
    new = rows(tmp_path / "new.jsonl", NEW, NEW_NAMES)
    shown = run("evaluate", path, new, "--report", page)
    assert "learned by this model" not in shown.out + page.read_text("utf-8")
    assert run("evaluate", path, new, "--json").json["learned"] == 0
    TextClassifier("complement").fit(NEW, NEW_NAMES).save(tmp_path / "other.rub")
    notes = run("compare", path, tmp_path / "other.rub", learned, "--json", "--draws", 20).json["notes"]
    assert notes == [
        f"{path}: learned from 20 of the 20 documents: its figures on these say nothing about new documents"
    ]
    fitted("multinomial").save(path, slim=True)
    assert run("evaluate", path, learned, "--json").json["learned"] is None


def test_documents_kept_apart_are_no_news(run: Any, tmp_path: Path) -> None:
    learned = rows(tmp_path / "learned.jsonl", TEXTS, NAMES)
    shown = run("train", learned, "-m", "multinomial", "--test-set", "0.3", "--no-curve", "-o", tmp_path / "m.rub")
    assert shown.code == 0
    assert "learned by this model" not in shown.out


@pytest.mark.parametrize("labels", [["grain", "ship"], []])
def test_a_model_of_one_label_a_document_learns_no_document_with_none_or_two(labels: list[str]) -> None:
    texts, y = (
        ["corn wheat", "rye corn", "ship port", "port dock", "corn rye", "ship dock"],
        ["grain", "grain", "ship"] * 2,
    )
    model = rb.TextClassifier("multinomial").fit(texts, y)
    with pytest.raises(InputError, match="document 2"):
        model.learn(["wheat", "corn in port"], [["grain"], labels])
    assert model.report_["documents"] == len(texts)
