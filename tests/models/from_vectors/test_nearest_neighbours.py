"""Nearest neighbours: the index gives what computing and sorting all cosines gives; votes, shares and cuts follow from it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neighbors import NearestNeighbors as BruteForce
from sklearn.utils.estimator_checks import parametrize_with_checks

from rubricate.decisions.thresholds import scut
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.kernels import cosine_neighbours
from rubricate.models.from_vectors import nearest_neighbours
from rubricate.models.from_vectors.nearest_neighbours import CosineIndex, NearestNeighbours, unit_rows
from rubricate.scoring.neighbours import VOTES, WIDE


def index_of(X: Any) -> CosineIndex:
    return CosineIndex(X.shape[1]).extended(sparse.csr_array(X))


def definition(X: Any, Y: Any, k: int, *, without_itself: bool = False) -> tuple[Any, Any]:
    """All cosines, to 12 decimals, sorted; of equal ones the lower index first."""

    def units(A: Any) -> Any:
        lengths = np.linalg.norm(A, axis=1, keepdims=True)
        return A / np.where(lengths > 0, lengths, 1.0)

    cosines = np.round(units(np.asarray(Y, dtype=float)) @ units(np.asarray(X, dtype=float)).T, 12)
    if without_itself:
        np.fill_diagonal(cosines, -np.inf)
    order = np.argsort(-cosines, axis=1, kind="stable")[:, : min(k, len(X) - without_itself)]
    return np.take_along_axis(cosines, order, axis=1), order


def texts_like(n: int, n_terms: int, seed: int, length: int = 25) -> Any:
    """Documents with few common and many rare terms, weighted by idf, as dense rows."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, n_terms + 1)
    counts = np.zeros((n, n_terms))
    for row in counts:
        words = draw.choice(n_terms, length, p=chances / chances.sum())
        np.add.at(row, words, 1)
    df = np.maximum((counts > 0).sum(axis=0), 1)
    return np.log1p(counts) * np.log((n + 1) / df)


def same_neighbours(found: tuple[Any, Any], X: Any, Y: Any, k: int, *, without_itself: bool = False) -> None:
    """Cosines agree; so do the neighbours, but for those whose cosines only rounding tells apart."""
    values, places = definition(X, Y, k, without_itself=without_itself)
    np.testing.assert_allclose(found[0], values, atol=2e-12, rtol=0)
    differ = found[1] != places
    own = unit_rows(sparse.csr_array(np.asarray(Y, dtype=float))) @ unit_rows(sparse.csr_array(X)).T
    there = np.take_along_axis(own.toarray(), found[1], axis=1)
    np.testing.assert_allclose(there, found[0], atol=2e-12, rtol=0)
    assert all(len(set(row.tolist())) == len(row) for row in found[1])
    gaps = np.abs(np.take_along_axis(own.toarray(), places, axis=1) - there)
    assert (gaps[differ] < 2e-12).all()


# -- the index


@st.composite
def exact_rows(draw: st.DrawFn, n_terms: int, at_most: int) -> Any:
    """Rows of 0, 1, 4 or 16 entries of +1 or -1: weights are 1, 1/2 or 1/4, cosines are exact, and most of them are ties."""
    seed = draw(st.integers(0, 2**32 - 1))
    n = draw(st.integers(1, at_most))
    common = draw(st.floats(0, 1))
    rng = np.random.default_rng(seed)
    X = np.zeros((n, n_terms))
    sizes = rng.choice([0, 1, 4, 16], n, p=[0.05, 0.15, 0.5, 0.3])
    signs = np.array([1.0, -1.0] if draw(st.booleans()) else [1.0, 1.0])
    chances = np.where(np.arange(n_terms) < n_terms // 2, common + 0.02, 0.2)
    for row, size in zip(X, sizes, strict=True):
        row[rng.choice(n_terms, size, replace=False, p=chances / chances.sum())] = rng.choice(signs, size)
    return X


@given(
    X=exact_rows(n_terms=40, at_most=400),
    Y=exact_rows(n_terms=40, at_most=20),
    k=st.sampled_from([1, 2, 3, 5, 10, 30, 1000]),
    part=st.sampled_from([31, 64, 129, 1 << 16, 1 << 16]),
    common=st.sampled_from([1, 2, 5, 40, 10_000]),
)
@settings(max_examples=80, deadline=None)
def test_neighbours_are_those_of_the_definition_in_its_order(X: Any, Y: Any, k: int, part: int, common: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest_neighbours, "PART", part)
        patch.setattr(nearest_neighbours, "COMMON", common)
        index = index_of(X)
        found, own = index.find(sparse.csr_array(Y), k), index.find_for_members(k)
        assert len(index.parts) == -(-len(X) // part)
    for (values, places), expected in (
        (found, definition(X, Y, k)),
        (own, definition(X, X, k, without_itself=True)),
    ):
        np.testing.assert_array_equal(places, expected[1])
        np.testing.assert_array_equal(values, expected[0])


@pytest.mark.parametrize("common", [1, 2, 5, 20, 10_000])
@pytest.mark.parametrize("k", [1, 30, 300])
def test_which_terms_are_common_changes_nothing(common: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, Y = texts_like(1500, 400, seed=1), texts_like(80, 400, seed=2)
    Y[3] = 0
    monkeypatch.setattr(nearest_neighbours, "COMMON", common)
    same_neighbours(index_of(X).find(sparse.csr_array(Y), k), X, Y, k)
    same_neighbours(index_of(X[:700]).find_for_members(k), X[:700], X[:700], k, without_itself=True)


@given(seed=st.integers(0, 10**6), k=st.integers(1, 40), n=st.integers(1, 600), length=st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_any_weights_give_the_cosines_of_the_definition(seed: int, k: int, n: int, length: int) -> None:
    X, Y = texts_like(n, 60, seed, length), texts_like(10, 60, seed + 1, length)
    if seed % 2:
        X, Y = X - 0.3 * (X > 0), Y - 0.4 * (Y > 0)  # some weights below 0
    same_neighbours(index_of(X).find(sparse.csr_array(Y), k), X, Y, k)


@pytest.mark.parametrize("k", [1, 10, 45])
def test_neighbours_are_those_of_scikit_learn(k: int) -> None:
    X, Y = (sparse.csr_array(texts_like(n, 500, seed=n)) for n in (2000, 150))
    values, places = index_of(X).find(Y, k, jobs=2)
    distances, expected = BruteForce(n_neighbors=k, metric="cosine", algorithm="brute").fit(X).kneighbors(Y)
    np.testing.assert_allclose(1 - values, distances, atol=1e-11)
    apart = np.ones(expected.shape, dtype=bool)  # of ties scikit-learn gives any
    apart[:, 1:] &= np.diff(distances) > 1e-9
    apart[:, :-1] &= np.diff(distances) > 1e-9
    apart[:, -1] = False
    assert apart.sum() > 100 or k == 1
    assert (places == expected)[apart].all()


def test_documents_that_are_alike_come_in_their_order() -> None:
    X = np.tile(texts_like(3, 30, seed=0), (100, 1))
    values, places = index_of(X).find(sparse.csr_array(X[[1]] * 7.5), 120)
    assert (values[0, :100] == 1.0).all()
    assert places[0, :100].tolist() == list(range(1, 300, 3))
    assert (np.diff(places[0, 100:]) > 0).all()
    _, own = index_of(X).find_for_members(3)
    assert own[7].tolist() == [1, 4, 10]
    assert own[1].tolist() == [4, 7, 10]


def test_of_documents_alike_that_the_bound_leaves_the_first_are_taken() -> None:
    X = np.zeros((2000, 20))
    X[:, :12] = np.random.default_rng(0).random((2000, 12))  # common terms
    X[500:580] = X[500]  # more than two blocks of the kernel
    X[500:580, 12:15] = 10.0  # rare ones
    for k in (1, 2, 3, 40):
        assert index_of(X).find(sparse.csr_array(X[[520]]), k)[1].tolist() == [list(range(500, 500 + k))]
        assert index_of(X).find_for_members(k)[1][501].tolist() == [500, *range(502, 501 + k)]


@pytest.mark.parametrize("part", [500, 1 << 16])
def test_the_number_of_threads_changes_no_byte(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_neighbours, "PART", part)
    X, Y = (sparse.csr_array(texts_like(n, 300, seed=n)) for n in (1200, 333))
    one = index_of(X).find(Y, 20, jobs=1)
    for jobs in (2, 3, 8):
        several = index_of(X).find(Y, 20, jobs=jobs)
        assert [part.tobytes() for part in several] == [part.tobytes() for part in one]
    alone = [index_of(X).find(Y[[n]], 20) for n in range(5)]
    assert (np.vstack([values for values, _ in alone]) == one[0][:5]).all()


def test_documents_added_in_pieces_are_documents_added_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_neighbours, "PART", 64)
    X, Y = texts_like(200, 50, seed=3), sparse.csr_array(texts_like(20, 50, seed=4))
    whole, pieces = index_of(X), CosineIndex(50)
    for start, end in ((0, 1), (1, 40), (40, 64), (64, 130), (130, 200)):
        before = pieces
        pieces = before.extended(sparse.csr_array(X[start:end]))
        if start % 2 == 0:
            pieces.find(Y, 3)
        assert (len(before), len(pieces)) == (start, end)
    assert [len(part) for part in pieces.parts] == [len(part) for part in whole.parts] == [64, 64, 64, 8]
    for one, other in zip(whole.find(Y, 9), pieces.find(Y, 9), strict=True):
        assert one.tobytes() == other.tobytes()
    assert abs(pieces.documents - unit_rows(sparse.csr_array(X))).max() == 0


def test_what_is_done_to_the_matrix_afterwards_does_not_reach_the_index() -> None:
    X = sparse.csr_array(texts_like(50, 20, seed=5))
    index, expected = index_of(X), index_of(X.copy()).find(X, 4)
    asked = X.copy()
    X.data[:] = 1.0
    X.indices[:] = 0
    assert (index.find(asked, 4)[1] == expected[1]).all()


def test_weights_of_any_size_have_a_cosine() -> None:
    X = sparse.csr_array([[1.0, 1.0], [1e-200, 1e-200], [3e160, 3e160], [5e-324, 0.0], [1e308, 1e308], [0.0, 0.0]])
    values, places = index_of(X).find(X, 6)
    np.testing.assert_allclose(values[:3, :4], 1.0)
    assert places[:3, :4].tolist() == [[0, 1, 2, 4]] * 3
    np.testing.assert_allclose(values[3, :5], [1.0, *[np.sqrt(0.5)] * 4])
    assert places[5].tolist() == [0, 1, 2, 3, 4, 5]
    assert (values[5] == 0).all()


def test_an_empty_index_and_no_questions_have_empty_answers() -> None:
    assert CosineIndex(3).find(sparse.csr_array((2, 3)), 5)[1].shape == (2, 0)
    assert index_of(np.eye(3)).find(sparse.csr_array((0, 3)), 5)[1].shape == (0, 3)
    assert index_of(np.ones((1, 3))).find_for_members(5)[1].shape == (1, 0)


def test_the_kernel_stays_within_its_arrays(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked(
        """
import numpy as np
from scipy import sparse
import test_nearest_neighbours as own
from rubricate.models.from_vectors import nearest_neighbours
for n in (1, 64, 130, 500):
    X = own.texts_like(n, 80, seed=n)
    X[::9] = 0
    for nearest_neighbours.PART in (63, 128, 1 << 16):
        for nearest_neighbours.COMMON in (1, 3, 1000):
            for k in (1, 10, 87, 2000):
                index = own.index_of(X)
                own.same_neighbours(index.find(sparse.csr_array(X[:6]), k), X, X[:6], k)
                index.find_for_members(k)
"""
    )


# -- the classifier


def some_data(seed: int = 0, several: bool = False) -> tuple[Any, Any, Any]:
    """60 weighted documents with three labels, 30 more; an empty one among both."""
    draw = np.random.default_rng(seed)
    rates = draw.gamma(0.3, 1.0, (3, 25)) * (draw.random((3, 25)) < 0.7)
    y = draw.integers(0, 3, 90)
    X = draw.poisson(rates[y] * 1.5) * draw.random(25)
    X[0] = X[60] = 0
    if several:
        Y = np.eye(3, dtype=int)[y]
        Y[draw.random((90, 3)) < 0.15] = 1
        Y[draw.random(90) < 0.1] = 0
        return X[:60], Y[:60], X[60:]
    return X[:60], y[:60], X[60:]


@parametrize_with_checks([NearestNeighbours(), NearestNeighbours(k=3, weights="rank")])
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("weights", VOTES)
def test_scores_are_the_votes_of_the_neighbours(weights: str, several: bool) -> None:
    X, y, new = some_data(several=several)
    Y = y if several else np.eye(3)[y]
    model = NearestNeighbours(k=7, weights=weights).fit(X, y)
    values, places = definition(X, new, 7)
    counts = {"similarity": values, "uniform": 1.0, "rank": 1 / np.arange(1, 8)}[weights] * (values > 0)
    expected = np.einsum("dk,dkc->dc", counts, Y[places])
    np.testing.assert_allclose(model.class_scores(new), expected, atol=1e-10)
    voted = counts.sum(axis=1) > 0
    assert voted.sum() == 29
    part = (expected / np.maximum(counts.sum(axis=1), 1e-9)[:, None])[voted]
    part = (7 * part + Y.mean(axis=0)) / 8 if several else part
    np.testing.assert_allclose(model.predict_proba(new)[voted], part, atol=1e-9)
    for own, row, reason in zip(expected, places, model.explain(new), strict=True):
        assert reason.documents.tolist() == row.tolist()
        assert reason.contributions.shape == (7, 3)
        np.testing.assert_allclose(reason.scores, own, atol=1e-10)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_uniform_votes_are_those_of_scikit_learn(k: int) -> None:
    X, Y = texts_like(300, 80, seed=6), texts_like(100, 80, seed=7)
    y = np.random.default_rng(0).integers(0, 4, 300)
    ours = NearestNeighbours(k=k, weights="uniform").fit(X, y)
    peer = KNeighborsClassifier(n_neighbors=k, metric="cosine").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(Y), peer.predict_proba(Y), atol=1e-12)
    assert (ours.predict(Y) == peer.predict(Y)).all()


def test_a_document_without_neighbours_gets_what_is_frequent() -> None:
    X = np.array([[1.0, 0, 0], [0, 1, 0], [0, 1, 1]])
    nothing = [[0.0, 0, 0]]
    one = NearestNeighbours(k=2).fit(X, ["b", "c", "c"])
    assert one.predict(nothing).tolist() == ["c"]
    assert one.class_scores(nothing).tolist() == [[0, 0]]
    np.testing.assert_allclose(one.predict_proba(nothing), [[1 / 3, 2 / 3]])
    assert one.decision_function(nothing)[0] > 0
    assert one.neighbours(nothing)[1].tolist() == [[0, 1]]
    several = NearestNeighbours(k=2).fit(X, [["b"], ["b", "c"], ["c"]])
    assert several.predict(nothing).tolist() == [[0, 0]]
    np.testing.assert_allclose(several.predict_proba(nothing), [[2 / 3, 2 / 3]])
    opposite = [[-1.0, -1.0, -1.0]]  # neighbours that are less like it than nothing have no vote
    assert one.predict(opposite).tolist() == ["c"]
    assert (one.class_scores(opposite) == 0).all()


@pytest.mark.parametrize("weights", VOTES)
def test_cuts_come_from_documents_that_were_left_out(weights: str) -> None:
    X, Y, new = some_data(several=True)
    model = NearestNeighbours(k=5, weights=weights).fit(X, Y)
    by_others = np.vstack(
        [
            NearestNeighbours(k=5, weights=weights)
            .fit(np.delete(X, n, axis=0), np.delete(Y, n, axis=0))
            .class_scores(X[[n]])
            for n in range(60)
        ]
    )
    np.testing.assert_allclose(model.left_out_scores(), by_others, atol=1e-12)
    found = scut(np.where(by_others > 0, by_others, -np.inf), Y)
    np.testing.assert_allclose(model.cuts_, np.maximum(found, 0), atol=1e-12)
    assert (model.predict(new) == (model.class_scores(new) > model.cuts_)).all()


def test_a_label_that_its_neighbours_cannot_find_is_not_given_to_everybody() -> None:
    X, Y, new = some_data(several=True)
    Y = np.hstack([Y, np.zeros((60, 1), dtype=int)])
    Y[5, 3] = 1  # one document: left out, nobody has the label
    model = NearestNeighbours(k=5).fit(X, Y)
    assert model.cuts_[3] == np.inf
    assert model.predict(new)[:, 3].sum() == 0


@pytest.mark.parametrize("several", [False, True])
def test_learning_in_pieces_is_learning_at_once_bit_for_bit(several: bool) -> None:
    X, y, new = some_data(several=several)
    whole = NearestNeighbours(k=6).fit(X, y)
    pieces = NearestNeighbours(k=6).partial_fit(X[:9], y[:9])
    if several:
        assert pieces.predict(new).shape == (30, 3)
    pieces.partial_fit(X[9:10], y[9:10]).partial_fit(X[10:], y[10:])
    assert pieces.class_scores(new).tobytes() == whole.class_scores(new).tobytes()
    assert (pieces.predict(new) == whole.predict(new)).all()
    if several:
        assert pieces.cuts_.tobytes() == whole.cuts_.tobytes()


def test_new_labels_are_learned() -> None:
    X, y, new = some_data()
    model = NearestNeighbours(k=6).fit(X[y != 1], y[y != 1]).partial_fit(X[y == 1], y[y == 1])
    assert model.classes_.tolist() == [0, 1, 2]
    order = np.concatenate([np.flatnonzero(y != 1), np.flatnonzero(y == 1)])
    assert (model.class_scores(new) == NearestNeighbours(k=6).fit(X[order], y[order]).class_scores(new)).all()
    lists = NearestNeighbours(k=2).partial_fit(X[:3], [["b"], ["b", "d"], []]).partial_fit(X[3:5], [["a"], ["c", "d"]])
    assert lists.classes_.tolist() == ["a", "b", "c", "d"]
    assert lists.memory_.truth.toarray().tolist() == [[0, 1, 0, 0], [0, 1, 0, 1], [0] * 4, [1, 0, 0, 0], [0, 0, 1, 1]]
    declared = NearestNeighbours().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert set(declared.predict(new).tolist()) <= {0, 1}
    assert declared.predict_proba(new)[:, 2].tolist() == [0] * 30


def test_a_refused_batch_leaves_the_model_as_it_was() -> None:
    X, y, new = some_data()
    model = NearestNeighbours(k=3).fit(X, y)
    before = model.class_scores(new)
    for wrong_X, wrong_y in ((X[:2], [[1], [2, 0]]), (X[:2, :5], y[:2]), (X[:2], y[:3]), (X[:2] * np.nan, y[:2])):
        with pytest.raises(ValueError, match=r"began|features|inconsistent|NaN"):
            model.partial_fit(wrong_X, wrong_y)
    assert (model.class_scores(new) == before).all()


@pytest.mark.parametrize("several", [False, True])
def test_sparse_and_dense_documents_copies_and_pickles_give_the_same(several: bool) -> None:
    X, y, new = some_data(several=several)
    model = NearestNeighbours(k=4).fit(X, y)
    expected = model.predict_proba(new)
    other = NearestNeighbours(k=4).fit(sparse.csc_matrix(X), y)
    assert (other.predict_proba(sparse.csr_matrix(new)) == expected).all()
    for same in (pickle.loads(pickle.dumps(other)), copy.deepcopy(other)):
        assert (same.predict_proba(new) == expected).all()
        assert (same.predict(new) == model.predict(new)).all()
    never_asked = pickle.loads(pickle.dumps(NearestNeighbours(k=4).fit(X, y)))
    assert (never_asked.predict_proba(new) == expected).all()


def test_k_and_weights_may_be_changed_after_fitting() -> None:
    X, Y, new = some_data(several=True)
    model = NearestNeighbours().fit(X, Y)
    assert not model.memory_.thresholds, "thresholds are computed when they are needed"
    model.predict(new)
    for k, weights in ((1, "uniform"), (8, "rank"), (30, "similarity")):
        model.set_params(k=k, weights=weights)
        fresh = NearestNeighbours(k=k, weights=weights).fit(X, Y)
        assert (model.predict(new) == fresh.predict(new)).all()
        assert (model.class_scores(new) == fresh.class_scores(new)).all()
    assert model.neighbours(new, k=2)[0].shape == (30, 2)
    assert model.neighbours(new, k=1000)[0].shape == (30, 60)


def test_degenerate_data_gives_a_sensible_answer() -> None:
    one = NearestNeighbours().fit([[1.0, 2.0]], ["a"])
    assert one.predict([[0, 0], [5, 1]]).tolist() == ["a", "a"]
    assert one.predict_proba([[0, 0], [5, 1]]).tolist() == [[1.0], [1.0]]
    alone = NearestNeighbours().fit([[1.0, 2.0]], [["a"]])
    assert alone.cuts_.tolist() == [np.inf]
    assert alone.predict([[1.0, 2.0]]).tolist() == [[0]]
    empty = NearestNeighbours().fit(np.zeros((4, 3)), [0, 1, 1, 0])
    assert empty.predict(np.ones((2, 3))).tolist() == [0, 0]
    np.testing.assert_allclose(empty.predict_proba(np.ones((1, 3))), 0.5)
    X, y, new = some_data()
    long = np.vstack([new, new.sum(axis=0) * 1e6, np.full(25, 1e300)])
    model = NearestNeighbours().fit(np.vstack([X, np.full((1, 25), 1e-300)]), [*y, 2])
    assert np.isfinite(model.class_scores(long)).all()
    np.testing.assert_allclose(model.predict_proba(long).sum(axis=1), 1.0)
    every = NearestNeighbours(k=3).fit([[3.0, 0], [2, 1], [1, 1]], np.array([[1, 0], [1, 1], [1, 0]]))
    assert every.predict([[1, 1]])[0, 0] == 1


def test_many_labels_do_not_meet_many_terms() -> None:
    n, terms = 5_000, 500_000
    draw = np.random.default_rng(0)
    columns = np.sort(draw.integers(0, terms, (n, 5)), axis=1)
    X = sparse.csr_array((np.ones(5 * n), columns.ravel(), np.arange(0, 5 * n + 1, 5)), shape=(n, terms))
    model = NearestNeighbours(k=5).fit(X, np.arange(n))
    assert model.predict(X[:20]).tolist() == list(range(20))


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "3", None])
def test_a_number_of_neighbours_that_makes_no_sense_is_refused(k: Any) -> None:
    X, y, new = some_data()
    with pytest.raises(InvalidSetting, match="whole number"):
        NearestNeighbours(k=k).fit(X, y)
    if k is not None:
        with pytest.raises(InvalidSetting, match="whole number"):
            NearestNeighbours().fit(X, y).neighbours(new, k=k)


def test_unknown_weights_are_refused_and_the_choices_told() -> None:
    X, y, new = some_data()
    with pytest.raises(UnknownName, match="uniform"):
        NearestNeighbours(weights="distance").fit(X, y)
    with pytest.raises(UnknownName, match="rank"):
        NearestNeighbours().fit(X, y).set_params(weights="distance").predict(new)
    with pytest.raises(ValueError, match="as it began"):
        NearestNeighbours().fit(X, y).partial_fit(X[:3], [["a"], ["b"], []])


def test_the_two_sizes_of_blocks_are_one() -> None:
    assert WIDE == cosine_neighbours.WIDE
