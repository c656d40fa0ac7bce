"""The report of a fit: what was tried and chosen, how good it is on documents it had not seen, and what has changed since.

fit_report        after a fit; the statement says it in a sentence
changed_report    the same after documents were learned or forgotten
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .candidates import Candidate
from .corpus import Tally
from .counts import Counts
from .metrics.names import Measure
from .shares import decimals
from .trials import Trial

__all__ = ["changed_report", "fit_report"]

Report = dict[str, Any]


def fit_report(
    counts: Counts,
    own: Candidate,
    *,
    by: Measure,
    decide: str,
    documents: int,
    labels: int,
    trial: Trial | None,
    trials: Sequence[Trial],
    left: Sequence[Candidate],
    calibration: str | None,
    curve: Report | None,
    tally: Tally | None,
) -> Report:
    """What a fit leaves to read. counts: of all documents; own: the chosen candidate; trial: its own among the trials, None where
    nothing was tried; tally: of the rows the documents came from, where they came from a file."""
    return {
        "measure": by.name,
        "documents": documents,
        "labels": labels,
        "chosen": own.as_dict(),
        "decide": decide,
        "value": None if trial is None else trial.value,
        "interval": None if trial is None else [trial.low, trial.high],
        "tried": [one.as_dict() for one in trials],
        "left_out": [str(one) for one in left],
        "calibration": calibration,
        "statement": statement(trial, trials, left, by.name, documents),
        "data": {
            "fingerprint": counts.digest,
            "documents": documents,
            "rows": documents if tally is None else tally.rows_in,
            "rejected": 0 if tally is None else tally.rejected,
        },
        "learning_curve": curve,
        "changes": [],
    }


def statement(trial: Trial | None, trials: Sequence[Trial], left: Sequence[Candidate], by: str, documents: int) -> str:
    """How good it is, what is as good, and what nobody looked at."""
    if trial is None:
        return f"{documents} documents are too few to hold any out: nothing was tried, and nobody knows how good it is"
    alike = [str(one.candidate) for one in trials if not one.worse and one is not trial]
    said = f"{by} {decimals(trial.value)} ({decimals(trial.low)} to {decimals(trial.high)}) on documents that it had not seen"
    if alike:
        said += f"; not significantly better: {', '.join(alike)}"
    if left:
        said += f"; not tried for lack of time: {', '.join(map(str, left))}"
    return said


def changed_report(report: Mapping[str, Any], counts: Counts, documents: int, *, add: bool, exactly: bool) -> Report:
    """The report after so many documents were learned (add) or forgotten. counts: of those there are now; exactly: whether it was
    done on the statistics, rather than by a new fit."""
    how = "its statistics, exactly" if exactly else "a new fit on the documents it remembers"
    what = f"learned {documents:,} further documents" if add else f"forgot {documents:,} documents"
    more = documents if add else -documents
    return {
        **report,
        "documents": report["documents"] + more,
        "data": {"fingerprint": counts.digest, "documents": report["data"]["documents"] + more},
        "changes": [*report["changes"], f"{what} by {how}; cuts and calibration are those of the last fit"],
    }
