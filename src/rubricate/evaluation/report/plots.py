"""Drawings, one small pure function each: numbers in, a string of SVG out. Colours are classes of the page's style; shapes and
words tell what colours tell.

    svg, element, text_at, path, band, scale, nice_ticks, plot_area    what every drawing is made of, also those of the papers
    precision_recall, reliability, ...                                 the figures of a report
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import Bin, Coverage, Curve
from .html import compact, count, percent, percent_range, plain_text, text

Scale = Callable[[float], float]


def coordinate(value: float) -> str:
    """A coordinate, to a tenth: finer is not seen."""
    rounded = f"{value:.1f}"
    return rounded[:-2] if rounded.endswith(".0") else rounded


def element(tag: str, content: str = "", **attributes: float | str) -> str:
    """One element; `kind` is its class, underscores are hyphens."""
    rendered = ""
    for key, value in attributes.items():
        rendered_value = coordinate(value) if isinstance(value, int | float) else text(value)
        rendered += f' {"class" if key == "kind" else key.replace("_", "-")}="{rendered_value}"'
    return f"<{tag}{rendered}>{content}</{tag}>" if content or tag in ("title", "desc") else f"<{tag}{rendered}/>"


def text_at(x: float, y: float, content: str, kind: str = "tick", **attributes: float | str) -> str:
    """Text that is escaped already, at a point."""
    return element("text", content, x=x, y=y, kind=kind, **attributes)


def path(points: Iterable[tuple[float, float]], kind: str, close: bool = False) -> str:
    d = "M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points) + ("Z" if close else "")
    return f'<path class="{kind}" d="{d}"/>'


def band(xs: Sequence[float], lows: Sequence[float], highs: Sequence[float], kind: str) -> str:
    return path([*zip(xs, highs, strict=True), *reversed([*zip(xs, lows, strict=True)])], kind, close=True)


def svg(width: float, height: float, parts: Iterable[str], *, title: str, desc: str, kind: str = "plot") -> str:
    """A whole drawing, with what it shows in words for those who do not see it; title and desc are escaped already."""
    inside = element("title", title) + element("desc", desc) + "".join(parts)
    return f'<svg class="{kind}" role="img" {size(width, height)}>{inside}</svg>'


def small_svg(kind: str, width: float, height: float, parts: Iterable[str], *, title: str = "") -> str:
    """A drawing inside a line of text or a table; without a title it is hidden from readers who are told the same in words."""
    role, inside = ('role="img"', element("title", title)) if title else ('aria-hidden="true"', "")
    return f'<svg class="{kind}" {role} {size(width, height)}>{inside}{"".join(parts)}</svg>'


def size(width: float, height: float) -> str:
    w, h = coordinate(width), coordinate(height)
    return f'viewBox="0 0 {w} {h}" width="{w}" height="{h}"'


def scale(low: float, high: float, start: float, end: float) -> Scale:
    """From values to coordinates; a value outside the range is put on the edge."""
    span = (high - low) or 1.0

    def position(value: float) -> float:
        return start + (end - start) * min(max((value - low) / span, 0.0), 1.0)

    return position


@dataclass(frozen=True, slots=True)
class PlotArea:
    """The scales of a plot, and its axes as SVG."""

    x: Scale
    y: Scale
    axes: str


def plot_area(
    box: tuple[float, float, float, float],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    x_ticks: Sequence[tuple[float, str]],
    y_ticks: Sequence[tuple[float, str]],
    titles: tuple[str, str] = ("", ""),
) -> PlotArea:
    """Axes in a box (left, top, right, bottom): faint horizontal lines, labels of ticks, titles outside."""
    left, top, right, bottom = box
    x, y = scale(*x_range, left, right), scale(*y_range, bottom, top)
    axes = [element("line", x1=left, x2=right, y1=y(v), y2=y(v), kind="grid") for v, _ in y_ticks]
    axes += [element("line", x1=left, x2=right, y1=bottom, y2=bottom, kind="axis")]
    axes += [text_at(left - 6, y(v) + 3.5, label, text_anchor="end") for v, label in y_ticks]
    axes += [text_at(x(v), bottom + 15, label, text_anchor="middle") for v, label in x_ticks]
    if titles[0]:
        axes.append(text_at((left + right) / 2, bottom + 32, titles[0], kind="label", text_anchor="middle"))
    if titles[1]:
        axes.append(text_at(left - 6, top - 13, titles[1], kind="label", text_anchor="start", dx=-left + 8))
    return PlotArea(x, y, "".join(axes))


def nice_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from below `low` to above `high`."""
    span = max(high - low, 1e-9)
    raw = span / about
    unit = 10 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * n, 12) for n in range(first, max(last, first + 1) + 1)]


# -- the figures of a report

HUNDRED = [(0.0, "0"), (0.25, "25"), (0.5, "50"), (0.75, "75"), (1.0, "100")]
HALVES = [(0.0, "0"), (0.5, "50"), (1.0, "100")]
CELL = 30


def interval_bar(value: float, low: float, high: float) -> str:
    """A value between its limits on a line from 0 to 1; nothing where it is undefined."""
    if math.isnan(value):
        return ""
    x = scale(0, 1, 4, 92)
    parts = [
        element("line", x1=4, x2=92, y1=8, y2=8, kind="track"),
        element("line", x1=x(low), x2=x(high), y1=8, y2=8, kind="span"),
        element("circle", cx=x(value), cy=8, r=3, kind="dot"),
    ]
    return small_svg("bar", 96, 16, parts, title=f"{percent(value)} ({percent_range(low, high)})")


def length_bar(value: float, largest: float) -> str:
    """A bar as long as a value; what is below 0 is hollow. For what stands in words beside it."""
    length = 60 * min(abs(value) / largest, 1.0) if largest else 0.0
    kind = "fill" if value >= 0 else "hollow"
    return small_svg("length", 62, 12, [element("rect", x=0.5, y=3.5, width=max(length, 1.0), height=5, kind=kind)])


def precision_recall(curve: Curve) -> str:
    """Small: recall across, precision up, the decisions as a ring, chance as a broken line."""
    area = plot_area((30, 10, 168, 116), (0, 1), (0, 1), HALVES, HALVES)
    first = (0.0, curve.precision[0])
    points = [first, *zip(curve.recall, curve.precision, strict=True)]
    parts = [area.axes, path([(area.x(0), area.y(curve.share)), (area.x(1), area.y(curve.share))], "chance")]
    parts.append(path([(area.x(r), area.y(p)) for r, p in points], "line"))
    where = ""
    if not (math.isnan(curve.at_recall) or math.isnan(curve.at_precision)):
        parts.append(element("circle", cx=area.x(curve.at_recall), cy=area.y(curve.at_precision), r=4, kind="here"))
        where = (
            f" Its answers have a recall of {percent(curve.at_recall)} and a precision of {percent(curve.at_precision)}"
            f"{'' if curve.by_threshold else ', by another rule than a threshold'}."
        )
    title = f"Precision and recall of {plain_text(curve.label)}"
    return svg(182, 136, parts, title=title, desc=f"Precision falls as recall rises.{where}")


def reliability(bins: Sequence[Bin]) -> str:
    """Probability said across, share true up, limits as lines, how many answers below."""
    area = plot_area((44, 26, 344, 266), (0, 1), (0, 1), HUNDRED, HUNDRED, ("", "% that were true"))
    parts = [area.axes, path([(area.x(0), area.y(0)), (area.x(1), area.y(1))], "chance")]
    parts.append(path([(area.x(group.probability), area.y(group.share_true)) for group in bins], "thin"))
    for group in bins:
        x = area.x(group.probability)
        parts.append(element("line", x1=x, x2=x, y1=area.y(group.low), y2=area.y(group.high), kind="span"))
        parts.append(element("circle", cx=x, cy=area.y(group.share_true), r=4, kind="dot"))
        middle = (min(int(10 * group.probability), 9) + 0.5) / 10
        parts.append(text_at(area.x(middle), 318, compact(group.count), text_anchor="middle", kind="tick small"))
    parts.append(text_at(194, 298, "probability it gave, %", kind="label", text_anchor="middle"))
    parts.append(text_at(194, 334, "how many answers", kind="label", text_anchor="middle"))
    desc = "; ".join(
        f"said {percent(group.probability)}, true {percent(group.share_true)} of {count(group.count)}" for group in bins
    )
    return svg(356, 342, parts, title="What it said and what was true, in per cent", desc=desc)


def line_with_band(
    area: PlotArea, xs: Sequence[float], values: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> list[str]:
    """A line at these coordinates, the interval as a band around it."""
    limits = band(xs, list(map(area.y, lows)), list(map(area.y, highs)), "band")
    return [limits, path(zip(xs, map(area.y, values), strict=True), "line")]


def coverage_accuracy(curve: Coverage) -> str:
    """Documents answered across, how many of them are correct up, the interval as a band; from 5 % on, since a handful of
    documents are correct by chance."""
    points = [n for n, covered in enumerate(curve.coverage) if covered >= 0.05]
    accuracy, low, high = ([values[n] for n in points] for values in (curve.accuracy, curve.low, curve.high))
    ticks = [t for t in nice_ticks(min(low), 1.0, 5) if t <= 1]
    steps = [(t, percent(t)) for t in ticks]
    area = plot_area(
        (44, 26, 344, 226), (0, 1), (ticks[0], 1), HUNDRED, steps, ("% of documents answered", "% of them correct")
    )
    xs = [area.x(curve.coverage[n]) for n in points]
    parts = [area.axes, *line_with_band(area, xs, accuracy, low, high)]
    parts.append(element("circle", cx=xs[-1], cy=area.y(accuracy[-1]), r=4, kind="here"))
    desc = "; ".join(
        f"{percent(c)} answered, {percent(a)} correct"
        for c, a in (curve.at(share) for share in (0.25, 0.5, 0.75, 0.9, 1.0))
    )
    return svg(356, 266, parts, title="How much is correct if only the surest documents are answered", desc=desc)


def learning_curve(
    points: Sequence[Mapping[str, Any]], what: str, as_number: Callable[[float], str] | None = None
) -> str:
    """Labelled documents across, each doubling a step; the value up, with limits. as_number: how a value is written that is no
    share of a hundred."""
    lows, highs = [point["low"] for point in points], [point["high"] for point in points]
    ticks = nice_ticks(min(lows), max(highs), 5)
    xs = [math.log2(max(point["documents"], 1)) for point in points]
    digits = 0 if ticks[1] - ticks[0] >= 0.0099 else 1
    across = spaced(
        [(x, count(point["documents"])) for x, point in zip(xs, points, strict=True)], (max(xs) - min(xs)) / 6
    )
    area = plot_area(
        (44, 26, 332, 226),
        (min(xs), max(xs)),
        (ticks[0], ticks[-1]),
        across,
        [(t, percent(t, digits) if as_number is None else f"{t:g}") for t in ticks],
        ("labelled documents", plain_text(what, 40)),
    )
    xs, values = [area.x(x) for x in xs], [point["value"] for point in points]
    dots = (element("circle", cx=x, cy=area.y(value), r=4, kind="dot") for x, value in zip(xs, values, strict=True))
    parts = [area.axes, *line_with_band(area, xs, values, lows, highs), *dots]
    texts = (percent(value, 1) if as_number is None else as_number(value) for value in values)
    desc = "; ".join(f"{count(point['documents'])} documents: {v}" for point, v in zip(points, texts, strict=True))
    return svg(356, 266, parts, title="How it improves with more labelled documents", desc=desc)


def spaced(ticks: Sequence[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """The last tick, and those before it that are at least so far from the next."""
    out: list[tuple[float, str]] = []
    for tick in reversed(ticks):
        if not out or out[-1][0] - tick[0] >= least - 1e-9:
            out.append(tick)
    return out[::-1]


def whisker(value: float, low: float, high: float, ends: tuple[float, float], *, zero: bool = False) -> str:
    """A value as a dot, its interval as a line on an axis that all rows share; an arrow where the interval goes on. zero: with 0
    upright. Nothing where the value is infinite or undefined."""
    if not math.isfinite(value):
        return ""
    x = scale(*ends, 8, 192)
    parts = [element("line", x1=8, x2=192, y1=8, y2=8, kind="track")]
    parts += [element("line", x1=x(0), x2=x(0), y1=0, y2=16, kind="zero")] * zero
    if not (math.isnan(low) or math.isnan(high)):
        parts.append(element("line", x1=x(low), x2=x(high), y1=8, y2=8, kind="span"))
        parts += [path([(12, 4), (6, 8), (12, 12)], "thin")] * (low < ends[0])
        parts += [path([(188, 4), (194, 8), (188, 12)], "thin")] * (high > ends[1])
    parts.append(element("circle", cx=x(value), cy=8, r=3.5, kind="dot"))
    return small_svg("whisker", 200, 16, parts)


def whisker_axis(ends: tuple[float, float]) -> str:
    x = scale(*ends, 8, 192)
    ticks = [t for t in nice_ticks(*ends, 4) if ends[0] <= t <= ends[1]]
    parts = [text_at(x(t), 12, f"{t:g}".replace("-", "−"), text_anchor="middle") for t in ticks]
    return small_svg("whisker", 200, 16, parts)


def confusion_map(
    rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[int]], n_labels: int, desc: str
) -> str:
    """True labels down, predicted ones across; the stronger shaded, the larger a share of its row. Cells of the diagonal are
    correct, and framed.

    The first n_labels rows and columns are labels, what comes after is «nothing».
    """
    longest = [max(len(plain_text(label, limit)) for label in names) for names, limit in ((rows, 22), (columns, 18))]
    left, top, right_side = 16 + 6.0 * longest[0], 14 + 4.4 * longest[1], 4.0 * longest[1]
    width, height = left + CELL * len(columns) + right_side, top + CELL * len(rows) + 8
    parts = []
    for n, label in enumerate(rows):
        kind = "tick" if n < n_labels else "tick nothing"
        parts.append(text_at(left - 8, top + CELL * (n + 0.5) + 4, plain_text(label, 22), kind=kind, text_anchor="end"))
    for n, label in enumerate(columns):
        x, y = left + CELL * (n + 0.5), top - 8
        turned = f"rotate(-50 {x:.1f} {y:.1f})"
        kind = "tick" if n < n_labels else "tick nothing"
        parts.append(text_at(x, y, plain_text(label, 18), kind=kind, transform=turned))
    for i, row in enumerate(cells):
        whole = sum(row)
        for j, documents in enumerate(row):
            correct = i == j and i < n_labels
            if i >= n_labels and j >= n_labels:
                continue
            x, y = left + CELL * j, top + CELL * i
            shade = 0.6 * math.sqrt(documents / whole) if documents and not correct else 0.0
            kind = "cell correct" if correct else "cell"
            parts.append(element("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, kind=kind))
            if shade:
                tint = {"fill_opacity": f"{max(shade, 0.06):.2f}"}
                parts.append(element("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, kind="fill", **tint))
            if documents:
                y_text = y + CELL / 2 + 4
                parts.append(text_at(x + CELL / 2, y_text, compact(documents), kind="cellnumber", text_anchor="middle"))
    return svg(
        width, height, parts, title="Confusion matrix: labels given instead of other labels", desc=desc, kind="map"
    )
