"""rubricate compare SYSTEM SYSTEM… PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from ..options import buffer_stdin, jobs_option, json_option, open_corpus, reading_options, source_arguments
from ..output import echo, next_command, print_json, printable, report_rows, row_counts, table
from ..systems import by_model, by_predictions, decided, is_model, notes, truth_of


@click.command("compare")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...", type=click.Path(path_type=Path))
@reading_options
@jobs_option
@click.option(
    "--measure",
    default="auto",
    show_default=True,
    help="microF1, F1, AP, … auto: microF1, or accuracy with one label (single-label).",
)
@click.option("--against", metavar="NAME", help="Compare all with this one, instead of each with each.")
@click.option("--level", default=0.05, show_default=True, help="Of significance, of all pairs together.")
@click.option("--draws", default=10_000, show_default=True, type=click.IntRange(min=1), help="Shuffles of each test.")
@click.option("--by-label", is_flag=True, help="Also a row for each label.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the tests and intervals.")
@json_option
def command(
    systems: tuple[Path, ...],
    path: str,
    jobs: int | None,
    measure: str,
    against: str | None,
    level: float,
    draws: int,
    by_label: bool,
    seed: int,
    as_json: bool,
    **read_options: Any,
) -> None:
    """Which of several systems is better on the same labelled documents, and whether that is more than chance.

    A SYSTEM is a model, or a file of predictions that `predict` wrote, in any of its forms, known by content: JSON Lines, TSV,
    fastText lines (no ids: as many as documents, in their order) or a TREC run (scores alone: a label is taken as given where it
    is the document's best, with several labels (multi-label) where its probability is above 0.5). PATH has the correct labels.
    Each system has its value with an interval, each pair a randomisation test and a sign test over labels, corrected for the
    number of pairs.
    """
    from ...errors import InvalidSetting
    from ...evaluation import against_runner_up, sentence
    from ...measures.metrics import measure as measure_named
    from ...measures.significance import compare

    if len(systems) < 2:
        raise InvalidSetting("give two systems or more, and after them the labelled documents")
    if measure != "auto":
        measure_named(measure)
    source = open_corpus(path, **read_options)
    corpus = buffer_stdin(path, source)
    predictions = [
        by_model(system, corpus, jobs, as_json) if is_model(system) else by_predictions(system, corpus)
        for system in systems
    ]
    truth = truth_of(corpus, predictions)
    chosen_measure = measure_named(measure if measure != "auto" else "microF1" if truth.several else "accuracy")
    remarks = [one for own in predictions for one in notes(own, truth, chosen_measure.needs)]
    predictions = [decided(own, truth, chosen_measure.needs) for own in predictions]
    comparison = compare(
        {name: truth.values(own, chosen_measure.needs) for name, own in zip(names(systems), predictions, strict=True)},
        truth.wanted(chosen_measure.needs),
        measure=chosen_measure.name,
        labels=truth.names
        if chosen_measure.each is not None and (truth.several or chosen_measure.needs != "decisions")
        else None,
        against=against,
        level=level,
        draws=draws,
        random_state=seed,
    )
    verdict = sentence(against_runner_up(comparison))
    if as_json:
        forms = {name: own.form for name, own in zip(names(systems), predictions, strict=True)}
        record = {**comparison.as_dict(), "said": verdict, "forms": forms, "notes": remarks}
        print_json({**record, "rows": row_counts(source.tally)})
        return
    show(comparison, verdict, by_label)
    for remark in remarks:
        echo(printable(remark, 500))
    report_rows(source.tally, read_options["rejects"])
    sign = 1 if chosen_measure.higher_is_better else -1
    best = systems[max(range(len(systems)), key=lambda n: sign * comparison.systems[n].overall.value)]
    page = f"rubricate evaluate MODEL.rub {source_arguments(path, read_options)} --report page.html"
    next_command(f"rubricate inspect {shlex.quote(str(best))}" if is_model(best) else page)


def show(comparison: Any, verdict: str, by_label: bool) -> None:
    """Systems, pairs, and labels if asked for."""
    echo(f"{comparison.documents:,} documents")
    table(comparison.table()[1:], comparison.table()[0], right=(2, 3))
    if any(system.beats for system in comparison.systems):
        echo(f"ᵃ: significantly better than a (level {comparison.level:g}, all pairs together)")
    echo()
    table(comparison.wins_table()[1:], comparison.wins_table()[0], right=(3,))
    if any(pair.sign is not None for pair in comparison.pairs):
        echo("wins: on how many labels each is better; ? that may be chance")
    echo()
    if by_label:
        label_rows = comparison.label_table()
        table(label_rows[1:], label_rows[0])
        echo()
    echo(printable(verdict, 300))


def names(systems: tuple[Path, ...]) -> list[str]:
    """What the systems are called: the names of the files, with their folders where these are the same."""
    from ...errors import InvalidSetting

    short = [system.stem for system in systems]
    unique = [stem if short.count(stem) == 1 else str(system) for stem, system in zip(short, systems, strict=True)]
    repeated = next((name for name in unique if unique.count(name) > 1), None)
    if repeated is not None:
        raise InvalidSetting(f"{repeated} is given twice: a system is compared with others")
    return unique
