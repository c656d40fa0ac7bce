"""Measures that depend on the documents only through sums over them: what makes resampling cheap.

For each label a document adds to   hits       assigned and true
                                    assigned   given by the system
                                    true       given by people
and precision, recall and F are functions of these three sums; accuracy, log loss and the Brier score are means over documents.
Ten thousand shuffles or draws are then one sparse product, and the measure is computed for all of them at once.

`summed(name)` knows the measures by their names in `metrics`. Any other is a function of (values, truth), to be called each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Floats
from ..inputs import indicator, labels_in, paired
from ..metrics.accuracy import is_table, right
from ..metrics.contingency import ratio
from ..metrics.probabilities import brier_scores, log_losses

__all__ = ["Summed", "as_tables", "exact_type", "summed"]


@dataclass(frozen=True, slots=True)
class Summed:
    """parts(values, truth): documents x k, what each adds. value(sums): k x draws to one number a draw."""

    parts: Callable[[Any, Any], sparse.csr_array]
    value: Callable[[Floats], Floats]


def summed(name: str) -> Summed | None:
    """The form of a measure as a function of sums, if it has one."""
    if name in BY_DOCUMENT:
        return BY_DOCUMENT[name]
    family = re.fullmatch(r"(micro|macro|)(F|P|R)(\d+(?:\.\d+)?)?", name)
    if family is None:
        return None
    average, kind, beta = family[1] or "macro", family[2], family[3]
    kinds: dict[str, Callable[[Floats], Floats]] = {"P": precision, "R": recall, "F": partial(f, float(beta or 1))}
    of = kinds[kind]
    return Summed(pooled, of) if average == "micro" else Summed(by_label, partial(mean_over_labels, of))


# -- what a document adds


def by_label(decisions: Any, truth: Any) -> sparse.csr_array:
    """hits, assigned, true of every label, side by side: 3 x labels columns."""
    decided, true = sparse_pair(decisions, truth)
    return sparse.csr_array(sparse.hstack([decided.multiply(true), decided, true]))


def pooled(decisions: Any, truth: Any) -> sparse.csr_array:
    """The same summed over labels: 3 columns."""
    decided, true = sparse_pair(decisions, truth)
    sums = [np.asarray(one.sum(axis=1)).ravel() for one in (decided.multiply(true), decided, true)]
    return sparse.csr_array(np.column_stack(sums))


def wrong_decisions(decisions: Any, truth: Any) -> sparse.csr_array:
    """Wrong decisions, all decisions: one a document, or one a cell of documents x labels."""
    if not is_table(decisions):
        wrong = ~right(decisions, truth)
        return columns(wrong, np.ones(len(wrong)))
    decided, true = sparse_pair(decisions, truth)
    wrong = np.asarray(abs(decided - true).sum(axis=1)).ravel()
    return columns(wrong, np.full(len(wrong), decided.shape[1]))


def wrong_documents(decisions: Any, truth: Any) -> sparse.csr_array:
    """Documents with a wrong decision, all documents."""
    wrong = wrong_decisions(decisions, truth)[:, [0]].toarray().ravel() > 0
    return columns(wrong, np.ones(len(wrong)))


def document_by_document(losses: Callable[[Any, Any], Floats], values: Any, truth: Any) -> sparse.csr_array:
    """What each document loses, of a measure that is the mean over documents or cells; and 1."""
    found = losses(values, truth)
    return columns(found if found.ndim == 1 else found.mean(axis=1), np.ones(len(found)))


def columns(*values: Any) -> sparse.csr_array:
    """Side by side."""
    return sparse.csr_array(np.column_stack(values).astype(np.float64))


def sparse_pair(decisions: Any, truth: Any) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Decisions and truth as sparse tables of 0 and 1; one label's are one column."""
    tables = (one if sparse.issparse(one) or one.ndim == 2 else one[:, None] for one in paired(decisions, truth))
    decided, true = (sparse.csr_array(one).astype(np.float64) for one in tables)
    return decided, true


# -- what the sums say; the first axis of sums is hits, assigned, true


def f(beta: float, sums: Floats) -> Floats:
    """(beta^2 + 1) a / [(beta^2 + 1) a + b + beta^2 c]; 1 where a = b = c = 0 (readings 001.9)."""
    hits, assigned, true = sums
    below = assigned + beta**2 * true
    values: Floats = np.where(assigned + true > 0, 0.0, 1.0)
    np.divide((beta**2 + 1) * hits, below, out=values, where=below > 0)
    return values


def precision(sums: Floats) -> Floats:
    """hits / assigned, undefined where nothing is assigned."""
    return ratio(sums[0], sums[1])


def recall(sums: Floats) -> Floats:
    """hits / true, undefined where nothing is true."""
    return ratio(sums[0], sums[2])


def mean_over_labels(of: Callable[[Floats], Floats], sums: Floats) -> Floats:
    """The mean over labels for which it is defined."""
    values = of(sums.reshape(3, -1, sums.shape[1]))
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))


def share(sums: Floats) -> Floats:
    """The first over the second."""
    return ratio(sums[0], sums[1])


def rest(sums: Floats) -> Floats:
    """1 - the first over the second."""
    return 1 - share(sums)


BY_DOCUMENT = {
    "accuracy": Summed(wrong_decisions, rest),
    "error": Summed(wrong_decisions, share),
    "subset": Summed(wrong_documents, rest),
    "logloss": Summed(partial(document_by_document, log_losses), share),
    "brier": Summed(partial(document_by_document, brier_scores), share),
}


# -- around the product


def as_tables(answers: Sequence[Any]) -> tuple[list[Any], list[Any] | None]:
    """Labels in words (one a document, or lists of them) as 0/1 tables, and the names of the columns: all that occur in any of
    the answers, so that a name that a draw happens to miss still counts. What is not in words stays as it is."""
    if not any(map(in_words, answers)):
        return list(answers), None
    names = labels_in(*answers)
    return [indicator(one, names) for one in answers], names


def in_words(labels: Any) -> bool:
    """Whether these are labels by name, or lists of them, rather than 0 and 1 or numbers."""
    if getattr(labels, "ndim", 1) != 1 or (isinstance(labels, np.ndarray) and labels.dtype.kind in "biuf"):
        return False
    return any(isinstance(label, str) for own in labels for label in ([own] if isinstance(own, str) else listed(own)))


def listed(own: Any) -> Any:
    """The labels of one document; nothing if that is a number."""
    return own if isinstance(own, Collection) else ()


def exact_type(values: Any, bound: float) -> type[np.floating[Any]]:
    """Single precision where it is exact: whole numbers, sums of which stay below 2^24. It halves the time of the product."""
    return np.float32 if bound < 2**24 and bool((values == np.rint(values)).all()) else np.float64
