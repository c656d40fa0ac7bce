"""Choosing k inside the training set: each training document is judged by the others, for every k at once.

The nearest of all k are found once, for the largest; the document itself is left out; what the k nearest say is a part of
what the next larger k say, so the sums are carried on from k to k.                                      [004 sec. 3, 5]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Floats
from ...foundation.ties import first_best
from ...measures.metrics import contingency, log_loss
from ...storage.registry import stored
from .nearest import Nearest, Neighbours
from .shares import decisions, weight_sums, with_everything

__all__ = ["CANDIDATES", "SAMPLE", "TriedK", "best_of", "tried", "without_own"]

CANDIDATES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100)
SAMPLE = 5000  # so many documents tell one k from another
MEASURES = ("f1", "log_loss")
BLOCK = 1 << 21  # probabilities that are held at a time


@stored("density.tried", keys=("k", "f1", "log_loss"))
@dataclass(frozen=True, slots=True)
class TriedK:
    """How good the training documents' probabilities are with this k, each document left out of its own."""

    k: int
    f1: float  # micro-averaged, of the decisions; for labels that exclude each other the share of right ones
    log_loss: float


def best_of(evidence: Sequence[TriedK], measure: str) -> int:
    """The k with the highest F1 or the lowest log loss; of those within 1e-12, the smallest."""
    if measure not in MEASURES:
        raise UnknownName("measure to choose k by", str(measure), MEASURES)
    if not evidence:
        return 1  # one document has no others to be judged by
    values = np.array([row.f1 if measure == "f1" else -row.log_loss for row in evidence])
    return evidence[int(np.argmax(values >= values.max() - 1e-12))].k


def tried(
    nearest: Nearest,
    labels: sparse.csr_array,
    candidates: Sequence[int],
    *,
    epsilon: float,
    exclusive: bool,
    sample: int = SAMPLE,
    random_state: int = 0,
) -> list[TriedK]:
    """Every candidate, smallest first; those that ask for more neighbours than there are count as all there are.

    For the logarithm a probability is no nearer to 0 or 1 than 1 / 2n: n documents cannot be surer than that.
    """
    n = len(nearest.vectors)
    if not candidates or any(isinstance(k, bool) or int(k) != k or k < 1 for k in candidates):
        raise InvalidSetting(f"candidates={candidates!r}: give whole numbers of neighbours from 1")
    ks = sorted({min(int(k), n - 1) for k in candidates} - {0})
    if not ks:
        return []
    asked = np.arange(n)
    if n > sample:
        asked = np.sort(np.random.default_rng(random_state).choice(n, sample, replace=False))
    table = with_everything(labels)
    losses, right, wrong = np.zeros(len(ks)), np.zeros(len(ks)), np.zeros(len(ks))
    step = max(1, BLOCK // table.shape[1])
    for start in range(0, len(asked), step):
        own = asked[start : start + step]
        found = without_own(nearest.find(nearest.vectors[own], ks[-1] + 1), own)
        truth = labels[own].toarray()
        sums, before = np.zeros((len(own), table.shape[1])), 0
        for i, k in enumerate(ks):
            part = slice(before, k)
            sums += weight_sums(found.distances[:, part], found.indices[:, part], table, epsilon=epsilon)
            before = k
            loss, a, b = judged(sums[:, :-1] / sums[:, -1:], truth, exclusive, clip=1 / (2 * n))
            losses[i] += loss * len(own) / len(asked)
            right[i] += a
            wrong[i] += b
    f1 = np.divide(2 * right, 2 * right + wrong, out=np.ones(len(ks)), where=right + wrong > 0)
    return [TriedK(k, float(f), float(loss)) for k, f, loss in zip(ks, f1, losses, strict=True)]


def without_own(found: Neighbours, own: Any) -> Neighbours:
    """Neighbours without the document itself: one less. With many equal vectors it may not be among them; then the last goes."""
    keep = found.indices != own[:, None]
    keep[keep.all(axis=1), -1] = False
    shape = len(own), found.indices.shape[1] - 1
    return Neighbours(found.distances[keep].reshape(shape), found.indices[keep].reshape(shape))


def judged(probabilities: Floats, truth: Floats, exclusive: bool, *, clip: float) -> tuple[float, int, int]:
    """Mean log loss; right decisions (a); wrong ones (b + c)."""
    if not exclusive:
        table = contingency(decisions(probabilities), truth).total
        return log_loss(probabilities, truth, clip=clip), int(table.a), int(table.b + table.c)
    label_of = truth.argmax(axis=1)
    right = int((first_best(probabilities) == label_of).sum())
    return log_loss(probabilities, label_of, clip=clip), right, 2 * (len(truth) - right)
