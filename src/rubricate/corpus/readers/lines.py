"""Bytes as lines of bounded length. A line longer than the limit is told, not held: reading goes on after its end.

Lines end at LF, CR LF or CR alone, and keep their ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from .decompression import BLOCK, Readable

__all__ = ["Overlong", "lines"]


class Overlong(bytes):
    """The beginning of a line beyond the limit. `quotes`: how many double quotes the whole line had."""

    quotes: int = 0


def lines(stream: Readable, limit: int) -> Iterator[bytes]:
    """The lines of a stream. What comes out is `bytes`, or `Overlong` in place of a line of more than `limit` bytes."""
    parts: list[bytes] = []  # the pieces so far of a line that crosses blocks
    held = 0
    overlong: Overlong | None = None
    while block := stream.read(BLOCK):
        while block.endswith(b"\r") and (more := stream.read(1)):  # CR LF must not be cut in two
            block += more
        if overlong is not None and b"\n" not in block and b"\r" not in block:
            overlong.quotes += block.count(b'"')
            continue
        pieces, tail = _cut(block)
        if pieces and (parts or overlong is not None):
            first = pieces[0]
            if overlong is None and held + len(first) > limit:
                overlong = _begin(parts)
            if overlong is not None:
                overlong.quotes += first.count(b'"')
                yield overlong
            else:
                yield b"".join((*parts, first))
            parts, held, overlong = [], 0, None
            del pieces[0]
        if limit < len(block):
            for piece in pieces:
                yield piece if len(piece) <= limit else _begin([piece])
        else:
            yield from pieces
        if tail:
            held += len(tail)
            if overlong is not None:
                overlong.quotes += tail.count(b'"')
            elif held > limit:
                overlong = _begin([*parts, tail])
                parts = []
            else:
                parts.append(tail)
    if overlong is not None:
        yield overlong
    elif parts:
        yield b"".join(parts)


def _cut(block: bytes) -> tuple[list[bytes], bytes]:
    """The lines of a block, and what follows the last end of a line. Where there is no CR, LF alone is found much faster."""
    if b"\r" not in block:
        *pieces, tail = block.split(b"\n")
        return [piece + b"\n" for piece in pieces], tail
    pieces = block.splitlines(keepends=True)
    return pieces, b"" if pieces[-1].endswith((b"\n", b"\r")) else pieces.pop()


def _begin(parts: list[bytes]) -> Overlong:
    whole = b"".join(parts)
    overlong = Overlong(whole[:4096])
    overlong.quotes = whole.count(b'"')
    return overlong
