"""Text whose encoding nobody named: UTF-8, or Windows-1252 (cp1252), in which Excel saves CSV in western Europe and America.

Bytes beyond ASCII tell. Two to four that form a character of UTF-8 are hardly ever found in cp1252 by chance; what does not form
one is either cp1252 or damage. Text counts as cp1252 if there are at least three runs of ill-formed bytes for each well-formed
character, and nine in ten of these runs look like western text: bytes that cp1252 defines (it lacks 81 8D 8F 90 9D), no more than
two letters, or three bytes, beyond ASCII in a row (words in Cyrillic, Greek, Chinese or Korean encodings have more), no currency
signs, fractions and the like between two letters (as Polish or Macintosh text would have), no FF, no surrogates. So a UTF-8 file
with damaged bytes stays UTF-8, and its damaged rows are rejected. What other encodings of Latin letters (cp1250, cp1254, cp850)
have in common with cp1252 cannot be told apart: they must be named.

A file is looked through until this is certain, to its end if need be, before its first row is read. Standard input cannot be: it
is judged from its first byte beyond ASCII on, by windows of a megabyte, as soon as there is evidence enough; until then it is
taken for UTF-8. In a text that counts as cp1252 each line that is valid UTF-8 is read as such, so that a file with rows from two
sources is read rightly, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...errors import InputError
from .decompression import BLOCK, Readable, Stream

AS_WESTERN = "line that is not UTF-8 read as cp1252 (Windows)"
WINDOW = 1 << 20
LONGEST = 1 << 20  # of the end of a block that waits for the end of its line
CERTAIN = 1000  # pieces of evidence after which a file need not be looked at further
ENOUGH = 10  # pieces of evidence on which a stream may be judged before its end
TIMES = 3
SHARE = 0.9

# patterns are compiled when a byte beyond ASCII is first met
WELL_FORMED = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
RUN = rb"[\x80-\xff]+"
UNWESTERN = (
    rb"[\x81\x8d\x8f\x90\x9d\xff]"  # not in cp1252, or next to never
    rb"|\xc0\x80|\xed[\xa0-\xbf][\x80-\xbf]"  # as some programs write NUL and surrogates in what they take for UTF-8
    rb"|[\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xc0-\xd6\xd8-\xf6\xf8-\xfe]{3}"  # three letters in a row
    rb"|(?=\x01*[\x80-\xff])[\x01\x80-\xff]{4,}"  # four bytes in a row, \x01 being what was well-formed
    rb"|(?<=[A-Za-z])[\x80\x82-\x84\x86-\x89\x8b\x95\x98\x99\x9b\xa1-\xa9\xab\xac\xae-\xb3\xb5\xb6\xb8\xb9\xbb-\xbf\xd7\xf7](?=[A-Za-z])"
)


@dataclass(slots=True)
class Evidence:
    """What bytes beyond ASCII say about the encoding."""

    well_formed: int = 0  # characters of UTF-8
    ill_formed: int = 0  # runs of other bytes
    unwestern: int = 0  # of these, runs that do not look like western text
    _rest: bytes = b""

    def add(self, block: bytes, *, last: bool = False) -> None:
        """Look at further bytes; a word at the end of a block waits for the next one."""
        data = self._rest + block
        self._rest = b""
        if not last:
            end = max(data.rfind(b" "), data.rfind(b"\n"), data.rfind(b",")) + 1
            if len(data) - end < 256:
                data, self._rest = data[:end], data[end:]
        if data.isascii():
            return
        unexplained, well_formed = re.subn(WELL_FORMED, b"\x01", data)
        self.well_formed += well_formed
        if not unexplained.isascii():
            self.ill_formed += len(re.findall(RUN, unexplained))
            self.unwestern += len(re.findall(UNWESTERN, unexplained))

    @property
    def size(self) -> int:
        return self.well_formed + self.ill_formed

    @property
    def western(self) -> bool:
        too_few = self.ill_formed < max(1, TIMES * self.well_formed)
        return not too_few and self.unwestern <= (1 - SHARE) * self.ill_formed


@dataclass(slots=True)
class Verdict:
    """Whether a source is cp1252; None as long as it is not known."""

    western: bool | None = None


def is_cp1252(stream: Stream) -> bool:
    evidence = Evidence()
    try:
        while (block := stream.read(BLOCK)) and evidence.size < CERTAIN:
            evidence.add(block)
    except InputError:
        pass  # reading the rows meets the same damage, and reports it after the rows before it
    evidence.add(b"", last=True)
    return evidence.western


class WesternLines:
    """A text as UTF-8, whose lines may be cp1252. A line that is neither stays as it is, so that its row is rejected."""

    def __init__(self, inner: Readable, verdict: Verdict) -> None:
        self._inner, self._verdict, self._evidence = inner, verdict, Evidence()
        self._out, self._incomplete, self._ended = b"", b"", False
        self.lines = 0  # read as cp1252 so far

    def read(self, size: int, /) -> bytes:
        while not self._out and not self._ended:
            self._out = self._next(size)
        out, self._out = self._out[:size], self._out[size:]
        return out

    def close(self) -> None:
        self._inner.close()

    def _next(self, size: int) -> bytes:
        block = self._inner.read(size)
        self._ended = not block
        if self._verdict.western is None and not block.isascii():
            block = self._with_evidence(block)
        if not self._verdict.western:
            return block
        data = self._incomplete + block
        end = len(data) if self._ended else max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if not end and len(data) > LONGEST:
            end = len(data)
        data, self._incomplete = data[:end], data[end:]
        if data.isascii():
            return data
        return b"\n".join([line if line.isascii() else self._as_utf8(line) for line in data.split(b"\n")])

    def _with_evidence(self, block: bytes) -> bytes:
        """The block with as much as is needed to judge it; that may take a megabyte, or all there is."""
        parts, size, more = [block], len(block), block
        self._evidence.add(block)
        while self._evidence.size < CERTAIN and size < WINDOW and (more := self._inner.read(BLOCK)):
            self._evidence.add(more)
            parts.append(more)
            size += len(more)
        if not more:
            self._evidence.add(b"", last=True)
        if not more or self._evidence.size >= ENOUGH:
            self._verdict.western = self._evidence.western
        return b"".join(parts)

    def _as_utf8(self, line: bytes) -> bytes:
        try:
            line.decode()
        except UnicodeError:
            try:
                recoded = line.decode("cp1252").encode()
            except UnicodeError:
                return line
            self.lines += 1
            return recoded
        return line
