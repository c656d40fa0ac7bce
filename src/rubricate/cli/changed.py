"""Models that learn and forget: shared by `learn` and `forget`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import held, loaded, opened, watched, with_folder
from .shown import account, echo, next_command, print_json, printable, progress, rows_told

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..pipeline import TextClassifier

__all__ = ["changed"]


def changed(
    model: Path, path: str, out: Path | None, jobs: int | None, as_json: bool, given: dict[str, Any], *, forget: bool
) -> None:
    """Learn or forget the documents of a corpus, and write the model."""
    with_folder(out)
    own = loaded(model)
    own.jobs = jobs
    source = opened(path, **given)
    target = model if out is None else out
    with progress("forgetting" if forget else "learning", quiet=as_json) as show:
        corpus = watched(held(path, source), show)
        documents = fitting(own, corpus)
        (own.forget if forget else own.learn)(corpus, None)
    own.jobs = None
    own.save(target)
    exact, change = own.documents_ is None, own.report_["changes"][-1]
    told = {
        "file": str(target),
        "bytes": target.stat().st_size,
        "documents": documents,
        "exact": exact,
        "change": change,
        "documents_in_all": own.report_["documents"],
        "rows": rows_told(source.tally),
    }
    if as_json:
        print_json(told)
        return
    echo(f"{printable(str(target), 200)}: {change}; {own.report_['documents']:,} documents in all")
    echo("`rubricate train` on all documents renews cuts and probabilities")
    account(source.tally, given["rejects"])
    next_command(f"rubricate evaluate {shlex.quote(str(target))} LABELLED")


def fitting(model: TextClassifier, corpus: Corpus) -> int:
    """How many documents there are; an error if they have not one label each where the model wants that."""
    from ..errors import InputError

    labels = corpus.labels
    odd = next((n for n, own in enumerate(labels) if len(own) != 1), None)
    if not model.several_labels_ and odd is not None:
        what = f"document {odd + 1} has {len(labels[odd])} labels, and the model was trained with one a document"
        raise InputError(corpus.name, what, "give it one, or leave it out")
    return len(labels)
