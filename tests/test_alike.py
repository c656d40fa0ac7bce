"""Terms that share a row: exactly those with the same history, and nobody can tell from the weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rubricate.from_vectors import alike as module
from rubricate.from_vectors.alike import Alike
from rubricate.from_vectors.documents import Documents
from rubricate.from_vectors.exponentiated_gradient import ExponentiatedGradient


def drawn(n: int, n_terms: int, seed: int, values: Any = (1.0,)) -> sparse.csr_array:
    rng = np.random.default_rng(seed)
    there = rng.random((n, n_terms)) < rng.choice([0.05, 0.2, 0.6], size=(n, 1))
    return sparse.csr_array(there * rng.choice(values, size=(n, n_terms)))


def histories(X: sparse.csr_array, sequence: Any) -> list[tuple[float, ...]]:
    """What each term did in each document of the sequence."""
    return [tuple(column) for column in X.toarray()[sequence].T]


@given(
    st.integers(1, 12),
    st.integers(1, 30),
    st.lists(st.integers(0, 11), min_size=1, max_size=40),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.sampled_from([1, 7, 2**17]),
)
@settings(deadline=None, max_examples=200)
def test_terms_share_a_row_if_they_have_the_same_history(
    n: int, n_terms: int, given_order: list[int], seed: int, several_values: bool, part: int
) -> None:
    X = drawn(n, n_terms, seed, (0.5, 1.0, 2.0) if several_values else (1.0,))
    sequence, documents = np.array(given_order) % n, Documents(X)
    alike = Alike(n_terms, apart=False)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "PART", part)
        parts = alike.parts(documents, sequence)
    np.testing.assert_array_equal(np.concatenate(parts), sequence)
    for own in parts:
        alike.plan(documents, own)
    rows, told = alike.rows_of(slice(None)), histories(X, sequence)
    for row in set(rows.tolist()):
        assert len({told[j] for j in np.flatnonzero(rows == row)}) == 1, "terms that differ share a row"
    if not several_values:
        assert len(set(rows.tolist())) == len(set(told)), "terms that are alike have rows of their own"
    np.testing.assert_array_equal(np.bincount(rows, minlength=alike.used + 1), alike._about[: alike.used + 1, 0])
    assert alike.used <= n_terms + 1


@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_a_plan_has_each_term_of_a_document_once(n: int, n_terms: int, seed: int) -> None:
    X, sequence = drawn(n, n_terms, seed, (1.0, 3.0)), np.arange(n)
    ends, moved, largest, _, _, values, counts, weights = Alike(n_terms, apart=False).plan(Documents(X), sequence)
    for t in range(n):
        own = slice(int(ends[t]), int(ends[t + 1]))
        there = X[[t]].data
        assert counts[own].sum() == len(there)
        assert weights[own].sum() == there.sum()
        assert sorted(np.repeat(values[own], counts[own].astype(int))) == sorted(there)
        assert largest[t] == max(there, default=0.0)
        assert ends[t] <= moved[t] <= ends[t + 1]


def test_terms_that_start_with_their_own_weights_share_nothing() -> None:
    X = drawn(10, 25, 3)
    alike = Alike(25, apart=True)
    alike.plan(Documents(X), np.arange(10))
    np.testing.assert_array_equal(alike.rows_of(slice(None)), np.arange(1, 26))


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
