"""rubricate screen PILE --topic NAME"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import at_least, at_most
from ..options import as_json, jobs, opened, reading, same_source
from ..output import account, counted, echo, next_command, print_json, printable, rows_told, say, table
from ..topic_options import looked_up, pile_of, topics_folder, typed, with_collection
from .topic_rank import ranked

if TYPE_CHECKING:
    from ...relevance.screening import Advice, RemainingEstimate
    from ...relevance.screening.session import Screening

WIDTH = 60


@click.command("screen")
@reading
@click.option("--topic", "name", required=True, metavar="NAME", help="The topic to screen for.")
@topics_folder
@click.option(
    "--next", "-n", "n", default=10, show_default=True, type=click.IntRange(min=1), help="Documents proposed."
)
@click.option(
    "--by",
    default="relevance",
    show_default=True,
    type=click.Choice(["relevance", "uncertainty", "mixed"]),
    help="The likeliest first; those nearest to the cut, which teach most; or both in turn.",
)
@click.option(
    "--random",
    "share",
    default=0.1,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Share drawn at random, for the estimate; 1 to check what is left before stopping.",
)
@click.option(
    "--target", default=0.95, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Recall to reach."
)
@click.option(
    "--level", default=0.95, show_default=True, type=click.FloatRange(0.5, 0.999), help="How sure to be of it."
)
@click.option("--judge", "ask", is_flag=True, help="Show each document and ask: yes, no, or quit.")
@click.option("--keep-text", is_flag=True, help="With --judge: keep the documents' text too, not only their terms.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the draws.")
@jobs
@as_json
def command(
    path: str,
    name: str,
    folder: Path,
    n: int,
    by: str,
    share: float,
    target: float,
    level: float,
    ask: bool,
    keep_text: bool,
    seed: int,
    jobs: int | None,
    as_json: bool,
    **given: Any,
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
    source = opened(path, **given)
    corpus = with_collection(topics, path, source, jobs=jobs, quiet=as_json, given=given)
    corpus = corpus.in_memory() if path == "-" and corpus is source else corpus
    query = topics.query(topic)
    run = ranked(topics, {name: query}, corpus, jobs=jobs, quiet=as_json)[0][name]
    if not run.documents:
        raise InvalidSetting(f"{path}: there is no document to screen")
    if path != "-":
        topics.remember_pile(pile_of(path, given))
    own = Screening(topic, run.documents)
    cut = None if query.cut is None else query.cut.at
    proposed = own.pending_or_new(run.scores, waiting=say, n=n, by=by, cut=cut, random=share, seed=seed)
    texts = {one: looked.text for one, looked in looked_up(topics, corpus, proposed).items()}
    scores = dict(zip(run.documents, run.scores.tolist(), strict=True))
    if ask:
        asked(own, proposed, scores, topics, corpus, keep_text=keep_text)
    left, advice = own.remaining(level=level), own.advice(target=target, level=level)
    told: dict[str, Any] = {
        "topic": name,
        "documents": len(run.documents),
        "judged": own.n_judged,
        "found": own.found,
        "left": {
            **asdict(left),
            "best": left.best if left.draws else None,
            "recall": left.recall if left.draws else None,
            "recall_low": left.recall_low,
            "recall_high": left.recall_high,
        },
        "draws_waiting": own.waiting,
        "stop": [advice_told(one) for one in advice],
        "next": [{"id": one, "score": scores[one], "why": own.why(one)} for one in proposed if one not in own.judged],
        "rows": rows_told(source.tally),
    }
    if as_json:
        print_json(told)
        return
    show(told, left, advice, texts)
    source.tally.repairs.pop("no label column found: documents have no labels", None)
    account(source.tally, given["rejects"])
    again = f"rubricate screen {same_source(path, given)} --topic {name}{typed(folder)}"
    if told["next"] and not ask:
        first = shlex.quote(told["next"][0]["id"])
        next_command(f"rubricate topic judge {name} {first} yes{typed(folder)}, or {again} --judge")
    else:
        next_command(again)


def advice_told(one: Advice) -> dict[str, Any]:
    """An advice for programs; nan is null."""
    told = asdict(one)
    return told | {"confidence": None if one.confidence != one.confidence else one.confidence}


def asked(
    own: Screening,
    proposed: list[str],
    scores: dict[str, float],
    topics: Any,
    corpus: Any,
    *,
    keep_text: bool,
) -> None:
    """Show documents and take a person's word, one by one; each is kept at once."""
    from ...relevance.routing import JudgedDocument

    found = looked_up(topics, corpus, proposed)
    for at, one in enumerate(proposed, 1):
        echo(f"\n[{at} of {len(proposed)}] {printable(one, 100)}  score {scores[one]:.4f}")
        echo(printable(found[one].text, 2000))
        answer = click.prompt("relevant?", type=click.Choice(["yes", "no", "quit"]), default="quit", show_default=False)
        if answer == "quit":
            return
        own.judge(JudgedDocument(one, answer == "yes", found[one].terms, text=found[one].text if keep_text else None))


def show(told: dict[str, Any], left: RemainingEstimate, advice: list[Advice], texts: dict[str, str]) -> None:
    """What a person sees."""
    rows = [
        (row["id"], f"{row['score']:.4f}", row["why"], printable(texts.get(row["id"], ""), WIDTH))
        for row in told["next"]
    ]
    if rows:
        table(rows, ["document", "score", "why", "begins"], right=[1])
        echo()
    echo(f"judged {told['judged']:,} of {counted(told['documents'], 'document')}; found {told['found']:,} relevant")
    echo(
        f"left: {left.best:,} perhaps, {left.low:,} to {left.high:,} ({100 * left.level:g} % sure at every look, by "
        f"{counted(left.draws, 'random draw')}); recall {at_least(left.recall_low, 2):.2f} to "
        f"{at_most(left.recall_high, 2):.2f}"
        if left.draws
        else "left: not known yet, no document drawn at random has been judged"
    )
    for one in advice:
        echo(f"by the {one.by}: {one.sentence}")
    if told["draws_waiting"]:
        say(
            f"{counted(told['draws_waiting'], 'random draw')} cannot be used until all that was proposed before is judged"
        )
