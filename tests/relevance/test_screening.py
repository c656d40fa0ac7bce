"""Screening: proposals, what is left and how sure that is, stopping, replays."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import hypergeom

import rubricate as rb
from rubricate.errors import InvalidSetting, UnknownName
from rubricate.relevance.routing import JudgedDocument, Settings, Topics
from rubricate.relevance.screening import (
    Draw,
    Draws,
    Pile,
    Screening,
    StakedDraw,
    TopicReplays,
    Wealth,
    by_ranking,
    by_sample,
    chance_below_target,
    compare_with_baselines,
    documents_needed,
    estimate_remaining,
    one_shot,
    piles,
    propose,
    random_order,
    replay_topic,
    with_feedback,
    work_saved,
)

RECIPE = rb.Recipe()


def made_pile(n: int = 300, relevant: int = 30, seed: int = 0) -> Pile:
    """Documents of a few words each; relevant ones have words of their own more often."""
    draw = np.random.default_rng(seed)
    y = np.zeros(n, dtype=bool)
    y[draw.choice(n, relevant, replace=False)] = True
    X = (draw.random((n, 40)) < 0.1) * draw.random((n, 40))
    X[:, :8] = (draw.random((n, 8)) < np.where(y, 0.45, 0.04)[:, None]) * draw.random((n, 8))
    query = np.zeros(40)
    query[0] = 0.5
    return Pile(sparse.csr_array(X), y, query)


# -- proposals


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 30),
    st.sampled_from(["relevance", "uncertainty", "mixed"]),
    st.floats(0, 1),
)
def test_proposals_are_new_distinct_and_as_many_as_asked(seed: int, n: int, by: str, random: float) -> None:
    draw = np.random.default_rng(seed)
    scores, judged = draw.random(20).round(1), draw.random(20) < 0.4
    proposal = propose(scores, judged, n=n, by=by, cut=0.5, random=random, draw=draw)
    every = proposal.all.tolist()
    assert len(set(every)) == len(every) == min(n, int((~judged).sum()))
    assert not judged[every].any()
    assert abs(len(proposal.random) - min(n, int((~judged).sum())) * random) < 1


def test_ways_of_choosing_are_what_they_say() -> None:
    scores = np.array([0.9, 0.1, 0.5, 0.6, 0.9, 0.45])
    judged = np.zeros(6, dtype=bool)
    words: dict[str, Any] = {"n": 3, "cut": 0.5, "random": 0.0, "draw": np.random.default_rng(0)}
    assert propose(scores, judged, by="relevance", **words).chosen.tolist() == [0, 4, 3]
    assert propose(scores, judged, by="uncertainty", **words).chosen.tolist() == [2, 5, 3]
    assert propose(scores, judged, by="mixed", **words).chosen.tolist() == [0, 2, 4]
    assert propose(scores, judged, by="uncertainty", **(words | {"cut": None})).chosen.tolist() == [0, 4, 3]
    with pytest.raises(UnknownName):
        propose(scores, judged, by="luck", **words)
    for wrong in ({"n": 0}, {"random": 1.5}):
        with pytest.raises(InvalidSetting):
            propose(scores, judged, **(words | wrong))


# -- what is left


def test_the_interval_holds_at_every_look_as_often_as_it_says() -> None:
    """Random draws without replacement, other documents taken out between them by an adversary who knows the truth: the interval
    must hold at all looks at once in at least `level` of the runs (here 80 %, so that 400 runs can tell)."""
    draw = np.random.default_rng(1)
    always, looks = [], []
    for run in range(400):
        n, total = 60, int(draw.integers(0, 30))
        y = np.zeros(n, dtype=bool)
        y[draw.choice(n, total, replace=False)] = True
        free, found, draws = list(draw.permutation(n)), 0, Draws(n)
        always_inside = True
        while free:
            if run % 2 and len(free) > 1:  # the adversary takes out what is relevant, or what is not
                at = next((k for k, d in enumerate(free) if y[d] == (run % 4 == 1)), 0)
                found += y[free.pop(at)]
            at = int(draw.integers(len(free)))
            drawn = free[at]
            draws.add(Draw(bool(y[drawn]), len(free), found))
            free.pop(at)
            found += y[drawn]
            estimate = draws.estimate(found=int(found), judged=n - len(free), level=0.8)
            inside = estimate.low <= total - found <= estimate.high
            looks.append(inside)
            always_inside = always_inside and inside
        always.append(always_inside)
    assert np.mean(always) >= 0.8 - 2 * np.sqrt(0.8 * 0.2 / 400)
    assert np.mean(looks) >= 0.8


def test_the_interval_is_worth_something() -> None:
    """A thousand draws from ten thousand, 2 % relevant: the interval must lie between a quarter of the truth and its double."""
    draw = np.random.default_rng(0)
    y = np.zeros(10_000, dtype=bool)
    y[:200] = True
    order = draw.permutation(10_000)[:1000]
    found = np.concatenate([[0], np.cumsum(y[order])])
    estimate = estimate_remaining(
        (Draw(bool(y[d]), 10_000 - at, int(found[at])) for at, d in enumerate(order)),
        n_documents=10_000,
        found=int(found[-1]),
        judged=1000,
    )
    assert 46 < estimate.low < 200 - found[-1] < estimate.high < 368
    assert estimate.low <= estimate.best <= estimate.high


def test_all_judged_leaves_nothing_and_no_draws_leave_everything_open() -> None:
    draws = Draws(10)
    assert (draws.estimate(found=3, judged=10).low, draws.estimate(found=3, judged=10).high) == (0, 0)
    estimate = draws.estimate(found=3, judged=5)
    assert (estimate.low, estimate.high, estimate.draws) == (0, 5, 0)
    assert estimate.recall_low == 3 / 8
    assert estimate.recall_high == 1


def test_draws_without_a_relevant_one_push_the_upper_end_down() -> None:
    highs = []
    draws = Draws(1000)
    for at in range(400):
        draws.add(Draw(False, 1000 - at, 0))
        highs.append(draws.estimate(found=0, judged=at + 1).high)
    assert all(a >= b for a, b in pairwise(highs[20:]))
    assert highs[-1] < 40


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidSetting):
        Draws(0)
    draws = Draws(10)
    for draw in (Draw(True, 11, 0), Draw(True, 0, 0), Draw(True, 9, 2)):
        with pytest.raises(InvalidSetting, match="cannot be"):
            draws.add(draw)
    with pytest.raises(InvalidSetting, match="cannot be"):
        draws.estimate(found=5, judged=4)
    with pytest.raises(InvalidSetting, match="level"):
        draws.estimate(found=0, judged=0, level=1.0)


# -- stopping


def test_the_ranking_rule_is_the_hypergeometric_test() -> None:
    order = [True] * 19 + [False] * 100
    chance = chance_below_target(order, n_documents=500, target=0.95)
    # 20 in all would be 95 %: below the target there are 21 or more, two of them in what is left after the 19th
    starts = np.unique(np.linspace(0, 118, 64).astype(int))
    before = np.concatenate([[0], np.cumsum(order)])
    expected = min(hypergeom.cdf(19 - before[s], 500 - s, 21 - before[s], 119 - s) for s in starts)
    assert chance == pytest.approx(float(expected))


def test_rules_say_go_on_without_finds_and_stop_at_the_end() -> None:
    assert not by_ranking([False] * 50, n_documents=100).stop
    assert by_ranking([True] + [False] * 99, n_documents=100).stop
    nothing = by_sample(Draws(10).estimate(found=0, judged=10))
    assert nothing.stop
    assert "no document is relevant" in nothing.sentence
    assert not by_sample(Draws(10).estimate(found=0, judged=9)).stop
    done = by_sample(Draws(10).estimate(found=2, judged=10))
    assert done.stop
    assert "95 % sure" in done.sentence
    going = by_sample(Draws(10).estimate(found=2, judged=5))
    assert not going.stop
    assert "go on" in going.sentence
    with pytest.raises(InvalidSetting, match="target"):
        by_ranking([True], n_documents=2, target=0.0)
    with pytest.raises(InvalidSetting, match="level"):
        by_ranking([True], n_documents=2, level=1.0)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(0, 60))
def test_the_chance_is_a_probability(order: list[bool], more: int) -> None:
    chance = chance_below_target(order, n_documents=len(order) + more, target=0.9)
    assert 0 <= chance <= 1


def test_stopping_by_ranking_keeps_its_promise_where_the_ranking_is_chance_itself() -> None:
    """The hardest case that the rule allows for: a ranking no better than chance."""
    draw = np.random.default_rng(0)
    reached = []
    for _ in range(200):
        y = np.zeros(200, dtype=bool)
        y[draw.choice(200, 40, replace=False)] = True
        for judged in range(100, 201, 10):
            if by_ranking(y[:judged].tolist(), n_documents=200, target=0.8, level=0.9).stop:
                reached.append(y[:judged].sum() / 40 >= 0.8)
                break
    assert np.mean(reached) >= 0.9 - 2 * np.sqrt(0.9 * 0.1 / len(reached))


# -- work saved


def test_work_saved_by_hand() -> None:
    order = np.zeros(100, dtype=bool)
    order[:19] = True
    order[99] = True
    assert documents_needed(order) == 19
    assert work_saved(order) == pytest.approx(1 - 0.19 - 0.05)
    assert work_saved(order, recall=1.0) == pytest.approx(0.0)
    with pytest.raises(InvalidSetting, match="nothing to find"):
        documents_needed(np.zeros(5))
    with pytest.raises(InvalidSetting, match="recall"):
        documents_needed(order, recall=0)


# -- replays


def test_feedback_finds_sooner_than_one_ranking_and_both_sooner_than_chance() -> None:
    saved: dict[str, list[float]] = {"feedback": [], "one": [], "chance": []}
    for seed in range(5):
        pile = made_pile(seed=seed)
        y = pile.relevant
        saved["feedback"].append(work_saved(y[with_feedback(pile, batch=5, seed=seed, looks=False).order]))
        saved["one"].append(work_saved(y[one_shot(pile, batch=5)]))
        saved["chance"].append(work_saved(y[random_order(pile, seed=seed)]))
    assert np.mean(saved["feedback"]) > np.mean(saved["one"]) > np.mean(saved["chance"])


def test_a_replay_judges_each_document_once_and_repeats_itself() -> None:
    pile = made_pile()
    first, second = (with_feedback(pile, batch=20, seed=3, by="mixed") for _ in range(2))
    assert sorted(first.order.tolist()) == list(range(300))
    assert first.order.tolist() == second.order.tolist()
    assert first.looks == second.looks
    last = first.looks[-1]
    assert (last.judged, last.found, last.truly_left) == (300, 30, 0)
    assert last.stop_by_sample
    assert last.stop_by_ranking
    assert first.order.tolist() != with_feedback(pile, batch=20, seed=4, by="mixed").order.tolist()
    for order in (one_shot(pile), random_order(pile)):
        assert sorted(order.tolist()) == list(range(300))


def test_replays_with_a_learner_and_a_check_by_draws_come_to_an_end() -> None:
    pile = made_pile(n=120, relevant=15)
    replay = with_feedback(pile, Settings(learner="eg", draws=300), batch=30, random=0.1, random_then=1.0)
    assert sorted(replay.order.tolist()) == list(range(120))


def test_the_interval_of_replays_holds_while_the_ranking_learns() -> None:
    topics = [replay_topic("t", made_pile(seed=seed), seeds=2, batch=20, random=0.3) for seed in range(6)]
    assert np.mean([held for topic in topics for held in topic.held_always]) >= 0.9
    assert all(len(topic.feedback) == len(topic.by_chance) == 2 for topic in topics)
    comparisons = {comparison.other: comparison for comparison in compare_with_baselines(topics)}
    assert comparisons["random order"].pairs == "topics"
    assert comparisons["random order"].wins == 6
    assert comparisons["random order"].sign_p == pytest.approx(1 / 64)
    assert {comparison.pairs for comparison in compare_with_baselines(topics[:2])} == {"seeds"}


def test_piles_of_labels_share_documents_and_weigh_the_text() -> None:
    texts = ["wheat corn", "wheat", "oil", "oil gold", "gold"]
    table = rb.tabulate(texts, RECIPE, labels=[["grain"], ["grain"], ["fuel"], ["fuel", "metal"], ["metal"]])
    by_label = dict(piles(table, {"grain": "wheat prices", "fuel": "unseen words"}))
    assert by_label["grain"].relevant.tolist() == [True, True, False, False, False]
    assert np.flatnonzero(by_label["grain"].query).tolist() == [table.terms.index("wheat")]
    assert not by_label["fuel"].query.any()
    assert sorted(with_feedback(by_label["fuel"], batch=1).order.tolist()) == list(range(5))
    with pytest.raises(InvalidSetting, match="no document has it"):
        dict(piles(table, {"none": "text"}))
    with pytest.raises(InvalidSetting, match="nothing to find"):
        Pile(sparse.csr_array((2, 1)), np.zeros(2, dtype=bool), np.zeros(1))
    with pytest.raises(InvalidSetting, match="seeds"):
        replay_topic("t", by_label["grain"], seeds=0)
    assert isinstance(replay_topic("t", by_label["grain"], seeds=1), TopicReplays)


# -- the stored screening session


@pytest.fixture
def topic(tmp_path: Path) -> Any:
    topics = Topics.make(tmp_path / "topics", recipe=RECIPE)
    topics.keep_collection(rb.count(["wheat", "oil"], RECIPE))
    return topics.new("t", "wheat")


DOCUMENTS = [f"d{at}" for at in range(40)]
TRUTH = {name: at % 4 == 0 for at, name in enumerate(DOCUMENTS)}


def judge(screening: Screening, document: str) -> None:
    screening.judge(JudgedDocument(document, TRUTH[document], {"wheat": 1}))


def test_proposals_are_shown_again_until_they_are_judged(topic: Any) -> None:
    scores = np.linspace(1, 0, 40)
    screening = Screening(topic, DOCUMENTS)
    assert screening.pending() == []
    first = screening.propose(scores, n=10, random=0.3)
    assert len(first) == 10
    assert Screening(topic, DOCUMENTS).pending() == first
    assert [screening.why(document) for document in first] == ["relevance"] * 7 + ["drawn at random"] * 3
    for document in first[:9]:
        judge(screening, document)
    again = Screening(topic, DOCUMENTS)
    assert again.pending() == screening.pending() == first[9:]
    assert (again.n_judged, again.waiting) == (9, 1)
    judge(again, first[9])
    assert again.pending() == []
    assert again.waiting == 0
    assert again.remaining().draws == 3


def test_what_is_not_judged_counts_as_relevant_and_never_makes_a_statement_stronger(topic: Any) -> None:
    screening = Screening(topic, DOCUMENTS)
    first = screening.propose(np.linspace(1, 0, 40), n=30, random=0.8)
    for document in reversed(first):  # draws first, in the reverse of their order, then the ranked ones
        assert screening.remaining().high >= sum(TRUTH.values()) - screening.found
        before = {total: screening.state().wealth.highest(total) for total in range(10, 40)}
        judge(screening, document)
        for total, wealth in before.items():
            assert screening.state().wealth.highest(total) >= wealth
    assert screening.waiting == 0
    assert screening.remaining().draws == 24


def test_the_stored_wealth_is_that_of_its_draws_and_their_stakes(topic: Any) -> None:
    screening = Screening(topic, DOCUMENTS)
    seen: list[str] = []
    expected: list[StakedDraw] = []
    while proposed := screening.propose(np.linspace(0, 1, 40), n=8, random=0.5):
        stake = json.loads(max((topic.folder / "proposed").glob("*.json")).read_bytes())["stake"]
        chosen, drawn = (
            [document for document in proposed if screening.why(document) == kind]
            for kind in ("relevance", "drawn at random")
        )
        outside = [*seen, *chosen]
        for document in drawn:
            expected.append(StakedDraw(TRUTH[document], 40 - len(outside), sum(TRUTH[o] for o in outside), stake))
            outside.append(document)
        for document in proposed:
            judge(screening, document)
        seen += proposed
        screening = Screening(topic, DOCUMENTS)
        for total in range(screening.found, 41):
            assert screening.state().wealth.log_path(total).tolist() == Wealth(expected).log_path(total).tolist()
    assert (screening.n_judged, screening.found) == (40, 10)
    assert all(advice.stop for advice in screening.advice())
    assert all(price.reached for price in screening.prices())


def test_ranked_documents_are_proposed_while_ranking_finds_then_draws_never_more_than_may_settle_it(
    topic: Any,
) -> None:
    documents = [f"d{at}" for at in range(400)]
    relevant = set(documents[:30])
    kinds = []
    screening = Screening(topic, documents)
    while not screening.advice(target=0.8)[0].stop:
        before = screening.state()
        proposed = screening.propose(np.linspace(1, 0, 400), n=25, target=0.8)
        kinds.append({screening.why(document) for document in proposed})
        if kinds[-1] == {"drawn at random"}:
            assert len(proposed) <= before.to_go(0.8, 0.95)
        topic.judge([JudgedDocument(document, document in relevant, {"wheat": 1}) for document in proposed])
        screening = Screening(topic, documents)
    assert kinds[0] == {"relevance"}
    assert kinds[-1] == {"drawn at random"}
    assert all(len(kind) == 1 for kind in kinds)
    assert screening.n_judged < 300


def test_proposals_of_earlier_versions_have_no_stake_and_still_count(topic: Any) -> None:
    screening = Screening(topic, DOCUMENTS)
    for document in screening.propose(np.zeros(40), n=10, random=1.0):
        judge(screening, document)
    path = next((topic.folder / "proposed").glob("*.json"))
    values = json.loads(path.read_bytes())
    path.write_text(json.dumps({name: value for name, value in values.items() if name not in ("stake", "target")}))
    assert Screening(topic, DOCUMENTS).remaining().draws == 10
    path.write_text(json.dumps(values | {"stake": 2}))
    with pytest.raises(rb.errors.DamagedFile, match="stake"):
        Screening(topic, DOCUMENTS)


def test_another_pile_has_its_own_draws(topic: Any) -> None:
    screening = Screening(topic, DOCUMENTS)
    for document in screening.propose(np.zeros(40), n=10, random=1.0):
        judge(screening, document)
    assert screening.remaining().draws == 10
    assert Screening(topic, DOCUMENTS[:-1]).remaining().draws == 0
    assert Screening(topic, DOCUMENTS[::-1]).remaining().draws == 10
