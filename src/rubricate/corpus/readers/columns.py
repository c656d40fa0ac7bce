"""Which columns of a source are text, labels and id: named by the person, or found among the usual names.

Defaults, the first that is present, upper or lower case: text, body, content, document, message or abstract, with
title or subject as a field of its own in front; labels, label, category, categories, topics, topic, class, tags; id,
uid, docid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from ...errors import InputError, InvalidSetting
from .. import Columns

BODIES = ("text", "body", "content", "document", "message", "abstract")
TITLES = ("title", "subject")
LABELS = ("labels", "label", "category", "categories", "topics", "topic", "class", "tags")
IDS = ("id", "uid", "docid")
LABELS_CURE = "use a string or a list of strings"
NO_LABELS = "no label column found: documents have no labels"


class ColumnRequest(NamedTuple):
    """The columns that the caller of `read` named; None where they are to be found among the usual names."""

    text: tuple[str, ...] | None = None
    labels: str | None = None
    id: str | None = None
    keep: tuple[str, ...] = ()
    delimiter: str | None = None
    label_delimiter: str | None = None


class ColumnChoice(NamedTuple):
    """The columns of one source. `labels` or `id` None: the source has none."""

    text: tuple[str, ...] = ("text",)
    labels: str | None = None
    id: str | None = None
    keep: tuple[str, ...] = ()

    @property
    def columns(self) -> Columns:
        return Columns(text=self.text, labels=self.labels or "labels", id=self.id or "id", keep=self.keep)


class UnusableRow(Exception):  # noqa: N818 -- a verdict, not a failure
    """Why a row must be rejected: what was found, and the cure."""

    def __init__(self, what: str, cure: str = "") -> None:
        self.what, self.cure = what, cure
        super().__init__(what)


def name_list(names: Iterable[str]) -> str:
    short = [name if len(name) <= 80 else name[:77] + "..." for name in names]
    return ", ".join(short[:20]) + (f" and {len(short) - 20} more" if len(short) > 20 else "") if short else "none"


def match_columns(where: str, present: Sequence[str], request: ColumnRequest, *, cure: str = "") -> ColumnChoice:
    """Check the columns that were named, find the others."""
    named = [name for name in (*(request.text or ()), request.labels, request.id, *request.keep) if name is not None]
    known = set(present)
    if missing := [name for name in named if name not in known]:
        raise InputError(where, f"there is no column {name_list(missing)}; columns are: {name_list(present)}", cure)
    by_name: dict[str, str] = {}
    for name in present:
        by_name.setdefault(name.strip().casefold(), name)

    def first(names: Iterable[str], others: Iterable[str]) -> str | None:
        return next((by_name[name] for name in names if name in by_name and by_name[name] not in others), None)

    text = request.text
    if text is None:
        body = first(BODIES, named)
        if body is None:
            what = f"no text column found; columns are: {name_list(present)}"
            raise InputError(where, what, cure or 'name it with text="..."')
        title = first(TITLES, named)
        text = (body,) if title is None else (title, body)
    labels, row_id = request.labels or first(LABELS, text), request.id or first(IDS, text)
    choice = ColumnChoice(text, labels, row_id, request.keep)
    choice.columns  # noqa: B018 -- two roles for one column are refused before reading starts
    return choice


def default_columns(kind: str, request: ColumnRequest) -> ColumnChoice:
    """The columns of a format that has none to choose from."""
    if request.labels or request.id or request.keep or request.text not in (None, ("text",)):
        raise InvalidSetting(f'{kind} has no columns to name, just "text": leave out text=, labels=, id= and keep=')
    return ColumnChoice()


def labels_in_cell(cell: str, delimiter: str | None) -> tuple[str, ...]:
    """The labels in one string: split at `delimiter`; without one, a JSON list of strings, else the whole cell."""
    if not cell:
        return ()
    if delimiter is not None:
        return tuple(cell.split(delimiter))
    if cell[0] == "[" and cell[-1] == "]":
        try:
            labels = orjson.loads(cell)
        except orjson.JSONDecodeError:
            return (cell,)
        if all(isinstance(label, str) for label in labels):
            return tuple(labels)
    return (cell,)
