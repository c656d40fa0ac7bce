"""Widrow-Hoff and exponentiated gradient: what the kernels do in lazy ways is what the paper's formulas do in plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rubricate.errors import InvalidSetting, UnknownName
from rubricate.models.from_vectors import online
from rubricate.models.from_vectors.example_order import balanced_draws, shuffled, widest_range
from rubricate.models.from_vectors.exponentiated_gradient import ExponentiatedGradient
from rubricate.models.from_vectors.rocchio import Rocchio
from rubricate.models.from_vectors.widrow_hoff import WidrowHoff

BOTH = [WidrowHoff, ExponentiatedGradient]


# -- the formulas, written out over dense vectors of 80-bit numbers, one label: a dense computation in 64 bits loses more digits
# of weights that nearly vanish than the learners do

Wide = np.longdouble


def plain_widrow_hoff(X: np.ndarray, y: np.ndarray, order: Any, eta: Any, w: np.ndarray) -> tuple[Any, Any, Any]:
    X, y, eta, w = (np.asarray(part, dtype=Wide) for part in (X, y, eta, w))
    seen, loss = [w], Wide(0)
    for i in order:
        residual = w @ X[i] - y[i]
        loss += residual**2
        w = w - 2 * eta[i] * residual * X[i]
        seen.append(w)
    return w, np.mean(seen, axis=0), loss


def plain_gradient(
    X: np.ndarray, y: np.ndarray, order: Any, eta: Any, w: np.ndarray, sigmoid: bool = False
) -> tuple[Any, Any, Any]:
    X, y, eta, w = (np.asarray(part, dtype=Wide) for part in (X, y, eta, w))
    seen, loss = [w], Wide(0)
    for i in order:
        score = w @ X[i]
        residual = (1 / (1 + np.exp(-score)) if sigmoid else score) - y[i]
        loss += residual**2
        exponents = -(1 if sigmoid else 2) * eta[i] * residual * X[i]
        exponents = np.where(w > 0, exponents, -np.inf)
        w = w * np.exp(exponents - exponents.max())
        w = w / w.sum()
        seen.append(w)
    return w, np.mean(seen, axis=0), loss


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """Some documents with labels, an order in which they come, some columns that nobody has."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    n, m, n_labels = draw(st.integers(1, 12)), draw(st.integers(1, 9)), draw(st.integers(1, 4))
    kind = draw(st.sampled_from(["binary", "weights", "signed"]))
    X = rng.random((n, m)) if kind != "binary" else np.ones((n, m))
    if kind == "signed":
        X = X - 0.5
    X = X * (rng.random((n, m)) < draw(st.sampled_from([0.2, 0.6, 1.0])))
    if draw(st.booleans()):
        wide = np.zeros((n, 4 * m))  # most terms occur nowhere
        wide[:, rng.permutation(4 * m)[:m]] = X
        X = wide
    Y = (rng.random((n, n_labels)) < 0.4).astype(int)
    order = rng.integers(0, n, draw(st.integers(0, 3 * n)))
    start = rng.random((n_labels, X.shape[1])) * (rng.random((n_labels, X.shape[1])) < 0.7)
    return {
        "X": X,
        "Y": Y,
        "order": order,
        "start": start,
        "targets": draw(st.sampled_from([(1.0, 0.0), (0.47, 0.40)])),
    }


def check(
    model: Any, plain: Any, p: dict[str, Any], X: np.ndarray, eta: np.ndarray, starts: np.ndarray, near: float = 1e-12
) -> None:
    """Equal to a relative 1e-12 of the vector: a step mixes all weights in its score, so a small weight beside large ones (a rate
    that diverges) carries the rounding of the large."""
    high, low = p["targets"]
    for label in range(p["Y"].shape[1]):
        y = np.where(p["Y"][:, label] == 1, high, low)
        last, mean, loss = plain(X, y, p["order"], eta, starts[label])
        largest = float(max(1.0, np.abs(last).max(), np.abs(mean).max()))
        np.testing.assert_allclose(model.final_[label], last.astype(float), rtol=1e-12, atol=near * largest)
        np.testing.assert_allclose(model.average_[label], mean.astype(float), rtol=1e-12, atol=near * largest)
        np.testing.assert_allclose(model.online_loss_[label], float(loss), rtol=1e-11, atol=10 * near * largest**2)


@given(problems(), st.sampled_from([0.0, 0.4]), st.sampled_from(["max-norm", "example", "half-example", "range"]))
@settings(deadline=None, max_examples=60)
def test_widrow_hoff_is_equation_3_and_its_mean_equation_4(p: dict[str, Any], absent: float, rate: str) -> None:
    model = WidrowHoff(order=p["order"], start=p["start"], targets=p["targets"], absent=absent, rate=rate)
    model.fit(sparse.csr_array(p["X"]), sparse.csr_array(p["Y"]))
    X = p["X"] + absent
    norms, spread = (X**2).sum(axis=1), (X.max(axis=1) - X.min(axis=1)).max()
    with np.errstate(divide="ignore", invalid="ignore"):
        eta = {
            "max-norm": np.full(len(X), 1 / (4 * norms.max())),
            "example": 1 / norms,
            "half-example": 1 / (2 * norms),
            "range": np.full(len(X), 2 / (3 * spread**2)),
        }[rate]
    eta = np.where(np.isfinite(eta), eta, 0.0)
    # a step moves a weight by 2 eta residual x: what is rounded in the residual comes back eta x times as large, and x itself,
    # a sum of a value and `absent`, has lost digits where the two nearly cancel
    steep = float(np.max(eta[:, None] * np.abs(X), initial=1.0))
    parts = np.abs(p["X"]) + absent
    cancelled = float(np.max(np.divide(parts, np.abs(X), out=np.ones(X.shape), where=X != 0), initial=1.0))
    check(model, plain_widrow_hoff, p, X, eta, p["start"], near=1e-12 * max(steep, 1.0) * max(cancelled, 1.0))


@given(problems(), st.sampled_from([0.0, 0.4]), st.booleans(), st.sampled_from([0.05, 1.0, 8.0, 100.0]))
@settings(deadline=None, max_examples=80)
def test_exponentiated_gradient_is_section_3_3_with_the_mean_of_its_normalised_weights(
    p: dict[str, Any], absent: float, sigmoid: bool, rate: float
) -> None:
    model = ExponentiatedGradient(
        order=p["order"],
        start=p["start"],
        targets=p["targets"],
        absent=absent,
        rate=rate,
        link="sigmoid" if sigmoid else "identity",
    )
    model.fit(sparse.csr_array(p["X"]), sparse.csr_array(p["Y"]))
    totals = p["start"].astype(Wide).sum(axis=1, keepdims=True)
    starts = np.where(totals > 0, p["start"] / np.where(totals > 0, totals, 1), 1 / p["X"].shape[1])
    X = p["X"] + absent
    check(model, lambda *a: plain_gradient(*a, sigmoid=sigmoid), p, X, np.full(len(X), rate), starts)


def test_the_mean_stays_exact_while_the_normaliser_wanders_far() -> None:
    # targets out of reach: weights pile up on few terms, and then on others, and Z goes through many orders of magnitude
    rng = np.random.default_rng(3)
    X = (rng.random((40, 30)) < 0.2) * rng.random((40, 30))
    y = np.where(np.arange(40) < 20, 5.0, -5.0)
    order = np.concatenate([rng.integers(0, 20, 400), rng.integers(20, 40, 400), rng.integers(0, 40, 400)])
    model = ExponentiatedGradient(order=order, rate=0.5, targets=(5.0, -5.0))
    model.fit(X, sparse.csr_array((y > 0).astype(int)[:, None]))
    last, mean, _ = plain_gradient(X, y, order, np.full(40, 0.5), np.full(30, 1 / 30))
    np.testing.assert_allclose(model.final_[0], last, rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(model.average_[0], mean, rtol=1e-12)


def test_the_mean_stays_exact_however_often_the_normaliser_grows() -> None:
    # every document wants more than it can have, and has its turn: weights pile up here, then there, and Z only grows
    X = np.kron(np.eye(6), np.array([[1.0, 0.5, 0.25]]))
    order = np.tile(np.repeat(np.arange(6), 40), 12)
    y = np.full(6, 5.0)
    model = ExponentiatedGradient(order=order, rate=0.05, targets=(5.0, 0.0))
    model.fit(X, sparse.csr_array(np.ones((6, 1), dtype=int)))
    last, mean, loss = plain_gradient(X, y, order, np.full(6, 0.05), np.full(18, 1 / 18))
    np.testing.assert_allclose(model.final_[0], last, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(model.average_[0], mean, rtol=1e-12)
    np.testing.assert_allclose(model.online_loss_[0], loss, rtol=1e-12)


def some(seed: int = 0, n: int = 60, m: int = 25, n_labels: int = 7) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.random((n, m)) * (rng.random((n, m)) < 0.3)
    return sparse.csr_array(X), (rng.random((n, n_labels)) < 0.3).astype(int)


@pytest.mark.parametrize("kind", BOTH)
def test_labels_do_not_know_of_each_other(kind: Any) -> None:
    X, Y = some(n_labels=20)
    together = kind(random_state=4).fit(X, Y)
    for label in range(20):
        alone = kind(random_state=4).fit(X, sparse.csr_array(Y[:, [label]]))
        np.testing.assert_allclose(alone.coef_[0], together.coef_[label], rtol=1e-12, atol=1e-16)


def test_labels_that_go_by_fours_have_the_numbers_they_have_alone() -> None:
    X, Y = some(n_labels=9)
    whole = WidrowHoff(random_state=4, absent=0.1).fit(X, sparse.csr_array(Y))
    for n_labels in range(1, 9):
        some_of_them = WidrowHoff(random_state=4, absent=0.1).fit(X, sparse.csr_array(Y[:, :n_labels]))
        assert (some_of_them.final_ == whole.final_[:n_labels]).all()
        assert (some_of_them.average_ == whole.average_[:n_labels]).all()
        assert (some_of_them.online_loss_ == whole.online_loss_[:n_labels]).all()


@pytest.mark.parametrize("kind", BOTH)
def test_the_number_of_threads_leaves_no_trace(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, Y = some(n_labels=20)
    once = kind(random_state=4, passes=3).fit(X, Y)
    for threads in (1, 2, 3, 7):
        monkeypatch.setattr(online, "available_threads", lambda threads=threads: threads)
        again = kind(random_state=4, passes=3).fit(X, Y)
        assert (again.coef_ == once.coef_).all()
        assert (again.final_ == once.final_).all()
        assert (again.online_loss_ == once.online_loss_).all()


def test_steps_too_steep_for_the_series_do_not_look_at_other_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    X, Y = some(n_labels=40)
    found = []
    for threads in (1, 2):
        monkeypatch.setattr(online, "available_threads", lambda threads=threads: threads)
        found += [ExponentiatedGradient(rate=rate).fit(X, Y).coef_ for rate in (3.0, 50.0, 1e5)]
    for one_block, two_blocks in zip(found[:3], found[3:], strict=True):
        assert (one_block == two_blocks).all()


@pytest.mark.parametrize(("rate", "steps"), [(0.02, 3000), (0.3, 3000), (5.0, 3000), (100.0, 15)])
def test_each_weight_of_exponentiated_gradient_by_itself_is_exact(rate: float, steps: int) -> None:
    rng = np.random.default_rng(2)
    X = (rng.random((200, 40)) < 0.1) * rng.random((200, 40))
    X[:, 39] = 0.0
    X[-1, 39] = 1.0  # a term of the last document alone
    Y = (rng.random((200, 2)) < 0.3).astype(int)
    order = np.append(rng.integers(0, 199, steps), 199)
    model = ExponentiatedGradient(order=order, rate=rate).fit(X, Y)
    for label in range(2):
        last, mean, _ = plain_gradient(X, Y[:, label], order, np.full(200, rate), np.full(40, Wide(1) / 40))
        assert last.min() > 1e-290, "below, numbers of 64 bits have fewer digits"
        np.testing.assert_allclose(model.final_[label], last.astype(float), rtol=1e-11, atol=0)
        np.testing.assert_allclose(model.average_[label], mean.astype(float), rtol=1e-11, atol=0)


@pytest.mark.parametrize("kind", BOTH)
def test_one_fit_is_the_same_as_going_on_batch_by_batch(kind: Any) -> None:
    X, Y = some(n=90)
    order = np.random.default_rng(0).permutation(90)
    whole = kind(order=order, rate=0.05).fit(X, Y)
    parts = kind(order=np.arange(30), rate=0.05)
    for start in (0, 30, 60):
        chosen = order[start : start + 30]
        parts.partial_fit(X[chosen], Y[chosen])
    np.testing.assert_allclose(parts.final_, whole.final_, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(parts.average_, whole.average_, rtol=1e-12, atol=1e-15)
    assert parts.vectors_ == whole.vectors_ == 91


def test_going_on_with_few_of_many_terms_changes_the_others_as_it_should() -> None:
    rng = np.random.default_rng(0)
    X = np.zeros((40, 200))
    X[:20, :150] = rng.random((20, 150)) * (rng.random((20, 150)) < 0.3)
    X[20:, 190:] = rng.random((20, 10))  # ten terms, of which most are new
    y = rng.integers(0, 2, 40)
    for kind in BOTH:
        whole = kind(order=np.arange(40), rate=0.1).fit(X, y)
        parts = (
            kind(order=np.arange(20), rate=0.1).partial_fit(X[:20], y[:20], classes=[0, 1]).partial_fit(X[20:], y[20:])
        )
        np.testing.assert_allclose(parts.final_, whole.final_, rtol=1e-12, atol=1e-16)
        np.testing.assert_allclose(parts.average_, whole.average_, rtol=1e-12, atol=1e-16)


def test_a_label_that_comes_later_is_learned_as_if_it_had_been_there() -> None:
    X, _ = some(n=40)
    y = np.array(["a", "b"] * 10 + ["a", "c"] * 10)
    order = np.arange(20)
    parts = WidrowHoff(order=order, rate=0.05).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    whole = WidrowHoff(order=np.arange(40), rate=0.05).fit(X, y)
    assert parts.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(parts.average_, whole.average_, rtol=1e-12, atol=1e-15)  # zero start: nothing was missed
    late = ExponentiatedGradient(order=order).partial_fit(X[:20], y[:20]).partial_fit(X[20:], y[20:])
    np.testing.assert_allclose(late.final_.sum(axis=1), 1.0)
    assert set(late.predict(X)) <= {"a", "b", "c"}


def test_the_same_seed_gives_the_same_order_to_all_learners_and_labels() -> None:
    X, Y = some()
    order = shuffled(60, random_state=7)
    for kind in BOTH:
        assert (kind(random_state=7).fit(X, Y).coef_ == kind(order=order).fit(X, Y).coef_).all()
        assert (kind(random_state=8).fit(X, Y).coef_ != kind(order=order).fit(X, Y).coef_).any()
    assert sorted(order) == list(range(60))
    two = shuffled(60, passes=2, random_state=7)
    assert (two[:60] == order).all()
    assert (two[60:] != order).any()
    assert sorted(two[60:]) == list(range(60))


def test_balanced_draws_take_half_from_the_label_whatever_its_size() -> None:
    draws = balanced_draws(np.array([3, 5]), 1000, 4000, np.random.default_rng(0))
    share = np.isin(draws, [3, 5]).mean()
    assert 0.46 < share < 0.54
    assert len(set(draws.tolist())) > 800
    assert set(balanced_draws(np.array([], dtype=int), 3, 50, np.random.default_rng(0))) == {0, 1, 2}
    X, Y = some()
    model = ExponentiatedGradient(draws=500, balanced=True, random_state=3).fit(X, Y)
    assert model.vectors_ == 501
    alone = ExponentiatedGradient(draws=500, balanced=True, random_state=3).fit(X, sparse.csr_array(Y[:, [0]]))
    assert (alone.coef_[0] == model.coef_[0]).all()
    other = ExponentiatedGradient(draws=500, balanced=True, random_state=4).fit(X, Y)
    assert (other.coef_ != model.coef_).any()


def test_draws_with_replacement_and_several_passes_are_the_given_order() -> None:
    X, Y = some()
    for kind in BOTH:
        drawn = np.random.default_rng(5).integers(0, 60, 33)
        assert (kind(draws=33, random_state=5).fit(X, Y).coef_ == kind(order=drawn).fit(X, Y).coef_).all()
        order = np.arange(60)
        assert (kind(order=order, passes=3).fit(X, Y).coef_ == kind(order=np.tile(order, 3)).fit(X, Y).coef_).all()


def test_the_pocket_holds_the_best_vector_of_those_it_saw() -> None:
    from rubricate.measures.metrics import average_precision

    X, Y = some(n=80)
    sequence = np.random.default_rng(0).integers(0, 80, 750)
    for kind in BOTH:
        model = kind(order=sequence, pocket=True).fit(X, Y)
        seen = [kind(order=sequence[:n], average=False).fit(X, Y) for n in range(100, 701, 100)]
        values = np.array([average_precision(one.class_scores(X), Y) for one in seen])
        for label in range(7):
            best = seen[int(np.argmax(values[:, label]))]
            np.testing.assert_allclose(model.coef_[label], best.coef_[label], rtol=1e-12, atol=1e-15)
    short = WidrowHoff(order=sequence[:99], pocket=True).fit(X, Y)
    np.testing.assert_allclose(short.coef_, WidrowHoff(order=sequence[:99], average=False).fit(X, Y).coef_, rtol=1e-13)


@pytest.mark.parametrize("words", [{}, {"balanced": True}])
@pytest.mark.parametrize("kind", BOTH)
def test_the_history_of_the_pocket_is_of_all_labels_whatever_the_blocks(kind: Any, words: dict[str, Any]) -> None:
    X, Y = some(n=80, n_labels=20)
    model = kind(draws=350, pocket=True, random_state=4, **words).fit(X, Y)
    (history,) = model.history_
    assert [examples for examples, _, _ in history] == [100, 200, 300]
    assert all(found.shape == better.shape == (20,) for _, found, better in history)
    for label in (0, 5, 19):
        if words:  # a label's draws depend on its number
            continue
        alone = kind(draws=350, pocket=True, random_state=4).fit(X, sparse.csr_array(Y[:, [label]]))
        for (_, found, better), (_, found_alone, better_alone) in zip(history, alone.history_[0], strict=True):
            assert found[label] == pytest.approx(found_alone[0], rel=1e-9)
            assert better[label] == better_alone[0]
    assert WidrowHoff().fit(X, Y).history_ == []


@pytest.mark.parametrize("kind", BOTH)
def test_documents_that_cannot_be_written_to_can_be_learned_from(kind: Any) -> None:
    X, Y = some()
    fixed = X.copy()
    for part in (fixed.data, fixed.indices, fixed.indptr):
        part.flags.writeable = False
    assert (kind().fit(fixed, Y).coef_ == kind().fit(X, Y).coef_).all()
    untidy = sparse.csr_array((fixed.data.copy(), fixed.indices, fixed.indptr), shape=X.shape)
    untidy.data[::5] = 0.0
    untidy.data.flags.writeable = False
    clean = untidy.copy()
    clean.eliminate_zeros()
    assert (kind().fit(untidy, Y).coef_ == kind().fit(clean, Y).coef_).all()


def test_two_sided_weights_are_those_of_doubled_features() -> None:
    X, Y = some()
    order = np.arange(60)
    model = ExponentiatedGradient(order=order, two_sided=True, total=3.0).fit(X, Y)
    doubled = sparse.csr_array(sparse.hstack([3 * X, -3 * X]))
    plain = ExponentiatedGradient(order=order).fit(doubled, Y)
    np.testing.assert_allclose(model.coef_, 3 * (plain.coef_[:, :25] - plain.coef_[:, 25:]), rtol=1e-12, atol=1e-15)
    assert (model.coef_ < 0).any()
    assert (np.abs(model.coef_).sum(axis=1) <= 3 + 1e-9).all()


def test_total_is_the_sum_of_the_weights() -> None:
    X, Y = some()
    model = ExponentiatedGradient(total=5.0).fit(X, Y)
    np.testing.assert_allclose(model.coef_.sum(axis=1), 5.0)


def test_batch_steps_descend_and_one_document_is_a_step_of_the_usual_kind() -> None:
    X, Y = some(n=1)
    one = ExponentiatedGradient(batch=True, passes=3, rate=0.2).fit(X, Y)
    same = ExponentiatedGradient(order=[0, 0, 0], rate=0.2).fit(X, Y)
    np.testing.assert_allclose(one.final_, same.final_, rtol=1e-12)
    np.testing.assert_allclose(one.average_, same.average_, rtol=1e-12)
    X, Y = some(n=60)
    losses = []
    for passes in (1, 5, 25, 125):
        model = ExponentiatedGradient(batch=True, passes=passes, average=False).fit(X, Y)
        losses.append(((model.class_scores(X) - Y) ** 2).mean())
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("kind", BOTH)
def test_weights_near_zero_can_be_dropped_and_the_loss_is_told(kind: Any) -> None:
    X, Y = some()
    model = kind(passes=5).fit(X, Y)
    before, weights = model.class_scores(X), model.coef_
    told = model.prune(X, below=0.2)
    after = model.class_scores(X)
    assert told.kept + told.dropped == np.count_nonzero(weights)
    assert told.dropped > 0
    assert told.largest_loss == pytest.approx(np.abs(after - before).max())
    assert (model.coef_[model.coef_ != 0] == weights[model.coef_ != 0]).all()
    assert kind(passes=5).fit(X, Y).prune(X, below=0.0).largest_loss < 1e-12


@pytest.mark.parametrize("kind", BOTH)
def test_nasty_documents_leave_finite_weights(kind: Any) -> None:
    X = np.array([[0.0, 0, 0, 0], [1, 0, 2, 0], [1e6, 1e6, 1e6, 1e6], [0, 0, 0, 1e-9], [0, 0, 0, 0]])
    y = [1, 0, 1, 0, 0]
    for rate in ("max-norm", "example", "half-example", "range"):
        model = kind(rate=rate).fit(X, y)
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.predict_proba(X)).all()
        assert np.isfinite(kind(rate=rate).fit(np.zeros((3, 4)), [0, 1, 1]).class_scores(X)).all()


def test_a_rate_that_would_overflow_the_exponent_gives_finite_weights() -> None:
    X, Y = some()
    for rate in (1e3, 1e8, 1e300):
        model = ExponentiatedGradient(rate=rate).fit(X, Y)
        np.testing.assert_allclose(model.coef_.sum(axis=1), 1.0)
        assert (model.coef_ >= 0).all()


def test_a_rate_that_makes_widrow_hoff_diverge_is_told() -> None:
    X, Y = some()
    with np.errstate(all="ignore"), pytest.raises(InvalidSetting, match="too high"):
        WidrowHoff(rate=1e8, passes=20).fit(X, Y)


def test_starts_from_other_models() -> None:
    X, Y = some()
    rocchio = Rocchio().fit(X, Y)
    moved = WidrowHoff(start=rocchio, order=[0]).fit(X, Y)
    assert not np.allclose(moved.coef_, rocchio.coef_)
    still = WidrowHoff(start=rocchio, order=np.array([], dtype=int)).fit(X, Y)
    np.testing.assert_array_equal(still.coef_, rocchio.coef_)
    clipped = ExponentiatedGradient(start=Rocchio(clip=False).fit(X, Y), order=np.array([], dtype=int)).fit(X, Y)
    positive = np.maximum(Rocchio(clip=False).fit(X, Y).coef_, 0)
    np.testing.assert_allclose(clipped.coef_, positive / positive.sum(axis=1, keepdims=True))
    uniform = WidrowHoff(start="uniform", order=np.array([], dtype=int)).fit(X, Y)
    assert (uniform.coef_ == 1 / 25).all()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"rate": "fast"}, UnknownName),
        ({"rate": 0}, InvalidSetting),
        ({"rate": float("nan")}, InvalidSetting),
        ({"passes": 0}, InvalidSetting),
        ({"draws": 0}, InvalidSetting),
        ({"order": [0], "draws": 3}, InvalidSetting),
        ({"order": [60]}, InvalidSetting),
        ({"order": [-1]}, InvalidSetting),
        ({"order": [0.5]}, InvalidSetting),
        ({"targets": (0.0, 1.0)}, InvalidSetting),
        ({"start": "anywhere"}, UnknownName),
        ({"start": [1.0, 2.0]}, InvalidSetting),
        ({"absent": float("inf")}, InvalidSetting),
    ],
)
@pytest.mark.parametrize("kind", BOTH)
def test_settings_that_make_no_sense_are_refused(kind: Any, wrong: dict[str, Any], error: type[Exception]) -> None:
    X, Y = some()
    with pytest.raises(error):
        kind(**wrong).fit(X, Y)


def test_settings_of_exponentiated_gradient_that_contradict_each_other_are_refused() -> None:
    X, Y = some()
    for wrong in ({"total": 0.0}, {"two_sided": True, "absent": 0.4}, {"batch": True, "pocket": True}):
        with pytest.raises(InvalidSetting):
            ExponentiatedGradient(**wrong).fit(X, Y)
    with pytest.raises(UnknownName):
        ExponentiatedGradient(link="probit").fit(X, Y)
    with pytest.raises(InvalidSetting):
        ExponentiatedGradient(batch=True).partial_fit(X, Y)
    with pytest.raises(InvalidSetting):
        WidrowHoff(pocket=True).partial_fit(X, Y)
    with pytest.raises(InvalidSetting):
        WidrowHoff(average=False).fit(X, Y).average_  # noqa: B018


def test_online_losses_stay_below_what_the_theorems_allow_in_every_order() -> None:
    X, Y = some(n=40)
    rng = np.random.default_rng(0)
    for _ in range(10):
        order = rng.permutation(40)
        for kind in BOTH:
            model = kind(order=order).fit(X, Y)
            told = model.bounds(X, Y)
            assert (told["online_loss"] <= told["online_bound"] + 1e-9).all()
            u = rng.random((7, 25))
            told = model.bounds(X, Y, u=u / u.sum(axis=1, keepdims=True))
            assert (told["online_loss"] <= told["online_bound"] + 1e-9).all()


def test_the_range_of_a_document_counts_absent_terms() -> None:
    assert widest_range(sparse.csr_array(np.array([[3.0, 2.0], [0.0, 1.0]]))) == 1.0
    assert widest_range(sparse.csr_array(np.array([[3.0, 2.0], [0.0, 2.5]]))) == 2.5
    assert widest_range(sparse.csr_array(np.array([[-3.0, 0.0]]))) == 3.0
    assert widest_range(sparse.csr_array((2, 0))) == 0.0


def test_a_vocabulary_of_which_little_occurs_gives_the_same_weights() -> None:
    # weights given term by term have rows from the beginning; the same weight for all, rows when a document has the term
    rng = np.random.default_rng(1)
    X = sparse.csr_array(np.pad(rng.random((30, 12)) * (rng.random((30, 12)) < 0.5), ((0, 0), (0, 100))))
    Y = (rng.random((30, 3)) < 0.4).astype(int)
    for kind in BOTH:
        each = np.full((3, 112), 0.0 if kind is WidrowHoff else 1 / 112)
        for words in ({}, {"absent": 0.4}, {"pocket": True, "draws": 300}, {"average": False}, {"order": [3, 3, 1]}):
            few, full = kind(**words).fit(X, Y), kind(start=each, **words).fit(X, Y)
            np.testing.assert_allclose(few.coef_, full.coef_, rtol=1e-12, atol=1e-18)
            np.testing.assert_allclose(few.final_, full.final_, rtol=1e-12, atol=1e-18)


def test_the_kernels_stay_within_their_arrays(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked("""
import numpy as np
from scipy import sparse
from rubricate.models import ExponentiatedGradient, WidrowHoff

rng = np.random.default_rng(0)
X = sparse.csr_array(rng.random((60, 25)) * (rng.random((60, 25)) < 0.3))
for n_labels in (1, 3, 40):
    Y = sparse.csr_array((rng.random((60, n_labels)) < 0.3).astype(np.int8))
    start = rng.random((n_labels, 25))
    for kind in (WidrowHoff, ExponentiatedGradient):
        for words in ({}, {"start": start}, {"absent": 0.4}, {"pocket": True, "draws": 250}, {"balanced": True}):
            kind(**words).fit(X, Y).class_scores(X)
        kind().fit(X[:9], Y[:9]).partial_fit(X[9:], Y[9:]).class_scores(X)
    for words in ({"rate": 50.0}, {"two_sided": True, "link": "sigmoid", "total": 9.0}):
        ExponentiatedGradient(**words).fit(X, Y).class_scores(X)
""")
