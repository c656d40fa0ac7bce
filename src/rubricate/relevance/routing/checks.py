"""What the small files of topics hold, checked where they are read: of the types that were written, or a damaged file.

No compiled loop follows these numbers at once, but a wrong one ends far from its file, with a message that nobody understands.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import DamagedFile, InvalidSetting, UnknownName
from .settings import Settings

__all__ = ["checked_pile", "checked_terms", "need_strings", "settings_from"]

MOST_TIMES = 2**31 - 1  # a term in a document


def settings_from(values: Any, where: Path) -> Settings:
    """The settings of a topic."""
    if not isinstance(values, dict):
        raise DamagedFile(f"{where}: the settings of the topic are no object")
    usual = Settings().as_dict()
    for name, value in values.items():
        kinds = (int, float) if isinstance(usual.get(name), float) else (type(usual.get(name)),)
        if name in usual and type(value) not in kinds:
            raise DamagedFile(f"{where}: {name} cannot be {str(value)[:60]!r}")
    try:
        return Settings.from_dict(values)
    except (InvalidSetting, UnknownName) as problem:
        raise DamagedFile(f"{where}: {problem}") from None


def checked_pile(pile: Any, where: Path) -> dict[str, Any] | None:
    """The last pile: where it is, and how it was read."""
    if pile is None:
        return None
    if not isinstance(pile, dict) or not isinstance(pile.get("path"), str):
        raise DamagedFile(f"{where}: the last pile is no pile; take it out")
    for name, value in pile.items():
        if not isinstance(value, str):
            need_strings(value, f"{where}: {name} of the last pile")
    return pile


def checked_terms(terms: Any) -> dict[str, int]:
    """Terms of a judged document and how often each occurs."""
    if not all(type(times) is int and 0 < times <= MOST_TIMES for times in terms.values()):
        raise ValueError("terms occur once or more often")
    return dict(terms)


def need_strings(values: Any, what: str) -> list[str]:
    """A list of strings."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise DamagedFile(f"{what} is no list of strings")
    return values
