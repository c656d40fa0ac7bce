"""From answers to an evaluation: everything is measured once, on the documents that are given and no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..decisions.thresholds import certainty, margin
from ..errors import InvalidSetting
from ..foundation.arrays import Floats
from ..measures.inputs import paired
from ..measures.metrics import abstention, contingency
from ..measures.metrics.positions import checked_scores
from .confusion import confused, confused_one, surest
from .curves import coverage, precision_recall
from .overall import overall
from .per_label import rows
from .probabilities import calibrated
from .results import SHOWN, Coverage, Evaluation, LabelRow

__all__ = ["evaluated"]


def evaluated(
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
    """Judge answers.

    truth, decisions: 0/1 documents x labels, dense or sparse. probabilities, scores: dense, same shape, or None; then what needs
    them is None too. several: whether documents may have several labels; otherwise each has exactly one and is given one, or
    none. ids: of documents; their rows if None. level, draws, random_state: of the intervals.

    Averages over labels (macro) are over labels that a document has or was given; by the rule of `metrics.f_beta` labels that
    do not occur at all would count as perfect, and 9,000 of 10,000 labels do not occur in a small test part.
    Labels that exclude each other are ranked by their probabilities, if there are any: their scores compare the labels of a
    document, not documents. Otherwise by scores, which have fewer ties.
    """
    names = [str(label) for label in labels]
    given, true = (sparse.csr_array(table).astype(np.int64) for table in paired(as_given(decisions), as_given(truth)))
    n = check(names, given, true, several)
    ids = range(n) if ids is None else ids
    if len(ids) != n:
        raise InvalidSetting(f"{len(ids)} ids for {n} documents: give one for each")
    p, s = (
        checked(values, true.shape, what) for values, what in ((probabilities, "probabilities"), (scores, "scores"))
    )
    ranking = (s if p is None else p) if not several else (p if s is None else s)
    table = contingency(given, true)
    label_rows = rows(names, table, ranking, true, level)
    shown = shown_columns(label_rows)
    answers = answers_given(given, true)
    sizes = np.asarray(table.a + table.c)
    mistakes, wrong = surest(
        names, true, given, several=several, sure=sureness(p, s, true, several), ids=[str(own) for own in ids]
    )
    met = np.flatnonzero(sizes + table.b) if (sizes + table.b).any() else np.array([0])  # a table has a column
    return Evaluation(
        documents=n,
        several=several,
        undecided=int(np.count_nonzero(np.diff(given.indptr) == 0)),
        commonest=float(sizes.max() / n),
        overall=overall(
            given[:, met], true[:, met], table, several=several, level=level, draws=draws, random_state=random_state
        ),
        labels=label_rows,
        calibration=None
        if p is None
        else calibrated(p, dense(true) if several else true.indices, answers, sizes / n, level),
        confusion=confused(names, true, given, shown) if several else confused_one(names, true, given),
        coverage=covered(p, s, true, given, several, level),
        curves=()
        if ranking is None
        else precision_recall(
            ranking[:, shown], true[:, shown], given[:, shown], [label_rows[column] for column in shown]
        ),
        mistakes=mistakes,
        wrong=wrong,
        level=level,
        draws=draws,
        random_state=random_state,
    )


def as_given(table: Any) -> Any:
    """A sparse table, or an array."""
    return table if sparse.issparse(table) else np.asarray(table)


def check(names: list[str], given: sparse.csr_array, true: sparse.csr_array, several: bool) -> int:
    """How many documents there are; an error if tables and labels do not go together."""
    n, width = true.shape if true.ndim == 2 else (len(names), -1)
    if width != len(names):
        raise InvalidSetting(f"{len(names)} labels for truth of shape {true.shape}: give documents x labels")
    if len(set(names)) < len(names):
        again = next(name for place, name in enumerate(names) if name in names[:place])
        raise InvalidSetting(f"labels: {again!r} is there twice; a label has one column")
    if not n or not names:
        raise InvalidSetting(f"truth of shape {true.shape}: there is nothing to judge")
    if several:
        return n
    for what, table, least in (("truth", true, 1), ("decisions", given, 0)):
        sizes = np.diff(table.indptr)
        odd = np.flatnonzero((sizes > 1) | (sizes < least))
        if len(odd):
            raise InvalidSetting(
                f"{what}, row {odd[0]}: {sizes[odd[0]]} labels; say several=True, or give one label a document"
            )
    return n


def checked(values: Any, shape: tuple[int, ...], what: str) -> Floats | None:
    """Numbers of documents x labels, or None."""
    if values is None:
        return None
    found = checked_scores(values, what)
    if found.shape != shape:
        raise InvalidSetting(f"{what} of shape {found.shape} for truth of shape {shape}: give one for each")
    return found


def dense(table: sparse.csr_array) -> Any:
    """As booleans."""
    return table.toarray() == 1


def shown_columns(label_rows: Sequence[LabelRow]) -> list[int]:
    """Columns of the labels that most documents have or were given; those that do not occur are left out."""
    sizes = [row.documents + row.assigned - row.right for row in label_rows]
    order = sorted(range(len(sizes)), key=lambda column: (-sizes[column], column))[:SHOWN]
    return sorted(column for column in order if sizes[column])


def answers_given(given: sparse.csr_array, true: sparse.csr_array) -> tuple[Any, Any, Any]:
    """Rows and columns of the labels that were given, and whether each is right."""
    cells = given.tocoo()
    return cells.row, cells.col, np.isin(cells_of(given), cells_of(true))


def cells_of(table: sparse.csr_array) -> Any:
    """The cells of a table that hold a 1, numbered row by row."""
    cells = table.tocoo()
    return cells.row.astype(np.int64) * table.shape[1] + cells.col


def sureness(p: Floats | None, s: Floats | None, true: sparse.csr_array, several: bool) -> Callable[..., Any] | None:
    """How sure a wrong decision was, if that can be told."""
    if p is not None:
        known = p
        return lambda row, column, yes: np.where(yes, known[row, column], 1 - known[row, column])
    if s is None or several:
        return None
    own = s[np.arange(len(s)), true.indices]
    top = np.array(s.max(axis=1))
    return lambda row, column, yes: top[row] - own[row]


def covered(
    p: Floats | None, s: Floats | None, true: sparse.csr_array, given: sparse.csr_array, several: bool, level: float
) -> Coverage | None:
    """Accuracy over coverage, the surest documents first. Scores alone tell nothing where labels do not exclude each other."""
    if p is not None:
        of, sure = "certainty", certainty(np.clip(p, 0.0, 1.0), given)
    elif s is not None and not several and s.shape[1] > 1:
        of, sure = "margin", margin(s)
    else:
        return None
    right = np.asarray(abs(given - true).sum(axis=1)).ravel() == 0
    return coverage(of, abstention(sure, right), len(right), level)
