"""The replication of 003, on small made-up collections: what is chosen, what it is chosen on, and what is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from rubricate.counts import Counts
from rubricate.counts.one_pass import Table, tabulate
from rubricate.counts.term_scores import ranked, word_mutual_information
from rubricate.foundation.folds import fold_numbers
from rubricate.measures.metrics import break_even
from rubricate_papers.wilbur_kim.methods import COUNT_METHODS, by_counts, ranking_quality
from rubricate_papers.wilbur_kim.results import Tally, gain
from rubricate_papers.wilbur_kim.stacked import by_fold, choose_f_limit
from rubricate_papers.wilbur_kim.tasks import Task, part_held_out, task_of
from rubricate_papers.wilbur_kim.term_selection import binary_counts, hits_by_size, select_terms

LABELS = ("a", "b", "c")


def random_table(n: int = 240, seed: int = 0, *, several: bool = False) -> Table:
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        label = int(rng.integers(3))
        chances = np.full(30, 1.0)
        chances[label * 6 : label * 6 + 6] = 2.5
        words = rng.choice(30, size=int(rng.integers(4, 25)), p=chances / chances.sum())
        texts.append(" ".join(f"w{word:02d}" for word in words))
        labels.append([LABELS[label], *(["c"] if several and label == 0 and rng.random() < 0.5 else [])])
    return tabulate(texts, labels=labels)


@pytest.fixture(params=[True, False], ids=["one label", "several"])
def task(request: pytest.FixtureRequest) -> Task:
    table = random_table(several=not request.param)
    return task_of("made up", table, np.arange(table.X.shape[0]) % 3 == 0, exclusive=request.param)


def test_hits_document_by_document_are_those_of_break_even(task: Task) -> None:
    scores = np.round(np.random.default_rng(1).normal(size=task.truth.shape), 1)  # with ties
    quality, reference = ranking_quality(task, scores), break_even(scores, task.truth)
    np.testing.assert_allclose(quality.bep, 100 * reference.bep)
    assert quality.micro == pytest.approx(100 * reference.micro)
    assert quality.macro == pytest.approx(100 * reference.macro)


@pytest.mark.parametrize("model", ["MM", "SMM"])
def test_one_sweep_finds_what_a_model_of_the_chosen_words_finds(task: Task, model: str) -> None:
    counts, truth = binary_counts(task.train, "b"), task.truth[:, task.labels.index("b")]
    order = ranked(word_mutual_information(counts, label=counts.labels[0]))
    by_size = hits_by_size([model], counts, task.test.X, truth, [3, 11, len(order)])[model]
    inside = np.array([["b" in labels] for labels in task.train.labels], dtype=np.int8)
    for size, hits in by_size.items():
        columns = order[:size]
        part = Counts.from_matrix(task.train.X[:, columns], inside, [task.train.terms[n] for n in columns])
        scores = clone(COUNT_METHODS[model]).fit_counts(part, several_labels=True).class_scores(task.test.X[:, columns])
        assert 100 * hits.sum() / truth.sum() == pytest.approx(100 * float(break_even(scores[:, 0], truth).bep[0]))


def test_with_all_words_the_curve_ends_where_the_model_is(task: Task) -> None:
    whole, selection = by_counts(task, COUNT_METHODS), select_terms(task, part_held_out(task, 0), points=4)
    for model, curve in selection.curves.items():
        np.testing.assert_allclose(100 * curve[:, -1] / selection.positives, whole[model].bep)


def test_nothing_is_chosen_by_the_test_part(task: Task) -> None:
    rng = np.random.default_rng(3)
    other = replace(task, test=task.test.at(rng.random(task.test.X.shape[0]) < 0.5))
    parts = [part_held_out(version, 0) for version in (task, other)]
    sizes = [select_terms(version, inner, points=5).sizes for version, inner in zip((task, other), parts, strict=True)]
    limits = [choose_f_limit(version, inner, (1, 2, 3)) for version, inner in zip((task, other), parts, strict=True)]
    assert sizes[0] == sizes[1]
    assert limits[0].chosen_limits.tolist() == limits[1].chosen_limits.tolist()
    assert limits[0].chosen_above_one.min() >= 2
    assert limits[0].chosen_for_accuracy == limits[1].chosen_for_accuracy


def test_words_that_no_training_document_has_are_left_out() -> None:
    table = tabulate(["x y", "y z", "q z"], labels=["a", "b", "a"])
    task = task_of("three", table, np.array([False, False, True]))
    assert task.train.terms == ["x", "y", "z"]
    assert task.test.X.toarray().tolist() == [[0, 0, 1]]


def test_folds_by_subtraction_are_folds_counted_anew() -> None:
    table = random_table(150, 5)
    folds = fold_numbers(table.labels, 5, seed=0)
    for fold, (plain, best, limit) in enumerate(by_fold(table, folds, range(5), (1, 3))):
        outer = task_of("fold", table, folds == fold)
        inner = task_of("inner", outer.train, folds[folds != fold] == (fold + 1) % 5)
        anew = choose_f_limit(outer, inner, (1, 3))
        assert plain == pytest.approx(anew.quality[1].accuracy)
        assert limit == anew.chosen_for_accuracy
        assert best == pytest.approx(anew.quality[limit].accuracy)


def test_a_gain_is_in_percent_of_the_worse_and_a_tally_counts_ties() -> None:
    assert gain(90.0, 80.0) == pytest.approx(12.5)
    assert gain(80.0, 90.0) == pytest.approx(-12.5)
    wins = [1.0] * 15 + [0.0] * 5 + [0.5] * 7
    tally = Tally.of("StMBM", "MBM", "27", wins, [0.5] * 27)
    assert (tally.outcome.wins, tally.outcome.losses, tally.outcome.ties) == (15, 5, 7)
    assert round(tally.one_sided, 2) == 0.02  # as printed: 003 sec. 5.2
    assert round(tally.outcome.p, 3) == 0.041
