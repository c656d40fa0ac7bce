"""One document, as a row that was read and as a user sees it; and which columns there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa

from ..errors import InvalidSetting

ID, LABELS = "id", "labels"
TEXT = pa.large_string()


@dataclass(frozen=True, slots=True)
class Document:
    """One document, for people and small programs; bulk work goes by batches."""

    id: str
    fields: dict[str, str]
    labels: tuple[str, ...] = ()
    kept: dict[str, str | None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All text fields, one under the other."""
        return "\n".join(self.fields.values())


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a source are what. `keep` names columns carried along unchanged, e.g. a date to split by."""

    text: tuple[str, ...] = ("text",)
    labels: str = LABELS
    id: str = ID
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.text:
            raise InvalidSetting("at least one text column is needed")
        names = [*self.text, *self.keep]
        clash = {name for name, times in Counter(names).items() if times > 1} | ({ID, LABELS} & set(names))
        if clash:
            raise InvalidSetting(f"a column cannot have two roles: {', '.join(sorted(clash))}")

    @property
    def schema(self) -> pa.Schema:
        """id, then text fields, then labels, then what is kept."""
        return pa.schema(
            [
                pa.field(ID, pa.string(), nullable=False),
                *(pa.field(name, pa.large_string(), nullable=False) for name in self.text),
                pa.field(LABELS, pa.list_(pa.string()), nullable=False),
                *(pa.field(name, pa.string()) for name in self.keep),
            ]
        )


class Row(NamedTuple):
    """What a reader hands over for one document. `id` None: the row is named after its number."""

    where: str
    id: str | None
    texts: tuple[str, ...]
    labels: tuple[str, ...] = ()
    kept: tuple[str | None, ...] = ()
