"""The evaluation of a few documents, without compiled loops, is that of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import frozen
import rubricate as rb
from rubricate.errors import DamagedFile, InputError
from rubricate.evaluation.labelled_predictions import evaluate_few


def written(path: Path, texts: list[str], labels: list[list[str]]) -> Path:
    rows = [{"title": text[:20], "body": text, "label": names} for text, names in zip(texts, labels, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def read(path: Path) -> rb.Corpus:
    return rb.read(path, text=["title", "body"], labels="label")


@pytest.mark.parametrize("fields", [{}, {"fields": ("body",)}, {"prefix_fields": True}], ids=str)
@pytest.mark.parametrize("model", ["multinomial", "support_vector", "nearest_neighbours"])
def test_few_documents_are_judged_as_many_are(model: str, fields: dict[str, object], tmp_path: Path) -> None:
    texts, labels = list(frozen.TEXTS), frozen.labels_in("lists")
    half = len(texts) // 2
    train = written(tmp_path / "train.jsonl", texts[:half], labels[:half])
    # some documents were learned, one has a label that the model does not know, one has none
    test = written(tmp_path / "test.jsonl", texts[half - 5 :], [["unheard of"], [], *labels[half - 3 :]])
    kind = rb.TextClassifier(model, recipe=rb.Recipe(**fields), folds=2, jobs=1)
    kind.fit(read(train)).save(tmp_path / "model.rub")
    sizes: list[int] = []
    predictions, evaluation = evaluate_few(
        tmp_path / "model.rub", read(test), progress=lambda n, size: sizes.append(size)
    )
    many = rb.evaluate(tmp_path / "model.rub", read(test), jobs=1)
    assert evaluation.as_dict() == many.as_dict()
    assert evaluation.sentences() == many.sentences()
    assert "unheard of" in predictions.unknown
    assert evaluation.learned == 5
    assert predictions.unknown == many.predictions.unknown
    assert len(sizes) == evaluation.documents == len(texts) - half + 5


def test_documents_without_any_label_and_damaged_files_are_refused(tmp_path: Path) -> None:
    model = tmp_path / "model.rub"
    rb.TextClassifier("multinomial", folds=2).fit(frozen.TEXTS, frozen.labels_in("one")).save(model)
    test = written(tmp_path / "test.jsonl", ["corn"], [[]])
    with pytest.raises(InputError, match="no document has a label"):
        evaluate_few(model, read(test), progress=lambda n, size: None)
    model.write_bytes(model.read_bytes()[:-1])
    with pytest.raises(DamagedFile):
        evaluate_few(model, read(test), progress=lambda n, size: None)
