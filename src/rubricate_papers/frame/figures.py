"""Figures as SVG, on the plots of `rubricate.report`: our values with their limits, what a paper prints beside them. Computes
nothing.

A figure is curves over a common axis, or, if it has panels, dots: a panel a task, a row a method. A method has a colour, a mark
and a dash of its own, so that no one of them is needed to tell it from the others. What a paper prints is hollow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rubricate import report

from . import Figure, Series

plots, html, style = report.plots, report.html, report.style

COLOURS = {
    "light": ("#a4341d", "#1f5f99", "#2f7a3d", "#8a5a00", "#6b3fa0", "#5f5b55", "#0f7c7c", "#b03070"),
    "dark": ("#f0937c", "#7db7ea", "#86cf92", "#e0b45c", "#c3a1f0", "#b9b3a8", "#6fd0d0", "#f08fb8"),
}
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 4", "6 2 1 2")
SIDES = (0, 4, 3, -4, 5, -3, 6, 1)  # corners of the mark: a circle, a square, a triangle, a diamond ...
N_MARKS = len(SIDES)
LINE = 17
WIDTH, CURVES_BOTTOM = 560, 276
DOTS_WIDTH, LEFT, RIGHT, ROW = 380, 86, 366, 19  # narrow, so that it can be read on a phone
ALONE_STYLE = (
    "svg{background:var(--paper)}text{font:11px system-ui,sans-serif;fill:var(--ink);stroke:none}.tick,.label{fill:var(--soft)}"
    ".grid{stroke:var(--faint)}.axis{stroke:var(--line)}.hollow{fill:none;stroke:var(--soft)}"
)


def style_of_methods() -> str:
    light, dark = ("".join(f"--m{n}:{colour};" for n, colour in enumerate(COLOURS[kind])) for kind in ("light", "dark"))
    methods = "".join(
        f".m{n}{{stroke:var(--m{n})}}.m{n} .mark{{fill:var(--m{n})}}.m{n} .open{{fill:var(--paper)}}"
        f".m{n} .rim{{fill:var(--m{n});stroke:none;opacity:.13}}"
        for n in range(N_MARKS)
    )
    dashes = "".join(f".m{n} .curve{{stroke-dasharray:{dash}}}" for n, dash in enumerate(DASHES) if dash)
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{methods}{dashes}"
        ".curve{fill:none;stroke-width:1.7;stroke-linejoin:round}.mark{stroke:none}.open{stroke-width:2}.wide{max-width:46rem}"
        ".limits{stroke-width:2.4;stroke-linecap:round;opacity:.5}.ring{fill:none;stroke-width:1.7}.dots{max-width:30rem}"
        "svg .panel{font-weight:600}"
    )


FIGURE_STYLE = style_of_methods()


def figure_svg(figure: Figure) -> str:
    """The drawing for a page that has `FIGURE_STYLE`."""
    return dot_plot(figure) if figure.panels else curve_plot(figure)


def standalone_svg(figure: Figure) -> str:
    """The drawing as a file of its own, light and dark."""
    light, dark = style.variables(style.LIGHT), style.variables(style.DARK)
    rules = f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{ALONE_STYLE}{FIGURE_STYLE}"
    head, rest = figure_svg(figure).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).split(">", 1)
    return f"{head}><style>{rules}</style>{rest}\n"


def methods_of(figure: Figure) -> list[str]:
    """The methods in the order in which they come first; a method's place is the number of its colour, mark and dash."""
    return list(dict.fromkeys(series.method for series in figure.series))


def mark(x: float, y: float, number: int, kind: str, r: float) -> str:
    """The mark of a method, of a class of the style, about r around its middle."""
    sides = SIDES[number % N_MARKS]
    if sides in (0, 1):
        return plots.element("circle", cx=x, cy=y, r=r if sides == 0 else r * 0.7, kind=kind)
    turn = math.pi / 4 if sides == 4 else math.pi / 2 if sides == -3 else -math.pi / 2
    angles = [turn + 2 * math.pi * n / abs(sides) for n in range(abs(sides))]
    return plots.path([(x + 1.2 * r * math.cos(a), y + 1.2 * r * math.sin(a)) for a in angles], kind, close=True)


# -- curves


def curve_plot(figure: Figure) -> str:
    methods, area = methods_of(figure), curve_area(figure, (56, 30, WIDTH - 16, CURVES_BOTTOM))
    curves = [curve(series, methods.index(series.method), area, figure.log) for series in figure.series]
    key, height = legend(methods, any(series.printed for series in figure.series), CURVES_BOTTOM + 46)
    desc = "; ".join(
        f"{html.plain_text(series.method)}{' as printed' if series.printed else ''}: "
        + ", ".join(f"{y:.4g} at {x:g}" for x, y in described_points(series))
        for series in figure.series
    )
    title = html.plain_text(figure.title, 200)
    return plots.svg(WIDTH, height, [area.axes, *curves, *key], title=title, desc=desc, kind="plot wide")


def described_points(series: Series) -> list[tuple[float, float]]:
    """The points that the description names: the first and the last, or all printed ones."""
    points = list(zip(series.x, series.y, strict=True))
    return points if series.printed or len(points) < 3 else [points[0], points[-1]]


def curve_area(figure: Figure, box: tuple[float, float, float, float]) -> plots.PlotArea:
    xs = [x_position(x, figure.log) for series in figure.series for x in series.x]
    values = [y for series in figure.series for y in (*series.y, *series.low, *series.high) if not math.isnan(y)]
    ticks = plots.nice_ticks(min(values), max(values), 6)
    if figure.log:
        across = log_ticks([x for series in figure.series for x in series.x])
    else:
        steps = plots.nice_ticks(min(xs), max(xs), 6)
        across = [
            (x, html.compact(x) if abs(x) >= 10 or x == int(x) else f"{x:g}") for x in steps if x <= max(xs) * 1.001
        ]
    low = min([*xs, *(x for x, _ in across[:1])])
    up = [(tick, f"{tick:g}") for tick in ticks]
    titles = html.plain_text(figure.across), html.plain_text(figure.up)
    return plots.plot_area(box, (low, max(xs)), (ticks[0], ticks[-1]), across, up, titles)


def x_position(x: float, log: bool) -> float:
    """A value on the horizontal axis: its logarithm if each step is a factor."""
    return math.log10(max(x, 1e-12)) if log else x


def log_ticks(xs: Sequence[float]) -> list[tuple[float, str]]:
    """1, 2, 5, 10, 20 ... within the values; powers of ten alone where these span more than five."""
    low, high = min(xs), max(xs)
    tens = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(tens) <= 5 else (1,)
    values = [step * 10.0**ten for ten in tens for step in steps if low * 0.999 <= step * 10.0**ten <= high * 1.001]
    return [(math.log10(value), html.compact(value) if value >= 1 else f"{value:g}") for value in values]


def curve(series: Series, number: int, area: plots.PlotArea, log: bool) -> str:
    """A line with its limits and marks; printed points are hollow marks alone."""
    number %= N_MARKS
    xs = [area.x(x_position(x, log)) for x in series.x]
    points = [(x, area.y(y)) for x, y in zip(xs, series.y, strict=True) if not math.isnan(y)]
    parts = []
    if series.low and series.high:
        parts.append(plots.band(xs, list(map(area.y, series.low)), list(map(area.y, series.high)), "rim"))
    if series.printed:
        parts += [mark(x, y, number, "open", 5.0) for x, y in points]
    else:
        parts.append(plots.path(points, "curve"))
        parts += [mark(x, y, number, "mark", 3.2) for x, y in points if len(points) <= 40]
    return plots.element("g", "".join(parts), kind=f"m{number}")


def legend(methods: Sequence[str], printed: bool, top: float) -> tuple[list[str], float]:
    """What the marks mean, under the figure; and how high the drawing is."""
    parts, x, y = [], 56.0, top
    entries = [*enumerate(methods), *([(-1, "hollow: printed in the paper")] if printed else [])]
    for number, method in entries:
        label = html.plain_text(method, 60)
        room = 34 + 6.4 * len(label)
        if x > 56 and x + room > WIDTH - 10:
            x, y = 56.0, y + LINE
        if number >= 0:
            inside = plots.path([(x, y), (x + 20, y)], "curve") + mark(x + 10, y, number, "mark", 3.2)
            parts.append(plots.element("g", inside, kind=f"m{number % N_MARKS}"))
        else:
            parts.append(plots.element("circle", cx=x + 10, cy=y, r=4.5, kind="hollow"))
        parts.append(plots.text_at(x + 25, y + 4, label, kind="label"))
        x += room
    return parts, y + 16


# -- dots


@dataclass(frozen=True, slots=True)
class Dot:
    """A value of a method in one panel. low, high: nan where there are no limits."""

    method: str
    value: float
    low: float = math.nan
    high: float = math.nan
    printed: bool = False

    def __str__(self) -> str:
        limits = "" if math.isnan(self.low) else f" ({self.low:.4g} to {self.high:.4g})"
        return f"{html.plain_text(self.method)}{' as printed' if self.printed else ''} {self.value:.4g}{limits}"


def dot_plot(figure: Figure) -> str:
    """Methods by task. Each panel has a scale of its own, since methods are compared within a task."""
    methods, parts, descriptions, top = methods_of(figure), [], [], 18.0
    for n, name in enumerate(figure.panels):
        dots = list(dots_of(figure, n))
        drawing, top = dot_panel(name, dots, methods, top)
        parts.append(drawing)
        descriptions.append(f"{html.plain_text(name)}: " + ", ".join(map(str, dots)))
    key, height = dot_key(figure, top)
    title = html.plain_text(figure.title, 200)
    return plots.svg(DOTS_WIDTH, height, [*parts, *key], title=title, desc="; ".join(descriptions), kind="plot dots")


def dots_of(figure: Figure, panel: int) -> Iterator[Dot]:
    for series in figure.series:
        for n, (x, y) in enumerate(zip(series.x, series.y, strict=True)):
            if x == panel and not math.isnan(y):
                low, high = (limit[n] if limit else math.nan for limit in (series.low, series.high))
                yield Dot(series.method, y, low, high, series.printed)


def dot_panel(name: str, dots: Sequence[Dot], methods: Sequence[str], top: float) -> tuple[str, float]:
    """One task: its name, a row a method, an axis. And where the next one begins."""
    rows = [method for method in methods if any(dot.method == method for dot in dots)]
    values = [value for dot in dots for value in (dot.value, dot.low, dot.high) if not math.isnan(value)]
    ticks = plots.nice_ticks(min(values), max(values), 5)
    across = plots.scale(ticks[0], ticks[-1], LEFT, RIGHT)
    first, bottom = top + 18, top + 12 + ROW * len(rows)
    parts = [plots.text_at(4, top, html.plain_text(name), kind="panel")]
    parts += [plots.element("line", x1=across(v), x2=across(v), y1=top + 8, y2=bottom, kind="grid") for v in ticks]
    parts += [plots.element("line", x1=LEFT, x2=RIGHT, y1=bottom, y2=bottom, kind="axis")]
    parts += [plots.text_at(across(v), bottom + 13, f"{v:g}", text_anchor="middle") for v in ticks]
    for n, method in enumerate(rows):
        y, number = first + ROW * n, methods.index(method) % N_MARKS
        parts.append(plots.text_at(LEFT - 10, y + 4, html.plain_text(method, 24), kind="label", text_anchor="end"))
        limits, marks = "", ""
        for dot in dots:
            if dot.method == method:
                if not math.isnan(dot.low):
                    ends = plots.coordinate(across(dot.low)), plots.coordinate(across(dot.high))
                    limits += f'<path class="limits" d="M{ends[0]} {plots.coordinate(y)}H{ends[1]}"/>'
                marks += mark(across(dot.value), y, number, *(("ring", 6.2) if dot.printed else ("mark", 3.6)))
        parts.append(plots.element("g", limits + marks, kind=f"m{number}"))
    return "".join(parts), bottom + 40


def dot_key(figure: Figure, top: float) -> tuple[list[str], float]:
    meanings = ["filled: ours"]
    meanings += ["line: 95 % interval"] if any(series.low for series in figure.series) else []
    meanings += ["hollow: printed in the paper"] if any(series.printed for series in figure.series) else []
    lines = [html.plain_text(figure.across, 90)] if figure.across else []
    lines.append("; ".join(meanings))
    parts = [plots.text_at(4, top + 16 * n, line, kind="label") for n, line in enumerate(lines)]
    return parts, top + 16 * len(lines) - 6
