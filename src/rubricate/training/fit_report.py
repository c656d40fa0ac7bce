"""The report of a fit: what was tried and chosen, how good it is on documents it had not seen, and what has changed since.

fit_report        after a fit; the statement says it in a sentence
changed_report    the same after documents were learned or forgotten
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..counts import Counts
from ..foundation.share_text import decimals
from ..measures.metrics.names import Measure
from .candidates import Candidate
from .training_set import Inputs
from .trial import Trial

Report = dict[str, Any]


def fit_report(
    inputs: Inputs,
    chosen: Candidate,
    *,
    by: Measure,
    decide: str,
    trial: Trial | None,
    trials: Sequence[Trial],
    left_out: Sequence[Candidate],
    calibration: str | None,
    not_promised: Sequence[str],
    curve: Report | None,
    gap: float | None,
) -> Report:
    """What a fit leaves to read. trial: that of the chosen candidate, None where nothing was tried; left_out: candidates beyond
    the budget; not_promised: labels without the precision or recall that the rule is to promise; gap: see `duality_gap`."""
    counts = inputs.training.table(chosen.recipe).counts
    documents, labels = len(inputs.training.labels), len(inputs.labels.names)
    tally = None if inputs.corpus is None else inputs.corpus.tally
    return {
        "measure": by.name,
        "documents": documents,
        "labels": labels,
        "label_mode": "multi-label" if inputs.labels.multilabel else "single-label",
        "label_mode_because": label_mode_reason(inputs),
        "chosen": chosen.as_dict(),
        "decide": decide,
        "value": None if trial is None else trial.value,
        "interval": None if trial is None else [trial.low, trial.high],
        "tried": [each.as_dict() for each in trials],
        "left_out": [str(candidate) for candidate in left_out],
        "calibration": calibration,
        "not_promised": list(not_promised),
        "statement": statement(trial, trials, left_out, by.name, documents)
        + promise(decide, labels, not_promised)
        + surprise(inputs),
        "data": {
            "fingerprint": counts.digest,
            "documents": documents,
            "rows": documents if tally is None else tally.rows_in,
            "rejected": 0 if tally is None else tally.rejected,
            "repairs": {**({} if tally is None else tally.repairs), **inputs.labels.tally.repairs},
        },
        "learning_curve": curve,
        "duality_gap": gap,
        "changes": [],
    }


def duality_gap(model: Any) -> float | None:
    """What the objective of a label may be above the least there is, as a share of it, for the label that is farthest from it.
    None for models that minimise nothing, or whose solver proves nothing."""
    return float(np.max(model.gap_, initial=0.0)) if hasattr(model, "gap_") else None


def label_mode_reason(inputs: Inputs) -> str:
    """Why documents are taken to have one label each, or several."""
    labels = inputs.labels
    if inputs.multilabel is not None:
        return f"multilabel={inputs.multilabel} was asked for"
    if inputs.corpus is None:
        forms = {"one": "y has one label a document", "lists": "y has lists of labels", "indicator": "y is a 0/1 table"}
        return forms[labels.kind]
    others = sum(len(label_set) != 1 for label_set in labels.sets)
    return f"{others:,} documents have none or several labels" if others else "every document has exactly one label"


def surprise(inputs: Inputs) -> str:
    """A part of the statement where the form of the labels says several, and the labels one each; otherwise empty."""
    in_lists = inputs.multilabel is None and inputs.corpus is None and inputs.labels.kind == "lists"
    if not in_lists or any(len(label_set) != 1 for label_set in inputs.labels.sets):
        return ""
    return (
        "; multi-label, since y has lists, though each has one label (multilabel=False if there is never more than one)"
    )


def statement(
    trial: Trial | None, trials: Sequence[Trial], left_out: Sequence[Candidate], by: str, documents: int
) -> str:
    """How good it is, what is as good, and what nobody looked at."""
    if trial is None:
        return f"{documents} documents are too few to hold any out: nothing was tried, and nobody knows how good it is"
    as_good = [str(other.candidate) for other in trials if not other.worse and other is not trial]
    text = f"{by} {decimals(trial.value)} ({decimals(trial.low)} to {decimals(trial.high)}) on documents that it had not seen"
    if as_good:
        text += f"; not significantly better: {', '.join(as_good)}"
    if left_out:
        text += f"; not tried for lack of time: {', '.join(map(str, left_out))}"
    return text


def promise(decide: str, labels: int, not_promised: Sequence[str]) -> str:
    """For how many labels a precision or recall that was asked for is not promised; empty where it is for all."""
    if not not_promised:
        return ""
    what, _, least = decide.partition(":")
    few = ", ".join(not_promised[:5]) + (", …" if len(not_promised) > 5 else "")
    return f"; NOT PROMISED: a {what} of {least} for {len(not_promised):,} of {labels:,} labels ({few})"


def changed_report(
    report: Mapping[str, Any], counts: Counts, change: Mapping[str, Any], *, exactly: bool, gap: float | None
) -> Report:
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
        "duality_gap": gap,
        "changes": [*report["changes"], text],
    }


def done(change: Mapping[str, Any]) -> str:
    if change["forgotten"]:
        return f"forgot {change['forgotten']:,} documents"
    learned, corrected = f"learned {change['learned']:,} further documents", f"corrected {change['corrected']:,}"
    if not change["corrected"]:
        return learned
    return f"{learned} and {corrected}" if change["learned"] else f"{corrected} documents"
