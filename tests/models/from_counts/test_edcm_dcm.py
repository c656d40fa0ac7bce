"""EDCM and DCM: the golden numbers, the paper's identities, and the same sums as over documents, one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.special import digamma, gammaln, polygamma

from golden_models import factors_of_eq_14
from rubricate.counts import Counts
from rubricate.errors import InvalidSetting, NeedsRecount
from rubricate.models import table_scores
from rubricate.models.from_counts import dcm, dirichlet, edcm
from rubricate.models.from_counts.evidence import Evidence
from rubricate.scoring.length_dependent import LengthDependent

MODELS = [edcm, dcm]


def scores_of(parameters: Any, X: sparse.csr_array, jobs: int = 1) -> Any:
    """log p(d|c) without what no label changes."""
    return table_scores.scores(LengthDependent(parameters, np.zeros(parameters.shape[0])), X, jobs)


def close(actual: Any, wanted: Any, relative: float = 1e-9) -> None:
    np.testing.assert_allclose(actual, wanted, rtol=relative, atol=1e-12)


# -- what hypothesis draws: documents x terms and documents x labels


@st.composite
def collections(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n, n_terms, n_labels = draw(st.integers(1, 8)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    counts = st.sampled_from([0, 0, 0, 1, 1, 1, 2, 3, 7, 20, 150])
    X = draw(hnp.arrays(np.int64, (n, n_terms), elements=counts))
    return X, draw(hnp.arrays(np.int64, (n, n_labels), elements=st.integers(0, 1)))


def evidence_of(X: np.ndarray, Y: np.ndarray) -> Evidence:
    """Evidence of a table of whole numbers or of weights."""
    label_of, document_of = np.nonzero(Y.T)
    names = [str(n) for n in range(Y.shape[1])]
    table = sparse.csr_array(X)
    return Evidence(Counts._of_rows(table, names, label_of.astype(np.int64), document_of.astype(np.int64), None))


def direct_scores(model: Any, parameters: Any, X: np.ndarray) -> np.ndarray:
    """Eq. 7 or eq. 10, document by document and term by term."""
    out = np.zeros((len(X), len(parameters.s)))
    for c in range(len(parameters.s)):
        a = parameters.row(c) + parameters.unseen[c]
        s = a.sum()
        for d, tf in enumerate(X):
            if not tf.any():
                continue
            there = tf > 0
            value = gammaln(s) - gammaln(s + tf.sum())
            if model is edcm:
                value += np.log(a[there]).sum()
            else:
                value += (gammaln(tf[there] + a[there]) - gammaln(a[there])).sum()
            out[d, c] = value
    return out


def quick(model: Any, which: str, evidence: Evidence) -> Any:
    """Fitted without waiting for maxima that do not exist."""
    return getattr(model, which)(evidence, **({"max_iter": 30} if model is dcm else {}))


# -- laws


@pytest.mark.parametrize("which", ["fit", "rest"])
@pytest.mark.parametrize("model", MODELS)
@given(collections(), st.sampled_from([1.0, 0.5, 1.37]))
def test_scores_are_the_formula_document_by_document(
    model: Any, which: str, drawn: tuple[np.ndarray, np.ndarray], weight: float
) -> None:
    X, Y = drawn
    X = X if weight == 1.0 else X * weight
    parameters = quick(model, which, evidence_of(X, Y))
    scores = scores_of(parameters, sparse.csr_array(X))
    assert np.isfinite(scores).all()
    assert (scores[X.sum(axis=1) == 0] == 0).all()
    np.testing.assert_allclose(scores, direct_scores(model, parameters, X), rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("model", MODELS)
@given(collections(), st.sampled_from([1.0, 0.5, 1.37]))
def test_the_rest_is_the_model_of_the_other_documents(
    model: Any, drawn: tuple[np.ndarray, np.ndarray], weight: float
) -> None:
    X, Y = drawn
    X = X if weight == 1.0 else X * weight
    rests = quick(model, "rest", evidence_of(X, Y))
    for c in range(Y.shape[1]):
        others = Y[:, c] == 0
        alone = quick(model, "fit", evidence_of(X[others], np.ones((others.sum(), 1), dtype=np.int64)))
        close(rests.row(c), alone.row(0))
        close(rests.unseen[c], alone.unseen[0])
        close(rests.s_smoothed[c], alone.s_smoothed[0])
        if model is edcm:
            assert rests.status[c] == alone.status[0]


@given(collections())
def test_the_smallest_beta_of_a_rest_is_found_without_its_row(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = drawn
    rests = edcm.rest(evidence_of(X, Y))
    for c, status in enumerate(rests.status):
        if status != "empty":
            row = rests.row(c)
            close(rests.unseen[c], 0.01 * row[row > 0].min())


@given(collections(), st.integers(1, 40))
def test_an_update_of_dcm_is_eq_8_over_documents(drawn: tuple[np.ndarray, np.ndarray], n: int) -> None:
    X, Y = drawn
    evidence = evidence_of(X, Y)
    before, after = (dcm.fit(evidence, unseen=0.0, max_iter=k, tol=0.0) for k in (n - 1, n))
    for c in range(Y.shape[1]):
        tf, a = X[Y[:, c] > 0], before.row(c)
        if tf.sum() == 0:
            continue
        v, s = a > 0, a.sum()
        above = (digamma(tf[:, v] + a[v]) - digamma(a[v])).sum(axis=0)
        below = (digamma(tf.sum(axis=1) + s) - digamma(s)).sum()
        np.testing.assert_allclose(after.row(c)[v], a[v] * above / below, rtol=1e-8)
        assert (after.row(c)[~v] == 0).all()


@given(collections())
def test_the_likelihood_of_dcm_never_falls(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = drawn
    evidence = evidence_of(X, Y)
    for c in range(Y.shape[1]):
        tf = sparse.csr_array(X[Y[:, c] > 0])
        course = []
        for n in (0, 1, 2, 3, 5, 10, 30):
            model = dcm.fit(evidence, unseen=0.0, max_iter=n, tol=0.0)
            course.append(dirichlet.log_likelihood(model, tf)[:, c].sum())
        assert (np.diff(course) >= -1e-9 * (1 + np.abs(course[1:]))).all()


@given(collections())
def test_beta_by_s_is_the_share_of_documents_with_the_term(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    """Eq. 13, whatever the status."""
    X, Y = drawn
    model = edcm.fit(evidence_of(X, Y))
    for c, status in enumerate(model.status):
        with_term = (X[Y[:, c] > 0] > 0).sum(axis=0)
        assert (with_term.sum() == 0) == (status == "empty")
        if status != "empty":
            close(model.row(c) / model.s[c], with_term / with_term.sum())


@given(collections())
def test_eq_14_is_eq_10(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = drawn
    model = edcm.fit(evidence_of(X, Y))
    whole = dirichlet.log_likelihood(model, sparse.csr_array(X))
    for c in range(Y.shape[1]):
        np.testing.assert_allclose(factors_of_eq_14(model, c, sparse.csr_array(X)).sum(axis=1), whole[:, c], atol=1e-7)


@given(collections())
def test_s_solves_eq_12_exactly_when_documents_pairs_and_words_differ(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = drawn
    model = edcm.fit(evidence_of(X, Y))
    for c, status in enumerate(model.status):
        tf = X[(Y[:, c] > 0) & (X.sum(axis=1) > 0)]
        documents, pairs, words = len(tf), (tf > 0).sum(), tf.sum()
        assert (status == "ok") == (documents < pairs < words)
        assert (status == "infinite") == (documents < pairs == words)
        assert (status == "zero") == (documents == pairs < words)
        assert (status == "indeterminate") == (0 < documents == pairs == words)
        assert (status == "empty") == (words == 0)
        s = model.s[c]
        if status == "ok":
            assert model.maximum[c] == s
            bracket = (digamma(s + tf.sum(axis=1)) - digamma(s)).sum()
            np.testing.assert_allclose(s * bracket, pairs, rtol=1e-8)
        else:
            assert np.isfinite(s)
            assert (s > 0) == (status != "empty")


def test_without_a_finite_s_half_a_pair_decides() -> None:
    """No repetition, one single term a document, one word a document: s as the table at the top of edcm.py says."""

    def found(*rows: list[int]) -> tuple[str, float, np.ndarray]:
        X = np.array(rows)
        model = edcm.fit(evidence_of(X, np.ones((len(X), 1), dtype=np.int64)))
        return model.status[0], model.s[0], X.sum(axis=1)

    status, s, lengths = found([1, 1, 1], [1, 1, 0], [0, 1, 0])
    assert status == "infinite"
    close(s * (digamma(s + lengths) - digamma(s)).sum(), 6 - 0.5)
    status, s, lengths = found([2, 0, 0], [0, 5, 0], [0, 1, 0])
    assert status == "zero"
    close(s * (digamma(s + lengths) - digamma(s)).sum(), 3 + 0.5)
    assert found([1, 0, 0], [0, 1, 0])[:2] == ("indeterminate", 2.0)


def test_the_smallest_beta_of_a_rest_may_belong_to_a_term_its_label_lacks() -> None:
    X = np.array([[0, 1, 1, 0], [0, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 2], [0, 1, 1, 1]])
    rests = edcm.rest(evidence_of(X, np.array([[1], [0], [0], [0], [0], [0]])))
    assert rests.extra.tolist() == [0.01 * 2]


def test_s_is_exact_where_one_term_in_a_million_is_repeated() -> None:
    """W - P = 1 repetition: s is about sum of l (l - 1) / 2, which eq. 12 as printed would lose in rounding."""
    n, size = 20_000, 50
    alike = dirichlet.Lengths(np.array([0, 1]), np.array([float(size)]), np.array([float(n)]))
    _, _, (s,) = dirichlet.solve_s(alike, np.array([n * size - 1.0]))
    j = np.arange(size)
    close(n * math.fsum((j / (s + j)).tolist()), 1.0, 1e-8)


@pytest.mark.parametrize("model", MODELS)
@given(st.data())
def test_merged_counts_fit_as_the_whole(model: Any, data: st.DataObject) -> None:
    X, Y = data.draw(collections())
    cut = data.draw(st.integers(0, len(X)))
    parts = [evidence_of(X[part], Y[part]).counts for part in (slice(None, cut), slice(cut, None))]
    for which in ("fit", "rest"):
        whole, merged = quick(model, which, evidence_of(X, Y)), quick(model, which, Evidence(parts[0] + parts[1]))
        for c in range(Y.shape[1]):
            assert (whole.row(c) == merged.row(c)).all()
        assert (whole.s_smoothed == merged.s_smoothed).all()


@pytest.mark.parametrize("which", ["fit", "rest"])
@pytest.mark.parametrize("model", MODELS)
@given(collections())
def test_contributions_and_length_make_the_score(model: Any, which: str, drawn: tuple[np.ndarray, np.ndarray]) -> None:
    X, Y = drawn
    parameters = quick(model, which, evidence_of(X, Y))
    table = sparse.csr_array(X)
    scores = scores_of(parameters, table)
    part = table_scores.length_penalty(parameters.s_smoothed, X.sum(axis=1).astype(float))
    for d, document in enumerate(table_scores.documents_of(table.astype(float))):
        close(parameters.contributions(document).sum(axis=0) - part[d], scores[d])


@pytest.mark.parametrize("which", ["fit", "rest"])
@pytest.mark.parametrize("model", MODELS)
def test_threads_and_blocks_change_nothing(model: Any, which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    X, Y = draw.poisson(0.4, (3000, 40)) * draw.integers(1, 4, (3000, 40)), draw.integers(0, 2, (3000, 7))
    evidence, table = evidence_of(X, Y), sparse.csr_array(X)
    one = quick(model, which, evidence)
    for module in (edcm, dirichlet):
        monkeypatch.setattr(module, "CELLS", 100)
    monkeypatch.setattr(table_scores, "ROOM", 20_000)
    monkeypatch.setattr(dcm, "FEW", 0)
    two = getattr(model, which)(evidence, **({"max_iter": 30, "jobs": 2} if model is dcm else {}))
    assert all((one.row(c) == two.row(c)).all() for c in range(7))
    assert (scores_of(one, table) == scores_of(two, table, jobs=2)).all()
    pieces = [scores_of(one, table[start : start + 700]) for start in range(0, 3000, 700)]
    close(np.vstack(pieces), scores_of(one, table))


@pytest.mark.parametrize("model", MODELS)
def test_where_a_maximum_exists_it_is_reached_and_told(model: Any) -> None:
    X = np.array([[2, 0], [2, 0], [2, 0], [0, 2], [0, 2], [0, 2], [1, 1], [1, 1]])
    fitted = model.fit(evidence_of(X, np.ones((8, 1), dtype=int)))
    if model is edcm:
        assert fitted.status == ["ok"]
    else:
        assert fitted.converged.tolist() == [True]
        assert 0 < fitted.iterations[0] < 1000
        close(fitted.row(0), [0.5, 0.5], 1e-6)


def bursty(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Documents drawn from a DCM of its own for each of three labels: the last term is rare, documents may have two labels."""
    draw = np.random.default_rng(seed)
    Y = np.eye(3, dtype=np.int64)[draw.integers(0, 3, 240)] | (draw.random((240, 3)) < 0.1)
    shares = draw.gamma(0.3, size=(3, 30)) + 1e-3
    shares[:, -1] = 1e-4
    X = np.array([draw.multinomial(draw.integers(5, 60), draw.dirichlet(9 * (own / own.sum()))) for own in Y @ shares])
    return X, Y.astype(np.int64)


def test_newtons_method_and_the_updates_of_eq_8_come_to_the_same_maximum() -> None:
    evidence = evidence_of(*bursty())
    quickly, slowly = dcm.fit(evidence), dcm.fit(evidence, max_iter=20_000, tol=0.0)
    assert quickly.converged.all()
    assert (quickly.iterations < 15).all()
    for c in range(3):
        close(quickly.row(c), slowly.row(c), 1e-8)
    close(quickly.s, [quickly.row(c).sum() for c in range(3)])


def test_a_maximum_does_not_depend_on_where_newtons_method_begins() -> None:
    """Labels begin where EDCM is, rests at the maximum of everything: a rest is the label of the other documents."""
    X, Y = bursty(1)
    rests = dcm.rest(evidence_of(X, Y))
    assert rests.converged.all()
    for c in range(3):
        alone = dcm.fit(evidence_of(X[Y[:, c] == 0], np.ones(((Y[:, c] == 0).sum(), 1), dtype=np.int64)))
        close(rests.row(c), alone.row(0), 1e-9)
        close(rests.unseen[c], alone.unseen[0], 1e-9)


@given(collections(), st.sampled_from([1.0, 0.5, 1.37]))
def test_at_rest_an_update_changes_nothing(drawn: tuple[np.ndarray, np.ndarray], weight: float) -> None:
    X, Y = drawn
    X = X if weight == 1.0 else X * weight
    for which, those in ((dcm.fit, Y > 0), (dcm.rest, Y == 0)):
        found = which(evidence_of(X, Y), unseen=0.0, max_iter=200)
        for c in np.flatnonzero(found.converged):
            tf, a = X[those[:, c]], found.row(c)
            if tf.sum() > 0:
                v, s = a > 0, a.sum()
                assert (v == (tf.sum(axis=0) > 0)).all()
                above = (digamma(tf[:, v] + a[v]) - digamma(a[v])).sum(axis=0)
                below = (digamma(tf.sum(axis=1) + s) - digamma(s)).sum()
                np.testing.assert_allclose(above / below, 1, rtol=1e-6)


def test_where_every_s_is_as_good_dcm_stays_where_edcm_is() -> None:
    """One term only, or one word a document."""
    for X in ([[3], [1], [2]], [[1, 0], [0, 1], [1, 0]]):
        evidence = evidence_of(np.array(X), np.array([[1, 0], [0, 1], [0, 1]]))
        for which in ("fit", "rest"):
            found, start = (getattr(dcm, which)(evidence, max_iter=n) for n in (1000, 0))
            assert found.converged.all()
            assert all((found.row(c) == start.row(c)).all() for c in range(2))


def test_without_a_maximum_dcm_stops_at_the_cap_and_says_so() -> None:
    fitted = dcm.fit(evidence_of(np.array([[3, 2, 1]]), np.ones((1, 1), dtype=int)), max_iter=50)
    assert fitted.iterations.tolist() == [50]
    assert fitted.converged.tolist() == [False]
    assert np.isfinite(fitted.row(0)).all()


# -- degenerate collections

DEGENERATE = {
    "one document": ([[2, 1, 0]], [[1, 0]]),
    "one document of one word": ([[1, 0]], [[1]]),
    "one term": ([[3], [1]], [[1], [1]]),
    "no repeated term": ([[1, 1, 0], [0, 1, 1]], [[1, 0], [0, 1]]),
    "one repeated term a document": ([[2, 0], [0, 3], [4, 0]], [[1], [1], [1]]),
    "empty documents only": ([[0, 0], [0, 0]], [[1], [1]]),
    "some empty documents": ([[0, 0], [1, 2]], [[1, 1], [0, 1]]),
    "a label without documents": ([[1, 2], [2, 0]], [[1, 0], [1, 0]]),
    "a label on every document": ([[1, 2], [2, 0]], [[1, 0], [1, 1]]),
    "a term that never occurs": ([[1, 0, 2], [2, 0, 1]], [[1, 0], [0, 1]]),
    "all documents alike": ([[1, 2]] * 5, [[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]),
    "a million times": ([[1_000_000, 1], [1, 1_000_000]], [[1, 0], [0, 1]]),
}


@pytest.mark.parametrize("which", ["fit", "rest"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sorted(DEGENERATE))
def test_degenerate_collections_have_finite_scores(model: Any, which: str, name: str) -> None:
    X, Y = (np.array(part) for part in DEGENERATE[name])
    fitted = getattr(model, which)(evidence_of(X, Y))
    probes = np.vstack([X, np.ones_like(X[:1]), np.zeros_like(X[:1]), 9 * np.ones_like(X[:1])])
    scores = scores_of(fitted, sparse.csr_array(probes))
    assert np.isfinite(scores).all()
    assert (fitted.s_smoothed > 0).all()
    np.testing.assert_allclose(scores, direct_scores(model, fitted, probes), rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_a_label_without_words_finds_all_terms_alike(model: Any) -> None:
    fitted = model.fit(evidence_of(np.array([[1, 2], [2, 0], [0, 0]]), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 1]])))
    for c in (1, 2):
        assert fitted.row(c).tolist() == [0, 0]
        assert (fitted.unseen[c], fitted.s_smoothed[c]) == (1, 2)


@pytest.mark.parametrize("model", MODELS)
def test_no_terms_and_no_labels_are_no_error(model: Any) -> None:
    nothing = model.fit(evidence_of(np.zeros((3, 0), dtype=np.int64), np.ones((3, 2), dtype=np.int64)))
    assert (scores_of(nothing, sparse.csr_array((4, 0))) == np.zeros((4, 2))).all()
    for which in (model.fit, model.rest):
        without = which(evidence_of(np.ones((3, 2), dtype=np.int64), np.zeros((3, 0), dtype=np.int64)))
        assert scores_of(without, sparse.csr_array((4, 2))).shape == (4, 0)


@pytest.mark.parametrize("model", MODELS)
def test_boundary_cases_still_classify(model: Any) -> None:
    """Two labels of documents without a repeated term: EDCM's s has no maximum, and new documents with repeats go right."""
    X = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1]])
    fitted = model.fit(evidence_of(X, np.array([[1, 0], [1, 0], [0, 1], [0, 1]])))
    if model is edcm:
        assert fitted.status == ["infinite", "infinite"]
        assert np.isinf(fitted.maximum).all()
    probes = sparse.csr_array(np.array([[3, 2, 0, 0, 0, 0], [0, 0, 0, 5, 1, 0], [1, 0, 0, 0, 0, 0]]))
    assert scores_of(fitted, probes).argmax(axis=1).tolist() == [0, 1, 0]


@pytest.mark.parametrize("which", ["fit", "rest"])
@pytest.mark.parametrize("model", MODELS)
def test_unsmoothed_what_a_label_has_not_seen_is_impossible(model: Any, which: str) -> None:
    evidence = evidence_of(np.array([[1, 2, 0, 1], [0, 1, 3, 1]]), np.array([[1, 0], [0, 1]]))
    bare, smoothed = getattr(model, which)(evidence, unseen=0.0), getattr(model, which)(evidence, unseen=1e-9)
    probes = sparse.csr_array(np.array([[1, 1, 0, 0], [0, 2, 1, 0], [0, 5, 0, 2]]))
    scores = scores_of(bare, probes)
    first = int(which == "rest")
    assert (scores == -np.inf).tolist() == [[first == 1, first == 0], [first == 0, first == 1], [False, False]]
    np.testing.assert_allclose(scores[scores > -np.inf], scores_of(smoothed, probes)[scores > -np.inf], rtol=1e-6)


# -- doors


@pytest.mark.parametrize("model", MODELS)
def test_selected_counts_are_refused_because_lengths_are_gone(model: Any) -> None:
    counts = Counts.from_matrix(np.array([[1, 2], [2, 1]]), ["a", "b"]).select([0])
    with pytest.raises(NeedsRecount, match="lengths"):
        model.fit(Evidence(counts))


@pytest.mark.parametrize("model", MODELS)
def test_settings_and_columns_that_make_no_sense_are_refused(model: Any) -> None:
    evidence = evidence_of(np.array([[1, 2], [2, 1]]), np.array([[1], [1]]))
    for unseen in (-0.1, math.nan, math.inf):
        with pytest.raises(InvalidSetting, match="unseen"):
            model.fit(evidence, unseen=unseen)
    with pytest.raises(InvalidSetting, match="3 columns"):
        scores_of(quick(model, "fit", evidence), sparse.csr_array(np.ones((1, 3))))


def test_settings_of_the_updates_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = evidence_of(np.array([[1, 2], [2, 1]]), np.array([[1, 0], [1, 1]]))
    for settings in ({"max_iter": -1}, {"tol": -1e-9}, {"tol": math.nan}):
        with pytest.raises(InvalidSetting, match="max_iter"):
            dcm.fit(evidence, **settings)
    monkeypatch.setattr(dcm, "LIMIT", 3)
    with pytest.raises(InvalidSetting, match="select terms"):
        dcm.rest(evidence)


def test_a_label_with_more_than_everything_is_refused_before_a_loop_subtracts_it() -> None:
    evidence = evidence_of(np.array([[1, 2], [2, 1]]), np.array([[1, 0], [1, 1]]))
    vars(evidence)["all_documents_with"] = np.array([1.0, 2.0])
    with pytest.raises(InvalidSetting, match="contradict"):
        dcm.rest(evidence)


@pytest.mark.parametrize("model", MODELS)
def test_stored_zeros_and_repeated_columns_are_read_as_what_they_mean_and_left_alone(model: Any) -> None:
    fitted = quick(model, "fit", evidence_of(np.array([[1, 2, 1], [2, 1, 0]]), np.array([[1, 0], [0, 1]])))
    odd = sparse.csr_array((np.array([1, 0, 2, 1]), np.array([2, 1, 0, 2]), np.array([0, 4])), shape=(1, 3))
    before = odd.indices.copy(), odd.data.copy(), odd.indptr.copy()
    close(scores_of(fitted, odd), scores_of(fitted, sparse.csr_array(np.array([[2, 0, 2]]))))
    for part, was in zip((odd.indices, odd.data, odd.indptr), before, strict=True):
        assert (part == was).all()


# -- kernels


@given(st.floats(1e-9, 1e7), st.one_of(st.integers(1, 5000).map(float), st.floats(1e-3, 5000)))
def test_rises_are_differences_of_gamma_functions(x: float, t: float) -> None:
    from rubricate.kernels.dirichlet import log_rise, rise

    psi = digamma(x + t) - digamma(x)
    gamma = gammaln(x + t) - gammaln(x)
    assert math.isclose(rise(x, t), psi, rel_tol=1e-9, abs_tol=1e-13 * (abs(digamma(x + t)) + abs(digamma(x))))
    assert math.isclose(
        log_rise(x, t), gamma, rel_tol=1e-9, abs_tol=1e-13 * (1 + abs(gammaln(x + t)) + abs(gammaln(x)))
    )


@given(st.floats(1e-6, 1e15), st.integers(1, 400))
def test_rises_by_whole_steps_are_sums(x: float, t: int) -> None:
    """Where differences of gamma functions would be all rounding."""
    from rubricate.kernels.dirichlet import log_rise, rise

    assert math.isclose(rise(x, t), math.fsum(1 / (x + j) for j in range(t)), rel_tol=1e-12)
    assert math.isclose(log_rise(x, t), math.fsum(math.log(x + j) for j in range(t)), rel_tol=1e-12, abs_tol=1e-11)


@given(st.floats(1e-6, 1e7), st.floats(1e-3, 5000))
def test_falls_are_differences_of_trigamma_functions(x: float, t: float) -> None:
    from rubricate.kernels.fit_dirichlet import fall

    wanted = polygamma(1, x) - polygamma(1, x + t)
    assert math.isclose(fall(x, t), wanted, rel_tol=1e-9, abs_tol=1e-13 * polygamma(1, x))


@given(st.lists(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 2)), max_size=3), max_size=40))
def test_histograms_are_told_apart_however_full_the_hash_table(cells: list[list[tuple[int, int]]]) -> None:
    from rubricate.kernels.fit_dirichlet import distinct

    ends = np.cumsum([0, *map(len, cells)]).astype(np.int64)
    times, documents = (np.array([entry[n] for cell in cells for entry in cell], dtype=np.int64) for n in (0, 1))
    slots = np.zeros(1 << len(set(map(tuple, cells))).bit_length(), dtype=np.int64)
    kind, first = np.empty(len(cells), dtype=np.int32), np.empty(len(cells), dtype=np.int64)
    n = distinct(np.array([0, len(cells)]), ends, times, documents, slots, kind, first)
    expected: dict[tuple[tuple[int, int], ...], int] = {}
    assert kind.tolist() == [expected.setdefault(tuple(cell), len(expected)) for cell in cells]
    assert [tuple(cells[at]) for at in first[:n]] == list(expected)


def test_kernels_run_clean_with_bounds_checked(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked("""
import numpy as np
from test_edcm_dcm import MODELS, evidence_of, quick, scores_of, sparse
draw = np.random.default_rng(0)
for weight in (1.0, 0.7):  # floats: the kernels of counting, checked elsewhere, are then not compiled again
    X = draw.poisson(0.3, (60, 30)) * draw.integers(1, 90, (60, 30)) * weight
    evidence = evidence_of(X, draw.integers(0, 2, (60, 5)))
    for model in MODELS:
        for which in ("fit", "rest"):
            assert np.isfinite(scores_of(quick(model, which, evidence), sparse.csr_array(X))).all()
""")
