"""The rule for labels: one for Python, commands and files.

A label is text in Unicode form NFC, with no white space around it; two spellings that become the same text are one label. What
is missing (None, NaN, NaT, pandas.NA, an empty or blank string) is no label. A label that is given twice to a document counts
once. Each change is a repair in the tally, with the place where it was first made.
"""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable
from typing import Any

from ..errors import InputError, LabelWarning
from .tally import Tally

NFC = "label put into Unicode form NFC"
SPACE = "white space around a label removed"
EMPTY = "empty label left out"
ABSENT = "missing label left out"
TWICE = "label given twice to one document"
MIXED = "number among labels that are text: taken as text"
CURE = "use a string, a list of strings or None for each document"


def tidy_label(label: str) -> str:
    """The label by which this spelling is known; empty if it is none."""
    text = label if label.isascii() else unicodedata.normalize("NFC", label)
    return text.strip()


def is_missing(value: Any) -> bool:
    """Whether this stands for no label."""
    if isinstance(value, str):
        return not tidy_label(value)
    if value is None or type(value).__name__ in (
        "NAType",
        "MaskedConstant",
    ):  # of pandas and numpy, which are not imported
        return True
    try:
        return bool(value != value)  # NaN and NaT alone differ from themselves
    except (TypeError, ValueError):  # things whose comparison is no truth value, such as arrays
        return False


def clean_labels(labels: Iterable[Any], tally: Tally, where: str = "") -> tuple[str, ...]:
    """The labels of one document by the rule above; `where` the document stands. Something other than text is an InputError."""
    cleaned: dict[str, None] = {}
    for label in labels:
        if not isinstance(label, str):
            if not is_missing(label):
                raise InputError(where or "labels", f"found {label!r}", CURE)
            tally.repair(ABSENT, where=f"{where}: {label!r}")
            continue
        tidy = label if label.isascii() else _in_nfc(label, tally, where)
        if tidy != (stripped := tidy_label(tidy)):
            tally.repair(SPACE if stripped else EMPTY, where=f"{where}: {label!r}")
            tidy = stripped
        elif not tidy:
            tally.repair(EMPTY, where=where)
        if tidy in cleaned:
            tally.repair(TWICE, where=f"{where}: {label!r}")
        elif tidy:
            cleaned[tidy] = None
    return tuple(cleaned)


def _in_nfc(label: str, tally: Tally, where: str) -> str:
    """In form NFC; half a surrogate pair, which is not text, is named."""
    try:
        label.encode()
    except UnicodeEncodeError:
        what = f"the label {label!r} holds half a surrogate pair, which is not text"
        raise InputError(where or "labels", what, "decode the source properly") from None
    tidy = unicodedata.normalize("NFC", label)
    if tidy != label:
        tally.repair(NFC, where=f"{where}: {label!a} is {tidy!a}")
    return tidy


def label_tuple(labels: Any) -> tuple[Any, ...]:
    """The labels of one document, however they were given: None, one, or several."""
    if labels is None:
        return ()
    single = isinstance(labels, str | bytes) or not isinstance(labels, Iterable)
    return (labels,) if single else tuple(labels)


several = label_tuple  # the public name so far


def warn_of_labels(tally: Tally, *, stacklevel: int) -> None:
    """Tell a person who works in Python which labels were changed, and where first. A label given twice needs no words."""
    changes = [
        f"{what} ({times:,} time{'' if times == 1 else 's'}; first {tally.first_repairs.get(what, '')})"
        for what, times in tally.repairs.items()
        if what in (NFC, SPACE, EMPTY, ABSENT, MIXED)
    ]
    if changes:
        warnings.warn(f"labels: {'; '.join(changes)}", LabelWarning, stacklevel=stacklevel + 1)
