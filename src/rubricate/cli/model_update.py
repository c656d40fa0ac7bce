"""Models that learn and forget: shared by `learn` and `forget`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import apart, held, loaded, opened, watched, with_folder
from .output import account, counted, echo, next_command, print_json, printable, progress, rows_told, say

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..training.text_classifier import TextClassifier

__all__ = ["changed"]

NO_LABELS = "no label column found: documents have no labels"  # what a reader notes


def changed(
    model: Path,
    path: str,
    out: Path | None,
    jobs: int | None,
    as_json: bool,
    given: dict[str, Any],
    *,
    forget: bool,
    again: bool = False,
) -> None:
    """Learn or forget the documents of a corpus, and write the model if that has changed it."""
    from ..foundation.files import check_folder, updating

    with_folder(out)
    target = model if out is None else out
    check_folder(target)
    loaded(model)  # says what is wrong, before anything is read or waited for
    apart(model, given["rejects"])
    source = opened(path, outputs=[target], **given)
    whole = held(path, source)  # nobody is kept waiting for what somebody types
    with updating(target, waiting=say), progress("forgetting" if forget else "learning", quiet=as_json) as show:
        own = loaded(model)
        own.jobs = jobs
        corpus = watched(whole, show)
        documents = fitting(own, corpus, source, given)
        own.forget(corpus) if forget else own.learn(corpus, again=again)
        own.jobs = None
        change = own.last_change_
        done = change["learned"] + change["corrected"] + change["forgotten"] > 0
        if done or not (target.exists() and target.samefile(model)):
            own.save(target)
    told = {
        "file": str(target),
        "bytes": target.stat().st_size,
        "documents": documents,
        **change,
        "exact": own.documents_ is None,
        "change": own.report_["changes"][-1] if done else None,
        "documents_in_all": own.report_["documents"],
        "rows": rows_told(source.tally),
    }
    if as_json:
        print_json(told)
        return
    show_change(told)
    account(source.tally, given["rejects"])
    next_command(f"rubricate evaluate {shlex.quote(str(target))} LABELLED")


def show_change(told: dict[str, Any]) -> None:
    """What was done, and what was left out."""
    what = (
        told["change"]
        or f"nothing new: {counted(told['known'], 'document')} learned before, and the model is as it was"
    )
    echo(f"{printable(told['file'], 200)}: {what}; {told['documents_in_all']:,} documents in all")
    if told["change"] and told["known"]:
        echo(f"left out: {counted(told['known'], 'document')} learned before (--again learns them again)")
    if told["corrected"]:
        echo(f"corrected: {counted(told['corrected'], 'document')} learned with other labels, or another text, before")
    if told["change"]:
        echo("`rubricate train` on all documents renews cuts and probabilities")


def fitting(model: TextClassifier, corpus: Corpus, source: Corpus, given: dict[str, Any]) -> int:
    """How many documents there are; an error if there is none, or if they have not one label each where the model wants that."""
    from ..errors import InputError

    labels = corpus.labels
    if not labels:
        account(source.tally, given["rejects"])
        raise InputError(corpus.name, "there is no row that can be used", "nothing was changed")
    if not any(labels) and NO_LABELS in source.tally.repairs:
        raise InputError(corpus.name, "no document has a label", "name the column of labels with --labels")
    odd = next((n for n, own in enumerate(labels) if len(own) != 1), None)
    if not model.several_labels_ and odd is not None:
        what = f"document {odd + 1} has {len(labels[odd])} labels, and the model was trained with one a document"
        raise InputError(corpus.name, what, "give it one, or leave it out")
    return len(labels)
