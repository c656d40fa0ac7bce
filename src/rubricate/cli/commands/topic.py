"""rubricate topic new | judge | rank | evaluate | list | show | background"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import is_counts, jobs_option, json_option, open_corpus, reading_options
from ..output import echo, next_command, print_json, printable, progress, report_rows, row_counts, table
from ..topic_options import query_record, threshold_text, topics_flag, topics_option
from .topic_evaluate import evaluate
from .topic_judge import judge
from .topic_rank import rank


@click.group("topic")
def command() -> None:
    """Follow topics through documents: say what you look for, judge a few documents, and the rest comes ranked.

    State is a folder of small files (--topics). Each command takes --json.
    """


for subcommand in (evaluate, judge, rank):
    command.add_command(subcommand)


@command.command("new")
@click.argument("name")
@click.argument("text")
@topics_option
@click.option(
    "--expand",
    default=50,
    show_default=True,
    type=click.IntRange(0, 10**9),
    help="Terms of relevant documents added to the query, at most.",
)
@click.option(
    "--learner",
    default="rocchio",
    show_default=True,
    help="rocchio, widrow-hoff or eg; the last two start from Rocchio's weights.",
)
@click.option(
    "--draws",
    default=10_000,
    show_default=True,
    type=click.IntRange(1, 10**9),
    help="Judged documents drawn by widrow-hoff and eg.",
)
@click.option(
    "--goal", default="f1", show_default=True, help="What the threshold is to achieve: f1, recall=0.9 or precision=0.9."
)
@click.option(
    "--recipe",
    "-r",
    default="",
    help="How text becomes terms, for all topics of the folder; stop=english if it is new. See rubricate count.",
)
@json_option
def new(
    name: str,
    text: str,
    folder: Path,
    expand: int,
    learner: str,
    draws: int,
    goal: str,
    recipe: str,
    as_json: bool,
) -> None:
    """A new topic NAME: TEXT says in a sentence what you look for."""
    from ...relevance.routing import Settings, Topics
    from ...relevance.routing.query import terms_of
    from ...relevance.routing.store import DEFAULT_RECIPE
    from ...terms.recipe import Recipe

    settings = Settings(expand=expand, learner=learner, draws=draws, goal=goal)
    parsed = Recipe.parse(recipe) if recipe else None
    if not (folder / "topics.json").is_file():
        terms_of(text, parsed or DEFAULT_RECIPE)  # a text that says nothing leaves no folder behind
    topics = Topics.make(folder, recipe=parsed)
    topic = topics.new(name, text, settings)
    terms = sorted(terms_of(text, topics.recipe))
    if as_json:
        print_json({"topic": name, "folder": str(topic.folder), "terms": terms, "settings": settings.as_dict()})
        return
    echo(f"{name}: looks for {', '.join(printable(term) for term in terms)}")
    next_command(f"rubricate topic rank {name} PILE{topics_flag(folder)}")


@command.command("list")
@topics_option
@json_option
def show_all(folder: Path, as_json: bool) -> None:
    """All topics: their texts, how many documents were judged, their thresholds."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    rows: list[dict[str, Any]] = []
    for name in topics.names:
        topic = topics.topic(name)
        verdicts = list(topic.judged().values())
        query = topics.query(topic) if topics.has_collection else None
        threshold = None if query is None else query.as_dict()["cut"]
        judged = {"relevant": sum(verdicts), "others": verdicts.count(False)}
        rows.append({"topic": name, "text": topic.text, **judged, "cut": threshold})
    if as_json:
        print_json({"folder": str(folder), "recipe": topics.recipe.to_dict(), "topics": rows})
        return
    table(
        [(row["topic"], row["relevant"], row["others"], threshold_text(row["cut"]), row["text"]) for row in rows],
        ["topic", "relevant", "not", "threshold", "text"],
        right=[1, 2],
    )
    next_command(
        f"rubricate route STREAM{topics_flag(folder)}" if rows else 'rubricate topic new NAME "what you look for"'
    )


@command.command("show")
@click.argument("name")
@topics_option
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=1), help="Terms shown.")
@json_option
def show_one(name: str, folder: Path, top: int, as_json: bool) -> None:
    """One topic: its text, settings, terms with their weights, threshold, and the history of its judgements."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    topic = topics.topic(name)
    history = [
        {
            "document": judgement.document,
            "relevant": judgement.relevant,
            "when": judgement.when,
            "text_kept": judgement.text is not None,
        }
        for judgement in topic.history()
    ]
    query = topics.query(topic) if topics.has_collection else None
    record: dict[str, Any] = {
        "topic": name,
        "text": topic.text,
        "made": topic.made,
        "settings": topic.settings.as_dict(),
        "history": history,
        "query": None if query is None else query_record(query),
    }
    if as_json:
        print_json(record)
        return
    echo(f"{name}: {printable(topic.text, 200)}")
    if query is None:
        echo("no background collection yet: weights are made when documents are first ranked or judged")
    else:
        echo(f"judged: {query.n_relevant:,} relevant, {query.n_others:,} not; {len(history):,} judgements in all")
        echo(f"threshold: {threshold_text(query.as_dict()['cut'])}")
        if query.cut is not None and query.cut.why:
            echo(f"  {query.cut.why}")
        table([(term, f"{weight:.4f}") for term, weight in query.best_first[:top]], ["term", "weight"], right=[1])
    next_command(f"rubricate screen PILE --topic {name}{topics_flag(folder)}")


@command.command("background")
@reading_options
@topics_option
@jobs_option
@json_option
def background(path: str, folder: Path, jobs: int | None, as_json: bool, **read_options: Any) -> None:
    """The background collection, which weights are reckoned with: PATH, or a file that `rubricate count` wrote with the topics'
    recipe.

    Without it the first pile that is ranked, judged from or screened becomes the background collection.
    """
    from ...counts import Counts
    from ...counts.one_pass import count
    from ...relevance.routing import Topics

    topics = Topics.make(folder)
    tally = None
    if is_counts(path):
        counts = Counts.load(path)
    else:
        corpus = open_corpus(path, **read_options)
        with progress("counting", quiet=as_json) as show:
            counts = count(corpus, topics.recipe, jobs=jobs, progress=show)
        tally = corpus.tally
    stored = topics.keep_collection(counts)
    summary: dict[str, Any] = {
        "documents": stored.n_documents,
        "terms": len(stored.terms),
        "average_length": stored.average_length,
    }
    if as_json:
        print_json(summary | ({} if tally is None else {"rows": row_counts(tally)}))
        return
    echo(f"{folder}: weights are reckoned with {stored.n_documents:,} documents, {len(stored.terms):,} terms")
    if tally is not None:
        report_rows(tally, read_options["rejects"])
    next_command(f"rubricate topic list{topics_flag(folder)}")


# the name of before; the help does not list it
command.add_command(
    click.Command(
        "collection", params=background.params, callback=background.callback, help=background.help, hidden=True
    )
)
