"""The statement about recall: its worked numbers, and that it holds at every look, by exact enumeration."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubricate.errors import InvalidSetting
from rubricate.relevance.screening.plan import State, plan_batch
from rubricate.relevance.screening.wealth import StakedDraw, Wealth, draws_to_go, first_bad_total, reaches_target


def row_of_draws(outcomes: list[int], pool: int, outside: int, stake: float) -> list[StakedDraw]:
    """Draws one after the other: each takes one from the pool, a relevant one adds one outside."""
    draws = []
    for outcome in outcomes:
        draws.append(StakedDraw(bool(outcome), pool, outside, stake))
        pool, outside = pool - 1, outside + outcome
    return draws


@pytest.mark.parametrize(
    ("found", "target", "bad"),
    [(0, 0.8, 1), (8, 0.8, 11), (9, 0.9, 11), (19, 0.95, 21), (95, 0.95, 101), (100, 0.8, 126)],
)
def test_the_first_bad_total_is_the_smallest_with_a_recall_below_the_target(
    found: int, target: float, bad: int
) -> None:
    assert first_bad_total(found, target) == bad


def test_with_nothing_kept_back_the_wealth_is_a_ratio_of_hypergeometric_chances() -> None:
    wealth = Wealth(row_of_draws([0] * 20, 50, 5, 0.0))
    assert math.exp(wealth.log_path(8)[-1]) == pytest.approx(math.comb(50, 20) / math.comb(47, 20), abs=1e-9)
    assert math.exp(wealth.log_path(8)[-1]) == pytest.approx(4.827586, abs=1e-6)


def test_worked_numbers() -> None:
    wealth = Wealth(row_of_draws([0] * 10, 80, 8, 0.1))
    assert wealth.log_path(11)[-1] == pytest.approx(0.366202, abs=1e-6)
    assert wealth.log_path(9)[-1] == pytest.approx(0.120258, abs=1e-6)
    for hidden, draws in ((3, 43), (1, 68)):
        log_wealth = wealth.log_path(8 + hidden)[-1]
        assert draws_to_go(log_wealth, hidden=hidden, unjudged=70, stake=0.1, level=0.95) == draws
    mixed = Wealth(row_of_draws([0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 60, 12, 0.25))
    expected = "0.080043 0.161536 -1.224759 -1.155125 -1.084173 -1.011853 -2.398147 -2.338723 -2.278099 -2.216223"
    assert mixed.log_path(18)[1:] == pytest.approx([float(number) for number in expected.split()], abs=1e-6)
    assert mixed.highest(18) == pytest.approx(0.161536, abs=1e-6)
    assert mixed.log_path(30)[-1] == pytest.approx(-0.496990, abs=1e-6)
    for target, draws in ((0.8, 165), (0.9, 337), (0.95, 598)):
        hidden = first_bad_total(100, target) - 100
        assert draws_to_go(0.0, hidden=hidden, unjudged=1500, stake=0.02, level=0.95) == draws
    late = Wealth(row_of_draws([0] * 40 + [1] + [0] * 59, 300, 30, 0.1))
    assert late.most(found=31, judged=100, n_documents=300, level=0.95) == 44
    assert late.highest(44) == pytest.approx(2.665191, abs=1e-6)
    assert late.highest(45) == pytest.approx(3.049767, abs=1e-6)
    for target in (0.8, 0.9, 0.95):
        assert not reaches_target(late, found=31, judged=130, n_documents=330, target=target, level=0.95)


def test_what_is_not_judged_counts_as_relevant_and_judging_it_never_lowers_the_wealth() -> None:
    open_draw = Wealth(row_of_draws([0, 1, 0, 0], 40, 10, 0.2))  # the second is not judged
    assert open_draw.log_path(14)[1:] == pytest.approx([0.085158, -1.524280, -1.457957, -1.389749], abs=1e-6)
    judged = Wealth(row_of_draws([0] * 4, 40, 10, 0.2))
    assert judged.log_path(14)[-1] == pytest.approx(0.355145, abs=1e-6)
    for total in range(11, 45):
        assert judged.highest(total) >= open_draw.highest(total)


def test_the_plan_ranks_while_ranking_finds_and_then_draws() -> None:
    ranked = [place < 40 or place in (50, 59) for place in range(100)]
    state = State(ranked, Wealth(), 42, 100, 1000)
    assert (state.precision, state.left, state.hidden(0.8)) == pytest.approx((0.049020, 11.029412, 11), abs=1e-6)
    plan = plan_batch(state, batch=25, target=0.8, level=0.95)
    assert (plan.ranked, plan.drawn) == (25, 0)
    state = State([*ranked, *[False] * 25], Wealth(), 42, 125, 1000)
    assert (state.precision, state.left, state.stake(0.8)) == pytest.approx((0.007576, 1.657197, 0.150654), abs=1e-6)
    assert state.to_go(0.8, 0.95) == 239
    plan = plan_batch(state, batch=25, target=0.8, level=0.95)
    assert (plan.ranked, plan.drawn) == (0, 25)


draws = st.lists(st.booleans(), max_size=12).flatmap(
    lambda outcomes: st.builds(
        lambda outside, stake: row_of_draws(list(map(int, outcomes)), 30, outside, stake),
        st.integers(0, 10),
        st.sampled_from([0.0, 0.02, 0.3, 1.0]),
    )
)


@given(draws=draws)
def test_a_larger_total_never_has_a_smaller_wealth(draws: list[StakedDraw]) -> None:
    wealth = Wealth(draws)
    found = (draws[0].outside if draws else 0) + wealth.hits
    paths = np.array([wealth.log_path(total) for total in range(found, found + 30)])
    assert not np.isnan(paths).any()
    assert (paths[1:] >= paths[:-1] - 1e-12).all()


@given(total=st.integers(1, 19), pool=st.integers(20, 40), stake=st.floats(0, 1))
def test_a_factor_has_mean_1_if_the_total_is_the_truth(total: int, pool: int, stake: float) -> None:
    p = total / pool
    factors = [math.exp(Wealth([StakedDraw(hit, pool, 0, stake)]).log_path(total)[-1]) for hit in (True, False)]
    assert p * factors[0] + (1 - p) * factors[1] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("stake", [0.0, 0.1, 0.5, 1.0])
def test_in_every_small_pile_the_truth_is_refuted_with_the_stated_probability_at_most(stake: float) -> None:
    """All orders of drawing are equally likely. The person stops as soon as the truth is refuted: the worst that looking can
    do."""
    for n_documents in range(1, 8):
        for relevant in range(n_documents + 1):
            labels = [1] * relevant + [0] * (n_documents - relevant)
            orders = sorted(set(permutations(labels)))
            wrong = sum(
                Wealth(row_of_draws(list(o), n_documents, 0, stake)).refutes(relevant, level=0.8) for o in orders
            )
            assert wrong <= 0.2 * len(orders) + 1e-9


def test_a_draw_that_cannot_be_is_refused() -> None:
    for wrong in ({"pool": 0}, {"outside": -1}, {"stake": 1.5}, {"stake": -0.1}):
        with pytest.raises(InvalidSetting, match="cannot be"):
            StakedDraw(**{"relevant": False, "pool": 5, "outside": 0, "stake": 0.1} | wrong)  # type: ignore[arg-type]
