"""Scores of many documents at once, a CSR table of documents x terms, by the arrays of `scoring`'s forms and compiled loops.

The order of all operations is the one in which the forms themselves score single documents by numpy: both give the same floats.
Documents go in blocks, a thread each, and a document has the same scores whatever the blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ..errors import InvalidSetting
from ..foundation.arrays import Array, Floats, Longs
from ..foundation.csr import csr_parts, present, row_sums, row_values, scaled_rows
from ..foundation.threads import side_by_side
from ..scoring.additive import Additive, Layer, Rest, Stack
from ..scoring.arrays import TableByTerm, TermVector
from ..scoring.forms import Form, Layered, LengthDependent, Linear
from ..scoring.neighbours import Part, vote_weights

BLOCK = 1024  # documents a thread takes at a time
QUERIES = 256  # the same, where each is compared with all training documents
ROOM = 4_000_000  # values of DCM worked on at a time


def scores(form: Form, X: sparse.csr_array, jobs: int = 1) -> Floats:
    """Documents x labels; without the logarithms of priors, which count models add by themselves."""
    if isinstance(form, Linear):
        return linear_scores(form, X, jobs)
    if isinstance(form, Layered):
        return form.scores_of_sums(X @ form.into)
    if isinstance(form, Additive):
        return additive_scores(form, X, jobs)
    if isinstance(form, LengthDependent):
        return length_dependent_scores(form, X, jobs)
    similarities, neighbours = nearest(form.parts, X, form.k, jobs=jobs)
    return votes(vote_weights(similarities, form.vote), neighbours, form.truth, jobs)


def documents_of(X: sparse.csr_array) -> list[TermVector]:
    """The rows, as forms take single documents."""
    columns, ends = X.indices.astype(np.int64), X.indptr.tolist()
    return [TermVector(columns[i:j], X.data[i:j]) for i, j in pairwise(ends)]


def in_blocks(work: Callable[[int, int], None], n: int, size: int, jobs: int) -> None:
    """work(start, end) for blocks of documents, one thread each."""
    side_by_side(lambda start: work(start, min(start + size, n)), range(0, n, size), jobs)


def product(X: sparse.csr_array, by_term: TableByTerm, out: Floats, jobs: int = 1) -> None:
    """out += X @ by_term."""
    from ..kernels.products import add_products

    left, right = csr_parts(X), by_term.arrays
    in_blocks(lambda start, end: add_products(left, right, start, end, out), X.shape[0], BLOCK, jobs)


def linear_scores(linear: Linear, X: sparse.csr_array, jobs: int = 1) -> Floats:
    from ..kernels.products import add_dense_products

    out: Floats = np.repeat(linear.bias[None, :], X.shape[0], axis=0)
    if linear.factors is not None and linear.shared is not None:
        out += (X @ linear.shared)[:, None] * linear.factors
    if linear.is_sparse:
        product(X, linear.by_term, out, jobs)
    else:
        left, right = csr_parts(X), linear.rows
        in_blocks(lambda start, end: add_dense_products(left, right, start, end, out), X.shape[0], BLOCK, jobs)
    return out


# -- sums over terms


def gains_of(form: Additive, X: sparse.csr_array) -> sparse.csr_array:
    """What each term of each document counts, in every gain but "levels"."""
    if form.gain == "presence":
        return present(X)
    if form.idf is None and form.known is None:
        return X
    gains = X.astype(np.float64)
    if form.idf is not None:
        gains.data = gains.data * form.idf[gains.indices]
        if not form.cosine:
            return gains
        totals = np.sqrt(np.asarray(gains.multiply(gains).sum(axis=1)).ravel())
    elif form.known is not None:
        gains.data = gains.data * form.known[gains.indices]
        totals = np.asarray(gains.sum(axis=1)).ravel()
    return scaled_rows(gains, 1 / np.where(totals > 0, totals, 1.0))


def layer_scores(layer: Layer, gains: sparse.csr_array, jobs: int = 1) -> Floats:
    """One sum over terms, of documents given by the gain of each of their terms."""
    out = np.repeat(layer.bias[None, :], gains.shape[0], axis=0)
    if layer.default is not None:
        out += np.asarray(gains.sum(axis=1)).reshape(-1, 1) * layer.default
    if layer.common is not None:
        out += (gains @ layer.common)[:, None]
    if layer.groups is not None and layer.table is not None:
        n = len(layer.groups)
        grouping = sparse.csr_array((np.ones(n), layer.groups, np.arange(n + 1)), shape=(n, len(layer.table)))
        out += (gains @ grouping) @ layer.table
    product(gains, layer.by_term, out, jobs)
    return out


def rest_scores(rest: Rest, gains: sparse.csr_array, jobs: int = 1) -> Floats:
    """The scores of everything but each label."""
    whole: Floats = (gains @ rest.whole)[:, None] * rest.scale
    return layer_scores(rest.additive, gains, jobs) + whole


def additive_scores(form: Additive, X: sparse.csr_array, jobs: int = 1) -> Floats:
    """TF-IDF, PrTFIDF and naive Bayes, without the prior."""
    if isinstance(form.scorer, Stack):
        out = layer_scores(form.layers[0], present(X), jobs)
        for k, layer in enumerate(form.layers[1:], 2):
            higher = at_least(X, k)
            if higher.nnz == 0:
                break
            out += layer_scores(layer, higher, jobs)
        return out
    gains = gains_of(form, X)
    out = layer_scores(form.layers[0], gains, jobs)
    if form.fallback is not None:
        out[np.asarray(gains.sum(axis=1)).ravel() <= 0] = form.fallback
    return out if form.rest is None else out - rest_scores(form.rest, gains, jobs)


def at_least(X: sparse.csr_array, k: int) -> sparse.csr_array:
    """1 for every term that occurs at least k times."""
    table = X.astype(np.float64)
    table.data = (table.data >= k).astype(np.float64)
    table.eliminate_zeros()
    return table


# -- sums over terms, and lengths


def length_dependent_scores(form: LengthDependent, X: sparse.csr_array, jobs: int = 1) -> Floats:
    """DCM and EDCM, without the prior."""
    X = as_rows(X, form.shape[1])
    penalty = length_penalty(
        form.labels.s_smoothed, row_sums(X), less=None if form.rests is None else form.rests.s_smoothed
    )
    if form.layer is None:
        out = -penalty
        size = max(1, min(BLOCK, ROOM * X.shape[0] // max(1, X.nnz * out.shape[1])))

        def block(start: int, end: int) -> None:
            add_terms(form.signed, X if end - start == X.shape[0] else X[start:end], out[start:end])

        in_blocks(block, X.shape[0], size, jobs)
    else:
        out = layer_scores(form.layer, present(X), jobs)
        out -= penalty
    for label in form.unsmoothed:
        absent = form.labels.row(label) <= 0
        out[present(X) @ absent.astype(np.float64) > 0, label] = -np.inf
    return out


def as_rows(X: sparse.csr_array, n_terms: int) -> sparse.csr_array:
    """X as CSR of floats, each term once and no stored zeros."""
    if X.shape[1] != n_terms:
        raise InvalidSetting(f"the documents have {X.shape[1]} columns, the model {n_terms} terms: give the same terms")
    X = sparse.csr_array(X, dtype=np.float64)
    if not X.has_canonical_format or not X.data.all():
        X = X.copy()
        X.sum_duplicates()
        X.eliminate_zeros()
    return X


def length_penalty(s: Floats, lengths: Floats, *, less: Floats | None = None) -> Floats:
    """log Gamma(s + |d|) - log Gamma(s), documents x labels; less the same for the s of `less`."""
    from ..kernels.dirichlet import log_rises

    different, place = np.unique(lengths, return_inverse=True)
    table = np.empty((len(different), len(s)))
    log_rises(s, different, table)
    if less is not None:
        other = np.empty_like(table)
        log_rises(less, different, other)
        table -= other
    return table[place.reshape(-1)]


def add_terms(signed: list[tuple[float, Any]], X: sparse.csr_array, out: Floats) -> None:
    """Add log Gamma(tf + alpha) - log Gamma(alpha) of all terms of documents, once for each different (term, times), and where a
    term is not stored for each different (kind, times). signed: `LengthDependent.signed` of DCM.                   [003 eq. 7]"""
    from ..kernels.dirichlet import add_rises, add_stored
    from ..kernels.products import add_products, add_rows

    n, ends, times = X.shape[0], X.indptr.astype(np.int64), X.data
    _, last = signed[-1]  # only rests tell kinds of terms apart
    kind = last.kind_of(X.indices)
    first, place = pairs(kind, times)
    table = np.zeros((len(first), out.shape[1]))
    for sign, alpha in signed:
        if alpha.kinds is None:
            different, which = np.unique(times[first], return_inverse=True)
            rises = np.zeros((len(different), table.shape[1]))
            add_rises(np.zeros(len(different), dtype=np.int64), different, alpha.unstored, sign, rises)
            table += rises[which.reshape(-1)]
        else:
            add_rises(kind[first].astype(np.int64), times[first], alpha.unstored, sign, table)
    add_rows(ends, place, table, 0, n, out)
    first, place = pairs(X.indices, times)
    terms, stored = X.indices[first].astype(np.int64), signed[0][1].smoothed
    entries, sizes = stored.places(terms)
    row_ends = np.append(0, np.cumsum(sizes))
    values = np.zeros(row_ends[-1])
    for sign, alpha in signed:  # a label and its rest have the same terms stored
        add_stored(terms, times[first], (*alpha.smoothed.arrays, alpha.instead), sign, row_ends, values)
    add_products((ends, place.astype(np.int32), np.ones(X.nnz)), (row_ends, stored.labels[entries], values), 0, n, out)


def pairs(numbers: Array, times: Floats) -> tuple[Longs, Longs]:
    """The different (number, times): a place of each, and which of them is at each place."""
    once, more = np.flatnonzero(times == 1), np.flatnonzero(times != 1)
    lookup = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
    lookup[numbers[once]] = once  # most occur once, and need no sorting
    present_numbers = np.flatnonzero(lookup >= 0)
    first = lookup[present_numbers]
    lookup[present_numbers] = np.arange(len(present_numbers))
    often = times[more]
    whole = bool((often == np.floor(often)).all()) and often.max(initial=0.0) < 1 << 20
    keys = numbers[more].astype(np.int64) << 20 | often.astype(np.int64) if whole else numbers[more] + 1j * often
    _, where, which = np.unique(keys, return_index=True, return_inverse=True)
    place = np.empty(len(numbers), dtype=np.int64)
    place[once] = lookup[numbers[once]]
    place[more] = len(first) + which.reshape(-1)
    return np.concatenate([first, more[where]]), place


# -- neighbours


def unit_rows(X: sparse.csr_array) -> sparse.csr_array:
    """Each document divided by its Euclidean length, however large or small its weights; a zero vector stays zero."""
    out = X.astype(np.float64)  # a copy
    with np.errstate(over="ignore", under="ignore"):
        squares = row_sums(out, out.data**2)
        extreme = ~((squares > 1e-200) & (squares < 1e200))
        if extreme.any():  # squares of such weights leave the numbers
            largest = np.zeros(X.shape[0])
            np.maximum.at(largest, row_values(out, np.arange(X.shape[0])), np.abs(out.data))
            out.data /= row_values(out, np.where(extreme & (largest > 0), largest, 1.0))
            squares = row_sums(out, out.data**2)
        out.data /= row_values(out, np.sqrt(np.where(squares > 0, squares, 1.0)))
    return out


def nearest(
    parts: tuple[Part, ...], X: sparse.csr_array, k: int, *, members: Longs | None = None, jobs: int = 1
) -> tuple[Floats, Longs]:
    """Cosines, to 12 decimals, and numbers of the k nearest training documents of each row of X, nearest first; all of them where
    there are fewer. Equally near ones in their order. members: the training document that each row is, which is passed over."""
    from ..kernels.cosine_neighbours import nearest as search

    n = X.shape[0]
    k = min(k, sum(len(part) for part in parts) - (members is not None))
    values, places = np.zeros((n, k)), np.full((n, k), -1)
    queries, left_out = csr_parts(unit_rows(X)), np.full(n, -1) if members is None else members

    def block(start: int, end: int) -> None:
        offset = 0
        for part in parts:
            tables = part.postings, part.commons, part.slots, part.lengths
            search(queries, *tables, left_out, offset, start, end, values, places)
            offset += len(part)

    if k:
        in_blocks(block, n, max(1, min(QUERIES, -(-n // (4 * jobs)))), jobs)
    return values, places


def votes(weights: Floats, neighbours: Longs, truth: Any, jobs: int = 1) -> Floats:
    """score(d, c) = sum over the neighbours of d that have label c of what their vote counts, documents x labels.

    weights, neighbours: documents x k; truth: training documents x labels.
    """
    n, k = neighbours.shape
    ends = np.arange(0, n * k + 1, k) if k else np.zeros(n + 1, dtype=np.int64)
    table = sparse.csr_array((weights.ravel(), neighbours.ravel(), ends), shape=(n, truth.shape[0]))
    out = np.zeros((n, truth.shape[1]))
    product(table, TableByTerm(*csr_parts(truth)), out, jobs)
    return out


# -- tables by term that models of the same statistics share


@dataclass(frozen=True, eq=False)
class Transposition:
    """Where the entries of a table go when it is transposed: the same for all tables with entries in its places."""

    row_ends: Array  # of the table: the same object in all tables made with its places
    order: Longs  # of the entries, when columns come first
    rows: Array  # of the entries in that order
    column_ends: Array  # a 0 in front

    @classmethod
    def of(cls, table: sparse.csr_array) -> Transposition:
        numbers = sparse.csr_array((np.arange(table.nnz), table.indices, table.indptr), shape=table.shape)
        by_column = numbers.tocsc()
        rows, ends = by_column.indices.astype(np.int32, copy=False), by_column.indptr.astype(np.int64, copy=False)
        return cls(table.indptr, by_column.data, rows, ends)

    def transposed(self, table: Any) -> TableByTerm:
        """A table by term; without sorting if it has these places."""
        if table.indptr is not self.row_ends:
            return TableByTerm.of(table)
        return TableByTerm(self.column_ends, self.rows, table.data[self.order])

    def prepare(self, form: Form) -> None:
        """Make the tables that scoring reads now, in the places that other forms share."""
        if isinstance(form, LengthDependent) and form.layer is None:
            for _, alpha in form.signed:
                if "smoothed" not in vars(alpha):
                    vars(alpha)["smoothed"] = alpha.smooth(self.transposed(alpha.alpha))
            return
        layers: list[Any] = [form.layer] if isinstance(form, LengthDependent) else []
        if isinstance(form, Additive):
            layers = [*form.layers, *([] if form.rest is None else [form.rest.additive])]
        for layer in layers:
            if "by_term" not in vars(layer):
                vars(layer)["by_term"] = self.transposed(layer.weights)
