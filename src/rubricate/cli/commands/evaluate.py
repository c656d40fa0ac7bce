"""rubricate evaluate MODEL PATH"""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..evaluation_output import answers_to, judged, show_evaluation
from ..options import buffer_stdin as held
from ..options import jobs_option as jobs
from ..options import json_option as as_json
from ..options import load_model as loaded
from ..options import model_argument as model_file
from ..options import open_corpus as opened
from ..options import reading_options as reading
from ..options import refuse_overwriting as apart
from ..options import require_output_file as with_folder
from ..options import source_arguments as same_source
from ..output import echo, next_command, print_json, printable, say
from ..output import interval as between
from ..output import report_rows as account
from ..output import row_counts as rows_told

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...evaluation import Evaluation
    from ...evaluation.predictions import Collected
    from ...training.text_classifier import TextClassifier
    from ...training.training_documents import DigestedCorpus

WORDS = 8  # behind each mistake


@click.command("evaluate")
@model_file
@reading
@jobs
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PAGE.html",
    help="Write all of it, with curves, mistakes and the words behind them, as one page that needs nothing else; with a name in "
    ".json, the same numbers as JSON.",
)
@click.option("--top", default=25, show_default=True, help="Labels shown; 0 for all.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the intervals.")
@as_json
def command(
    model: Path, path: str, jobs: int | None, report: Path | None, top: int, seed: int, as_json: bool, **given: Any
) -> None:
    """How good a model is on labelled documents that it has not seen: overall and label by label, with intervals."""
    from ...training.training_documents import DigestedCorpus

    with_folder(report)
    own = loaded(model)
    apart(model, report, given["rejects"])
    source = opened(path, outputs=[report], **given)
    corpus = held(path, source) if report is not None else source
    digested = DigestedCorpus(corpus, own.recipe_)
    answers = answers_to(own, digested.documents, jobs=jobs, quiet=as_json)
    found = replace(judged(answers, seed=seed), learned=learned_of(own, digested, answers))
    told = {"model": str(model), "rows": rows_told(source.tally), **found.as_dict()}
    if report is not None:
        write_page(report, model, path, own, corpus, answers, found)
        told["report"] = str(report)
    if as_json:
        print_json(told)
        return
    echo(f"{printable(str(model), 200)} on {found.documents:,} documents of {printable(path, 200)}")
    echo()
    show_evaluation(found, top=top)
    account(source.tally, given["rejects"])
    name = shlex.quote(str(model))
    if report is not None:
        look = "" if report.suffix == ".json" else "; open it in a browser"
        say(f"\n{report}: {report.stat().st_size:,} bytes{look}")
        next_command(f"rubricate inspect {name}")
    else:
        next_command(f"rubricate evaluate {name} {same_source(path, given)} --report page.html")


def learned_of(model: TextClassifier, digested: DigestedCorpus, answers: Collected) -> int | None:
    """How many of the documents that are judged the model has learned from; None if it keeps no digests."""
    if model.training_documents_ is None:
        return None
    return int(digested.known_to(model.training_documents_)[answers.rows].sum())


def write_page(
    out: Path,
    file: Path,
    path: str,
    model: TextClassifier,
    corpus: Corpus,
    answers: Collected,
    found: Evaluation,
) -> None:
    """The page, or its numbers, written beside and renamed."""
    import orjson

    from ...evaluation import choice
    from ...evaluation.choice_sentences import learning_curve_points as curve_of
    from ...evaluation.report import numbers, page
    from ...evaluation.top_terms import top_terms
    from ...foundation.files import write_atomically

    curve = curve_of(model)
    terms = {label: [(one.term, one.average) for one in own] for label, own in top_terms(model).items()}
    parts: dict[str, Any] = {
        "title": f"{file.name} on {Path(path).name or path}",
        "made": how_made(model, tested=choice(model.report_) is not None),
        "cuts": None if answers.unknown else model.cuts_,
        "top_terms": terms,
        "errors": mistakes(model, corpus, answers, found),
        "learning_curve": curve,
        "choice": choice(model.report_),
        "measure": model.report_["learning_curve"]["measure"] if curve else "",
    }
    if out.suffix == ".json":
        told = orjson.dumps(numbers(found, **parts), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    else:
        told = page(found, **parts).encode("utf-8", "replace")
    write_atomically(out, [told])


def how_made(model: TextClassifier, *, tested: bool) -> dict[str, Any]:
    """What the model says of its making. tested: the runner-up has a part of the page to itself."""
    from ...evaluation.choice_sentences import rule_text as rule_of
    from ...evaluation.choice_sentences import runner_up_sentence as runner_up

    report = model.report_
    made = {
        "model": str(model.candidate_),
        "learned from": f"{report['documents']:,} documents, {len(model.terms_):,} terms",
        "recipe": model.recipe_.to_dict() or "the usual one",
        "decides by": rule_of(model),
        "probabilities": report["calibration"],
        "chosen because": report["statement"],
        "against the runner-up": None if tested else runner_up(model),
        "since then": report["changes"],
        "what was tried": [tried_row(row, report["measure"]) for row in report["tried"]],
    }
    return {name: value for name, value in made.items() if value not in (None, [])}


def tried_row(row: dict[str, Any], measure: str) -> dict[str, Any]:
    """A candidate with its value, and how far it is behind the best where that is known."""
    out = {"candidate": row["candidate"], measure: row["value"], "low": row["low"], "high": row["high"]}
    if row.get("behind") is not None:
        out["behind the best by"] = row["behind"][0]
        out["likely range"] = between(row["behind"][1], row["behind"][2], 4)
    return out


def mistakes(model: TextClassifier, corpus: Corpus, answers: Collected, found: Evaluation) -> list[dict[str, Any]]:
    """The documents of which it was surest and wrong, with their text and the words behind the wrong decision."""
    from ...evaluation.predictions import goes_by_terms

    wanted = {int(answers.rows[one.document]): one for one in found.mistakes}
    texts = {n: document.text for n, document in enumerate(corpus.documents()) if n in wanted}
    known = set(answers.names) - set(answers.unknown) if goes_by_terms(model) else set()
    out = []
    for row, one in wanted.items():
        words = model.explain(texts[row], one.label, top=WORDS)[0].terms if one.label in known else []
        out.append(
            {
                "id": one.id,
                "text": texts[row],
                "true": list(one.true),
                "given": list(one.given),
                "probability": one.sure,
                "label": one.label,
                "words": words,
            }
        )
    return out
