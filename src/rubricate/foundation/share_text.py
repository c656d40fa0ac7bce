"""Shares in words: numbers rounded for people that never say all or none unless it is all or none.

of_100(0.996)         more than 99
per_cent(0.996)       99.6
decimals(0.99996)     0.99996
at_least(0.9496, 2)   0.94          what is promised is rounded down
more_documents(118)   about 120 more documents would be needed
"""

from __future__ import annotations

import math

SAME = 1e-12  # sums of shares come no nearer to 1
MOST = 6  # decimals that are added before it is said to be over or under a number


def of_100(value: float) -> str:
    """How many of a hundred, as whole number; «more than 99» and «fewer than 1» where it is not all or none."""
    if SAME < value < 1 - SAME:
        number = round(100 * value)
        return "more than 99" if number >= 100 else "fewer than 1" if number <= 0 else str(number)
    return str(round(100 * value))


def per_cent(value: float, digits: int = 0) -> str:
    """0.914 as 91; with further decimals where it would be 100 or 0 and is not."""
    return with_digits(100 * value, 100, digits)


def decimals(value: float | None, digits: int = 3) -> str:
    """0.914; with further decimals where it would be 1.000 or 0.000 and is not. Numbers beyond 0 to 1 as they are; a dash where
    there is none."""
    return "–" if value is None or math.isnan(value) else with_digits(value, 1, digits)


def with_digits(value: float, whole: int, digits: int) -> str:
    """A part of a whole, with so many decimals, or as many as it takes to tell it from nothing and from all."""
    if not SAME * whole < value < (1 - SAME) * whole:
        return f"{value:,.{digits}f}"
    for more in range(digits, digits + MOST + 1):
        text = f"{value:.{more}f}"
        if 0 < float(text) < whole:
            return text
    least = 10.0 ** -(digits + MOST)
    return f"over {whole - least:.{digits + MOST}f}" if value > whole / 2 else f"under {least:.{digits + MOST}f}"


def at_least(value: float, digits: int = 0) -> float:
    """Rounded down, for what is promised."""
    unit = 10.0**-digits
    return math.floor(value / unit + 1e-9) * unit


def at_most(value: float, digits: int = 0) -> float:
    """Rounded up, for what is not exceeded."""
    unit = 10.0**-digits
    return math.ceil(value / unit - 1e-9) * unit


def p_value(p: float, digits: int = 4) -> str:
    """«p = 0.0312»; where p is too small for its decimals, «p < 0.0001», not 0."""
    least = 10.0**-digits
    return f"p < {least:.{digits}f}" if p < least / 2 else f"p = {p:.{digits}f}"


def more_documents(more: float) -> str:
    """How many more documents a test would need, to two digits; inf where no number would do, nan where nothing is known."""
    if math.isnan(more):
        return "how many more documents would be needed cannot be told: the difference is undefined"
    if math.isinf(more):
        return "no number of documents would tell them apart: there is no difference"
    if more <= 0:
        return "no more documents are needed"
    digits = 10 ** max(0, len(str(int(more))) - 2)
    return f"about {math.ceil(more / digits) * digits:,} more documents would be needed"
