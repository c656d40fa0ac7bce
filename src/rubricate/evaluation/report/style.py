"""How the page looks: its colours here, its rules in `data/report.css`. Print is always light.

One accent, the red of rubrics, marks what is measured; everything else is ink on paper.
"""

from __future__ import annotations

from pathlib import Path

COLOURS = {  # light, dark
    "paper": ("#fdfcfa", "#181715"),
    "sheet": ("#f6f3ee", "#211f1d"),
    "ink": ("#211f1c", "#ebe6de"),
    "soft": ("#67625a", "#aaa397"),
    "line": ("#ddd7cd", "#413d37"),
    "faint": ("#ece7de", "#2c2926"),
    "accent": ("#a4341d", "#f0937c"),
    "band": ("#e9c9bf", "#5a342b"),
}
LIGHT, DARK = ({key: pair[n] for key, pair in COLOURS.items()} for n in (0, 1))


def variables(colours: dict[str, str]) -> str:
    """The declarations of CSS variables."""
    return "".join(f"--{key}:{value};" for key, value in colours.items())


STYLE = (
    f":root{{color-scheme:light dark;{variables(LIGHT)}}}\n"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{variables(DARK)}}}}}\n"
    + (Path(__file__).parents[2] / "data" / "report.css").read_text("utf-8")
)
