"""Evidence: the tables of counts as models read them, and what models of the same counts share."""

from __future__ import annotations

import gc

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rubricate.counts import Counts
from rubricate.models.from_counts.evidence import Evidence

TABLES = hnp.arrays(np.int64, (6, 5), elements=st.sampled_from([0, 0, 1, 2, 3, 9]))


def count_matrix(X: np.ndarray) -> Counts:
    return Counts.from_matrix(X, np.array([[1, 0], [1, 0], [1, 1], [0, 1], [0, 1], [0, 0]]))


@given(TABLES, st.integers(1, 10))
def test_documents_that_reach_a_level_stand_where_the_documents_with_the_term_do(X: np.ndarray, k: int) -> None:
    evidence = Evidence(count_matrix(X))
    own, everything = evidence.reaching(k)
    table = evidence.documents_with
    label = np.repeat(np.arange(2), np.diff(table.indptr))
    assert (own == evidence.levels(k).toarray()[label, table.indices]).all()
    assert (everything == evidence.all_levels(k)).all()


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


def test_evidence_is_shared_while_somebody_holds_it_and_kept_no_longer() -> None:
    counts, other = count_matrix(np.ones((6, 5), dtype=np.int64)), count_matrix(np.ones((6, 5), dtype=np.int64))
    held, asked = Evidence.of(counts), []

    def slow(evidence: Evidence, factor: float) -> float:
        asked.append(factor)
        return evidence.n_documents * factor

    assert Evidence.of(counts) is held
    assert Evidence.of(other) is not held
    assert [Evidence.of(counts).once(slow, factor) for factor in (2.0, 2.0, 3.0)] == [12.0, 12.0, 18.0]
    assert asked == [2.0, 3.0]
    del held
    gc.collect()
    assert Evidence.of(counts).once(slow, 2.0) == 12.0
    assert asked == [2.0, 3.0, 2.0]
