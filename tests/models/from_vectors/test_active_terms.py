"""Rows for the terms that have occurred: each term its own, one for all others, and nobody can tell from the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rubricate.models.from_vectors.active_terms import Tables
from rubricate.models.from_vectors.exponentiated_gradient import ExponentiatedGradient


def drawn(n: int, n_terms: int, seed: int, values: Any = (1.0,)) -> sparse.csr_array:
    rng = np.random.default_rng(seed)
    there = rng.random((n, n_terms)) < rng.choice([0.05, 0.2, 0.6], size=(n, 1))
    return sparse.csr_array(there * rng.choice(values, size=(n, n_terms)))


@given(st.integers(1, 12), st.integers(1, 30), st.integers(1, 5), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_a_term_gets_a_row_when_a_document_first_has_it(n: int, n_terms: int, batches: int, seed: int) -> None:
    X = drawn(n, n_terms, seed)
    tables = Tables.begin(0.5, 0.25, n_terms, 3, [slice(0, 2), slice(2, 3)], None)
    for _ in range(batches):
        part = X[np.random.default_rng(seed).integers(0, n, 2)]
        rows = tables.rows_of(part)
        np.testing.assert_array_equal(rows, tables.row_of[part.indices])
        met = tables.row_of > 0
        assert sorted(tables.row_of[met]) == list(range(3, tables.n_rows)), "a row is of one term"
        assert met[part.indices].all()
        assert tables.n_unmet == (~met).sum()
        for block in tables.blocks:
            assert block.table.shape == (tables.n_rows, 2 * len(block.losses))
            assert (block.weights[3:] == 0.5).all()
            assert (block.sums[3:] == 0.25).all()
            assert (block.table[0] == 0).all() == (tables.n_unmet == 0), "row 0 is for those without a row"


def test_weights_given_term_by_term_have_rows_from_the_beginning() -> None:
    each = np.random.default_rng(0).random((5, 3))
    tables = Tables.begin(each, each * 2, 5, 1, [slice(0, 3)], None)
    np.testing.assert_array_equal(tables.row_of, np.arange(1, 6))
    np.testing.assert_array_equal(tables.blocks[0].weights[tables.row_of], each)
    np.testing.assert_array_equal(tables.blocks[0].sums[tables.row_of], each * 2)
    assert tables.n_unmet == 0


@pytest.mark.parametrize("words", [{}, {"average": False}, {"two_sided": True, "total": 3.0}], ids=str)
@pytest.mark.parametrize("n_labels", [1, 8, 9, 20])
def test_a_fit_writes_out_no_vocabulary_and_scores_all_the_same(words: dict[str, Any], n_labels: int) -> None:
    X, rng = drawn(40, 60, 5, (1.0, 2.0)), np.random.default_rng(6)
    X = sparse.csr_array(sparse.hstack([X, sparse.csr_array((40, 4000))]))
    Y = (rng.random((40, n_labels)) < 0.4).astype(np.int8)
    model = ExponentiatedGradient(**words).fit(X, Y if n_labels > 1 else Y.ravel())
    other = sparse.csr_array(sparse.random(15, 4060, 0.01, random_state=7))  # most of these terms it never met
    before, why = model.class_scores(other), model.explain(other)
    assert not {"linear_", "_last", "_mean"} & set(vars(model))
    np.testing.assert_allclose(before, other @ model.coef_.T + model.intercept_, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(model.class_scores(other), before, rtol=1e-10, atol=1e-14)
    for document, told in enumerate(why):
        np.testing.assert_allclose(told.contributions.sum(axis=0) + told.base, before[document], rtol=1e-10, atol=1e-14)
        np.testing.assert_array_equal(told.terms, other[[document]].indices)


def test_weights_of_a_wide_vocabulary_are_those_of_a_narrow_one_spread_thin() -> None:
    """A vocabulary of which documents use little: what is learned is the same but for the weight that all others share."""
    X, Y = drawn(30, 12, 8), (np.random.default_rng(9).random((30, 3)) < 0.4).astype(np.int8)
    columns = np.sort(np.random.default_rng(10).permutation(5000)[:12])
    wide = sparse.csr_array((X.data, columns[X.indices], X.indptr), shape=(30, 5000))
    model = ExponentiatedGradient().fit(wide, Y)
    narrow = ExponentiatedGradient(start=np.append(np.full(12, 1 / 5000), 4988 / 5000))
    narrow.fit(sparse.csr_array(sparse.hstack([X, sparse.csr_array((30, 1))])), Y)
    np.testing.assert_allclose(model.coef_[:, columns], narrow.coef_[:, :12], rtol=1e-11)
    others = np.setdiff1d(np.arange(5000), columns)
    np.testing.assert_allclose(model.coef_[:, others].sum(axis=1), narrow.coef_[:, 12], rtol=1e-11)
    assert np.ptp(model.coef_[:, others], axis=1).max() == 0
