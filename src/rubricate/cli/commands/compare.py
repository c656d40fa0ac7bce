"""rubricate compare SYSTEM SYSTEM… PATH"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from ..options import as_json, held, jobs, opened, reading, same_source
from ..output import account, echo, next_command, print_json, printable, rows_told, table
from ..systems import by_model, by_predictions, decided, is_model, notes, truth_of


@click.command("compare")
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM...", type=click.Path(path_type=Path))
@reading
@jobs
@click.option(
    "--measure", default="auto", show_default=True, help="microF1, F1, AP, … auto: microF1, or accuracy with one label."
)
@click.option("--against", metavar="NAME", help="Compare all with this one, instead of each with each.")
@click.option("--level", default=0.05, show_default=True, help="Of significance, of all pairs together.")
@click.option("--draws", default=10_000, show_default=True, type=click.IntRange(min=1), help="Shuffles of each test.")
@click.option("--by-label", is_flag=True, help="Also a row for each label.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the tests and intervals.")
@as_json
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
    **given: Any,
) -> None:
    """Which of several systems is better on the same labelled documents, and whether that is more than chance.

    A SYSTEM is a model, or a file of answers that `predict` wrote, in any of its forms, known by content: JSON Lines, TSV,
    fastText lines (no ids: as many as documents, in their order) or a TREC run (scores alone: a label is taken as given where it
    is the document's best, with several labels where its probability is above 0.5). PATH has the right labels. Each system has
    its value with an interval, each pair a randomisation test and a sign test over labels, corrected for the number of pairs.
    """
    from ...errors import InvalidSetting
    from ...evaluation import against_runner_up, sentence
    from ...measures.metrics import measure as measure_named
    from ...measures.significance import compare

    if len(systems) < 2:
        raise InvalidSetting("give two systems or more, and after them the labelled documents")
    if measure != "auto":
        measure_named(measure)
    source = opened(path, **given)
    corpus = held(path, source)
    answers = [
        by_model(system, corpus, jobs, as_json) if is_model(system) else by_predictions(system, corpus)
        for system in systems
    ]
    truth = truth_of(corpus, answers)
    named = measure_named(measure if measure != "auto" else "microF1" if truth.several else "accuracy")
    remarks = [one for own in answers for one in notes(own, truth, named.needs)]
    answers = [decided(own, truth, named.needs) for own in answers]
    found = compare(
        {name: truth.values(own, named.needs) for name, own in zip(names(systems), answers, strict=True)},
        truth.wanted(named.needs),
        measure=named.name,
        labels=truth.names if named.each is not None and (truth.several or named.needs != "decisions") else None,
        against=against,
        level=level,
        draws=draws,
        random_state=seed,
    )
    said = sentence(against_runner_up(found))
    if as_json:
        forms = {name: own.form for name, own in zip(names(systems), answers, strict=True)}
        told = {**found.as_dict(), "said": said, "forms": forms, "notes": remarks}
        print_json({**told, "rows": rows_told(source.tally)})
        return
    show(found, said, by_label)
    for remark in remarks:
        echo(printable(remark, 500))
    account(source.tally, given["rejects"])
    sign = 1 if named.higher_is_better else -1
    best = systems[max(range(len(systems)), key=lambda n: sign * found.systems[n].overall.value)]
    page = f"rubricate evaluate MODEL.rub {same_source(path, given)} --report page.html"
    next_command(f"rubricate inspect {shlex.quote(str(best))}" if is_model(best) else page)


def show(found: Any, said: str, by_label: bool) -> None:
    """Systems, pairs, and labels if asked for."""
    echo(f"{found.documents:,} documents")
    table(found.table()[1:], found.table()[0], right=(2, 3))
    if any(one.beats for one in found.systems):
        echo(f"ᵃ: significantly better than a (level {found.level:g}, all pairs together)")
    echo()
    table(found.wins_table()[1:], found.wins_table()[0], right=(3,))
    if any(pair.sign is not None for pair in found.pairs):
        echo("wins: on how many labels each is better; ? that may be chance")
    echo()
    if by_label:
        part = found.label_table()
        table(part[1:], part[0])
        echo()
    echo(printable(said, 300))


def names(systems: tuple[Path, ...]) -> list[str]:
    """What the systems are called: the names of the files, with their folders where these are the same."""
    from ...errors import InvalidSetting

    short = [system.stem for system in systems]
    out = [stem if short.count(stem) == 1 else str(system) for stem, system in zip(short, systems, strict=True)]
    twice = next((name for name in out if out.count(name) > 1), None)
    if twice is not None:
        raise InvalidSetting(f"{twice} is given twice: a system is compared with others")
    return out
