"""The chosen candidate beside the runner-up: in words, as a table with the test, and how to read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import said_of_choice
from . import plots
from .blocks import Column, Section, note, said, table
from .html import count, name, number, text

__all__ = ["chosen"]

DIGITS = 4
LEVEL = 0.05
Row = Mapping[str, Any]


def chosen(given: Mapping[str, Any]) -> Section:
    """given: of `evaluation.choice`."""
    own, rivals = given["chosen"], given["rivals"]
    tests = [one["against_chosen"] for one in rivals]
    ends = shared_ends(tests)
    columns = [
        Column("Candidate", kind="candidate"),
        Column(text(given["measure"], 40), kind="n"),
        Column("chosen ahead by", kind="n"),
        Column("p", kind="n"),
        Column(plots.threshold_axis(ends), kind="whiskercell"),
        Column("label by label", kind="bylabel"),
    ]
    rows = [[f"{name(own['candidate'])}<small>chosen</small>", with_range(own["value"], own), "", "", "", ""]]
    rows += [row_of(one, ends) for one in rivals]
    kept = len(columns) - all(test["wins"] is None for test in tests)
    caption = f"On {count(tests[0]['documents'])} training documents, each answered by models that had not seen it"
    body = table(caption, columns[:kept], [row[:kept] for row in rows], "choice")
    first, *others = (said(parts) for parts in said_of_choice(given))
    answer = f'<p class="answer">{first}</p>' + "".join(f"<p>{one}</p>" for one in others)
    return Section("choice", "Against the runner-up", answer + body + note(about(tests)))


def row_of(one: Row, ends: tuple[float, float]) -> list[str]:
    """A rival."""
    test = one["against_chosen"]
    return [
        name(one["candidate"]),
        with_range(one["value"], one),
        with_range(test["ahead"], test),
        number(test["adjusted"], DIGITS),
        plots.difference_whisker(test["ahead"], test["low"], test["high"], ends),
        by_labels(test),
    ]


def with_range(value: float, limits: Row) -> str:
    """A number, and under it the range that is likely."""
    return f"{number(value, DIGITS)}<small>{number(limits['low'], DIGITS)} to {number(limits['high'], DIGITS)}</small>"


def by_labels(test: Row) -> str:
    """On how many labels the chosen one is better; the sign test says whether so uneven a count may be chance."""
    if test["wins"] is None:
        return ""
    chance = "" if test["sign_p"] is not None and test["sign_p"] < LEVEL else "; may be chance"
    ties = f", equal on {count(test['ties'])}" if test["ties"] else ""
    return f"better on {count(test['wins'])}, worse on {count(test['losses'])}{ties}{chance}"


def shared_ends(tests: Sequence[Row]) -> tuple[float, float]:
    """From the lowest limit to the highest, 0 among them."""
    ends = [test[key] for test in tests for key in ("low", "ahead", "high") if test[key] is not None]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    return (low, high) if low < high else (-1.0, 1.0)


def about(tests: Sequence[Row]) -> str:
    """What p is and what it is not."""
    first = tests[0]
    what, own = (
        ("answers to a document", "documents") if first["swapped"] == "documents" else ("values of a label", "labels")
    )
    times = f"{count(first['shuffles'])} {'ways, all there are' if first['exact'] else 'random ways'}"
    apart = " and ".join(count(test["apart"]) for test in tests)
    several = " With two rivals p allows for both tests (Holm)." if len(tests) > 1 else ""
    return (
        f"p is the chance that two candidates that are equally good would differ as much as these; below {LEVEL:g} the "
        f"difference is taken as real. It is that of a {text(first['test'], 60)}: the {what} are swapped between the two in "
        f"{times}, and p is the share of these in which they differ as much. It rests on the {own} on which the two differ: "
        f"{apart}.{several} In the drawing 0 is the upright line: a bar that crosses it says that either may be better. All of "
        "this is about the training documents; what the model is worth on other documents is told above."
    )
