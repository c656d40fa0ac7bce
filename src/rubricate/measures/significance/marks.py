"""How a comparison is written: superscript letters for the systems that are beaten, and 001's «16 > 4» and «14 >? 6».

Letters are those with a superscript form in Unicode (there is no q).
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["LETTERS", "marked", "mean_marked", "sign_of", "superscript"]

LETTERS = "abcdefghijklmnoprstuvwxyz"
SUPERSCRIPTS = dict(zip(LETTERS, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))


def superscript(letters: Iterable[str]) -> str:
    """ᵃᵇ for a and b."""
    return "".join(SUPERSCRIPTS[letter] for letter in sorted(letters))


def sign_of(a: float, b: float) -> str:
    """>, = or <; nothing where one is undefined."""
    return ">" if a > b else "<" if a < b else "=" if a == b else ""


def marked(wins: int, losses: int, *, significant: bool) -> str:
    """Wins against losses with a ? unless one is significantly more than the other: 16 > 4, 14 >? 6, 10 =? 10.  [001 sec. 8]"""
    return f"{wins} {sign_of(wins, losses)}{'' if significant else '?'} {losses}"


def mean_marked(a: float, b: float, *, digits: int = 2) -> str:
    """Two means as 001 prints them: (.45 > .33).                                                            [001 sec. 8]"""
    shown_a, shown_b = (f"{value:.{digits}f}".removeprefix("0") for value in (a, b))
    return f"({shown_a} {sign_of(a, b)} {shown_b})"
