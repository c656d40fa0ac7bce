"""Threads: work that is done side by side takes no further threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest

from rubricate import TextClassifier
from rubricate.corpus import Corpus
from rubricate.errors import InvalidSetting
from rubricate.evaluation.predictions import predictions
from rubricate.foundation.threads import alone, available_threads, n_jobs_as_threads, side_by_side, workers


def test_a_thread_that_is_one_of_several_has_one_thread() -> None:
    free = available_threads()
    assert free >= 1
    with workers(3) as pool:
        assert list(pool.map(lambda _: available_threads(), range(9))) == [1] * 9
    with alone():
        assert available_threads() == 1
        with alone():
            pass
        assert available_threads() == 1
    assert available_threads() == free


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_worker_of_joblib_has_one_thread_unless_it_is_alone_at_work(backend: str) -> None:
    free = available_threads()
    calls = [joblib.delayed(available_threads)() for _ in range(2)]
    assert joblib.Parallel(n_jobs=2, backend=backend)(calls) == [1, 1]
    assert joblib.Parallel(n_jobs=1, backend=backend)(calls) == [free, free]


def test_n_jobs_counts_from_all_cores_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rubricate.foundation.threads.available_threads", lambda: 4)
    assert [n_jobs_as_threads(n_jobs) for n_jobs in (1, 3, 9, -1, -2, -4, -9)] == [1, 3, 9, 4, 3, 1, 1]
    with pytest.raises(InvalidSetting, match="n_jobs=0"):
        n_jobs_as_threads(0)


def test_the_mark_goes_when_work_fails_and_is_the_threads_own() -> None:
    free = available_threads()
    with pytest.raises(KeyError), alone():
        raise KeyError
    assert available_threads() == free
    seen: list[int] = []
    with alone():
        other = threading.Thread(target=lambda: seen.append(available_threads()))
        other.start()
        other.join()
    assert seen == [free]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_side_by_side_does_each_part_once(jobs: int) -> None:
    done = np.zeros(40, dtype=int)

    def work(n: int) -> None:
        done[n] += 1

    side_by_side(work, range(40), jobs)
    assert (done == 1).all()


def test_an_error_in_a_part_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(lambda n: 1 // n, [1, 0], 2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stream_is_answered_in_as_many_threads_as_were_asked_for(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{word} word{n} common" for n in range(150) for word in ("wheat", "sugar")]
    model = TextClassifier("multinomial", calibrate="none").fit(texts, ["wheat", "sugar"] * 150)
    from rubricate.models.from_counts import count_model

    asked: list[int] = []

    def told() -> int:
        asked.append(available_threads())
        return asked[-1]

    monkeypatch.setattr(count_model, "available_threads", told)
    found = [piece.scores for piece in predictions(model, Corpus.from_texts(texts), jobs=jobs)]
    assert set(asked) == {1}
    np.testing.assert_array_equal(np.concatenate(found), model.class_scores(texts))


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "rubricate", "--version"], capture_output=True, text=True, check=True)
    assert "rubricate" in done.stdout
    assert os.linesep in done.stdout
