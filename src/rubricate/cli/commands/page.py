"""rubricate page MODEL -o FILE.html"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..options import (
    FROM_1,
    json_option,
    load_predictor,
    model_argument,
    named_texts,
    out_option,
    refuse_overwriting,
    require_output_file,
)
from ..output import echo, next_command, plural, print_json, printable, say

if TYPE_CHECKING:
    from ...browser.export import PageSummary
    from ...browser.reduction import Comparison
    from ...terms.fields import Document


@click.command("page")
@model_argument
@click.option("--title", metavar="TEXT", help="Heading of the page; the name of the model file if not given.")
@click.option(
    "--min-documents",
    default=1,
    show_default=True,
    type=FROM_1,
    metavar="N",
    help="Leave out terms that fewer than N training documents have.",
)
@click.option("--small", is_flag=True, help="Round weights to 7 digits (float32): up to half the size.")
@click.option(
    "--check",
    metavar="PATH",
    help="Documents on which to count the labels that --min-documents or --small changes; otherwise training documents.",
)
@out_option("File to write.", required=True)
@json_option
def command(
    model: Path, title: str | None, min_documents: int, small: bool, check: str | None, out: Path, as_json: bool
) -> None:
    """A model as one HTML file. It opens in any browser, sorts what is typed or dropped, says why, and loads and sends nothing.

    Terms, scores, probabilities, labels and reasons are those of `rubricate predict` and `explain`; the page checks itself when
    it is opened. Naive Bayes, TF-IDF, PrTFIDF, Rocchio, Widrow-Hoff, EG, SVM, maximum entropy and least squares can go, with
    every calibration, and every rule but density and pcut.
    """
    from ...browser.export import write_page
    from ...errors import InvalidSetting
    from ...scoring.format_1 import fitted_parts

    require_output_file(out)
    if check is not None and min_documents == 1 and not small:
        raise InvalidSetting("--check counts what --min-documents or --small changes: give one of them")
    load_predictor(model)  # a damaged file is told as everywhere
    refuse_overwriting(model, out)
    documents = None if check is None else check_documents(check, out)
    page = write_page(
        fitted_parts(model),
        out,
        title=model.stem if title is None else title,
        min_documents=min_documents,
        small=small,
        check=documents,
        check_name="documents" if check is None else f"documents of {check}",
    )
    if as_json:
        print_json(summary_of(out, page))
        return
    show(out, page, min_documents=min_documents, small=small)
    next_command(
        f"rubricate evaluate {shlex.quote(str(model))} PATH --report report.html   (how good it is, to go along)"
    )


def check_documents(path: str, out: Path) -> list[Document]:
    from ...corpus.readers import read

    refuse_overwriting(path, out)
    return [document.text for document in named_texts(read(path), lambda documents, size: None)]


def summary_of(out: Path, page: PageSummary) -> dict[str, object]:
    comparison = page.comparison
    return {
        "file": str(out),
        "bytes": page.bytes,
        "labels": page.labels,
        "terms": page.terms,
        "single_document_terms": page.single_document_terms,
        "left_out": page.left_out,
        "changes": None
        if comparison is None
        else {
            "on": comparison.on,
            "documents": comparison.documents,
            "other_labels": comparison.other_labels,
            "score_change": comparison.score_change,
        },
    }


def show(out: Path, page: PageSummary, *, min_documents: int, small: bool) -> None:
    """What was written, what its readers can see, and how it travels."""
    echo(
        f"{printable(str(out), 200)}: {page.bytes:,} bytes; {plural(page.labels, 'label')}, {plural(page.terms, 'term')}"
    )
    single = page.single_document_terms
    rare = f", {single:,} of which only one document has (names and numbers are among such)" if single else ""
    echo(f"it holds terms of the training documents{rare}: give it to nobody who may not know them")
    if single:
        echo("  --min-documents 3 leaves out the rare ones; a model trained with --select common:3 never had them")
    if page.left_out:
        echo(f"left out: {plural(page.left_out, 'term')} of fewer than {min_documents} documents")
    if min_documents > 1 or small:
        echo(changes_text(page.comparison))
    say("mail filters may hold it back, since it is a page with a script: send it in a zip file, or put it on a share")


def changes_text(comparison: Comparison | None) -> str:
    """What the page does otherwise than the model."""
    if comparison is None:
        return "how many labels this changes is not known: --check PATH counts them on documents of yours"
    of = f"of {comparison.documents:,} {printable(comparison.on, 200)}"
    return f"changed: {comparison.other_labels:,} {of} get other labels; scores differ by {comparison.score_change:.2g} at most"
