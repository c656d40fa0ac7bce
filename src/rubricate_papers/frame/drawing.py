"""A figure as SVG: our curves with their limits, and the paper's printed points beside them. Computes nothing.

Figures with panels are drawn as dots (`dots`); the marks, colours and dashes of methods are those of `signs`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rubricate.evaluation.report.html import compact, plain_text
from rubricate.evaluation.report.style import DARK, LIGHT, variables
from rubricate.evaluation.report.svg import Frame, drawing, element, frame, nice_ticks, path

from .dots import dotted
from .result import Figure, Series
from .signs import FIGURE_STYLE, N_SIGNS, legend, mark

__all__ = ["alone", "drawn"]

WIDTH = 560
PLAIN = (
    "svg{background:var(--paper)}text{font:11px system-ui,sans-serif;fill:var(--ink);stroke:none}.tick,.label{fill:var(--soft)}"
    ".grid{stroke:var(--faint)}.axis{stroke:var(--line)}.hollow{fill:none;stroke:var(--soft)}"
)


def drawn(figure: Figure) -> str:
    """The drawing for a page that has the styles."""
    if figure.panels:
        return dotted(figure)
    methods = list(dict.fromkeys(series.method for series in figure.series))
    bottom = 26 + 250
    area = axes(figure, (56, 30, WIDTH - 16, bottom))
    parts = [area.drawn]
    for series in figure.series:
        parts.append(curve(series, methods.index(series.method), area, figure.log))
    printed = any(series.printed for series in figure.series)
    key, height = legend(methods, printed, bottom + 46, WIDTH)
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
    number %= N_SIGNS
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
    kind, r = ("open", 5.0) if series.printed else ("mark", 3.2)
    parts += [mark(x, y, number, kind, r) for x, y in points if few or series.printed]
    return element("g", "".join(parts), kind=f"m{number}")
