"""Run a function in a process of its own: seconds of each repetition, peak resident memory, and what it returned."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Measured:
    seconds: list[float]
    peak_mb: float
    before_mb: float
    told: Any

    @property
    def best(self) -> float:
        return min(self.seconds)


def alone(module: str, *arguments: str | int) -> Measured:
    """`python -m module arguments…` prints what `report` prints; read it back."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ,
    )
    if done.returncode:
        raise SystemExit(f"{module} {arguments} failed:\n{done.stderr[-3000:]}")
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def resident_mb() -> float:
    """The most that this process held. Not ru_maxrss where it can be helped: a process begins with its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(work: Callable[[], Any], repetitions: int, tell: Callable[[Any], Any]) -> None:
    """Do the work some times and print the figures as one line of JSON."""
    before = resident_mb()
    seconds = []
    result = None
    for _ in range(repetitions):
        del result
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": seconds, "peak_mb": resident_mb(), "before_mb": before, "told": tell(result)}))
