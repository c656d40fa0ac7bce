"""A figure of dots: methods by task, a panel a task, a row a method. Ours with its limits, what the paper prints beside it.

Each panel has a scale of its own, since methods are compared within a task. Narrow, so that it can be read on a phone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rubricate.evaluation.report.html import plain_text
from rubricate.evaluation.report.svg import at, drawing, element, nice_ticks, scale, words

from .result import Figure
from .signs import N_SIGNS, mark

__all__ = ["dotted"]

WIDTH, LEFT, RIGHT, ROW = 380, 86, 366, 19


@dataclass(frozen=True, slots=True)
class Dot:
    """A value of a method in one panel. low, high: nan where there are no limits."""

    method: str
    value: float
    low: float = math.nan
    high: float = math.nan
    printed: bool = False

    @property
    def ends(self) -> list[float]:
        """Value and limits, as far as there are any."""
        return [one for one in (self.value, self.low, self.high) if not math.isnan(one)]


def dotted(figure: Figure) -> str:
    """The drawing for a page that has the styles."""
    methods = list(dict.fromkeys(series.method for series in figure.series))
    parts, told, top = [], [], 18.0
    for n, name in enumerate(figure.panels):
        dots = list(dots_of(figure, n))
        drawn, top = panel(name, dots, methods, top)
        parts.append(drawn)
        told.append(f"{plain_text(name)}: " + ", ".join(map(spoken, dots)))
    key, height = key_of(figure, top)
    title = plain_text(figure.title, 200)
    return drawing(WIDTH, height, [*parts, *key], title=title, desc="; ".join(told), kind="plot dots")


def dots_of(figure: Figure, panel: int) -> Iterator[Dot]:
    """What stands in a panel."""
    for series in figure.series:
        for n, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
            if x == panel and not math.isnan(y):
                low, high = (limit[n] if limit else math.nan for limit in (series.low, series.high))
                yield Dot(series.method, y, low, high, series.printed)


def spoken(dot: Dot) -> str:
    """A dot in words."""
    limits = "" if math.isnan(dot.low) else f" ({dot.low:.4g} to {dot.high:.4g})"
    return f"{plain_text(dot.method)}{' as printed' if dot.printed else ''} {dot.value:.4g}{limits}"


def panel(name: str, dots: Sequence[Dot], methods: Sequence[str], top: float) -> tuple[str, float]:
    """One task: its name, a row a method, an axis. And where the next one begins."""
    rows = [method for method in methods if any(dot.method == method for dot in dots)]
    values = [value for dot in dots for value in dot.ends]
    ticks = nice_ticks(min(values), max(values), 5)
    across = scale(ticks[0], ticks[-1], LEFT, RIGHT)
    first, bottom = top + 18, top + 12 + ROW * len(rows)
    parts = [words(4, top, plain_text(name), kind="panel")]
    parts += [element("line", x1=across(v), x2=across(v), y1=top + 8, y2=bottom, kind="grid") for v in ticks]
    parts += [element("line", x1=LEFT, x2=RIGHT, y1=bottom, y2=bottom, kind="axis")]
    parts += [words(across(v), bottom + 13, f"{v:g}", text_anchor="middle") for v in ticks]
    for n, method in enumerate(rows):
        y, number = first + ROW * n, methods.index(method) % N_SIGNS
        parts.append(words(LEFT - 10, y + 4, plain_text(method, 24), kind="label", text_anchor="end"))
        own = [dot for dot in dots if dot.method == method]
        limits = [
            f'<path class="limits" d="M{at(across(dot.low))} {at(y)}H{at(across(dot.high))}"/>'
            for dot in own
            if not math.isnan(dot.low)
        ]
        marks = [mark(across(dot.value), y, number, *(("ring", 6.2) if dot.printed else ("mark", 3.6))) for dot in own]
        parts.append(element("g", "".join([*limits, *marks]), kind=f"m{number}"))
    return "".join(parts), bottom + 40


def key_of(figure: Figure, top: float) -> tuple[list[str], float]:
    """What the signs mean, and how high the drawing is."""
    told = ["filled: ours", "line: 95 % interval", "hollow: printed in the paper"]
    known = [True, any(series.low for series in figure.series), any(series.printed for series in figure.series)]
    text = "; ".join(one for one, there in zip(told, known, strict=True) if there)
    across = [words(4, top, plain_text(figure.across, 90), kind="label")] if figure.across else []
    return [*across, words(4, top + 16 * len(across), text, kind="label")], top + 16 * len(across) + 10
