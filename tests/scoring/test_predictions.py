"""Blocks of predictions: other choices of labels from the same probabilities, and how sure the whole is."""

from __future__ import annotations

import numpy as np

from rubricate.scoring.predictions import certainty


def test_the_certainty_of_several_labels_is_that_all_are_correct() -> None:
    p = np.array([[0.9, 0.2], [0.6, 0.5]])
    decisions = np.array([[1, 0], [1, 1]])
    np.testing.assert_allclose(certainty(p, decisions, multilabel=True), [0.9 * 0.8, 0.3])
    np.testing.assert_allclose(certainty(p, np.eye(2, dtype=int), multilabel=False), [0.9, 0.5])
