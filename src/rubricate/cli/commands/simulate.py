"""rubricate simulate PATH --label LABEL"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import per_cent
from ..options import (
    by_option,
    counting_options,
    json_option,
    open_corpus,
    parse_recipe,
    reading_options,
    recall_options,
    source_arguments,
)
from ..output import (
    echo,
    next_command,
    number,
    plural,
    print_json,
    printable,
    progress,
    report_rows,
    row_counts,
    say,
    table,
)

if TYPE_CHECKING:
    from ...counts.document_table import Table
    from ...relevance.screening.replays import Comparison, StoppingPoint, TopicReplays


@click.command("simulate")
@reading_options
@counting_options
@click.option(
    "--label", "chosen_labels", multiple=True, metavar="LABEL", help="A label to screen for; several if given again."
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
@by_option
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
@recall_options
@click.option(
    "--expand", default=50, show_default=True, type=click.IntRange(min=0), help="Terms added to the query, at most."
)
@click.option("--learner", default="rocchio", show_default=True, help="rocchio, widrow-hoff or eg.")
@json_option
def command(
    path: str,
    recipe: str,
    jobs: int | None,
    chosen_labels: tuple[str, ...],
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
    confidence: float,
    expand: int,
    learner: str,
    as_json: bool,
    **read_options: Any,
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
    corpus = open_corpus(path, **read_options)
    with progress("counting", quiet=as_json) as show:
        documents = tabulate(corpus, parse_recipe(recipe) if recipe else DEFAULT_RECIPE, jobs=jobs, progress=show)
    texts = topic_texts(documents, chosen_labels, every_label, least, says)
    replays: list[TopicReplays] = []
    for label, pile in piles(documents, texts):
        replays.append(
            replay_topic(
                label,
                pile,
                settings,
                seeds=seeds,
                recall=recall,
                level=confidence,
                batch=batch,
                by=by,
                growth=growth,
                random=share,
                random_then=then,
            )
        )
        if not as_json:
            replay = replays[-1]
            saved = number(sum(replay.feedback) / len(replay.feedback))
            say(
                f"  {printable(label)}: {replay.relevant:,} relevant, {saved} of the work saved ({len(replays)} of {len(texts)})"
            )
    tests = compare_with_baselines(replays)
    if as_json:
        summary = {
            "recall": recall,
            "level": confidence,
            "seeds": seeds,
            "topics": [asdict(replay) for replay in replays],
        }
        print_json(summary | {"tests": jsonable(tests), "rows": row_counts(corpus.tally)})
        return
    show_replays(replays, tests, recall=recall, confidence=confidence)
    report_rows(corpus.tally, read_options["rejects"])
    next_command(f"rubricate screen {source_arguments(path, read_options)} --topic NAME")


def topic_texts(
    documents: Table, chosen_labels: tuple[str, ...], every_label: bool, least: int, says: tuple[str, ...]
) -> dict[str, str]:
    """What the topic of each label says."""
    import numpy as np

    from ...corpus.collections import LABEL_NAMES
    from ...errors import InvalidSetting, UnknownName

    texts_by_label = {}
    for setting in says:
        label, equals, text = setting.partition("=")
        if not equals or not text.strip():
            raise InvalidSetting(f"--says {setting}: write LABEL=TEXT")
        texts_by_label[label] = text
    counts = np.bincount(documents.label_values, minlength=len(documents.label_names)).tolist()
    sizes = dict(zip(documents.label_names, counts, strict=True))
    if every_label == bool(chosen_labels):
        raise InvalidSetting("name labels with --label, or say --every-label")
    labels = list(chosen_labels) if chosen_labels else sorted(label for label, n in sizes.items() if n >= least)
    for label in (*labels, *texts_by_label):
        if label not in sizes:
            raise UnknownName("label", label, sizes)
    if not labels:
        raise InvalidSetting(f"no label has {least} documents: lower --least")
    texts = {label: texts_by_label.get(label) or LABEL_NAMES.get(label) or label.replace("-", " ") for label in labels}
    for label, text in texts.items():
        if not documents.recipe.terms(text):
            raise InvalidSetting(
                f"label {label!r}: {text!r} has no terms to look for; say what it is about: --says {label}=TEXT"
            )
    return texts


def show_replays(replays: list[TopicReplays], tests: list[Comparison], *, recall: float, confidence: float) -> None:
    """A row a topic, the tests, and whether the advice to stop was right."""
    percent = f"{100 * recall:g}"
    rows = [
        (
            replay.topic,
            replay.relevant,
            round(sum(replay.needed) / len(replay.needed)),
            number(sum(replay.feedback) / len(replay.feedback)),
            number(max(replay.feedback) - min(replay.feedback)),
            number(replay.one_shot),
            number(sum(replay.by_chance) / len(replay.by_chance)),
        )
        for replay in replays
    ]
    header = ["topic", "relevant", f"judged for {percent} %", f"saved (WSS@{percent})", "range", "one-shot", "random"]
    table(rows, header, right=range(1, 7))
    echo(f"\n{plural(replays[0].documents, 'document')}, {plural(len(replays[0].feedback), 'seed')} each")
    for test in tests:
        echo(
            f"feedback {number(test.feedback)} against {test.other} {number(test.simpler)}: better for {test.wins}, worse for "
            f"{test.losses} of {test.n} {test.pairs}; one-sided sign test p = {test.sign_p:.2g}, "
            f"Wilcoxon p = {test.wilcoxon_p:.2g}"
        )
    shares, always = ([run for replay in replays for run in getattr(replay, name)] for name in ("held", "held_always"))
    echo(
        f"what is left: the {100 * confidence:g} % interval held at {per_cent(sum(shares) / len(shares), 1)} % of all looks, "
        f"and at every look in {sum(always)} of {len(always)} runs"
    )
    echo(stop_sentence("random draws", [stop for replay in replays for stop in replay.by_sample], recall))
    echo(stop_sentence("the ranking", [stop for replay in replays for stop in replay.by_ranking], recall))


def stop_sentence(name: str, stops: list[StoppingPoint], recall: float) -> str:
    """Whether the advice to stop was right, and what it cost."""
    reached = sum(stop.recall >= recall for stop in stops)
    mean, judged = (sum(getattr(stop, part) for stop in stops) / len(stops) for part in ("recall", "judged"))
    return (
        f"stopping by {name}: {100 * recall:g} % was reached in {reached} of {len(stops)} runs; mean recall {mean:.3f} "
        f"after judging {per_cent(judged)} % of the documents"
    )
