"""Labels in the forms in which people hand them to a classifier of raw text, by the rule of `corpus.labels`.

one a document     strings or whole numbers: a list, an array, a pandas column. A missing label is an error that names the row
lists              several, one or no label a document. Missing labels inside a list are left out, and told
0/1 table          an array, a sparse matrix or a data frame, a column a label; the columns of a data frame name the labels

Numbers stay numbers (`predict` gives them back) unless strings stand beside them: then all are text. Wherever labels were changed
(white space, Unicode form, numbers among strings, missing ones in lists), the tally counts it, with the first row.

read_labels        any of these forms, as `LabelSets`
known_names        labels handed in later, by the names they have had since the first fit
exact_matches      for each document, whether decisions are exactly its labels
predicted_labels   decisions in the form in which the labels were handed in
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ..corpus import Tally, clean_labels, is_missing, label_tuple, tidy_label
from ..corpus.labels import MIXED
from ..errors import InputError, InvalidSetting
from ..foundation.arrays import Array, Bools

FORMS = "give one label a document, lists of labels, or a 0/1 matrix"
MISSING_CURE = "leave the row out, or give lists of labels where a document may have none"
KINDS = "a label is a string or a whole number"


@dataclass(frozen=True, slots=True, eq=False)
class LabelSets:
    """The labels of documents: a set of names each, whether there may be several, and the form in which to give labels back."""

    sets: list[list[str]]  # the names of each document's labels
    multilabel: bool
    kind: str  # "one", "lists" or "indicator"
    classes: Any  # the labels themselves, in the order of their names
    names: list[str]  # of the labels, sorted
    by_place: bool = False  # columns of a table without names: labels are known by their place alone
    tally: Tally = field(default_factory=Tally)  # of changes to labels


def read_labels(y: Any, *, multilabel: bool | None = None) -> LabelSets:
    """One label a document, a list of labels a document, or a 0/1 table. multilabel: whether a document may have several labels;
    None: as y looks."""
    labels = labels_of_any_form(y)
    if multilabel is None or multilabel == labels.multilabel:
        return labels
    if multilabel:
        return replace(labels, multilabel=True, kind="lists")
    odd = next((n for n, label_set in enumerate(labels.sets) if len(label_set) != 1), None)
    if odd is not None:
        what = f"{len(labels.sets[odd])} labels, where each document is to have one"
        raise InputError(f"y[{odd}]", what, "give one label a document, or allow several (multilabel)")
    return replace(labels, multilabel=False, kind="one")


def labels_of_any_form(y: Any) -> LabelSets:
    """As they come: see the module."""
    if isinstance(y, str | bytes):
        raise InvalidSetting(f"y is a single string: {FORMS}")
    if sparse.issparse(y):
        return of_table(y)
    if hasattr(y, "columns") and hasattr(y, "to_numpy"):  # a data frame
        return of_frame(y)
    values = y if isinstance(y, list | tuple) or np.ma.isMaskedArray(y) else as_array(y)
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.dtype.kind in "biuf":
        return of_table(values)
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise InvalidSetting(f"labels of shape {values.shape}: {FORMS}")
    if not (isinstance(values, np.ndarray) and values.dtype != object) and any(map(is_list, values)):
        rows = list(values)
        return of_table(np.asarray(rows)) if rows_of_table(rows) else of_lists(rows)
    return of_values(values)


def as_array(y: Any) -> Array:
    """A pandas or Arrow column, or any array, as NumPy's; anything else that can be walked through, as an array of objects."""
    if hasattr(y, "__array__"):
        return np.asarray(y)
    rows = list(y)
    out = np.empty(len(rows), dtype=object)
    out[:] = rows
    return out


def is_list(value: Any) -> bool:
    """Whether this is a list of labels rather than a label."""
    return isinstance(value, list | tuple | set | frozenset) or (isinstance(value, np.ndarray) and value.ndim == 1)


def rows_of_table(rows: Sequence[Any]) -> bool:
    """Whether lists are the rows of a 0/1 table: all of one length, two or more, and nothing but 0 and 1 in them."""
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows) or len({len(row) for row in rows}) != 1:
        return False
    return len(rows[0]) > 1 and all(type(label) is not str and label in (0, 1) for row in rows for label in row)


# -- a 0/1 table


def of_table(y: Any, names: Any = None) -> LabelSets:
    """A column a label; without names, labels are the numbers of the columns."""
    table = sparse.csr_array(y, copy=True)
    wrong = np.flatnonzero(table.data != 1) if table.dtype.kind != "b" else np.zeros(0, dtype=np.int64)
    wrong = wrong[table.data[wrong] != 0]
    if len(wrong):
        entry = int(wrong[0])
        place = f"y[{int(np.searchsorted(table.indptr, entry, side='right')) - 1}, {int(table.indices[entry])}]"
        raise InputError(place, f"found {table.data[entry]}", "a table of labels holds 0 and 1, a column a label")
    table.eliminate_zeros()
    table.sort_indices()
    order = place_names(table.shape[1])
    rows = [[order[n] for n in table.indices[start:end]] for start, end in spans(table.indptr)]
    classes = np.arange(table.shape[1]) if names is None else names
    return LabelSets(rows, True, "indicator", classes, order, by_place=names is None)


def of_frame(y: Any) -> LabelSets:
    """A data frame of 0s and 1s, whose columns name the labels. One column of other things is one label a document."""
    columns, values = list(y.columns), np.asarray(y)
    if values.ndim == 2 and values.dtype == object and all(is_bit(value) for value in values.flat):
        values = values.astype(np.int64)
    if values.dtype.kind not in "biuf":
        if len(columns) == 1:
            return labels_of_any_form(values[:, 0])
        row, column = next((at for at, value in np.ndenumerate(values) if not is_bit(value)), (0, 0))
        what = f"found {values[row, column]!r}"
        raise InputError(f"y, row {row}, column {columns[column]!r}", what, "a data frame of labels holds 0 and 1")
    named = of_values(columns, where="y.columns")
    labels = [named.classes[named.names.index(row[0])] for row in named.sets]
    if len(named.names) != len(columns):
        twice = next(label for n, label in enumerate(labels) if label in labels[:n])
        raise InputError("y.columns", f"more than one column is the label {str(twice)!r}", "rename or join them")
    out = of_table(values, np.array(labels, dtype=named.classes.dtype))
    out.tally.repairs.update(named.tally.repairs)
    out.tally.first_repairs.update(named.tally.first_repairs)
    return out


def is_bit(value: Any) -> bool:
    """Whether this is 0, 1 or a truth value."""
    return isinstance(value, int | float | np.bool_ | np.number) and bool(value in (0, 1))


def spans(ends: Any) -> Iterator[tuple[int, int]]:
    """Where each row starts and ends."""
    return pairwise(ends.tolist())


def place_names(n: int) -> list[str]:
    """Names for labels that are known by their place: sorted by name is sorted by place."""
    width = len(str(max(n - 1, 0)))
    return [str(place).zfill(width) for place in range(n)]


# -- one label a document


def of_values(values: Any, *, where: str = "y") -> LabelSets:
    """One label a document."""
    tally = Tally()

    def place(n: int) -> str:
        return f"{where}[{n}]"

    objects = isinstance(values, np.ndarray) and values.dtype == object
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf" and not np.ma.isMaskedArray(values):
        array = whole_numbers(values, place)
    else:
        rows = list(values) if objects or not isinstance(values, np.ndarray) else values.tolist()
        if set(map(type, rows)) != {str} or any(map(is_missing, set(rows))):
            refuse_missing(rows, place)
        if rows and all(map(is_number, rows)):
            array = whole_numbers(np.asarray(rows), place)
        else:
            names = tidy_values(rows, tally, place)
            order = sorted({row[0] for row in names})
            return LabelSets(names, False, "one", as_labels(order, objects=objects), order, tally=tally)
    classes, label_of = np.unique(array, return_inverse=True)
    width = len(str(len(classes)))
    order = [f"{n:0{width}d}" for n in range(len(classes))]
    return LabelSets([[order[n]] for n in label_of.reshape(-1).tolist()], False, "one", classes, order)


def refuse_missing(rows: Sequence[Any], place: Callable[[int], str]) -> None:
    """A document without a label cannot stand among documents with one label each."""
    absent = [n for n, row in enumerate(rows) if is_missing(row)]
    if absent:
        more = f", as are {len(absent) - 1:,} more" if len(absent) > 1 else ""
        raise InputError(place(absent[0]), f"the label is missing ({rows[absent[0]]!r}){more}", MISSING_CURE)


def is_number(value: Any) -> bool:
    """Whether this is a number or a truth value."""
    return isinstance(value, int | float | np.bool_ | np.integer | np.floating)


def whole_numbers(array: Any, place: Callable[[int], str]) -> Any:
    """Numbers that can be labels: whole ones, whatever their type. A NaN is a missing label."""
    if array.dtype.kind == "f":
        odd = np.flatnonzero(~np.isfinite(array) | (array != np.floor(array)))
        if len(odd) and np.isnan(array[odd]).any():
            refuse_missing(array.tolist(), place)
        if len(odd):
            what = f"found the number {array[odd[0]]!s}, which is not whole"
            raise InputError(place(int(odd[0])), what, f"{KINDS}: give classes, not measurements")
    return array


def as_labels(order: Sequence[str], *, objects: bool) -> Any:
    """Labels that are text as an array; of objects where they came so, or where NumPy's strings would lose a NUL at the end."""
    if not objects and not any(name.endswith("\0") for name in order):
        return np.array(order)
    out = np.empty(len(order), dtype=object)
    out[:] = order
    return out


# -- lists of labels


def of_lists(rows: Sequence[Any]) -> LabelSets:
    """Several, one or no label a document. A document may also have one label that is not in a list, or a missing one."""
    tally = Tally()

    def place(n: int) -> str:
        return f"y[{n}]"

    own = [tuple(label_tuple(row)) for row in rows]
    labels = [label for row in own for label in row]
    if labels and all(is_number(label) or is_missing(label) for label in labels) and any(map(is_number, labels)):
        return of_numbers(own, tally, place)
    names = [sorted(row) for row in tidy_rows(own, tally, place)]
    order = sorted({name for row in names for name in row})
    return LabelSets(names, True, "lists", as_labels(order, objects=False), order, tally=tally)


def of_numbers(rows: Sequence[Sequence[Any]], tally: Tally, place: Callable[[int], str]) -> LabelSets:
    """Lists of whole numbers, which keep their type."""
    kept, document_of = [], []
    for n, row in enumerate(rows):
        absent = [label for label in row if is_missing(label)]
        clean_labels(absent, tally, place(n))
        kept += [label for label in row if not is_missing(label)]
        document_of += [n] * (len(row) - len(absent))
    array = whole_numbers(np.asarray(kept), lambda n: place(document_of[n]))
    classes, label_of = np.unique(array, return_inverse=True)
    order = place_names(len(classes))
    found: list[set[str]] = [set() for _ in rows]
    for n, label in zip(document_of, label_of.reshape(-1).tolist(), strict=True):
        found[n].add(order[label])
    return LabelSets([sorted(own) for own in found], True, "lists", classes, order, tally=tally)


# -- text


def tidy_values(values: Sequence[Any], tally: Tally, place: Callable[[int], str]) -> list[list[str]]:
    """The label of each document as tidy text; one that was met before and needs no repair is not looked at again."""
    known: dict[str, str] = {}
    out = []
    for n, value in enumerate(values):
        text = known.get(value) if type(value) is str else None
        if text is None:
            (text,) = clean_labels([as_text(value, tally, place, n)], tally, place(n))
            if text == value:
                known[value] = text
        out.append([text])
    return out


def tidy_rows(rows: Iterable[tuple[Any, ...]], tally: Tally, place: Callable[[int], str]) -> list[tuple[str, ...]]:
    """The labels of each document as tidy text; rows that were met before and need no repair are not looked at again."""
    known: dict[tuple[Any, ...], tuple[str, ...]] = {}
    out = []
    for n, row in enumerate(rows):
        plain = set(map(type, row)) <= {str}
        tidy = known.get(row) if plain else None
        if tidy is None:
            tidy = clean_labels([as_text(label, tally, place, n) for label in row], tally, place(n))
            if plain and tidy == row:
                known[row] = tidy
        out.append(tidy)
    return out


def as_text(label: Any, tally: Tally, place: Callable[[int], str], n: int) -> Any:
    """A label as text; a number that stands among strings becomes text, which is told."""
    if isinstance(label, str):
        return str.__str__(label)  # without the class of an enumeration
    if is_missing(label):
        return label
    if not is_number(label):
        raise InputError(place(n), f"found {label!r}", KINDS)
    text = text_of(label)
    tally.repair(MIXED, where=f"{place(n)}: {label!r} is {text!r}")
    return text


def text_of(label: Any) -> str:
    """A label in words: whole numbers without a point."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str.__str__(label) if isinstance(label, str) else str(label)


# -- for a classifier that is fitted


def places_of(labels: LabelSets, *, classes: Any, order: Sequence[str]) -> dict[str, str | None]:
    """For each name of labels handed in, the name by which a fitted classifier knows the label; None where it does not.
    A label is known by its text: 1 and "1" are one. Columns of a table without names are the classifier's labels, in order."""
    if labels.by_place:
        if len(labels.names) != len(order):
            raise InvalidSetting(
                f"a table of {len(labels.names)} columns, where the classifier has {len(order)} labels"
            )
        return dict(zip(labels.names, order, strict=True))
    texts = [text_of(label) for label in classes.tolist()]
    known = {tidy_label(text): name for text, name in zip(texts, order, strict=True)}
    known |= dict(zip(texts, order, strict=True))
    handed = dict(zip(labels.names, map(text_of, labels.classes.tolist()), strict=True))
    return {name: known.get(text) for name, text in handed.items()}


def known_names(labels: LabelSets, *, classes: Any, order: Sequence[str]) -> list[list[str]]:
    """The names by which the labels of a fitted classifier are known (order, beside classes); a label that is new needs cuts of
    its own, and so a fit."""
    known = places_of(labels, classes=classes, order=order)
    words = dict(zip(labels.names, map(text_of, labels.classes.tolist()), strict=True))
    new = sorted({words[name] for names in labels.sets for name in names if known[name] is None})
    if new:
        raise InvalidSetting(f"new labels ({', '.join(new)}) need cuts of their own: fit again with all documents")
    return [[known[name] or "" for name in names] for names in labels.sets]


def exact_matches(decisions: Any, labels: LabelSets, *, classes: Any, order: Sequence[str]) -> Bools:
    """For each document, whether the labels decided on (0/1, documents x labels in this order) are exactly those given. A label
    that the classifier does not know is never right."""
    known = places_of(labels, classes=classes, order=order)
    column = {name: n for n, name in enumerate(order)}
    columns = {name: -1 if place is None else column[place] for name, place in known.items()}
    truth = np.zeros((len(labels.sets), len(order) + 1), dtype=bool)  # the last column: labels that are not known
    for n, names in enumerate(labels.sets):
        for name in names:
            truth[n, columns[name]] = True
    right: Bools = (truth[:, :-1] == (np.asarray(decisions) > 0)).all(axis=1) & ~truth[:, -1]
    return right


def predicted_labels(decisions: Any, kind: str, *, classes: Any, order: Sequence[str]) -> Any:
    """Decisions, 0/1 documents x labels, as labels of this kind: see `LabelSets`. A table comes back as an array, its columns
    in the order of `classes`."""
    if kind == "indicator":
        return decisions
    if kind == "lists":
        labels = classes.tolist()
        return [[labels[n] for n in np.flatnonzero(row).tolist()] for row in decisions]
    return classes[decisions.argmax(axis=1)]
