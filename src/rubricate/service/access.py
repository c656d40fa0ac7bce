"""Who may ask, and how often: bearer tokens from a file, a rate for each of them, and the names under which we are asked.

The file has a line `name sha256` for each token, and only its owner may read it; it is read again when it changes. The token
itself is in no file of ours. One with its digest is made by

    python -c "import hashlib, secrets as s; t = s.token_urlsafe(32); print(t, hashlib.sha256(t.encode()).hexdigest())"
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import stat
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import InputError, InvalidSetting
from .served_models import Stamp, stamp_of

LINE = re.compile(r"(\S+)\s+([0-9a-f]{64})")
MOST_CLIENTS = 10_000  # whose rate is remembered


class Tokens:
    """The tokens of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: Stamp = (0, 0, 0)
        self._names: dict[str, str] = {}  # by digest
        self._read()

    def _read(self) -> None:
        stamp = stamp_of(self.path)
        if stamp == self._stamp:
            return
        try:
            if stat.S_IMODE(self.path.stat().st_mode) & 0o077:
                raise InputError(str(self.path), "others than its owner may read it", f"chmod 600 {self.path}")
            lines = self.path.read_text("utf-8").splitlines()
        except OSError as problem:
            raise InputError(
                str(self.path), f"cannot be read ({problem.strerror})", "give a file of lines `name sha256`"
            ) from None
        names = {}
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            match = LINE.fullmatch(line.strip())
            if match is None:
                raise InputError(f"{self.path} line {number}", "is not `name sha256`", "see `rubricate serve --help`")
            names[match[2]] = match[1]
        if not names:
            raise InputError(str(self.path), "there is no token in it", "give a file of lines `name sha256`")
        self._stamp, self._names = stamp, names

    def name_of(self, token: str) -> str | None:
        """The name of a token; None if it is none of ours. A file that has become unreadable leaves the tokens as they were."""
        with contextlib.suppress(InputError):
            self._read()
        digest = hashlib.sha256(token.encode()).hexdigest()
        name = None
        for known, owner in self._names.items():  # all are compared, so that the time tells nothing
            if hmac.compare_digest(known, digest):
                name = owner
        return name


@dataclass(slots=True)
class Rate:
    """At most so many requests a second for each client, and as many at once as a second allows (a token bucket)."""

    per_second: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)  # client -> what is left, when

    def wait(self, client: str, now: float | None = None) -> float:
        """0 if the client may ask now, which is counted; otherwise the seconds after which it may."""
        now = time.monotonic() if now is None else now
        most = max(self.per_second, 1.0)
        left, then = self._buckets.pop(client, (most, now))
        left = min(most, left + (now - then) * self.per_second)
        allowed = left >= 1
        self._buckets[client] = (left - 1 if allowed else left), now
        while len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self.per_second


def parse_rate(text: str) -> Rate:
    """«50/s», «600/min»."""
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*/\s*(s|min)\s*", text)
    if match is None or float(match[1]) <= 0:
        raise InvalidSetting(f"rate {text!r}: give requests by time, e.g. 50/s or 600/min")
    return Rate(float(match[1]) / (60 if match[2] == "min" else 1))


def parse_bytes(text: str) -> int:
    """«64MB», «500 kB», «1000000»."""
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(k|m|g)?i?b?\s*", text.lower())
    size = 0 if match is None else int(float(match[1]) * {None: 1, "k": 10**3, "m": 10**6, "g": 10**9}[match[2]])
    if size < 1:
        raise InvalidSetting(f"{text!r}: give a size, e.g. 64MB")
    return size
