"""A stream that is still being written: a file that grows, or standard input. JSON Lines, each handled as soon as it is whole.

Documents read so far are handled before the program waits for more. A line that cannot be used goes to the tally, as in any other
reading: rows in = rows kept + rows rejected. Ids are not checked for repeats: the set of ids would grow without end.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

import orjson

from ...errors import InputError, MissingData
from ..batches import Row, row_batches
from ..corpus import Corpus
from ..tally import Tally
from . import jsonl
from .columns import ColumnChoice, ColumnRequest, match_columns
from .decompression import Limits

BATCH = 1024  # documents handled at once, at most
STEP = 0.1  # seconds between two looks at a file that has not grown
MOST_LINES = 1000  # read in search of the first object


class GrowingFile:
    """Bytes of a file that grows (until it has not for `idle` seconds; for ever if None), or of standard input until its end.

    before_waiting: called whenever there is nothing more to read for now. `jsonl.rows` takes it for a source.
    """

    encoding, notes = "utf-8", ()

    def __init__(
        self,
        path: str,
        *,
        idle: float | None = None,
        before_waiting: Callable[[], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.limits, self.stream = Limits(), self
        self.unread = b""  # bytes that were looked at, to be read again
        self.name, self._idle, self._before_waiting, self._sleep = path, idle, before_waiting, sleep
        self._begun = False
        self.restarts = 0  # how often the file was truncated and written from its start
        self._descriptor = sys.stdin.fileno() if path == "-" else open_descriptor(path)

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        if self.unread:
            data, self.unread = self.unread[:size], self.unread[size:]
            return data
        if self.name == "-":
            if not self._begun:  # Python may have read the first bytes, to see what they are
                self._begun, self.unread = True, cast("BufferedReader", sys.stdin.buffer).read1(size)
                return self.read(size) if self.unread else b""
            if not select.select([self._descriptor], [], [], 0)[0]:
                self._before_waiting()
            return os.read(self._descriptor, size)
        waited = 0.0
        while not (data := os.read(self._descriptor, size)):
            self._before_waiting()
            if self._idle is not None and waited >= self._idle:
                return b""
            self._sleep(STEP)
            waited += STEP
            if os.fstat(self._descriptor).st_size < os.lseek(self._descriptor, 0, os.SEEK_CUR):
                os.lseek(self._descriptor, 0, os.SEEK_SET)
                self.restarts += 1
        return data

    def text(self) -> GrowingFile:
        """The stream itself: it is UTF-8 already."""
        return self

    def __enter__(self) -> GrowingFile:
        return self

    def __exit__(self, *problem: object) -> None:
        """Close the file; standard input stays open."""
        if self.name != "-":
            os.close(self._descriptor)


def open_descriptor(path: str) -> int:
    try:
        if Path(path).is_dir():
            raise InputError(path, "is a folder, which does not grow like a file", "name a file of JSON Lines, or -")
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        cure = "check the name; it may be empty, but it must be there"
        raise MissingData(path, "there is no such file", cure) from None
    except OSError as error:
        raise InputError(path, f"cannot be opened ({error.strerror})") from None


def follow(
    path: str,
    handle: Callable[[list[str], Corpus], None],
    *,
    request: ColumnRequest | None = None,
    idle: float | None = None,
    tally: Tally | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Tally:
    """Call `handle(ids, corpus)` for documents as they come, the corpus having them in this order. Returns the tally.

    request: columns; by default recognised from the first object. idle: end when a file has not grown for so many seconds.
    """
    request, tally = request or ColumnRequest(), tally or Tally()
    pending: list[Row] = []
    columns: list[ColumnChoice] = []

    def handle_pending() -> None:
        if not pending:
            return
        rows = [row._replace(id=str(at)) for at, row in enumerate(pending)]
        ids = [row.id or "" for row in pending]
        pending.clear()
        batches = list(row_batches(rows, columns[0].columns, Tally()))
        handle(ids, Corpus.from_batches(batches, columns=columns[0].columns, name=path))

    growing = GrowingFile(path, idle=idle, before_waiting=handle_pending, sleep=sleep)
    growing.unread = first_lines(growing)
    columns.append(columns_of_first(growing.unread, request, path))
    try:
        rows = jsonl.rows(cast("Any", growing), columns[0], request, tally)
        for number, row in enumerate(rows, 1):
            pending.append(row if row.id is not None else row._replace(id=f"row-{number}"))
            tally.keep()
            if len(pending) >= BATCH:
                handle_pending()
    finally:  # documents already read are handled, whatever ends the stream
        handle_pending()
    if growing.restarts:
        tally.repair("the file was cut off and begun anew: read again from its start", growing.restarts)
    tally.complete = True
    return tally


def first_lines(growing: GrowingFile) -> bytes:
    """The bytes up to the first whole object, at least; all bytes, if there is none."""
    data = b""
    while more := growing.read(1 << 16):
        data += more
        if first_object(data) is not None or data.count(b"\n") > MOST_LINES:
            break
    return data


def first_object(data: bytes) -> dict[str, Any] | None:
    for line in data.splitlines():
        try:
            value = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and value:
            return value
    return None


def columns_of_first(data: bytes, request: ColumnRequest, path: str) -> ColumnChoice:
    """The columns of the first object; `id`, if it has no id, since later ones may have one."""
    values = first_object(data)
    if values is None:  # rows will be rejected one by one, with their reasons
        return ColumnChoice(request.text or ("text",), request.labels, request.id)
    choice = match_columns(path, list(values), request)
    return choice if choice.id is not None or "id" in choice.text else choice._replace(id="id")


def begins_with_object() -> bool:
    """Whether standard input is a stream that begins as JSON Lines do; waits for the first byte, which stays to be read. What
    somebody has put in its place in memory is no stream."""
    stream = sys.stdin.buffer
    return isinstance(stream, BufferedReader) and stream.peek(1).lstrip()[:1] == b"{"
