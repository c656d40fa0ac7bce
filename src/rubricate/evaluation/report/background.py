"""The last part of the page: top terms, the runner-up and other systems it is compared with, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import Evaluation, against_runner_up, choice_sentences
from . import html, plots

if TYPE_CHECKING:
    from ...measures.significance import Comparison

FIRST = 12  # labels whose terms are seen without unfolding
MOST = 60
TERMS = 10
DIGITS = 4
LEVEL = 0.05  # of significance
Row = Mapping[str, Any]


def terms(evaluation: Evaluation, top_terms: Mapping[str, Sequence[tuple[str, float]]]) -> html.Section | None:
    """A list a label, the labels in the order of the table."""
    place = {row.label: n for n, row in enumerate(evaluation.shown())}
    order = sorted((label for label in top_terms if top_terms[label]), key=lambda label: place.get(label, len(place)))
    if not order:
        return None
    cells = [term_list(label, top_terms[label][:TERMS]) for label in order[:MOST]]
    body = html.first_and_more(cells, FIRST, "labels", lambda some, _: html.grid(some, "lists"))
    rest = f" {html.count(len(order) - MOST)} more labels are in the JSON." if len(order) > MOST else ""
    about = "The words that speak most for each label; the longer the bar, the more. Odd words here are worth a second look."
    return html.Section("terms", "The words it goes by", body + html.note(about + rest))


def term_list(label: str, weights: Sequence[tuple[str, float]]) -> str:
    largest = max(abs(float(weight)) for _, weight in weights)
    rows = "".join(
        f"<li>{html.name(term, 40)} {plots.length_bar(float(weight), largest)}</li>" for term, weight in weights
    )
    return f'<div class="list"><h3>{html.name(label, 40)}</h3><ul class="words">{rows}</ul></div>'


def runner_up(choice: Mapping[str, Any]) -> html.Section:
    """The chosen candidate beside the runner-up: in words, as a table with the test, and how to read it. choice: of
    `evaluation.choice`."""
    chosen, rivals = choice["chosen"], choice["rivals"]
    tests = [rival["against_chosen"] for rival in rivals]
    ends = shared_ends(tests)
    columns = [
        html.Column("Candidate", kind="candidate"),
        *html.numeric(html.text(choice["measure"], 40), "chosen ahead by", "p"),
    ]
    columns += [
        html.Column(plots.whisker_axis(ends), kind="whiskercell"),
        html.Column("label by label", kind="bylabel"),
    ]
    rows = [
        [f"{html.name(chosen['candidate'])}<small>chosen</small>", with_range(chosen["value"], chosen), "", "", "", ""]
    ]
    for rival, test in zip(rivals, tests, strict=True):
        values = (
            with_range(rival["value"], rival),
            with_range(test["ahead"], test),
            html.number(test["adjusted"], DIGITS),
        )
        whisker = plots.whisker(test["ahead"], test["low"], test["high"], ends, zero=True)
        rows.append([html.name(rival["candidate"]), *values, whisker, wins_by_label(test)])
    width = len(columns) - all(test["wins"] is None for test in tests)
    caption = f"On {html.count(tests[0]['documents'])} training documents, each answered by models that had not seen it"
    body = html.table(caption, columns[:width], [row[:width] for row in rows], "choice")
    first, *others = (html.sentence_html(parts) for parts in choice_sentences(choice))
    answer = f'<p class="answer">{first}</p>' + "".join(f"<p>{other}</p>" for other in others)
    return html.Section("choice", "Against the runner-up", answer + body + html.note(about_test(tests)))


def with_range(value: float, limits: Row) -> str:
    """A number, and under it the range that is likely."""
    middle, low, high = (html.number(number, DIGITS) for number in (value, limits["low"], limits["high"]))
    return f"{middle}<small>{low} to {high}</small>"


def wins_by_label(test: Row) -> str:
    """On how many labels the chosen one is better; the sign test says whether so uneven a count may be chance."""
    if test["wins"] is None:
        return ""
    chance = "" if test["sign_p"] is not None and test["sign_p"] < LEVEL else "; may be chance"
    ties = f", equal on {html.count(test['ties'])}" if test["ties"] else ""
    return f"better on {html.count(test['wins'])}, worse on {html.count(test['losses'])}{ties}{chance}"


def shared_ends(tests: Sequence[Row]) -> tuple[float, float]:
    """From the lowest limit to the highest, 0 among them."""
    ends = [0.0, *(test[key] for test in tests for key in ("low", "ahead", "high"))]
    return (min(ends), max(ends)) if any(ends) else (-1.0, 1.0)


def about_test(tests: Sequence[Row]) -> str:
    """What p is and what it is not."""
    first = tests[0]
    what, units = "values of a label", "labels"
    if first["swapped"] == "documents":
        what, units = "answers to a document", "documents"
    times = f"{html.count(first['shuffles'])} {'ways, all there are' if first['exact'] else 'random ways'}"
    differing = " and ".join(html.count(test["apart"]) for test in tests)
    several = " With two rivals p allows for both tests (Holm)." if len(tests) > 1 else ""
    return (
        f"{about_p('candidates', LEVEL)} It is that of a {html.text(first['test'], 60)}: the {what} are swapped between the two "
        f"in {times}, and p is the share of these in which they differ as much. It rests on the {units} on which the two differ: "
        f"{differing}.{several} In the drawing 0 is the upright line: a bar that crosses it says that either may be better. All "
        "of this is about the training documents; what the model is worth on other documents is told above."
    )


def about_p(what: str, level: float) -> str:
    equal = f"p is the chance that two {what} that are equally good would differ as much as these"
    return f"{equal}; below {level:g} the difference is taken as real."


def other_systems(comparison: Comparison) -> html.Section:
    rows, wins = comparison.table(), comparison.wins_table()
    systems = html.table(
        f"Systems on the same {html.count(comparison.documents)} documents",
        [html.Column("System"), *html.numeric("", html.text(comparison.measure), html.text(rows[0][3]))],
        [[html.name(row[1]), html.text(row[0]), html.text(row[2]), html.text(row[3])] for row in rows[1:]],
    )
    pairs = html.table(
        "Pair by pair",
        [html.Column("Pair"), *html.numeric("labels won", "mean of labels", "p"), html.Column("", kind="why")],
        [[html.name(row[0]), *(html.text(cell) for cell in row[1:])] for row in wins[1:]],
    )
    about = (
        f"{about_p('systems', comparison.level)} Small letters behind a value name the systems that it beats in "
        "this sense. «14 &gt;? 6»: better on 14 labels, worse on 6, with a ? if that may be chance."
    )
    answer = f'<p class="answer">{html.sentence_html(against_runner_up(comparison))}</p>'
    return html.Section(
        "comparison", "Against other systems", answer + systems + html.note(about) + html.more("Pair by pair", pairs)
    )


def how_made(settings: Mapping[str, Any]) -> html.Section | None:
    """How it was made: values, lists, tables of choices that were tried (lists of rows), groups of these."""
    if not settings:
        return None
    simple = {key: value for key, value in settings.items() if not is_rows(value)}
    tables = "".join(rows_table(key, value) for key, value in settings.items() if is_rows(value))
    return html.Section("made", "How it was made", value_list(simple) + tables)


def is_rows(value: Any) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(isinstance(row, Mapping) for row in value)


def value_list(values: Mapping[str, Any]) -> str:
    rows = "".join(f"<div><dt>{html.name(key)}</dt><dd>{value_html(value)}</dd></div>" for key, value in values.items())
    return f'<dl class="made">{rows}</dl>' if rows else ""


def value_html(value: Any) -> str:
    if isinstance(value, Mapping):
        return value_list(value)
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return ", ".join(value_html(item) for item in items) or "–"
    if value is None or isinstance(value, bool):
        return {None: "–", True: "yes", False: "no"}[value]
    return html.number(value) if isinstance(value, float) else f"<bdi>{html.text(value)}</bdi>"


def rows_table(key: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """A table of choices; columns in the order in which they first occur."""
    keys = list(dict.fromkeys(column for row in rows for column in row))
    numeric = {column: all(isinstance(row.get(column), int | float | None) for row in rows) for column in keys}
    columns = [html.Column(html.text(column), kind="n" if numeric[column] else "") for column in keys]
    return html.table(html.text(key), columns, [[value_html(row.get(column)) for column in keys] for row in rows])
