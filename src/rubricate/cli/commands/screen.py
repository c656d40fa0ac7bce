"""rubricate screen PILE --topic NAME"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import at_least, at_most
from ..options import (
    by_option,
    jobs_option,
    json_option,
    open_corpus,
    reading_options,
    recall_options,
    source_arguments,
)
from ..output import echo, next_command, plural, print_json, printable, report_rows, row_counts, say, table
from ..topic_options import FoundDocument, find_documents, pile_record, topics_flag, topics_option, with_background
from .topic_rank import rank_corpus

if TYPE_CHECKING:
    from ...relevance.screening import Advice, Left
    from ...relevance.screening.session import Screening

WIDTH = 60


@click.command("screen")
@reading_options
@click.option("--topic", "name", required=True, metavar="NAME", help="The topic to screen for.")
@topics_option
@click.option(
    "--next", "-n", "n", default=10, show_default=True, type=click.IntRange(min=1), help="Documents proposed."
)
@by_option
@click.option(
    "--random",
    "share",
    default=0.1,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Share drawn at random, for the estimate; 1 to check what is left before stopping.",
)
@recall_options
@click.option("--judge", "ask", is_flag=True, help="Show each document and ask: yes, no, or quit.")
@click.option("--keep-text", is_flag=True, help="With --judge: keep the documents' text too, not only their terms.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the draws.")
@jobs_option
@json_option
def command(
    path: str,
    name: str,
    folder: Path,
    n: int,
    by: str,
    share: float,
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
    from ...relevance.routing import Topics
    from ...relevance.screening.session import Screening

    if ask and as_json:
        raise InvalidSetting("--judge asks a person, --json answers a program: choose one")
    topics = Topics.open(folder)
    topic = topics.topic(name)
    source = open_corpus(path, **read_options)
    corpus = with_background(topics, path, source, jobs=jobs, quiet=as_json, read_options=read_options)
    corpus = corpus.in_memory() if path == "-" and corpus is source else corpus
    query = topics.query(topic)
    run = rank_corpus(topics, {name: query}, corpus, jobs=jobs, quiet=as_json)[0][name]
    if not run.documents:
        raise InvalidSetting(f"{path}: there is no document to screen")
    if path != "-":
        topics.remember_pile(pile_record(path, read_options))
    screening = Screening(topic, run.documents)
    threshold = None if query.cut is None else query.cut.at
    proposed = screening.pending_or_new(run.scores, waiting=say, n=n, by=by, cut=threshold, random=share, seed=seed)
    by_id = find_documents(topics, corpus, proposed)
    documents = {document: by_id[document] for document in proposed}
    scores = dict(zip(run.documents, run.scores.tolist(), strict=True))
    if ask:
        ask_person(screening, documents, scores, keep_text=keep_text)
    remaining, advice = screening.left(level=confidence), screening.advice(target=recall, level=confidence)
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
        "stop": [advice_record(rule_advice) for rule_advice in advice],
        "next": [
            {"id": document, "score": scores[document], "why": screening.why(document)}
            for document in proposed
            if document not in screening.judged
        ],
        "rows": row_counts(source.tally),
    }
    if as_json:
        print_json(summary)
        return
    show(summary, remaining, advice, documents)
    report_rows(source.tally, read_options["rejects"], labels_expected=False)
    again = f"rubricate screen {source_arguments(path, read_options)} --topic {name}{topics_flag(folder)}"
    if summary["next"] and not ask:
        first = shlex.quote(summary["next"][0]["id"])
        next_command(f"rubricate topic judge {name} {first} yes{topics_flag(folder)}, or {again} --judge")
    else:
        next_command(again)


def advice_record(advice: Advice) -> dict[str, Any]:
    """An advice for programs; nan is null."""
    return asdict(advice) | {"confidence": None if advice.confidence != advice.confidence else advice.confidence}


def ask_person(
    screening: Screening, documents: dict[str, FoundDocument], scores: dict[str, float], *, keep_text: bool
) -> None:
    """Show documents and ask whether each is relevant; each judgement is stored at once."""
    from ...relevance.routing import Judged

    for place, (name, document) in enumerate(documents.items(), 1):
        echo(f"\n[{place} of {len(documents)}] {printable(name, 100)}  score {scores[name]:.4f}")
        echo(printable(document.text, 2000))
        answer = click.prompt("relevant?", type=click.Choice(["yes", "no", "quit"]), default="quit", show_default=False)
        if answer == "quit":
            return
        screening.judge(Judged(name, answer == "yes", document.terms, text=document.text if keep_text else None))


def show(summary: dict[str, Any], remaining: Left, advice: list[Advice], documents: dict[str, FoundDocument]) -> None:
    """The next documents to judge, what is probably left, and whether to stop."""
    rows = [
        (row["id"], f"{row['score']:.4f}", row["why"], printable(documents[row["id"]].text, WIDTH))
        for row in summary["next"]
    ]
    if rows:
        table(rows, ["document", "score", "why", "begins"], right=[1])
        echo()
    echo(
        f"judged {summary['judged']:,} of {plural(summary['documents'], 'document')}; found {summary['found']:,} relevant"
    )
    echo(
        f"left: {remaining.best:,} perhaps, {remaining.low:,} to {remaining.high:,} "
        f"({100 * remaining.level:g} % sure at every look, by "
        f"{plural(remaining.draws, 'random draw')}); recall {at_least(remaining.recall_low, 2):.2f} to "
        f"{at_most(remaining.recall_high, 2):.2f}"
        if remaining.draws
        else "left: not known yet, no document drawn at random has been judged"
    )
    for rule_advice in advice:
        echo(f"by the {rule_advice.by}: {rule_advice.sentence}")
    if summary["draws_waiting"]:
        say(
            f"{plural(summary['draws_waiting'], 'random draw')} cannot be used until all that was proposed before is judged"
        )
