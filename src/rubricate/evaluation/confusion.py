"""Mistakes: which labels are taken for which, and the documents in which the answer was surest and wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..measures.metrics import Confusion, confusion
from .results import Confused, Mistake

__all__ = ["confused", "confused_one", "surest"]

PAIRS = 30
MISTAKES = 50


def confused_one(labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array) -> Confused:
    """One label a document, all labels. A document that was given none is in `alone`."""
    answered = np.diff(decisions.indptr) == 1
    true = [labels[column] for column in truth.indices[answered].tolist()]
    found = confusion([labels[column] for column in decisions.indices.tolist()], true, labels)
    alone = np.bincount(truth.indices[~answered], minlength=len(labels)).tolist()
    return Confused(found, tuple(alone), (0,) * len(labels), tuple(found.worst(PAIRS)), ())


def confused(
    labels: Sequence[str], truth: sparse.csr_array, decisions: sparse.csr_array, columns: Sequence[int]
) -> Confused:
    """Several labels a document, among some of the labels: with thousands, most pairs were never met."""
    right = truth.multiply(decisions).tocsr()
    missed, wrong = cleared(truth - right), cleared(decisions - right)
    nothing_wrong, nothing_missed = np.diff(wrong.indptr) == 0, np.diff(missed.indptr) == 0
    names = [labels[column] for column in columns]
    missed, wrong, right = missed[:, columns], wrong[:, columns], right[:, columns]
    instead, beside = (Confusion(whole(one.T @ wrong), names) for one in (missed, right))
    diagonal = sparse.diags_array(right.sum(axis=0), format="csr", dtype=np.int64)
    return Confused(
        table=Confusion(whole(instead.counts + diagonal), names),
        alone=tuple(missed[nothing_wrong].sum(axis=0).astype(int).tolist()),
        added=tuple(wrong[nothing_missed].sum(axis=0).astype(int).tolist()),
        instead=tuple(instead.worst(PAIRS)),
        beside=tuple(beside.worst(PAIRS)),
    )


def cleared(table: sparse.csr_array) -> sparse.csr_array:
    """Without stored zeros."""
    table = table.tocsr()
    table.eliminate_zeros()
    return table


def whole(table: Any) -> sparse.csr_array:
    """Counts."""
    return sparse.csr_array(table, dtype=np.int64)


def surest(
    labels: Sequence[str],
    truth: sparse.csr_array,
    decisions: sparse.csr_array,
    *,
    several: bool,
    sure: Callable[..., Any] | None,
    ids: Sequence[str],
) -> tuple[tuple[Mistake, ...], int]:
    """The documents with a mistake that was most surely made, and how many have one.

    sure(rows, columns, given): how sure each wrong decision was; None: documents with most wrong decisions come first. Labels
    that were wrongly given and labels that were missed come in turn: rare labels are missed with great certainty, and would
    otherwise fill the list. Where each document has one label, the one it was given stands for the mistake.
    """
    wrong = cleared(decisions - truth).tocoo()
    width = np.bincount(wrong.row, minlength=truth.shape[0])
    kept = several | (wrong.data > 0) | (np.diff(decisions.indptr) == 0)[wrong.row]
    row, column, given = wrong.row[kept], wrong.col[kept], wrong.data[kept] > 0
    weight = np.full(len(row), np.nan) if sure is None else sure(row, column, given)
    order = np.lexsort((column, row, -(width[row] if sure is None else weight)))
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

    found = tuple(
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
    return found, int(np.count_nonzero(width))
