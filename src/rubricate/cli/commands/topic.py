"""rubricate topic new | judge | rank | evaluate | list | show | collection"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..options import READING, as_json, jobs, opened, reading
from ..output import account, echo, next_command, print_json, printable, progress, rows_told, table
from ..topic_options import cut_told, of_query, topics_folder, typed
from .topic_evaluate import evaluate
from .topic_judge import judge
from .topic_rank import rank


@click.group("topic")
def command() -> None:
    """Follow topics through documents: say what you look for, judge a few documents, and the rest comes ranked.

    State is a folder of small files (--topics). Each command takes --json.
    """


for own in (evaluate, judge, rank):
    command.add_command(own)


@command.command("new")
@click.argument("name")
@click.argument("text")
@topics_folder
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
    "--goal", default="f1", show_default=True, help="What the cut is to achieve: f1, recall=0.9 or precision=0.9."
)
@click.option(
    "--recipe",
    "-r",
    default="",
    help="How text becomes terms, for all topics of the folder; stop=english if it is new. See rubricate count.",
)
@as_json
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
    wanted = Recipe.parse(recipe) if recipe else None
    if not (folder / "topics.json").is_file():
        terms_of(text, wanted or DEFAULT_RECIPE)  # a text that says nothing leaves no folder behind
    topics = Topics.make(folder, recipe=wanted)
    own = topics.new(name, text, settings)
    terms = sorted(terms_of(text, topics.recipe))
    if as_json:
        print_json({"topic": name, "folder": str(own.folder), "terms": terms, "settings": settings.as_dict()})
        return
    echo(f"{name}: looks for {', '.join(printable(term) for term in terms)}")
    next_command(f"rubricate topic rank {name} PILE{typed(folder)}")


@command.command("list")
@topics_folder
@as_json
def show_all(folder: Path, as_json: bool) -> None:
    """All topics: their texts, how many documents were judged, their cuts."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    rows: list[dict[str, Any]] = []
    for name in topics.names:
        own = topics.topic(name)
        verdicts = list(own.judged().values())
        query = topics.query(own) if topics.has_collection else None
        cut = None if query is None else query.as_dict()["cut"]
        relevant = sum(verdicts)
        rows.append(
            {"topic": name, "text": own.text, "relevant": relevant, "others": len(verdicts) - relevant, "cut": cut}
        )
    if as_json:
        print_json({"folder": str(folder), "recipe": topics.recipe.to_dict(), "topics": rows})
        return
    table(
        [(row["topic"], row["relevant"], row["others"], cut_told(row["cut"]), row["text"]) for row in rows],
        ["topic", "relevant", "not", "cut", "text"],
        right=[1, 2],
    )
    next_command(f"rubricate route STREAM{typed(folder)}" if rows else 'rubricate topic new NAME "what you look for"')


@command.command("show")
@click.argument("name")
@topics_folder
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=1), help="Terms shown.")
@as_json
def show_one(name: str, folder: Path, top: int, as_json: bool) -> None:
    """One topic: its text, settings, terms with their weights, cut, and the history of its judgements."""
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    own = topics.topic(name)
    history = [
        {"document": one.document, "relevant": one.relevant, "when": one.when, "text_kept": one.text is not None}
        for one in own.history()
    ]
    query = topics.query(own) if topics.has_collection else None
    told: dict[str, Any] = {
        "topic": name,
        "text": own.text,
        "made": own.made,
        "settings": own.settings.as_dict(),
        "history": history,
    }
    told["query"] = None if query is None else of_query(query)
    if as_json:
        print_json(told)
        return
    echo(f"{name}: {printable(own.text, 200)}")
    if query is None:
        echo("no collection yet: weights are made when documents are first ranked or judged")
    else:
        echo(f"judged: {query.n_relevant:,} relevant, {query.n_others:,} not; {len(history):,} judgements in all")
        echo(f"cut: {cut_told(query.as_dict()['cut'])}")
        if query.cut is not None and query.cut.why:
            echo(f"  {query.cut.why}")
        table([(term, f"{weight:.4f}") for term, weight in query.best_first[:top]], ["term", "weight"], right=[1])
    next_command(f"rubricate screen PILE --topic {name}{typed(folder)}")


@command.command("collection")
@reading
@topics_folder
@jobs
@as_json
def collection(path: str, folder: Path, jobs: int | None, as_json: bool, **given: Any) -> None:
    """The documents that weights are reckoned with: PATH, or a file that `rubricate count` wrote with the topics' recipe.

    Without it the first pile that is ranked, judged from or screened becomes the collection.
    """
    from ...counts import Counts
    from ...counts.one_pass import count
    from ...relevance.routing import Topics

    topics = Topics.make(folder)
    tally = None
    if is_counts(path):
        counts = Counts.load(path)
    else:
        corpus = opened(path, **{name: given[name] for name in READING})
        with progress("counting", quiet=as_json) as show:
            counts = count(corpus, topics.recipe, jobs=jobs, progress=show)
        tally = corpus.tally
    own = topics.keep_collection(counts)
    told: dict[str, Any] = {
        "documents": own.n_documents,
        "terms": len(own.terms),
        "average_length": own.average_length,
    }
    if as_json:
        print_json(told | ({} if tally is None else {"rows": rows_told(tally)}))
        return
    echo(f"{folder}: weights are reckoned with {own.n_documents:,} documents, {len(own.terms):,} terms")
    if tally is not None:
        account(tally, given["rejects"])
    next_command(f"rubricate topic list{typed(folder)}")


def is_counts(path: str) -> bool:
    """Whether this is a file of statistics."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as start:
        return start.read(17) == b"rubricate counts "
