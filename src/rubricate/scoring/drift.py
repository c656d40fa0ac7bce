"""Drift: whether new documents are like those a model was trained on, by their profiles. Each difference with a test, its size,
and the smallest one that so many documents would have shown.

Four things are looked at: labels, unknown terms, certainty, length. Documents are what is counted and permuted, never terms. The
chance of any false alarm is held at LEVEL: Holm over the four, and among labels Holm again.

The reference of a training comes from models of some folds, not from the model itself (`training.drift_reference`). Two
allowances are made for that, and none where the reference is a profile by the model itself:

    all but length    a model that was learned from n documents answers a little differently from one learned from n others,
                      about as much as a share of n documents differs from that of n others: the reference counts for half as
                      many documents as it has; for fewer where the model is often wrong, a share of mean certainty at most
    certainty         errors fall with the number of training documents n no faster than 1 / sqrt(n), and calibration differs as
                      much: up to (1 - certainty)(1 - sqrt(1 - 1/folds)), more or less certainty than folds have is no drift

`benchmarks/drift.py` measures how often drift is said where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, InvalidSetting
from ..foundation.arrays import Longs
from ..foundation.jsonable import jsonable
from ..foundation.two_samples import detectable, holm, mean_p, share_p, shares_p
from .document_profile import CERTAINTY, LENGTH, LOG_VALUES, SHARE_VALUES, UNKNOWN, DocumentProfile, profile_of
from .predictions import NamedText, predict_blocks

if TYPE_CHECKING:
    from .predictor import Predictor

LEVEL = 0.05
ASPECTS = 4
NO_LABEL = "(no label)"
MOST_COUNTING, LEAST_COUNTING = 0.5, 0.1  # shares of a held-out reference's documents: see above


@dataclass(frozen=True, slots=True)
class Difference:
    """A number of the reference and of the new documents. p: of the test; adjusted: allowing for all others; detectable: about
    the smallest difference that would have been shown four times out of five."""

    name: str
    before: float
    now: float
    p: float
    adjusted: float
    detectable: float

    @property
    def changed(self) -> bool:
        return self.adjusted <= LEVEL


@dataclass(frozen=True, slots=True)
class Drift:
    """New documents against a reference. labels: empty where the rule gives each label a fixed share of every batch (pcut)."""

    documents: int
    reference_documents: int
    held_out: (
        bool  # the reference is that of the training documents; otherwise of documents that the model was shown for it
    )
    labels: tuple[Difference, ...]  # shares of documents
    labels_p: float  # of all labels together
    labels_adjusted: float
    unknown_terms: Difference  # mean share of a document's terms
    certainty: Difference  # mean
    length: Difference  # in terms, typical: the geometric mean

    @property
    def quantities(self) -> tuple[Difference, ...]:
        return self.unknown_terms, self.certainty, self.length

    @property
    def labels_changed(self) -> bool:
        return self.labels_adjusted <= LEVEL

    @property
    def changed(self) -> bool:
        """Whether a drift can be shown."""
        return self.labels_changed or any(quantity.changed for quantity in self.quantities)

    def as_dict(self) -> dict[str, Any]:
        """For JSON: what is undefined as None."""
        values: dict[str, Any] = jsonable(self)
        for name in ("unknown_terms", "certainty", "length"):
            values[name]["changed"] = getattr(self, name).changed
        for row, label in zip(values["labels"], self.labels, strict=True):
            row["changed"] = label.changed
        return values | {"labels_changed": self.labels_changed, "changed": self.changed, "sentences": self.sentences()}

    def sentences(self) -> list[str]:
        """What can be shown, how large it is, and what could not have been seen."""
        from .drift_sentences import sentences

        return sentences(self)


def drift_of(
    predictor: Predictor, documents: Iterable[NamedText], *, reference: Iterable[NamedText] | None = None
) -> Drift:
    """New documents beside the training documents of a model, or beside other documents that it has not learned from."""
    if predictor.reference is None and reference is None:
        raise InvalidSetting(
            "this model keeps no numbers of its training documents (it was trained by an earlier version, or with too few "
            "documents to hold any out): train it again, or give documents like those it was trained on, but not these "
            "themselves, as the reference (--reference FILE)"
        )
    before = predictor.reference if reference is None else profile_by(predictor, reference)
    return drift_between(
        before,  # type: ignore[arg-type]
        profile_by(predictor, documents),
        predictor.label_names,
        multilabel=predictor.multilabel,
        decides_batches=predictor.decider.rule.of_batches,
    )


def profile_by(predictor: Predictor, documents: Iterable[NamedText]) -> DocumentProfile:
    """What documents are like to a model."""
    blocks = predict_blocks(predictor, documents)
    return profile_of(blocks, n_labels=len(predictor.labels), multilabel=predictor.multilabel)


def drift_between(
    reference: DocumentProfile,
    new: DocumentProfile,
    labels: Sequence[str],
    *,
    multilabel: bool,
    decides_batches: bool = False,
) -> Drift:
    """Two profiles compared. decides_batches: labels have fixed shares (pcut), and are not compared."""
    if not new.documents or not reference.documents:
        raise InputError(
            "the documents to compare", "there is none among them", "give some, a hundred if there are as many"
        )
    names, before, now = label_counts(reference, new, labels, multilabel=multilabel)
    held_out = reference.folds > 0
    # so many of the reference's documents count
    counting = min(MOST_COUNTING, max(float(reference.means[CERTAINTY]), LEAST_COUNTING)) if held_out else 1.0
    n, m = reference.documents, new.documents
    widen = math.sqrt((1 / (counting * n) + 1 / m) / (1 / n + 1 / m))
    label_p = np.array(
        [
            share_p(round(counting * a), round(counting * n), b, m)
            for a, b in zip(before.tolist(), now.tolist(), strict=True)
        ]
    )
    label_holm, labels_p = holm(label_p), math.nan
    if len(names) > 1 and not decides_batches:
        labels_p = float(label_holm.min()) if multilabel else shares_p(before, now, widen=widen)
    tolerance = 0.0
    if held_out:
        tolerance = (1 - float(reference.means[CERTAINTY])) * (1 - math.sqrt(1 - 1 / reference.folds))
    p = [labels_p, *(quantity_p(reference, new, row, tolerance, widen) for row in (UNKNOWN, CERTAINTY, LENGTH))]
    adjusted = holm(p).tolist()

    def quantity(name: str, row: int, first: float, second: float) -> Difference:
        smallest = smallest_difference(reference, new, row, counting, tolerance)
        smallest = smallest if row != LENGTH else (first + 1) * (2.0**smallest - 1)
        return Difference(name, first, second, p[1 + row], adjusted[1 + row], smallest)

    means = np.stack([reference.means, new.means], axis=1).tolist()
    rows: list[Difference] = []
    if not math.isnan(labels_p):
        times = adjusted[0] / labels_p  # what allowing for the other three costs
        level = LEVEL / ASPECTS / len(names)
        for place in range(len(names)):
            share = (before[place] + 1) / (n + 2)
            smallest = detectable(share * (1 - share), counting * n, m, level=level)
            in_all = max(adjusted[0], min(1.0, times * float(label_holm[place])))
            shares = float(before[place] / n), float(now[place] / m)
            rows.append(Difference(names[place], shares[0], shares[1], float(label_p[place]), in_all, smallest))
    return Drift(
        documents=m,
        reference_documents=n,
        held_out=held_out,
        labels=tuple(rows),
        labels_p=labels_p,
        labels_adjusted=adjusted[0],
        unknown_terms=quantity("unknown terms", UNKNOWN, *means[UNKNOWN]),
        certainty=quantity("certainty", CERTAINTY, *means[CERTAINTY]),
        length=quantity("length", LENGTH, reference.typical_length, new.typical_length),
    )


def label_counts(
    reference: DocumentProfile, new: DocumentProfile, labels: Sequence[str], *, multilabel: bool
) -> tuple[list[str], Longs, Longs]:
    """Names, and documents that have each; documents may have no label where they may have several."""
    if not multilabel:
        return list(labels), reference.labels, new.labels
    counts = (np.append(profile.labels, profile.unlabelled) for profile in (reference, new))
    return [*labels, NO_LABEL], *counts  # type: ignore[return-value]


def values_of(row: int) -> Any:
    return LOG_VALUES if row == LENGTH else SHARE_VALUES


def quantity_p(reference: DocumentProfile, new: DocumentProfile, row: int, tolerance: float, widen: float) -> float:
    """The test of one mean, with the allowances for models of folds."""
    values, before, now = values_of(row), reference.bins[row], new.bins[row]
    difference = float(now @ values / new.documents - before @ values / reference.documents)
    if row == CERTAINTY:
        difference = math.copysign(max(abs(difference) - tolerance, 0.0), difference)
    return mean_p(before, now, values, difference=difference, widen=1.0 if row == LENGTH else widen)


def smallest_difference(
    reference: DocumentProfile, new: DocumentProfile, row: int, counting: float, tolerance: float
) -> float:
    """The detectable difference of a mean, by the spread of the reference, with what is allowed for."""
    values, shares = values_of(row), reference.bins[row] / reference.documents
    variance = float(shares @ values**2 - (shares @ values) ** 2)
    n = (1.0 if row == LENGTH else counting) * reference.documents
    return detectable(variance, n, new.documents, level=LEVEL / ASPECTS) + (tolerance if row == CERTAINTY else 0.0)
