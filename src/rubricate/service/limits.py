"""What uvicorn does not limit by itself: bodies and heads that are too large, senders that are too slow.

Limits           an ASGI wrapper: nothing is buffered, a stream stays a stream
PatientProtocol  a protocol class for uvicorn: a connection whose request's head is not whole in time is closed
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from starlette.exceptions import HTTPException
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 16_384  # of all names and values of headers
HEAD_SECONDS = 5.0
SILENT_SECONDS = 10.0  # without a byte of the body
CLOSE = {"connection": "close"}


class Limits:
    """most_bytes: of a body. body_seconds: until a body must be whole, streams excepted, which may go on while bytes come."""

    def __init__(
        self, app: Any, *, most_bytes: int, silent_seconds: float = SILENT_SECONDS, body_seconds: float = 120.0
    ) -> None:
        self.app, self.most_bytes = app, most_bytes
        self.silent_seconds, self.body_seconds = silent_seconds, body_seconds

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_BYTES:
            await refuse(send, 431, f"the headers may have {HEAD_BYTES} bytes")
            return
        too_large = f"the body may have {self.most_bytes:,} bytes; send fewer documents at a time"
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), None)
        if announced is not None and (not announced.isdigit() or int(announced) > self.most_bytes):
            await refuse(send, 413, too_large)
            return
        loop = asyncio.get_running_loop()
        streamed = scope["path"].endswith(".ndjson")
        received, deadline, whole = 0, loop.time() + self.body_seconds, False

        async def limited() -> Any:
            nonlocal received, whole
            if whole:  # after the body only a disconnect can come, which may take as long as it likes
                return await receive()
            patience = self.silent_seconds if streamed else min(self.silent_seconds, deadline - loop.time())
            try:
                message = await asyncio.wait_for(receive(), max(patience, 0.001))
            except TimeoutError:
                why = f"no byte of the body for {self.silent_seconds:g} s, or not whole after {self.body_seconds:g} s"
                raise HTTPException(408, why, CLOSE) from None
            received += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if received > self.most_bytes:
                raise HTTPException(413, too_large, CLOSE)
            return message

        await self.app(scope, limited, send)


async def refuse(send: Any, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
    """Answer with an error and close."""
    body = orjson.dumps({"detail": detail})
    fields = {"content-type": "application/json", "content-length": str(len(body)), **CLOSE, **(headers or {})}
    pairs = [(name.encode(), value.encode("latin-1")) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})


class PatientProtocol(HttpToolsProtocol):
    """Patient between requests; from the first byte of a request on, its head must be whole within HEAD_SECONDS."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._close)

    def data_received(self, data: bytes) -> None:
        between = self.cycle is None or self.cycle.response_complete
        if between and self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._close)
        super().data_received(data)
        if self._head_timer is not None and self.cycle is not None and not self.cycle.response_complete:
            self._head_timer.cancel()
            self._head_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
        super().connection_lost(exc)

    def _close(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self.transport.close()
