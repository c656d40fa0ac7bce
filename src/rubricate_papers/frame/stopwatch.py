"""Watch: how long the stages of an experiment take, lines about its progress, and what the naive way would have cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from .result import Naive


class Watch:
    """`with watch("reading"):` times a stage; stages of the same name add up. tell: called with a line a stage."""

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self.stages: dict[str, float] = {}
        self.estimates: list[Naive] = []
        self.tell = tell or (lambda line: None)
        self.started = perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the watch was created."""
        return perf_counter() - self.started

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        begun = perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - begun
            self.stages[stage] = self.stages.get(stage, 0.0) + took
            self.tell(f"{self.seconds:7.1f} s  {stage} ({took:.1f} s)")

    def naive(self, what: str, *, seconds: float, times: int, how: str) -> None:
        """Add an estimate: one point of the naive way took so many seconds, and there would be so many points."""
        self.estimates.append(Naive(what=what, seconds=seconds, times=times, how=how))
