"""One answer from several people: the gold labels on which they agree, and what became of every other item.

As 004 made its data: an item is kept if at least two people judged it and all gave the same definite label; an item on which
they only lean the same way, or on which one of them is undecided, is not. Items in = items kept + items dropped, each with the
reason. Source: 004 sec. 4.1-4.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import InvalidSetting
from ...foundation.share_text import per_cent
from .disagreement import is_missing

REASONS = {
    "too few": "judged by too few people",
    "undecided": "somebody was undecided",
    "disagree": "the labels differ",
    "only likely": "all lean the same way, not all are definite",
}


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item without a gold label: which, why (a key of REASONS), and the label all lean to if that is the reason."""

    item: int
    why: str
    leaning: Any = None


@dataclass(frozen=True, slots=True)
class Gold:
    """labels: one an item, None where it was dropped; kept: the items with a label; dropped: the others."""

    labels: tuple[Any, ...]
    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]

    @property
    def likely(self) -> dict[int, Any]:
        """Dropped items on which all lean the same way, with that label: for those who want them too."""
        return {item.item: item.leaning for item in self.dropped if item.why == "only likely"}

    @property
    def reasons(self) -> dict[str, int]:
        """How many items were dropped for each reason."""
        numbers = Counter(item.why for item in self.dropped)
        return {why: numbers[why] for why in REASONS if numbers[why]}

    def __str__(self) -> str:
        """A sentence for people: 1,675 items: 1,339 kept (79.9 %), 336 dropped (the labels differ 336)."""
        n = len(self.labels)
        reasons = ", ".join(f"{REASONS[why]} {number:,}" for why, number in self.reasons.items())
        share = f" ({per_cent(len(self.kept) / n, 1)} %)" if n else ""
        counts = f"{n:,} items: {len(self.kept):,} kept{share}, {len(self.dropped):,} dropped"
        return f"{counts} ({reasons})" if reasons else counts


def adjudicate(
    judgements: Any,
    *,
    likely: Mapping[Any, Any] | None = None,
    undecided: Collection[Any] = (),
    at_least: int = 2,
) -> Gold:
    """Gold labels of annotators x items (None or nan: not judged).                                       [004 sec. 4.1]

    likely: which label a leaning points to, {"Likely Indoor": "Indoor", "Likely Outdoor": "Outdoor"}; undecided: judgements
    that point nowhere, ["Ambiguous"]. at_least: judgements an item needs. A judgement may be any one value, a frozenset of
    labels too: sets agree if they are the same.
    """
    if at_least < 1:
        raise InvalidSetting(f"at_least={at_least}: give a whole number of at least 1")
    rows = [list(row) for row in judgements]
    if len({len(row) for row in rows}) > 1:
        raise InvalidSetting(
            f"rows of {sorted({len(row) for row in rows})} judgements: give each annotator one an item, or None"
        )
    leanings = dict(likely or {})
    outcomes = [
        gold_label(item, values, leanings, frozenset(undecided), at_least)
        for item, values in enumerate(zip(*rows, strict=True))
    ]
    labels = tuple(None if isinstance(outcome, Dropped) else outcome for outcome in outcomes)
    dropped = tuple(outcome for outcome in outcomes if isinstance(outcome, Dropped))
    kept = tuple(item for item, outcome in enumerate(outcomes) if not isinstance(outcome, Dropped))
    return Gold(labels, kept, dropped)


def gold_label(
    item: int,
    values: Collection[Any],
    leanings: Mapping[Any, Any],
    undecided: Collection[Hashable],
    at_least: int,
) -> Any:
    labels = [label for label in values if not is_missing(label)]
    if len(labels) < at_least:
        return Dropped(item, "too few")
    if any(label in undecided for label in labels):
        return Dropped(item, "undecided")
    directions = {leanings.get(label, label) for label in labels}
    if len(directions) > 1:
        return Dropped(item, "disagree")
    direction = directions.pop()
    return Dropped(item, "only likely", direction) if any(label in leanings for label in labels) else direction
