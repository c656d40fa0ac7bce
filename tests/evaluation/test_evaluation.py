"""Evaluation: the numbers are those of metrics, counts add up by hand, intervals hold, and nothing is said that is not known."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse, stats
from scipy.special import expit, logit
from sklearn.metrics import confusion_matrix, precision_recall_curve

from rubricate import metrics, significance
from rubricate.errors import InvalidSetting
from rubricate.evaluation import (
    SHOWN,
    Evaluation,
    Name,
    against_runner_up,
    evaluate,
    is_loss,
    sentence,
    would_more_help,
)
from rubricate.evaluation.per_label import f1_interval, share_interval, spread_places

FEW_DRAWS = 50


def several(n: int = 200, n_labels: int = 5, seed: int = 0) -> dict[str, Any]:
    """Scores that know something, their probabilities, and decisions by a cut."""
    draw = np.random.default_rng(seed)
    share = np.geomspace(0.4, 0.08, n_labels)
    truth = (draw.random((n, n_labels)) < share).astype(int)
    scores = draw.normal(0, 1, truth.shape) + 2 * truth
    return {
        "labels": [f"label {c}" for c in range(n_labels)],
        "truth": truth,
        "decisions": (scores > 1.2).astype(int),
        "scores": scores,
        "probabilities": expit(2 * scores - 2 + logit(share)),
        "several": True,
    }


def one(n: int = 200, n_labels: int = 4, seed: int = 0) -> dict[str, Any]:
    """The same with one label a document."""
    draw = np.random.default_rng(seed)
    label = draw.integers(0, n_labels, n)
    scores = draw.normal(0, 1, (n, n_labels)) + 1.5 * np.eye(n_labels)[label]
    p = np.exp(1.5 * scores)
    return {
        "labels": [f"label {c}" for c in range(n_labels)],
        "truth": np.eye(n_labels, dtype=int)[label],
        "decisions": np.eye(n_labels, dtype=int)[scores.argmax(axis=1)],
        "scores": scores,
        "probabilities": p / p.sum(axis=1, keepdims=True),
        "several": False,
    }


def judged(problem: dict[str, Any], **changed: Any) -> Evaluation:
    return evaluate(**({"draws": FEW_DRAWS} | problem | changed))


def told(found: Evaluation) -> str:
    """Everything, as strict JSON."""
    return json.dumps(found.as_dict(), allow_nan=False, sort_keys=True)


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """Small tables of any kind: labels nobody has, documents without labels, nothing given, ties."""
    n, width = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    many = draw(st.booleans())
    cells = st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=n, max_size=n)
    columns = st.lists(st.integers(0, width - 1), min_size=n, max_size=n)
    tables = [np.array(draw(cells)) if many else np.eye(width, dtype=int)[draw(columns)] for _ in range(2)]
    p = np.array(draw(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]), min_size=n * width, max_size=n * width)))
    p = p.reshape(n, width)
    p = p if many else (p + 0.1) / (p + 0.1).sum(axis=1, keepdims=True)
    return {
        "labels": [str(c) for c in range(width)],
        "truth": tables[0],
        "decisions": tables[1],
        "probabilities": p if draw(st.booleans()) else None,
        "scores": 3 * p if draw(st.booleans()) else None,
        "several": many,
        "draws": 5,
    }


# -- the whole


@pytest.mark.parametrize("name", ["microP", "microR", "microF1", "macroP", "macroR", "macroF1", "subset", "error"])
def test_measures_of_the_whole_are_those_of_metrics(name: str) -> None:
    problem = several()
    own = judged(problem).overall[name]
    assert own.value == pytest.approx(metrics.measure(name)(problem["decisions"], problem["truth"]))
    drawn = significance.bootstrap(name, problem["decisions"], problem["truth"], draws=FEW_DRAWS)
    if name.startswith("macro"):
        assert own.low <= drawn.low < drawn.high <= own.high
    else:
        assert (own.low, own.high) == pytest.approx((drawn.low, drawn.high))


def test_with_one_label_a_document_accuracy_is_the_share_of_right_ones() -> None:
    problem = one()
    found = judged(problem)
    chosen, true = problem["decisions"].argmax(axis=1), problem["truth"].argmax(axis=1)
    assert found.overall["accuracy"].value == pytest.approx(metrics.accuracy(chosen, true))
    assert found.overall["macroF1"].value == pytest.approx(
        metrics.micro_macro(problem["decisions"], problem["truth"]).macro_f
    )
    assert found.wrong == (chosen != true).sum()
    assert found.commonest == pytest.approx(np.bincount(true).max() / len(true))


@given(problems())
@settings(max_examples=60, deadline=None)
def test_every_problem_has_an_evaluation_that_json_can_hold(problem: dict[str, Any]) -> None:
    found = evaluate(**problem)
    assert json.loads(told(found))["documents"] == len(problem["truth"])
    for own in found.overall.values():
        assert math.isnan(own.value) or own.low - 1e-12 <= own.value <= own.high + 1e-12
    said = " ".join(found.sentences())
    assert "nan" not in said
    assert said
    f = [row.f1.value for row in found.labels if row.met]
    if f:
        assert found.overall["macroF1"].value == pytest.approx(np.mean(f))


def test_a_label_that_does_not_occur_changes_nothing_but_the_error() -> None:
    problem = several()
    wider = problem | {"labels": [*problem["labels"], "unmet"]}
    for key, empty in (("truth", 0), ("decisions", 0), ("scores", -9.0), ("probabilities", 0.0)):
        wider[key] = np.column_stack([problem[key], np.full(len(problem[key]), empty)])
    narrow, wide = judged(problem), judged(wider)
    assert wide.unmet == 1
    assert math.isnan(wide.labels[-1].f1.value)
    assert wide.overall["error"].value == pytest.approx(metrics.error(wider["decisions"], wider["truth"]))
    same = [name for name in narrow.overall if name != "error"]
    assert [wide.overall[name] for name in same] == [narrow.overall[name] for name in same]


def test_sparse_and_dense_tables_are_judged_alike_and_twice_the_same() -> None:
    for problem in (several(), one()):
        packed = {key: sparse.coo_array(problem[key]) for key in ("truth", "decisions")}
        assert told(judged(problem)) == told(judged(problem | packed)) == told(judged(problem))


def test_other_seeds_draw_other_intervals() -> None:
    first, second = (judged(several(), random_state=seed).overall["microF1"] for seed in (0, 1))
    assert first.value == second.value
    assert (first.low, first.high) != (second.low, second.high)


def test_five_right_of_five_are_not_certain_to_be_all() -> None:
    problem = one(5)
    found = judged(problem | {"decisions": problem["truth"]})
    assert found.overall["accuracy"].value == 1
    assert found.overall["accuracy"].low == pytest.approx(stats.binomtest(5, 5).proportion_ci(method="exact").low)
    assert all(own.low < 0.8 for own in found.overall.values())
    problem = several(5)
    found = judged(problem | {"decisions": problem["truth"]})
    assert all(own.low < 0.8 for name, own in found.overall.items() if name != "error")
    assert found.overall["error"].high > 0.05


# -- label by label


def test_rows_count_what_can_be_counted_by_hand() -> None:
    problem = several()
    found = judged(problem)
    for c, row in enumerate(found.labels):
        true, given_ = problem["truth"][:, c], problem["decisions"][:, c]
        assert (row.documents, row.assigned, row.right) == (true.sum(), given_.sum(), (true & given_).sum())
        assert row.precision.value == pytest.approx(row.right / row.assigned)
        assert row.recall.value == pytest.approx(row.right / row.documents)
        assert row.f1.value == pytest.approx(2 * row.right / (row.documents + row.assigned))
        assert row.average_precision == pytest.approx(metrics.average_precision(problem["scores"][:, c], true))
        assert row.break_even == pytest.approx(metrics.break_even(problem["scores"][:, c], true).bep[0])


@given(st.integers(0, 30), st.integers(0, 30), st.sampled_from([0.8, 0.95, 0.99]))
def test_shares_have_the_exact_interval_of_scipy(right: int, wrong: int, level: float) -> None:
    if right + wrong:
        own = share_interval(right, right + wrong, level)
        theirs = stats.binomtest(right, right + wrong).proportion_ci(level, method="exact")
        assert (own.low, own.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_exact_intervals_of_f1_hold_the_true_value() -> None:
    draw, kinds = np.random.default_rng(0), np.array([0.04, 0.02, 0.02, 0.92])  # right, wrong, missed, neither
    truly = 2 * kinds[0] / (2 * kinds[0] + kinds[1] + kinds[2])
    samples = [own[:3] for own in draw.multinomial(150, kinds, size=600) if own[:3].sum()]
    held = [f.low <= truly <= f.high for f in (f1_interval(*map(int, own), 0.95) for own in samples)]
    assert 0.94 <= np.mean(held) <= 1  # exact intervals err on the side of being wide


def test_of_ten_thousand_labels_the_largest_are_shown() -> None:
    draw = np.random.default_rng(0)
    cells = (np.ones(900, dtype=int), (np.repeat(np.arange(300), 3), draw.integers(0, 10_000, 900) ** 2 // 10_000))
    truth = (sparse.coo_array(cells, shape=(300, 10_000)).tocsr() > 0).astype(int)
    found = evaluate(labels=[str(c) for c in range(10_000)], truth=truth, decisions=truth, several=True, draws=5)
    shown = found.shown()
    assert len(shown) == SHOWN
    assert [row.documents for row in shown] == sorted((row.documents for row in shown), reverse=True)
    left_out = set(found.labels) - set(shown)
    assert min(row.documents for row in shown) >= max(row.documents for row in left_out)
    assert found.unmet == 10_000 - len(np.unique(truth.indices))
    assert len(told(found)) < 5_000_000


# -- mistakes


def test_one_label_a_document_gives_the_confusion_of_scikit_learn() -> None:
    problem = one()
    found = judged(problem).confusion
    theirs = confusion_matrix(problem["truth"].argmax(axis=1), problem["decisions"].argmax(axis=1))
    assert (found.table.matrix == theirs).all()
    names, cells, _, _ = found.densest(4)
    assert names == problem["labels"]
    assert cells == theirs.tolist()
    assert found.instead[0][2] == max(theirs[i, j] for i in range(4) for j in range(4) if i != j)


def test_documents_without_an_answer_are_counted_apart() -> None:
    problem = one()
    silent = problem["decisions"].copy()
    silent[:10] = 0
    found = judged(problem | {"decisions": silent})
    assert found.undecided == 10
    assert found.confusion.table.matrix.sum() == 190
    assert found.confusion.alone == tuple(problem["truth"][:10].sum(axis=0))
    assert "10 of 200 documents were given no label at all." in found.sentences()


def test_several_labels_count_what_is_given_instead_and_beside_by_hand() -> None:
    problem = several(60, 4)
    found = judged(problem).confusion
    instead, beside = np.zeros((2, 4, 4), dtype=int)
    alone, added = np.zeros((2, 4), dtype=int)
    for true, given_ in zip(problem["truth"], problem["decisions"], strict=True):
        missed, wrong, right = (np.flatnonzero(own) for own in ((true > given_), (given_ > true), (true & given_)))
        instead[np.ix_(missed, wrong)] += 1
        beside[np.ix_(right, wrong)] += 1
        instead[right, right] += 1
        alone[missed] += len(wrong) == 0
        added[wrong] += len(missed) == 0
    assert (found.table.matrix == instead).all()
    assert (found.alone, found.added) == (tuple(alone), tuple(added))
    numbers = {name: n for n, name in enumerate(problem["labels"])}
    assert all(beside[numbers[a], numbers[b]] == times for a, b, times in found.beside)
    assert sum(times for _, _, times in found.beside) == beside.sum()


def test_the_surest_mistakes_come_first_given_and_missed_in_turn() -> None:
    problem = several()
    found = judged(problem | {"ids": [f"d{n}" for n in range(200)]})
    assert found.wrong == (problem["truth"] != problem["decisions"]).any(axis=1).sum()
    kinds = [mistake.label in mistake.given for mistake in found.mistakes]
    assert kinds[:4] == [True, False, True, False]
    for kind in (True, False):
        sure = [mistake.sure for mistake, own in zip(found.mistakes, kinds, strict=True) if own == kind]
        assert sure == sorted(sure, reverse=True)
    for mistake in found.mistakes:
        assert mistake.id == f"d{mistake.document}"
        assert (mistake.label in mistake.given) != (mistake.label in mistake.true)
        assert mistake.true == tuple(np.array(problem["labels"])[problem["truth"][mistake.document] == 1])
    assert len({mistake.document for mistake in found.mistakes}) == len(found.mistakes)


def test_with_one_label_a_document_the_label_given_stands_for_the_mistake() -> None:
    problem = one()
    for mistake in judged(problem).mistakes:
        assert mistake.given == (mistake.label,)
        assert mistake.sure == pytest.approx(problem["probabilities"][mistake.document].max())
    for mistake in judged(problem | {"probabilities": None}).mistakes:
        row = problem["scores"][mistake.document]
        assert mistake.sure == pytest.approx(row.max() - row[problem["labels"].index(mistake.true[0])])


# -- curves


def test_curves_lie_on_those_of_scikit_learn_and_are_thin() -> None:
    problem = several(600)
    found = judged(problem)
    assert [curve.label for curve in found.curves] == problem["labels"]
    for c, curve in enumerate(found.curves):
        precision, recall, _ = precision_recall_curve(problem["truth"][:, c], problem["scores"][:, c])
        points = set(zip(recall.round(9).tolist(), precision.round(9).tolist(), strict=True))
        assert {(round(r, 9), round(p, 9)) for r, p in zip(curve.recall, curve.precision, strict=True)} <= points
        assert len(curve.recall) <= 100
        assert curve.recall[-1] == 1
        assert curve.share == problem["truth"][:, c].mean()


@pytest.mark.parametrize("cut", [-1.0, 0.3, 1.2, 2.5])
def test_where_a_threshold_decides_the_decisions_lie_on_their_curve(cut: float) -> None:
    problem = several(1500)
    found = judged(problem, decisions=(problem["scores"] > cut).astype(int))
    for curve in found.curves:
        points = list(zip(curve.recall, curve.precision, strict=True))
        assert curve.by_threshold
        assert (curve.at_recall, curve.at_precision) in points, "the ring is off its curve"
        assert sorted(curve.recall) == list(curve.recall)


def test_where_the_best_label_decides_the_curve_says_that_no_threshold_does() -> None:
    assert not any(curve.by_threshold for curve in judged(one(600)).curves)
    problem = several(200)
    scores = problem["scores"].round(0)  # ties: a threshold takes all that are equal, or none
    tied = np.flatnonzero(scores[:, 0] == 1)
    decisions = (scores > 1).astype(int)
    assert all(curve.by_threshold for curve in judged(problem, scores=scores, decisions=decisions).curves)
    decisions[tied[0], 0] = 1
    of = {curve.label: curve.by_threshold for curve in judged(problem, scores=scores, decisions=decisions).curves}
    assert of == {"label 0": False} | {f"label {c}": True for c in range(1, 5)}


@given(problems())
@settings(max_examples=100)
def test_a_ring_is_on_its_curve_or_the_curve_says_otherwise(problem: dict[str, Any]) -> None:
    for curve in judged(problem).curves:
        if curve.by_threshold and not math.isnan(curve.at_precision):
            assert (curve.at_recall, curve.at_precision) in zip(curve.recall, curve.precision, strict=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=500), st.integers(3, 100))
def test_thinning_keeps_the_ends_and_the_order(values: list[float], points: int) -> None:
    rising = np.sort(np.array(values))
    kept = spread_places(rising, points)
    assert 1 <= len(kept) <= points
    assert (np.diff(kept) > 0).all()
    assert rising[kept[0]] == rising[0]
    assert rising[kept[-1]] == pytest.approx(rising[-1], abs=1e-11)


def test_coverage_ends_where_everything_is_answered() -> None:
    for problem in (several(), one(), one() | {"probabilities": None}):
        own = judged(problem).coverage
        assert own is not None
        right = (problem["truth"] == problem["decisions"]).all(axis=1)
        assert own.at(1.0) == (1.0, pytest.approx(right.mean()))
        assert all(low <= a <= high for low, a, high in zip(own.low, own.accuracy, own.high, strict=True))
        assert own.at(0.5)[1] > own.at(1.0)[1]  # what is said more surely is more often right, here
    assert judged(several() | {"probabilities": None}).coverage is None  # scores alone do not say how sure they are


def test_the_surest_of_exclusive_labels_are_those_with_the_highest_probability() -> None:
    problem = one()
    own = judged(problem).coverage
    assert own is not None
    order = np.argsort(-problem["probabilities"].max(axis=1), kind="stable")
    right = (problem["truth"] == problem["decisions"]).all(axis=1)[order]
    n = round(200 * own.coverage[50])
    assert own.accuracy[50] == pytest.approx(right[:n].mean())


# -- probabilities


@pytest.mark.parametrize("problem", [several(), one()], ids=["several", "one"])
def test_losses_are_those_of_metrics_and_better_than_shares_alone(problem: dict[str, Any]) -> None:
    own = judged(problem).calibration
    assert own is not None
    truth = problem["truth"] if problem["several"] else problem["truth"].argmax(axis=1)
    p = problem["probabilities"]
    assert own.log_loss == pytest.approx(metrics.log_loss(p, truth))
    assert own.brier == pytest.approx(metrics.brier(p, truth))
    assert own.error == pytest.approx(metrics.calibration_error(p, truth))
    shares = np.tile(problem["truth"].mean(axis=0), (len(p), 1))
    assert own.log_loss_of_shares == pytest.approx(metrics.log_loss(shares, truth))
    assert own.brier_of_shares == pytest.approx(metrics.brier(shares, truth))
    assert own.log_loss < own.log_loss_of_shares
    given_ = problem["decisions"] == 1
    assert own.given_probability == pytest.approx(p[given_].mean())
    assert own.given.value == pytest.approx(problem["truth"][given_].mean())
    assert sum(b.count for b in own.bins) == (truth.size if problem["several"] else len(p))
    assert all(b.low <= b.share_true <= b.high for b in own.bins)


def test_too_much_certainty_is_told() -> None:
    problem = several(400)
    assert any("at their word" in said for said in judged(problem).sentences())
    bold = problem | {"probabilities": np.where(problem["decisions"] == 1, 0.999, 0.001)}
    assert any("surer of itself than it should be" in said for said in judged(bold).sentences())
    shy = problem | {"probabilities": np.where(problem["decisions"] == 1, 0.3, 0.001)}
    assert any("right more often than it says" in said for said in judged(shy).sentences())


def test_without_probabilities_nothing_is_said_of_them() -> None:
    found = judged(several() | {"probabilities": None, "scores": None})
    assert found.calibration is None
    assert found.coverage is None
    assert found.curves == ()
    assert math.isnan(found.labels[0].average_precision)
    assert not any("probabilit" in said for said in found.sentences())


# -- in words


def test_the_first_sentence_says_how_many_of_a_hundred() -> None:
    truth = np.eye(2, dtype=int)[np.arange(100) % 2]
    decisions = truth.copy()
    decisions[:12] = 1 - decisions[:12]
    found = evaluate(labels=["a", "b"], truth=truth, decisions=decisions, several=False)
    low, high = (round(100 * one) for one in (found.overall["accuracy"].low, found.overall["accuracy"].high))
    assert found.sentences()[0] == f"Of 100 documents it files 88 as you did; between {low} and {high} is likely."
    assert 80 <= low < 88 < high <= 95


def test_labels_that_do_worse_are_named_and_rare_ones_counted() -> None:
    truth = np.zeros((300, 3), dtype=int)
    truth[:200, 0] = truth[200:295, 1] = truth[295:, 2] = 1
    decisions = truth.copy()
    decisions[200:280] = [1, 0, 0]
    found = evaluate(labels=["good", "bad", "rare"], truth=truth, decisions=decisions, several=False, draws=FEW_DRAWS)
    said = found.sentences()
    assert "Labels to watch: «bad» (15 of 95 found, 15 of 15 given are right)." in said
    assert "1 of 3 labels has fewer than 10 documents here: too few to judge." in said
    assert "The commonest confusion: «good» is given instead of «bad», in 80 documents." in said


def test_sentences_mark_names_whatever_they_hold() -> None:
    assert sentence(("a ", Name("b <i>"), ".")) == "a «b <i>»."


def point(documents: int, value: float, half: float = 0.01) -> dict[str, Any]:
    return {"documents": documents, "value": value, "low": value - half, "high": value + half}


def test_a_rising_curve_asks_for_more_labels_and_a_flat_one_does_not() -> None:
    rising = sentence(would_more_help([point(500, 0.6), point(1000, 0.7), point(2000, 0.8)]))
    assert rising.startswith(
        "From 1,000 to 2,000 labelled documents it went from 70.0 to 80.0, still rising: more labels would help"
    )
    assert "help little" in sentence(would_more_help([point(1000, 0.795), point(2000, 0.8)]))
    assert "would not help" in sentence(would_more_help([point(1000, 0.81), point(2000, 0.8)]))
    assert "cannot be told" in sentence(would_more_help([point(1000, 0.81)]))


@pytest.mark.parametrize("name", ["logloss", "brier", "ECE", "error"])
def test_a_loss_that_still_falls_asks_for_more_labels_and_one_that_rises_does_not(name: str) -> None:
    falling = sentence(would_more_help([point(500, 0.5), point(1000, 0.4), point(2000, 0.3)], measure=name))
    assert falling == (
        f"From 1,000 to 2,000 labelled documents {name}, of which less is better, went from 0.4000 to 0.3000, still falling: "
        "more labels would help: as many again may take off up to 0.1000, usually less."
    )
    assert "help little" in sentence(would_more_help([point(1000, 0.305), point(2000, 0.3)], measure=name))
    assert "would not help" in sentence(would_more_help([point(1000, 0.2), point(2000, 0.3)], measure=name))
    assert "cannot be told" in sentence(would_more_help([point(1000, 0.2)], measure=name))


@pytest.mark.parametrize("half", [0.3, 0.42, 0.455, 0.49, 0.5, 0.51, 0.545, 0.6, 0.7])
def test_a_curve_turned_upside_down_says_the_same_of_a_loss(half: float) -> None:
    def verdict(parts: tuple[str, ...]) -> list[str]:
        return [one for one in ("would help:", "help little", "would not help") if one in sentence(parts)]

    up = would_more_help([point(1000, half), point(2000, 0.5)], measure="microF1")
    down = would_more_help([point(1000, 1 - half), point(2000, 0.5)], measure="brier")
    assert verdict(up) == verdict(down)
    assert len(verdict(up)) == 1


def test_what_is_no_measure_of_ours_is_taken_to_rise() -> None:
    assert [is_loss(name) for name in ("logloss", "LogLoss", "brier", "ece", "error")] == [True] * 5
    assert [is_loss(name) for name in ("microF1", "accuracy", "", "my own", "P@0", "F")] == [False] * 6


def test_the_best_is_tested_against_the_runner_up() -> None:
    problem = several(400)
    rng = np.random.default_rng(0)
    worse = np.where(rng.random(problem["truth"].shape) < 0.3, 1 - problem["decisions"], problem["decisions"])
    worst = 1 - problem["truth"]
    systems = {"worst": worst, "best": problem["decisions"], "worse": worse}
    found = significance.compare(systems, problem["truth"], measure="microF1", draws=200)
    said = sentence(against_runner_up(found))
    assert said.startswith("«best» is ahead of «worse» by ")
    assert "more than chance" in said
    again = {"best": problem["decisions"], "twin": problem["decisions"]}
    twins = significance.compare(again, problem["truth"], measure="microF1", draws=200)
    assert "may be chance" in sentence(against_runner_up(twins))
    losses = significance.compare(
        {"far": worst.astype(float), "near": problem["probabilities"]}, problem["truth"], measure="brier", draws=50
    )
    assert sentence(against_runner_up(losses)).startswith("«near» is ahead of «far»")  # less is better
    only = significance.compare(systems, problem["truth"], measure="microF1", against="worst", draws=50)
    assert "not tested against each other" in sentence(against_runner_up(only))


# -- what is refused


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"labels": ["a"]}, "1 labels for truth of shape"),
        ({"labels": ["a", "b", "a", "c"]}, "'a' is there twice"),
        ({"decisions": np.zeros((200, 3))}, "decisions of shape"),
        ({"truth": np.zeros((200, 4))}, "truth, row 0: 0 labels"),
        ({"truth": np.ones((200, 4))}, "say several=True"),
        ({"decisions": np.ones((200, 4))}, "decisions, row 0: 4 labels"),
        ({"scores": np.zeros((200, 3))}, "scores of shape"),
        ({"probabilities": np.full((200, 4), 0.7)}, "sums to"),
        ({"probabilities": np.full((200, 4), np.nan)}, "nan"),
        ({"ids": ["a"]}, "1 ids for 200 documents"),
        ({"draws": 0}, "draws=0"),
        ({"level": 2.0}, "level"),
        ({"truth": np.full((200, 4), 2)}, "found 2 in truth"),
    ],
)
def test_what_does_not_go_together_is_refused(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidSetting, match=complaint):
        judged(one() | changed)


def test_of_labels_that_never_occur_nothing_is_known() -> None:
    nothing = np.zeros((3, 2), dtype=int)
    found = judged({"labels": ["a", "b"], "truth": nothing, "decisions": nothing, "several": True})
    assert found.overall["subset"].value == 1
    assert found.overall["error"].value == 0
    assert all(math.isnan(found.overall[name].value) for name in ("microP", "microF1", "macroF1"))
    assert found.sentences()[-1] == "2 labels do not occur here at all: nothing is known of them."


def test_nothing_cannot_be_judged() -> None:
    with pytest.raises(InvalidSetting, match="nothing to judge"):
        evaluate(labels=["a"], truth=np.zeros((0, 1)), decisions=np.zeros((0, 1)), several=True)
