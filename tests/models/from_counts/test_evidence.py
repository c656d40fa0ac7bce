"""Evidence: the tables of counts as models read them, and what models of the same counts share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rubricate.counts import Counts
from rubricate.models import COUNT_MODELS
from rubricate.models.from_counts.evidence import Evidence, shared

TABLES = hnp.arrays(np.int64, (6, 5), elements=st.sampled_from([0, 0, 1, 2, 3, 9]))


def count_matrix(X: np.ndarray) -> Counts:
    return Counts.from_matrix(X, np.array([[1, 0], [1, 0], [1, 1], [0, 1], [0, 1], [0, 0]]))


@given(TABLES, st.integers(1, 10))
def test_documents_that_reach_a_level_stand_where_the_documents_with_the_term_do(X: np.ndarray, k: int) -> None:
    evidence = Evidence(count_matrix(X))
    in_labels, everything = evidence.reaching(k)
    table, levels = evidence.documents_with, evidence.counts.levels(k).toarray()
    label = np.repeat(np.arange(2), np.diff(table.indptr))
    assert (in_labels == levels[label, table.indices]).all()
    assert (everything == levels[-1]).all()


@given(TABLES)
def test_all_tables_have_entries_in_the_same_places(X: np.ndarray) -> None:
    evidence = Evidence(count_matrix(X))
    assert evidence.occurrences.indptr is evidence.documents_with.indptr
    assert (evidence.occurrences.toarray() == evidence.counts.occurrences.toarray()[:-1]).all()


@given(TABLES)
def test_frequencies_are_told_apart(X: np.ndarray) -> None:
    evidence = Evidence(count_matrix(X))
    values, places = evidence.by_frequency
    assert (values[places] == evidence.all_documents_with).all()
    assert (np.diff(values) > 0).all()


def test_a_shared_function_works_once_for_each_evidence_and_setting() -> None:
    evidence, other = (Evidence(count_matrix(np.ones((6, 5), dtype=np.int64))) for _ in range(2))
    calls = []

    @shared
    def product(evidence: Evidence, factor: float) -> float:
        calls.append(factor)
        return evidence.n_documents * factor

    assert [product(evidence, factor) for factor in (2.0, 2.0, 3.0)] == [12.0, 12.0, 18.0]
    assert calls == [2.0, 3.0]
    assert product(other, 2.0) == 12.0
    assert calls == [2.0, 3.0, 2.0]


@settings(max_examples=10)
@given(TABLES)
@pytest.mark.parametrize("kind", [row.kind for row in COUNT_MODELS.values()])
@pytest.mark.parametrize("several", [False, True])
def test_models_that_share_evidence_score_as_if_each_were_alone(kind: Any, several: bool, X: np.ndarray) -> None:
    counts = count_matrix(X)
    evidence = Evidence(counts)
    for row in COUNT_MODELS.values():
        row.kind().fit_evidence(evidence, several_labels=several).transpose(evidence.transposition)
    together, alone = (
        kind().fit_evidence(evidence, several_labels=several),
        kind().fit_counts(counts, several_labels=several),
    )
    together.transpose(evidence.transposition)
    assert np.array_equal(together.class_scores(X), alone.class_scores(X), equal_nan=True)
