"""Measures: the laws they obey, slow code that says the same, and other people's implementations."""

from __future__ import annotations

import inspect
import warnings
from dataclasses import fields, is_dataclass
from importlib import import_module
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import brentq
from sklearn import metrics as peer
from sklearn.calibration import calibration_curve

from rubricate import metrics
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.measures.metrics.ranking import TIES, rounded

Problem = tuple[np.ndarray, np.ndarray]


@st.composite
def problems(draw: st.DrawFn, documents: int = 12, levels: int = 4) -> Problem:
    """Scores of one label, with many ties, and its truth, with at least one positive."""
    n = draw(st.integers(1, documents))
    scores = draw(st.lists(st.integers(0, levels), min_size=n, max_size=n))
    truth = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any))
    return np.array(scores) / 8, np.array(truth)


@st.composite
def tables(draw: st.DrawFn) -> Problem:
    """Decisions and truth, documents x labels."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    cells = st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    return np.array(draw(cells)).reshape(shape), np.array(draw(cells)).reshape(shape)


@pytest.fixture(scope="module")
def several() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores without ties, decisions and truth of 300 documents and 12 labels; the last label is neither had nor given."""
    generator = np.random.default_rng(7)
    truth = generator.random((300, 12)) < np.geomspace(0.5, 0.01, 12)
    truth[:12] |= np.eye(12, dtype=bool)
    truth[:, 11] = False
    scores = generator.normal(size=truth.shape) + truth
    decisions = scores > 1
    decisions[:, 11] = False
    return scores, decisions, truth


def tie_orders(scores: np.ndarray) -> list[np.ndarray]:
    """Every ranking of the documents that their scores allow."""
    n = len(scores)
    allowed = [np.array(p) for p in permutations(range(n)) if all(scores[a] >= scores[b] for a, b in pairwise(p))]
    assert allowed
    return allowed


# -- decisions


def test_contingency_counts_the_four_kinds_of_decisions() -> None:
    table = metrics.contingency([1, 1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 1, 1, 0])
    assert (table.a, table.b, table.c, table.d) == (1, 2, 3, 1)
    assert table.precision == 1 / 3
    assert table.recall == 1 / 4
    assert table.error == 5 / 7


@given(tables())
def test_sparse_and_dense_decisions_are_judged_alike(given_tables: Problem) -> None:
    decisions, truth = given_tables
    dense = metrics.contingency(decisions.astype(float), truth.astype(int))
    for left, right in ((sparse.csr_array(decisions), truth), (decisions, sparse.csc_matrix(truth.astype(float)))):
        found = metrics.contingency(left, right)
        for part in "abcd":
            np.testing.assert_array_equal(getattr(found, part), getattr(dense, part))
        assert metrics.subset_accuracy(left, right) == metrics.subset_accuracy(decisions, truth)
        assert metrics.error(left, right) == pytest.approx(np.mean(decisions != truth))


def test_stored_zeros_are_zeros_and_what_is_given_stays_as_it_was() -> None:
    stored = sparse.csr_array((np.array([1.0, 0.0, 1.0]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    before = stored.data.copy(), stored.indices.copy()
    table = metrics.contingency(stored, np.array([[0, 0, 1], [1, 0, 0]]))
    assert table.a.tolist() == [0, 0, 1]
    assert table.b.tolist() == [0, 1, 0]
    np.testing.assert_array_equal(stored.data, before[0])
    np.testing.assert_array_equal(stored.indices, before[1])


def test_a_million_documents_and_ten_thousand_labels_are_not_made_dense() -> None:
    generator = np.random.default_rng(0)
    at = generator.integers(0, 1_000_000, 2000), generator.integers(0, 10_000, 2000)
    truth = sparse.coo_array((np.ones(2000, dtype=bool), at), shape=(1_000_000, 10_000)).tocsr()
    found = metrics.micro_macro(truth, truth)
    assert found.micro_f == found.macro_f == 1
    assert int(found.contingency.total.a) == truth.nnz


@given(tables(), st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_decisions_are_judged_as_scikit_learn_does(given_tables: Problem, beta: float) -> None:
    decisions, truth = given_tables
    if truth.shape[1] == 1:  # scikit-learn takes one column for two classes
        decisions, truth = np.hstack([decisions, decisions]), np.hstack([truth, truth])
    for empty, value in (("one", 1.0), ("zero", 0.0)):
        _, _, f, _ = peer.precision_recall_fscore_support(truth, decisions, beta=beta, zero_division=value)
        if beta > 0:
            np.testing.assert_allclose(metrics.f_beta(decisions, truth, beta=beta, empty=empty), f, rtol=1e-12)
            assert metrics.micro_macro(decisions, truth, beta=beta, empty=empty).macro_f == pytest.approx(f.mean())
    found = metrics.micro_macro(decisions, truth, beta=1.0)
    p, r, _, _ = peer.precision_recall_fscore_support(truth, decisions, zero_division=np.nan)
    np.testing.assert_allclose(found.precision, p)
    np.testing.assert_allclose(found.recall, r)
    p, r, f, _ = peer.precision_recall_fscore_support(truth, decisions, average="micro", zero_division=np.nan)
    np.testing.assert_allclose([found.micro_precision, found.micro_recall], [p, r])
    assert found.micro_f == (1 if np.isnan(f) else pytest.approx(f))
    assert found.error == pytest.approx(peer.hamming_loss(truth, decisions))
    assert metrics.subset_accuracy(decisions, truth) == pytest.approx(peer.accuracy_score(truth, decisions))


@given(tables(), st.floats(0.01, 10))
def test_f_lies_between_precision_and_recall_and_micro_f_between_those_of_labels(
    given_tables: Problem, beta: float
) -> None:
    found = metrics.micro_macro(*given_tables, beta=beta)
    table = found.contingency
    both = ~np.isnan(found.precision) & ~np.isnan(found.recall)
    low, high = np.minimum(found.precision, found.recall), np.maximum(found.precision, found.recall)
    assert (found.f[both] >= low[both] - 1e-12).all()
    assert (found.f[both] <= high[both] + 1e-12).all()
    counted = table.a + table.b + table.c > 0
    if counted.any():
        assert found.f[counted].min() - 1e-12 <= found.micro_f <= found.f[counted].max() + 1e-12


def test_an_empty_label_counts_as_lewis_says_or_as_nothing() -> None:
    assert metrics.f_beta(0, 0, 0) == 1
    assert metrics.f_beta(0, 0, 0, empty="zero") == 0
    assert metrics.f_beta(0, 0, 3, 0.0) == 0
    np.testing.assert_array_equal(metrics.f_beta([0, 0, 2], [0, 1, 1], [0, 0, 1]), [1, 0, 2 / 3])
    assert np.isnan(metrics.precision([0, 0], [1, 0]))
    assert np.isnan(metrics.recall([1, 0], [0, 0]))


def test_tables_of_two_halves_add_to_the_table_of_the_whole(several: tuple) -> None:
    _, decisions, truth = several
    whole = metrics.contingency(decisions, truth)
    halves = metrics.contingency(decisions[:100], truth[:100]) + metrics.contingency(decisions[100:], truth[100:])
    for part in "abcd":
        np.testing.assert_array_equal(getattr(halves, part), getattr(whole, part))


def test_bad_decisions_are_told() -> None:
    for decisions, truth, said in (
        ([0, 2], [0, 1], "found 2 in decisions"),
        ([0, 1], [0, np.nan], "found nan in truth"),
        (["a", "b"], ["a", "b"], "indicator"),
        ([0, 1], [0, 1, 1], "shape"),
        ([[0, 1], [1]], [[0, 1], [1, 0]], "unequal length"),
        (np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), "shape"),
        (sparse.csr_array(np.array([[0, 3]])), np.array([[0, 1]]), "found 3 in decisions"),
    ):
        with pytest.raises(InvalidSetting, match=said):
            metrics.contingency(decisions, truth)
    with pytest.raises(InvalidSetting, match="beta"):
        metrics.f_beta(1, 1, 1, beta=-1)
    with pytest.raises(InvalidSetting, match="negative"):
        metrics.f_beta(1, -1, 1)
    with pytest.raises(UnknownName, match="one, zero"):
        metrics.f_beta(1, 1, 1, empty="two")


# -- one label a document


def test_any_label_of_a_cross_posted_document_is_right() -> None:
    lists: list[list[str]] = [["a"], ["a", "b"], ["a", "b"], ["b"], []]
    predicted = ["a", "b", "c", "a", "a"]
    assert metrics.accuracy(predicted, lists) == 2 / 5
    assert metrics.accuracy(predicted, [set(own) for own in lists]) == 2 / 5
    names = ["a", "b", "c"]
    table, columns = metrics.indicator(lists, names), [names.index(label) for label in predicted]
    for truth in (table, table.toarray(), table.tocsc().astype(bool)):
        assert metrics.accuracy(columns, truth) == 2 / 5
        assert metrics.accuracy(np.array(columns), truth) == 2 / 5
        assert metrics.error(columns, truth) == pytest.approx(3 / 5)
    assert metrics.accuracy(np.array(["x", "y"]), np.array(["x", "z"])) == 1 / 2
    assert metrics.accuracy([1, 2], ["1", "2"]) == 0
    assert np.isnan(metrics.accuracy([], []))


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1))
def test_confusion_is_scikit_learns_and_holds_the_accuracy(pairs: list[tuple[str, str]]) -> None:
    predicted, truth = (list(part) for part in zip(*pairs, strict=True))

    def of_peer(labels: list[str]) -> np.ndarray:
        with warnings.catch_warnings(action="ignore"):  # where there is but one label
            return peer.confusion_matrix(truth, predicted, labels=labels)

    found = metrics.confusion(predicted, truth)
    assert found.labels == sorted({*predicted, *truth})
    np.testing.assert_array_equal(found.matrix, of_peer(found.labels))
    assert found.matrix.trace() / len(pairs) == pytest.approx(metrics.accuracy(predicted, truth))
    assert sum(times for _, _, times in found.worst(100)) == len(pairs) - found.matrix.trace()
    in_order = metrics.confusion(predicted, truth, labels=list("dcba"))
    np.testing.assert_array_equal(in_order.matrix, of_peer(list("dcba")))


def test_the_worst_confusions_come_first() -> None:
    found = metrics.confusion(["b", "b", "c", "a", "a"], ["a", "a", "a", "c", "a"])
    assert found.worst(2) == [("a", "b", 2), ("a", "c", 1)]
    with pytest.raises(InvalidSetting, match="'c' is not among"):
        metrics.confusion(["a", "c"], ["a", "b"], labels=["a", "b"])


def test_predictions_that_fit_no_truth_are_told() -> None:
    for predicted, truth, said in (
        (["a"], ["a", "b"], "1 predictions for 2"),
        (["a", "b"], np.eye(2), "row 0"),
        ([0, 2], np.eye(2), "row 1"),
        ([0, -1], np.eye(2), "row 1"),
    ):
        with pytest.raises(InvalidSetting, match=said):
            metrics.accuracy(predicted, truth)
    with pytest.raises(InvalidSetting, match="row 1 has the label 'z'"):
        metrics.indicator([["a"], ["a", "z"]], ["a"])


# -- rankings


def slow_average_precision(order: np.ndarray, truth: np.ndarray) -> float:
    good = truth[order]
    return float(np.mean([good[: n + 1].mean() for n in np.flatnonzero(good)]))


@given(problems(documents=7, levels=2))
def test_rules_of_ties_are_index_mean_worst_and_best_of_all_orders(problem: Problem) -> None:
    scores, truth = problem
    orders, n = tie_orders(scores), int(truth.sum())
    by_index = np.argsort(-scores, kind="stable")
    for function, slow in (
        (metrics.average_precision, slow_average_precision),
        (metrics.r_precision, lambda order, truth: truth[order[:n]].mean()),
        (lambda *args, **ties: metrics.precision_at(*args, 3, **ties), lambda order, truth: truth[order[:3]].sum() / 3),
    ):
        values = [slow(order, truth) for order in orders]
        assert function(scores, truth) == pytest.approx(slow(by_index, truth), abs=1e-12)
        assert function(scores, truth, ties="expected") == pytest.approx(np.mean(values), abs=1e-12)
        assert function(scores, truth, ties="worst") == pytest.approx(min(values), abs=1e-12)
        assert function(scores, truth, ties="best") == pytest.approx(max(values), abs=1e-12)


@given(problems(documents=40), st.randoms(use_true_random=False))
def test_expected_measures_do_not_see_the_order_of_documents(problem: Problem, random: Any) -> None:
    scores, truth = problem
    order = list(range(len(scores)))
    random.shuffle(order)
    for ties in ("expected", "worst", "best"):
        for function in (metrics.average_precision, metrics.r_precision):
            assert function(scores[order], truth[order], ties=ties) == pytest.approx(function(scores, truth, ties=ties))
    stretched = np.exp(3 * scores)
    for ties in TIES:
        assert metrics.average_precision(stretched, truth, ties=ties) == metrics.average_precision(
            scores, truth, ties=ties
        )


@given(problems(documents=40))
def test_expected_and_index_order_lie_between_worst_and_best(problem: Problem) -> None:
    for function in (metrics.average_precision, metrics.r_precision):
        worst, best = (function(*problem, ties=ties) for ties in ("worst", "best"))
        for ties in ("expected", "index"):
            assert worst - 1e-12 <= function(*problem, ties=ties) <= best + 1e-12


def test_average_precision_is_scikit_learns_where_nothing_is_tied(several: tuple) -> None:
    scores, _, truth = several
    expected = [peer.average_precision_score(truth[:, n], scores[:, n]) for n in range(11)]
    for ties in TIES:
        found = metrics.average_precision(scores, truth, ties=ties)
        np.testing.assert_allclose(found[:11], expected, rtol=1e-12)
        assert np.isnan(found[11])
        assert np.isnan(metrics.r_precision(scores, truth, ties=ties)[11])


@pytest.mark.parametrize("ties", TIES)
def test_labels_are_ranked_each_by_itself_sparse_or_dense_in_any_blocks(
    several: tuple, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, _, truth = several
    scores = np.round(scores, 1)
    functions = (
        metrics.average_precision,
        metrics.r_precision,
        lambda *args, **ties: metrics.precision_at(*args, 10, **ties),
        lambda *args, **ties: metrics.break_even(*args, **ties).interpolated,
        lambda *args, **ties: np.array([metrics.break_even(*args, **ties).micro_pooled]),
    )
    whole = [function(scores, truth, ties=ties) for function in functions]
    for found, function in zip(whole[:3], functions[:3], strict=True):
        alone = [function(scores[:, n], truth[:, n], ties=ties) for n in range(12)]
        np.testing.assert_array_equal(found, alone)
    monkeypatch.setattr("rubricate.measures.metrics.ranking.CELLS", 1)
    for found, function in zip(whole, functions, strict=True):
        np.testing.assert_allclose(function(scores, sparse.csr_array(truth), ties=ties), found, rtol=1e-12)


def test_rankings_are_judged_as_trec_eval_does() -> None:
    import pytrec_eval

    generator = np.random.default_rng(3)
    scores, truth = generator.integers(0, 60, (80, 25)) / 8, generator.random((80, 25)) < 0.15
    truth[0] = True
    ids = [f"d{80 - n:03d}" for n in range(80)]  # trec_eval puts the higher id first among tied documents
    judge = pytrec_eval.RelevanceEvaluator(
        {str(n): {ids[d]: int(truth[d, n]) for d in range(80)} for n in range(25)}, {"map", "Rprec", "P_10"}
    )
    found = judge.evaluate({str(n): {ids[d]: float(scores[d, n]) for d in range(80)} for n in range(25)})
    for name, ours in (
        ("map", metrics.average_precision(scores, truth)),
        ("Rprec", metrics.r_precision(scores, truth)),
        ("P_10", metrics.precision_at(scores, truth, 10)),
    ):
        np.testing.assert_allclose(ours, [found[str(n)][name] for n in range(25)], rtol=1e-12)


def test_scores_are_tied_to_twelve_decimals_and_no_further() -> None:
    truth = [0, 1]
    for tied in ([0.1, 0.1 + 1e-14], [4000.0, 4000.0 + 5e-13], [np.inf, np.inf], [-np.inf, -np.inf], [-0.0, 1e-15]):
        assert metrics.average_precision(tied, truth) == 0.5
    for apart in ([0.1, 0.1 + 2e-12], [1e300, np.nextafter(1e300, 2e300)], [9000.0, np.nextafter(9000.0, 1e4)]):
        assert metrics.average_precision(apart, truth) == 1
    assert metrics.average_precision([1e308, np.inf], truth) == 1
    assert metrics.average_precision([-np.inf, -1e308], truth) == 1


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=20))
def test_rounding_for_ties_keeps_the_order(values: list[float]) -> None:
    ordered = np.sort(np.array(values))
    scores = rounded(ordered)
    assert (scores[1:] >= scores[:-1]).all()
    finite = np.isfinite(ordered)
    assert (np.abs(scores[finite] - ordered[finite]) <= 1.1e-12).all()


def test_a_score_that_is_no_number_is_told_with_its_place() -> None:
    with pytest.raises(InvalidSetting, match="row 1: nan"):
        metrics.average_precision([0.0, np.nan], [1, 0])
    with pytest.raises(InvalidSetting, match="row 1, column 0: nan"):
        metrics.break_even([[0.0, 1], [np.nan, 2]], [[1, 0], [0, 1]])
    with pytest.raises(InvalidSetting, match="sparse"):
        metrics.r_precision(sparse.csr_array(np.eye(2)), np.eye(2))
    with pytest.raises(InvalidSetting, match="shape"):
        metrics.r_precision(np.eye(3), np.eye(2))
    with pytest.raises(InvalidSetting, match="k=0"):
        metrics.precision_at([1.0], [1], 0)
    with pytest.raises(UnknownName, match="best, expected, index, worst"):
        metrics.average_precision([1.0], [1], ties="random")
    with pytest.raises(UnknownName, match="best, expected, index, worst"):
        metrics.pooled_break_even([1.0], [1], ties="random")


def test_precision_at_k_divides_by_k_even_where_documents_are_fewer() -> None:
    assert metrics.precision_at([3.0, 2.0], [1, 1], 10) == 0.2


# -- break-even


@given(problems(documents=20))
def test_at_break_even_precision_is_recall_is_r_precision(problem: Problem) -> None:
    scores, truth = problem
    found = metrics.break_even(scores, truth)
    first = np.zeros(len(scores), dtype=int)
    first[np.argsort(-scores, kind="stable")[: truth.sum()]] = 1
    assert found.bep[0] == metrics.precision(first, truth) == metrics.recall(first, truth)
    assert found.bep[0] == metrics.r_precision(scores, truth) == found.micro == found.macro == found.micro_pooled
    for ties in TIES:
        assert metrics.break_even(scores, truth, ties=ties).bep[0] == metrics.r_precision(scores, truth, ties=ties)


def slow_crossing(scores: np.ndarray, truth: np.ndarray) -> float:
    """Precision and recall at every cut between different scores; the root of their difference between neighbours."""
    n, cuts = truth.sum(), sorted(set(scores.tolist()), reverse=True)
    sizes = [int((scores >= cut).sum()) for cut in cuts]
    if n in sizes:
        return float(truth[scores >= cuts[sizes.index(n)]].mean())
    after = min(m for m, size in enumerate(sizes) if size > n)
    p2, r2 = truth[scores >= cuts[after]].mean(), truth[scores >= cuts[after]].sum() / n
    if after == 0:
        return float(p2)
    inside = truth[scores >= cuts[after - 1]]
    p1, r1 = inside.mean(), inside.sum() / n
    if p1 == r1:
        return float(r1)
    at = brentq(lambda t: (1 - t) * (p1 - r1) + t * (p2 - r2), 0, 1, xtol=1e-14)
    return float(r1 + at * (r2 - r1))


@given(problems(documents=25, levels=3))
def test_interpolated_break_even_is_where_straight_lines_between_cuts_cross(problem: Problem) -> None:
    assert metrics.break_even(*problem).interpolated[0] == pytest.approx(slow_crossing(*problem), abs=1e-9)


def test_interpolated_break_even_is_break_even_where_nothing_is_tied(several: tuple) -> None:
    scores, _, truth = several
    found = metrics.break_even(scores, truth)
    np.testing.assert_allclose(found.interpolated, found.bep)


@given(st.lists(problems(), min_size=1, max_size=4), st.sampled_from(TIES))
def test_micro_sums_macro_averages_and_pooled_ranks_all_at_once(several: list[Problem], ties: str) -> None:
    found = metrics.break_even_over(several, ties=ties)
    alone = [metrics.break_even(*problem, ties=ties) for problem in several]
    assert found.bep.tolist() == [one.bep[0] for one in alone]
    assert found.macro == pytest.approx(np.mean(found.bep))
    assert found.micro == pytest.approx(np.average(found.bep, weights=found.positives))
    assert found.bep.min() - 1e-12 <= found.micro <= found.bep.max() + 1e-12
    joined = (np.concatenate(part) for part in zip(*several, strict=True))
    assert found.micro_pooled == pytest.approx(metrics.break_even(*joined, ties=ties).bep[0])


def test_labels_without_positives_are_left_out_of_averages(several: tuple) -> None:
    scores, _, truth = several
    found, fewer = metrics.break_even(scores, truth), metrics.break_even(scores[:, :11], truth[:, :11])
    assert np.isnan(found.bep[11])
    assert np.isnan(found.interpolated[11])
    assert (found.micro, found.macro) == (fewer.micro, fewer.macro)
    nobody = metrics.break_even(scores, np.zeros_like(truth))
    assert np.isnan([nobody.micro, nobody.macro, nobody.micro_pooled]).all()


def test_pooled_break_even_is_that_of_all_pairs_label_by_label(several: tuple) -> None:
    scores, _, truth = several
    scores = np.round(scores)
    for ties in TIES:
        expected = metrics.r_precision(scores.ravel("F"), truth.ravel("F"), ties=ties)
        assert metrics.pooled_break_even(scores, truth, ties=ties) == pytest.approx(expected)
        assert metrics.break_even(scores, truth, ties=ties).micro_pooled == pytest.approx(expected)


# -- chance


def test_the_exact_law_is_that_of_all_permutations() -> None:
    scores, truth = np.array([5.0, 4, 3, 2, 1, 0]), np.array([1, 0, 1, 1, 0, 0])
    all_of_them = np.array(list(permutations(range(6))))
    found = metrics.shuffled(scores, truth, permutations=all_of_them)
    assert found.bep == metrics.r_precision(scores, truth) == 2 / 3
    assert found.mean == pytest.approx(found.exact_mean)
    assert found.exact_mean == 0.5
    beps = np.sort([metrics.r_precision(scores[p], truth) for p in all_of_them])
    assert found.mean == pytest.approx(beps.mean())
    assert (found.lower, found.upper) == (beps[17], beps[701])  # 18th and 702nd of 720
    assert (found.exact_lower, found.exact_upper) == (found.lower, found.upper)
    assert found.exact_p == pytest.approx((beps >= 2 / 3).mean())
    assert found.deviation == pytest.approx(beps.std(ddof=1))
    assert found.normal_upper == pytest.approx(found.mean + 1.959964 * found.deviation)
    assert not found.above_random


@given(problems(documents=10), st.integers(0, 5))
def test_a_listed_permutation_gives_document_j_the_score_of_document_p_j(problem: Problem, seed: int) -> None:
    scores, truth = problem
    listed = np.array([np.random.default_rng([seed, n]).permutation(len(scores)) for n in range(20)])
    found = metrics.shuffled(scores, truth, permutations=listed)
    beps = np.sort([metrics.r_precision(scores[p], truth) for p in listed])
    assert found.mean == pytest.approx(beps.mean())
    assert (found.lower, found.upper) == (beps[0], beps[19])  # 1st and 20th of 20


def test_shuffled_earn_gets_its_share_as_wilbur_and_kim_found() -> None:
    """1087 of 3299 test documents are about earnings; the paper prints .330."""
    truth = np.arange(3299) < 1087
    found = metrics.shuffled(np.random.default_rng(1).normal(size=3299), truth)
    assert found.exact_mean == pytest.approx(0.3295, abs=5e-5)
    assert found.mean == pytest.approx(found.exact_mean, abs=5 * found.deviation / np.sqrt(1000))
    assert abs(found.lower - found.exact_lower) < 0.003
    assert abs(found.upper - found.exact_upper) < 0.003
    assert metrics.shuffled(truth.astype(float), truth, draws=50).above_random


def test_shuffling_is_the_same_for_a_seed_whatever_the_batches(several: tuple, monkeypatch: pytest.MonkeyPatch) -> None:
    scores, _, truth = several
    once = metrics.shuffled(scores, truth, draws=40, random_state=3)
    monkeypatch.setattr(import_module("rubricate.measures.metrics.break_even"), "CELLS", 1)
    monkeypatch.setattr("rubricate.measures.metrics.ranking.CELLS", 1)
    again = metrics.shuffled(scores, sparse.csr_array(truth), draws=40, random_state=3)
    other = metrics.shuffled(scores, truth, draws=40, random_state=4)
    np.testing.assert_array_equal(once.mean, again.mean)
    np.testing.assert_array_equal(once.upper, again.upper)
    assert (once.mean[:11] != other.mean[:11]).any()
    assert np.isnan(once.mean[11])
    alone = metrics.shuffled(scores[:, 0], truth[:, 0], draws=40, random_state=3)
    assert alone.mean == once.mean[0]


def test_tied_documents_cannot_be_shuffled_among_each_other() -> None:
    found = metrics.shuffled(np.zeros(4), [1, 0, 0, 1], draws=20)
    assert found.bep == found.mean == found.lower == found.upper == 0.5
    with pytest.raises(InvalidSetting, match="every number from 0 to 3"):
        metrics.shuffled(np.zeros(4), [1, 0, 0, 1], permutations=[[0, 1, 2, 2]])
    with pytest.raises(InvalidSetting, match="draws"):
        metrics.shuffled(np.zeros(4), [1, 0, 0, 1], draws=0)


# -- probabilities


def test_losses_are_scikit_learns() -> None:
    generator = np.random.default_rng(5)
    p, yes = generator.random(200), generator.random(200) < 0.4
    p[:3] = 0, 1, 0.5
    assert metrics.log_loss(p, yes, clip=np.finfo(float).eps) == pytest.approx(peer.log_loss(yes, p))
    assert metrics.brier(p, yes) == pytest.approx(peer.brier_score_loss(yes, p))
    rows, truth = generator.dirichlet(np.ones(4), 200), generator.integers(0, 4, 200)
    assert metrics.log_loss(rows, truth) == pytest.approx(peer.log_loss(truth, rows))
    assert metrics.brier(rows, truth) == pytest.approx(peer.brier_score_loss(truth, rows, scale_by_half=False))
    names = np.array(["d", "b", "c", "a"])
    assert metrics.log_loss(rows, names[truth], labels=names.tolist()) == metrics.log_loss(rows, truth)
    cells = generator.random((200, 4)) < rows
    for given_truth in (cells, sparse.csr_array(cells)):
        assert metrics.log_loss(rows, given_truth) == pytest.approx(peer.log_loss(cells.ravel(), rows.ravel()))
        assert metrics.brier(rows, given_truth) == pytest.approx(peer.brier_score_loss(cells.ravel(), rows.ravel()))


def test_a_certain_and_wrong_answer_costs_what_the_clip_says() -> None:
    assert metrics.log_loss([0.0], [1], clip=1e-6) == pytest.approx(-np.log(1e-6))
    assert metrics.log_loss([0.0], [1], clip=0) == np.inf
    for clip in (-0.1, 0.5, np.nan):
        with pytest.raises(InvalidSetting, match="clip"):
            metrics.log_loss([0.0], [1], clip=clip)


def test_what_is_no_probability_is_told() -> None:
    for p, truth, said in (
        ([0.2, 1.2], [0, 1], "row 1: 1.2"),
        ([0.2, np.nan], [0, 1], "row 1: nan"),
        (np.eye(2), [0, 2], "row 1 has the label 2"),
        (np.eye(2), [0], "2 rows of probabilities for 1"),
        (np.eye(2), np.eye(3), "shape"),
        ([[0.5, 0.4], [0.5, 0.5]], [0, 1], "row 0 sums to 0.9"),
    ):
        for function in (metrics.log_loss, metrics.brier):
            with pytest.raises(InvalidSetting, match=said):
                function(p, truth)
    with pytest.raises(InvalidSetting, match="name each column"):
        metrics.log_loss(np.eye(2), ["a", "b"], labels=["a"])


answers = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=60)


@given(answers, st.integers(1, 12))
def test_bins_hold_every_answer_once_and_never_part_equal_probabilities(
    drawn: list[tuple[int, bool]], bins: int
) -> None:
    p, true = np.array([one for one, _ in drawn]) / 8, np.array([yes for _, yes in drawn])
    found = metrics.reliability(p, true, bins=bins)
    assert found.count.sum() == len(p)
    assert len(found.count) <= min(bins, len(set(p.tolist())))
    assert (found.count > 0).all()
    assert (np.diff(found.probability) > 0).all()
    np.testing.assert_allclose([found.count @ found.probability, found.count @ found.share_true], [p.sum(), true.sum()])
    ends = np.cumsum(found.count)[:-1]
    ordered = np.sort(p)
    assert (ordered[ends] > ordered[ends - 1]).all()
    assert abs(p.mean() - true.mean()) - 1e-12 <= found.error <= found.largest_gap + 1e-12
    shuffled = np.random.default_rng(0).permutation(len(p))
    assert metrics.calibration_error(p[shuffled], true[shuffled], bins=bins) == pytest.approx(found.error)


@given(st.integers(1, 100), st.integers(1, 12))
def test_bins_are_of_equal_mass_where_probabilities_differ(n: int, bins: int) -> None:
    counts = metrics.reliability(np.linspace(0, 1, n), np.zeros(n), bins=bins).count
    assert counts.max() - counts.min() <= 1
    assert len(counts) == min(n, bins)


def test_equal_probabilities_go_where_their_middle_falls() -> None:
    p = np.repeat([0.1, 0.5], [4, 6])
    assert metrics.reliability(p, np.zeros(10), bins=2).count.tolist() == [4, 6]
    p = np.repeat([0.1, 0.5, 0.9], [1, 8, 1])
    assert metrics.reliability(p, np.zeros(10), bins=2).count.tolist() == [9, 1]


def test_bins_are_scikit_learns_quantiles_where_they_come_out_even() -> None:
    generator = np.random.default_rng(2)
    p = generator.random(120)
    true = generator.random(120) < p**2
    found = metrics.reliability(p, true, bins=8)
    share, probability = calibration_curve(true, p, n_bins=8, strategy="quantile")
    np.testing.assert_allclose(found.share_true, share)
    np.testing.assert_allclose(found.probability, probability)
    assert metrics.calibration_error(p, true, bins=8) == pytest.approx(np.abs(share - probability).mean())


def test_exclusive_labels_are_calibrated_by_their_most_probable_answer() -> None:
    rows, truth = np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0.2, 0.8]]), np.array([0, 0, 0, 1])
    found = metrics.calibration_error(rows, truth, bins=2)
    assert found == pytest.approx(metrics.calibration_error([0.9, 0.6, 0.5, 0.8], [1, 0, 1, 1], bins=2))
    cells = np.eye(2)[truth]
    assert metrics.reliability(rows, cells).count.sum() == 8


# -- abstention


@given(answers)
def test_answering_everything_is_plain_accuracy_and_equals_are_answered_together(
    drawn: list[tuple[int, bool]],
) -> None:
    sure, right = np.array([one for one, _ in drawn]) / 8, np.array([yes for _, yes in drawn])
    curve = metrics.abstention(sure, right)
    assert curve.coverage[-1] == 1
    assert curve.accuracy[-1] == pytest.approx(right.mean())
    assert (np.diff(curve.cut) < 0).all()
    for cut, coverage, accuracy in zip(curve.cut, curve.coverage, curve.accuracy, strict=True):
        assert coverage == pytest.approx((sure >= cut).mean())
        assert accuracy == pytest.approx(right[sure >= cut].mean())
    cut, coverage = curve.for_accuracy(0.8)
    assert coverage == max(curve.coverage[curve.accuracy >= 0.8 - 1e-12], default=0.0)
    assert (sure >= cut).mean() == pytest.approx(coverage)
    cut, accuracy = curve.for_coverage(0.5)
    assert (sure >= cut).mean() >= 0.5
    assert accuracy == pytest.approx(right[sure >= cut].mean())


@given(problems(documents=6, levels=2))
def test_area_is_the_mean_over_all_orders_of_equals(problem: Problem) -> None:
    sure, right = problem
    areas = [np.mean(np.cumsum(right[order]) / np.arange(1, len(right) + 1)) for order in tie_orders(sure)]
    assert metrics.abstention(sure, right).area == pytest.approx(np.mean(areas))


def test_confidence_may_be_the_highest_of_a_documents_scores() -> None:
    scores, truth = np.array([[3.0, 1], [0, 2], [1, 1]]), [0, 0, 0]
    curve = metrics.abstention(scores, truth)
    assert curve.cut.tolist() == [3, 2, 1]
    assert curve.accuracy.tolist() == [1, 1 / 2, 2 / 3]
    lists = metrics.indicator([["a"], ["a", "b"], ["b"]], ["a", "b"])
    assert metrics.abstention(scores, lists).accuracy.tolist() == [1, 1, 2 / 3]
    assert metrics.abstention(scores, list("xxx"), labels=["x", "y"]).area == curve.area
    with pytest.raises(InvalidSetting, match=r"coverage 1\.5"):
        curve.for_coverage(1.5)
    assert curve.for_accuracy(1.0) == (3.0, 1 / 3)
    assert metrics.abstention([0.5], [0]).for_accuracy(0.9) == (np.inf, 0)
    with pytest.raises(InvalidSetting, match="shape"):
        metrics.abstention([0.5], [0, 1])


# -- names

NAMES = ["F1", "F0.5", "F2", "microF1", "macroF1", "microF0.5", "macroF10", "P@10", "P@5"]
NAMES += [name for name in metrics.MEASURES if "<" not in name]


@pytest.mark.parametrize("name", NAMES)
def test_names_parse_in_any_case_and_come_back(name: str) -> None:
    found = metrics.measure(name)
    assert str(found) == name
    for other in (name.upper(), name.lower(), f" {name} ", str(found)):
        assert metrics.measure(other) == found


def test_a_measure_by_name_is_its_function(several: tuple) -> None:
    scores, decisions, truth = several
    probabilities = 1 / (1 + np.exp(-scores))
    both, even = metrics.micro_macro(decisions, truth), metrics.break_even(scores, truth)
    half = metrics.micro_macro(decisions, truth, beta=0.5)
    expected = {
        "F1": both.macro_f,
        "F0.5": half.macro_f,
        "microF0.5": half.micro_f,
        "microF1": both.micro_f,
        "macroF1": both.macro_f,
        "microP": both.micro_precision,
        "macroP": both.macro_precision,
        "microR": both.micro_recall,
        "macroR": both.macro_recall,
        "accuracy": 1 - both.error,
        "subset": metrics.subset_accuracy(decisions, truth),
        "error": both.error,
        "AP": np.nanmean(metrics.average_precision(scores, truth)),
        "RPrec": np.nanmean(metrics.r_precision(scores, truth)),
        "P@10": metrics.precision_at(scores, truth, 10).mean(),
        "BEP": even.macro,
        "macroBEP": even.macro,
        "microBEP": even.micro,
        "pooledBEP": even.micro_pooled,
        "interpolatedBEP": np.nanmean(even.interpolated),
        "logloss": metrics.log_loss(probabilities, truth),
        "brier": metrics.brier(probabilities, truth),
        "ECE": metrics.calibration_error(probabilities, truth),
    }
    assert {metrics.MEASURES[name].name for name in metrics.MEASURES if "<" not in name} <= set(expected)
    given_values = {"decisions": decisions, "scores": scores, "probabilities": probabilities}
    for name, value in expected.items():
        found = metrics.measure(name)
        assert found(given_values[found.needs], truth) == pytest.approx(value, rel=1e-12), name
        assert found.higher_is_better == (name not in ("error", "logloss", "brier", "ECE"))
    np.testing.assert_array_equal(metrics.measure("microF1").per_label(decisions, truth), both.f)
    np.testing.assert_array_equal(metrics.measure("BEP").per_label(scores, truth), even.bep)
    np.testing.assert_array_equal(metrics.measure("error").per_label(decisions, truth), both.contingency.error)
    assert len(metrics.measure("F1").per_label(decisions[:, 0], truth[:, 0])) == 1
    with pytest.raises(InvalidSetting, match="no number for each"):
        metrics.measure("pooledBEP").per_label(scores, truth)


def test_an_unknown_name_is_told_with_all_choices() -> None:
    for name in ("F", "micro", "P@", "P@1.5", "F-1", "AP10", "microF1x", "", "F1.", "nDCG"):
        with pytest.raises(UnknownName) as told:
            metrics.measure(name)
        for choice in metrics.MEASURES:
            assert choice in str(told.value)
    with pytest.raises(InvalidSetting, match="k is a whole number"):
        metrics.measure("P@0")


def test_decisions_may_be_labels_in_words_or_lists_of_them() -> None:
    predicted, truth = ["a", "b", "b", "c"], ["a", "b", "c", "a"]
    f = peer.f1_score(truth, predicted, average=None, labels=["a", "b", "c"])
    np.testing.assert_allclose(metrics.measure("macroF1").per_label(predicted, np.array(truth)), f)
    assert metrics.measure("microF1")(predicted, truth) == metrics.measure("accuracy")(predicted, truth) == 0.5
    assert metrics.measure("subset")(predicted, truth) == 0.5
    lists, wanted = [["a", "b"], [], ["c"]], [["a"], ["b"], ["c"]]
    assert metrics.measure("microF1")(lists, wanted) == pytest.approx(4 / 6)
    assert metrics.measure("subset")(lists, wanted) == pytest.approx(1 / 3)


def test_nothing_to_judge_is_undefined_not_an_accident() -> None:
    none = np.zeros((0, 3))
    for name in NAMES:
        assert np.isnan(metrics.measure(name)(none, none)) or name.startswith(("F", "microF", "macroF", "P@"))
    no_labels = np.zeros((4, 0))
    assert np.isnan(metrics.micro_macro(no_labels, no_labels).macro_f)
    assert np.isnan(metrics.break_even(no_labels, no_labels).macro)
    assert len(metrics.average_precision(no_labels, no_labels)) == 0
    assert np.isnan(metrics.abstention([], []).area)
    assert np.isnan(metrics.reliability([], []).largest_gap)


def test_public_names_are_sorted_and_documented() -> None:
    names = metrics.__all__
    assert sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == names
    for name in names:
        assert (getattr(metrics, name).__doc__ or "").strip()


# -- scikit-learn's keywords

KEYWORDS = {
    "y_pred": (
        "accuracy",
        "confusion",
        "contingency",
        "error",
        "exact_match",
        "f_beta",
        "micro_macro",
        "precision",
        "recall",
        "subset_accuracy",
    ),
    "y_score": ("abstention", "average_precision", "break_even", "pooled_break_even", "precision_at", "r_precision"),
    "y_proba": ("brier", "calibration_error", "log_loss", "reliability"),
}
NO_TRUTH = {"break_even_over", "indicator", "measure"}  # these take no values beside their truth


def as_numbers(result: Any) -> list[float]:
    """All numbers of a result, one after the other."""
    if is_dataclass(result):
        return [number for field in fields(result) for number in as_numbers(getattr(result, field.name))]
    return np.ravel(result.toarray() if sparse.issparse(result) else result).tolist()


@pytest.mark.parametrize(("keyword", "name"), [(keyword, name) for keyword in KEYWORDS for name in KEYWORDS[keyword]])
def test_keywords_name_what_places_mean(keyword: str, name: str) -> None:
    rng = np.random.default_rng(4)
    truth = (rng.random(30) < 0.4).astype(int)
    values = (rng.random(30) < 0.4).astype(int) if keyword == "y_pred" else rng.random(30)
    metric, more = getattr(metrics, name), {"k": 5} if name == "precision_at" else {}
    by_place = as_numbers(metric(values, truth, **more))
    assert as_numbers(metric(y_true=truth, **{keyword: values}, **more)) == by_place
    assert as_numbers(metric(values, y_true=truth, **more)) == by_place
    for too_many in ({"y_true": truth}, {keyword: values}):
        with pytest.raises(InvalidSetting, match=r"given more than once; give it once, by its place or as .*="):
            metric(values, truth, **too_many, **more)
    for too_few in ({"y_true": truth}, {keyword: values}, {}):
        with pytest.raises(InvalidSetting, match=f"{metric.__name__}: .* is missing; .*{keyword}=|y_true="):
            metric(**too_few, **more)


def test_every_metric_takes_keywords() -> None:
    functions = {name for name in metrics.__all__ if inspect.isfunction(getattr(metrics, name))}
    assert functions - NO_TRUTH - {"shuffled"} == {name for names in KEYWORDS.values() for name in names}
    scores, truth = np.array([0.9, 0.3, 0.6, 0.2]), np.array([1, 0, 0, 1])
    assert metrics.shuffled(y_true=truth, y_score=scores).mean == metrics.shuffled(scores, truth).mean
    assert metrics.abstention(y_true=truth, y_proba=scores).area == metrics.abstention(scores, truth).area


def test_keywords_give_what_scikit_learn_gives_with_the_same_keywords() -> None:
    rng = np.random.default_rng(8)
    decided: dict[str, Any] = {name: (rng.random((60, 4)) < 0.5).astype(int) for name in ("y_true", "y_pred")}
    same = np.testing.assert_allclose
    same(metrics.precision(**decided), peer.precision_score(**decided, average=None))
    same(metrics.recall(**decided), peer.recall_score(**decided, average=None))
    same(metrics.f_beta(**decided, beta=2.0), peer.fbeta_score(**decided, beta=2.0, average=None))
    same(metrics.exact_match(**decided), peer.accuracy_score(**decided))
    same(metrics.measure("microF1")(**decided), peer.f1_score(**decided, average="micro"))
    same(metrics.measure("F1").per_label(**decided), peer.f1_score(**decided, average=None))
    same(metrics.micro_macro(**decided).macro_f, peer.f1_score(**decided, average="macro"))
    single: dict[str, Any] = {name: rng.integers(0, 5, 60) for name in ("y_true", "y_pred")}
    same(metrics.accuracy(**single), peer.accuracy_score(**single))
    same(metrics.confusion(**single).matrix, peer.confusion_matrix(**single))
    truth, scores = decided["y_true"][:, 0], rng.random(60)
    ranked = peer.average_precision_score(y_true=truth, y_score=scores)
    same(metrics.average_precision(y_true=truth, y_score=scores), ranked)
    same(metrics.measure("AP")(y_true=truth, y_score=scores), ranked)
    same(metrics.brier(y_true=truth, y_proba=scores), peer.brier_score_loss(truth, scores))
    same(metrics.log_loss(y_true=truth, y_proba=scores), peer.log_loss(truth, scores))
