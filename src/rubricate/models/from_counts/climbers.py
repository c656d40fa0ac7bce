"""Who climbs to the maximum of a DCM likelihood: labels, their rests, or everything, by the lengths of their documents and by
the histograms of their terms, terms of equal histogram together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidSetting
from ...foundation.arrays import Floats, Ints, Longs
from .evidence import Evidence
from .histograms import Histograms, Pool
from .lengths import Lengths

__all__ = ["Climbers", "everything_of", "labels_of", "rests_of"]


@dataclass(frozen=True, eq=False)
class Climbers:
    """Labels, or rests, that climb together: the lengths of their documents, and the histograms of their terms."""

    lengths: Lengths
    pool: Pool
    ends: Longs  # of each label's cells, a 0 in front
    profile: Ints  # of each cell: its histogram in the pool ...
    less: Ints  # ... without this one; -1 for none
    terms: Floats  # of each cell: how many terms have it
    shared: Floats  # histograms, the first of the pool, x labels: how many terms have it as it is

    @property
    def cells(self) -> tuple[Longs, Ints, Ints, Floats]:
        """As kernels take them."""
        return self.ends, self.profile, self.less, self.terms

    @property
    def documents(self) -> tuple[Longs, Floats, Floats]:
        """As kernels take them."""
        return self.lengths.ends, self.lengths.lengths, self.lengths.documents

    @property
    def label(self) -> Longs:
        """Of each cell."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.ends))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def start(self, scale: Floats) -> tuple[Floats, Floats]:
        """Alpha where EDCM has it, scale times the documents with the term: of cells, and histograms x labels."""
        held = self.pool.documents_with
        left = held[self.profile] - np.where(self.less >= 0, held[self.less], 0.0)
        return scale[self.label] * left, held[: len(self.shared), None] * scale

    def alone(self, labels: Longs, own: Floats, shared: Floats) -> tuple[Climbers, Floats]:
        """Some labels, each with all histograms in cells of its own, the shared ones first; and alpha of these cells."""
        kinds = np.arange(len(shared), dtype=np.int32)
        parts = [slice(self.ends[label], self.ends[label + 1]) for label in labels]
        lengths = [slice(self.lengths.ends[label], self.lengths.ends[label + 1]) for label in labels]
        alone = Climbers(
            Lengths(
                ends_of(lengths, 0), joined(self.lengths.lengths, lengths), joined(self.lengths.documents, lengths)
            ),
            self.pool,
            ends_of(parts, len(kinds)),
            joined(self.profile, parts, [kinds] * len(parts)),
            joined(self.less, parts, [np.full(len(kinds), -1, dtype=np.int32)] * len(parts)),
            joined(self.terms, parts, list(self.shared[:, labels].T)),
            np.zeros((0, len(labels))),
        )
        return alone, joined(own, parts, list(shared[:, labels].T))


def labels_of(evidence: Evidence) -> tuple[Climbers, Longs]:
    """All labels; and the cell of each entry of `documents_with`."""
    histograms, ends = Histograms.of(evidence), evidence.documents_with.indptr.astype(np.int64)
    whole, none = np.full(len(histograms.own), -1, dtype=np.int32), np.zeros((0, evidence.n_labels))
    cells, cell_of = together(ends, histograms.own, whole)
    return Climbers(Lengths.of_labels(evidence), histograms.pool, *cells, none), cell_of


def rests_of(evidence: Evidence, first: int, last: int) -> tuple[Climbers, Longs]:
    """The rests of labels first..last-1, with cells for the terms their labels have, all other terms by their kind; and the
    cell of each entry of these rows of `documents_with`."""
    histograms, table, n = Histograms.of(evidence), evidence.documents_with, last - first
    part = slice(table.indptr[first], table.indptr[last])
    ends = table.indptr[first : last + 1].astype(np.int64) - table.indptr[first]
    profile, less = histograms.of_terms[table.indices[part]], histograms.own[part]
    kinds, label = histograms.n_kinds, np.repeat(np.arange(n), np.diff(ends))
    had = np.bincount(profile.astype(np.int64) * n + label, minlength=(kinds + 1) * n).reshape(kinds + 1, n)
    lacking = np.bincount(histograms.of_terms, minlength=kinds + 1)[:-1, None] - had[:-1]
    (ends, profile, less, terms), cell_of = together(ends, profile, less)
    sizes, held = np.diff(histograms.pool.step_ends), histograms.pool.documents_with
    if had[-1].any() or (sizes[less] > sizes[profile]).any() or (held[less] > held[profile]).any():
        raise InvalidSetting("a label holds documents that everything does not: these counts contradict themselves")
    lengths = Lengths.of_rests(evidence, first, last)
    return Climbers(lengths, histograms.pool, ends, profile, less, terms, lacking.astype(np.float64)), cell_of


def together(ends: Longs, profile: Ints, less: Ints) -> tuple[tuple[Longs, Ints, Ints, Floats], Longs]:
    """Terms of a label with equal histograms in one cell: ends, profile, less, terms; and the cell of each term."""
    from ...kernels.dirichlet import grouped

    size = len(profile)
    cell_of, terms, cell_ends = np.empty(size, dtype=np.int64), np.empty(size), np.empty(len(ends), dtype=np.int64)
    profiles, lesses = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.int32)
    slots = np.zeros(1 << max(3, int(2 * np.diff(ends).max(initial=0)).bit_length()), dtype=np.int64)
    n = grouped(ends, profile, less, slots, cell_of, profiles, lesses, terms, cell_ends)
    return (cell_ends, profiles[:n], lesses[:n], terms[:n]), cell_of


def everything_of(evidence: Evidence) -> Climbers:
    """All documents, as those of one label."""
    histograms = Histograms.of(evidence)
    n = histograms.n_kinds
    ends, kind, whole = np.array([0, n]), np.arange(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    terms = np.bincount(histograms.of_terms, minlength=n + 1)[:-1].astype(np.float64)
    return Climbers(Lengths.of_everything(evidence), histograms.pool, ends, kind, whole, terms, np.zeros((0, 1)))


def ends_of(parts: list[slice], more: int) -> Longs:
    """Where parts of so many more end, one after the other."""
    return np.append(0, np.cumsum([part.stop - part.start + more for part in parts])).astype(np.int64)


def joined(array: Any, parts: list[slice], before: list[Any] | None = None) -> Any:
    """Parts of an array, one after the other, each with something before it."""
    pieces = [array[part] for part in parts]
    if before is not None:
        pieces = [piece for pair in zip(before, pieces, strict=True) for piece in pair]
    return np.concatenate([array[:0], *pieces])
