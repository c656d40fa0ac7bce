"""From decisions and their truth to an evaluation: everything is measured once, on these documents and no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.thresholds import certainty, margin
from ..errors import InvalidSetting
from ..foundation.arrays import Floats
from ..measures.inputs import checked_scores, paired
from ..measures.metrics import abstention, contingency
from .overall import calibration, coverage, overall
from .per_label import (
    label_rows,
    multilabel_confusion,
    precision_recall_curves,
    single_label_confusion,
    surest_errors,
)
from .results import SHOWN, Calibration, Coverage, Curve, Evaluation, LabelRow


def evaluate(
    *,
    labels: Sequence[str],
    truth: Any,
    decisions: Any,
    probabilities: Any = None,
    scores: Any = None,
    several: bool,
    ids: Sequence[Any] | None = None,
    level: float = 0.95,
    draws: int = 1000,
    random_state: int = 0,
) -> Evaluation:
    """Evaluate decisions, and probabilities or scores if there are any.

    truth, decisions: 0/1 documents x labels, dense or sparse. probabilities, scores: dense, same shape, or None; then what needs
    them is None too. several: whether documents may have several labels; otherwise each has exactly one and is given one, or
    none. ids: of documents; their rows if None. level, draws, random_state: of the intervals.

    Averages over labels (macro) are over labels that a document has or was given; by the rule of `metrics.f_beta` labels that
    do not occur at all would count as perfect, and 9,000 of 10,000 labels do not occur in a small test part.
    Labels that exclude each other are ranked by their probabilities, if there are any: their scores compare the labels of a
    document, not documents. Otherwise by scores, which have fewer ties.
    """
    names = [str(label) for label in labels]
    decided, true = (sparse.csr_array(table).astype(np.int64) for table in paired(as_array(decisions), as_array(truth)))
    n = check_tables(names, decided, true, several)
    ids = range(n) if ids is None else ids
    if len(ids) != n:
        raise InvalidSetting(f"{len(ids)} ids for {n} documents: give one for each")
    p, s = checked_table(probabilities, true.shape, "probabilities"), checked_table(scores, true.shape, "scores")
    ranking = (s if p is None else p) if not several else (p if s is None else s)
    table = contingency(decided, true)
    rows = label_rows(names, table, ranking, true, level)
    largest = largest_labels(rows)
    sizes = np.asarray(table.a + table.c)
    sureness = error_sureness(p, s, true, several)
    errors, wrong = surest_errors(
        names, true, decided, several=several, sureness=sureness, ids=[str(key) for key in ids]
    )
    met = np.flatnonzero(sizes + table.b) if (sizes + table.b).any() else np.array([0])  # a table has a column
    settings: Any = {"level": level, "draws": draws, "random_state": random_state}
    calibrated: Calibration | None = None
    curves: tuple[Curve, ...] = ()
    if p is not None:
        truth_of_p = true.toarray() == 1 if several else true.indices
        calibrated = calibration(p, truth_of_p, assigned_labels(decided, true), sizes / n, level)
    if ranking is not None:
        curve_rows = [rows[column] for column in largest]
        curves = precision_recall_curves(ranking[:, largest], true[:, largest], decided[:, largest], curve_rows)
    return Evaluation(
        documents=n,
        several=several,
        undecided=int(np.count_nonzero(np.diff(decided.indptr) == 0)),
        commonest=float(sizes.max() / n),
        overall=overall(decided[:, met], true[:, met], table, several=several, **settings),
        labels=rows,
        calibration=calibrated,
        confusion=multilabel_confusion(names, true, decided, largest)
        if several
        else single_label_confusion(names, true, decided),
        coverage=coverage_curve(p, s, true, decided, several, level),
        curves=curves,
        mistakes=errors,
        wrong=wrong,
        **settings,
    )


evaluated = evaluate  # its name before


def as_array(table: Any) -> Any:
    return table if sparse.issparse(table) else np.asarray(table)


def check_tables(names: list[str], decided: sparse.csr_array, true: sparse.csr_array, several: bool) -> int:
    """How many documents there are; an error if tables and labels do not go together."""
    n, width = true.shape if true.ndim == 2 else (len(names), -1)
    if width != len(names):
        raise InvalidSetting(f"{len(names)} labels for truth of shape {true.shape}: give documents x labels")
    if len(set(names)) < len(names):
        repeated = next(name for place, name in enumerate(names) if name in names[:place])
        raise InvalidSetting(f"labels: {repeated!r} is there twice; a label has one column")
    if not n or not names:
        raise InvalidSetting(f"truth of shape {true.shape}: there is nothing to judge")
    if several:
        return n
    for what, table, least in (("truth", true, 1), ("decisions", decided, 0)):
        sizes = np.diff(table.indptr)
        odd = np.flatnonzero((sizes > 1) | (sizes < least))
        if len(odd):
            raise InvalidSetting(
                f"{what}, row {odd[0]}: {sizes[odd[0]]} labels; say several=True, or give one label a document"
            )
    return n


def checked_table(values: Any, shape: tuple[int, ...], what: str) -> Floats | None:
    if values is None:
        return None
    numbers = checked_scores(values, what)
    if numbers.shape != shape:
        raise InvalidSetting(f"{what} of shape {numbers.shape} for truth of shape {shape}: give one for each")
    return numbers


def largest_labels(rows: Sequence[LabelRow]) -> list[int]:
    """Columns of the labels that most documents have or were given; those that do not occur are left out."""
    sizes = [row.documents + row.assigned - row.right for row in rows]
    order = sorted(range(len(sizes)), key=lambda column: (-sizes[column], column))[:SHOWN]
    return sorted(column for column in order if sizes[column])


def assigned_labels(decided: sparse.csr_array, true: sparse.csr_array) -> tuple[Any, Any, Any]:
    """Rows and columns of the labels that were given, and whether each is correct."""
    cells, true_cells = decided.tocoo(), true.tocoo()
    numbers = (table.row.astype(np.int64) * table.shape[1] + table.col for table in (cells, true_cells))
    return cells.row, cells.col, np.isin(*numbers)


def error_sureness(
    p: Floats | None, s: Floats | None, true: sparse.csr_array, several: bool
) -> Callable[..., Any] | None:
    """How sure a wrong decision was, if that can be told."""
    if p is not None:
        return lambda row, column, assigned: np.where(assigned, p[row, column], 1 - p[row, column])
    if s is None or several:
        return None
    of_true = s[np.arange(len(s)), true.indices]
    top = np.array(s.max(axis=1))
    return lambda row, column, assigned: top[row] - of_true[row]


def coverage_curve(
    p: Floats | None, s: Floats | None, true: sparse.csr_array, decided: sparse.csr_array, several: bool, level: float
) -> Coverage | None:
    """Accuracy over coverage, the surest documents first. Scores alone tell nothing where labels do not exclude each other."""
    if p is not None:
        of, sureness = "certainty", certainty(np.clip(p, 0.0, 1.0), decided)
    elif s is not None and not several and s.shape[1] > 1:
        of, sureness = "margin", margin(s)
    else:
        return None
    correct = np.asarray(abs(decided - true).sum(axis=1)).ravel() == 0
    return coverage(of, abstention(sureness, correct), len(correct), level)
