"""The commands learn and forget: what is known, what is refused; and what evaluate says of learned documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rubricate as rb
from commands import captured
from rubricate.errors import InputError
from rubricate.training.text_classifier import TextClassifier

TEXTS = [f"{text} number{n}" for n, text in enumerate(["wheat corn", "corn rises", "crude oil", "oil of opec"] * 5)]
NAMES = ["grain", "grain", "oil", "oil"] * 5
NEW = ["rye and oats", "barley exports", "gas and oil"]
NEW_NAMES = ["grain", "grain", "oil"]
BOTH = pytest.mark.parametrize("model", ["multinomial", "least_squares"])


def fitted(model: str) -> TextClassifier:
    return TextClassifier(model).fit(TEXTS, NAMES)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: captured(capfd, *arguments)


def rows(path: Path, texts: list[str], names: list[str], ids: list[str] | None = None) -> Path:
    lines = [{"text": text, "label": name} for text, name in zip(texts, names, strict=True)]
    if ids is not None:
        lines = [{"id": own, **line} for own, line in zip(ids, lines, strict=True)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


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
