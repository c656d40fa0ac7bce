"""A stream that is still being written: a file that grows, or standard input. JSON Lines, each handled as soon as it is whole.

What has come is handed on before anything is waited for, so that no document lies about while the next is being written. A line
that cannot be used goes to the tally, as in any other reading: rows in = rows kept + rows rejected. Ids are not checked for
repeats, since a stream has no end at which to forget them.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import orjson

from ...corpus import Corpus, Row, Tally, batched
from ...corpus.readers import jsonl
from ...corpus.readers.columns import ColumnChoice, ColumnRequest, match_columns
from ...corpus.readers.decompression import Limits
from ...errors import InputError, MissingData

__all__ = ["Growing", "follow"]

TOGETHER = 512  # documents handed on at once, at most
STEP = 0.1  # seconds between two looks at a file that has not grown
LOOK_LINES = 1000


class Growing:
    """Bytes of a file that grows (until it has not for `idle` seconds; for ever if None), or of standard input until its end.

    before_waiting: called whenever there is nothing more to read for now.
    """

    def __init__(
        self,
        path: str,
        *,
        idle: float | None = None,
        before_waiting: Callable[[], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name, self._idle, self._before_waiting, self._sleep = path, idle, before_waiting, sleep
        self.again = 0  # how often the file was cut off and begun anew
        self._number = sys.stdin.fileno() if path == "-" else opened(path)

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        if self.name == "-":
            if not select.select([self._number], [], [], 0)[0]:
                self._before_waiting()
            return os.read(self._number, size)
        waited = 0.0
        while not (data := os.read(self._number, size)):
            self._before_waiting()
            if self._idle is not None and waited >= self._idle:
                return b""
            self._sleep(STEP)
            waited += STEP
            if os.fstat(self._number).st_size < os.lseek(self._number, 0, os.SEEK_CUR):
                os.lseek(self._number, 0, os.SEEK_SET)
                self.again += 1
        return data

    def close(self) -> None:
        """Let go of the file."""
        if self.name != "-":
            os.close(self._number)


def opened(path: str) -> int:
    """The number of an open file."""
    try:
        if Path(path).is_dir():
            raise InputError(path, "is a folder, which does not grow like a file", "name a file of JSON Lines, or -")
        return os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        raise MissingData(
            path, "there is no such file", "check the name; it may be empty, but it must be there"
        ) from None
    except OSError as error:
        raise InputError(path, f"cannot be opened ({error.strerror})") from None


class _Begun:
    """A stream whose first bytes have been looked at already; what `jsonl.rows` takes for a source."""

    encoding, notes = "utf-8", ()

    def __init__(self, first: bytes, rest: Growing) -> None:
        self.name, self.limits, self.stream = rest.name, Limits(), self
        self._first, self._rest = first, rest

    def read(self, size: int, /) -> bytes:
        if self._first:
            data, self._first = self._first[:size], self._first[size:]
            return data
        return self._rest.read(size)

    def text(self) -> _Begun:
        return self

    def __enter__(self) -> _Begun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rest.close()


def follow(
    path: str,
    handle: Callable[[list[str], Corpus], None],
    *,
    request: ColumnRequest | None = None,
    idle: float | None = None,
    tally: Tally | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Tally:
    """Hand on documents as they come: `handle(ids, corpus)`, the corpus having them in this order. Returns the account.

    asked: columns; found by the first object if not given. idle: end when a file has not grown for so many seconds.
    """
    request, tally = request or ColumnRequest(), tally or Tally()
    pending: list[Row] = []
    columns: list[ColumnChoice] = []

    def hand_on() -> None:
        if not pending:
            return
        rows = [row._replace(id=str(at)) for at, row in enumerate(pending)]
        ids = [row.id or "" for row in pending]
        pending.clear()
        held = list(batched(rows, columns[0].columns, Tally()))
        handle(ids, Corpus.from_batches(held, columns=columns[0].columns, name=path))

    growing = Growing(path, idle=idle, before_waiting=hand_on, sleep=sleep)
    first = first_lines(growing)
    columns.append(chosen_by(first, request, path))
    try:
        rows = jsonl.rows(cast("Any", _Begun(first, growing)), columns[0], request, tally)
        for number, row in enumerate(rows, 1):
            pending.append(row if row.id is not None else row._replace(id=f"row-{number}"))
            tally.keep()
            if len(pending) >= TOGETHER:
                hand_on()
    finally:  # whatever ends the stream, what was read is handed on
        hand_on()
    if growing.again:
        tally.repair("the file was cut off and begun anew: read again from its start", growing.again)
    tally.complete = True
    return tally


def first_lines(growing: Growing) -> bytes:
    """What has come when the first object is whole; all there is, if none comes."""
    data = b""
    while more := growing.read(1 << 16):
        data += more
        if first_object(data) is not None or data.count(b"\n") > LOOK_LINES:
            break
    return data


def first_object(data: bytes) -> dict[str, Any] | None:
    """The first line that is an object."""
    for line in data.splitlines():
        try:
            value = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and value:
            return value
    return None


def chosen_by(data: bytes, request: ColumnRequest, path: str) -> ColumnChoice:
    """The columns, by the first object."""
    found = first_object(data)
    if found is None:  # rows will be rejected one by one, with their reasons
        return ColumnChoice(request.text or ("text",), request.labels, request.id)
    return match_columns(path, list(found), request)
