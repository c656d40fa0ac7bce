"""One HTML page for all replications: ours beside the papers, plots, claims, what was learned. Computes and loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rubricate.evaluation.report.html import Column, Section, figure, more, name, note, table, text
from rubricate.evaluation.report.layout import POLICY
from rubricate.evaluation.report.style import STYLE

from .drawing import drawn
from .published import published
from .result import Result
from .signs import FIGURE_STYLE
from .text import cells_of, duration, grid_cells, headings, note_of, shown, time_told

__all__ = ["page"]

OWN_STYLE = (
    ".yes{color:var(--m2)}.no{color:var(--accent);font-weight:600}.part{color:var(--m3)}"
    ".wrap td,.wrap th{white-space:normal;min-width:8rem}.wrap td:last-child{min-width:16rem}"
    ".named tbody th{min-width:min(17rem,40vw)}"
)
LONG_NAME = 24  # a longer one in a narrow column would be broken into many lines
MARKS = {"holds": "yes", "holds in part": "part", "does not hold": "no", "not tested": "soft"}


def page(results: Sequence[Result]) -> str:
    """The page. The same results give the same bytes."""
    sections = [summary(results)]
    sections += [replication(result) for result in results]
    sections.append(learned(results))
    links = "".join(f'<li><a href="#{section.key}">{section.heading}</a></li>' for section in sections)
    quick = " · quick run" if any(result.plan.quick for result in results) else ""
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
            f"<title>Replications</title><style>{STYLE}{FIGURE_STYLE}{OWN_STYLE}</style></head>\n<body>",
            f'<header><p class="kicker">rubricate · replications{quick}</p><h1>The papers’ experiments, run again</h1>',
            '<p class="under">Ours beside what was printed, on the collections that can be had today</p></header>',
            f'<nav aria-label="Contents"><ol>{links}</ol></nav>\n<main>',
            "\n".join(map(str, sections)),
            "</main>\n<footer><p>Made by rubricate. This page is complete in itself: it loads nothing and runs nothing.</p>",
            "</footer></body></html>\n",
        ]
    )


def summary(results: Sequence[Result]) -> Section:
    """What was asked to come near, paper by paper; and the time."""
    rows = []
    for result in results:
        asked = result.asked
        near = sum(row.reached is True for row in asked)
        claims = [claim.verdict for claim in result.findings.claims]
        rows.append(
            [
                f'<a href="#{result.plan.folder}">{text(result.plan.paper)} {name(result.plan.title, 120)}</a>',
                f"{near} of {len(asked)}" if asked else "–",
                f"{claims.count('holds')} of {len(claims)}",
                duration(result.seconds),
                duration(sum(one.total for one in result.naive)) if result.naive else "–",
            ]
        )
    columns = [
        Column("Paper"),
        Column("as near as asked", kind="n"),
        Column("claims that hold", kind="n"),
        Column("time", kind="n"),
        Column("naive way, estimated", kind="n"),
    ]
    total = duration(sum(result.seconds for result in results))
    about = (
        f"All together {total}. An interval is a 95 % interval: over repeated splits or folds, how the mean varies over "
        "other splits of the same documents; over test documents, how it varies over other documents of that kind."
    )
    return Section("summary", "In short", table("Replications", columns, rows) + note(about))


def replication(result: Result) -> Section:
    """One paper."""
    found, plan = result.findings, result.plan
    paper = published(plan.name).paper
    source = ", ".join(text(paper[key]) for key in ("authors", "title", "year") if key in paper)
    parts = [f'<p class="under">{source}</p>', note(text(time_told(result)) + ".")]
    for own in found.tables:
        columns = [Column(text(one), kind="n" if 0 < n < 5 else "") for n, one in enumerate(headings(own))]
        caption = text(f"{own.title}; {own.measure}{f' ({own.where})' if own.where else ''}")
        parts.append(table(caption, columns, [[text(cell) for cell in row] for row in cells_of(own)]))
        parts += [note(text(note_of(own)))] if note_of(own) else []
    for one in found.figures:
        where = f" Paper: {text(one.where)}." if one.where else ""
        parts.append(figure(drawn(one), text(one.note) + where, name(one.title, 200)))
    for other in found.grids:
        columns = [
            Column(text(one), kind="n" if n and numeric(other.rows, n) else "") for n, one in enumerate(other.columns)
        ]
        cells = [[text(cell) for cell in row] for row in grid_cells(other)]
        long = any(len(row[0]) > LONG_NAME for row in cells)
        body = table(text(other.title), columns, cells, "named" if long else "")
        body += note(text(other.note)) if other.note else ""
        parts.append(more(text(other.title), body) if len(other.rows) > 16 else body)
    parts += [note(text(one)) for one in found.notes]
    parts.append(more("How it was made", made(result)))
    return Section(plan.folder, f"{text(plan.paper)} {name(plan.title, 120)}", "".join(parts))


def numeric(rows: Iterable[Sequence[object]], column: int) -> bool:
    """Whether a column holds numbers alone."""
    return all(isinstance(row[column], int | float | None) for row in rows)


def made(result: Result) -> str:
    """Plan, stages, versions, fingerprints."""
    plan = result.plan
    told = {
        "data": "; ".join(plan.data),
        "split": plan.split,
        "recipes": "; ".join(plan.recipes),
        "methods": "; ".join(plan.methods),
        "repetitions": str(plan.repetitions),
        "seed": str(plan.seed),
        "settings": "; ".join(f"{key} = {value}" for key, value in plan.settings.items()),
        "stages": "; ".join(f"{key}: {duration(value)}" for key, value in result.stages.items()),
        "the naive way": "; ".join(
            f"{one.what}: {duration(one.seconds)} x {one.times} = {duration(one.total)} ({one.how})"
            for one in result.naive
        ),
        "versions": ", ".join(f"{key} {value}" for key, value in result.versions.items()),
        "fingerprints": "; ".join(f"{key}: {value[:16]}" for key, value in result.findings.fingerprints.items()),
    }
    rows = "".join(f"<div><dt>{key}</dt><dd>{text(value)}</dd></div>" for key, value in told.items() if value)
    return f'<dl class="made">{rows}</dl>'


def learned(results: Sequence[Result]) -> Section:
    """The last part: claims and the best method of each task."""
    claims = [
        [
            f"{text(result.plan.paper)}",
            text(claim.said),
            f'<span class="{MARKS[claim.verdict]}">{text(claim.verdict)}</span>',
            text(claim.evidence),
        ]
        for result in results
        for claim in result.findings.claims
    ]
    body = table(
        "What the papers say, and whether it holds on these data",
        [Column("Paper"), Column("it says"), Column("here"), Column("because")],
        claims,
        "wrap",
    )
    best = [
        [
            text(one.task),
            name(one.method),
            shown(one.value),
            text(one.measure),
            text(", ".join(one.equals) or "–"),
            text(one.note),
        ]
        for result in results
        for one in result.findings.best
    ]
    columns = [
        Column("Task"),
        Column("best"),
        Column("value", kind="n"),
        Column("measure"),
        Column("not significantly worse"),
        Column("remark"),
    ]
    if best:
        body += table("The best of the methods that were run, task by task", columns, best, "wrap")
    return Section("learned", "What we learned", body)
