"""Drawing: elements, scales, axes. A drawing is a string of SVG whose colours are classes of the page's style."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .html import text

__all__ = ["Frame", "at", "drawing", "element", "frame", "nice_ticks", "path", "scale", "words"]

Scale = Callable[[float], float]


def at(value: float) -> str:
    """A coordinate, to a tenth: finer is not seen."""
    rounded = f"{value:.1f}"
    return rounded[:-2] if rounded.endswith(".0") else rounded


def element(tag: str, content: str = "", **attributes: float | str) -> str:
    """One element; `kind` is its class, underscores are hyphens."""
    told = "".join(
        f' {"class" if key == "kind" else key.replace("_", "-")}="{at(value) if isinstance(value, int | float) else text(value)}"'
        for key, value in attributes.items()
    )
    return f"<{tag}{told}>{content}</{tag}>" if content or tag in ("title", "desc") else f"<{tag}{told}/>"


def words(x: float, y: float, content: str, kind: str = "tick", **attributes: float | str) -> str:
    """Text that is safe already, at a place."""
    return element("text", content, x=x, y=y, kind=kind, **attributes)


def path(points: Iterable[tuple[float, float]], kind: str, close: bool = False) -> str:
    """A line through points."""
    d = "M" + "L".join(f"{at(x)} {at(y)}" for x, y in points) + ("Z" if close else "")
    return f'<path class="{kind}" d="{d}"/>'


def drawing(width: float, height: float, parts: Iterable[str], *, title: str, desc: str, kind: str = "plot") -> str:
    """The whole, with what it shows in words; title and desc are safe already."""
    told = element("title", title) + element("desc", desc)
    box = f"0 0 {at(width)} {at(height)}"
    inside = told + "".join(parts)
    return f'<svg class="{kind}" role="img" viewBox="{box}" width="{at(width)}" height="{at(height)}">{inside}</svg>'


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """From values to places; what lies outside is put on the edge."""
    span = (high - low) or 1.0

    def placed(value: float) -> float:
        return start + (end - start) * min(max((value - low) / span, 0.0), 1.0)

    return placed


@dataclass(frozen=True, slots=True)
class Frame:
    """A plotting area: its edges, its scales, and its drawn axes."""

    left: float
    right: float
    top: float
    bottom: float
    x: Scale
    y: Scale
    drawn: str


def frame(
    box: tuple[float, float, float, float],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    x_ticks: Sequence[tuple[float, str]],
    y_ticks: Sequence[tuple[float, str]],
    titles: tuple[str, str] = ("", ""),
) -> Frame:
    """Axes in a box (left, top, right, bottom): faint lines across, ticks in words, titles outside."""
    left, top, right, bottom = box
    x, y = scale(*x_range, left, right), scale(*y_range, bottom, top)
    drawn = [element("line", x1=left, x2=right, y1=y(v), y2=y(v), kind="grid") for v, _ in y_ticks]
    drawn += [element("line", x1=left, x2=right, y1=bottom, y2=bottom, kind="axis")]
    drawn += [words(left - 6, y(v) + 3.5, label, text_anchor="end") for v, label in y_ticks]
    drawn += [words(x(v), bottom + 15, label, text_anchor="middle") for v, label in x_ticks]
    if titles[0]:
        drawn.append(words((left + right) / 2, bottom + 32, titles[0], kind="label", text_anchor="middle"))
    if titles[1]:
        drawn.append(words(left - 6, top - 13, titles[1], kind="label", text_anchor="start", dx=-left + 8))
    return Frame(left, right, top, bottom, x, y, "".join(drawn))


def nice_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from below `low` to above `high`."""
    span = max(high - low, 1e-9)
    raw = span / about
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * n, 12) for n in range(first, max(last, first + 1) + 1)]
