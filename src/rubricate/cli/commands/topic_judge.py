"""rubricate topic judge NAME DOCUMENT yes|no"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import as_json, jobs, same_source
from ..output import counted, echo, next_command, print_json, printable, say, table
from ..topic_options import (
    cut_told,
    looked_up,
    of_query,
    opened_pile,
    pile_of,
    reading_from,
    topics_folder,
    typed,
    with_collection,
)

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...relevance.routing import Topic, Topics

__all__ = ["judge"]

VERDICTS = {"yes": True, "no": False}


@click.command("judge")
@click.argument("name", required=False)
@click.argument("document", required=False)
@click.argument("verdict", required=False, type=click.Choice(list(VERDICTS)))
@reading_from
@click.option("--this-text", "this", metavar="TEXT", help="The document's text itself, where no pile has it.")
@click.option(
    "--file",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help='Judgements in a file: JSON Lines {"document": ..., "relevant": true, "topic": NAME}.',
)
@click.option("--qrels", type=click.Path(path_type=Path, dir_okay=False), help="Judgements in TREC's form.")
@click.option("--keep-text", is_flag=True, help="Keep the documents' text too, not only their terms.")
@topics_folder
@jobs
@as_json
def judge(
    name: str | None,
    document: str | None,
    verdict: str | None,
    path: str | None,
    this: str | None,
    file: Path | None,
    qrels: Path | None,
    keep_text: bool,
    folder: Path,
    jobs: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Say whether a document is relevant to a topic: NAME DOCUMENT yes|no; or many at once from --file or --qrels.

    The last judgement of a document counts; all are kept. What is kept of a document are its terms and their numbers.
    """
    from ...errors import InvalidSetting
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    asked, unknown = judgements_asked(topics, name, document, verdict, file, qrels, strict=given["strict"])
    if this is not None:
        if document is None:
            raise InvalidSetting("--this-text goes with one document: NAME DOCUMENT yes|no")
        corpus = corpus_of(document, this)
        if not topics.has_collection:
            topics.collection  # noqa: B018 -- says what is missing
    else:
        path, given, corpus = opened_pile(topics, path, given)
        corpus = with_collection(topics, path, corpus, jobs=jobs, quiet=as_json, given=given)
        if path != "-":
            topics.remember_pile(pile_of(path, given))
    told = judged(topics, corpus, asked, single=document, keep_text=keep_text, rejects=given["rejects"])
    told["unknown_topics"] = unknown
    if as_json:
        print_json(told)
        return
    show_judged(told)
    first = next(iter(told["topics"]), None)
    if first is not None:
        where = "PILE" if path is None or path == "-" else same_source(path, given)
        next_command(f"rubricate topic rank {first} {where}{typed(folder)}")


def judgements_asked(
    topics: Topics,
    name: str | None,
    document: str | None,
    verdict: str | None,
    file: Path | None,
    qrels: Path | None,
    *,
    strict: bool,
) -> tuple[list[tuple[Topic, str, bool]], dict[str, int]]:
    """What is to be judged, in order: topic, document, relevant; and how many judgements are of topics that are not here."""
    from ...corpus.readers.trec import read_qrels
    from ...errors import InvalidSetting

    ways = [document is not None, file is not None, qrels is not None]
    if sum(ways) != 1 or (document is not None and (name is None or verdict is None)):
        raise InvalidSetting("give NAME DOCUMENT yes|no, or judgements with --file or --qrels")
    if document is not None and name is not None and verdict is not None:
        return [(topics.topic(name), document, VERDICTS[verdict])], {}
    if qrels is not None:
        rows = [(one.topic, one.document, one.relevance > 0) for one in read_qrels(qrels)]
    else:
        rows = list(lines_of(Path(str(file)), name))
    if name is not None:
        topics.topic(name)
        rows = [row for row in rows if row[0] == name]
        if not rows:
            raise InvalidSetting(f"{qrels or file}: no judgement is of topic {name!r}")
    here = set(topics.names)
    unknown: dict[str, int] = {}
    for topic, _, _ in rows:
        if topic not in here:
            if strict:
                topics.topic(topic)
            unknown[topic] = unknown.get(topic, 0) + 1
    held = {topic: topics.topic(topic) for topic in here & {topic for topic, _, _ in rows}}
    if not held and rows:
        topics.topic(rows[0][0])  # none is here: says which are
    return [(held[topic], one, relevant) for topic, one, relevant in rows if topic in held], unknown


def lines_of(path: Path, name: str | None) -> Iterable[tuple[str, str, bool]]:
    """Judgements in JSON Lines; the line of a wrong one is told, and nothing is judged."""
    import orjson

    from ...errors import InputError, MissingData

    if not path.is_file():
        raise MissingData(str(path), "there is no such file", "check the name")
    cure = 'write {"document": "17", "relevant": true, "topic": "wheat"}, one a line'
    for line_number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path} line {line_number}"
        try:
            row = orjson.loads(line)
        except ValueError:
            raise InputError(where, "not valid JSON", cure) from None
        own = row if isinstance(row, dict) else {}
        topic, document = own.get("topic", name), own.get("document", own.get("id"))
        said = own.get("relevant")
        verdict = VERDICTS.get(said, said) if isinstance(said, str) else said  # yes and no are understood too
        if topic is None:
            raise InputError(
                where, "no topic is named", f"{cure}; or name one for all: rubricate topic judge NAME --file"
            )
        if not isinstance(document, str | int) or not isinstance(verdict, bool | int) or not isinstance(topic, str):
            raise InputError(where, f"found {line[:80].decode('utf-8', 'replace')!r}", cure)
        yield topic, str(document), bool(verdict)


def corpus_of(document: str, text: str) -> Corpus:
    """One document as a corpus."""
    from ...corpus import Corpus

    return Corpus.from_texts([text], ids=[document])


def judged(
    topics: Topics,
    corpus: Corpus,
    asked: list[tuple[Topic, str, bool]],
    *,
    single: str | None,
    keep_text: bool,
    rejects: Path | None,
) -> dict[str, Any]:
    """Keep the judgements of documents that are there, make the queries anew; tell what was done, and what is missing."""
    from ...errors import InputError
    from ...foundation.files import write_atomically
    from ...relevance.routing import JudgedDocument

    found = looked_up(topics, corpus, [document for _, document, _ in asked])
    missing = [(topic.name, document, relevant) for topic, document, relevant in asked if document not in found]
    if missing and (single is not None or len(missing) == len(asked)):
        some = ", ".join(printable(one) for one in dict.fromkeys(document for _, document, _ in missing[:5]))
        raise InputError(
            corpus.name,
            f"document {some} is not there"
            if single
            else f"none of the {len(asked)} judged documents is there ({some})",
            "check the ids and the pile (--from PILE, --id COLUMN); nothing was judged",
        )
    if missing and rejects is not None:
        import orjson

        rows = [{"topic": topic, "document": document, "relevant": relevant} for topic, document, relevant in missing]
        write_atomically(rejects, [orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows])
    by_topic: dict[str, tuple[Topic, list[JudgedDocument]]] = {}
    for topic, document, relevant in asked:
        if (own := found.get(document)) is not None:
            text = own.text if keep_text else None
            by_topic.setdefault(topic.name, (topic, []))[1].append(
                JudgedDocument(document, relevant, own.terms, text=text)
            )
    changed: list[dict[str, str]] = []
    told = {}
    for name, (topic, judgements) in by_topic.items():
        with topic.changing(waiting=say):
            before = topic.judged()
            for one in judgements:
                if before.get(one.document, one.relevant) != one.relevant:
                    verdict = "yes" if one.relevant else "no"
                    changed.append({"topic": name, "document": one.document, "now": verdict})
                before[one.document] = one.relevant
            topic.judge(judgements)
        told[name] = of_query(topics.query(topic))
    return {
        "judged": sum(len(own) for _, own in by_topic.values()),
        "changed": changed,
        "missing": [document for _, document, _ in missing],
        "rejects": None if rejects is None or not missing else str(rejects),
        "topics": told,
    }


def show_judged(told: dict[str, Any]) -> None:
    """What judging did."""
    echo(f"{counted(told['judged'], 'judgement')} kept")
    for one in told["changed"][:5]:
        say(
            f"  {printable(one['document'])} was judged otherwise before for {one['topic']}: now {one['now']}; both are kept"
        )
    if len(told["changed"]) > 5:
        say(f"  … and {len(told['changed']) - 5:,} more that were judged otherwise before")
    if told["missing"]:
        some = ", ".join(printable(one) for one in told["missing"][:5])
        where = f"; they are in {told['rejects']}" if told["rejects"] else "; keep them with --rejects FILE"
        say(f"  {len(told['missing']):,} judged documents are not in the pile ({some}): left out{where}")
    if told["unknown_topics"]:
        some = ", ".join(printable(one) for one in list(told["unknown_topics"])[:5])
        say(f"  {sum(told['unknown_topics'].values()):,} judgements are of topics that are not here ({some}): left out")
    rows = [
        (name, own["relevant"], own["others"], cut_told(own["cut"]), ", ".join(list(own["terms"])[:6]))
        for name, own in list(told["topics"].items())[:20]
    ]
    if rows:
        table(rows, ["topic", "relevant", "not", "cut", "first terms"], right=[1, 2])
