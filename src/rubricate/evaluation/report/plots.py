"""The figures, one small pure function each: numbers in, a drawing out. Shapes and words tell what colours tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import Bin, Coverage, Curve
from .html import band, compact, count, percent, plain_text
from .svg import drawing, element, frame, nice_ticks, path, scale, words

__all__ = [
    "confusion_map",
    "coverage_accuracy",
    "cut_axis",
    "cut_whisker",
    "difference_whisker",
    "interval_bar",
    "learning_curve",
    "length_bar",
    "precision_recall",
    "reliability",
]

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
    told = f"{percent(value)} ({band(low, high)})"
    return f'<svg class="bar" role="img" viewBox="0 0 96 16" width="96" height="16"><title>{told}</title>{"".join(parts)}</svg>'


def length_bar(value: float, largest: float) -> str:
    """A bar as long as a value; what is below 0 is hollow. For what is said in words beside it."""
    length = 60 * min(abs(value) / largest, 1.0) if largest else 0.0
    kind = "fill" if value >= 0 else "hollow"
    inside = element("rect", x=0.5, y=3.5, width=max(length, 1.0), height=5, kind=kind)
    return f'<svg class="length" aria-hidden="true" viewBox="0 0 62 12" width="62" height="12">{inside}</svg>'


def precision_recall(curve: Curve) -> str:
    """Small: recall across, precision up, the decisions as a ring, chance as a broken line."""
    area = frame((30, 10, 168, 116), (0, 1), (0, 1), HALVES, HALVES)
    first = (0.0, curve.precision[0])
    points = [first, *zip(curve.recall, curve.precision, strict=True)]
    parts = [area.drawn, path([(area.x(0), area.y(curve.share)), (area.x(1), area.y(curve.share))], "chance")]
    parts.append(path([(area.x(r), area.y(p)) for r, p in points], "line"))
    where = ""
    if not (math.isnan(curve.at_recall) or math.isnan(curve.at_precision)):
        parts.append(element("circle", cx=area.x(curve.at_recall), cy=area.y(curve.at_precision), r=4, kind="here"))
        where = (
            f" Its answers have a recall of {percent(curve.at_recall)} and a precision of {percent(curve.at_precision)}"
            f"{'' if curve.by_threshold else ', by another rule than a threshold'}."
        )
    title = f"Precision and recall of {plain_text(curve.label)}"
    return drawing(182, 136, parts, title=title, desc=f"Precision falls as recall rises.{where}")


def reliability(bins: Sequence[Bin]) -> str:
    """Probability said across, share true up, limits as lines, how many answers below."""
    area = frame((44, 26, 344, 266), (0, 1), (0, 1), HUNDRED, HUNDRED, ("", "% that were true"))
    parts = [area.drawn, path([(area.x(0), area.y(0)), (area.x(1), area.y(1))], "chance")]
    parts.append(path([(area.x(one.probability), area.y(one.share_true)) for one in bins], "thin"))
    for one in bins:
        x = area.x(one.probability)
        parts.append(element("line", x1=x, x2=x, y1=area.y(one.low), y2=area.y(one.high), kind="span"))
        parts.append(element("circle", cx=x, cy=area.y(one.share_true), r=4, kind="dot"))
        middle = (min(int(10 * one.probability), 9) + 0.5) / 10
        parts.append(words(area.x(middle), 318, compact(one.count), text_anchor="middle", kind="tick small"))
    parts.append(words(194, 298, "probability it gave, %", kind="label", text_anchor="middle"))
    parts.append(words(194, 334, "how many answers", kind="label", text_anchor="middle"))
    told = "; ".join(
        f"said {percent(one.probability)}, true {percent(one.share_true)} of {count(one.count)}" for one in bins
    )
    return drawing(356, 342, parts, title="What it said and what was true, in per cent", desc=told)


def coverage_accuracy(curve: Coverage) -> str:
    """Documents answered across, how many of them are right up, the interval as a band; from 5 % on, since a handful of
    documents are right by chance."""
    drawn = [n for n, covered in enumerate(curve.coverage) if covered >= 0.05]
    accuracy, low, high = ([own[n] for n in drawn] for own in (curve.accuracy, curve.low, curve.high))
    ticks = [t for t in nice_ticks(min(low), 1.0, 5) if t <= 1]
    steps = [(t, percent(t)) for t in ticks]
    area = frame(
        (44, 26, 344, 226), (0, 1), (ticks[0], 1), HUNDRED, steps, ("% of documents answered", "% of them right")
    )
    xs = [area.x(curve.coverage[n]) for n in drawn]
    rim = [*zip(xs, map(area.y, high), strict=True), *reversed([*zip(xs, map(area.y, low), strict=True)])]
    parts = [area.drawn, path(rim, "band", close=True)]
    parts.append(path(list(zip(xs, map(area.y, accuracy), strict=True)), "line"))
    parts.append(element("circle", cx=xs[-1], cy=area.y(accuracy[-1]), r=4, kind="here"))
    told = "; ".join(
        f"{percent(c)} answered, {percent(a)} right"
        for c, a in (curve.at(share) for share in (0.25, 0.5, 0.75, 0.9, 1.0))
    )
    return drawing(356, 266, parts, title="How right it is if only the surest documents are answered", desc=told)


def learning_curve(
    points: Sequence[Mapping[str, Any]], what: str, as_number: Callable[[float], str] | None = None
) -> str:
    """Labelled documents across, each doubling a step; the value up, with limits. as_number: how a value is written that is no
    share of a hundred."""
    lows, highs = [one["low"] for one in points], [one["high"] for one in points]
    ticks = nice_ticks(min(lows), max(highs), 5)
    xs = [math.log2(max(one["documents"], 1)) for one in points]
    digits = 0 if ticks[1] - ticks[0] >= 0.0099 else 1
    across = spaced([(x, count(one["documents"])) for x, one in zip(xs, points, strict=True)], (max(xs) - min(xs)) / 6)
    area = frame(
        (44, 26, 332, 226),
        (min(xs), max(xs)),
        (ticks[0], ticks[-1]),
        across,
        [(t, percent(t, digits) if as_number is None else f"{t:g}") for t in ticks],
        ("labelled documents", plain_text(what, 40)),
    )
    at_x, ys = [area.x(x) for x in xs], [area.y(one["value"]) for one in points]
    rim = [*zip(at_x, map(area.y, highs), strict=True), *reversed([*zip(at_x, map(area.y, lows), strict=True)])]
    parts = [area.drawn, path(rim, "band", close=True), path(list(zip(at_x, ys, strict=True)), "line")]
    parts += [element("circle", cx=x, cy=y, r=4, kind="dot") for x, y in zip(at_x, ys, strict=True)]
    values = [percent(one["value"], 1) if as_number is None else as_number(one["value"]) for one in points]
    told = "; ".join(f"{count(one['documents'])} documents: {own}" for one, own in zip(points, values, strict=True))
    return drawing(356, 266, parts, title="How it improves with more labelled documents", desc=told)


def spaced(ticks: Sequence[tuple[float, str]], apart: float) -> list[tuple[float, str]]:
    """The last tick, and those before it that leave room."""
    kept: list[tuple[float, str]] = []
    for tick in reversed(ticks):
        if not kept or kept[-1][0] - tick[0] >= apart - 1e-9:
            kept.append(tick)
    return kept[::-1]


def cut_whisker(value: float, low: float, high: float, ends: tuple[float, float]) -> str:
    """A cut as a dot, its interval as a line on an axis that all labels share; an arrow where it goes on."""
    if math.isinf(value) or math.isnan(value):
        return ""
    x = scale(*ends, 8, 192)
    parts = [element("line", x1=8, x2=192, y1=8, y2=8, kind="track")]
    if not (math.isnan(low) or math.isnan(high)):
        parts.append(element("line", x1=x(low), x2=x(high), y1=8, y2=8, kind="span"))
        parts += [path([(12, 4), (6, 8), (12, 12)], "thin")] if low < ends[0] else []
        parts += [path([(188, 4), (194, 8), (188, 12)], "thin")] if high > ends[1] else []
    parts.append(element("circle", cx=x(value), cy=8, r=3.5, kind="dot"))
    return (
        f'<svg class="whisker" aria-hidden="true" viewBox="0 0 200 16" width="200" height="16">{"".join(parts)}</svg>'
    )


def difference_whisker(value: float, low: float | None, high: float | None, ends: tuple[float, float]) -> str:
    """A difference as a dot, its interval as a line, and 0 upright."""
    x = scale(*ends, 8, 192)
    parts = [element("line", x1=8, x2=192, y1=8, y2=8, kind="track")]
    parts.append(element("line", x1=x(0), x2=x(0), y1=0, y2=16, kind="zero"))
    if low is not None and high is not None:
        parts.append(element("line", x1=x(low), x2=x(high), y1=8, y2=8, kind="span"))
    parts.append(element("circle", cx=x(value), cy=8, r=3.5, kind="dot"))
    return (
        f'<svg class="whisker" aria-hidden="true" viewBox="0 0 200 16" width="200" height="16">{"".join(parts)}</svg>'
    )


def cut_axis(ends: tuple[float, float]) -> str:
    """The axis above the whiskers."""
    x = scale(*ends, 8, 192)
    ticks = [t for t in nice_ticks(*ends, 4) if ends[0] <= t <= ends[1]]
    parts = [words(x(t), 12, f"{t:g}".replace("-", "−"), text_anchor="middle") for t in ticks]
    return (
        f'<svg class="whisker" aria-hidden="true" viewBox="0 0 200 16" width="200" height="16">{"".join(parts)}</svg>'
    )


def confusion_map(
    rows: Sequence[str], columns: Sequence[str], cells: Sequence[Sequence[int]], n_labels: int, desc: str
) -> str:
    """Truth down, given across; the stronger shaded, the larger a share of its row. Cells of the diagonal are right, and framed.

    The first n_labels rows and columns are labels, what comes after is «nothing».
    """
    longest = [max(len(plain_text(label, limit)) for label in names) for names, limit in ((rows, 22), (columns, 18))]
    left, top, right_side = 16 + 6.0 * longest[0], 14 + 4.4 * longest[1], 4.0 * longest[1]
    width, height = left + CELL * len(columns) + right_side, top + CELL * len(rows) + 8
    parts = []
    for n, label in enumerate(rows):
        kind = "tick" if n < n_labels else "tick nothing"
        parts.append(words(left - 8, top + CELL * (n + 0.5) + 4, plain_text(label, 22), kind=kind, text_anchor="end"))
    for n, label in enumerate(columns):
        x, y = left + CELL * (n + 0.5), top - 8
        turned = f"rotate(-50 {x:.1f} {y:.1f})"
        kind = "tick" if n < n_labels else "tick nothing"
        parts.append(words(x, y, plain_text(label, 18), kind=kind, transform=turned))
    for i, row in enumerate(cells):
        whole = sum(row)
        for j, documents in enumerate(row):
            right = i == j and i < n_labels
            if i >= n_labels and j >= n_labels:
                continue
            x, y = left + CELL * j, top + CELL * i
            shade = 0.6 * math.sqrt(documents / whole) if documents and not right else 0.0
            kind = "cell right" if right else "cell"
            parts.append(element("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, kind=kind))
            if shade:
                tint = {"fill_opacity": f"{max(shade, 0.06):.2f}"}
                parts.append(element("rect", x=x + 1, y=y + 1, width=CELL - 2, height=CELL - 2, kind="fill", **tint))
            if documents:
                y_text = y + CELL / 2 + 4
                parts.append(words(x + CELL / 2, y_text, compact(documents), kind="cellnumber", text_anchor="middle"))
    return drawing(width, height, parts, title="Labels taken for other labels", desc=desc, kind="map")
