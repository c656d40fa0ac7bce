"""JSON Lines in, JSON Lines out, at the same time: each line is answered when it comes, in blocks when many come at once.

The body is read by one task while another answers. What is not answered yet waits in a file (in memory while it is small), so
that a client that sends everything before it reads anything is not waited for by a server that waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

BLOCK_BYTES = 1 << 18  # of lines that are answered together
IN_MEMORY = 8 << 20  # bytes that wait in memory; more go to a temporary file
LONGEST = 1 << 24  # bytes of a line

Answer = Callable[[bytes], bytes]  # whole lines in, lines out
Close = Callable[[str | None], bytes]  # the last line; what went wrong, if the input broke off


class LineStream(Response):
    """A response that reads the request's body itself: Starlette's own would read it a second time, to see whether the client
    has gone, and lose what it reads."""

    media_type = "application/x-ndjson"

    def __init__(self, answer: Answer, close: Close, headers: dict[str, str]) -> None:
        super().__init__(b"", headers=headers)
        del self.headers["content-length"]
        self.answer, self.close = answer, close

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with SpooledTemporaryFile(IN_MEMORY) as file:
            waiting = WaitingBytes(file)
            reader = asyncio.create_task(read_body(receive, waiting))
            try:
                while lines := await waiting.lines():
                    await send_part(send, await asyncio.to_thread(self.answer, lines))
                await reader
                if not waiting.gone:
                    await send_part(send, self.close(waiting.problem), more=False)
            except ClientDisconnect:
                pass
            finally:
                reader.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reader


async def send_part(send: Any, body: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


class WaitingBytes:
    """Bytes between the task that reads them and the one that answers them."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.written = self.taken = 0
        self.ended = self.gone = False
        self.problem: str | None = None
        self.more = asyncio.Event()
        self.rest: bytes = b""  # the beginning of a line whose end has not come

    def write(self, data: bytes) -> None:
        self.file.seek(self.written)
        self.file.write(data)
        self.written += len(data)
        self.more.set()

    def end(self, problem: str | None = None, *, gone: bool = False) -> None:
        self.problem, self.gone, self.ended = problem, gone, True
        self.more.set()

    async def lines(self) -> bytes:
        """Whole lines that have come, a block of them at most; the last one without its line feed. Empty at the end."""
        while True:
            if self.gone:
                return b""
            self.file.seek(self.taken)
            data: bytes = self.file.read(BLOCK_BYTES)
            self.taken += len(data)
            whole, feed, rest = (self.rest + data).rpartition(b"\n")
            self.rest = rest
            if feed:
                return whole + feed
            if len(rest) > LONGEST:
                self.problem = f"a line has more than {LONGEST:,} bytes"
                self.rest = b""
                return b""
            if not data and self.ended:
                self.rest = b""
                return rest
            if not data:
                self.more.clear()
                await self.more.wait()


async def read_body(receive: Any, waiting: WaitingBytes) -> None:
    """The body to its end, or to what is wrong with it."""
    try:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                waiting.end(gone=True)
                return
            waiting.write(message.get("body", b""))
            if not message.get("more_body", False):
                waiting.end()
                return
    except HTTPException as problem:  # of `Limits`: too large, or too slow
        waiting.end(str(problem.detail))
