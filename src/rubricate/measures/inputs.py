"""What metrics are handed: 0/1 tables of documents x labels, dense or sparse, labels as people write them, scores, probabilities.

`sklearn_keywords` lets a metric of (decisions, truth) be called with scikit-learn's keywords as well.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import numpy as np
from scipy import sparse

from ..errors import InvalidSetting
from ..foundation.arrays import Floats, ends_of

YesNo = Any  # Bools or sparse.csr_array: scipy is not typed
Result = TypeVar("Result")


def sklearn_keywords(*keywords: str) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Let the first argument of a function (or of a method, after self) be given as one of these keywords as well, and the
    second, the truth, as y_true. The order of the two then does not matter: `precision(y_true=truth, y_pred=decisions)`."""

    def decorate(function: Callable[..., Result]) -> Callable[..., Result]:
        signature = inspect.signature(function)
        skipped = int(next(iter(signature.parameters)) == "self")
        values_name, truth_name = list(signature.parameters)[skipped : skipped + 2]
        spellings = {skipped: (values_name, *keywords), skipped + 1: (truth_name, "y_true")}
        additions = [
            inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None)
            for keyword in (*keywords, "y_true")
        ]

        @functools.wraps(function)
        def call(*positional: Any, **named: Any) -> Result:
            arguments = list(positional[:skipped])
            for place, names in spellings.items():
                values = list(positional[place : place + 1])
                values += [value for name in names if (value := named.pop(name, None)) is not None]
                if len(values) != 1:
                    spelled = " or ".join(f"{name}=" for name in names)
                    problem = "is given more than once" if values else "is missing"
                    raise InvalidSetting(
                        f"{function.__qualname__}: {names[0]} {problem}; give it once, by its place or as {spelled}"
                    )
                arguments += values
            return function(*arguments, *positional[skipped + 2 :], **named)

        parameters = [*signature.parameters.values(), *additions]
        call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return call

    return decorate


def yes_no(values: Any, what: str) -> YesNo:
    """A 0/1 array as booleans, or a sparse 0/1 table as CSR with nothing but ones stored. The input is never changed."""
    if sparse.issparse(values):
        table = sparse.csr_array(values)
        if not table.has_canonical_format or (table.data == 0).any():
            table = table.copy()
            table.sum_duplicates()
            table.eliminate_zeros()
        if not (table.data == 1).all():
            raise InvalidSetting(f"found {table.data[table.data != 1].tolist()[0]!r} in {what}: give 0 and 1")
        return table
    try:
        array = np.asarray(values)
    except ValueError as problem:
        raise InvalidSetting(
            f"{what}: rows of unequal length; metrics.indicator makes a 0/1 table of labels"
        ) from problem
    if array.ndim not in (1, 2):
        raise InvalidSetting(f"{what} of shape {array.shape}: give documents, or documents x labels, of 0 and 1")
    if array.dtype == np.bool_:
        return array
    wrong = (array != 0) & (array != 1) if array.dtype.kind in "iufO" else np.ones(array.shape, dtype=bool)
    if wrong.any():
        raise InvalidSetting(
            f"found {array[wrong].tolist()[0]!r} in {what}: give 0 and 1; metrics.indicator makes them of labels"
        )
    return array == 1


def paired(values: Any, truth: Any, what: str = "decisions") -> tuple[YesNo, YesNo]:
    table, true = yes_no(values, what), yes_no(truth, "truth")
    same_shape(table, true, what)
    if table.ndim == 2 and sparse.issparse(table) != sparse.issparse(true):
        return sparse.csr_array(table), sparse.csr_array(true)
    return table, true


def is_lists(labels: Any) -> bool:
    """Whether these are lists (tuples, sets) of labels, one list a document; a 0/1 table is an array instead."""
    if getattr(labels, "ndim", 1) != 1:
        return False
    return len(labels) > 0 and all(
        isinstance(item, Collection) and not isinstance(item, str | bytes) for item in labels
    )


def in_words(labels: Any) -> bool:
    """Whether these are labels by name, or lists of them, rather than 0 and 1."""
    if getattr(labels, "ndim", 1) != 1 or (isinstance(labels, np.ndarray) and labels.dtype.kind in "biuf"):
        return False
    if is_lists(labels):
        return any(isinstance(label, str) for document in labels for label in document)
    return any(isinstance(label, str) for label in labels)


def labels_in(*groups: Any) -> list[Any]:
    """All labels that occur, sorted; each group is labels, or lists of labels."""
    names: set[Any] = set()
    for group in groups:
        names.update(*group) if is_lists(group) else names.update(np.asarray(group).tolist())
    try:
        return sorted(names)
    except TypeError as problem:
        raise InvalidSetting("labels are of several types: use strings, or whole numbers") from problem


def indicator(labels: Any, names: Sequence[Any]) -> sparse.csr_array:
    """Labels, or lists of labels, one a document, as a sparse 0/1 table documents x names."""
    column = {name: n for n, name in enumerate(names)}
    lists = is_lists(labels)
    documents = [set(item) for item in labels] if lists else np.asarray(labels).tolist()
    sizes = [*map(len, documents)] if lists else np.ones(len(documents), dtype=np.int64)
    flat = [label for document in documents for label in document] if lists else documents
    indices = np.array([column.get(label, -1) for label in flat], dtype=np.int64)
    if (indices < 0).any():
        place = int(np.argmax(indices < 0))
        row = int(np.repeat(np.arange(len(documents)), sizes)[place])
        raise InvalidSetting(
            f"row {row} has the label {flat[place]!r}, which is not among the {len(column)} names given"
        )
    ones = np.ones(len(indices), dtype=np.int64)
    table = sparse.csr_array((ones, indices, ends_of(sizes)), shape=(len(documents), len(column)))
    table.sort_indices()
    return table


def as_tables(*answers: Any) -> tuple[list[Any], list[Any] | None]:
    """Labels in words (one a document, or lists of them) as 0/1 tables, and the names of the columns: all that occur in any of
    the answers, so that a name that a bootstrap draw happens to miss still counts. What is not in words stays as it is."""
    if not any(map(in_words, answers)):
        return list(answers), None
    names = labels_in(*answers)
    return [indicator(labels, names) for labels in answers], names


def at_least_one(name: str, value: Any) -> int:
    """A number of draws, bins or documents."""
    if isinstance(value, bool) or int(value) != value or value < 1:
        raise InvalidSetting(f"{name}={value!r}: give a whole number from 1")
    return int(value)


def same_shape(values: Any, truth: Any, what: str) -> None:
    if values.shape != truth.shape:
        raise InvalidSetting(f"{what} of shape {values.shape} for truth of shape {truth.shape}: give one for each")


def checked_scores(scores: Any, what: str = "scores") -> Floats:
    """Scores as floats, of documents or of documents x labels; infinite ones are fine, nan is not."""
    if sparse.issparse(scores):
        raise InvalidSetting(f"{what} are sparse: every document needs a score, give a dense array")
    try:
        numbers = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise InvalidSetting(f"{what} are not numbers: {problem}") from problem
    if numbers.ndim not in (1, 2):
        raise InvalidSetting(f"{what} of shape {numbers.shape}: give documents, or documents x labels")
    missing = np.isnan(numbers)
    if missing.any():
        row, *column = np.argwhere(missing)[0].tolist()
        raise InvalidSetting(
            f"{what}, row {row}{f', column {column[0]}' if column else ''}: nan; give a number, or -inf for last"
        )
    return numbers


def checked_probabilities(probabilities: Any) -> Floats:
    """Numbers from 0 to 1; what rounding has put just outside is put back."""
    p = checked_scores(probabilities, "probabilities")
    outside = (p < -1e-9) | (p > 1 + 1e-9)
    if outside.any():
        raise InvalidSetting(f"probabilities, row {np.argwhere(outside)[0][0]}: {p[outside][0]} is not between 0 and 1")
    return np.clip(p, 0.0, 1.0)
