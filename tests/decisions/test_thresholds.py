"""Cuts are the best there are on their data, intervals cover, promises are kept, and odd input has an answer or an error."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import norm
from sklearn.metrics import fbeta_score, precision_recall_curve

from rubricate import metrics, thresholds
from rubricate.decisions.thresholds import Abstain, FBeta, Precision, Recall, intervals, scut_thresholds
from rubricate.decisions.thresholds.goals import MicroF
from rubricate.decisions.thresholds.intervals import (
    best_places_of_draws,
    draw_weights,
    running_counts,
    thresholds_of_draws,
)
from rubricate.decisions.thresholds.ranking import Ranking
from rubricate.errors import InvalidSetting, UnknownName

INF = float("inf")
levels = st.sampled_from([-INF, -2.0, -1.5, 0.0, 1e-30, 0.25, 0.1 + 0.2, 0.3, 0.5, 1.0, 7.0, INF])
tables = st.tuples(st.integers(1, 9), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(hnp.arrays(float, shape, elements=levels), hnp.arrays(bool, shape))
)


def all_cuts(scores: np.ndarray) -> list[float]:
    """Every cut that decides differently, highest first, found the slow way."""
    cuts = [INF]
    for above, below in itertools.pairwise(sorted(scores.tolist(), reverse=True)):
        if above == below or (math.isfinite(above) and math.isclose(above, below, rel_tol=1e-12)):
            continue
        cuts.append(below if math.isinf(above) else (above + below) / 2)
    return [*cuts, -INF]


def f_at(scores: np.ndarray, truth: np.ndarray, cut: float, beta: float = 1.0) -> float:
    return float(metrics.f_beta((scores > cut).astype(int), truth.astype(int), beta=beta))


# -- scut


@given(tables, st.sampled_from([0.3, 0.5, 1.0, 2.0]))
def test_cuts_maximise_f_against_brute_force(table: tuple[np.ndarray, np.ndarray], beta: float) -> None:
    scores, truth = table
    for own, known, cut in zip(scores.T, truth.T, thresholds.scut(scores, truth, beta), strict=True):
        values = [f_at(own, known, one, beta) for one in all_cuts(own)]
        assert f_at(own, known, cut, beta) == pytest.approx(max(values), abs=1e-12)
        best = next(one for one, value in zip(all_cuts(own), values, strict=True) if value >= max(values) - 1e-12)
        assert ((own > cut) == (own > best)).all(), "of equally good cuts the highest"


def test_no_cut_lies_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    some = [-INF, -2.0, 0.0, 1e-30, 0.25, 0.1 + 0.2, 0.3, 1.0, 7.0, INF]
    for trial in range(600):
        n, beta = rng.integers(1, 60), rng.choice([0.3, 1.0, 2.0])
        scores = rng.choice(some, n) if trial % 2 else rng.normal(size=n).round(1)
        truth = (rng.random(n) < rng.choice([0.02, 0.1, 0.3])).astype(int)
        found = thresholds.scut(scores, truth, beta)
        with monkeypatch.context() as patched:
            patched.setattr(scut_thresholds, "MANY", n)  # documents are sorted down to the lowest positive
            assert thresholds.scut(scores, truth, beta) == found


def test_the_best_f_is_that_of_scikit_learns_curve() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(300) < 0.3
    scores = np.round(rng.normal(size=300) + truth, 1)
    precision, recall, _ = precision_recall_curve(truth, scores)
    for beta in (0.5, 1.0, 2.0):
        best = (1 + beta**2) * precision * recall / np.maximum(beta**2 * precision + recall, 1e-12)
        decisions = scores > thresholds.scut(scores, truth, beta)
        assert fbeta_score(truth, decisions, beta=beta) == pytest.approx(best.max(), abs=1e-12)


def test_each_label_may_have_its_own_beta() -> None:
    rng = np.random.default_rng(1)
    scores, truth = rng.normal(size=(50, 3)), rng.random((50, 3)) < 0.4
    together = thresholds.scut(scores, truth, [0.5, 1, 2])
    alone = [thresholds.scut(scores[:, n], truth[:, n], beta) for n, beta in enumerate((0.5, 1, 2))]
    assert all(isinstance(cut, float) for cut in alone)
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(thresholds.scut(scores, sparse.csr_array(truth)), thresholds.scut(scores, truth))


def test_a_cut_asks_only_for_the_order_of_scores() -> None:
    rng = np.random.default_rng(2)
    scores, truth = rng.normal(size=200), rng.random(200) < 0.2
    before = scores > thresholds.scut(scores, truth)
    for moved in (np.exp(scores), 1e-30 * scores, scores**3 - 5, 1e300 * scores):
        np.testing.assert_array_equal(moved > thresholds.scut(moved, truth), before)


def test_no_cut_lies_between_scores_that_differ_by_rounding_only() -> None:
    scores = np.array([0.1 + 0.2, 0.3, 3000.3, np.nextafter(3000.3, 4000)])
    assert len(set(scores.tolist())) == 4
    assert ((scores > thresholds.scut(scores, [1, 0, 1, 0])) == [1, 1, 1, 1]).all()
    tiny = np.array([1e-40, 1e-41, 1e-42])
    assert ((tiny > thresholds.scut(tiny, [1, 0, 0])) == [1, 0, 0]).all()


def test_of_cuts_whose_f_differs_by_rounding_only_the_highest_is_taken() -> None:
    """(1 + 0.09) / (3 + 9) = 3 (1 + 0.09) / (27 + 9), but not in floating point."""
    truth = np.zeros(1200, dtype=bool)
    truth[[2, 25, 26]] = True
    truth[-97:] = True
    scores = -np.arange(1200.0)
    goal = FBeta(0.3)
    first, second = goal.measure(1, 3, 100), goal.measure(3, 27, 100)
    assert first < second == pytest.approx(first)
    assert (scores > thresholds.scut(scores, truth, 0.3)).sum() == 3


@pytest.mark.parametrize(
    ("scores", "truth", "cut"),
    [
        ([0.3, 0.2], [0, 0], INF),
        ([0.3, 0.2], [1, 1], -INF),
        ([0.0, 0.0], [0, 1], -INF),
        ([1.0], [1], -INF),
        ([1.0], [0], INF),
        ([], [], INF),
        ([INF, 1.0], [1, 0], 1.0),
        ([INF, -INF], [1, 0], -INF),
        ([0.5, -INF], [0, 1], INF),  # a document that scores -inf cannot be reached, so nothing is gained
        ([1e308, -1e308], [1, 0], 0.0),
        ([1.7e308, 1.6e308], [1, 0], 1.65e308),
        ([1e-323, 5e-324], [1, 0], 5e-324),
    ],
)
def test_odd_scores_have_a_cut_that_decides_as_it_should(scores: list[float], truth: list[int], cut: float) -> None:
    found = thresholds.scut(np.array(scores), np.array(truth, dtype=int))
    assert found == pytest.approx(cut)


def test_nan_is_refused_with_its_place() -> None:
    scores = np.zeros((5, 3))
    scores[3, 1] = np.nan
    for use in (
        lambda: thresholds.scut(scores, np.zeros((5, 3), int)),
        lambda: thresholds.fit_thresholds(scores, np.zeros((5, 3), int)),
        lambda: thresholds.pcut(scores, 0.5),
        lambda: thresholds.rcut(scores, 1),
        lambda: thresholds.complement(scores, scores),
        lambda: thresholds.fit_bands(scores, np.zeros((5, 3), int)),
    ):
        with pytest.raises(InvalidSetting, match="document 3, label 1"):
            use()


@pytest.mark.parametrize(
    ("scores", "truth", "beta"),
    [
        (np.zeros((4, 2)), np.zeros((4, 3), int), 1.0),
        (np.zeros((4, 2)), np.full((4, 2), 2), 1.0),
        (np.zeros((4, 2)), np.zeros((4, 2), int), [1.0, 1.0, 1.0]),
        (np.zeros((4, 2)), np.zeros((4, 2), int), 0.0),
        (np.zeros((4, 2)), np.zeros((4, 2), int), INF),
        (np.zeros((4, 2, 2)), np.zeros((4, 2, 2), int), 1.0),
    ],
)
def test_what_does_not_fit_is_refused(scores: np.ndarray, truth: np.ndarray, beta: object) -> None:
    with pytest.raises(InvalidSetting):
        thresholds.scut(scores, truth, beta)


# -- decisions without a fitted threshold


@given(tables, st.integers(0, 4))
def test_rcut_gives_each_document_its_k_best_labels(table: tuple[np.ndarray, np.ndarray], k: int) -> None:
    scores = np.where(table[0] == 0.1 + 0.2, 0.3, table[0])
    for own, row in zip(thresholds.rcut(scores, k), scores, strict=True):
        best = sorted(range(len(row)), key=lambda label: (-row[label], label))[:k]
        assert set(np.flatnonzero(own)) == set(best)


def test_top_one_takes_the_first_of_equals() -> None:
    np.testing.assert_array_equal(thresholds.top_one([[0.1 + 0.2, 0.3], [0.3, 0.1 + 0.2], [-INF, -INF]]), [[1, 0]] * 3)


@given(tables, st.floats(0, 1))
def test_pcut_deals_out_the_proportion_best_first(table: tuple[np.ndarray, np.ndarray], share: float) -> None:
    scores = np.where(table[0] == 0.1 + 0.2, 0.3, table[0])
    if len(scores) == 1:
        return
    wanted = math.floor(len(scores) * share + 0.5 + 1e-9)
    assert thresholds.pcut_counts(len(scores), share).tolist() == [wanted]
    for own, column in zip(thresholds.pcut(scores, share).T, scores.T, strict=True):
        best = sorted(range(len(column)), key=lambda document: (-column[document], document))[:wanted]
        assert set(np.flatnonzero(own)) == set(best)


def test_pcut_rounds_halves_up_whatever_the_fraction() -> None:
    for train in range(1, 60):
        for members in range(train + 1):
            exact = (2 * 45 * members + train) // (2 * train)
            assert thresholds.pcut_counts(45, members / train)[0] == exact


def test_pcut_says_that_one_document_is_no_batch() -> None:
    with pytest.raises(InvalidSetting, match=r"batch.*scut.*rcut.*top_one"):
        thresholds.pcut(np.zeros((1, 3)), [0.1, 0.2, 0.3])
    assert thresholds.pcut(np.zeros((0, 3)), 0.5).shape == (0, 3)
    assert thresholds.pcut(np.array([3.0, 1.0, 2.0]), 0.5).tolist() == [1, 0, 1]


def test_the_complement_must_be_beaten_strictly() -> None:
    own, rest = np.array([[0.3, 0.5, -INF, INF]]), np.array([[0.1 + 0.2, 0.4, -INF, 1.0]])
    np.testing.assert_array_equal(thresholds.complement(own, rest), [[0, 1, 0, 1]])
    with pytest.raises(InvalidSetting):
        thresholds.complement(own, rest[:, :2])


# -- draws


def obvious(scores: np.ndarray, truth: np.ndarray, drawn: np.ndarray, beta: float) -> tuple[float, float]:
    """A draw's cut and F as anybody would write it: resample, sort, sum, take the best."""
    s, t = scores[drawn], truth[drawn]
    order = np.argsort(-s, kind="stable")
    s, t = s[order], t[order]
    right = np.cumsum(t)
    f = (1 + beta**2) * right / (np.arange(1, len(s) + 1) + beta**2 * t.sum())
    f[np.append(s[1:] == s[:-1], False)] = -1
    best = int(np.argmax(f >= f.max() - 1e-12))
    if not t.any():
        return INF, 1.0
    return ((s[best] + s[best + 1]) / 2 if best + 1 < len(s) else -INF), float(f[best])


@pytest.mark.parametrize("decimals", [1, 12])
def test_running_sums_over_weights_are_what_resampling_and_sorting_gives(decimals: int) -> None:
    rng = np.random.default_rng(3)
    n, times = 60, 50
    truth = rng.random(n) < 0.15
    scores = np.round(rng.normal(size=n) + truth, decimals)
    ranking, weights = Ranking.of(scores, truth), draw_weights(n, times, 7)
    places = best_places_of_draws(FBeta(2.0), ranking, weights)
    cuts = thresholds_of_draws(ranking, places, weights)[0]
    again = np.random.default_rng(7)
    for draw in range(times):
        drawn = again.integers(0, n, n)
        np.testing.assert_array_equal(np.bincount(drawn, minlength=n), weights[:, draw])
        cut, f = obvious(scores, truth, drawn, 2.0)
        assert cuts[draw] == pytest.approx(cut)
        assert f_at(scores[drawn], truth[drawn], cuts[draw], 2.0) == pytest.approx(f)


@given(tables, st.integers(0, 5))
def test_the_two_ways_to_sum_agree(table: tuple[np.ndarray, np.ndarray], seed: int) -> None:
    ranking = Ranking.of(table[0][:, 0], table[1][:, 0])
    weights = draw_weights(len(table[0]), 4, seed)
    for places in (np.concatenate([[0], ranking.ends]), np.array([0, len(table[0])])):
        right, assigned = running_counts(ranking, places, weights)
        for row, place in enumerate(places):
            own = ranking.order[:place]
            np.testing.assert_array_equal(assigned[row], weights[own].sum(axis=0))
            np.testing.assert_array_equal(right[row], weights[own][ranking.positive[:place]].sum(axis=0))


def test_the_size_of_a_block_of_draws_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, truth = two_classes(150, 6, 0.1, 1.0, seed=4)
    found = []
    for size in (1 << 26, 1, 700):
        monkeypatch.setattr(intervals, "BLOCK", size)
        found.append(
            [
                json.dumps(thresholds.fit_thresholds(scores, truth, by=by, draws=25).as_dict())
                for by in ("f", Recall(0.8))
            ]
        )
    assert found[0] == found[1] == found[2]


def test_same_seed_same_bytes_and_another_seed_another_interval() -> None:
    scores, truth = two_classes(400, 12, 0.1, 2.0, seed=4)
    first, second, other = (
        json.dumps(thresholds.fit_thresholds(scores, truth, random_state=seed).as_dict()) for seed in (5, 5, 6)
    )
    assert first == second != other


# -- intervals and promises, on normal scores whose best cuts are known


def two_classes(n: int, labels: int, share: float, distance: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of documents x labels, standard normal, those of positives higher by `distance`."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, labels)) < share
    return rng.normal(size=(n, labels)) + distance * truth, truth


def rates(cuts: np.ndarray, share: float, distance: float) -> tuple[np.ndarray, np.ndarray]:
    """The true shares of all documents that are right above a cut, and that are above it."""
    right = share * norm.sf(cuts - distance)
    return right, right + (1 - share) * norm.sf(cuts)


def true_f(cuts: np.ndarray, share: float, distance: float, beta: float) -> np.ndarray:
    right, assigned = rates(np.asarray(cuts), share, distance)
    return (1 + beta**2) * right / (assigned + beta**2 * share)


@pytest.mark.parametrize(
    ("n", "share", "distance", "beta"),
    [(250, 0.1, 2.0, 1.0), (1000, 0.02, 3.0, 1.0), (500, 0.1, 2.0, 2.0), (500, 0.1, 2.0, 0.5), (500, 0.04, 5.0, 1.0)],
)
def test_intervals_cover_about_95_percent(n: int, share: float, distance: float, beta: float) -> None:
    """300 labels are 300 repetitions: a true coverage of 95 % gives 0.91 or less once in a thousand times."""
    scores, truth = two_classes(n, 300, share, distance, seed=8)
    found = thresholds.fit_thresholds(scores, truth, beta=beta, min_positives=0)
    grid = np.linspace(-4, 9, 20_001)
    best = grid[np.argmax(true_f(grid, share, distance, beta))]
    there = truth.any(axis=0)
    assert np.mean((found.cut_low <= best) & (best <= found.cut_high)) > 0.91
    will_be = true_f(found.cuts, share, distance, beta)
    assert np.mean(((found.low <= will_be) & (will_be <= found.high))[there]) > 0.91
    # what the chosen cut does on its own data is too good; what it does on documents left out is nearly right
    optimism, bias = np.mean((found.measure - will_be)[there]), np.mean((found.expected - will_be)[there])
    assert abs(bias) < optimism / 2
    assert ((found.cut_low <= found.cuts) & (found.cuts <= found.cut_high)).all()


def test_a_narrower_level_is_a_narrower_interval_that_covers_less() -> None:
    scores, truth = two_classes(400, 300, 0.1, 2.0, seed=9)
    wide, narrow = (thresholds.fit_thresholds(scores, truth, level=level, min_positives=0) for level in (0.95, 0.5))
    will_be = true_f(wide.cuts, 0.1, 2.0, 1.0)
    assert (narrow.high - narrow.low <= wide.high - wide.low + 1e-12).all()
    assert 0.4 < np.mean((narrow.low <= will_be) & (will_be <= narrow.high)) < 0.65


def test_data_without_a_mistake_do_not_promise_that_there_will_be_none() -> None:
    scores = np.concatenate([np.linspace(5, 6, 20), np.linspace(-1, 1, 180)])
    found = thresholds.fit_thresholds(scores, scores > 4)
    assert found.measure[0] == found.expected[0] == found.high[0] == 1
    assert 0.8 < found.low[0] < 0.95
    assert found.cut_low[0] <= 1 < 5 <= found.cut_high[0], "any cut in the gap is as good"


@pytest.mark.parametrize(("share", "distance", "bound"), [(0.3, 2.0, 0.9), (0.1, 3.0, 0.8)])
def test_a_promised_precision_is_kept_and_a_measured_one_is_not(share: float, distance: float, bound: float) -> None:
    scores, truth = two_classes(1000, 400, share, distance, seed=10)
    kept = {}
    for sure in (0.95, None):
        found = thresholds.fit_thresholds(scores, truth, by=Precision(bound, sure), draws=0)
        right, assigned = rates(found.cuts[found.met], share, distance)
        assert len(right) > 300
        kept[sure] = np.mean(right / assigned >= bound)
    assert kept[0.95] > 0.92
    assert kept[None] < 0.6


def test_a_promised_recall_is_kept_and_a_measured_one_is_not() -> None:
    scores, truth = two_classes(600, 400, 0.1, 2.0, seed=11)
    kept = {}
    for sure in (0.95, None):
        found = thresholds.fit_thresholds(scores, truth, by=Recall(0.8, sure), draws=0)
        kept[sure] = np.mean(norm.sf(found.cuts - 2.0) >= 0.8)
        assert found.met.all()
    assert kept[0.95] > 0.92
    assert kept[None] < 0.65


@given(tables, st.sampled_from([0.0, 0.3, 0.5, 2 / 3, 1.0]))
def test_bounds_as_measured_against_brute_force(table: tuple[np.ndarray, np.ndarray], bound: float) -> None:
    scores, truth = table[0][:, 0], table[1][:, 0]
    precise = thresholds.fit_thresholds(scores, truth, by=Precision(bound, None), draws=0, min_positives=0)
    complete = thresholds.fit_thresholds(scores, truth, by=Recall(bound, None), draws=0, min_positives=0)
    rows = []
    for cut in all_cuts(scores):
        inside = scores > cut
        right, assigned = int((inside & truth).sum()), int(inside.sum())
        rows.append(
            (right / assigned if assigned else 1.0, right / truth.sum() if truth.any() else 1.0, right, assigned)
        )
    passing = [row for row in rows if row[0] >= bound - 1e-12]
    most = max(row[2] for row in passing)
    assert precise.assigned[0] == min(row[3] for row in passing if row[2] == most)
    passing = [row for row in rows if row[1] >= bound - 1e-12]
    if passing:
        assert complete.assigned[0] in [row[3] for row in passing]
        own = next(row for row in passing if row[3] == complete.assigned[0])
        assert own[0] >= max(row[0] for row in passing) - 1e-12
    else:
        assert not complete.met[0]  # then the most that can be found, with as few others as possible
        most = max(row[2] for row in rows)
        assert complete.assigned[0] == min(row[3] for row in rows if row[2] == most)


def test_a_bound_that_nothing_reaches_is_told() -> None:
    scores, truth = two_classes(300, 2, 0.2, 0.0, seed=12)
    found = thresholds.fit_thresholds(scores, truth, by=[Precision(0.99), Recall(0.999)])
    assert found.cuts[0] == INF
    assert found.cuts[1] < scores[truth[:, 1] == 1, 1].min() < INF
    assert found.met.tolist() == [False, False]
    assert found.not_promised == ("0", "1")
    assert "precision of 0.99" in found.why[0]
    assert "never assigned" in found.why[0]
    assert "recall of 0.999" in found.why[1]
    assert "not promised" in found.why[1]
    assert np.isnan(found.measure[0])


@pytest.mark.parametrize("positives", [3, 12, 28])
def test_a_recall_that_few_documents_cannot_promise_gives_the_label_to_few_documents(positives: int) -> None:
    scores, truth = two_classes(2000, 20, positives / 2000, 3.0, seed=5)
    found = thresholds.fit_thresholds(scores, truth, by=Recall(0.9), draws=0, min_positives=0)
    rare = (found.positives > 0) & (found.positives < 29)
    assert rare.any()
    assert not found.met[rare].any()
    assert (found.assigned[rare] < 1000).all()
    assert (found.measure[rare] >= 0.9).all()


# -- rare labels


def rare_labels(seed: int, n: int = 1000, labels: int = 30) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels with about three positives of a thousand, each with a scale of its own, and how far apart its classes are."""
    rng = np.random.default_rng(seed)
    distance = rng.uniform(2.5, 4.0, labels)
    truth = rng.random((n, labels)) < 0.003
    return rng.normal(size=(n, labels)) + distance * truth, truth, distance


def test_a_common_depth_serves_rare_labels_better_than_their_own_cuts() -> None:
    gains, micro = [], []
    for seed in range(12):
        scores, truth, distance = rare_labels(seed)
        there = truth.any(axis=0)
        own = thresholds.fit_thresholds(scores, truth, min_positives=0, draws=0)
        pooled = thresholds.fit_thresholds(scores, truth, draws=0)
        assert (pooled.pooled == there).all()
        f = [np.mean(true_f(one.cuts, 0.003, distance, 1.0)[there]) for one in (own, pooled)]
        gains.append(f[1] - f[0])
        counts = [np.sum(rates(one.cuts, 0.003, distance), axis=1) for one in (own, pooled)]
        micro.append([2 * right / (assigned + 0.003 * len(distance)) for right, assigned in counts])
    assert np.mean(gains) > 0.01
    assert np.mean(micro, axis=0)[1] > np.mean(micro, axis=0)[0] + 0.05


def test_a_promise_about_a_pool_of_rare_labels_is_kept() -> None:
    kept = []
    for seed in range(20):
        scores, truth, distance = rare_labels(seed, n=600)
        scores += 1.5 * truth
        found = thresholds.fit_thresholds(scores, truth, by=Precision(0.8), draws=0)
        right, assigned = np.sum(rates(found.cuts, 0.003, distance + 1.5), axis=1)
        kept.append(assigned == 0 or right / assigned >= 0.8)
        assert not thresholds.fit_thresholds(scores, truth, by=Precision(0.8), draws=0, min_positives=0).assigned.any()
    assert np.mean(kept) > 0.85


def test_pooling_asks_only_for_the_order_of_a_labels_scores() -> None:
    scores, truth, _ = rare_labels(0)
    rng = np.random.default_rng(1)
    moved = scores * rng.uniform(0.1, 50, scores.shape[1]) + rng.normal(size=scores.shape[1])
    before, after = (
        thresholds.fit_thresholds(scores, truth, draws=20),
        thresholds.fit_thresholds(moved, truth, draws=20),
    )
    np.testing.assert_array_equal(before.decide(scores), after.decide(moved))
    np.testing.assert_allclose(before.expected, after.expected)


def test_rare_labels_are_told_and_a_lonely_one_keeps_its_own_cut() -> None:
    scores, truth = two_classes(500, 3, 0.2, 2.0, seed=13)
    truth[:, 0] = False
    truth[:, 1] = np.arange(500) < 4
    found = thresholds.fit_thresholds(scores, truth, labels=["none", "few", "many"])
    assert found.labels == ("none", "few", "many")
    assert found.pooled.tolist() == [False, True, False]
    assert found.cuts[0] == INF
    assert found.measure[0] == 1
    assert "no document has the label" in found.why[0]
    assert "4 positives, fewer than 10" in found.why[1]
    assert "2 labels together" in found.why[1]
    assert found.why[2] == ""
    alone = thresholds.fit_thresholds(scores[:, 1], truth[:, 1])
    assert not alone.pooled[0]
    assert "no other label" in alone.why[0]
    assert alone.cuts[0] == thresholds.scut(scores[:, 1], truth[:, 1])


# -- reports


def test_a_report_survives_json_with_its_infinities() -> None:
    scores, truth = two_classes(200, 4, 0.2, 1.0, seed=14)
    truth[:, 0], truth[:, 1] = False, True
    goals = ["f", FBeta(2.0), Precision(0.99), Recall(0.9, None)]
    found = thresholds.fit_thresholds(scores, truth, by=goals, source="resubstitution", draws=30)
    assert {INF, -INF} <= set(found.cuts.tolist())
    text = json.dumps(found.as_dict(), allow_nan=False)
    again = thresholds.Thresholds.from_dict(json.loads(text))
    assert json.dumps(again.as_dict()) == text
    assert again.goals == (FBeta(1.0), FBeta(2.0), Precision(0.99), Recall(0.9, None))
    assert again.source == "resubstitution"
    np.testing.assert_array_equal(again.decide(scores), found.decide(scores))
    assert again.cuts.dtype == np.float64
    assert again.pooled.dtype == np.bool_
    assert "4 labels" in repr(again)
    for other in (
        thresholds.fit_bands(scores, truth, draws=9),
        thresholds.fit_abstention(scores[:, 2], truth[:, 2], draws=9),
    ):
        text = json.dumps(other.as_dict(), allow_nan=False)
        assert json.dumps(type(other).from_dict(json.loads(text)).as_dict()) == text
    with pytest.raises(InvalidSetting, match="level"):
        thresholds.Thresholds.from_dict({key: value for key, value in found.as_dict().items() if key != "level"})
    with pytest.raises(UnknownName, match="micro_f, precision"):
        thresholds.Thresholds.from_dict({**found.as_dict(), "goals": [{"goal": "luck"}] * 4})


def test_decisions_of_a_report_are_score_above_cut() -> None:
    scores, truth = two_classes(200, 3, 0.2, 1.0, seed=15)
    found = thresholds.fit_thresholds(scores, truth, draws=0)
    np.testing.assert_array_equal(found.cuts, thresholds.scut(scores, truth))
    np.testing.assert_array_equal(found.decide(scores), scores > found.cuts)
    np.testing.assert_array_equal(found.assigned, (scores > found.cuts).sum(axis=0))
    assert np.isnan(found.low).all()
    assert np.isnan(found.cut_high).all()
    one = thresholds.fit_thresholds(scores[:, 0], truth[:, 0], draws=0)
    np.testing.assert_array_equal(one.decide(scores[:, 0]), found.decide(scores)[:, 0])
    with pytest.raises(InvalidSetting, match="2 labels for 3 thresholds"):
        found.decide(scores[:, :2])


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (2, 1), (5, 0), (0, 0)])
@pytest.mark.parametrize("by", ["f", "micro_f", Precision(0.9), Recall(0.9)], ids=str)
def test_next_to_nothing_can_be_fitted(shape: tuple[int, int], by: object) -> None:
    scores = np.arange(math.prod(shape), dtype=float).reshape(shape)
    for truth in (np.zeros(shape, int), np.ones(shape, int)):
        found = thresholds.fit_thresholds(scores, truth, by=by, draws=5)
        assert found.decide(scores).shape == shape
        assert json.dumps(found.as_dict(), allow_nan=False)
        assert thresholds.fit_bands(scores, truth, draws=5).decide(scores).shape == shape


@given(tables, st.sampled_from(["f", "micro_f", Precision(0.5), Recall(0.5)]))
def test_ties_and_infinities_never_break_a_fit(table: tuple[np.ndarray, np.ndarray], by: object) -> None:
    scores, truth = table
    found = thresholds.fit_thresholds(scores, truth, by=by, draws=9)
    assert not np.isnan(found.cuts).any()
    np.testing.assert_array_equal(found.assigned, (scores > found.cuts).sum(axis=0))
    defined = ~np.isnan(found.low)
    assert (found.low[defined] <= found.high[defined]).all()
    assert ((found.low[defined] >= 0) & (found.high[defined] <= 1)).all()


@pytest.mark.parametrize(
    "settings",
    [
        {"by": "luck"},
        {"by": ["f"]},
        {"by": ["f", "micro_f"]},
        {"by": Abstain(0.1)},
        {"by": MicroF(1.0, 0.5)},
        {"by": "micro_f", "beta": [1.0, 2.0]},
        {"draws": -1},
        {"level": 1.0},
        {"labels": ["one"]},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InvalidSetting):
        thresholds.fit_thresholds(np.zeros((4, 2)), np.zeros((4, 2), int), **settings)


def test_goals_that_make_no_sense_are_refused() -> None:
    for make in (
        lambda: Precision(1.2),
        lambda: Recall(0.5, 0.4),
        lambda: FBeta(-1),
        lambda: Abstain(2),
        lambda: FBeta(0),
    ):
        with pytest.raises(InvalidSetting):
            make()
    with pytest.raises(UnknownName, match="out-of-fold, resubstitution"):
        thresholds.fit_thresholds(np.zeros(3), np.zeros(3, int), source="guessed")


# -- all labels together


@given(tables, st.sampled_from([0.5, 1.0, 2.0]))
def test_micro_cuts_have_the_highest_micro_f_there_is(table: tuple[np.ndarray, np.ndarray], beta: float) -> None:
    scores, truth = table

    def micro(cuts: object) -> float:
        return float(metrics.contingency(scores > np.asarray(cuts), truth).total.f(beta))

    found = thresholds.micro_thresholds(scores, truth, beta=beta)
    best = max(micro(cuts) for cuts in itertools.product(*(all_cuts(own) for own in scores.T)))
    assert micro(found) == pytest.approx(best, abs=1e-12)


def test_macro_f_is_highest_at_scut_and_micro_f_at_micro_thresholds() -> None:
    scores, truth = two_classes(400, 5, 0.1, 1.5, seed=16)
    tables = [
        metrics.contingency(scores > cuts, truth)
        for cuts in (thresholds.scut(scores, truth), thresholds.micro_thresholds(scores, truth))
    ]
    assert tables[0].f().mean() > tables[1].f().mean()
    assert tables[1].total.f() > tables[0].total.f()
    fitted = thresholds.fit_thresholds(scores, truth, by="micro_f")
    np.testing.assert_array_equal(fitted.cuts, thresholds.micro_thresholds(scores, truth))
    assert fitted.goals[0].reached == pytest.approx(float(tables[1].total.f()))
    assert (fitted.cut_low <= fitted.cuts).all()
    with pytest.raises(InvalidSetting, match="scut"):
        thresholds.micro_thresholds(scores[:, 0], truth[:, 0])


# -- from probabilities


# the smallest numbers there are cannot be halved: p > p / 2 is false for 5e-324
@given(st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=12), st.sampled_from([0.5, 1.0, 2.0]))
def test_the_plug_in_cut_has_the_highest_f_of_expected_counts(p: list[float], beta: float) -> None:
    cut = thresholds.f_optimal_threshold(np.array(p), beta=beta)
    b2 = beta**2

    def f(size: int) -> float:
        below = size + b2 * sum(p)
        return (1 + b2) * sum(sorted(p, reverse=True)[:size]) / below if below > 0 else 1.0

    best = max(f(size) for size in range(len(p) + 1))
    assert cut == pytest.approx(best / (1 + b2), abs=1e-12)
    assert f(sum(one > cut for one in p)) == pytest.approx(best, rel=1e-9)


def test_calibrated_probabilities_need_no_truth() -> None:
    rng = np.random.default_rng(17)
    p = rng.beta(0.4, 1.6, size=(20_000, 2))
    truth = rng.random(p.shape) < p
    cuts = thresholds.f_optimal_threshold(p, beta=[1.0, 2.0])
    reached = [f_at(p[:, n], truth[:, n], cuts[n], beta) for n, beta in enumerate((1.0, 2.0))]
    best = [
        f_at(p[:, n], truth[:, n], cut, b)
        for n, (cut, b) in enumerate(zip(thresholds.scut(p, truth, [1.0, 2.0]), (1.0, 2.0), strict=True))
    ]
    np.testing.assert_allclose(reached, best, atol=0.005)
    assert cuts[0] == pytest.approx(reached[0] / 2, abs=0.01)


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 0.99, 1.0]), min_size=1, max_size=6),
    st.sampled_from([0.5, 1.0, 2.0]),
)
def test_the_exact_set_is_the_best_of_all_sets_over_all_outcomes(p: list[float], beta: float) -> None:
    sets = np.array(list(itertools.product([0, 1], repeat=len(p))))
    chances = np.prod(np.where(sets == 1, p, 1 - np.array(p)), axis=1)
    a, assigned, positives = sets @ sets.T, sets.sum(axis=1)[:, None], sets.sum(axis=1)
    expected = metrics.f_beta(a, assigned - a, positives - a, beta) @ chances
    found = thresholds.f_optimal_set(np.array(p), beta=beta)
    assert expected[(sets == found).all(axis=1)][0] == pytest.approx(expected.max(), abs=1e-12)
    order = np.argsort(-np.array(p), kind="stable")
    firsts = [(sets == (np.isin(np.arange(len(p)), order[:k]))).all(axis=1) for k in range(len(p) + 1)]
    np.testing.assert_allclose(
        thresholds.expected_f(np.array(p)[order], beta=beta), [expected[own][0] for own in firsts]
    )


def test_plug_in_and_exact_meet_as_documents_grow() -> None:
    rng = np.random.default_rng(18)
    gaps = []
    for n in (10, 400):
        p = np.sort(rng.beta(0.4, 1.6, n))[::-1]
        values = thresholds.expected_f(p)
        gaps.append(values.max() - values[(p > thresholds.f_optimal_threshold(p)).sum()])
        assert thresholds.f_optimal_set(p).sum() == np.argmax(values)
    assert gaps[1] < 1e-4
    for wrong in (np.array([1.2]), np.zeros(1001), np.zeros((2, 2))):
        with pytest.raises(InvalidSetting):
            thresholds.f_optimal_set(wrong)


# -- human review


@given(tables, st.sampled_from([0.0, 0.2, 0.34, 0.5, 1.0]))
def test_bands_leave_the_fewest_mistakes_that_the_share_allows(
    table: tuple[np.ndarray, np.ndarray], share: float
) -> None:
    scores, truth = table[0][:, 0], table[1][:, 0]
    found = thresholds.fit_bands(scores, truth, at_most=share, draws=0)
    decisions = found.decide(scores)

    def judged(decisions: np.ndarray) -> tuple[int, int]:
        person = decisions == thresholds.ABSTAIN
        return int(((decisions != truth) & ~person).sum()), int(person.sum())

    rows = []
    for upper, lower in itertools.combinations_with_replacement(all_cuts(scores), 2):
        wrong, asked = judged(np.where(scores > upper, 1, np.where(scores > lower, -1, 0)))
        if asked <= share * len(scores) + 1e-9:
            rows.append((wrong, asked))
    assert judged(decisions) == min(rows)
    assert found.to_person[0] == pytest.approx((decisions == -1).mean())
    assert found.share_of_documents == pytest.approx((decisions == -1).mean())


def test_bands_take_their_mistakes_from_the_data_and_tell_what_to_expect() -> None:
    scores, truth = two_classes(600, 150, 0.2, 2.0, seed=19)
    found = thresholds.fit_bands(scores, truth, at_most=0.1)
    upper, lower = rates(found.upper, 0.2, 2.0), rates(found.lower, 0.2, 2.0)
    between = lower[1] - upper[1]
    will_be = (upper[1] - upper[0] + 0.2 - lower[0]) / (1 - between)
    assert (found.to_person <= 0.1).all()
    assert np.mean(between) == pytest.approx(0.1, abs=0.01)
    assert (found.error <= found.error_without).all()
    assert np.mean((found.low <= will_be) & (will_be <= found.high)) > 0.9
    assert abs(np.mean(found.expected - will_be)) < np.mean(will_be - found.error) / 2
    assert found.share_of_documents > 0.9, "with many labels most documents need a person for some label"
    assert json.dumps(found.decide(scores[:1]).tolist())
    with pytest.raises(InvalidSetting, match="at_most"):
        thresholds.fit_bands(scores, truth, at_most=1.5)
    with pytest.raises(InvalidSetting, match="150 bands"):
        found.decide(scores[:, :2])


def exclusive(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of four labels, and whether the most probable is the right one."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(4, 0.4), size=n)
    return p, (rng.random(n) < p.max(axis=1)).astype(int)


def test_giving_away_five_percent_makes_the_rest_better() -> None:
    p, right = exclusive(3000, seed=20)
    found = thresholds.fit_abstention(thresholds.top(p), right)
    abstained = found.abstains(thresholds.top(p))
    assert 0.03 < abstained.mean() <= 0.05
    assert found.coverage == pytest.approx(1 - abstained.mean())
    assert found.accuracy == pytest.approx(right[~abstained].mean())
    assert found.accuracy > found.accuracy_of_all == pytest.approx(right.mean())
    assert found.low <= found.expected <= found.high
    _, best = metrics.abstention(thresholds.top(p), right).for_coverage(0.95)
    assert found.accuracy >= best
    new, answer = exclusive(50_000, seed=21)
    left = ~found.abstains(thresholds.top(new))
    assert found.low <= answer[left].mean() <= found.high


def test_a_share_of_right_answers_can_be_promised() -> None:
    new, answer = exclusive(50_000, seed=22)
    kept = []
    for seed in range(40):
        p, right = exclusive(1500, seed=seed)
        found = thresholds.fit_abstention(thresholds.margin(p), right, goal=Precision(0.85), draws=0)
        assert found.met
        kept.append(answer[~found.abstains(thresholds.margin(new))].mean() >= 0.85)
    assert np.mean(kept) > 0.85


def test_certainty_counts_the_mistakes_to_be_expected() -> None:
    p = np.array([[0.9, 0.2], [0.5, 0.5], [1.0, 0.0]])
    np.testing.assert_allclose(thresholds.certainty(p), [-0.3, -1.0, 0.0])
    np.testing.assert_allclose(thresholds.certainty(p, [[0, 0], [1, 1], [1, 1]]), [-1.1, -1.0, -1.0])
    np.testing.assert_allclose(
        thresholds.margin([[0.7, 0.2, 0.1], [1.0, -INF, -INF], [-INF, -INF, -INF]]), [0.5, INF, 0.0]
    )
    for wrong in (
        lambda: thresholds.certainty(p * 2),
        lambda: thresholds.margin(p[:, :1]),
        lambda: thresholds.top(p[0]),
    ):
        with pytest.raises(InvalidSetting):
            wrong()
    with pytest.raises(InvalidSetting, match="Abstain"):
        thresholds.fit_abstention(p[:, 0], [1, 0, 1], goal=Recall(0.9))
    with pytest.raises(InvalidSetting, match="one number a document"):
        thresholds.fit_abstention(p, p > 0.5)


@pytest.mark.parametrize("goal", [Abstain(0.0), Abstain(1.0), Abstain(0.3), Precision(0.9)], ids=str)
def test_a_person_can_be_asked_about_next_to_nothing(goal: object) -> None:
    for confidence, right in (
        ([], []),
        ([0.5], [1]),
        ([0.5], [0]),
        ([0.5, 0.5, 0.5], [1, 0, 1]),
        ([-INF, INF], [1, 0]),
    ):
        found = thresholds.fit_abstention(np.array(confidence), np.array(right, dtype=int), goal=goal, draws=5)
        assert found.abstains(np.array(confidence)).shape == (len(right),)


def test_who_may_give_away_nothing_gives_away_nothing_and_who_may_all_keeps_what_is_right() -> None:
    confidence, right = np.array([4.0, 3.0, 2.0, 1.0]), np.array([1, 1, 0, 1])
    assert not thresholds.fit_abstention(confidence, right, goal=Abstain(0.0)).abstains(confidence).any()
    assert thresholds.fit_abstention(confidence, right, goal=Abstain(1.0)).abstains(confidence).tolist() == [
        False,
        False,
        True,
        True,
    ]


def test_earlier_names_are_the_same_things() -> None:
    pairs = {
        "Cuts": "Thresholds",
        "PERSON": "ABSTAIN",
        "Person": "Abstention",
        "ToPerson": "Abstain",
        "f_optimal_cut": "f_optimal_threshold",
        "fit_cuts": "fit_thresholds",
        "fit_person": "fit_abstention",
        "micro_cuts": "micro_thresholds",
    }
    for before, now in pairs.items():
        assert getattr(thresholds, before) is getattr(thresholds, now)
    abstention = thresholds.fit_person([0.1, 0.9], [0, 1], draws=0)
    assert (abstention.asked([0.1, 0.9]) == abstention.abstains([0.1, 0.9])).all()
