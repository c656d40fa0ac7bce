"""Report: an evaluation as one HTML page that needs nothing else, and the same numbers as JSON. Computes nothing.

    page       the page: no script, no network, light and dark, prints well, safe whatever a label or a text contains
    numbers    what is on it, as plain values

`docs/reading-the-report.md` explains every figure.
"""

from __future__ import annotations

from .layout import numbers, page

__all__ = ["numbers", "page"]
