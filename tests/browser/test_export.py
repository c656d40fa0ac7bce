"""Writing a page: what goes in, what is refused, what is said of it. No browser is needed."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import frozen
import rubricate as rb
from rubricate.browser import export
from rubricate.browser.payload import codings
from rubricate.browser.reduction import rounded, with_terms
from rubricate.browser.training_counts import document_frequencies
from rubricate.counts.term_scores import document_frequency
from rubricate.errors import InvalidSetting
from rubricate.scoring.format_1 import fitted_parts
from rubricate.scoring.predictor import Predictor


def fit(model: str, **settings: Any) -> rb.TextClassifier:
    return rb.TextClassifier(model, folds=2, jobs=1, **settings).fit(frozen.TEXTS, frozen.LISTS)


def test_the_same_model_gives_the_same_bytes_from_memory_and_from_its_file(tmp_path: Path) -> None:
    model = fit("support_vector")
    model.save(tmp_path / "model.rub")
    for n in range(2):
        export.write_page(fitted_parts(tmp_path / "model.rub"), tmp_path / f"{n}.html", title="t")
    assert (tmp_path / "0.html").read_bytes() == (tmp_path / "1.html").read_bytes()
    for name in ("a", "b"):
        model.to_page(tmp_path / f"{name}.html", title="t")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert payload_of(tmp_path / "a.html")["terms"] == payload_of(tmp_path / "0.html")["terms"]


def payload_of(path: Path) -> dict[str, Any]:
    """The head of a page's model."""
    (text,) = re.findall(r'id="model">([^<]*)<', path.read_text("utf-8"))
    content = gzip.decompress(base64.b64decode(text))
    return json.loads(content[12 : 12 + int.from_bytes(content[8:12], "little")])  # type: ignore[no-any-return]


def test_the_page_holds_terms_and_labels_and_no_document(tmp_path: Path) -> None:
    model = fit("multinomial")
    summary = model.to_page(tmp_path / "page.html", title="<&>")
    text, head = (tmp_path / "page.html").read_text("utf-8"), payload_of(tmp_path / "page.html")
    assert summary.bytes == len(text.encode())
    assert summary.terms == len(head["terms"]) == len(model.terms_)
    assert "<title>&lt;&amp;&gt;</title>" in text
    assert not any(document in json.dumps(head, ensure_ascii=False) for document in frozen.TEXTS)
    assert not re.search(r"https?://(?!snowballstem)", text)
    assert text.count("</script>") == 2


@pytest.mark.parametrize("model", ["multinomial", "tfidf", "support_vector", "rocchio"])
@pytest.mark.parametrize("slim", [False, True])
def test_document_frequencies_come_back_from_statistics_documents_or_idf(
    tmp_path: Path, model: str, slim: bool
) -> None:
    fitted = fit(model, select="dkl:30")
    expected = dict(zip(fitted._statistics().terms, document_frequency(fitted._statistics()).tolist(), strict=True))
    fitted.save(tmp_path / "model.rub", slim=slim)
    frequencies = document_frequencies(fitted_parts(tmp_path / "model.rub"))
    if slim and model == "multinomial":
        assert frequencies is None  # it has neither statistics nor idf
        with pytest.raises(InvalidSetting, match="saved slim"):
            export.write_page(fitted_parts(tmp_path / "model.rub"), tmp_path / "page.html", title="t", min_documents=2)
        return
    assert frequencies is not None
    assert frequencies.tolist() == [expected[term] for term in fitted.terms_]


def test_terms_of_few_documents_are_left_out_and_the_changes_are_counted(tmp_path: Path) -> None:
    model = fit("support_vector")
    frequencies = document_frequencies(model)
    assert frequencies is not None
    summary = model.to_page(tmp_path / "page.html", min_documents=6)
    head = payload_of(tmp_path / "page.html")
    assert set(head["terms"]) == {term for term, df in zip(model.terms_, frequencies, strict=True) if df >= 6}
    assert summary.left_out == int((frequencies < 6).sum()) > 0
    whole = Predictor.from_classifier(model)
    smaller = with_terms(whole, frequencies >= 6)
    texts = [row for row in frozen.TEXTS if row]
    other = (whole.decisions(texts) != smaller.decisions(texts)).any(axis=1).sum()
    assert summary.comparison is not None
    assert (summary.comparison.documents, summary.comparison.other_labels) == (len(texts), other)
    on_mine = model.to_page(tmp_path / "page.html", min_documents=6, check=frozen.NEW).comparison
    assert on_mine is not None
    assert on_mine.documents == len(frozen.NEW)
    assert (
        fit("multinomial").to_page(tmp_path / "page.html", min_documents=6).comparison is None
    )  # no documents at hand


@pytest.mark.parametrize(
    "model", ["multinomial", "bernoulli", "stacked_bernoulli", "tfidf", "prtfidf", "rocchio", "support_vector"]
)
def test_all_terms_chosen_is_the_same_classifier_and_rounding_changes_the_seventh_digit(model: str) -> None:
    whole = Predictor.from_classifier(fit(model))
    same = with_terms(whole, np.ones(len(whole.vocabulary.terms), dtype=bool))
    scores = whole.scores(frozen.NEW)
    assert (same.scores(frozen.NEW) == scores).all()
    np.testing.assert_allclose(rounded(whole).scores(frozen.NEW), scores, rtol=1e-5, atol=1e-5)


def test_rounded_weights_are_told_and_make_a_smaller_page(tmp_path: Path) -> None:
    model = fit("maximum_entropy")
    whole, small = model.to_page(tmp_path / "whole.html"), model.to_page(tmp_path / "small.html", small=True)
    assert small.bytes < whole.bytes
    assert small.comparison is not None
    assert small.comparison.score_change < 1e-5
    counts = fit("multinomial").to_page(tmp_path / "counts.html", small=True).comparison
    assert counts is not None
    assert counts.on == "texts of its own words"


@pytest.mark.parametrize(
    ("model", "settings", "why"),
    [
        ("nearest_neighbours", {}, "training documents"),
        ("neural_net", {}, "hidden layer"),
        ("dcm", {}, "length"),
        ("edcm", {}, "length"),
        ("multinomial", {"decide": "density"}, "density"),
        ("multinomial", {"decide": "pcut"}, "pcut"),
        ("multinomial", {"recipe": rb.Recipe(function=str.split)}, "Python function"),
        ("multinomial", {"recipe": rb.Recipe(prefix_fields=True, tokens="whitespace")}, "fields"),
    ],
)
def test_what_cannot_go_is_refused_in_a_sentence(tmp_path: Path, model: str, settings: Any, why: str) -> None:
    fitted = fit(model, **settings)
    with pytest.raises(InvalidSetting, match=f"^no page: .*{why}"):
        fitted.to_page(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_a_page_that_would_not_open_well_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "LARGEST", 100_000)
    with pytest.raises(InvalidSetting, match="--min-documents"):
        fit("multinomial").to_page(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_codings_lose_nothing() -> None:
    assert "short" in codings(np.array([0.5, -np.inf, np.nan, 0.0, -0.0]))
    assert "short" not in codings(np.array([0.1]))
    assert "short" not in codings(np.array([1e300]))
    assert "dictionary" in codings(np.tile([0.1, 0.2], 10))
    assert "dictionary" not in codings(np.linspace(0, 1, 20))
