"""A figure as SVG: our curves with their limits, and the paper's printed points beside them. Computes nothing.

A method has a colour, a mark and a dash, so that no one of them is needed to tell it from the others; printed points are hollow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..report.style import DARK, LIGHT, variables
from ..report.svg import Frame, drawing, element, frame, nice_ticks, path, words
from ..report.written import compact, plain_text
from .result import Figure, Series

__all__ = ["FIGURE_STYLE", "alone", "drawn"]

COLOURS = {
    "light": ("#a4341d", "#1f5f99", "#2f7a3d", "#8a5a00", "#6b3fa0", "#5f5b55", "#0f7c7c", "#b03070"),
    "dark": ("#f0937c", "#7db7ea", "#86cf92", "#e0b45c", "#c3a1f0", "#b9b3a8", "#6fd0d0", "#f08fb8"),
}
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 4", "6 2 1 2")
SIDES = (0, 4, 3, -4, 5, -3, 6, 1)  # corners of the mark: a circle, a square, a triangle, a diamond ...
WIDTH, HEIGHT, LINE = 560, 330, 17


def rules() -> str:
    """The styles of methods, light and dark."""
    light, dark = ("".join(f"--m{n}:{colour};" for n, colour in enumerate(COLOURS[kind])) for kind in ("light", "dark"))
    drawn = "".join(
        f".m{n}{{stroke:var(--m{n})}}.m{n} .mark{{fill:var(--m{n})}}.m{n} .open{{fill:var(--paper)}}"
        f".m{n} .rim{{fill:var(--m{n});stroke:none;opacity:.13}}"
        for n in range(len(COLOURS["light"]))
    )
    dashes = "".join(f".m{n} .curve{{stroke-dasharray:{dash}}}" for n, dash in enumerate(DASHES) if dash)
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{drawn}{dashes}"
        ".curve{fill:none;stroke-width:1.7;stroke-linejoin:round}.mark{stroke:none}.open{stroke-width:2}.wide{max-width:46rem}"
    )


FIGURE_STYLE = rules()
PLAIN = (
    "svg{background:var(--paper)}text{font:11px system-ui,sans-serif;fill:var(--ink);stroke:none}.tick,.label{fill:var(--soft)}"
    ".grid{stroke:var(--faint)}.axis{stroke:var(--line)}"
)


def drawn(figure: Figure) -> str:
    """The drawing for a page that has the styles."""
    methods = list(dict.fromkeys(series.method for series in figure.series))
    bottom = 26 + 250
    area = axes(figure, (56, 30, WIDTH - 16, bottom))
    parts = [area.drawn]
    for series in figure.series:
        parts.append(curve(series, methods.index(series.method), area, figure.log))
    printed = any(series.printed for series in figure.series)
    key, height = legend(methods, printed, bottom + 46)
    told = "; ".join(
        f"{plain_text(one.method)}{' as printed' if one.printed else ''}: "
        + ", ".join(f"{y:.4g} at {x:g}" for x, y in ends(one))
        for one in figure.series
    )
    return drawing(WIDTH, height, [*parts, *key], title=plain_text(figure.title, 200), desc=told, kind="plot wide")


def alone(figure: Figure) -> str:
    """The drawing as a file of its own, light and dark."""
    style = f":root{{{variables(LIGHT)}}}@media (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}{PLAIN}{FIGURE_STYLE}"
    whole = drawn(figure).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    head, rest = whole.split(">", 1)
    return f"{head}><style>{style}</style>{rest}\n"


def ends(series: Series) -> list[tuple[float, float]]:
    """The first and the last point, or all printed ones."""
    points = list(zip(series.x, series.y, strict=True))
    return points if series.printed or len(points) < 3 else [points[0], points[-1]]


def axes(figure: Figure, box: tuple[float, float, float, float]) -> Frame:
    """The frame around all values."""
    xs = [placed(x, figure.log) for series in figure.series for x in series.x]
    values = [y for series in figure.series for y in (*series.y, *series.low, *series.high) if not math.isnan(y)]
    ticks = nice_ticks(min(values), max(values), 6)
    if figure.log:
        across = log_ticks([x for series in figure.series for x in series.x])
    else:
        steps = nice_ticks(min(xs), max(xs), 6)
        across = [(x, compact(x) if abs(x) >= 10 or x == int(x) else f"{x:g}") for x in steps if x <= max(xs) * 1.001]
    low = min([*xs, *(x for x, _ in across[:1])])
    shown = [(tick, f"{tick:g}") for tick in ticks]
    titles = plain_text(figure.across), plain_text(figure.up)
    return frame(box, (low, max(xs)), (ticks[0], ticks[-1]), across, shown, titles)


def placed(x: float, log: bool) -> float:
    """Where a value stands across."""
    return math.log10(max(x, 1e-12)) if log else x


def log_ticks(xs: Sequence[float]) -> list[tuple[float, str]]:
    """1, 2, 5, 10, 20 ... within the values; only tens where there are many."""
    low, high = min(xs), max(xs)
    tens = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(tens) <= 5 else (1,)
    values = [step * 10.0**ten for ten in tens for step in steps if low * 0.999 <= step * 10.0**ten <= high * 1.001]
    return [(math.log10(value), compact(value) if value >= 1 else f"{value:g}") for value in values]


def curve(series: Series, number: int, area: Frame, log: bool) -> str:
    """A line with its limits and marks; printed points are hollow marks alone."""
    number %= len(DASHES)
    xs = [area.x(placed(x, log)) for x in series.x]
    ys = [area.y(y) for y in series.y]
    points = [(x, y) for x, y, value in zip(xs, ys, series.y, strict=True) if not math.isnan(value)]
    parts = []
    if series.low and series.high:
        top, under = ([area.y(y) for y in limit] for limit in (series.high, series.low))
        rim = [*zip(xs, top, strict=True), *reversed(list(zip(xs, under, strict=True)))]
        parts.append(path(rim, "rim", close=True))
    if not series.printed:
        parts.append(path(points, "curve"))
    few = len(points) <= 40
    parts += [mark(x, y, number, series.printed) for x, y in points if few or series.printed]
    return element("g", "".join(parts), kind=f"m{number}")


def mark(x: float, y: float, number: int, hollow: bool) -> str:
    """A small sign of the method."""
    sides, kind, r = SIDES[number % len(SIDES)], "open" if hollow else "mark", 5.0 if hollow else 3.2
    if sides in (0, 1):
        return element("circle", cx=x, cy=y, r=r if sides == 0 else r * 0.7, kind=kind)
    turn = math.pi / 4 if sides == 4 else math.pi / 2 if sides == -3 else -math.pi / 2
    corners = [
        (
            x + 1.2 * r * math.cos(turn + 2 * math.pi * n / abs(sides)),
            y + 1.2 * r * math.sin(turn + 2 * math.pi * n / abs(sides)),
        )
        for n in range(abs(sides))
    ]
    return path(corners, kind, close=True)


def legend(methods: Sequence[str], printed: bool, top: float) -> tuple[list[str], float]:
    """What the marks mean, under the figure; and how high the drawing is."""
    parts, x, y = [], 56.0, top
    named = [*enumerate(methods), *([(-1, "hollow: printed in the paper")] if printed else [])]
    for number, method in named:
        label = plain_text(method, 60)
        width = 34 + 6.4 * len(label)
        if x > 56 and x + width > WIDTH - 10:
            x, y = 56.0, y + LINE
        if number >= 0:
            inside = path([(x, y), (x + 20, y)], "curve") + mark(x + 10, y, number, False)
            parts.append(element("g", inside, kind=f"m{number % len(DASHES)}"))
        else:
            parts.append(element("circle", cx=x + 10, cy=y, r=4.5, kind="hollow"))
        parts.append(words(x + 25, y + 4, label, kind="label"))
        x += width
    return parts, y + 16
