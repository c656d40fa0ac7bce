"""Several processes that answer on one listening socket, and what they tell each other: their counters, for `/metrics`.

The process that was started loads the models, forks the others and waits for them; each of these serves by itself, looks after
its own copy of the models (the pages of a file that is mapped are shared) and counts by itself. A signal to stop is handed on. If
one of them ends before it was told to, all are stopped: whoever looks after the service starts it again, and nobody is served by
half of it unawares.

    Noticeboard    a page of shared memory for each process, on which it writes its counters now and then
    run_workers    the processes, until a signal says stop
"""

from __future__ import annotations

import mmap
import os
import signal
import socket
import threading
import zlib
from collections.abc import Callable
from functools import reduce
from typing import Any

import orjson

from ..errors import InvalidSetting, RubricateError
from .metrics import Metrics, State, add_up
from .served_models import ServedModels

WRITE_SECONDS = 1.0
HEADER = 8  # bytes: length and checksum of what is written
ROOM = 1 << 20  # bytes of a page, to which labels add
TRIES = 1000


class Noticeboard:
    """Counters of all processes. Each writes its own page and reads all; a page that is being written is read again."""

    def __init__(self, workers: int, *, n_labels: int) -> None:
        self.size = ROOM + 64 * n_labels
        self.pages = [mmap.mmap(-1, self.size) for _ in range(workers)]  # shared with processes that are forked later
        self._lock = threading.Lock()

    def write(self, worker: int, state: State) -> None:
        data = orjson.dumps(state)
        if len(data) + HEADER > self.size:
            return  # names of routes are few and labels have room: this is never so long
        head = len(data).to_bytes(4, "little") + zlib.crc32(data).to_bytes(4, "little")
        with self._lock:
            self.pages[worker][: HEADER + len(data)] = head + data

    def read(self, worker: int) -> State | None:
        """What a process has written last; None before it has."""
        page = self.pages[worker]
        for _ in range(TRIES):
            length = int.from_bytes(page[:4], "little")
            if length == 0:
                return None
            data = page[HEADER : HEADER + min(length, self.size - HEADER)]
            if zlib.crc32(data) == int.from_bytes(page[4:HEADER], "little"):
                state: State = orjson.loads(data)
                return state
        return None

    def total(self) -> State:
        """All counters added up, as they were when each process wrote them last. Everybody reads the same pages, so that no
        counter falls from one look to the next, whoever is asked."""
        states = [state for worker in range(len(self.pages)) if (state := self.read(worker)) is not None]
        return reduce(add_up, states)


class WorkerMetrics(Metrics):
    """The counters of one of several processes; its state is that of all."""

    def __init__(self, board: Noticeboard, worker: int) -> None:
        super().__init__()
        self.board, self.worker = board, worker

    def state(self, models: ServedModels) -> State:
        self.write(models)
        return self.board.total()

    def write(self, models: ServedModels) -> None:
        self.board.write(self.worker, super().state(models))

    def keep_writing(self, models: ServedModels, parent: int) -> None:
        """Every second until the service stops: for a thread. A process whose parent is gone stops too."""
        while not models.stopping.wait(WRITE_SECONDS):
            self.write(models)
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)
        self.write(models)


def run_workers(number: int, models: ServedModels, sock: socket.socket, serve: Callable[[WorkerMetrics], None]) -> None:
    """Fork so many processes that call `serve`, which listens on the socket, and wait for them."""
    if not hasattr(os, "fork"):
        raise InvalidSetting("--workers needs a system that can fork: start one service a port instead")
    board = Noticeboard(number, n_labels=sum(len(model.label_names) for model in models.models.values()))
    parent = os.getpid()
    children = set()
    for worker in range(number):
        child = os.fork()
        if child == 0:
            metrics = WorkerMetrics(board, worker)
            threading.Thread(target=metrics.keep_writing, args=(models, parent), daemon=True).start()
            serve(metrics)
            return
        children.add(child)
    sock.close()  # once the others have closed theirs, nobody waits for an answer that will not come
    wait_for(children)


def wait_for(children: set[int]) -> None:
    """Hand signals on until all children have ended; one that ends by itself stops the others."""
    told = False

    def stop(*_: Any) -> None:
        nonlocal told
        told = True
        for child in children:
            os.kill(child, signal.SIGTERM)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    failed = False
    try:
        while children:
            children.discard(os.wait()[0])
            if not told:
                failed = True
                stop()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if failed:
        raise RubricateError(
            "one of the processes that answer ended by itself, and all were stopped: start the service again"
        )
