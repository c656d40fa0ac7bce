"""Digests of learned documents: forget refuses what is not there, learn notices what is, labels are corrected."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rubricate as rb
from rubricate.corpus import Corpus
from rubricate.errors import DamagedFile, NeverCounted
from rubricate.storage import container
from rubricate.training.text_classifier import TextClassifier
from rubricate.training.training_documents import DigestedCorpus, TrainingDocuments

TEXTS = [f"{text} number{n}" for n, text in enumerate(["wheat corn", "corn rises", "crude oil", "oil of opec"] * 5)]
NAMES = ["grain", "grain", "oil", "oil"] * 5
NEW = ["rye and oats", "barley exports", "gas and oil"]
NEW_NAMES = ["grain", "grain", "oil"]
BOTH = pytest.mark.parametrize("model", ["multinomial", "least_squares"])


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
