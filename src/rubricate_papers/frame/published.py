"""What the papers printed: one JSON file a paper, each number with the place where it stands. Part of the package, since the
command compares with it wherever it runs; `replications/` shows the same table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

import orjson

import rubricate as rb


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number (or a list of words): its key, where it stands, and what it says."""

    key: str
    value: float | list[str]
    where: str
    what: str

    @property
    def number(self) -> float:
        """The value, where it is a number."""
        if isinstance(self.value, list):
            raise TypeError(f"{self.key} is a list of words")
        return float(self.value)


class Published(Mapping[str, Printed]):
    """The printed figures of a paper, by key."""

    def __init__(self, name: str, paper: Mapping[str, str], printed: Mapping[str, Printed]) -> None:
        self.name, self.paper, self._printed = name, paper, printed

    def __getitem__(self, key: str) -> Printed:
        if key not in self._printed:
            raise rb.errors.UnknownName(f"printed figure of {self.name}", key, self._printed)
        return self._printed[key]

    def find(self, key: str) -> Printed | None:
        """The printed figure, or None where the paper prints none."""
        return self._printed.get(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._printed)

    def __len__(self) -> int:
        return len(self._printed)


def published(name: str) -> Published:
    """The printed figures of one replication's paper: {"paper": {...}, "printed": [{key, value, where, what}]}."""
    content = orjson.loads((files("rubricate_papers") / "published" / f"{name}.json").read_bytes())
    return Published(name, content["paper"], {entry["key"]: Printed(**entry) for entry in content["printed"]})
