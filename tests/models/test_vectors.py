"""Weightings: other people's numbers, and the laws of normalisation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

import rubricate as rb
from rubricate import collections, vectors
from rubricate.errors import InvalidSetting, UnknownName


@pytest.fixture(scope="module")
def table() -> rb.Table:
    return rb.tabulate(collections.read("enquiries"))


def test_ltc_and_tfc_are_scikit_learns(table: rb.Table) -> None:
    for form, sublinear in (("ltc", True), ("tfc", False)):
        peer = TfidfTransformer(norm=None, smooth_idf=False, sublinear_tf=sublinear).fit(table.X)
        local = table.X.astype(float)
        local.data = 1 + np.log(local.data) if sublinear else local.data
        expected = normalize(local.multiply(peer.idf_ - 1).tocsr())  # scikit-learn adds 1 to ln(n/df)
        found = vectors.weighted(table.X, table.counts, form)
        assert abs(found - expected).max() < 1e-12


@pytest.mark.parametrize("form", vectors.FORMS)
def test_weightings_stay_sparse_and_keep_zero_documents_zero(form: str, table: rb.Table) -> None:
    X = sparse.vstack([table.X[:5], sparse.csr_array((1, table.X.shape[1]), dtype=np.int64)]).tocsr()
    before = X.copy()
    found = vectors.weighted(X, table.counts, form)
    assert found.nnz == X.nnz
    assert np.isfinite(found.data).all()
    assert found[[5]].nnz == 0
    assert (before != X).nnz == 0


def test_cosine_and_length_make_one(table: rb.Table) -> None:
    X = vectors.tf(table.X)
    np.testing.assert_allclose(np.sqrt((vectors.cosine(X).power(2)).sum(axis=1)), 1.0)
    np.testing.assert_allclose(vectors.length(X).sum(axis=1), 1.0)


def test_pivoted_normalisation_lies_between_none_and_the_cosine(table: rb.Table) -> None:
    X = vectors.tf(table.X)
    assert abs(vectors.pivoted(X, slope=0.0) - X).max() < 1e-15
    assert abs(vectors.pivoted(X, slope=1.0, pivot=1.0) - vectors.cosine(X)).max() < 1e-12
    with pytest.raises(InvalidSetting, match="slope"):
        vectors.pivoted(X, slope=2)


def test_a_term_that_training_lacks_weighs_nothing_by_idf() -> None:
    counts = rb.count(["a b", "b c"], terms=["a", "b", "c", "z"])
    found = vectors.weighted(np.array([[0, 0, 0, 3]]), counts, "ltc")
    assert found.toarray().tolist() == [[0, 0, 0, 0]]


def test_bm25_saturates_and_prefers_short_documents() -> None:
    X = sparse.csr_array(np.array([[1.0, 9], [2, 8], [50, 0], [1, 0]]))
    weights = vectors.bm25(X, np.array([2.0, 3]), 10, 10)
    one, two, many, short = weights[:, [0]].toarray().ravel()
    assert one < two < many < 2.2 * np.log1p(8.5 / 2.5)
    assert short > one


def test_names_and_shapes_are_checked(table: rb.Table) -> None:
    with pytest.raises(UnknownName, match="ltc"):
        vectors.weighted(table.X, table.counts, "tfidf")
    with pytest.raises(InvalidSetting, match="same terms"):
        vectors.weighted(table.X[:, :5], table.counts)
