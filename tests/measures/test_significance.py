"""Laws of the tests, intervals and comparisons; the papers' figures; other people's implementations."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from rubricate import metrics, significance
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.measures.significance.bootstrap import drawn_rows, remembered_rows
from rubricate.measures.significance.randomisation import random_coins

counts = st.integers(0, 40)
shares = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.5, 0.7, 1.0]), min_size=2, max_size=12)
FAST = (
    "microF1",
    "macroF1",
    "F1",
    "F0.5",
    "microF2",
    "microP",
    "macroP",
    "microR",
    "macroR",
    "accuracy",
    "error",
    "subset",
)


def problem(
    n: int = 80, labels: int = 4, *, seed: int = 0, wrong: tuple[float, ...] = (0.2, 0.35)
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Truth and the decisions of systems that get a share of it wrong."""
    rng = np.random.default_rng(seed)
    share = np.geomspace(0.4, 0.1, labels)
    truth = rng.random((n, labels)) < share
    return truth, [np.where(rng.random(truth.shape) < w, rng.random(truth.shape) < share, truth) for w in wrong]


def called(name: str) -> Callable[[Any, Any], float]:
    """A measure that does not tell its name, so that it is called each time."""
    measure = metrics.measure(name)

    def call(values: Any, truth: Any) -> float:
        return measure(values, truth)

    return call


# -- the papers' figures

# 001 table 4: wins, losses, whether a "?" is printed; WH against Rocchio, then EG against Rocchio
LEWIS = """16:4 14:6? 15:5 13:7? 18:2 15:5 18:2 16:4 48:1 41:7 47:2 32:17 15:4 21:1 26:0 16:10 45:4 45:4 49:0 44:5 13:1 11:1 22:3
15:12 34:16 41:9 13:37? 36:14 16:4 10:10? 18:2 14:6? 18:2 10:10? 18:2 9:11? 47:2 30:19? 48:1 35:14 23:3 20:7 27:0 21:4 49:0 43:6
48:1 34:15 24:1 24:1 26:0 15:12 42:8 49:1 38:11 48:2"""


def test_lewis_marks_are_one_tailed_sign_tests_but_for_three() -> None:
    odd = []
    for cell in LEWIS.split():
        wins, losses = map(int, cell.rstrip("?").split(":"))
        found = significance.sign_test(wins, losses, alternative="greater")
        if found.significant(0.05) == cell.endswith("?"):
            odd.append(cell)
        mark = significance.marked(wins, losses, significant=not cell.endswith("?"))
        assert mark.split()[1].rstrip("?") == (">" if wins > losses else "<" if wins < losses else "=")
    assert len(LEWIS.split()) == 56
    assert odd == ["16:10", "15:12", "15:12"]


def test_wilbur_and_kims_sign_tests() -> None:
    assert (
        round(significance.sign_test(15, 5, 7, alternative="greater").p, 2) == 0.02
    )  # their p-value is the one-sided one
    assert round(significance.sign_test(15, 5, 7).p, 3) == 0.041
    assert significance.sign_test(20, 6, 1).significant(0.01)
    assert not significance.sign_test(12, 6, 9).significant()


def test_sables_chi_square_is_with_yates() -> None:
    found = significance.chi_square([[359, 86], [383, 62]])
    assert f"{100 * found.p:.1f}" == "3.8"
    assert f"{100 * significance.chi_square([[359, 86], [383, 62]], yates=False).p:.1f}" == "3.1"


SABLE = {  # 004 tables 1, 2: indoor right, outdoor called indoor, indoor called outdoor, outdoor right; what is printed
    (100, 61, 25, 259): ("62.1", "91.2", "80.0", "80.9", "69.9", "80.7"),
    (87, 24, 38, 296): ("78.4", "88.6", "69.6", "92.5", "73.7", "86.1"),
}


@pytest.mark.parametrize("cells", SABLE)
def test_sables_tables_1_and_2(cells: tuple[int, int, int, int]) -> None:
    truth = np.repeat([1, 0, 1, 0], cells)
    decided = np.repeat([1, 1, 0, 0], cells)
    indoor, outdoor = metrics.contingency(decided, truth), metrics.contingency(1 - decided, 1 - truth)
    found = (indoor.precision, outdoor.precision, indoor.recall, outdoor.recall, indoor.f(), 1 - indoor.error)
    assert tuple(f"{100 * float(one):.1f}" for one in found) == SABLE[cells]


TABLE_5 = [  # 004 table 5: recall, precision, F1
    (71.21, 70.72, 70.96),
    (78.93, 87.48, 82.98),
    (80.48, 83.90, 82.15),
    (81.20, 91.37, 85.99),
    (83.39, 88.07, 85.67),
    (85.07, 84.89, 84.98),
    (78.42, 87.85, 82.87),
    (76.88, 82.45, 79.56),
]


@pytest.mark.parametrize(("recall", "precision", "printed"), TABLE_5)
def test_sables_f1_follows_from_precision_and_recall(recall: float, precision: float, printed: float) -> None:
    found = metrics.f_beta(1.0, 100 / precision - 1, 100 / recall - 1)
    assert abs(100 * float(found) - printed) < 0.011  # of numbers rounded to two places


# -- sign test


@given(counts, counts, st.integers(0, 5), st.sampled_from(significance.ALTERNATIVES))
def test_sign_test_is_scipys_binomial_test(wins: int, losses: int, ties: int, alternative: str) -> None:
    found = significance.sign_test(wins, losses, ties, alternative=alternative)
    peer = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue if wins + losses else 1.0
    assert found.p == pytest.approx(peer, rel=1e-9)
    assert (found.n, found.statistic, found.ties) == (wins + losses, wins, ties)


@given(shares)
def test_sign_test_of_values_counts_them(values: list[float]) -> None:
    other = [0.2] * len(values)
    near = [value + 1e-13 for value in values]  # rounding breaks no tie
    counted = significance.wins_losses_ties(near, other)
    assert counted[:3] == (sum(v > 0.2 for v in values), sum(v < 0.2 for v in values), sum(v == 0.2 for v in values))
    assert significance.sign_test(values, other).p == significance.sign_test(counted.wins, counted.losses).p


def test_undefined_pairs_are_told_not_counted() -> None:
    found = significance.sign_test([0.5, math.nan, 0.3], [0.4, 0.1, math.nan])
    assert (found.wins, found.losses, found.ties, found.undefined, found.n) == (1, 0, 0, 2, 1)


# -- t-tests


@given(shares, shares, st.sampled_from(significance.ALTERNATIVES))
def test_paired_t_is_scipys(a: list[float], b: list[float], alternative: str) -> None:
    n = min(len(a), len(b))
    first, second = np.array(a[:n]), np.array(b[:n])
    found = significance.paired_t_test(first, second, alternative=alternative)
    assert (found.n, found.df) == (n, n - 1)
    if np.ptp(first - second) < 1e-9:
        assert math.isnan(found.p) if abs(first - second).max() < 1e-9 else math.isinf(found.statistic)
        return
    peer = stats.ttest_rel(first, second, alternative=alternative)
    assert (found.statistic, found.p) == (pytest.approx(peer.statistic, rel=1e-9), pytest.approx(peer.pvalue, rel=1e-9))
    assert found.effect == pytest.approx(np.mean(first - second) / np.std(first - second, ddof=1))


def test_a_constant_difference_is_infinitely_sure() -> None:
    b = np.array([0.1, 0.2, 0.7])
    for alternative, p in (("greater", 0.0), ("less", 1.0), ("two-sided", 0.0)):
        found = significance.paired_t_test(b + 0.1, b, alternative=alternative)
        assert (found.statistic, found.p) == (math.inf, p)
    assert significance.paired_t_test(b - 0.1, b, alternative="greater").p == 1.0
    for a, b in (([0.5], [0.4]), ([0.5, 0.6], [0.5, 0.6]), ([], [])):
        assert math.isnan(significance.paired_t_test(a, b).p)


def test_corrected_t_is_the_paired_t_shrunk_by_the_overlap() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.random((2, 10)) + np.array([[0.2], [0.0]])
    plain = significance.paired_t_test(a, b)
    found = significance.corrected_resampled_t(a, b, n_train=90, n_test=10)
    assert found.statistic == pytest.approx(plain.statistic * math.sqrt((1 / 10) / (1 / 10 + 1 / 9)))
    assert found.p == pytest.approx(2 * stats.t.sf(found.statistic, 9))
    assert found.p > plain.p
    with pytest.raises(InvalidSetting, match="n_train=0"):
        significance.corrected_resampled_t(a, b, n_train=0, n_test=1)


def test_corrected_t_holds_its_level_where_the_paired_t_does_not() -> None:
    """Two systems that are alike, judged on random fifths of the same documents."""
    rng = np.random.default_rng(8)
    rejected = np.zeros(2)
    for _ in range(400):
        difference = rng.normal(size=100)  # of the two, on each document
        a = [difference[rng.permutation(100)[:20]].mean() for _ in range(15)]
        zero = [0.0] * len(a)
        rejected += [
            significance.paired_t_test(a, zero).p < 0.05,
            significance.corrected_resampled_t(a, zero, n_train=80, n_test=20).p < 0.05,
        ]
    assert rejected[0] / 400 > 0.2
    assert rejected[1] / 400 < 0.08


# -- Wilcoxon


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=40, unique_by=lambda v: round(abs(v), 12)))
def test_wilcoxon_is_scipys_exact_test(difference: list[float]) -> None:
    d = np.array([v for v in difference if abs(v) > 1e-12])
    if not len(d):
        assert significance.wilcoxon(d, 0 * d).p == 1.0
        return
    for alternative in significance.ALTERNATIVES:
        found = significance.wilcoxon(d, np.zeros(len(d)), alternative=alternative)
        peer = stats.wilcoxon(d, alternative=alternative, method="exact")
        assert found.p == pytest.approx(peer.pvalue, rel=1e-9)
    assert found.statistic == stats.wilcoxon(d, alternative="greater", method="exact").statistic


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10), st.sampled_from(significance.ALTERNATIVES))
def test_wilcoxon_with_shared_ranks_counts_every_sign_pattern(difference: list[int], alternative: str) -> None:
    d = np.array([v for v in difference if v])
    found = significance.wilcoxon(difference, np.zeros(len(difference)), alternative=alternative)
    ranks = stats.rankdata(np.abs(d))
    sums = [np.dot(signs, ranks) for signs in itertools.product((0, 1), repeat=len(d))]
    above, below = np.mean(np.array(sums) >= found.statistic), np.mean(np.array(sums) <= found.statistic)
    assert found.p == pytest.approx(
        {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}[alternative]
    )
    assert found.n == len(d)


def test_wilcoxon_of_many_pairs_is_scipys_approximation() -> None:
    rng = np.random.default_rng(0)
    d = rng.integers(-9, 12, size=90)
    peer = stats.wilcoxon(d, method="asymptotic", zero_method="wilcox", correction=False)
    assert significance.wilcoxon(d, np.zeros(90)).p == pytest.approx(peer.pvalue, rel=1e-9)


# -- tables


@given(counts, counts, counts, counts, st.booleans())
def test_chi_square_is_scipys(a: int, b: int, c: int, d: int, yates: bool) -> None:
    found = significance.chi_square([[a, b], [c, d]], yates=yates)
    assert found.n == a + b + c + d
    if 0 in (a + b, c + d, a + c, b + d):
        assert math.isnan(found.p)
        return
    peer = stats.chi2_contingency([[a, b], [c, d]], correction=yates)
    assert found.statistic == pytest.approx(peer.statistic, rel=1e-9, abs=1e-12)
    assert found.p == pytest.approx(peer.pvalue, rel=1e-9)


def test_mcnemar_gives_the_published_values() -> None:
    """Fagerland, Lydersen & Laake (2013), airway hyper-responsiveness: 1 against 7."""
    found = {method: significance.mcnemar(1, 7, method=method).p for method in ("exact", "mid-p", "asymptotic")}
    assert {method: round(p, 3) for method, p in found.items()} == {"exact": 0.070, "mid-p": 0.039, "asymptotic": 0.034}


@given(counts, counts, st.sampled_from(significance.ALTERNATIVES))
def test_mid_p_is_the_exact_p_less_half_of_what_was_found(only_a: int, only_b: int, alternative: str) -> None:
    n = only_a + only_b
    exact = significance.mcnemar(only_a, only_b, method="exact", alternative=alternative).p
    half = stats.binom.pmf(only_a, n, 0.5) / 2
    tails = {"greater": stats.binom.sf(only_a - 1, n, 0.5), "less": stats.binom.cdf(only_a, n, 0.5)}
    tails["two-sided"] = 2 * min(tails["greater"], tails["less"])
    found = significance.mcnemar(only_a, only_b, alternative=alternative)
    assert found.p == pytest.approx(tails[alternative] - half * (2 if alternative == "two-sided" else 1), rel=1e-9)
    assert found.p <= exact + 1e-15
    assert found.n == n


def test_mcnemar_of_lists_looks_only_where_one_is_right() -> None:
    a, b = [1, 1, 1, 0, 0, 1, 1], [1, 0, 0, 0, 1, 0, 1]
    assert significance.mcnemar(a, b) == significance.mcnemar(3, 1)
    assert significance.mcnemar(a, a).p == 1.0
    with pytest.raises(InvalidSetting, match="1 and 0"):
        significance.mcnemar([2, 1], [0, 1])


# -- several tests


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_steps_down(p_values: list[float]) -> None:
    p = np.array(p_values)
    found = significance.holm(p)
    assert (found >= p).all()
    assert (found <= np.minimum(1, p * len(p)) + 1e-15).all()
    assert (np.diff(found[np.argsort(p, kind="stable")]) >= 0).all()
    for level in (0.01, 0.05, 0.2):  # Holm's own procedure: stop at the first that is not small enough
        rejected, order = np.zeros(len(p), dtype=bool), np.argsort(p, kind="stable")
        for step, at in enumerate(order):
            if p[at] * (len(p) - step) >= level:
                break
            rejected[at] = True
        assert ((found < level) == rejected).all()


def test_holm_leaves_out_what_is_undefined() -> None:
    found = significance.holm([0.01, math.nan, 0.04])
    np.testing.assert_allclose(found, [0.02, np.nan, 0.04])
    with pytest.raises(InvalidSetting, match="between 0 and 1"):
        significance.holm([0.5, 1.5])


# -- randomisation


@given(st.integers(0, 10**6), st.sampled_from(FAST))
def test_sums_give_what_the_measure_gives(seed: int, name: str) -> None:
    rng = np.random.default_rng(seed)
    truth, decided = (rng.random((int(rng.integers(1, 8)), int(rng.integers(1, 5)))) < rng.random() for _ in range(2))
    decided = np.resize(decided, truth.shape)  # labels that nobody has, or nobody is given, occur
    measure = metrics.measure(name)
    assert measure.parts is not None
    assert measure.value is not None
    sums = measure.parts(decided, truth).sum(axis=0)
    np.testing.assert_allclose(measure.value(sums), measure(decided, truth), rtol=1e-12)
    np.testing.assert_allclose(measure.value(sums.reshape(-1, 1)), [measure(decided, truth)], rtol=1e-12)
    sparsely = measure.parts(sparse.csr_array(decided.astype(int)), sparse.csr_array(truth.astype(int)))
    np.testing.assert_array_equal(sparsely.toarray(), measure.parts(decided, truth).toarray())


@pytest.mark.parametrize("name", ["macroF1", "macroP", "F2"])
@pytest.mark.parametrize("alternative", significance.ALTERNATIVES)
def test_fast_and_called_measures_agree_shuffle_by_shuffle(name: str, alternative: str) -> None:
    truth, (a, b) = problem(30, seed=2)
    setting = {"draws": 200, "alternative": alternative, "random_state": 5}
    fast = significance.randomisation(name, a, b, truth, **setting)
    slow = significance.randomisation(called(name), a, b, truth, **setting)
    assert (fast.p, fast.n, fast.draws) == (slow.p, slow.n, slow.draws)
    assert fast.spread == pytest.approx(slow.spread, rel=1e-9)


@pytest.mark.parametrize("name", ["microF1", "macroF1", "accuracy", "subset", "error"])
def test_few_documents_are_shuffled_in_every_way(name: str) -> None:
    truth, (a, _) = problem(20, seed=3)
    b = a.copy()
    b[:7] = ~b[:7]
    b[3] = a[3]
    measure = metrics.measure(name)
    found = measure(a, truth) - measure(b, truth)
    every = []
    for swapped in itertools.product((False, True), repeat=6):
        swap = np.zeros((20, 1), dtype=bool)
        swap[[0, 1, 2, 4, 5, 6], 0] = swapped
        every.append(measure(np.where(swap, b, a), truth) - measure(np.where(swap, a, b), truth))
    for alternative, p in (
        ("two-sided", np.mean(np.abs(every) >= abs(found) - 1e-12)),
        ("greater", np.mean(np.array(every) >= found - 1e-12)),
        ("less", np.mean(np.array(every) <= found + 1e-12)),
    ):
        outcome = significance.randomisation(name, a, b, truth, draws=64, alternative=alternative)
        assert outcome.exact
        assert (outcome.p, outcome.n) == (pytest.approx(p), 6)


def test_randomisation_of_pairs_is_scipys_permutation_test() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 9))
    for alternative in significance.ALTERNATIVES:
        peer = stats.permutation_test(
            (a, b),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=alternative,
            vectorized=True,
        )
        found = significance.randomisation_of_pairs(a, b, alternative=alternative)
        assert found.exact
        assert found.p == pytest.approx(peer.pvalue, rel=1e-9)


def test_p_is_never_zero_and_one_without_a_difference() -> None:
    truth, _ = problem(200)
    wrong = ~truth
    found = significance.randomisation("microF1", truth, wrong, truth, draws=99)
    assert found.p == pytest.approx(1 / 100)
    same = significance.randomisation("microF1", wrong, wrong, truth)
    assert (same.p, same.n, same.statistic, same.exact) == (1.0, 0, 0.0, True)


def test_the_same_seed_gives_the_same_p_and_blocks_do_not_matter() -> None:
    truth, (a, b) = problem(300)
    one, same, other = (
        significance.randomisation("macroF1", a, b, truth, draws=500, random_state=s) for s in (4, 4, 5)
    )
    assert one == same
    assert one.spread != other.spread
    whole = np.concatenate(list(random_coins(70, 100, 100, 1)))
    np.testing.assert_array_equal(np.concatenate(list(random_coins(70, 100, 7, 1))), whole)
    assert abs(whole.mean() - 0.5) < 0.02


def test_sparse_dense_and_words_are_one() -> None:
    truth, (a, b) = problem(60)
    sparsely = [sparse.csr_array(one.astype(int)) for one in (a, b, truth)]
    words = [[["w", "x", "y", "z"][n] for n in range(4) if row[n]] for one in (a, b, truth) for row in one]
    lists = [words[:60], words[60:120], words[120:]]
    for test in (significance.randomisation, significance.bootstrap_difference):
        found = [test("macroF1", *one, draws=100) for one in ((a, b, truth), sparsely, lists)]
        assert found[0] == found[1] == found[2]


def test_one_label_a_document_in_words() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["a", "b", "c"], size=100)
    a, b = (np.where(rng.random(100) < w, rng.choice(["a", "b", "c"], size=100), truth) for w in (0.1, 0.5))
    found = significance.randomisation("accuracy", a, b, truth, draws=2000)
    assert found.statistic == pytest.approx((a == truth).mean() - (b == truth).mean())
    exact = significance.mcnemar(a == truth, b == truth, method="exact").p
    assert abs(found.p - exact) < 4 * math.sqrt(max(exact, 0.001) / 2000) + 0.001
    interval = significance.bootstrap("accuracy", a, truth)
    assert interval.low < (a == truth).mean() < interval.high


def test_randomisation_holds_its_level() -> None:
    p = []
    for seed in range(400):
        truth, (a, b) = problem(60, seed=seed, wrong=(0.3, 0.3))
        p.append(significance.randomisation("microF1", a, b, truth, draws=199, random_state=seed).p)
    assert 0.02 <= np.mean(np.array(p) <= 0.05) <= 0.08
    assert 0.4 <= np.mean(np.array(p) <= 0.5) <= 0.6


# -- intervals


@pytest.mark.parametrize("name", ["microF1", "macroF1"])
def test_intervals_cover(name: str) -> None:
    truth, (a, b) = problem(200_000, seed=10**6)
    measure = metrics.measure(name)
    true_value, true_difference = measure(a, truth), measure(a, truth) - measure(b, truth)
    covered = np.zeros(2)
    for seed in range(400):
        truth, (a, b) = problem(100, seed=seed)
        one = significance.bootstrap(name, a, truth, draws=500, random_state=seed)
        two = significance.bootstrap_difference(name, a, b, truth, draws=500, random_state=seed)
        covered += [one.low <= true_value <= one.high, two.low <= true_difference <= two.high]
    assert (covered / 400 >= 0.91).all()
    assert (covered / 400 <= 0.98).all()


def test_drawing_sums_is_drawing_documents() -> None:
    truth, (a, b) = problem(150, seed=6)
    for name in ("microF1", "macroF1"):
        fast = significance.bootstrap_difference(name, a, b, truth, draws=300)
        slow = significance.bootstrap_difference(called(name), a, b, truth, draws=300)
        assert (fast.low, fast.high) == (pytest.approx(slow.low, rel=1e-9), pytest.approx(slow.high, rel=1e-9))


def test_probabilities_are_drawn_document_by_document() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random((60, 3)) < 0.4
    a, b = (np.clip(truth * 0.6 + 0.2 + noise * rng.normal(size=truth.shape), 0.01, 0.99) for noise in (0.1, 0.15))
    for name in ("logloss", "brier"):
        measure = metrics.measure(name)
        fast = significance.bootstrap(name, a, truth, draws=50)
        slow = significance.bootstrap(called(name), a, truth, draws=50)
        assert (fast.value, fast.low, fast.high) == tuple(map(pytest.approx, (slow.value, slow.low, slow.high)))
        assert significance.randomisation(name, a, b, truth, draws=100).statistic == pytest.approx(
            measure(a, truth) - measure(b, truth)
        )


def test_undefined_draws_are_told() -> None:
    found = significance.bootstrap("macroR", [[1], [0], [0]], np.array([[1], [0], [0]]), draws=200)
    assert 0 < found.undefined < 200
    assert (found.low, found.high) == (1.0, 1.0)


# -- how many documents


def test_with_the_documents_needed_mcnemar_finds_the_difference() -> None:
    needed = significance.documents_needed(30, 20, 400)
    n = math.ceil(needed.total)
    assert needed.more == pytest.approx(needed.total - 400)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(n, [30 / 400, 20 / 400, 350 / 400], size=2000)
    found = np.mean([significance.mcnemar(int(a), int(b)).p < 0.05 for a, b, _ in drawn])
    assert 0.77 <= found <= 0.83


def test_the_general_formula_nears_connors() -> None:
    """The spread of a difference of accuracies over shuffles is sqrt(b + c) / n."""
    exact = significance.documents_needed(30, 20, 4000).total
    general = significance.documents_needed_for(10 / 4000, math.sqrt(50) / 4000, 4000).total
    assert general == pytest.approx(exact, rel=0.01)


def test_documents_needed_are_told_in_words() -> None:
    assert str(significance.documents_needed(30, 20, 400)) == "about 1,200 more documents would be needed"
    assert math.isinf(significance.documents_needed(5, 5, 100).more)
    assert "no difference" in str(significance.documents_needed(5, 5, 100))
    assert significance.documents_needed(60, 10, 400).more == 0
    assert str(significance.documents_needed(60, 10, 400)) == "no more documents are needed"
    assert math.isnan(significance.documents_needed_for(math.nan, 1.0, 10).more)
    with pytest.raises(InvalidSetting, match="split"):
        significance.documents_needed(30, 20, 40)
    with pytest.raises(InvalidSetting, match="power"):
        significance.documents_needed(30, 20, 400, power=0.1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_cohens_h_is_antisymmetric(a: float, b: float) -> None:
    assert significance.cohens_h(a, b) == -significance.cohens_h(b, a)
    assert abs(significance.cohens_h(a, b)) <= math.pi
    assert significance.odds_ratio([[8, 2], [4, 4]]) == 4.0
    assert math.isinf(significance.odds_ratio([[8, 0], [4, 4]]))


# -- several systems


def test_compare_marks_what_the_tests_find() -> None:
    truth, (good, near, bad) = problem(400, wrong=(0.1, 0.11, 0.6), seed=1)
    found = significance.compare({"good": good, "near": near, "bad": bad}, truth, measure="microF1", draws=999)
    a, b, c = found.systems
    assert (set(a.beats), set(b.beats), c.beats) == ({"bad"}, {"bad"}, ())
    rows = found.table()
    assert rows[0] == ["", "system", "microF1", "95 % interval"]
    assert rows[1][2] == f"{metrics.measure('microF1')(good, truth):.4f}ᶜ"
    assert not rows[3][2].endswith(("ᵃ", "ᵇ"))
    for pair in found.pairs:
        systems = {"good": good, "near": near, "bad": bad}
        alone = significance.randomisation("microF1", systems[pair.a], systems[pair.b], truth, draws=999)
        assert pair.test == alone
        first, second = (metrics.f_beta(systems[name], truth) for name in (pair.a, pair.b))
        assert pair.sign == significance.sign_test(first, second)
    np.testing.assert_allclose([p.adjusted for p in found.pairs], significance.holm([p.test.p for p in found.pairs]))
    undecided = found.wins_table()[1]
    assert "?" in undecided[1]
    assert undecided[4].startswith(("about", "no number"))


def test_compare_against_one_asks_as_lewis_did() -> None:
    """001 table 2 as a measure by label: 13:7, means .58 and .52, not significant."""
    wh = [
        0.06,
        0.48,
        0.51,
        0.6,
        0.68,
        0.55,
        0.78,
        0.63,
        0.58,
        0.6,
        0.66,
        0.15,
        0.92,
        0.88,
        0.66,
        0.27,
        0.55,
        0.75,
        0.51,
        0.76,
    ]
    rocchio = [
        0.0,
        0.49,
        0.52,
        0.61,
        0.74,
        0.43,
        0.79,
        0.61,
        0.59,
        0.58,
        0.42,
        0.07,
        0.9,
        0.85,
        0.51,
        0.22,
        0.38,
        0.6,
        0.53,
        0.5,
    ]

    class Printed:
        """Takes a row of values by label for what a system decided. It has the name of one of ours, and is not taken for it."""

        name, needs, higher_is_better = "F1", "scores", True

        def per_label(self, values: np.ndarray, _: np.ndarray) -> np.ndarray:
            return values[0]

        def __call__(self, values: np.ndarray, truth: np.ndarray) -> float:
            return float(np.mean(self.per_label(values, truth)))

    found = significance.compare(
        {"WH": np.array([wh]), "Rocchio": np.array([rocchio])},
        np.zeros((1, 20)),
        measure=Printed(),
        against="Rocchio",
        alternative="greater",
        interval_draws=1,
    )
    assert found.wins_table()[1][:3] == ["WH vs. Rocchio", "13 >? 7", "(.579 > .517)"]
    assert found.pairs[0].sign == significance.sign_test(13, 7, alternative="greater")
    assert found.pairs[0].test == significance.randomisation_of_pairs(wh, rocchio, alternative="greater")


def test_less_is_better_turns_wins_around() -> None:
    truth, (good, bad) = problem(300, wrong=(0.1, 0.5))
    found = significance.compare({"bad": bad, "good": good}, truth, measure="error", labels=list("wxyz"), draws=199)
    assert found.systems[1].beats == ("bad",)
    pair = found.pairs[0]
    assert (pair.sign.wins, pair.sign.losses) == (0, 4)
    assert pair.test.statistic > 0
    against = significance.compare(
        {"bad": bad, "good": good}, truth, measure="error", against="bad", alternative="greater", draws=199
    )
    assert against.pairs[0].better == "good"
    assert [row[0] for row in found.label_table()] == ["label", *"wxyz"]
    assert found.label_table("good")[1][1].endswith(">")


def test_rankings_are_compared_label_by_label() -> None:
    rng = np.random.default_rng(5)
    truth = (rng.random((80, 6)) < 0.3).astype(int)
    truth[0] = 1
    systems = {name: truth + noise * rng.normal(size=truth.shape) for name, noise in (("a", 0.3), ("b", 1.0))}
    found = significance.compare(systems, truth, measure="AP", interval_draws=20)
    by_label = [metrics.average_precision(scores, truth) for scores in systems.values()]
    assert found.pairs[0].test == significance.randomisation_of_pairs(*by_label)
    assert math.isnan(found.pairs[0].needed.more)
    scaled = significance.compare({"a": systems["a"] * 100, "b": systems["b"]}, truth, measure="AP", interval_draws=20)
    assert scaled.pairs == found.pairs


def test_measures_without_labels_have_no_wins() -> None:
    truth, (a, b) = problem(60)
    found = significance.compare({"a": a, "b": b}, truth, measure="subset", draws=99, interval_draws=20)
    assert found.pairs[0].sign is None
    assert found.wins_table()[1][1] == ""
    with pytest.raises(InvalidSetting, match="no value by label"):
        found.label_table()


def test_a_comparison_is_json() -> None:
    truth, (a, _) = problem(60)
    found = significance.compare({"a": a, "b": a}, truth, measure="F1", draws=50, interval_draws=20)
    told = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert told["pairs"][0]["needed"] == {"total": None, "more": None}  # no difference: no number would do
    assert told["pairs"][0]["sign"]["ties"] == 4
    words = significance.compare(
        {"a": ["x", "y", "x"], "b": ["y", "y", "z"]}, ["x", "y", "x"], measure="F1", draws=10, interval_draws=5
    )
    assert words.labels == ("x", "y", "z")


def test_bad_choices_are_told() -> None:
    truth, (a, b) = problem(10)
    for call, told in (
        (lambda: significance.compare({"a": a}, truth), "1 systems"),
        (lambda: significance.compare({"a": a, "b": b}, truth, alternative="greater"), "against"),
        (lambda: significance.compare({"a": a, "b": b}, truth, labels=["x"]), "1 names for 4"),
        (lambda: significance.randomisation("microF1", a[:5], b, truth), r"\[5, 10\]"),
        (lambda: significance.randomisation("microF1", a, b, truth, draws=0), "draws=0"),
        (lambda: significance.bootstrap("microF1", a[:0], truth[:0]), "no documents"),
        (lambda: significance.bootstrap(metrics.measure("AP"), a[:0], truth[:0]), "no documents"),
        (lambda: significance.bootstrap("microF1", a, truth, level=95), "level=95"),
        (lambda: significance.sign_test(1.5, 2), "wins=1.5"),
        (lambda: significance.sign_test([1, 2], [1]), "same length"),
        (lambda: significance.chi_square([[1, 2, 3], [4, 5, 6]]), r"\(2, 3\)"),
        (lambda: significance.chi_square([[1, -2], [4, 5]]), "at least 0"),
        (lambda: significance.mcnemar(1, 2, method="asymptotic", alternative="less"), "two-sided"),
        (lambda: significance.randomisation(7, a, b, truth), "measure=7"),
    ):
        with pytest.raises(InvalidSetting, match=told):
            call()
    for call, told in (
        (lambda: significance.sign_test(1, 2, alternative="both"), "greater, less, two-sided"),
        (lambda: significance.mcnemar(1, 2, method="guess"), "asymptotic, exact, mid-p"),
        (lambda: significance.compare({"a": a, "b": b}, truth, against="c"), "a, b"),
        (lambda: significance.bootstrap("goodness", a, truth), "measure"),
    ):
        with pytest.raises(UnknownName, match=told):
            call()


# -- draws and answers that are the same in another form


@pytest.mark.parametrize("block", [1, 3, 50])
def test_draws_are_the_same_whatever_the_block_remembered_or_not(block: int) -> None:
    rng = np.random.default_rng(7)
    plain = [np.bincount(rng.integers(0, 23, 23), minlength=23).tolist() for _ in range(20)]
    for draws in (remembered_rows(23, 20, block, 7), drawn_rows(23, 20, block, 7)):
        assert np.concatenate(list(draws), axis=1).T.tolist() == plain


@pytest.mark.parametrize("name", ["accuracy", "subset"])
def test_labels_by_number_are_measured_as_labels_by_name(name: str) -> None:
    rng = np.random.default_rng(0)
    truth, answers = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    names = np.array(["ale", "beer", "cider", "mead"], dtype=object)
    by_number = significance.bootstrap(name, answers, truth, draws=50)
    assert by_number == significance.bootstrap(name, names[answers], names[truth], draws=50)
