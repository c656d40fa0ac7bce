"""rubricate compare SYSTEM SYSTEM… PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import options
from ..options import FROM_1, PATH, seed_option, setting
from ..output import echo, next_command, print_json, printable, progress, report_rows, table

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...evaluation.systems import SystemPredictions


@click.command("compare")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...", type=PATH, callback=options.check_files)
@options.reading_options
@options.jobs_option
@setting(
    "--measure", default="auto", help="microF1, F1, AP, … auto: microF1, or accuracy with one label (single-label)."
)
@click.option("--against", metavar="NAME", help="Compare all with this one, instead of each with each.")
@setting("--level", default=0.05, help="Of significance, of all pairs together.")
@setting("--draws", default=10_000, type=FROM_1, help="Shuffles of each test.")
@click.option("--by-label", is_flag=True, help="Also a row for each label.")
@seed_option("random_state", help="Of the tests and intervals.")
@options.json_option
def command(
    systems: tuple[Path, ...], path: str, jobs: int | None, measure: str, by_label: bool, as_json: bool, **rest: Any
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
    from ...evaluation.systems import is_model, remarks_on, truth_of, with_decisions
    from ...measures.metrics import measure as measure_named
    from ...measures.significance import compare

    if len(systems) < 2:
        raise InvalidSetting("give two systems or more, and after them the labelled documents")
    if measure != "auto":
        measure_named(measure)  # a wrong name is an error before anything is read
    read_options = {name: rest.pop(name) for name in options.READ_OPTIONS}
    source = options.open_corpus(path, **read_options)
    corpus = options.buffer_stdin(path, source)
    predictions = [predictions_of(system, corpus, jobs, quiet=as_json) for system in systems]
    truth = truth_of(corpus, predictions)
    by = measure_named(measure if measure != "auto" else "microF1" if truth.multilabel else "accuracy")
    remarks = [remark for system in predictions for remark in remarks_on(system, truth, by.needs)]
    named_predictions = zip(names(systems), predictions, strict=True)
    by_name = {name: with_decisions(system, truth, by.needs) for name, system in named_predictions}
    has_label_values = by.each is not None and (truth.multilabel or by.needs != "decisions")
    comparison = compare(
        {name: truth.align(system, by.needs) for name, system in by_name.items()},
        truth.expected(by.needs),
        measure=by.name,
        labels=truth.labels if has_label_values else None,
        **rest,  # against, level, draws, random_state
    )
    verdict = sentence(against_runner_up(comparison))
    if as_json:
        forms = {name: system.form for name, system in by_name.items()}
        print_json({**comparison.as_dict(), "said": verdict, "forms": forms, "notes": remarks}, tally=source.tally)
        return
    show(comparison, verdict, by_label)
    for remark in remarks:
        echo(printable(remark, 500))
    report_rows(source.tally, read_options["rejects"])
    sign = 1 if by.higher_is_better else -1
    best = systems[max(range(len(systems)), key=lambda n: sign * comparison.systems[n].overall.value)]
    page = f"rubricate evaluate MODEL.rub {options.source_arguments(path, read_options)} --report page.html"
    next_command(f"rubricate inspect {shlex.quote(str(best))}" if is_model(best) else page)


def predictions_of(system: Path, corpus: Corpus, jobs: int | None, *, quiet: bool) -> SystemPredictions:
    from ...evaluation.systems import is_model, predict_with_model, read_predictions

    if not is_model(system):
        return read_predictions(system, corpus)
    with progress(f"answering with {system.name}", quiet=quiet) as show_progress:
        return predict_with_model(system, corpus, jobs=jobs, progress=show_progress)


def show(comparison: Any, verdict: str, by_label: bool) -> None:
    echo(f"{comparison.documents:,} documents")
    header, *rows = comparison.table()
    table(rows, header, right=(2, 3))
    if any(system.beats for system in comparison.systems):
        echo(f"ᵃ: significantly better than a (level {comparison.level:g}, all pairs together)")
    echo()
    header, *rows = comparison.wins_table()
    table(rows, header, right=(3,))
    if any(pair.sign is not None for pair in comparison.pairs):
        echo("wins: on how many labels each is better; ? that may be chance")
    echo()
    if by_label:
        header, *rows = comparison.label_table()
        table(rows, header)
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
