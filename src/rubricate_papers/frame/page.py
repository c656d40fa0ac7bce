"""One HTML page for all replications: ours beside the papers, plots, claims, what was learned. Computes and loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubricate import report

from . import Result
from .figures import FIGURE_STYLE, figure_svg
from .published import published
from .text import NOTHING, cell_text, duration, grid_cells, table_cells, table_note, time_sentence

blocks, html = report.html, report.html

PAGE_STYLE = (
    ".yes{color:var(--m2)}.no{color:var(--accent);font-weight:600}.part{color:var(--m3)}"
    ".wrap td,.wrap th{white-space:normal;min-width:8rem}.wrap td:last-child{min-width:16rem}"
    ".named tbody th{min-width:min(17rem,40vw)}"
)
LONG_NAME = 24  # a longer one in a narrow column would be broken into many lines
LONG_GRID = 16  # rows; a longer one is folded
VERDICT_CLASSES = {"holds": "yes", "holds in part": "part", "does not hold": "no", "not tested": "soft"}


def page(results: Sequence[Result]) -> str:
    """The page. The same results give the same bytes."""
    quick = " · quick run" if any(result.plan.quick for result in results) else ""
    return blocks.html_page(
        [summary(results), *map(replication, results), conclusions(results)],
        title="Replications",
        heading="The papers’ experiments, run again",
        kicker=f"rubricate · replications{quick}",
        under="Ours beside what was printed, on the collections that can be had today",
        style=FIGURE_STYLE + PAGE_STYLE,
    )


def summary(results: Sequence[Result]) -> blocks.Section:
    """How many numbers are as near as asked, paper by paper; and the time."""
    rows = []
    for result in results:
        bounded = result.bounded_rows
        near = sum(row.reached is True for row in bounded)
        verdicts = [claim.verdict for claim in result.findings.claims]
        rows.append(
            [
                f'<a href="#{result.plan.folder}">{html.text(result.plan.paper)} {html.name(result.plan.title, 120)}</a>',
                f"{near} of {len(bounded)}" if bounded else NOTHING,
                f"{verdicts.count('holds')} of {len(verdicts)}",
                duration(result.seconds),
                duration(sum(estimate.total for estimate in result.naive)) if result.naive else NOTHING,
            ]
        )
    numbers = ("as near as asked", "claims that hold", "time", "naive way, estimated")
    columns = [blocks.Column("Paper"), *(blocks.Column(heading, kind="n") for heading in numbers)]
    total = duration(sum(result.seconds for result in results))
    about = (
        f"All together {total}. An interval is a 95 % interval: over repeated splits or folds, how the mean varies over "
        "other splits of the same documents; over test documents, how it varies over other documents of that kind."
    )
    return blocks.Section("summary", "In short", blocks.table("Replications", columns, rows) + blocks.note(about))


def replication(result: Result) -> blocks.Section:
    findings, plan = result.findings, result.plan
    paper = published(plan.name).paper
    source = ", ".join(html.text(paper[key]) for key in ("authors", "title", "year") if key in paper)
    parts = [f'<p class="under">{source}</p>', blocks.note(html.text(time_sentence(result)) + ".")]
    for table in findings.tables:
        headings, cells = table_cells(table)
        columns = [blocks.Column(html.text(name), kind="n" if 0 < n < 5 else "") for n, name in enumerate(headings)]
        caption = html.text(f"{table.title}; {table.measure}{f' ({table.where})' if table.where else ''}")
        parts.append(blocks.table(caption, columns, escaped(cells)))
        parts += [blocks.note(html.text(note)) for note in (table_note(table),) if note]
    for figure in findings.figures:
        where = f" Paper: {html.text(figure.where)}." if figure.where else ""
        parts.append(blocks.figure(figure_svg(figure), html.text(figure.note) + where, html.name(figure.title, 200)))
    for grid in findings.grids:
        columns = [
            blocks.Column(html.text(heading), kind="n" if n and numeric(grid.rows, n) else "")
            for n, heading in enumerate(grid.columns)
        ]
        cells = escaped(grid_cells(grid))
        kind = "named" if any(len(row[0]) > LONG_NAME for row in cells) else ""
        body = blocks.table(html.text(grid.title), columns, cells, kind)
        body += blocks.note(html.text(grid.note)) if grid.note else ""
        parts.append(blocks.more(html.text(grid.title), body) if len(grid.rows) > LONG_GRID else body)
    parts += [blocks.note(html.text(note)) for note in findings.notes]
    parts.append(blocks.more("How it was made", provenance(result)))
    return blocks.Section(plan.folder, f"{html.text(plan.paper)} {html.name(plan.title, 120)}", "".join(parts))


def escaped(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[html.text(cell) for cell in row] for row in rows]


def numeric(rows: Iterable[Sequence[object]], column: int) -> bool:
    return all(isinstance(row[column], int | float | None) for row in rows)


def provenance(result: Result) -> str:
    plan = result.plan
    entries = {
        "data": "; ".join(plan.data),
        "split": plan.split,
        "recipes": "; ".join(plan.recipes),
        "methods": "; ".join(plan.methods),
        "repetitions": str(plan.repetitions),
        "seed": str(plan.seed),
        "settings": "; ".join(f"{key} = {value}" for key, value in plan.settings.items()),
        "stages": "; ".join(f"{key}: {duration(value)}" for key, value in result.stages.items()),
        "the naive way": "; ".join(
            f"{point.what}: {duration(point.seconds)} x {point.times} = {duration(point.total)} ({point.how})"
            for point in result.naive
        ),
        "versions": ", ".join(f"{key} {value}" for key, value in result.versions.items()),
        "fingerprints": "; ".join(f"{key}: {value[:16]}" for key, value in result.findings.fingerprints.items()),
    }
    rows = "".join(f"<div><dt>{key}</dt><dd>{html.text(value)}</dd></div>" for key, value in entries.items() if value)
    return f'<dl class="made">{rows}</dl>'


def conclusions(results: Sequence[Result]) -> blocks.Section:
    """The last part: claims and the best method of each task."""
    claims = [
        [
            html.text(result.plan.paper),
            html.text(claim.said),
            f'<span class="{VERDICT_CLASSES[claim.verdict]}">{html.text(claim.verdict)}</span>',
            html.text(claim.evidence),
        ]
        for result in results
        for claim in result.findings.claims
    ]
    columns = [blocks.Column(heading) for heading in ("Paper", "it says", "here", "because")]
    body = blocks.table("What the papers say, and whether it holds on these data", columns, claims, "wrap")
    best = [
        [
            html.text(row.task),
            html.name(row.method),
            cell_text(row.value),
            html.text(row.measure),
            html.text(", ".join(row.equals) or NOTHING),
            html.text(row.note),
        ]
        for result in results
        for row in result.findings.best
    ]
    names = ("Task", "best", "value", "measure", "not significantly worse", "remark")
    columns = [blocks.Column(heading, kind="n" if heading == "value" else "") for heading in names]
    if best:
        body += blocks.table("The best of the methods that were run, task by task", columns, best, "wrap")
    return blocks.Section("learned", "What we learned", body)
