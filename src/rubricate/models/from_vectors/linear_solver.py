"""One solver for linear models: all labels of a collection, by dual coordinate descent (`kernels.dual_descent`).

Labels are solved in blocks, which share nothing but the documents: numbers are the same bits whatever the blocks and threads.
Each label ends when primal - dual <= tol x primal, so that its objective is at most 1 / (1 - tol) of the least there is; the gap
that was reached is part of the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ...foundation.arrays import Bools, Floats
from ...foundation.csr import row_sums
from ...foundation.threads import available_threads, side_by_side

WIDTH = 32  # labels of a block: more would push each other's rows out of the cache
ROOM = 2**24  # weights of a block: 128 MB
LEFT_ALONE = 0.5  # share of tol that documents which are left alone may make up together
FIRST = 0.3  # gap after the first round, as a share of the dual
ROUND = 8  # sweeps over a label's moving documents, at most, between two looks at all of them
CLOSER = 0.1  # share of the gap at the last look at which to look again, and which documents left alone until then may make up
STEEP = 4.0  # largest cost x (x.x) for which two steps of Newton's method come near enough
RADIUS = 1.0  # how far off a free bias is taken to be at most, when its share of the gap is counted


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Weights, labels x terms, and for each label its bias, (primal - dual) / primal and the sweeps over documents it took."""

    weights: Floats
    bias: Floats
    gap: Floats
    sweeps: Any


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Documents as the kernels take them, and what they cost."""

    loss: int
    documents: Any  # ends, places of terms by frequency, so that what is often asked for lies together; values
    lengths: Floats  # x.x
    weights: Floats  # of documents
    truth: sparse.csc_array  # documents x labels
    costs: Floats  # outside and inside x labels
    scale: float  # of the constant feature whose weight is the bias; 0: none
    free: bool  # whether the bias goes unpenalised
    tol: float
    max_iter: int
    seed: int
    by_frequency: Any  # terms in their places

    @property
    def n_terms(self) -> int:
        """Those that occur."""
        return len(self.by_frequency)

    @property
    def least(self) -> float:
        """Gap of a document, as a share of the dual, at which it is left alone. A free bias needs them all: what they have of it
        must sum to 0."""
        return 0.0 if self.free else LEFT_ALONE * self.tol / len(self.weights)

    def keep(self, block: Block, done: Bools, primal: Floats, gap: Floats, out: Solution) -> None:
        """Write the weights of the labels that are done."""
        labels = block.labels[done]
        out.weights[labels[:, None], self.by_frequency] = block.table[:, done].T
        out.bias[labels] = (block.offset + self.scale * block.bias)[done]
        out.gap[labels] = gap[done] / np.where(primal[done] > 0, primal[done], 1.0)


def solve(
    X: sparse.csr_array,
    truth: sparse.csr_array,
    *,
    loss: str,
    cost: float,
    balanced: bool = False,
    weights: Floats | None = None,
    scale: float = 1.0,
    free: bool = False,
    tol: float,
    max_iter: int,
    seed: int = 0,
) -> Solution:
    """The least 1/2 (|w|^2 + v^2) + cost x (sum over documents of weight x loss), label by label; score = w.x + scale v.

    loss: "hinge", "squared_hinge", "logistic", or "squares" with targets 1 and 0. truth: documents x labels of 0 and 1. balanced:
    a label's documents weigh as much as all others together. weights: of documents, 1 each by default; 0 leaves one out. free:
    the bias is not penalised (losses without a corner). scale 0: no bias. tol: of the gap. max_iter: sweeps a
    label. A label of no documents, or (but for squares) of all, has weights of 0: there is nothing to tell apart.
    """
    from ...kernels import dual_descent

    n_documents, n_labels = truth.shape
    frequency = np.bincount(X.indices, minlength=X.shape[1])
    by_frequency = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)]
    place = np.zeros(X.shape[1], dtype=np.uint32)
    place[by_frequency] = np.arange(len(by_frequency), dtype=np.uint32)
    weights = np.ones(n_documents) if weights is None else np.asarray(weights, dtype=np.float64)
    costs, by_label = np.full((2, n_labels), float(cost)), truth.tocsc()
    if balanced:
        inside = truth.T @ weights
        costs *= 0.5 * weights.sum() / np.stack([weights.sum() - inside, inside])
    problem = Problem(
        loss=getattr(dual_descent, loss.upper()),
        documents=(X.indptr.astype(np.int64), place[X.indices], np.ascontiguousarray(X.data, dtype=np.float64)),
        lengths=row_sums(X, X.data**2),
        weights=weights,
        truth=by_label,
        costs=costs,
        scale=float(scale),
        free=free,
        tol=tol,
        max_iter=max_iter,
        seed=seed,
        by_frequency=by_frequency,
    )
    solution = Solution(
        np.zeros((n_labels, X.shape[1])), np.zeros(n_labels), np.zeros(n_labels), np.zeros(n_labels, dtype=np.int64)
    )
    members, threads = (weights > 0).astype(np.float64), available_threads()
    sizes = truth.T @ members  # a number of 8 bits times another has 8 bits: not of truth alone
    labels = np.flatnonzero((sizes > 0) & ((sizes < members.sum()) | (loss == "squares")))
    width = max(1, min(WIDTH, ROOM // max(problem.n_terms, n_documents, 1), -(-len(labels) // threads)))
    method = solve_corners if loss.endswith("hinge") else solve_smooth

    def solve_block(first: int) -> None:
        method(problem, labels[first : first + width], solution)

    side_by_side(solve_block, range(0, len(labels), width), threads)
    return solution


@dataclass(slots=True, eq=False)
class Block:
    """Labels that are solved side by side, and how far they are. What has two dimensions has a label a column."""

    labels: Any  # numbers
    inside: Any  # documents x labels, 0/1
    costs: Floats  # outside and inside x labels
    table: Floats  # terms x labels
    bias: Floats  # weight of the constant feature
    offset: Floats  # what a free bias has come to besides
    variables: Floats  # documents x labels
    dual: Floats
    ask: Floats  # gap met in a sweep, as a share of tol, at which a label asks for a look at all documents

    def of(self, columns: Any) -> Block:
        """Some of the labels."""
        return Block(*(by_row(getattr(self, name)[..., columns]) for name in Block.__slots__))


def by_row(table: Any) -> Any:
    """As kernels take a table: row after row."""
    return np.ascontiguousarray(table)


def start_block(problem: Problem, labels: Any) -> Block:
    from ...kernels.dual_descent import FAR, LOGISTIC

    inside, zeros = by_row(problem.truth[:, labels].toarray().astype(np.uint8)), np.zeros(len(labels))
    start = -FAR if problem.loss == LOGISTIC else 0.0
    tables = np.zeros((problem.n_terms, len(labels))), zeros, zeros.copy(), np.full(inside.shape, start)
    return Block(labels, inside, by_row(problem.costs[:, labels]), *tables, zeros.copy(), np.ones(len(labels)))


def look_at_all(problem: Problem, block: Block) -> tuple[Floats, Floats, Floats]:
    """Primal and gap of each label, and the gaps of their documents: documents x labels."""
    from ...kernels.dual_descent import gaps_of_block

    primal, gap, gaps = np.zeros(len(block.labels)), np.zeros(len(block.labels)), np.zeros(block.inside.shape)
    gaps_of_block(
        problem.loss,
        problem.documents,
        problem.weights,
        block.inside,
        block.costs,
        block.bias,
        block.offset,
        problem.scale,
        block.table,
        block.variables,
        primal,
        gap,
        gaps,
    )
    if problem.free:  # its dual asks for v = 0: what a bias that is off by RADIUS would add to the gap
        primal -= 0.5 * block.bias**2
        gap += RADIUS * np.abs(block.bias) / problem.scale
    return primal, gap, gaps


def sweep_all(problem: Problem, block: Block, draw: np.random.Generator, running: Bools, *, sweep: int) -> Floats:
    """One sweep over all documents in random order, for the running labels; what each label's dual gained."""
    from ...kernels.dual_descent import sweep_block

    seen = np.zeros(len(block.labels))
    steep = float(problem.costs.max() * (problem.lengths.max() + problem.scale**2)) > STEEP
    sweep_block(
        problem.loss,
        problem.documents,
        problem.lengths,
        problem.weights,
        block.inside,
        block.costs,
        block.offset,
        problem.scale,
        problem.least,
        (4 if steep else 2) * (2 if sweep < 3 else 1),  # log-odds are far off at first
        draw.permutation(len(problem.weights)),
        running,
        block.table,
        block.bias,
        block.variables,
        block.dual,
        seen,
    )
    return seen


def solve_corners(problem: Problem, labels: Any, out: Solution) -> None:
    """The hinges. After one sweep over all documents each label goes through its moving ones until their gap is a part of what it
    was; then all are looked at, for all labels together, to see which move now."""
    from ...kernels.dual_descent import descend_label

    block = start_block(problem, labels)
    sweep_all(problem, block, np.random.default_rng(problem.seed), np.ones(len(labels), dtype=bool), sweep=1)
    out.sweeps[labels] = 1
    moving, goal = block.variables.T > 0, np.full(len(labels), FIRST)
    inside, weights, variables = (by_row(table.T) for table in (block.inside, block.table, block.variables))
    for turn in range(problem.max_iter):
        for c, label in enumerate(block.labels):
            block.dual[c], sweeps = descend_label(
                problem.loss,
                problem.documents,
                problem.lengths,
                problem.weights,
                inside[c],
                by_row(block.costs[:, c]),
                problem.scale,
                goal[c],
                goal[c] / len(problem.weights),
                min(ROUND, problem.max_iter - out.sweeps[label]),
                problem.seed + turn,
                np.flatnonzero(moving[c]).astype(np.uint32),
                weights[c],
                block.bias[c : c + 1],
                variables[c],
                block.dual[c],
            )
            out.sweeps[label] += sweeps
        block.table, block.variables = by_row(weights.T), by_row(variables.T)
        primal, gap, gaps = look_at_all(problem, block)
        done = (gap <= problem.tol * primal) | (out.sweeps[block.labels] >= problem.max_iter)
        problem.keep(block, done, primal, gap, out)
        if done.all():
            return
        goal = np.maximum(CLOSER * gap / primal, LEFT_ALONE * problem.tol)
        moving = by_row((gaps > goal * block.dual / len(problem.weights)).T)
        if done.any():
            block, goal, moving = block.of(~done), goal[~done], moving[~done]
            inside, weights, variables = inside[~done], weights[~done], variables[~done]


def solve_smooth(problem: Problem, labels: Any, out: Solution) -> None:
    """Losses without a corner: all documents move in every sweep, all labels side by side. A label whose sweep gained little
    asks for a look at all documents, and stands still once its gap is small enough; when half of a block do, the others go on
    in a narrower one."""
    block, draw, running = (
        start_block(problem, labels),
        np.random.default_rng(problem.seed),
        np.ones(len(labels), dtype=bool),
    )
    for sweep in range(1, problem.max_iter + 1):
        seen = sweep_all(problem, block, draw, running, sweep=sweep)
        out.sweeps[block.labels[running]] = sweep
        asks = running & ((seen <= block.ask * problem.tol * block.dual) | (sweep == problem.max_iter))
        if asks.any():
            primal, gap, _ = look_at_all(problem, block)
            done = asks & ((gap <= problem.tol * primal) | (sweep == problem.max_iter))
            problem.keep(block, done, primal, gap, out)
            early = asks & ~done
            block.ask[early] = 0.5 * np.minimum(block.ask[early], seen[early] / (problem.tol * block.dual[early]))
            running &= ~done
            if not running.any():
                return
        if problem.free:  # the method of multipliers: what v would still add becomes part of the offset
            block.offset[running] += problem.scale * block.bias[running]
        if 2 * running.sum() <= len(running):
            block, running = block.of(running), running[running]
