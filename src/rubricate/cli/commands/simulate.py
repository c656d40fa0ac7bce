"""rubricate simulate PATH --label LABEL"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import per_cent
from ..options import as_json, chosen_recipe, counting, opened, reading, same_source
from ..output import (
    account,
    counted,
    echo,
    next_command,
    number,
    print_json,
    printable,
    progress,
    rows_told,
    say,
    table,
)

if TYPE_CHECKING:
    from ...counts.one_pass import Table
    from ...relevance.screening.replays import Repeated, Stopped, Versus


@click.command("simulate")
@reading
@counting
@click.option(
    "--label", "wanted", multiple=True, metavar="LABEL", help="A label to screen for; several if given again."
)
@click.option("--every-label", is_flag=True, help="All labels with at least --least documents.")
@click.option("--least", default=20, show_default=True, type=click.IntRange(min=1), help="With --every-label.")
@click.option(
    "--says",
    multiple=True,
    metavar="LABEL=TEXT",
    help="What the topic of a label says; OHSUMED's have their names, others the label itself.",
)
@click.option("--seeds", default=5, show_default=True, type=click.IntRange(min=1), help="Repetitions: seeds 0, 1, …")
@click.option("--by", default="relevance", show_default=True, type=click.Choice(["relevance", "uncertainty", "mixed"]))
@click.option(
    "--batch", default=25, show_default=True, type=click.IntRange(min=1), help="Documents judged between two updates."
)
@click.option(
    "--growth",
    default=0.1,
    show_default=True,
    type=click.FloatRange(min=0),
    help="… or this share of those judged, if more.",
)
@click.option(
    "--random", "share", default=0.1, show_default=True, type=click.FloatRange(0, 1), help="Share drawn at random."
)
@click.option(
    "--random-then",
    "then",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="… once the ranking says stop: 1 checks what is left by random draws alone.",
)
@click.option(
    "--recall", default=0.95, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Recall to reach."
)
@click.option(
    "--level", default=0.95, show_default=True, type=click.FloatRange(0.5, 0.999), help="How sure to be of it."
)
@click.option(
    "--expand", default=50, show_default=True, type=click.IntRange(min=0), help="Terms added to the query, at most."
)
@click.option("--learner", default="rocchio", show_default=True, help="rocchio, widrow-hoff or eg.")
@as_json
def command(
    path: str,
    recipe: str,
    jobs: int | None,
    wanted: tuple[str, ...],
    every_label: bool,
    least: int,
    says: tuple[str, ...],
    seeds: int,
    by: str,
    batch: int,
    growth: float,
    share: float,
    then: float | None,
    recall: float,
    level: float,
    expand: int,
    learner: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Replay screening on labelled documents: how much work would have been saved, and would the advice to stop have been right?

    Compared with one ranking that never learns again (one-shot Rocchio) and with random order, by one-sided tests over topics, or
    over seeds where there are fewer than six topics.
    """
    from ...counts.one_pass import tabulate
    from ...foundation.jsonable import jsonable
    from ...relevance.routing import Settings
    from ...relevance.routing.store import DEFAULT_RECIPE
    from ...relevance.screening.replays import compared, piles, repeated

    settings = Settings(expand=expand, learner=learner)
    corpus = opened(path, **given)
    with progress("counting", quiet=as_json) as show:
        held = tabulate(corpus, chosen_recipe(recipe) if recipe else DEFAULT_RECIPE, jobs=jobs, progress=show)
    texts = texts_asked(held, wanted, every_label, least, says)
    found: list[Repeated] = []
    for label, pile in piles(held, texts):
        found.append(
            repeated(
                label,
                pile,
                settings,
                seeds=seeds,
                recall=recall,
                level=level,
                batch=batch,
                by=by,
                growth=growth,
                random=share,
                random_then=then,
            )
        )
        if not as_json:
            one = found[-1]
            saved = number(sum(one.feedback) / len(one.feedback))
            say(
                f"  {printable(label)}: {one.relevant:,} relevant, {saved} of the work saved ({len(found)} of {len(texts)})"
            )
    tests = compared(found)
    if as_json:
        told = {"recall": recall, "level": level, "seeds": seeds, "topics": [asdict(one) for one in found]}
        print_json(told | {"tests": jsonable(tests), "rows": rows_told(corpus.tally)})
        return
    shown(found, tests, recall=recall, level=level)
    account(corpus.tally, given["rejects"])
    next_command(f"rubricate screen {same_source(path, given)} --topic NAME")


def texts_asked(
    held: Table, wanted: tuple[str, ...], every_label: bool, least: int, says: tuple[str, ...]
) -> dict[str, str]:
    """What the topic of each label says."""
    import numpy as np

    from ...corpus.collections import LABEL_NAMES
    from ...errors import InvalidSetting, UnknownName

    given = {}
    for one in says:
        label, equals, text = one.partition("=")
        if not equals or not text.strip():
            raise InvalidSetting(f"--says {one}: write LABEL=TEXT")
        given[label] = text
    sizes = dict(
        zip(held.label_names, np.bincount(held.label_values, minlength=len(held.label_names)).tolist(), strict=True)
    )
    if every_label == bool(wanted):
        raise InvalidSetting("name labels with --label, or say --every-label")
    labels = list(wanted) if wanted else sorted(label for label, n in sizes.items() if n >= least)
    for label in (*labels, *given):
        if label not in sizes:
            raise UnknownName("label", label, sizes)
    if not labels:
        raise InvalidSetting(f"no label has {least} documents: lower --least")
    texts = {label: given.get(label) or LABEL_NAMES.get(label) or label.replace("-", " ") for label in labels}
    for label, text in texts.items():
        if not held.recipe.terms(text):
            raise InvalidSetting(
                f"label {label!r}: {text!r} has no terms to look for; say what it is about: --says {label}=TEXT"
            )
    return texts


def shown(found: list[Repeated], tests: list[Versus], *, recall: float, level: float) -> None:
    """What a person sees."""
    at = f"{100 * recall:g}"
    rows = [
        (
            one.topic,
            one.relevant,
            round(sum(one.needed) / len(one.needed)),
            number(sum(one.feedback) / len(one.feedback)),
            number(max(one.feedback) - min(one.feedback)),
            number(one.one_shot),
            number(sum(one.by_chance) / len(one.by_chance)),
        )
        for one in found
    ]
    header = ["topic", "relevant", f"judged for {at} %", f"saved (WSS@{at})", "range", "one-shot", "random"]
    table(rows, header, right=range(1, 7))
    echo(f"\n{counted(found[0].documents, 'document')}, {counted(len(found[0].feedback), 'seed')} each")
    for one in tests:
        echo(
            f"feedback {number(one.feedback)} against {one.other} {number(one.simpler)}: better for {one.wins}, worse for "
            f"{one.losses} of {one.n} {one.pairs}; one-sided sign test p = {one.sign_p:.2g}, Wilcoxon p = {one.wilcoxon_p:.2g}"
        )
    runs = [own for one in found for own in one.held]
    always = [own for one in found for own in one.held_always]
    echo(
        f"what is left: the {100 * level:g} % interval held at {per_cent(sum(runs) / len(runs), 1)} % of all looks, "
        f"and at every look in {sum(always)} of {len(always)} runs"
    )
    for name, stops in (
        ("random draws", [own for one in found for own in one.by_sample]),
        ("the ranking", [own for one in found for own in one.by_ranking]),
    ):
        echo(stops_told(name, stops, recall))


def stops_told(name: str, stops: list[Stopped], recall: float) -> str:
    """Whether the advice to stop was right, and what it cost."""
    right = sum(own.recall >= recall for own in stops)
    mean, judged = (sum(getattr(own, part) for own in stops) / len(stops) for part in ("recall", "judged"))
    return (
        f"stopping by {name}: {100 * recall:g} % was reached in {right} of {len(stops)} runs; mean recall {mean:.3f} "
        f"after judging {per_cent(judged)} % of the documents"
    )
