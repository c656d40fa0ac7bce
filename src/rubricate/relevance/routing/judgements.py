"""Judgements of a topic, as they were made: small files of JSON Lines in one folder, none ever rewritten while it counts.

    00000007-1f0c9a.jsonl    {"document": "17", "relevant": true, "when": "2026-11-16T02:20:41Z", "terms": {"wheat": 2, ...}}

Each call adds one file, written beside and renamed. The files in the order of their names are the history; the last judgement
of a document counts. Terms and their numbers are kept, which is all that feedback needs; the text only where it was asked for.
MANY files are put together into one, whose first line names what it holds: until the old ones are gone they are passed over. Two
programs that put together at the same time would double what is there and lose what came meanwhile: who adds, or reads, holds
the topic (`Topic.judge`, `Topic.history`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from ...errors import DamagedFile
from ...foundation.files import write_atomically
from .checks import checked_terms, need_strings

__all__ = ["MANY", "Judged", "add", "history", "state_of"]

MANY = 64
HOLDS = b'{"holds":'


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement: the document, whether it is relevant, its terms and how often each occurs, when, and its text if kept."""

    document: str
    relevant: bool
    terms: dict[str, int]
    when: str = ""
    text: str | None = None

    def line(self) -> bytes:
        """As it is kept."""
        row: dict[str, Any] = {"document": self.document, "relevant": self.relevant, "when": self.when}
        row["terms"] = self.terms
        if self.text is not None:
            row["text"] = self.text
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def files(folder: Path) -> list[Path]:
    """The files of a history, the oldest first; without those that a later one holds."""
    there = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    held: set[str] = set()
    for path in there:
        with path.open("rb") as opened:
            if (first := opened.readline()).startswith(HOLDS):
                held.update(names_held(first, path))
    return [path for path in there if path.stem not in held]


def names_held(line: bytes, path: Path) -> list[str]:
    """The files that a file put together names in its first line."""
    try:
        return need_strings(orjson.loads(line)["holds"], f"{path}: what it holds")
    except (ValueError, KeyError, TypeError) as problem:
        raise DamagedFile(f"{path}: its first line cannot be read ({problem})") from None


def state_of(folder: Path) -> str:
    """Changes with every judgement: by it a query knows whether it is still the newest."""
    return " ".join(path.stem for path in files(folder))


def add(folder: Path, judgements: Iterable[Judged]) -> None:
    """Keep these judgements, in this order, after all others. For one program at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    there = files(folder)
    lines = [one.line() for one in judgements]
    if not lines:
        return
    if len(there) < MANY:
        write_atomically(folder / named(there), lines)
        return
    head = orjson.dumps({"holds": [path.stem for path in there]}, option=orjson.OPT_APPEND_NEWLINE)
    write_atomically(folder / named(there), [head, *(b"".join(lines_of(path)) for path in there), *lines])
    for path in there:
        path.unlink(missing_ok=True)


def lines_of(path: Path) -> list[bytes]:
    """The judgements in a file, as lines with their ends."""
    return [line for line in path.read_bytes().splitlines(keepends=True) if not line.startswith(HOLDS)]


def named(there: list[Path]) -> str:
    """A name after all others; the end tells apart what two programs write at the same moment."""
    number = there[-1].stem.partition("-")[0] if there else "0"
    if not number.isdecimal():
        raise DamagedFile(f"{there[-1]}: judgements are in files named by numbers; take it out of the folder")
    last = int(number)
    return f"{last + 1:08d}-{os.urandom(3).hex()}.jsonl"


def judged_from(row: dict[str, Any]) -> Judged:
    """The judgement of a line."""
    document, relevant, when, text = row["document"], row["relevant"], row["when"], row.get("text")
    if not isinstance(document, str) or not isinstance(relevant, bool) or not isinstance(when, str):
        raise TypeError("document and when are strings, relevant is true or false")
    if text is not None and not isinstance(text, str):
        raise TypeError("text is a string")
    return Judged(document, relevant, checked_terms(row["terms"]), when, text)


def history(folder: Path) -> list[Judged]:
    """All judgements, the oldest first."""
    found: list[Judged] = []
    for path in files(folder):
        for number, line in enumerate(lines_of(path), 1):
            try:
                row = orjson.loads(line)
                found.append(judged_from(row))
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                raise DamagedFile(
                    f"{path} judgement {number}: cannot be read ({problem}); take the line out, the others are whole"
                ) from None
    return found
