"""Report: an evaluation as one HTML page that needs nothing else, and the same numbers as JSON. Computes nothing.

    page       the page: no script, no network, light and dark, prints well, safe whatever a label or a text contains
    numbers    what is on it, as plain values

    html, plots, style    what pages are made of, for others that look like it (the replications' page)
    write_atomically      a file is written whole or not at all

`docs/reading-the-report.md` explains every figure.
"""

from __future__ import annotations

from ...foundation.files import write_atomically
from . import html, plots, style
from .layout import numbers, page

__all__ = ["html", "numbers", "page", "plots", "style", "write_atomically"]
