"""Additive scores: the same whatever way the product goes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rubricate.foundation.csr import with_data
from rubricate.models.table_scores import Transposition, documents_of, layer_scores
from rubricate.scoring.additive import Layer


def drawn(seed: int, shape: tuple[int, int], density: float) -> sparse.csr_array:
    table = sparse.random_array(shape, density=density, rng=np.random.default_rng(seed), format="csr")
    table.sort_indices()
    return table


def additive(weights: sparse.csr_array) -> Layer:
    """All parts at once."""
    n_labels, n_terms = weights.shape
    draw = np.random.default_rng(1)
    groups, table = draw.integers(0, 3, n_terms), draw.random((3, n_labels))
    return Layer(draw.random(n_labels), weights, draw.random(n_labels), draw.random(n_terms), groups, table)


@pytest.mark.parametrize("density", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("n", [1, 15, 16, 300])
def test_scores_are_sums_over_terms(n: int, density: float) -> None:
    """Few documents or many, rare terms or frequent ones: dense rows are used in some cases only."""
    parts, X = additive(drawn(0, (12, 40), density)), drawn(2, (n, 40), 0.4)
    rows = parts.default + parts.common[:, None] + parts.table[parts.groups] + parts.weights.toarray().T
    np.testing.assert_allclose(layer_scores(parts, X), parts.bias + X.toarray() @ rows, rtol=1e-12)
    np.testing.assert_allclose(parts.rows(np.arange(5, 30)), rows[5:30], rtol=1e-12)


def test_a_document_has_the_same_score_alone_and_among_others() -> None:
    parts, X = additive(drawn(0, (12, 40), 0.5)), drawn(2, (300, 40), 0.4)
    scores = layer_scores(parts, X)
    assert all((layer_scores(parts, X[[d]]) == scores[d]).all() for d in range(0, 300, 7))
    np.testing.assert_allclose([parts.scores(document) for document in documents_of(X)], scores, rtol=1e-12)
    assert (layer_scores(parts, X, 2) == scores).all()


@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(1, 9))
def test_tables_with_the_same_places_share_their_transposition(seed: int, rows: int, columns: int) -> None:
    table = drawn(seed, (rows, columns), 0.5)
    other = with_data(table, np.random.default_rng(seed).random(table.nnz))
    places = Transposition.of(table)
    for same_places in (table, other):
        by_column, alone = places.transposed(same_places), same_places.T.tocsr()
        for now, then in zip(by_column.arrays, (alone.indptr, alone.indices, alone.data), strict=True):
            assert (now == then).all()
    elsewhere = drawn(seed + 1, (rows, columns), 0.5)
    dense = places.transposed(elsewhere).write_rows(np.arange(columns), np.zeros((columns, rows)))
    assert (dense == elsewhere.toarray().T).all()


def test_kernels_run_clean_with_bounds_checked(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked("""
from test_additive import additive, drawn, layer_scores, np
for n in (1, 15, 16, 300):
    for density in (0.02, 0.3, 1.0):
        parts = additive(drawn(0, (12, 40), density))
        assert np.isfinite(layer_scores(parts, drawn(2, (n, 40), 0.4))).all()
from rubricate.kernels.products import add_columns, add_rows
X, out = drawn(2, (30, 40), 0.4).tocsc(), np.zeros((30, 12))
levels = np.arange(X.nnz) % 3
add_columns((X.indptr.astype(np.int64), X.indices, X.data, levels), np.ones((3, 20, 12)), 10, 15, 30, out)
assert np.allclose(out, X[:, 15:30].sum(axis=1)[:, None])
add_rows(np.array([0, 2, 2, 5]), np.array([1, 0, 1, 1, 0]), np.ones((2, 12)), 0, 3, out)
""")
