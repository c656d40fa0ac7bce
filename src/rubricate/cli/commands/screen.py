"""rubricate screen PILE --topic NAME"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import (
    FROM_1,
    SHARE,
    by_option,
    jobs_option,
    json_option,
    reading_options,
    recall_options,
    seed_option,
    setting,
)
from ..output import echo, next_command, plural, print_json, printable, report_rows, say, table
from ..topic_options import DocumentTerms, Pile, find_documents, topics_flag, topics_option

if TYPE_CHECKING:
    from ...relevance.screening.session import Screening


@click.command("screen")
@reading_options
@click.option("--topic", "name", required=True, metavar="NAME", help="The topic to screen for.")
@topics_option
@setting("--next", "-n", "n", default=10, type=FROM_1, help="Documents proposed.")
@by_option
@click.option(
    "--random",
    "share",
    type=SHARE,
    metavar="SHARE",
    help="Share drawn at random. Not given: none while ranking finds, then all, which costs least.",
)
@recall_options
@click.option("--judge", "ask", is_flag=True, help="Show each document and ask: yes, no, or quit.")
@click.option("--keep-text", is_flag=True, help="With --judge: keep the documents' text too, not only their terms.")
@seed_option(help="Of the draws.")
@jobs_option
@json_option
def command(
    path: str,
    name: str,
    folder: Path,
    n: int,
    by: str,
    share: float | None,
    recall: float,
    confidence: float,
    ask: bool,
    keep_text: bool,
    seed: int,
    jobs: int | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """Find nearly all relevant documents of a pile: proposes the next ones to judge, tells how many are probably left, and when
    it seems safe to stop.

    Proposals that are not judged yet are shown again before new ones are made. Judge with --judge, or with `rubricate topic
    judge`, which also takes files.
    """
    from ...errors import InvalidSetting
    from ...foundation.jsonable import jsonable
    from ...relevance.routing import Topics
    from ...relevance.screening.session import Screening

    if ask and as_json:
        raise InvalidSetting("--judge asks a person, --json answers a program: choose one")
    topics = Topics.open(folder)
    topic = topics.topic(name)
    pile = Pile.open(path, read_options)
    pile.buffer()
    queries, runs, _ = pile.rank(topics, [name], jobs=jobs, quiet=as_json)
    run, threshold = runs[name], queries[name].cut
    if not run.documents:
        raise InvalidSetting(f"{path}: there is no document to screen")
    pile.remember(topics)
    screening = Screening(topic, run.documents)
    goal = {"target": recall, "level": confidence}
    settings = {
        "n": n,
        "by": by,
        "cut": None if threshold is None else threshold.at,
        "random": share,
        "seed": seed,
        **goal,
    }
    proposed = screening.pending_or_new(run.scores, waiting=say, **settings)
    by_id = find_documents(topics, pile.corpus, proposed)
    documents = {document: by_id[document] for document in proposed}
    scores = dict(zip(run.documents, run.scores.tolist(), strict=True))
    if ask:
        ask_person(screening, documents, scores, keep_text=keep_text)
    remaining, advice, prices = (
        screening.remaining(level=confidence),
        screening.advice(**goal),
        screening.prices(**goal),
    )
    summary: dict[str, Any] = {
        "topic": name,
        "documents": len(run.documents),
        "judged": screening.n_judged,
        "found": screening.found,
        "left": {
            **asdict(remaining),
            "best": remaining.best if remaining.draws else None,
            "recall": remaining.recall if remaining.draws else None,
            "recall_low": remaining.recall_low,
            "recall_high": remaining.recall_high,
        },
        "draws_waiting": screening.waiting,
        "stop": jsonable(advice),
        "prices": [jsonable(price) | {"sentence": price.sentence} for price in prices],
        "next": [
            {"id": document, "score": scores[document], "why": screening.why(document)}
            for document in proposed
            if document not in screening.judged
        ],
    }
    if as_json:
        print_json(summary, tally=pile.source.tally)
        return
    show(summary, screening, [*(f"by the {rule.by}: {rule.sentence}" for rule in advice)], documents)
    report_rows(pile.source.tally, read_options["rejects"], labels_expected=False)
    again = f"rubricate screen {pile.arguments()} --topic {name}{topics_flag(folder)}"
    if summary["next"] and not ask:
        first = shlex.quote(summary["next"][0]["id"])
        next_command(f"rubricate topic judge {name} {first} yes{topics_flag(folder)}, or {again} --judge")
    else:
        next_command(again)


def ask_person(
    screening: Screening, documents: dict[str, DocumentTerms], scores: dict[str, float], *, keep_text: bool
) -> None:
    """Show documents and ask whether each is relevant; each judgement is stored at once."""
    from ...relevance.routing import JudgedDocument

    for place, (name, document) in enumerate(documents.items(), 1):
        echo(f"\n[{place} of {len(documents)}] {printable(name, 100)}  score {scores[name]:.4f}")
        echo(printable(document.text, 2000))
        answer = click.prompt("relevant?", type=click.Choice(["yes", "no", "quit"]), default="quit", show_default=False)
        if answer == "quit":
            return
        text = document.text if keep_text else None
        screening.judge(JudgedDocument(name, answer == "yes", document.terms, text=text))


def show(summary: dict[str, Any], screening: Screening, advice: list[str], documents: dict[str, DocumentTerms]) -> None:
    rows = [(row["id"], f"{row['score']:.4f}", row["why"], documents[row["id"]].text) for row in summary["next"]]
    if rows:
        table(rows, ["document", "score", "why", "begins"], right=[1])
        echo()
        drawn = sum(row["why"] == "drawn at random" for row in summary["next"])
        if drawn == len(rows):
            echo(f"drawn at random, for ranking found none in its last {screening.state().dry_run:,}\n")
    in_all = plural(summary["documents"], "document")
    echo(f"judged {summary['judged']:,} of {in_all}; found {summary['found']:,} relevant")
    for sentence in advice:
        echo(sentence)
    if not summary["stop"][0]["stop"]:
        echo(f"to be {100 * summary['left']['level']:g} % sure of a recall of")
        for price in summary["prices"]:
            echo(f"  {price['sentence']}")
    if summary["draws_waiting"]:
        draws = plural(summary["draws_waiting"], "document")
        say(f"{draws} drawn at random not judged yet: counted as relevant until then")
