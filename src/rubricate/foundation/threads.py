"""Threads: how many a piece of work may take, and work done side by side.

Work that is done side by side takes no further threads of its own: a thread of `workers`, and whatever runs in `alone`, is
told that one thread is available. Otherwise each of n threads would start n more, and they would stand in each other's way.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["alone", "available_threads", "in_order", "side_by_side", "workers"]

_here = threading.local()
Item = TypeVar("Item")
Made = TypeVar("Made")


def available_threads() -> int:
    """Cores this process may use; in a thread that is one of several at work, one."""
    if getattr(_here, "alone", False):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def alone() -> Iterator[None]:
    """What is called in here takes no further threads."""
    before = getattr(_here, "alone", False)
    _here.alone = True
    try:
        yield
    finally:
        _here.alone = before


def workers(jobs: int) -> ThreadPoolExecutor:
    """So many threads, each of which works alone."""
    return ThreadPoolExecutor(jobs, thread_name_prefix="rubricate", initializer=_settle)


def _settle() -> None:
    _here.alone = True


def side_by_side(work: Callable[[Any], object], parts: Sequence[Any], jobs: int) -> None:
    """Do all parts, in threads if there are jobs for them."""
    if jobs > 1 and len(parts) > 1:
        with workers(jobs) as pool:
            list(pool.map(work, parts))
    else:
        for part in parts:
            work(part)


def in_order(
    work: Callable[[Item], Made], items: Iterable[Item], jobs: int
) -> Generator[tuple[Item, Made], None, None]:
    """Each item with what the work made of it, in the order of the items: made in threads, ahead of whoever takes them, one
    more than there are threads at a time. Closed early, it leaves what has not been begun."""
    waiting: deque[tuple[Item, Future[Made]]] = deque()
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
