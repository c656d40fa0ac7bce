"""The report of a fit: what was tried and chosen, how good it is on documents it had not seen, and what has changed since.

fit_report        after a fit; the statement says it in a sentence
changed_report    the same after documents were learned or forgotten
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..corpus import Tally
from ..counts import Counts
from ..foundation.share_text import decimals
from ..measures.metrics.names import Measure
from .candidates import Candidate
from .trial import Trial

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
    not_promised: Sequence[str],
    curve: Report | None,
    tally: Tally | None,
    repairs: Mapping[str, int],
) -> Report:
    """What a fit leaves to read. counts: of all documents; own: the chosen candidate; trial: its own among the trials, None where
    nothing was tried; not_promised: labels without the precision or recall that the rule is to promise; tally: of the rows the
    documents came from, where they came from a file; repairs: changes to labels that were handed in beside the texts."""
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
        "not_promised": list(not_promised),
        "statement": statement(trial, trials, left, by.name, documents) + promise(decide, labels, not_promised),
        "data": {
            "fingerprint": counts.digest,
            "documents": documents,
            "rows": documents if tally is None else tally.rows_in,
            "rejected": 0 if tally is None else tally.rejected,
            "repairs": {**({} if tally is None else tally.repairs), **repairs},
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


def promise(decide: str, labels: int, not_promised: Sequence[str]) -> str:
    """For how many labels a precision or recall that was asked for is not promised; empty where it is for all."""
    if not not_promised:
        return ""
    what, _, least = decide.partition(":")
    few = ", ".join(not_promised[:5]) + (", …" if len(not_promised) > 5 else "")
    return f"; NOT PROMISED: a {what} of {least} for {len(not_promised):,} of {labels:,} labels ({few})"


def changed_report(report: Mapping[str, Any], counts: Counts, change: Mapping[str, Any], *, exactly: bool) -> Report:
    """The report after documents were learned or forgotten. counts: of those there are now; change: of `learn` or `forget`;
    exactly: whether it was done on the statistics, rather than by a new fit."""
    how = "its statistics, exactly" if exactly else "a new fit on the documents it remembers"
    text = f"{done(change)} by {how}; thresholds and calibration are those of the last fit"
    if not change["checked"]:
        text += "; whether they were learned before could not be checked, since the file is of an earlier version"
    documents = counts.n_documents
    return {
        **report,
        "documents": documents,
        "data": {"fingerprint": counts.digest, "documents": documents},
        "changes": [*report["changes"], text],
    }


def done(change: Mapping[str, Any]) -> str:
    """What was done to how many documents."""
    if change["forgotten"]:
        return f"forgot {change['forgotten']:,} documents"
    if not change["corrected"]:
        return f"learned {change['learned']:,} further documents"
    corrected = f"corrected {change['corrected']:,}"
    return (
        f"learned {change['learned']:,} further documents and {corrected}"
        if change["learned"]
        else f"{corrected} documents"
    )
