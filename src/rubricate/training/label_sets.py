"""Labels in the forms in which people hand them to a classifier of raw text, by the rule of `corpus.labels`.

one a document     strings or whole numbers: a list, an array, a pandas column. A missing label is an error that names the row
lists              several, one or no label a document. Missing labels inside a list are left out, and told
0/1 table          an array, a sparse matrix or a data frame, a column a label; the columns of a data frame name the labels

Numbers stay numbers (`predict` gives them back) unless strings stand beside them: then all are text. Wherever labels were changed
(white space, Unicode form, numbers among strings, missing ones in lists), the tally counts it, with the first row.

read_labels    any of these forms, as `LabelSets`: a set of names for each document
LabelForm      the labels that a classifier knows: labels handed in later by the same names, decisions as labels
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
class LabelForm:
    """The labels there are, and the form in which they are given back."""

    kind: str  # "one", "lists" or "indicator"
    multilabel: bool  # whether a document may have several
    classes: Array  # the labels themselves, in the order of their names
    names: list[str]  # sorted

    def names_for(self, labels: LabelSets) -> dict[str, str | None]:
        """For each name of labels handed in, the name of the label here; None where there is none. A label is known by its text:
        1 and "1" are one. Columns of a table without names are the labels here, in their order."""
        if labels.by_place:
            if len(labels.names) != len(self.names):
                raise InvalidSetting(
                    f"a table of {len(labels.names)} columns, where the classifier has {len(self.names)} labels"
                )
            return dict(zip(labels.names, self.names, strict=True))
        texts = self.texts()
        known = {tidy_label(text): name for name, text in texts.items()} | {text: name for name, text in texts.items()}
        return {name: known.get(text) for name, text in labels.texts().items()}

    def texts(self) -> dict[str, str]:
        return dict(zip(self.names, map(text_of, self.classes.tolist()), strict=True))

    def known_sets(self, labels: LabelSets) -> list[list[str]]:
        """Labels handed in, by the names here; a label that is new needs a threshold of its own, and so a fit."""
        known = self.names_for(labels)
        texts = labels.texts()
        new = sorted({texts[name] for label_set in labels.sets for name in label_set if known[name] is None})
        if new:
            raise InvalidSetting(
                f"new labels ({', '.join(new)}) need thresholds of their own: fit again with all documents"
            )
        return [[known[name] or "" for name in label_set] for label_set in labels.sets]

    def exact_matches(self, decisions: Array, labels: LabelSets) -> Bools:
        """For each document, whether the labels decided on (0/1, documents x labels) are exactly those handed in. A label that is
        not known here is never decided on."""
        known, column = self.names_for(labels), {name: n for n, name in enumerate(self.names)}
        truth = np.zeros((len(labels.sets), len(column) + 1), dtype=bool)  # the last column: labels that are not known
        for n, label_set in enumerate(labels.sets):
            truth[n, [column.get(known[name] or "", -1) for name in label_set]] = True
        correct: Bools = (truth[:, :-1] == (np.asarray(decisions) > 0)).all(axis=1) & ~truth[:, -1]
        return correct

    def labels_of(self, decisions: Array) -> Any:
        """Decisions, 0/1 documents x labels, as labels of this kind. A table comes back as an array, its columns in the order of
        `classes`."""
        if self.kind == "indicator":
            return decisions
        if self.kind == "lists":
            labels = self.classes.tolist()
            return [[labels[n] for n in np.flatnonzero(row).tolist()] for row in decisions]
        return self.classes[decisions.argmax(axis=1)]


@dataclass(frozen=True, slots=True, eq=False)
class LabelSets(LabelForm):
    sets: list[list[str]]  # the names of each document's labels
    by_place: bool = False  # columns of a table without names: labels are known by their place alone
    tally: Tally = field(default_factory=Tally)  # of changes to labels


def read_labels(y: Any, *, multilabel: bool | None = None, source: str | None = None) -> LabelSets:
    """One label a document, a list of labels a document, or a 0/1 table. multilabel: whether a document may have several labels;
    None: as y looks. source: where the documents come from, if not y."""
    labels = labels_of_any_form(y)
    if multilabel is None or multilabel == labels.multilabel:
        return labels
    if multilabel:
        return replace(labels, multilabel=True, kind="lists")
    odd = next((n for n, label_set in enumerate(labels.sets) if len(label_set) != 1), None)
    if odd is not None:
        place = f"y[{odd}]" if source is None else f"{source} document {odd + 1}"
        what = f"{len(labels.sets[odd])} labels, where each document is to have one"
        raise InputError(place, what, "give one label a document, or allow several (multilabel)")
    return replace(labels, multilabel=False, kind="one")


def labels_of_any_form(y: Any) -> LabelSets:
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
    return np.asarray(y) if hasattr(y, "__array__") else array_of_objects(list(y))


def array_of_objects(values: Sequence[Any]) -> Array:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or (isinstance(value, np.ndarray) and value.ndim == 1)


def rows_of_table(rows: Sequence[Any]) -> bool:
    """Whether lists are the rows of a 0/1 table: all of one length, two or more, and nothing but 0 and 1 in them."""
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows) or len({len(row) for row in rows}) != 1:
        return False
    return len(rows[0]) > 1 and all(type(label) is not str and label in (0, 1) for row in rows for label in row)


# -- a 0/1 table


def of_table(y: Any, classes: Any = None, tally: Tally | None = None) -> LabelSets:
    """A column a label; without classes, labels are the numbers of the columns."""
    table = sparse.csr_array(y, copy=True)
    wrong = np.flatnonzero(table.data != 1) if table.dtype.kind != "b" else np.zeros(0, dtype=np.int64)
    wrong = wrong[table.data[wrong] != 0]
    if len(wrong):
        entry = int(wrong[0])
        place = f"y[{int(np.searchsorted(table.indptr, entry, side='right')) - 1}, {int(table.indices[entry])}]"
        raise InputError(place, f"found {table.data[entry]}", "a table of labels holds 0 and 1, a column a label")
    table.eliminate_zeros()
    table.sort_indices()
    names = place_names(table.shape[1])
    sets = [[names[n] for n in table.indices[start:end]] for start, end in pairwise(table.indptr.tolist())]
    by_place = classes is None
    classes = np.arange(table.shape[1]) if by_place else classes
    return LabelSets("indicator", True, classes, names, sets, by_place=by_place, tally=tally or Tally())


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
    labels = [named.classes[named.names.index(label_set[0])] for label_set in named.sets]
    if len(named.names) != len(columns):
        twice = next(label for n, label in enumerate(labels) if label in labels[:n])
        raise InputError("y.columns", f"more than one column is the label {str(twice)!r}", "rename or join them")
    return of_table(values, np.array(labels, dtype=named.classes.dtype), named.tally)


def is_bit(value: Any) -> bool:
    return isinstance(value, int | float | np.bool_ | np.number) and bool(value in (0, 1))


def place_names(n: int) -> list[str]:
    """Names for labels that are known by their place: sorted by name is sorted by place."""
    width = len(str(max(n - 1, 0)))
    return [str(place).zfill(width) for place in range(n)]


# -- one label a document


def of_values(values: Any, *, where: str = "y") -> LabelSets:
    objects = isinstance(values, np.ndarray) and values.dtype == object
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf" and not np.ma.isMaskedArray(values):
        array = whole_numbers(values, where)
    else:
        rows = list(values) if objects or not isinstance(values, np.ndarray) else values.tolist()
        if set(map(type, rows)) != {str} or any(map(is_missing, set(rows))):
            refuse_missing(rows, where)
        if not rows or not all(map(is_number, rows)):
            return of_texts("one", [(row,) for row in rows], objects=objects, where=where)
        array = whole_numbers(np.asarray(rows), where)
    classes, label_of = np.unique(array, return_inverse=True)
    width = len(str(len(classes)))
    names = [f"{n:0{width}d}" for n in range(len(classes))]
    return LabelSets("one", False, classes, names, [[names[n]] for n in label_of.reshape(-1).tolist()])


def refuse_missing(rows: Sequence[Any], where: str) -> None:
    """A document without a label cannot stand among documents with one label each."""
    absent = [n for n, row in enumerate(rows) if is_missing(row)]
    if absent:
        more = f", as are {len(absent) - 1:,} more" if len(absent) > 1 else ""
        what = f"the label is missing ({rows[absent[0]]!r}){more}"
        raise InputError(f"{where}[{absent[0]}]", what, MISSING_CURE)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.bool_ | np.integer | np.floating)


def whole_numbers(array: Array, where: str, document_of: Sequence[int] | None = None) -> Array:
    """Numbers that can be labels: whole ones, whatever their type. A NaN is a missing label. document_of: the row of each number,
    where there is not one a row."""
    if array.dtype.kind == "f":
        odd = np.flatnonzero(~np.isfinite(array) | (array != np.floor(array))).tolist()
        if odd and np.isnan(array[odd]).any():
            refuse_missing(array.tolist(), where)
        if odd:
            what = f"found the number {array[odd[0]]!s}, which is not whole"
            row = odd[0] if document_of is None else document_of[odd[0]]
            raise InputError(f"{where}[{row}]", what, f"{KINDS}: give classes, not measurements")
    return array


# -- lists of labels


def of_lists(rows: Sequence[Any]) -> LabelSets:
    """Several, one or no label a document. A document may also have one label that is not in a list, or a missing one."""
    lists = [tuple(label_tuple(row)) for row in rows]
    labels = [label for row in lists for label in row]
    if labels and all(is_number(label) or is_missing(label) for label in labels) and any(map(is_number, labels)):
        return of_lists_of_numbers(lists)
    return of_texts("lists", lists)


def of_lists_of_numbers(rows: Sequence[Sequence[Any]]) -> LabelSets:
    """Lists of whole numbers, which keep their type."""
    tally, numbers, document_of = Tally(), [], []
    for n, row in enumerate(rows):
        clean_labels([label for label in row if is_missing(label)], tally, f"y[{n}]")
        present = [label for label in row if not is_missing(label)]
        numbers += present
        document_of += [n] * len(present)
    array = whole_numbers(np.asarray(numbers), "y", document_of)
    classes, label_of = np.unique(array, return_inverse=True)
    names = place_names(len(classes))
    sets: list[set[str]] = [set() for _ in rows]
    for n, label in zip(document_of, label_of.reshape(-1).tolist(), strict=True):
        sets[n].add(names[label])
    return LabelSets("lists", True, classes, names, [sorted(label_set) for label_set in sets], tally=tally)


# -- text


def of_texts(kind: str, rows: Iterable[tuple[Any, ...]], *, objects: bool = False, where: str = "y") -> LabelSets:
    """Labels that are text. objects: whether they came in an array of objects, and are to be given back so; they are also where
    NumPy's strings would lose a NUL at the end."""
    tally = Tally()
    sets = [sorted(row) for row in tidy_rows(rows, tally, where)]
    names = sorted({name for label_set in sets for name in label_set})
    objects = objects or any(name.endswith("\0") for name in names)
    classes = array_of_objects(names) if objects else np.array(names)
    return LabelSets(kind, kind == "lists", classes, names, sets, tally=tally)


def tidy_rows(rows: Iterable[tuple[Any, ...]], tally: Tally, where: str) -> list[tuple[str, ...]]:
    """The labels of each document as tidy text; rows that were met before and need no repair are not looked at again."""
    known: dict[tuple[Any, ...], tuple[str, ...]] = {}
    out = []
    for n, row in enumerate(rows):
        plain = set(map(type, row)) <= {str}
        tidy = known.get(row) if plain else None
        if tidy is None:
            place = f"{where}[{n}]"
            tidy = clean_labels([as_text(label, tally, place) for label in row], tally, place)
            if plain and tidy == row:
                known[row] = tidy
        out.append(tidy)
    return out


def as_text(label: Any, tally: Tally, place: str) -> Any:
    """A label as text; a number that stands among strings becomes text, which is told."""
    if isinstance(label, str):
        return str.__str__(label)  # without the class of an enumeration
    if is_missing(label):
        return label
    if not is_number(label):
        raise InputError(place, f"found {label!r}", KINDS)
    text = text_of(label)
    tally.repair(MIXED, where=f"{place}: {label!r} is {text!r}")
    return text


def text_of(label: Any) -> str:
    """A label in words: whole numbers without a point."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str.__str__(label) if isinstance(label, str) else str(label)
