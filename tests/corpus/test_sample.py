"""The sample is what it says it is: varied, uneven, overlapping, and neither trivial nor hopeless to sort."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import rubricate as rb
from rubricate import collections


@pytest.fixture(scope="module")
def sample() -> rb.Corpus:
    return collections.read("enquiries").in_memory()


@pytest.fixture(scope="module")
def new() -> rb.Corpus:
    return collections.read("enquiries", version="new").in_memory()


def test_sizes_labels_and_order(sample: rb.Corpus, new: rb.Corpus) -> None:
    assert len(sample) >= 480
    assert len(new) == 120
    sizes = Counter(label for own in sample.labels for label in own)
    assert len(sizes) == 8
    assert max(sizes.values()) > 3 * min(sizes.values())
    several = sum(len(own) > 1 for own in sample.labels) / len(sample)
    assert 0.14 < several < 0.20  # about one in six
    assert max(map(len, sample.labels)) == 3
    assert all(not own for own in new.labels)
    assert min(new.column("date")) > max(sample.column("date"))
    assert len({*sample.ids, *new.ids}) == len(sample) + len(new)


def test_enquiries_have_one_to_six_sentences(sample: rb.Corpus, new: rb.Corpus) -> None:
    for text in [*sample.column("text"), *new.column("text")]:
        sentences = [part for part in re.split(r"[.!?…]+[\s\"'”)]+", text.strip()) if part]
        assert 1 <= len(sentences) <= 9, text  # abbreviations and initials count as ends here
        assert 3 <= len(text.split()) <= 120


def test_no_two_enquiries_of_a_label_share_five_words_in_a_row(sample: rb.Corpus) -> None:
    seen: dict[tuple[str, tuple[str, ...]], str] = {}
    for name, own, text in zip(sample.ids, sample.labels, sample.column("text"), strict=True):
        words = rb.Recipe().terms(text)
        runs = {tuple(words[n : n + 5]) for n in range(len(words) - 4)}
        for label in own:
            for run in runs:
                assert seen.setdefault((label, run), name) == name, " ".join(run)


def test_enquiries_do_not_begin_alike(sample: rb.Corpus) -> None:
    starts = Counter(" ".join(rb.Recipe().terms(text)[:3]) for text in sample.column("text"))
    assert starts.most_common(1)[0][1] <= 4
    assert sum(times > 1 for times in starts.values()) < 0.05 * len(sample)


def test_labels_overlap_in_vocabulary(sample: rb.Corpus) -> None:
    counts = rb.count(sample, rb.Recipe(stop="english"))
    spread = counts.documents_with[list(range(8))].astype(bool).sum(axis=0)
    common = counts.documents_with[[8]].toarray().ravel() >= 10
    assert np.median(np.asarray(spread).ravel()[common]) >= 4


def test_a_good_classifier_gets_most_but_not_all_right(sample: rb.Corpus) -> None:
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import ComplementNB

    X, labels = rb.tabulate(sample).X, sample.labels
    first = np.array([own[0] for own in labels])
    right = 0
    for train, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, first):
        predicted = ComplementNB(alpha=0.3).fit(X[train], first[train]).predict(X[test])
        right += sum(guess in labels[n] for guess, n in zip(predicted, test, strict=True))
    assert 0.80 <= right / len(labels) <= 0.92


def test_dates_ascend_and_other_languages_are_heard(sample: rb.Corpus) -> None:
    assert all(a <= b for a, b in pairwise(sample.column("date")))
    beyond_latin = [text for text in sample.column("text") if any(ord(c) > 0x370 and c.isalpha() for c in text)]
    assert len(beyond_latin) >= 15
