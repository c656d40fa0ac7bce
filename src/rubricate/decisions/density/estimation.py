"""Density estimation: the probability of a label is its share among the training documents with the most similar scores.
Learns from: scores of training documents, and their labels. Source: 004 sec. 3.

    P(C|d) = sum over the k nearest t of I(t, C) / (D(d, t) + eps)  /  sum over the same of 1 / (D(d, t) + eps)   [004 sec. 3]

Labels may exclude each other (probabilities then sum to 1) or not. The scores may come from any classifier, and need not be
as many as the labels.

k is chosen inside the training set: each training document is predicted from the others, for every k at once. The nearest are
found once, for the largest k, without the document itself; sums over the k nearest are carried on to the next larger k, whose
neighbours include them.                                                                                 [004 sec. 3, 5]

Combo takes density estimation for the labels where it did better on held-out documents and another rule for the others; in the
paper that is Pcut, and the measure F1.                                                                   [004 sec. 7.3]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ...errors import InvalidSetting, UnknownName
from ...foundation.arrays import Bools, Floats, Longs, first_best
from ...measures.inputs import yes_no
from ...measures.metrics import contingency, f_beta, log_loss
from ...scoring import density as scoring
from ...scoring.calibrated import Range, refuse_nan
from ...storage.checks import LEARNED, check_classifier, need, table_size
from ...storage.registry import stored, stored_estimator
from .nearest import Nearest, Neighbours

if TYPE_CHECKING:
    from typing import Self

CANDIDATES = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100)
SAMPLE = 5000  # so many documents tell one k from another
MEASURES = ("f1", "log_loss")
BLOCK = 1 << 21  # probabilities that are held at a time
HALF = 0.5 + 1e-12  # what is a half to 12 decimals is not more than a half


@stored("density.tried", keys=("k", "f1", "log_loss"))
@dataclass(frozen=True, slots=True)
class TriedK:
    """How good the training documents' probabilities are with this k, each predicted from the others."""

    k: int
    f1: float  # micro-averaged, of the decisions; for labels that exclude each other the share of correct ones
    log_loss: float


def _check_density_estimation(model: DensityEstimation) -> None:
    check_classifier(model)
    if isinstance(getattr(model, "_nearest", None), Nearest):
        size = len(model._nearest.vectors), len(model.classes_)
        need(table_size(model._labels, "labels") == size, "other labels than vectors")


@stored_estimator(
    "density", learned=(*LEARNED, "_labels", "_nearest", "_range", "evidence_", "k_"), check=_check_density_estimation
)
class DensityEstimation(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Probabilities from score vectors: `fit(scores, Y)`, then `predict_proba(scores)`.

    Y: 0/1 documents x labels, dense or sparse, or one label a document. k: so many neighbours, or "auto": that of
    `candidates` which is best by `measure` ("f1", as 004 has it, or "log_loss") when each training document is predicted
    from the others; no more than 5,000 of them, drawn by `random_state`, are. epsilon: "arbitrary, very small".
    way: how neighbours are found, see `Nearest`; it changes no number.
    """

    classes_: Any
    several_labels_: bool
    k_: int
    evidence_: list[TriedK]

    def __init__(
        self,
        *,
        k: int | str = "auto",
        epsilon: float = 1e-9,
        candidates: Sequence[int] = CANDIDATES,
        measure: str = "f1",
        way: str = "auto",
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.epsilon = epsilon
        self.candidates = candidates
        self.measure = measure
        self.way = way
        self.random_state = random_state

    def fit(self, scores: Any, Y: Any) -> Self:
        """Store the training documents' scores and labels; choose k if it is "auto"."""
        self._check_settings()
        scores, Y = validate_data(self, scores, Y, dtype=np.float64, ensure_all_finite=False, multi_output=True)
        refuse_nan(scores, nan="NaN")
        self._range = Range.of(scores)
        self._read_labels(Y)
        self._nearest = Nearest(self._range.clip_infinite(scores), way=self.way)
        self.evidence_ = []
        if self.k == "auto":
            self.evidence_ = compare_k(
                self._nearest,
                self._labels,
                self.candidates,
                epsilon=self.epsilon,
                exclusive=not self.several_labels_,
                sample=SAMPLE,
                random_state=self.random_state,
            )
            self.k_ = best_k(self.evidence_, self.measure)
        else:
            self.k_ = int(self.k)
        return self

    def neighbours(self, scores: Any) -> Neighbours:
        """Distances and indices of the k nearest training documents, in order; all of them where there are fewer."""
        check_is_fitted(self)
        scores = validate_data(self, scores, dtype=np.float64, ensure_all_finite=False, reset=False)
        refuse_nan(scores, nan="NaN")
        return self._nearest.find(self._range.clip_infinite(scores), self.k_)

    def predict_proba(self, scores: Any) -> Floats:
        """P(C|d), documents x labels.                                                                      [004 sec. 3]"""
        return shares(self.neighbours(scores), self._labels, epsilon=self.epsilon)

    def training_proba(self) -> Floats:
        """P(C|d) of each training document from the others: what `Combo` and thresholds can be chosen by."""
        check_is_fitted(self)
        vectors = self._nearest.vectors
        if len(vectors) < 2:
            raise InvalidSetting("fitted on one document: there are no others to judge it by")
        neighbours = without_themselves(self._nearest.find(vectors, self.k_ + 1), np.arange(len(vectors)))
        return shares(neighbours, self._labels, epsilon=self.epsilon)

    def predict(self, scores: Any) -> Any:
        """The label with the highest probability [004 footnote 4]; multi-label, 1 where P > 0.5."""
        return self.decide(self.predict_proba(scores))

    def decide(self, probabilities: Floats) -> Any:
        """Decisions from probabilities."""
        return decisions(probabilities) if self.several_labels_ else self.classes_[first_best(probabilities)]

    def _read_labels(self, Y: Any) -> None:
        self.several_labels_ = sparse.issparse(Y) or (
            Y.ndim == 2 and (Y.shape[1] > 1 or bool(np.isin(Y, (0, 1)).all()))
        )
        if self.several_labels_:
            self._labels = sparse.csr_array(yes_no(Y, "Y")).astype(np.float64)
            self.classes_ = np.arange(Y.shape[1])
            return
        Y = column_or_1d(Y, warn=True)
        check_classification_targets(Y)
        self.classes_, label_of = np.unique(Y, return_inverse=True)
        n = len(label_of)
        self._labels = sparse.csr_array((np.ones(n), label_of, np.arange(n + 1)), shape=(n, len(self.classes_)))

    def _check_settings(self) -> None:
        if self.k != "auto" and (isinstance(self.k, bool | str) or int(self.k) != self.k or self.k < 1):
            raise InvalidSetting(f'k={self.k!r}: give a whole number of neighbours from 1, or "auto"')
        if not 1e-300 <= self.epsilon < np.inf:
            raise InvalidSetting(
                f"epsilon={self.epsilon!r}: give a small number above 0, so that equal vectors do not weigh inf"
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


# -- from neighbours to probabilities, and to decisions


def shares(neighbours: Neighbours, labels: sparse.csr_array, *, epsilon: float) -> Floats:
    """P(C|d) = sum of I(t, C) / (D(d, t) + eps) over the neighbours t, / sum of 1 / (D(d, t) + eps).      [004 sec. 3]

    labels: 0/1, training documents x labels.
    """
    return scoring.shares(neighbours.distances, neighbours.indices, sparse.csr_array(labels), epsilon=epsilon)


def decisions(probabilities: Floats) -> Longs:
    """1 where P > 0.5 (readings 004.4)."""
    return (probabilities > HALF).astype(np.int64)


# -- the choice of k


def best_k(evidence: Sequence[TriedK], measure: str) -> int:
    """The k with the highest F1 or the lowest log loss; of those within 1e-12, the smallest."""
    if measure not in MEASURES:
        raise UnknownName("measure to choose k by", str(measure), MEASURES)
    if not evidence:
        return 1  # one document has no others to be predicted from
    values = np.array([row.f1 if measure == "f1" else -row.log_loss for row in evidence])
    return evidence[int(np.argmax(values >= values.max() - 1e-12))].k


def compare_k(
    nearest: Nearest,
    labels: sparse.csr_array,
    candidates: Sequence[int],
    *,
    epsilon: float,
    exclusive: bool,
    sample: int = SAMPLE,
    random_state: int = 0,
) -> list[TriedK]:
    """Every candidate, smallest first; where there are fewer neighbours than k, all are taken.

    For the logarithm a probability is no nearer to 0 or 1 than 1 / 2n: n documents cannot be surer than that.
    """
    n = len(nearest.vectors)
    if not candidates or any(isinstance(k, bool) or int(k) != k or k < 1 for k in candidates):
        raise InvalidSetting(f"candidates={candidates!r}: give whole numbers of neighbours from 1")
    ks = sorted({min(int(k), n - 1) for k in candidates} - {0})
    if not ks:
        return []
    sampled = np.arange(n)
    if n > sample:
        sampled = np.sort(np.random.default_rng(random_state).choice(n, sample, replace=False))
    losses, correct, errors = np.zeros(len(ks)), np.zeros(len(ks)), np.zeros(len(ks))
    step = max(1, BLOCK // (labels.shape[1] + 1))
    for start in range(0, len(sampled), step):
        documents = sampled[start : start + step]
        neighbours = without_themselves(nearest.find(nearest.vectors[documents], ks[-1] + 1), documents)
        truth = labels[documents].toarray()
        sums, totals, before = np.zeros(truth.shape), np.zeros((len(documents), 1)), 0
        for i, k in enumerate(ks):
            part = slice(before, k)
            more = scoring.weight_sums(
                neighbours.distances[:, part], neighbours.indices[:, part], labels, epsilon=epsilon
            )
            sums, totals, before = sums + more[0], totals + more[1], k
            loss, a, b = loss_and_errors(sums / totals, truth, exclusive, clip=1 / (2 * n))
            losses[i] += loss * len(documents) / len(sampled)
            correct[i] += a
            errors[i] += b
    f1 = np.divide(2 * correct, 2 * correct + errors, out=np.ones(len(ks)), where=correct + errors > 0)
    return [TriedK(k, float(f), float(loss)) for k, f, loss in zip(ks, f1, losses, strict=True)]


def without_themselves(neighbours: Neighbours, documents: Any) -> Neighbours:
    """Neighbours of training documents without the documents themselves: one less each. With many equal vectors a document may
    not be among its neighbours; then the last goes."""
    others = neighbours.indices != documents[:, None]
    others[others.all(axis=1), -1] = False
    shape = len(documents), neighbours.indices.shape[1] - 1
    return Neighbours(neighbours.distances[others].reshape(shape), neighbours.indices[others].reshape(shape))


def loss_and_errors(probabilities: Floats, truth: Floats, exclusive: bool, *, clip: float) -> tuple[float, int, int]:
    """Mean log loss; correct decisions (a); errors (b + c)."""
    if not exclusive:
        table = contingency(decisions(probabilities), truth).total
        return log_loss(probabilities, truth, clip=clip), int(table.a), int(table.b + table.c)
    label_of = truth.argmax(axis=1)
    correct = int((first_best(probabilities) == label_of).sum())
    return log_loss(probabilities, label_of, clip=clip), correct, 2 * (len(truth) - correct)


# -- density estimation for some labels, another rule for the others


def combo(density_f1: Any, other_f1: Any) -> Bools:
    """For each label whether density estimation decides: only where its F1 is strictly higher (readings 004.8)."""
    ours, others = np.asarray(density_f1, dtype=np.float64), np.asarray(other_f1, dtype=np.float64)
    if ours.ndim != 1 or ours.shape != others.shape:
        raise InvalidSetting(f"F1 of shapes {ours.shape} and {others.shape}: give one number a label, for both")
    by_density: Bools = ours > others + 1e-12
    return by_density


@stored("density.combo", keys=("density_f1", "other_f1", "other"))
@dataclass(frozen=True, slots=True, eq=False)
class Combo:
    """Which of two rules decides each label, and the F1 on held-out documents that says so."""

    density_f1: Floats  # labels
    other_f1: Floats
    other: str = "pcut"

    @classmethod
    def of(cls, density_decisions: Any, other_decisions: Any, truth: Any, *, other: str = "pcut") -> Self:
        """From both rules' 0/1 decisions on held-out documents."""
        return cls(f_beta(density_decisions, truth), f_beta(other_decisions, truth), other)

    @property
    def by_density(self) -> Bools:
        """For each label whether density estimation decides."""
        return combo(self.density_f1, self.other_f1)

    @property
    def choice(self) -> list[str]:
        """The name of the rule that decides each label."""
        return ["density" if ours else self.other for ours in self.by_density]

    def decide(self, density_decisions: Any, other_decisions: Any) -> Longs:
        """Both rules' 0/1 decisions, documents x labels: of each label those of its rule."""
        ours, others = np.asarray(density_decisions), np.asarray(other_decisions)
        if ours.shape != others.shape or ours.shape[1:] != self.density_f1.shape:
            raise InvalidSetting(
                f"decisions of shapes {ours.shape} and {others.shape} for {len(self.density_f1)} labels: "
                "give documents x labels, for both"
            )
        return np.where(self.by_density, ours, others).astype(np.int64)

    def as_dict(self) -> dict[str, Any]:
        """What can be written as JSON."""
        return {"density_f1": self.density_f1.tolist(), "other_f1": self.other_f1.tolist(), "other": self.other}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> Self:
        """What `as_dict` gave."""
        return cls(np.array(held["density_f1"]), np.array(held["other_f1"]), held["other"])
