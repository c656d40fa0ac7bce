"""A result in words: lines for a terminal, Markdown for a repository. Computes nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from . import Grid, Result, Row, Table

NOTHING = "–"
HEADINGS = ("", "ours", "95 % interval", "printed", "difference", "asked", "n", "where")


def cell_text(value: Any, digits: int = 2) -> str:
    """A cell: numbers with so many digits, small ones in powers of ten, nothing as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 10**-digits else f"{value:,.{digits}f}"
    return str(value)


def digits_of(table: Table) -> int:
    """Two digits for percentages, four for what lies between -1 and 1."""
    values = [abs(row.ours) for row in table.rows if row.ours is not None]
    return 4 if values and max(values) <= 1 else 2


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Headings and cells of the columns that are not empty; the first two always."""
    full = [full_cells(row, digits_of(table)) for row in table.rows]
    used = [n for n in range(len(HEADINGS)) if n < 2 or any(cells[n] not in ("", NOTHING) for cells in full)]
    return [HEADINGS[n] for n in used], [[cells[n] for n in used] for cells in full]


def full_cells(row: Row, digits: int) -> list[str]:
    """All cells of a row; numbers of things are shown without digits."""
    values = [value for value in (row.ours, row.printed) if value is not None]
    if row.low is None and all(value == int(value) for value in values) and max(map(abs, values), default=0) > 1:
        digits = 0
    limits = NOTHING if row.low is None or row.high is None else f"{row.low:.{digits}f} to {row.high:.{digits}f}"
    difference = NOTHING if row.difference is None else f"{row.difference:+.{digits}f}"
    bound_text = ""
    if row.within is not None:
        bound = f"within {row.within:g}{' or better' if row.or_better else ''}"
        bound_text = f"{bound}: {'yes' if row.reached else 'no (explained)' if row.explained else 'no'}"
    what = f"{row.what} ({row.note})" if row.note else row.what
    ours, printed = cell_text(row.ours, digits), cell_text(row.printed, digits)
    return [what, ours, limits, printed, difference, bound_text, f"{row.n:,}", row.where]


def table_note(table: Table) -> str:
    """The note under a table, preceded by why rows are further from the printed number than asked."""
    explained = [f"{row.what}: {row.explained}." for row in table.rows if row.explained]
    return " ".join([*explained, *([table.note] if table.note else [])])


def grid_cells(grid: Grid) -> list[list[str]]:
    return [[cell_text(cell, 3) for cell in row] for row in grid.rows]


def duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as aligned lines; a column whose cells begin with a digit or a sign is aligned to the right."""
    widths = [max(len(line[n]) for line in [header, *rows]) for n in range(len(header))]
    numeric = [n > 0 and all(row[n][:1] in "+-–0123456789" for row in rows) for n in range(len(header))]
    for line in [header, *rows]:
        cells = zip(line, widths, numeric, strict=True)
        yield "  ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in cells).rstrip()


def lines(result: Result) -> Iterator[str]:
    plan, findings = result.plan, result.findings
    yield f"{plan.paper} {plan.title}{' (quick)' if plan.quick else ''}"
    for table in findings.tables:
        yield ""
        yield f"{table.title}; {table.measure}{f' ({table.where})' if table.where else ''}"
        yield from (f"  {line}" for line in columns(*table_cells(table)))
        if note := table_note(table):
            yield f"  {note}"
    for grid in findings.grids:
        yield ""
        yield grid.title
        yield from (f"  {line}" for line in columns(grid.columns, grid_cells(grid)))
        if grid.note:
            yield f"  {grid.note}"
    if findings.claims:
        yield ""
        yield "What the paper says, and whether it holds here"
        for claim in findings.claims:
            yield f"  {claim.verdict.upper()}: {claim.said}{f' ({claim.where})' if claim.where else ''}"
            yield f"    {claim.evidence}"
    for note in findings.notes:
        yield f"  note: {note}"
    yield ""
    yield time_sentence(result)


def time_sentence(result: Result) -> str:
    naive = sum(point.total for point in result.naive)
    ours = f"Took {duration(result.seconds)} on {result.cores} cores, seed {result.plan.seed}"
    return f"{ours}; the naive way about {duration(naive)} (estimated)" if naive else ours


def markdown(result: Result) -> str:
    plan, findings = result.plan, result.findings
    out = [f"# {plan.paper} {plan.title}", "", time_sentence(result) + ".", ""]
    for table in findings.tables:
        where = f" ({table.where})" if table.where else ""
        out += [f"## {table.title}", "", f"{table.measure}{where}", "", *pipes(*table_cells(table)), ""]
        out += [table_note(table), ""] if table_note(table) else []
    for grid in findings.grids:
        out += [f"## {grid.title}", "", *pipes(grid.columns, grid_cells(grid)), ""]
        out += [grid.note, ""] if grid.note else []
    for figure in findings.figures:
        out += [f"## {figure.title}", "", f"![{figure.title}]({figure.key}.svg)", ""]
        out += [figure.note, ""] if figure.note else []
    if findings.claims:
        rows = [[claim.said, claim.where or NOTHING, claim.verdict, claim.evidence] for claim in findings.claims]
        out += ["## Claims", "", *pipes(("the paper says", "where", "here", "because"), rows), ""]
    if findings.notes:
        out += ["## Notes", "", *(f"- {note}" for note in findings.notes), ""]
    if result.naive:
        rows = [
            [naive.what, duration(naive.seconds), str(naive.times), duration(naive.total), naive.how]
            for naive in result.naive
        ]
        header = ("the naive way", "one", "times", "in all", "how it was estimated")
        out += ["## Time", "", *pipes(header, rows), ""]
    return "\n".join(out)


def pipes(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") or " " for cell in line) + " |" for line in lines]
