"""The report of a fit: what it says of the labels."""

from __future__ import annotations

import numpy as np

import rubricate as rb
from rubricate.training.text_classifier import TextClassifier


def test_the_report_says_whether_documents_have_one_label_or_several_and_why() -> None:
    texts = ["wheat corn", "bank loan"] * 10
    one, lists = ["g", "m"] * 10, [["g"], ["m"]] * 10
    mixed = [["g", "m"], ["m"]] * 10
    for documents, y, multilabel, mode, why in (
        (texts, one, None, "single-label", "y has one label a document"),
        (texts, lists, None, "multi-label", "y has lists of labels"),
        (texts, mixed, None, "multi-label", "y has lists of labels"),
        (texts, np.eye(2, dtype=int)[[0, 1] * 10], None, "multi-label", "y is a 0/1 table"),
        (texts, lists, False, "single-label", "multilabel=False was asked for"),
        (texts, one, True, "multi-label", "multilabel=True was asked for"),
        (rb.Corpus.from_texts(texts, one), None, None, "single-label", "every document has exactly one label"),
        (rb.Corpus.from_texts(texts, mixed), None, None, "multi-label", "10 documents have none or several labels"),
    ):
        report = TextClassifier("multinomial", multilabel=multilabel).fit(documents, y).report_
        assert (report["label_mode"], report["label_mode_because"]) == (mode, why)
        assert ("multilabel=False" in report["statement"]) == (y is lists and multilabel is None), "lists of one label"
