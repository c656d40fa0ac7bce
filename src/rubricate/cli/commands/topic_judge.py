"""rubricate topic judge NAME DOCUMENT yes|no"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import FILE, jobs_option, json_option
from ..output import echo, json_line, next_command, plural, print_json, printable, say, some_of, table
from ..topic_options import Pile, find_documents, pile_options, threshold_text, topics_flag, topics_option

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...relevance.routing import Topics

VERDICTS = {"yes": True, "no": False}
Judgement = tuple[str, str, bool]  # topic, document, relevant


@click.command("judge")
@click.argument("name", required=False)
@click.argument("document", required=False)
@click.argument("verdict", required=False, type=click.Choice(list(VERDICTS)))
@pile_options
@click.option("--this-text", metavar="TEXT", help="The document's text itself, where no pile has it.")
@click.option(
    "--file", type=FILE, help='Judgements in a file: JSON Lines {"document": ..., "relevant": true, "topic": NAME}.'
)
@click.option("--qrels", type=FILE, help="Judgements in TREC's form.")
@click.option("--keep-text", is_flag=True, help="Keep the documents' text too, not only their terms.")
@topics_option
@jobs_option
@json_option
def judge(
    name: str | None,
    document: str | None,
    verdict: str | None,
    path: str | None,
    this_text: str | None,
    file: Path | None,
    qrels: Path | None,
    keep_text: bool,
    folder: Path,
    jobs: int | None,
    as_json: bool,
    **read_options: Any,
) -> None:
    """Say whether a document is relevant to a topic: NAME DOCUMENT yes|no; or many at once from --file or --qrels.

    The last judgement of a document counts; all are kept. What is kept of a document are its terms and their numbers.
    """
    from ...corpus import Corpus
    from ...errors import InvalidSetting
    from ...relevance.routing import Topics

    topics = Topics.open(folder)
    judgements, unknown = read_judgements(topics, name, document, verdict, file, qrels, strict=read_options["strict"])
    where = "PILE"
    if this_text is not None:
        if document is None:
            raise InvalidSetting("--this-text goes with one document: NAME DOCUMENT yes|no")
        corpus = Corpus.from_texts([this_text], ids=[document])
        if not topics.has_collection:
            topics.collection  # noqa: B018 -- raises the error that says what is missing
    else:
        pile = Pile.open_or_last(topics, path, read_options)
        pile.become_background(topics, jobs=jobs, quiet=as_json)
        pile.remember(topics)
        corpus = pile.corpus
        where = where if pile.path == "-" else pile.arguments()
    summary = store_judgements(
        topics, corpus, judgements, single=document, keep_text=keep_text, rejects=read_options["rejects"]
    )
    summary["unknown_topics"] = unknown
    if as_json:
        print_json(summary)
        return
    show_summary(summary)
    if summary["topics"]:
        first = next(iter(summary["topics"]))
        next_command(f"rubricate topic rank {first} {where}{topics_flag(folder)}")


def read_judgements(
    topics: Topics,
    name: str | None,
    document: str | None,
    verdict: str | None,
    file: Path | None,
    qrels: Path | None,
    *,
    strict: bool,
) -> tuple[list[Judgement], Counter[str]]:
    """Judgements in order: topic, document, relevant; and how many there are of each topic that is not in the folder."""
    from ...corpus.readers.trec import read_qrels
    from ...errors import InvalidSetting

    ways = [document is not None, file is not None, qrels is not None]
    if sum(ways) != 1 or (document is not None and (name is None or verdict is None)):
        raise InvalidSetting("give NAME DOCUMENT yes|no, or judgements with --file or --qrels")
    if document is not None and name is not None and verdict is not None:
        return [(topics.topic(name).name, document, VERDICTS[verdict])], Counter()
    if qrels is not None:
        rows = [(row.topic, row.document, row.relevance > 0) for row in read_qrels(qrels)]
    else:
        rows = list(json_lines(Path(str(file)), name))
    if name is not None:
        topics.topic(name)
        rows = [row for row in rows if row[0] == name]
        if not rows:
            raise InvalidSetting(f"{qrels or file}: no judgement is of topic {name!r}")
    known = set(topics.names)
    unknown = Counter(topic for topic, _, _ in rows if topic not in known)
    if unknown and (strict or unknown.total() == len(rows)):
        topics.topic(next(iter(unknown)))  # is not there: the error lists those that are
    return [row for row in rows if row[0] in known], unknown


def json_lines(path: Path, name: str | None) -> Iterable[Judgement]:
    """Judgements in JSON Lines: topic, document, relevant; an error names the line."""
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
        row = row if isinstance(row, dict) else {}
        topic, document, verdict = row.get("topic", name), row.get("document", row.get("id")), row.get("relevant")
        if isinstance(verdict, str):  # yes and no are understood too
            verdict = VERDICTS.get(verdict, verdict)
        if topic is None:
            or_for_all = "or name one for all: rubricate topic judge NAME --file"
            raise InputError(where, "no topic is named", f"{cure}; {or_for_all}")
        if not isinstance(document, str | int) or not isinstance(verdict, bool | int) or not isinstance(topic, str):
            raise InputError(where, f"found {line[:80].decode('utf-8', 'replace')!r}", cure)
        yield topic, str(document), bool(verdict)


def store_judgements(
    topics: Topics,
    corpus: Corpus,
    judgements: list[Judgement],
    *,
    single: str | None,
    keep_text: bool,
    rejects: Path | None,
) -> dict[str, Any]:
    """Store the judgements of documents that are there, and make the queries anew; what was done and what is missing."""
    from ...errors import InputError
    from ...foundation.files import write_atomically
    from ...relevance.routing import JudgedDocument

    documents_by_id = find_documents(topics, corpus, [document for _, document, _ in judgements])
    missing = [judgement for judgement in judgements if judgement[1] not in documents_by_id]
    if missing and (single is not None or len(missing) == len(judgements)):
        some = some_of(dict.fromkeys(document for _, document, _ in missing[:5]))
        none = f"none of the {len(judgements)} judged documents is there ({some})"
        cure = "check the ids and the pile (--from PILE, --id COLUMN); nothing was judged"
        raise InputError(corpus.name, f"document {some} is not there" if single else none, cure)
    if missing and rejects is not None:
        keys = ("topic", "document", "relevant")
        write_atomically(rejects, [json_line(dict(zip(keys, judgement, strict=True))) for judgement in missing])
    by_topic: dict[str, list[JudgedDocument]] = {}
    for name, document, relevant in judgements:
        if (match := documents_by_id.get(document)) is not None:
            text = match.text if keep_text else None
            by_topic.setdefault(name, []).append(JudgedDocument(document, relevant, match.terms, text=text))
    changed: list[dict[str, str]] = []
    queries = {}
    for topic in [topics.topic(name) for name in by_topic]:
        name = topic.name
        with topic.changing(waiting=say):
            before = topic.judged()
            for judgement in by_topic[name]:
                if before.get(judgement.document, judgement.relevant) != judgement.relevant:
                    verdict = "yes" if judgement.relevant else "no"
                    changed.append({"topic": name, "document": judgement.document, "now": verdict})
                before[judgement.document] = judgement.relevant
            topic.judge(by_topic[name])
        query = topics.query(topic)
        queries[name] = query.as_dict() | {"terms": dict(query.best_first)}
    return {
        "judged": sum(map(len, by_topic.values())),
        "changed": changed,
        "missing": [document for _, document, _ in missing],
        "rejects": None if rejects is None or not missing else str(rejects),
        "topics": queries,
    }


def show_summary(summary: dict[str, Any]) -> None:
    echo(f"{plural(summary['judged'], 'judgement')} kept")
    for item in summary["changed"][:5]:
        what = f"was judged otherwise before for {item['topic']}: now {item['now']}; both are kept"
        say(f"  {printable(item['document'])} {what}")
    if len(summary["changed"]) > 5:
        say(f"  … and {len(summary['changed']) - 5:,} more that were judged otherwise before")
    if summary["missing"]:
        some = some_of(summary["missing"])
        where = f"; they are in {summary['rejects']}" if summary["rejects"] else "; keep them with --rejects FILE"
        say(f"  {len(summary['missing']):,} judged documents are not in the pile ({some}): left out{where}")
    if summary["unknown_topics"]:
        unknown = summary["unknown_topics"]
        say(f"  {unknown.total():,} judgements are of topics that are not here ({some_of(unknown)}): left out")
    rows = [
        (name, query["relevant"], query["others"], threshold_text(query["cut"]), ", ".join(list(query["terms"])[:6]))
        for name, query in list(summary["topics"].items())[:20]
    ]
    if rows:
        table(rows, ["topic", "relevant", "not", "threshold", "first terms"], right=[1, 2])
