"""Golden files: numbers that slow, independent code computed from the papers' formulas, read as the project reads them.

A file of tests/golden is `{"about", "cases": [{"name", "input", "expected"}]}`. A function that `covers` a file is called once
a case; it looks up each key of `expected` it knows how to compute, and a key nobody looked up fails the test, as does a file
that nobody covers. A new case therefore needs no code, and a new key cannot be overlooked.

    @covers("schneider_scores")
    def scores(case: Case) -> None:
        case.check("dkl", term_scores.dkl(case.counts()))
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import rubricate as rb

FOLDER = Path(__file__).parents[1] / "golden"
RELATIVE, ABSOLUTE = 1e-9, 1e-12  # absolute: where the true value is 0 and one of the two is 1e-17
CHECKS: dict[str, Callable[[Case], None]] = {}


def covers(*files: str) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
    """This function checks the cases of these files."""

    def register(check: Callable[[Case], None]) -> Callable[[Case], None]:
        for file in files:
            if file in CHECKS:
                raise ValueError(f"{file}.json is covered twice")
            CHECKS[file] = check
        return check

    return register


@dataclass(frozen=True)
class CorpusOfCase:
    """A corpus of corpora.json: X and labels of both parts."""

    name: str
    n_labels: int
    X: np.ndarray
    labels: list[list[int]]
    X_test: np.ndarray
    test_labels: list[list[int]]

    @property
    def single(self) -> bool:
        """Each training document has one label."""
        return all(len(own) == 1 for own in self.labels)

    @property
    def y(self) -> np.ndarray:
        """Of the training part: labels where each document has one, otherwise an indicator matrix."""
        return np.array([own[0] for own in self.labels]) if self.single else self.indicator(self.labels)

    def indicator(self, labels: list[list[int]]) -> np.ndarray:
        """Documents x labels, 0/1."""
        return np.array([[int(label in own) for label in range(self.n_labels)] for own in labels])


@dataclass
class Case:
    """One case: what goes in, what must come out, and which of it has been looked at."""

    file: str
    name: str
    input: dict[str, Any]
    expected: dict[str, Any]
    looked_at: set[str] = field(default_factory=set)

    @property
    def corpus(self) -> CorpusOfCase:
        """The corpus the case names."""
        return corpora()[self.input["corpus"]]

    @property
    def columns(self) -> list[int]:
        """The columns the case is about: its vocabulary or features, or all."""
        chosen = self.input.get("vocabulary", self.input.get("features"))
        return list(range(self.corpus.X.shape[1])) if chosen is None else chosen

    @property
    def X(self) -> np.ndarray:
        """Training documents x the columns of the case."""
        return self.corpus.X[:, self.columns]

    @property
    def label(self) -> str | None:
        """The label that is told from the rest, where the case is about one."""
        return str(self.input["category"]) if "category" in self.input else None

    def counts(self) -> rb.Counts:
        """Counts of the training documents over the columns of the case; terms are called by their column numbers."""
        return rb.Counts.from_matrix(self.X, self.corpus.y, terms=[str(column) for column in self.columns])

    def wanted(self, key: str) -> Any:
        """What is expected under a key, decoded; the key then counts as looked at."""
        self.looked_at.add(key)
        return decoded(self.expected[key])

    def check(self, key: str, found: Any, *, relative: float = RELATIVE) -> None:
        """If the case expects this key: what was found is close to it."""
        if key in self.expected:
            self.close(found, self.wanted(key), where=key, relative=relative)

    def close(self, found: Any, wanted: Any, *, where: str, relative: float = RELATIVE) -> None:
        """Numbers within the tolerance; lists and tables of them place by place; None where nothing is defined."""
        if isinstance(wanted, dict):
            assert set(found) == set(wanted), f"{self.file}::{self.name} {where}: {sorted(found)} != {sorted(wanted)}"
            for key, value in wanted.items():
                self.close(found[key], value, where=f"{where}.{key}", relative=relative)
        elif isinstance(wanted, list):
            found = found.tolist() if isinstance(found, np.ndarray) else list(found)
            assert len(found) == len(wanted), f"{self.file}::{self.name} {where}: {len(found)} values for {len(wanted)}"
            for n, (one, other) in enumerate(zip(found, wanted, strict=True)):
                self.close(one, other, where=f"{where}[{n}]", relative=relative)
        else:
            assert same(found, wanted, relative), f"{self.file}::{self.name} {where}: {found!r}, expected {wanted!r}"


def same(found: Any, wanted: Any, relative: float = RELATIVE) -> bool:
    """Equal, or numbers within the tolerance; nan and None both say: undefined."""
    found = found.item() if isinstance(found, np.generic | np.ndarray) else found
    if wanted is None:
        return found is None or (isinstance(found, float) and math.isnan(found))
    if isinstance(wanted, str | bool):
        return bool(found == wanted)
    if isinstance(found, Fraction) and isinstance(wanted, Fraction):
        return found == wanted
    if found is None or isinstance(found, str):
        return False
    return math.isclose(float(found), float(wanted), rel_tol=relative, abs_tol=ABSOLUTE)


def decoded(value: Any) -> Any:
    """The files' way of writing: null is undefined, "inf" and "-inf" are infinities, "p/q" is an exact fraction."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if isinstance(value, dict):
        return {key: decoded(one) for key, one in value.items()}
    if value in ("inf", "-inf"):
        return float(value)
    if isinstance(value, str) and value.count("/") == 1 and value.replace("/", "").lstrip("-").isdigit():
        return Fraction(value)
    return value


@cache
def corpora() -> dict[str, CorpusOfCase]:
    """The corpora by name."""
    held = json.loads((FOLDER / "corpora.json").read_text("utf-8"))["corpora"]
    return {
        one["name"]: CorpusOfCase(
            one["name"],
            one["n_classes"],
            np.array(one["train"]),
            one["train_labels"],
            np.array(one["test"]),
            one["test_labels"],
        )
        for one in held
    }


def cases() -> Iterator[Case]:
    """Every case of every file, in order."""
    for path in sorted(FOLDER.glob("*.json")):
        if path.stem != "corpora":
            for case in json.loads(path.read_text("utf-8"))["cases"]:
                yield Case(path.stem, case["name"], case["input"], case["expected"])
