"""Threads: how many a piece of work may take, and work done side by side.

Work in a thread takes no further threads: in a thread of `workers`, in `alone`, and in a worker of scikit-learn's
`n_jobs`, `available_threads` is 1. Otherwise each of n threads would start n more, which would wait for each other.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from ..errors import InvalidSetting

Item = TypeVar("Item")
Result = TypeVar("Result")


class _Here(threading.local):
    alone = False


RUNS = 64  # of parts, a thread: few enough to be cheap, and enough that threads end together
_here = _Here()


def available_threads() -> int:
    """Cores this process may use; in a thread or process that is one of several at work, one."""
    if _here.alone or _in_worker_of_others():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_worker_of_others() -> bool:
    """It is not imported to find out: who has not imported it is not at work for it."""
    parallel = sys.modules.get("joblib.parallel")
    return parallel is not None and bool(parallel.get_active_backend()[0].nesting_level)


def n_jobs_as_threads(n_jobs: int) -> int:
    """Threads as scikit-learn counts them: -1 is all cores, -2 all but one."""
    if n_jobs == 0:
        raise InvalidSetting("n_jobs=0: give a number of threads; -1 is all cores")
    return n_jobs if n_jobs > 0 else max(1, available_threads() + 1 + n_jobs)


@contextmanager
def alone() -> Iterator[None]:
    """What is called in here takes no further threads."""
    before, _here.alone = _here.alone, True
    try:
        yield
    finally:
        _here.alone = before


def workers(jobs: int) -> ThreadPoolExecutor:
    """So many threads, each of which works alone."""
    return ThreadPoolExecutor(jobs, "rubricate", initializer=lambda: setattr(_here, "alone", True))


def side_by_side(work: Callable[[Any], object], parts: Sequence[Any], jobs: int) -> None:
    """Call `work` on each part, in so many threads (jobs). Of very many parts a thread takes a run at a time: to hand each of
    100,000 labels over takes longer than to fit it."""
    if jobs > 1 and len(parts) > 1:
        size = max(1, len(parts) // (RUNS * jobs))
        runs = [parts[start : start + size] for start in range(0, len(parts), size)]
        with workers(jobs) as pool:
            list(pool.map(lambda run: [work(part) for part in run], runs))
    else:
        for part in parts:
            work(part)


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Generator[tuple[Item, Result], None, None]:
    """Each item with its result, in the order of the items: computed in threads, at most one item more than there are threads
    ahead of the caller. Closed early, it cancels what has not been begun."""
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    with workers(jobs) as pool:
        try:
            for item in items:
                waiting.append((item, pool.submit(work, item)))
                if len(waiting) > jobs:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
