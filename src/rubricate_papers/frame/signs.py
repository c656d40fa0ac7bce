"""The signs of methods in figures: a colour, a mark and a dash each, so that no one of them is needed to tell a method from the
others. What a paper prints is hollow."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rubricate.evaluation.report.html import plain_text
from rubricate.evaluation.report.svg import element, path, words

__all__ = ["FIGURE_STYLE", "LINE", "N_SIGNS", "legend", "mark"]

COLOURS = {
    "light": ("#a4341d", "#1f5f99", "#2f7a3d", "#8a5a00", "#6b3fa0", "#5f5b55", "#0f7c7c", "#b03070"),
    "dark": ("#f0937c", "#7db7ea", "#86cf92", "#e0b45c", "#c3a1f0", "#b9b3a8", "#6fd0d0", "#f08fb8"),
}
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 4", "6 2 1 2")
SIDES = (0, 4, 3, -4, 5, -3, 6, 1)  # corners of the mark: a circle, a square, a triangle, a diamond ...
N_SIGNS = len(SIDES)
LINE = 17


def rules() -> str:
    """The styles of methods, light and dark."""
    light, dark = ("".join(f"--m{n}:{colour};" for n, colour in enumerate(COLOURS[kind])) for kind in ("light", "dark"))
    drawn = "".join(
        f".m{n}{{stroke:var(--m{n})}}.m{n} .mark{{fill:var(--m{n})}}.m{n} .open{{fill:var(--paper)}}"
        f".m{n} .rim{{fill:var(--m{n});stroke:none;opacity:.13}}"
        for n in range(N_SIGNS)
    )
    dashes = "".join(f".m{n} .curve{{stroke-dasharray:{dash}}}" for n, dash in enumerate(DASHES) if dash)
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{drawn}{dashes}"
        ".curve{fill:none;stroke-width:1.7;stroke-linejoin:round}.mark{stroke:none}.open{stroke-width:2}.wide{max-width:46rem}"
        ".limits{stroke-width:2.4;stroke-linecap:round;opacity:.5}.ring{fill:none;stroke-width:1.7}.dots{max-width:30rem}"
        "svg .panel{font-weight:600}"
    )


FIGURE_STYLE = rules()


def mark(x: float, y: float, number: int, kind: str, r: float) -> str:
    """A small sign of the method, of a class of the style, about r around its middle."""
    sides = SIDES[number % N_SIGNS]
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


def legend(methods: Sequence[str], printed: bool, top: float, width: float) -> tuple[list[str], float]:
    """What the signs mean, under the figure; and how high the drawing is."""
    parts, x, y = [], 56.0, top
    named = [*enumerate(methods), *([(-1, "hollow: printed in the paper")] if printed else [])]
    for number, method in named:
        label = plain_text(method, 60)
        room = 34 + 6.4 * len(label)
        if x > 56 and x + room > width - 10:
            x, y = 56.0, y + LINE
        if number >= 0:
            inside = path([(x, y), (x + 20, y)], "curve") + mark(x + 10, y, number, "mark", 3.2)
            parts.append(element("g", inside, kind=f"m{number % N_SIGNS}"))
        else:
            parts.append(element("circle", cx=x + 10, cy=y, r=4.5, kind="hollow"))
        parts.append(words(x + 25, y + 4, label, kind="label"))
        x += room
    return parts, y + 16
