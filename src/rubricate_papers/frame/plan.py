"""Plan: what an experiment runs. Plain values, so that it is written beside its result and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is run, in words for a person and in settings for the program.

    paper: its number, "000". data, split, recipes, methods: in words, since they are shown. repetitions: splits, folds or
    orders. settings: what the program goes by (sizes, numbers of words), as JSON has it; a quick plan has smaller ones.
    """

    paper: str
    name: str
    title: str
    data: tuple[str, ...]
    split: str
    recipes: tuple[str, ...]
    methods: tuple[str, ...]
    repetitions: int
    seed: int = 0
    quick: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The folder of its notes and results: 000-joachims."""
        return f"{self.paper}-{self.name.replace('_', '-')}"

    def __getitem__(self, name: str) -> Any:
        """A setting."""
        return self.settings[name]
