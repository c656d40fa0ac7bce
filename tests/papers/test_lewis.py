"""Parts of 001's replication: trials in a given order on a small made-up collection, and what the paper printed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from rubricate.measures.metrics import f_beta
from rubricate.measures.significance import sign_test
from rubricate.models.from_vectors.rocchio import Rocchio
from rubricate.models.from_vectors.widrow_hoff import WidrowHoff
from rubricate_papers.frame.published import published
from rubricate_papers.lewis.tables import printed_cells
from rubricate_papers.lewis.trials import ALGORITHMS, FORMS, Segment, repeat_trials, represent, trial


def random_segment(seed: int = 0, n: int = 120) -> Segment:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 2 * n)
    X = sparse.csr_array(rng.poisson(rng.gamma(0.3, 1.5, (3, 25))[y]) + np.eye(2 * n, 25, dtype=int))
    Y = np.eye(3, dtype=int)[y]
    Y[:, 2] |= Y[:, 0]
    labels = sparse.csr_array(Y)
    return Segment("reuters", "title", X[:n], labels[:n], X[n:], labels[n:], ["a", "b", "c"], Y[:n].sum(axis=0))


def test_a_trial_learns_in_the_order_given_with_idf_of_its_own_documents() -> None:
    segment = random_segment()
    rows = np.random.default_rng(1).permutation(120)[:70]
    f1 = trial(segment, rows, ALGORITHMS)
    assert set(f1) == {(name, form) for name in ALGORITHMS for form in FORMS}
    X, new = represent(segment.X[rows], segment.X_test, "tf x idf")
    model = WidrowHoff(order=np.arange(70)).fit(X, segment.Y[rows])
    np.testing.assert_array_equal(f1["WH", "tf x idf"], f_beta(model.predict(new), segment.T.toarray()))
    other = trial(segment, rows[::-1], ALGORITHMS)
    assert (other["WH", "binary"] != f1["WH", "binary"]).any()
    np.testing.assert_array_equal(other["Rocchio", "binary"], f1["Rocchio", "binary"])


def test_runs_are_seeded_and_rocchio_of_all_documents_is_the_same_in_each() -> None:
    segment = random_segment(2)
    first, second = (repeat_trials(segment, 0, runs=3, seed=5) for _ in range(2))
    for key, values in first.items():
        assert values.shape == (3, 3)
        np.testing.assert_array_equal(values, second[key])
    assert (first["Rocchio", "tf x idf"] == first["Rocchio", "tf x idf"][0]).all()
    again = repeat_trials(segment, 120, runs=3, seed=5, models={"Rocchio": Rocchio()})
    np.testing.assert_array_equal(again["Rocchio", "binary"], first["Rocchio", "binary"])


def test_documents_of_length_one_or_of_ones() -> None:
    segment = random_segment(3)
    X, new = represent(segment.X, segment.X_test, "tf x idf")
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1)
    assert new.shape == segment.X_test.shape
    assert set(represent(segment.X, segment.X_test, "binary")[0].data.tolist()) == {1.0}


def test_every_class_is_big_or_small() -> None:
    segment = random_segment(4)
    assert (segment.group("big") ^ segment.group("small")).all()


def test_of_the_56_printed_marks_the_sign_test_confirms_53() -> None:
    cells = printed_cells()
    assert len(cells) == 56
    assert sorted((cell.wins, cell.losses) for cell in cells if not cell.confirmed) == [(15, 12), (15, 12), (16, 10)]


def test_table_2_gives_the_wins_and_means_of_table_4() -> None:
    printed = published("lewis")
    names = {key.split(".", 1)[1].rsplit(".", 1)[0] for key in printed if key.startswith("table2.")}
    f1 = {
        who: np.array([printed[f"table2.{name}.{who}"].number for name in sorted(names)])
        for who in ("Rocchio", "WH", "EG")
    }
    test = sign_test(f1["WH"], f1["Rocchio"])
    assert printed["table4.AP Headline.142791.tf x idf.WH"].value == [f"{test.wins} >? {test.losses}", ".58 > .52"]
    assert [f1[who].mean() for who in ("WH", "EG", "Rocchio")] == pytest.approx([0.58, 0.55, 0.52], abs=0.01)
