"""Replications: the papers' experiments, run again on real data. One package a paper; `rubricate replicate PAPER` runs it.

A package has `plan(*, quick, seed) -> Plan` and `run(plan, *, data, watch) -> Findings`; the frame is `frame`. What the
paper printed is in `published/NAME.json`, titles, notes and claims in `NAME/texts.toml`. Notes on what differs, and the
results of the full run, are in the repository's folder `replications/`.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import rubricate as rb

from .frame import Plan, Result, Watch

__all__ = ["PAPERS", "plan_of", "ready", "replicate", "replication_named"]

PAPERS = {
    "joachims": "000",
    "lewis": "001",
    "routing": "001",
    "schneider": "002",
    "wilbur_kim": "003",
    "sable": "004",
}
PACKAGES = ("rubricate", "numpy", "scipy", "scikit-learn", "numba", "pyarrow")


def replication_named(text: str) -> str:
    """The replication of that name or number: `joachims`, `000`, `000-joachims`, `wilbur-kim`."""
    key = text.strip().lower().replace("-", "_")
    for name, paper in PAPERS.items():
        if key in (name, paper, f"{paper}_{name}"):
            return name
    raise rb.errors.UnknownName("replication", text, [*PAPERS, *PAPERS.values(), "all"])


def ready() -> list[str]:
    """The replications there are, with their printed figures, in the order of the papers."""
    printed = files(__name__) / "published"
    return [name for name in PAPERS if find_spec(f"{__name__}.{name}") and (printed / f"{name}.json").is_file()]


def plan_of(name: str, *, quick: bool = False, seed: int = 0) -> Plan:
    plan: Plan = import_module(f".{replication_named(name)}", __name__).plan(quick=quick, seed=seed)
    return plan


def replicate(
    name: str,
    *,
    data: str | os.PathLike[str] | None = None,
    quick: bool = False,
    seed: int = 0,
    tell: Callable[[str], None] | None = None,
) -> Result:
    """Run a replication on the collections in the folder `data` (or RUBRICATE_DATA). tell: gets a line a stage."""
    module, plan = import_module(f".{replication_named(name)}", __name__), plan_of(name, quick=quick, seed=seed)
    watch = Watch(tell)
    findings = module.run(plan, data=None if data is None else Path(data), watch=watch)
    return Result(
        plan=plan,
        findings=findings,
        seconds=watch.seconds,
        stages=dict(watch.stages),
        naive=tuple(watch.estimates),
        versions={"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
    )
