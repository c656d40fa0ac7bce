"""How text from outside and numbers are written into a page. Everything that was not written here goes through `text` or `name`.

Labels, terms and excerpts may hold anything: markup, quotes, control characters, half characters, text that runs from right to
left. Markup is escaped, what is no text is shown as U+FFFD, and <bdi> keeps a name's direction to itself.
"""

from __future__ import annotations

import html
import math
import re
from typing import Any

from ...foundation.share_text import per_cent

NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
NOTHING = "–"
LONG = 80


def short(value: Any, limit: int = LONG) -> str:
    """One line of at most so many characters."""
    line = " ".join(NO_TEXT.sub("\ufffd", str(value)).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def escaped(value: str) -> str:
    """For content and attributes alike, all of it, spaces as they are."""
    return html.escape(NO_TEXT.sub("\ufffd", value), quote=True)


def text(value: Any, limit: int = 2000) -> str:
    """Any text in one line, escaped."""
    return escaped(short(value, limit))


def name(value: Any, limit: int = LONG) -> str:
    """A label, a term, a system: escaped, and with a direction of its own."""
    shown = text(value, limit)
    return f"<bdi>{shown}</bdi>" if shown else "<bdi><em>empty</em></bdi>"


def plain_text(value: Any, limit: int = LONG) -> str:
    """A name inside a drawing, where there is no <bdi>: without marks that would turn the direction of what follows."""
    return text(DIRECTIONS.sub("", str(value)), limit) or "empty"


def count(value: int) -> str:
    """12,345."""
    return f"{value:,}"


def compact(value: float) -> str:
    """1234567 as 1.2M: for where there is little room."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 10 * unit or (value >= unit and letter != "k"):
            return f"{value / unit:.{0 if value >= 10 * unit else 1}f}{letter}"
    return f"{value:,.0f}"


def percent(value: float | None, digits: int = 0) -> str:
    """0.914 as 91, with decimals where that would be 100 or 0 and is not; a dash where there is none."""
    return NOTHING if value is None or math.isnan(value) else per_cent(value, digits)


def number(value: Any, digits: int = 3) -> str:
    """A number of any size; a dash where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, str):  # "inf", as JSON has it
        value = float(value)
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if isinstance(value, int):
        return count(value)
    shown = f"{value:.2g}" if 0 < abs(value) < 10**-digits else f"{value:,.{digits}f}"
    return shown.replace("-", "−")


def percent_range(low: float, high: float, digits: int = 0) -> str:
    """86 to 94."""
    return f"{percent(low, digits)} to {percent(high, digits)}"
