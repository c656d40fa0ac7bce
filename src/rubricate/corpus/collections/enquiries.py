"""Enquiries to a public library's help desk: the sample that ships inside the package. Written for it; nobody is real."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from .. import Columns, Corpus, Row, Tally
from .catalogue import Split

FILES = {
    "labelled": Path(__file__).parents[2] / "data" / "enquiries.jsonl",
    "new": Path(__file__).parents[2] / "data" / "enquiries_new.jsonl",
}
TEST_FROM = "2026-01-01"


def columns(options: dict[str, Any]) -> Columns:
    """Subject line and text apart; date and channel are kept."""
    return Columns(text=("subject", "text"), keep=("date", "channel"))


def rows(path: Path, version: str, options: dict[str, Any], tally: Tally) -> Iterator[Row]:
    """All enquiries, by date."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            row = orjson.loads(line)
            where = f"{path.name} line {number}"
            yield Row(
                where, row["id"], (row["subject"], row["text"]), tuple(row["labels"]), (row["date"], row["channel"])
            )


def split(whole: Corpus, version: str, options: dict[str, Any]) -> Split:
    """The last months for testing, as they would be met in use."""
    test = np.array(whole.column("date"), dtype=object) >= TEST_FROM
    return Split(~test, test)
