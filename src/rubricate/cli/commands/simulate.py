"""rubricate simulate PATH --label LABEL"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import per_cent
from .. import options
from ..options import FROM_0, FROM_1, SHARE, setting
from ..output import echo, next_command, number, plural, print_json, printable, progress, report_rows, say, table

if TYPE_CHECKING:
    from ...counts.document_table import Table
    from ...relevance.screening.replays import Comparison, StoppingPoint, TopicReplays


@click.command("simulate")
@options.reading_options
@options.counting_options
@click.option(
    "--label", "labels_to_screen", multiple=True, metavar="LABEL", help="A label to screen for; several if given again."
)
@click.option("--every-label", is_flag=True, help="All labels with at least --least documents.")
@setting("--least", default=20, type=FROM_1, help="With --every-label.")
@click.option(
    "--says",
    multiple=True,
    metavar="LABEL=TEXT",
    help="What the topic of a label says; OHSUMED's have their names, others the label itself.",
)
@setting("--seeds", default=5, type=FROM_1, help="Repetitions: seeds 0, 1, …")
@options.by_option
@setting("--batch", default=25, type=FROM_1, help="Documents judged between two updates.")
@setting("--growth", default=0.1, type=click.FloatRange(min=0), help="… or this share of those judged, if more.")
@click.option(
    "--random",
    type=SHARE,
    metavar="SHARE",
    help="Share drawn at random. Not given: none while ranking finds, then all, which costs least.",
)
@click.option(
    "--random-then",
    type=SHARE,
    metavar="SHARE",
    help="… once the ranking says stop: 1 checks what is left by random draws alone.",
)
@options.recall_options
@setting("--expand", default=50, type=FROM_0, help="Terms added to the query, at most.")
@setting("--learner", default="rocchio", help="rocchio, widrow-hoff or eg.")
@options.json_option
def command(
    path: str,
    recipe: str,
    jobs: int | None,
    labels_to_screen: tuple[str, ...],
    every_label: bool,
    least: int,
    says: tuple[str, ...],
    expand: int,
    learner: str,
    as_json: bool,
    **arguments: Any,  # of reading, and settings of `replay_topic`
) -> None:
    """Replay screening on labelled documents: how much work would have been saved, and would the advice to stop have been right?

    Compared with one ranking that never learns again (one-shot Rocchio) and with random order, by one-sided tests over topics, or
    over seeds where there are fewer than six topics.
    """
    from ...counts.one_pass import tabulate
    from ...foundation.jsonable import jsonable
    from ...relevance.routing import Settings
    from ...relevance.routing.store import DEFAULT_RECIPE
    from ...relevance.screening.replays import compare_with_baselines, piles, replay_topic

    settings = Settings(expand=expand, learner=learner)
    read_options = {name: arguments.pop(name) for name in options.READ_OPTIONS}
    recall, confidence = arguments["recall"], arguments.pop("confidence")
    corpus = options.open_corpus(path, **read_options)
    with progress("counting", quiet=as_json) as show:
        parsed = options.parse_recipe(recipe) if recipe else DEFAULT_RECIPE
        documents = tabulate(corpus, parsed, jobs=jobs, progress=show)
    texts = topic_texts(documents, labels_to_screen, every_label, least, says)
    replays: list[TopicReplays] = []
    for label, pile in piles(documents, texts):
        replay = replay_topic(label, pile, settings, level=confidence, **arguments)
        replays.append(replay)
        if not as_json:
            work = f"{replay.relevant:,} relevant, {number(mean(replay.feedback))} of the work saved"
            say(f"  {printable(label)}: {work} ({len(replays)} of {len(texts)})")
    tests = compare_with_baselines(replays)
    if as_json:
        settings_record = {"recall": recall, "level": confidence, "seeds": arguments["seeds"]}
        results = {"topics": [asdict(replay) for replay in replays], "tests": jsonable(tests)}
        print_json({**settings_record, **results}, tally=corpus.tally)
        return
    show_replays(replays, tests, recall=recall, confidence=confidence)
    report_rows(corpus.tally, read_options["rejects"])
    next_command(f"rubricate screen {options.source_arguments(path, read_options)} --topic NAME")


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def topic_texts(
    documents: Table, labels_to_screen: tuple[str, ...], every_label: bool, least: int, says: tuple[str, ...]
) -> dict[str, str]:
    import numpy as np

    from ...corpus.collections import LABEL_NAMES
    from ...errors import InvalidSetting, UnknownName

    texts_by_label = {}
    for label_text in says:
        label, equals, text = label_text.partition("=")
        if not equals or not text.strip():
            raise InvalidSetting(f"--says {label_text}: write LABEL=TEXT")
        texts_by_label[label] = text
    counts = np.bincount(documents.label_values, minlength=len(documents.label_names)).tolist()
    sizes = dict(zip(documents.label_names, counts, strict=True))
    if every_label == bool(labels_to_screen):
        raise InvalidSetting("name labels with --label, or say --every-label")
    labels = list(labels_to_screen) or sorted(label for label, n in sizes.items() if n >= least)
    for label in (*labels, *texts_by_label):
        if label not in sizes:
            raise UnknownName("label", label, sizes)
    if not labels:
        raise InvalidSetting(f"no label has {least} documents: lower --least")
    texts = {label: texts_by_label.get(label) or LABEL_NAMES.get(label) or label.replace("-", " ") for label in labels}
    for label, text in texts.items():
        if not documents.recipe.terms(text):
            cure = f"say what it is about: --says {label}=TEXT"
            raise InvalidSetting(f"label {label!r}: {text!r} has no terms to look for; {cure}")
    return texts


def show_replays(replays: list[TopicReplays], tests: list[Comparison], *, recall: float, confidence: float) -> None:
    percent = f"{100 * recall:g}"
    rows = [
        (
            replay.topic,
            replay.relevant,
            round(mean(replay.needed)),
            number(mean(replay.feedback)),
            number(max(replay.feedback) - min(replay.feedback)),
            number(replay.one_shot),
            number(mean(replay.by_chance)),
        )
        for replay in replays
    ]
    header = ["topic", "relevant", f"judged for {percent} %", f"saved (WSS@{percent})", "range", "one-shot", "random"]
    table(rows, header, right=range(1, 7))
    echo(f"\n{plural(replays[0].documents, 'document')}, {plural(len(replays[0].feedback), 'seed')} each")
    for test in tests:
        values = f"feedback {number(test.feedback)} against {test.other} {number(test.simpler)}"
        wins = f"better for {test.wins}, worse for {test.losses} of {test.n} {test.pairs}"
        echo(f"{values}: {wins}; one-sided sign test p = {test.sign_p:.2g}, Wilcoxon p = {test.wilcoxon_p:.2g}")
    shares, always = ([run for replay in replays for run in getattr(replay, name)] for name in ("held", "held_always"))
    echo(
        f"what is left: the {100 * confidence:g} % interval held at {per_cent(mean(shares), 1)} % of all looks, "
        f"and at every look in {sum(always)} of {len(always)} runs"
    )
    echo(stop_sentence("random draws", [stop for replay in replays for stop in replay.by_sample], recall))
    echo(stop_sentence("the ranking", [stop for replay in replays for stop in replay.by_ranking], recall))


def stop_sentence(name: str, stops: list[StoppingPoint], recall: float) -> str:
    """Whether the advice to stop was right, and what it cost."""
    reached = sum(stop.recall >= recall for stop in stops)
    return (
        f"stopping by {name}: {100 * recall:g} % was reached in {reached} of {len(stops)} runs; mean recall "
        f"{mean([stop.recall for stop in stops]):.3f} after judging {per_cent(mean([stop.judged for stop in stops]))} % "
        "of the documents"
    )
