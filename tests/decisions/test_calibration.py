"""Calibration: curves that rise, are the most likely ones, agree with other people's, and are chosen on unseen documents."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit, softmax
from sklearn.calibration import _sigmoid_calibration
from sklearn.isotonic import IsotonicRegression

from plain_judging import logistic_loss
from rubricate import calibration, metrics
from rubricate.decisions.calibration import CALIBRATORS, Beta, Isotonic, Sigmoid, Temperature, Unchanged
from rubricate.decisions.calibration.logistic import fit_logistic, platt_targets
from rubricate.errors import InvalidSetting, UnknownName

KINDS = [Sigmoid, Isotonic, Beta, Temperature]


def probable(n: int = 400, n_labels: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores between 0 and 1 that are too sure of themselves, and the truth; several labels a document."""
    draw = np.random.default_rng(seed)
    odds = draw.normal(-1, 2, (n, n_labels))
    Y = (draw.random((n, n_labels)) < expit(odds)).astype(int)
    return expit(2.5 * odds + 0.5), Y


def exclusive(n: int = 400, n_labels: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Log joints that are too sure of themselves, and one label a document."""
    draw = np.random.default_rng(seed)
    s = draw.normal(0, 1.5, (n, n_labels))
    y = np.array([draw.choice(n_labels, p=row) for row in softmax(s, axis=1)])
    return 4 * s, y


# -- the most likely curves


@given(st.integers(0, 10**6), st.integers(2, 60), st.floats(-3, 3), st.sampled_from([1e-3, 1.0, 1e3]))
def test_the_likelihood_is_at_its_maximum(seed: int, n: int, slope: float, scale: float) -> None:
    draw = np.random.default_rng(seed)
    feature = draw.normal(0, scale, n)
    positive = draw.random((n, 1)) < expit(slope * feature[:, None] / scale)
    targets = platt_targets(positive)[:, 0]
    theta, loss = fit_logistic(feature[None], positive[:, 0].view(np.uint8))
    assert loss == pytest.approx(logistic_loss(theta[0] * feature + theta[1], targets), rel=1e-9)
    peer = minimize(lambda t: logistic_loss(t[0] * feature / scale + t[1], targets), [0.0, 0.0], method="BFGS")
    assert loss <= peer.fun + 1e-9 * abs(peer.fun)
    gradient = expit(theta[0] * feature + theta[1]) - targets
    assert abs((gradient * feature / scale).sum()) < 1e-7 * n
    assert abs(gradient.sum()) < 1e-7 * n


def test_the_sigmoid_is_scikit_learns() -> None:
    scores, Y = probable(600)
    scores = logit(np.clip(scores, 1e-9, 1 - 1e-9))
    ours = Sigmoid.fit(scores, Y)
    for label in range(3):
        a, b = _sigmoid_calibration(scores[:, label], Y[:, label])
        peer = expit(-(a * scores[:, label] + b))
        np.testing.assert_allclose(ours.predict_proba(scores)[:, label], peer, atol=2e-5)


def test_a_sigmoid_of_a_score_that_tells_all_is_sure_within_reason() -> None:
    scores = np.concatenate([np.full(20, 1.0), np.full(30, -1.0)])[:, None]
    p = Sigmoid.fit(scores, (scores > 0).astype(int)).predict_proba(scores)
    np.testing.assert_allclose(p[[0, -1], 0], [21 / 22, 1 / 32], rtol=1e-6)


@pytest.mark.parametrize("factor", [1e-6, 3.0, 1e9])
def test_sigmoids_do_not_mind_the_scale_of_scores(factor: float) -> None:
    scores, Y = probable()
    np.testing.assert_allclose(
        Sigmoid.fit(scores * factor + 7 * factor, Y).predict_proba(scores * factor + 7 * factor),
        Sigmoid.fit(scores, Y).predict_proba(scores),
        rtol=1e-6,
    )


def test_isotonic_is_scikit_learns_squeezed_between_platts_targets() -> None:
    scores, Y = probable()
    found = Isotonic.fit(scores, Y).predict_proba(scores)
    for label in range(3):
        have = Y[:, label].sum()
        high, low = (have + 1) / (have + 2), 1 / (len(Y) - have + 2)
        peer = IsotonicRegression(out_of_bounds="clip").fit_transform(scores[:, label], Y[:, label])
        np.testing.assert_allclose(found[:, label], low + (high - low) * peer, rtol=1e-9)


def test_beta_is_the_most_likely_rising_curve() -> None:
    scores, Y = probable()
    scores[:, 1] = 1 - scores[:, 1]  # against the truth: a and b would be below 0
    scores[:, 2] = np.where(scores[:, 2] > 0.5, scores[:, 2], 0.5 - scores[:, 2] / 2)  # one of them would
    found = Beta.fit(scores, Y)
    p = np.clip(scores, found.surest, 1 - found.surest)
    for label in range(3):
        up, down = np.log(p[:, label]), -np.log1p(-p[:, label])
        targets = platt_targets(Y[:, [label]] == 1)[:, 0]

        def loss(t: Any, up: Any = up, down: Any = down, targets: Any = targets) -> float:
            return logistic_loss(t[0] * up + t[1] * down + t[2], targets)

        peer = minimize(loss, [0.5, 0.5, 0.0], method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)])
        ours = found.a[label], found.b[label], found.c[label]
        assert loss(ours) <= peer.fun + 1e-6
        assert min(ours[:2]) >= 0
    assert (found.a[1], found.b[1]) == (0, 0)
    assert 0 in (found.a[2], found.b[2])


def test_beta_leaves_probabilities_that_are_right_as_they_are() -> None:
    draw = np.random.default_rng(1)
    p = draw.beta(0.5, 0.7, (20_000, 1))
    found = Beta.fit(p, (draw.random(p.shape) < p).astype(int))
    np.testing.assert_allclose([found.a[0], found.b[0], found.c[0]], [1, 1, 0], atol=0.2)
    np.testing.assert_allclose(found.predict_proba(p), p, atol=0.02)


def test_temperature_finds_how_much_too_sure_the_scores_are() -> None:
    scores, y = exclusive(5000)
    assert Temperature.fit(scores, y).temperature == pytest.approx(4.0, rel=0.06)
    odds = np.random.default_rng(0).normal(0, 2, (5000, 2))
    Y = (np.random.default_rng(1).random(odds.shape) < expit(odds)).astype(int)
    assert Temperature.fit(odds * 3, Y).temperature == pytest.approx(3.0, rel=0.06)


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_no_other_temperature_is_more_likely(scale: float) -> None:
    scores, y = exclusive()
    found = Temperature.fit(scores * scale, y)
    targets = (np.eye(4)[y] * 400 + 1) / 404  # one document more of each label
    best = -(targets * np.log(found.predict_proba(scores * scale))).sum()
    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2):
        assert best < -(targets * log_softmax(scores * scale / (found.temperature * factor), axis=1)).sum()


def test_temperature_of_probabilities_is_that_of_their_logarithms() -> None:
    scores, y = exclusive()
    scores = scores / 8  # no probability so small that it is cut off
    p = softmax(scores, axis=1)
    found = Temperature.fit(p, y)
    assert found.of_probabilities
    np.testing.assert_allclose(found.predict_proba(p), Temperature.fit(scores, y).predict_proba(scores), atol=1e-6)


# -- what holds for all of them


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 60), turned=st.booleans())
def test_a_higher_score_never_means_a_lower_probability(kind: Any, seed: int, n: int, turned: bool) -> None:
    draw = np.random.default_rng(seed)
    scores = np.round(draw.random((n, 2)), draw.integers(1, 4))
    chance = 1 - scores if turned else scores  # scores may say the contrary of the truth
    Y = (draw.random((n, 2)) < chance).astype(int)
    fitted = kind.fit(scores, Y)
    grid = np.linspace(0, 1, 301)
    p = fitted.predict_proba(np.column_stack([grid, grid]))
    assert (np.diff(p, axis=0) >= -1e-15).all()
    assert ((p >= 0) & (p <= 1)).all()
    if kind is not Temperature:  # which has no say in how far from 0 a score lies
        seen = fitted.predict_proba(scores)
        assert ((seen > 0) & (seen < 1)).all()


@pytest.mark.parametrize("kind", [Sigmoid, Isotonic, Temperature])
def test_exclusive_probabilities_sum_to_one_and_rise_with_their_own_score(kind: Any) -> None:
    scores, y = exclusive()
    fitted = kind.fit(scores, y)
    p = fitted.predict_proba(scores)
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-12)
    grid = np.repeat(scores[[0]], 200, axis=0)
    grid[:, 2] = np.linspace(-20, 20, 200)
    rising = fitted.predict_proba(grid)
    assert (np.diff(rising[:, 2]) >= -1e-15).all()
    assert (np.diff(rising[:, [0, 1, 3]], axis=0) <= 1e-15).all()
    if kind is Temperature:
        assert (p.argmax(axis=1) == scores.argmax(axis=1)).all()


def test_scores_that_say_the_contrary_give_the_labels_share() -> None:
    scores, Y = probable()
    turned = Sigmoid.fit(-scores, Y)
    assert turned.flat.all()
    p = turned.predict_proba(-scores)
    assert (p == p[0]).all()
    np.testing.assert_allclose(p[0], Y.mean(axis=0), atol=0.01)
    assert not Sigmoid.fit(scores, Y).flat.any()


@pytest.mark.parametrize("kind", [Sigmoid, Isotonic, Beta])
def test_rare_labels_share_one_curve_and_are_told(kind: Any) -> None:
    draw = np.random.default_rng(2)
    scores = draw.uniform(0.05, 0.95, (300, 6))
    Y = (draw.random((300, 6)) < scores).astype(int)
    rare = [1, 3, 4]
    for label in rare:
        Y[np.flatnonzero(Y[:, label])[6:], label] = 0  # six documents each, eighteen together
    fitted = kind.fit(scores, Y)
    assert fitted.pooled.tolist() == [False, True, False, True, True, False]
    same = np.tile(np.linspace(0.05, 0.95, 50)[:, None], (1, 6))
    p = fitted.predict_proba(same)
    assert (p[:, 1] == p[:, 3]).all()
    assert (p[:, 1] == p[:, 4]).all()
    together = kind.fit(scores[:, rare].reshape(-1, 1), Y[:, rare].reshape(-1, 1))
    np.testing.assert_allclose(p[:, 1], together.predict_proba(same[:, :1])[:, 0], rtol=1e-9)
    alone = kind.fit(scores[:, [0]], Y[:, [0]])
    np.testing.assert_allclose(p[:, 0], alone.predict_proba(same[:, :1])[:, 0], rtol=1e-9)
    few = kind.fit(
        scores[:, [0, 1]], Y[:, [0, 1]]
    )  # six documents are too few even so: the curve is that of all labels
    assert few.pooled.tolist() == [False, True]
    whole = kind.fit(scores[:, [0, 1]].reshape(-1, 1), Y[:, [0, 1]].reshape(-1, 1))
    np.testing.assert_allclose(few.predict_proba(same[:, :2])[:, 1], whole.predict_proba(same[:, :1])[:, 0], rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("several", [True, False])
def test_an_infinite_score_is_the_lowest_of_its_label(kind: Any, several: bool) -> None:
    scores, Y = probable()
    truth: Any = Y if several else Y.argmax(axis=1)
    low = scores.copy()
    low[7, 1] = scores[:, 1].min()
    missing = low.copy()
    missing[7, 1] = -np.inf
    np.testing.assert_array_equal(
        kind.fit(missing, truth).predict_proba(missing), kind.fit(low, truth).predict_proba(low)
    )
    never = scores.copy()
    never[:, 0] = -np.inf
    assert np.isfinite(kind.fit(never, truth).predict_proba(scores)).all()
    assert np.isfinite(kind.fit(scores, truth).predict_proba(np.full((2, 3), np.inf))).all()


@pytest.mark.parametrize("kind", [*KINDS, Unchanged])
def test_curves_are_plain_json_and_come_back_bit_for_bit(kind: Any) -> None:
    scores, Y = probable()
    fitted = kind.fit(scores, sparse.csr_array(Y))
    again = kind.from_dict(json.loads(json.dumps(fitted.as_dict())))
    np.testing.assert_array_equal(again.predict_proba(scores), fitted.predict_proba(scores))
    assert again.as_dict() == fitted.as_dict()
    with pytest.raises(AttributeError):
        fitted.range = None


def test_labels_may_have_names() -> None:
    scores, y = exclusive()
    names = ["w", "x", "y", "z"]
    named = Sigmoid.fit(scores, [names[n] for n in y], labels=names)
    np.testing.assert_array_equal(named.predict_proba(scores), Sigmoid.fit(scores, y).predict_proba(scores))


# -- the choice


def test_the_choice_is_by_log_loss_on_documents_left_out() -> None:
    scores, Y = probable(900)
    chosen = calibration.choose(scores, Y)
    assert set(chosen.losses) == set(CALIBRATORS)
    assert chosen.losses[chosen.choice] == min(chosen.losses.values())
    assert chosen.losses["unchanged"] == pytest.approx(metrics.log_loss(scores, Y))
    assert chosen.losses[chosen.choice] < chosen.losses["unchanged"]
    np.testing.assert_array_equal(
        chosen.calibrator.predict_proba(scores), CALIBRATORS[chosen.choice].fit(scores, Y).predict_proba(scores)
    )
    resubstituted = metrics.log_loss(Isotonic.fit(scores, Y).predict_proba(scores), Y)
    assert chosen.losses["isotonic"] > resubstituted


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        (lambda s: s, "unchanged"),
        (lambda s: expit(12 * s - 4), "sigmoid"),
        (lambda s: np.where(s > 0.7, 0.9, np.where(s > 0.3, 0.5, 0.02)), "isotonic"),
        (lambda s: expit(3 * logit(s)), "temperature"),
        (lambda s: expit(0.3 * np.log(s) - 4 * np.log1p(-s) - 2), "beta"),
    ],
)
def test_the_family_that_the_truth_belongs_to_is_chosen(curve: Any, expected: str) -> None:
    draw = np.random.default_rng(3)
    scores = draw.uniform(0.01, 0.99, (20_000, 1))
    Y = (draw.random(scores.shape) < curve(scores)).astype(int)
    others = [
        name for name in CALIBRATORS if (name, expected) != ("beta", "temperature")
    ]  # which has it as a special case
    assert calibration.choose(scores, Y, candidates=others, folds=2).choice == expected


def test_only_what_suits_the_scores_is_tried() -> None:
    scores, Y = probable()
    assert set(calibration.choose(scores * 3 - 1, Y).losses) == {"temperature", "sigmoid", "isotonic"}
    logs, y = exclusive()
    assert set(calibration.choose(logs, y).losses) == {"temperature", "sigmoid", "isotonic"}
    assert set(calibration.choose(softmax(logs, axis=1), y).losses) == set(CALIBRATORS)
    assert set(calibration.choose(expit(logs), y).losses) == set(CALIBRATORS) - {"unchanged"}
    assert calibration.choose(scores, Y, candidates=["sigmoid"]).choice == "sigmoid"


def test_the_diagram_is_of_held_out_probabilities_and_near_the_diagonal() -> None:
    scores, Y = probable(3000)
    chosen = calibration.choose(scores, Y, candidates=["sigmoid", "isotonic"])
    table = chosen.reliability
    assert table.count.sum() == Y.size
    assert table.error < 0.03 < metrics.calibration_error(scores, Y)
    means = (table.count * table.probability).sum() / Y.size, (table.count * table.share_true).sum() / Y.size
    assert means == pytest.approx((Y.mean(), Y.mean()), abs=0.01)


def test_the_diagram_of_exclusive_labels_asks_for_the_most_probable_one() -> None:
    p = np.array([[0.9, 0.1], [0.62, 0.38], [0.3, 0.7], [0.35, 0.65]])
    table = calibration.diagram(p, np.array([0, 1, 1, 1]))
    np.testing.assert_allclose(table.probability, [0.635, 0.7, 0.9])
    np.testing.assert_allclose(table.share_true, [0.5, 1, 1])
    assert table.count.tolist() == [2, 1, 1]


def test_the_choice_is_seeded_and_kept() -> None:
    scores, Y = probable()
    one, two, other = (calibration.choose(scores, Y, random_state=seed) for seed in (0, 0, 1))
    assert one.as_dict() == two.as_dict()
    assert one.losses != other.losses
    again = calibration.Calibrated.from_dict(json.loads(json.dumps(one.as_dict())))
    assert again.as_dict() == one.as_dict()
    np.testing.assert_array_equal(again.predict_proba(scores), one.predict_proba(scores))


def test_labels_that_no_fold_has_do_not_break_the_choice() -> None:
    scores, Y = probable(60, 5)
    Y[:, 0] = 0
    Y[:, 1] = 1
    scores[::9, 2] = -np.inf
    chosen = calibration.choose(scores, Y)
    assert np.isfinite(list(chosen.losses.values())).all()
    assert calibration.choose(scores[:2], Y[:2]).folds == 2


def test_what_makes_no_sense_is_refused() -> None:
    scores, Y = probable()
    with pytest.raises(InvalidSetting, match="from 0 to 1"):
        Beta.fit(scores * 3, Y)
    with pytest.raises(InvalidSetting, match="from 0 to 1"):
        Beta.fit(scores, Y).predict_proba(scores - 1)
    with pytest.raises(InvalidSetting, match="unchanged"):
        Unchanged.fit(scores, Y.argmax(axis=1))
    with pytest.raises(InvalidSetting, match="nan at document 0"):
        Sigmoid.fit(scores * np.nan, Y)
    with pytest.raises(InvalidSetting, match="shape"):
        Sigmoid.fit(scores, Y[:, :2])
    with pytest.raises(InvalidSetting, match="same labels"):
        Sigmoid.fit(scores, Y).predict_proba(scores[:, :2])
    with pytest.raises(InvalidSetting, match="nothing to learn"):
        Sigmoid.fit(scores[:0], Y[:0])
    with pytest.raises(InvalidSetting, match="sparse"):
        Sigmoid.fit(sparse.csr_array(scores), Y)
    with pytest.raises(InvalidSetting, match="documents x labels"):
        Sigmoid.fit(scores[:, 0], Y[:, 0])
    with pytest.raises(InvalidSetting, match="one document"):
        calibration.choose(scores[:1], Y[:1])
    with pytest.raises(InvalidSetting, match="no candidates"):
        calibration.choose(scores, Y, candidates=[])
    with pytest.raises(UnknownName, match="isotonic"):
        calibration.choose(scores, Y, candidates=["platt"])
