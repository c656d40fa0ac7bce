"""Thresholds along rankings: the kernels say what NumPy says of one label at a time, of all documents or of some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plain_judging import held_out_counts as plain_held_out_counts
from plain_judging import places_at
from rubricate.decisions.thresholds import FBeta, MicroF, Precision, Recall, fit_thresholds
from rubricate.decisions.thresholds.fitting import fit_ranked
from rubricate.decisions.thresholds.goals import micro_worth
from rubricate.decisions.thresholds.pooling import counts_at_depth
from rubricate.decisions.thresholds.ranking import Ranking, Rankings
from rubricate.kernels.rankings import held_out_counts

INF = float("inf")


def table(seed: int) -> tuple[Any, Any, Any]:
    """Scores with ties, near ties and infinities, the truth, and a mask of documents."""
    draw = np.random.default_rng(seed)
    n, n_labels = int(draw.integers(1, 60)), 4
    scores = draw.normal(size=(n, n_labels)).round(int(draw.integers(0, 3)))
    scores += draw.integers(0, 2, scores.shape) * draw.choice([0.0, 1e-13])
    scores[draw.random(scores.shape) < 0.1] = -INF
    scores[draw.random(scores.shape) < 0.03] = INF
    inside = draw.random(n) < 0.7
    inside[0] = True
    return scores, draw.random(scores.shape) < draw.choice([0.05, 0.3, 0.9]), inside


@pytest.mark.parametrize("seed", range(60))
def test_candidates_of_all_labels_are_those_of_each_ranking(seed: int) -> None:
    scores, truth, inside = table(seed)
    candidates = Rankings.of(scores, truth).at(inside).candidates
    for label in range(scores.shape[1]):
        ranking, those = Ranking.of(scores[inside, label], truth[inside, label]), candidates.of(label)
        places = FBeta().places(ranking)
        assert candidates.places[those].tolist() == places.tolist()
        assert candidates.hits[those].tolist() == ranking.hits_above(places).tolist()
        assert candidates.thresholds[those].tolist() == ranking.thresholds(places).tolist()
        assert candidates.positives[label] == ranking.positives
        finite = scores[inside, label][np.isfinite(scores[inside, label])]
        assert candidates.lowest[label] == finite.min(initial=INF if len(finite) else 0.0)


@pytest.mark.parametrize("seed", range(30))
def test_the_best_candidates_of_all_labels_are_the_best_of_each(seed: int) -> None:
    scores, truth, _ = table(seed)
    candidates, goal = Rankings.of(scores, truth).candidates, MicroF(1.0, 0.6)
    best = candidates.best_of_labels(micro_worth(goal, candidates.hits, candidates.places))
    for label, place in enumerate(best.tolist()):
        those = candidates.of(label)
        assert place - those.start == goal.best(candidates.hits[those], candidates.places[those], 0, 0)


@pytest.mark.parametrize("seed", range(60))
def test_counts_at_depths_are_those_of_thresholds_that_the_other_parts_place(seed: int) -> None:
    scores, truth, inside = table(seed)
    draw = np.random.default_rng(seed)
    part = np.where(inside, draw.integers(0, 10, len(inside)), -1)
    depths = np.unique(np.append(0.0, draw.choice([0.5, 1.0, 1.5, 2.0, 7.0, 40.0], 4)))
    rankings = Rankings.of(scores, truth).at(inside)
    for label in range(scores.shape[1]):
        ranking = rankings.ranking(label)
        rows = rankings.scores[label], rankings.positive[label], rankings.order[label]
        hits, assigned = held_out_counts(*rows, part, 10, depths)
        plain = plain_held_out_counts(ranking, part[inside], 10, depths)
        assert (hits.tolist(), assigned.tolist()) == (plain[0].tolist(), plain[1].tolist())
        for depth in depths.tolist():
            place = int(places_at(ranking, depth))
            expected = place, int(ranking.hits_above(place)), float(ranking.thresholds(place))
            assert counts_at_depth(rankings, label, depth) == expected


@pytest.mark.parametrize("by", ["f", "micro_f", Precision(0.6, None), Recall(0.8, None)])
def test_thresholds_of_some_documents_of_a_ranking_are_those_of_these_documents_alone(by: Any) -> None:
    for seed in range(12):
        scores, truth, inside = table(seed)
        part = fit_ranked(Rankings.of(scores, truth).at(inside), by=by, draws=5)
        alone = fit_thresholds(scores[inside], truth[inside], by=by, draws=5)
        assert part.as_dict() == alone.as_dict()


def test_no_loop_leaves_its_arrays(with_bounds_checked: Callable[[str], None]) -> None:
    with_bounds_checked(
        "import test_calibration_curves as curves, test_rankings as rankings\n"
        "for seed in range(10):\n"
        "    rankings.test_candidates_of_all_labels_are_those_of_each_ranking(seed)\n"
        "    rankings.test_counts_at_depths_are_those_of_thresholds_that_the_other_parts_place(seed)\n"
        "curves.test_rising_steps_are_scikit_learns_to_the_last_bit(200, 'near')\n"
        "curves.test_the_gradient_of_a_logistic_regression_is_0(513, 2)\n"
        "curves.test_sums_of_a_temperature_are_means_and_variances_of_scores((30, 700))"
    )
