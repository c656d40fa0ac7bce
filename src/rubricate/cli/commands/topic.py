"""rubricate topic new | judge | rank | evaluate | list | show | background"""

from __future__ import annotations

import shlex
from copy import copy
from pathlib import Path
from typing import Any

import click

from ..options import (
    FILE,
    FROM_1,
    RenamedOption,
    jobs_option,
    json_option,
    reading_options,
    require_output_file,
    setting,
    top_option,
)
from ..output import echo, next_command, print_json, printable, report_rows, table
from ..topic_options import Pile, threshold_text, topics_flag, topics_option, without_documents
from .count import load_or_count
from .topic_evaluate import evaluate
from .topic_judge import judge


@click.group("topic")
def command() -> None:
    """Follow topics through documents: say what you look for, judge a few documents, and the rest comes ranked.

    State is a folder of small files (--topics). Each command takes --json.
    """


command.add_command(evaluate)
command.add_command(judge)


@command.command("new")
@click.argument("name")
@click.argument("text")
@topics_option
@setting(
    "--expand",
    default=50,
    type=click.IntRange(0, 10**9),
    help="Terms of relevant documents added to the query, at most.",
)
@setting("--learner", default="rocchio", help="rocchio, widrow-hoff or eg; the last two start from Rocchio's weights.")
@setting("--draws", default=10_000, type=click.IntRange(1, 10**9), help="Judged documents drawn by widrow-hoff and eg.")
@setting("--goal", default="f1", help="What the threshold is to achieve: f1, recall=0.9 or precision=0.9.")
@click.option(
    "--recipe",
    "-r",
    default="",
    help="How text becomes terms, for all topics of the folder; stop=english if it is new. See rubricate count.",
)
@json_option
def new(name: str, text: str, folder: Path, recipe: str, as_json: bool, **query_settings: Any) -> None:
    """A new topic NAME: TEXT says in a sentence what you look for."""
    from ...relevance.routing import Settings, Topics
    from ...relevance.routing.query import terms_of
    from ...relevance.routing.store import DEFAULT_RECIPE
    from ...terms.recipe import Recipe

    settings = Settings(**query_settings)
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
def list_topics(folder: Path, as_json: bool) -> None:
    """All topics: their texts, how many documents were judged, their thresholds."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    rows: list[dict[str, Any]] = []
    for topic in map(topics.topic, topics.names):
        verdicts = list(topic.judged().values())
        numbers = {"relevant": sum(verdicts), "others": verdicts.count(False)}
        threshold = topics.query(topic).as_dict()["cut"] if topics.has_collection else None
        rows.append({"topic": topic.name, "text": topic.text, **numbers, "cut": threshold})
    if as_json:
        print_json({"folder": str(folder), "recipe": topics.recipe.to_dict(), "topics": rows})
        return
    cells = [(row["topic"], row["relevant"], row["others"], threshold_text(row["cut"]), row["text"]) for row in rows]
    table(cells, ["topic", "relevant", "not", "threshold", "text"], right=[1, 2])
    make = 'rubricate topic new NAME "what you look for"'
    next_command(f"rubricate route STREAM{topics_flag(folder)}" if rows else make)


@command.command("show")
@click.argument("name")
@topics_option
@setting("--top", default=20, type=FROM_1, help="Terms shown.")
@json_option
def show_topic(name: str, folder: Path, top: int, as_json: bool) -> None:
    """One topic: its text, settings, terms with their weights, threshold, and the history of its judgements."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    topic = topics.topic(name)
    query = topics.query(topic) if topics.has_collection else None
    history = topic.history()
    if as_json:
        judgements = [
            {"document": row.document, "relevant": row.relevant, "when": row.when, "text_kept": row.text is not None}
            for row in history
        ]
        record = {"topic": name, "text": topic.text, "made": topic.made, "settings": topic.settings.as_dict()}
        weights = None if query is None else query.as_dict() | {"terms": dict(query.best_first)}
        print_json({**record, "history": judgements, "query": weights})
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


@command.command("rank")
@click.argument("name")
@reading_options
@topics_option
@top_option(default=20, help="Documents shown; 0 for all.")
@click.option("--unjudged", is_flag=True, help="Leave out documents that were judged.")
@click.option(
    "--run-out", "--run", "run_out", cls=RenamedOption, type=FILE, help="Write the whole ranking as a TREC run."
)
@jobs_option
@json_option
def rank(
    name: str,
    path: str,
    folder: Path,
    top: int,
    unjudged: bool,
    run_out: Path | None,
    jobs: int | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """The documents of PATH, the likeliest for a topic first."""
    from ...relevance.routing import Topics, write_run

    require_output_file(run_out)
    topics = Topics.open(folder)
    topic = topics.topic(name)
    pile = Pile.open(path, read_options, run_out)
    queries, runs, _ = pile.rank(topics, [name], jobs=jobs, quiet=as_json)
    judgements = topic.judged()
    run = without_documents(runs[name], judgements) if unjudged else runs[name]
    pile.remember(topics)
    if run_out is not None:
        write_run(run_out, {name: run})
    threshold = queries[name].cut
    rows: list[dict[str, Any]] = [
        {
            "rank": place,
            "id": run.documents[row],
            "score": float(run.scores[row]),
            "passes": None if threshold is None else bool(run.scores[row] > threshold.at),
            "judged": judgements.get(run.documents[row]),
        }
        for place, row in enumerate(run.ranked()[: top or None], 1)
    ]
    tally = pile.source.tally
    if as_json:
        print_json({"topic": name, "documents": len(run.documents), "ranking": rows}, tally=tally)
        return
    verdicts = {True: "yes", False: "no", None: ""}
    cells = [
        (row["rank"], row["id"], f"{row['score']:.4f}", verdicts[row["passes"]], verdicts[row["judged"]])
        for row in rows
    ]
    table(cells, ["rank", "document", "score", "passes", "judged"], right=[0, 2])
    report_rows(tally, read_options["rejects"], labels_expected=False)
    first = next((row["id"] for row in rows if row["judged"] is None), None)
    judge_first = f"judge {name} {shlex.quote(first)} yes" if first is not None and path != "-" else f"show {name}"
    next_command(f"rubricate topic {judge_first}{topics_flag(folder)}")


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
    from ...relevance.routing import Topics

    topics = Topics.make(folder)
    counts, tally = load_or_count(path, topics.recipe, jobs, read_options, quiet=as_json)
    collection = topics.keep_collection(counts)
    documents, terms = collection.n_documents, len(collection.terms)
    if as_json:
        summary = {"documents": documents, "terms": terms, "average_length": collection.average_length}
        print_json(summary, tally=tally)
        return
    echo(f"{folder}: weights are reckoned with {documents:,} documents, {terms:,} terms")
    report_rows(tally, read_options["rejects"])
    next_command(f"rubricate topic list{topics_flag(folder)}")


earlier_name = copy(background)
earlier_name.name, earlier_name.hidden = "collection", True
command.add_command(earlier_name)
