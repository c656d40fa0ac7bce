"""The history of a topic's judgements: small files of JSON Lines in one folder, each written once and never changed.

    00000007-1f0c9a.jsonl    {"document": "17", "relevant": true, "when": "2026-11-16T02:20:41Z", "terms": {"wheat": 2, ...}}

Each call adds one file, written atomically. The files in the order of their names are the history; the last judgement of a
document counts. Stored are its terms and how often each occurs, which is all that feedback needs; its text only on request.
MOST_FILES files are merged into one, whose first line names them: until they are deleted they are skipped. Two programs that
merged at the same time would double the history and lose new judgements: whoever adds or reads locks the topic first
(`Topic.judge`, `Topic.history`).
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

MOST_FILES = 64
MERGED = b'{"holds":'  # how the first line of a merged file begins
MOST_OCCURRENCES = 2**31 - 1  # of a term in a document


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """One judgement: the document, whether it is relevant, its terms and how often each occurs, when, and its text on request."""

    document: str
    relevant: bool
    terms: dict[str, int]
    when: str = ""
    text: str | None = None

    def line(self) -> bytes:
        """A line of the history."""
        row: dict[str, Any] = {"document": self.document, "relevant": self.relevant, "when": self.when}
        row["terms"] = self.terms
        if self.text is not None:
            row["text"] = self.text
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def history_files(folder: Path) -> list[Path]:
    """The files of a history, the oldest first; without those that were merged into a later one."""
    paths = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    merged: set[str] = set()
    for path in paths:
        with path.open("rb") as file:
            first = file.readline()
        if first.startswith(MERGED):
            try:
                merged.update(need_strings(orjson.loads(first)["holds"], f"{path}: what it holds"))
            except (ValueError, KeyError, TypeError) as problem:
                raise DamagedFile(f"{path}: its first line cannot be read ({problem})") from None
    return [path for path in paths if path.stem not in merged]


def history_state(folder: Path) -> str:
    """A text that changes with every judgement: a query stored beside it is the newest while it is the same."""
    return " ".join(path.stem for path in history_files(folder))


def add_judgements(folder: Path, judgements: Iterable[JudgedDocument]) -> None:
    """Write these judgements, in this order, after all others. The caller has locked the topic."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = history_files(folder)
    lines = [judgement.line() for judgement in judgements]
    if not lines:
        return
    merged = paths if len(paths) >= MOST_FILES else []
    if merged:
        head = orjson.dumps({"holds": [path.stem for path in merged]}, option=orjson.OPT_APPEND_NEWLINE)
        lines = [head, *(b"".join(judgement_lines(path)) for path in merged), *lines]
    write_atomically(folder / next_file_name(paths), lines)
    for path in merged:
        path.unlink(missing_ok=True)


def judgement_lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines(keepends=True) if not line.startswith(MERGED)]


def next_file_name(paths: list[Path]) -> str:
    """A name after all others; its random end differs between two programs that write at the same moment."""
    number = paths[-1].stem.partition("-")[0] if paths else "0"
    if not number.isdecimal():
        raise DamagedFile(f"{paths[-1]}: judgements are in files named by numbers; take it out of the folder")
    return f"{int(number) + 1:08d}-{os.urandom(3).hex()}.jsonl"


def judgement_from(row: dict[str, Any]) -> JudgedDocument:
    """The judgement of a line; one of wrong types raises ValueError or TypeError."""
    document, relevant, when, text = row["document"], row["relevant"], row["when"], row.get("text")
    if not isinstance(document, str) or not isinstance(relevant, bool) or not isinstance(when, str):
        raise TypeError("document and when are strings, relevant is true or false")
    if text is not None and not isinstance(text, str):
        raise TypeError("text is a string")
    if not all(type(times) is int and 0 < times <= MOST_OCCURRENCES for times in row["terms"].values()):
        raise ValueError("terms occur once or more often")
    return JudgedDocument(document, relevant, dict(row["terms"]), when, text)


def read_history(folder: Path) -> list[JudgedDocument]:
    history: list[JudgedDocument] = []
    for path in history_files(folder):
        for number, line in enumerate(judgement_lines(path), 1):
            try:
                history.append(judgement_from(orjson.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                cure = "take the line out, the others are whole"
                raise DamagedFile(f"{path} judgement {number}: cannot be read ({problem}); {cure}") from None
    return history


def need_strings(values: Any, what: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise DamagedFile(f"{what} is no list of strings")
    return values
