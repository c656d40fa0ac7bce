"""The way up to the maximum of a DCM likelihood, of many labels at a time, or of their rests. Source: 003 eq. 8, and Newton.

The updates of eq. 8 rise at every step but crawl: some hundred of them for 1e-8, thousands where the maximum is far. Newton's
method, in log alpha, comes to the same point in about five steps (the Hessian is a diagonal and a constant: Minka 2000). It
says so where there is none: s runs off to 0 or to infinity, a factor e a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np

from ...foundation.arrays import Bools, Floats, Longs
from ...foundation.threads import workers
from .climbers import Climbers
from .lengths import sums

__all__ = ["climbed", "newton"]

Found = tuple[Floats, Longs, Bools]
Run = Callable[[Sequence[Callable[[], None]]], None]
STEPS = 25  # of Newton's, after which a label is left to the updates
FARTHEST = 1e8  # an s beyond it is on its way to infinity
FLAT = 1e-10  # less curvature than that is none: every s is as good (one term only, or one word a document)
AT_ONCE = 1024  # histograms that a thread takes at a time, however many threads there are: sums do not depend on them
LABELS = 32  # and labels
FEW = 30_000  # cells, for which threads are not worth while


def climbed(
    climbers: Climbers,
    start: Callable[[], tuple[Floats, Floats]],
    near: tuple[Floats, Floats] | None = None,
    *,
    max_iter: int,
    tol: float,
    jobs: int,
) -> tuple[tuple[Floats, Floats], Found]:
    """alpha of cells, and histograms x labels; and s, steps taken, whether it came to rest, of each label.

    Newton's steps, from `near` if there is such a place, and from `start` for labels that find no rest from there. Those that
    find none from there either make updates from `start` on, until no alpha changes by more than its share tol, max_iter at
    most. With tol=0 all labels make updates, exactly max_iter.
    """
    alpha = start() if near is None else near
    s, steps, arrived = newton(climbers, alpha, max_iter=max_iter, tol=tol, jobs=jobs)
    left = np.flatnonzero(~arrived)
    if len(left):
        alone, begin = climbers.alone(left, *start())
        found, told = begin.copy(), (s[left], steps[left], arrived[left])
        if near is not None:
            told = newton(alone, (found, alone.shared), max_iter=max_iter, tol=tol, jobs=jobs)
        updated(alone, begin, found, told, max_iter, tol, jobs)
        s[left], steps[left], arrived[left] = told
        for n, label in enumerate(left):
            own = found[alone.ends[n] : alone.ends[n + 1]]
            alpha[1][:, label] = own[: len(alpha[1])]
            alpha[0][climbers.ends[label] : climbers.ends[label + 1]] = own[len(alpha[1]) :]
    return alpha, (s, steps, arrived)


def updated(
    climbers: Climbers, start: Floats, found: Floats, told: Found, max_iter: int, tol: float, jobs: int
) -> None:
    """The updates of eq. 8 for labels that have not come to rest, all histograms in cells, in place.           [003 eq. 8]"""
    from ...kernels.maxima import update

    s, steps, arrived = told
    change, left = np.zeros(len(climbers)), np.flatnonzero(~arrived)
    found[~arrived[climbers.label]] = start[~arrived[climbers.label]]
    tables = climbers.pool.profiles, climbers.cells, climbers.documents

    def some(first: int) -> None:
        for label in left[first::jobs]:
            update(*tables, label, max_iter, tol, found, steps, change, s)

    with crew(jobs) as run:
        run([partial(some, first) for first in range(jobs)])
    arrived[left] = change[left] <= tol


def newton(climbers: Climbers, alpha: tuple[Floats, Floats], *, max_iter: int, tol: float, jobs: int) -> Found:
    """Newton's steps, in place: s, steps taken, whether alpha is at the maximum, to a share tol. With tol=0 there are none."""
    from ...kernels.maxima import NEWTON, STAY, UPDATE, below

    n = len(climbers)
    s = sums(climbers.label, climbers.terms * alpha[0], n) + np.einsum("pc,pc->c", climbers.shared, alpha[1])
    steps, arrived = np.zeros(n, dtype=np.int64), s == 0
    at_most = min(STEPS, max_iter) if tol > 0 else 0
    # the error squares: sqrt(tol) / 100 before a step is tol / 10,000 after it, times a factor that is large where s is
    near = min(0.01 * tol**0.5, 1e-3)
    way = np.where(arrived, STAY, NEWTON)
    total, bend = np.ones(n), np.zeros(n)
    passes = Passes(climbers, *alpha)
    with crew(jobs if len(alpha[0]) + alpha[1].size > FEW else 1) as run:
        while (way != STAY).any() and steps.max(initial=0) < at_most:
            below(climbers.documents, s, way, total, bend)
            gained, loose = passes.slopes(total, way, run)
            divisor = s - bend * loose
            concave = divisor > FLAT * s
            push = bend * gained / np.where(concave, divisor, 1.0)
            way = np.where(way == STAY, STAY, np.where(concave, NEWTON, UPDATE))
            new, longest = passes.steps(push, way, run)
            s = np.where(way == STAY, s, new)
            steps[way != STAY] += 1
            arrived |= (way == NEWTON) & (longest <= near)
            way[arrived | ~(s < FARTHEST)] = STAY
    return s, steps, arrived


class Passes:
    """The two passes over all cells and shared histograms that make a step: slopes, and the step itself."""

    def __init__(self, climbers: Climbers, own: Floats, shared: Floats) -> None:
        self.climbers, self.own, self.shared = climbers, own, shared
        self.ratio, self.slack = np.empty(len(own)), np.empty(len(own))
        self.shared_ratio, self.shared_slack = np.empty(shared.shape), np.empty(shared.shape)
        self.labels = range(0, len(climbers), LABELS)
        self.histograms = range(0, len(shared), AT_ONCE)

    def parts(
        self, of_labels: Callable[[int], None], of_histograms: Callable[[int], None]
    ) -> Sequence[Callable[[], None]]:
        """What is to be done, in parts that do not depend on each other."""
        return [partial(of_labels, n) for n in self.labels] + [partial(of_histograms, n) for n in self.histograms]

    def slopes(self, total: Floats, way: Longs, run: Run) -> Floats:
        """Two sums over terms of each label: alpha r / bend, alpha / bend."""
        from ...kernels.maxima import own_slopes, shared_slopes

        climbers, pool = self.climbers, self.climbers.pool.profiles
        own, parts = np.zeros((2, len(climbers))), np.zeros((len(self.histograms), 2, len(climbers)))

        def of_labels(first: int) -> None:
            last = min(first + LABELS, len(climbers))
            own_slopes(pool, climbers.cells, self.own, total, way, first, last, self.ratio, self.slack, own)

        def of_histograms(first: int) -> None:
            last, out = min(first + AT_ONCE, len(self.shared)), parts[first // AT_ONCE]
            tables = climbers.shared, self.shared, total
            shared_slopes(pool, *tables, first, last, self.shared_ratio, self.shared_slack, out)

        run(self.parts(of_labels, of_histograms))
        both: Floats = own + parts.sum(axis=0)
        return both

    def steps(self, push: Floats, way: Longs, run: Run) -> tuple[Floats, Floats]:
        """s after the step, and how long it was, of each label that moves."""
        from ...kernels.maxima import own_steps, shared_steps

        climbers = self.climbers
        s, longest = np.zeros((2, len(climbers)))
        parts = np.zeros((2, len(self.histograms), len(climbers)))

        def of_labels(first: int) -> None:
            last = min(first + LABELS, len(climbers))
            own_steps(climbers.cells, self.ratio, self.slack, push, way, first, last, self.own, s, longest)

        def of_histograms(first: int) -> None:
            last, n = min(first + AT_ONCE, len(self.shared)), first // AT_ONCE
            tables = climbers.shared, self.shared_ratio, self.shared_slack
            shared_steps(*tables, push, way, first, last, self.shared, parts[0, n], parts[1, n])

        run(self.parts(of_labels, of_histograms))
        return s + parts[0].sum(axis=0), np.maximum(longest, parts[1].max(axis=0, initial=0.0))


@contextmanager
def crew(jobs: int) -> Iterator[Run]:
    """Something that does a list of things, in threads if there are jobs for them: one crew for many short turns."""
    if jobs < 2:
        yield in_turn
        return
    with workers(jobs) as pool:

        def side_by_side(parts: Sequence[Callable[[], None]]) -> None:
            list(pool.map(lambda part: part(), parts))

        yield side_by_side


def in_turn(parts: Sequence[Callable[[], None]]) -> None:
    """One after the other."""
    for part in parts:
        part()
