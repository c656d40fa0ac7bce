"""What the papers printed, each number with the place where it stands (`published/NAME.json`), and the words of the replications:
plans, titles, notes, and the sentences that are tested (`NAME/texts.toml`). Both are part of the package, since the command needs
them wherever it runs; `replications/` shows the same numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any

import orjson

import rubricate as rb

from . import Best, Claim, Figure, Grid, Plan, Printed, Row, Series, Table


class Published(Mapping[str, Printed]):
    """The printed figures of a paper, by key; and tables, figures and claims with the words of its replication.

    Words may have places for values in them, "Means of {n} splits.", which are given by name: `grid("variants", rows, n=5)`.
    """

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

    @cached_property
    def texts(self) -> dict[str, Any]:
        return tomllib.loads((files("rubricate_papers") / self.name / "texts.toml").read_text("utf-8"))

    def words(self, kind: str, key: str, values: Mapping[str, Any]) -> dict[str, Any]:
        def filled(text: Any) -> Any:
            return text.format(**values) if isinstance(text, str) else tuple(text) if isinstance(text, list) else text

        return {field: filled(text) for field, text in self.texts[kind][key].items()}

    def plan(self, *, recipes: Iterable[str], methods: Iterable[str], quick: bool, seed: int) -> Plan:
        """The full plan; a quick one has some settings and the number of repetitions from `plan.quick`."""
        words = self.texts["plan"]
        settings = words["settings"] | (words["quick"] if quick else {})
        return Plan(
            paper=self.paper["number"],
            name=self.name,
            title=words["title"],
            data=tuple(words["data"]),
            split=words["split"],
            recipes=tuple(recipes),
            methods=tuple(methods),
            repetitions=settings.pop("repetitions"),
            seed=seed,
            quick=quick,
            settings=settings,
        )

    def table(self, key: str, rows: Iterable[Row], **values: Any) -> Table:
        return Table(**{"key": key, **self.words("tables", key, values)}, rows=tuple(rows))

    def grid(
        self, key: str, rows: Iterable[Sequence[Any]], columns: Iterable[str] | None = None, **values: Any
    ) -> Grid:
        """columns: where they are not in the words."""
        words = self.words("grids", key, values) | ({} if columns is None else {"columns": tuple(columns)})
        return Grid(**{"key": key, **words}, rows=tuple(map(tuple, rows)))

    def figure(self, key: str, series: Iterable[Series], **values: Any) -> Figure:
        return Figure(**{"key": key, **self.words("figures", key, values)}, series=tuple(series))

    def claim(self, key: str, verdict: str, evidence: str, **values: Any) -> Claim:
        return Claim(**self.words("claims", key, values), verdict=verdict, evidence=evidence)

    def best(self, key: str, method: str, value: float, equals: Iterable[str], **values: Any) -> Best:
        return Best(**self.words("best", key, values), method=method, value=value, equals=tuple(equals))


def published(name: str) -> Published:
    """The printed figures of one replication's paper: {"paper": {...}, "printed": [{key, value, where, what}]}."""
    content = orjson.loads((files("rubricate_papers") / "published" / f"{name}.json").read_bytes())
    return Published(name, content["paper"], {entry["key"]: Printed(**entry) for entry in content["printed"]})
