"""Errors: which labels are given instead of which, and the documents in which the decision was surest and wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..measures.metrics import Confusion, confusion
from .results import Confused, Mistake

PAIRS = 30
MISTAKES = 50


def single_label_confusion(labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array) -> Confused:
    """One label a document, all labels. A document that was given none is in `alone`."""
    answered = np.diff(decisions.indptr) == 1
    true = [labels[column] for column in truth.indices[answered].tolist()]
    table = confusion([labels[column] for column in decisions.indices.tolist()], true, labels)
    alone = np.bincount(truth.indices[~answered], minlength=len(labels)).tolist()
    return Confused(table, tuple(alone), (0,) * len(labels), tuple(table.worst(PAIRS)), ())


def multilabel_confusion(
    labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array, columns: Sequence[int]
) -> Confused:
    """Several labels a document, among some of the labels: with thousands, most pairs were never met."""
    correct = truth.multiply(decisions).tocsr()
    missed, wrong = without_zeros(truth - correct), without_zeros(decisions - correct)
    nothing_wrong, nothing_missed = np.diff(wrong.indptr) == 0, np.diff(missed.indptr) == 0
    names = [labels[column] for column in columns]
    missed, wrong, correct = missed[:, columns], wrong[:, columns], correct[:, columns]
    instead, beside = (Confusion(as_counts(table.T @ wrong), names) for table in (missed, correct))
    diagonal = sparse.diags_array(correct.sum(axis=0), format="csr", dtype=np.int64)
    return Confused(
        table=Confusion(as_counts(instead.counts + diagonal), names),
        alone=tuple(missed[nothing_wrong].sum(axis=0).astype(int).tolist()),
        added=tuple(wrong[nothing_missed].sum(axis=0).astype(int).tolist()),
        instead=tuple(instead.worst(PAIRS)),
        beside=tuple(beside.worst(PAIRS)),
    )


def without_zeros(table: sparse.csr_array) -> sparse.csr_array:
    """Without stored zeros."""
    table = table.tocsr()
    table.eliminate_zeros()
    return table


def as_counts(table: Any) -> sparse.csr_array:
    """A table of whole numbers."""
    return sparse.csr_array(table, dtype=np.int64)


def surest_errors(
    labels: Sequence[str],
    truth: sparse.csr_array,
    decisions: sparse.csr_array,
    *,
    several: bool,
    sureness: Callable[..., Any] | None,
    ids: Sequence[str],
) -> tuple[tuple[Mistake, ...], int]:
    """The documents with an error of which the system was surest, and how many have one.

    sureness(rows, columns, given): how sure each wrong decision was; None: documents with most wrong decisions come first. Labels
    that were wrongly given and labels that were missed come in turn: rare labels are missed with great certainty, and would
    otherwise fill the list. Where each document has one label, the one it was given stands for the error.
    """
    wrong = without_zeros(decisions - truth).tocoo()
    width = np.bincount(wrong.row, minlength=truth.shape[0])
    listed = several | (wrong.data > 0) | (np.diff(decisions.indptr) == 0)[wrong.row]
    row, column, given = wrong.row[listed], wrong.col[listed], wrong.data[listed] > 0
    weight = np.full(len(row), np.nan) if sureness is None else sureness(row, column, given)
    order = np.lexsort((column, row, -(width[row] if sureness is None else weight)))
    turn = np.empty(len(order), dtype=np.int64)
    for kind in (given, ~given):
        turn[order[kind[order]]] = np.arange(np.count_nonzero(kind))
    order = np.lexsort((~given, turn))
    _, first = np.unique(row[order], return_index=True)
    worst = order[np.sort(first)[:MISTAKES]].tolist()

    def names(table: sparse.csr_array, document: int) -> tuple[str, ...]:
        return tuple(
            labels[n] for n in sorted(table.indices[table.indptr[document] : table.indptr[document + 1]].tolist())
        )

    errors = tuple(
        Mistake(
            document=int(row[n]),
            id=str(ids[row[n]]),
            true=names(truth, row[n]),
            given=names(decisions, row[n]),
            label=labels[column[n]],
            sure=float(weight[n]),
        )
        for n in worst
    )
    return errors, int(np.count_nonzero(width))
