"""Reuters-21578: its rows, and its splits as the collection's README defines them (section VIII)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from .. import Columns, Corpus, Row, Tally
from ..readers.archives import members
from .reuters_sgml import FIELDS, KEPT, reuters_articles
from .shape import Split

__all__ = ["TEN_TOPICS"]

TEN_TOPICS = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn")
LAST_TRAINING_DAY = "1987-04-07"

_FILE = re.compile(r"reut2-\d{3}\.sgm", re.IGNORECASE)


def columns(options: dict[str, Any]) -> Columns:
    """Title and body apart; the date and the attributes the splits are made of are kept."""
    return Columns(text=FIELDS, keep=KEPT)


def rows(path: Path, version: str, options: dict[str, Any], tally: Tally) -> list[Row]:
    """All articles, by NEWID, which is the order of time."""
    found = [
        row
        for member in members(path, wanted=lambda parts: bool(_FILE.fullmatch(parts[-1])), tally=tally)
        for row in reuters_articles([member.data], where=member.parts[-1], tally=tally)
    ]
    return sorted(found, key=lambda row: (len(row.id or ""), row.id or ""))


def split(whole: Corpus, version: str, options: dict[str, Any]) -> Split:
    """Masks of the two parts, and for the 90 and ten topics the labels that stay."""
    if version == "joachims":
        days = [(date or "")[:10] for date in whole.column("date")]
        early = np.array(["" < day <= LAST_TRAINING_DAY for day in days], dtype=bool)
        return Split(early, np.array([day > LAST_TRAINING_DAY for day in days], dtype=bool))
    usable = {"YES", "NO"} if version == "modlewis" else {"YES"}
    judged = np.array([value in usable for value in whole.column("topics_attribute")], dtype=bool)
    lewis = np.array(whole.column("lewissplit"), dtype=object)
    train, test = judged & (lewis == "TRAIN"), judged & (lewis == "TEST")
    if version == "10":
        return Split(train, test, frozenset(TEN_TOPICS))
    if version == "90":
        labels = whole.labels
        both = _topics(labels, train) & _topics(labels, test)
        labelled = np.array([not both.isdisjoint(own) for own in labels], dtype=bool)
        return Split(train & labelled, test & labelled, both)
    return Split(train, test)


def _topics(labels: list[list[str]], part: Array) -> frozenset[str]:
    return frozenset(label for position in np.flatnonzero(part) for label in labels[position])
