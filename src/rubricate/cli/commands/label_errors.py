"""rubricate noise PATH"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...foundation.share_text import decimals
from ..learning_options import asked, learning, trials_told, with_labels
from ..options import READING, as_json, held, opened, out_file, reading, same_source, watched, with_folder
from ..output import account, echo, next_command, print_json, printable, progress, rows_told, say

if TYPE_CHECKING:
    from ...corpus import Corpus
    from ...training.label_errors import Doubt, Doubted


@click.command("noise")
@reading
@learning
@click.option("--top", default=20, show_default=True, type=click.IntRange(min=0), help="Documents shown; 0 for all.")
@out_file("Write all of them to this file (JSON Lines).")
@as_json
def command(path: str, top: int, out: Path | None, as_json: bool, **options: Any) -> None:
    """Documents whose labels are probably wrong, the worst first.

    Each document is judged by models that have not seen it; where their probabilities contradict its labels, either a person was
    mistaken or the model is. Look at these first.
    """
    from ...training.label_errors import doubts

    given = {name: options.pop(name) for name in READING}
    wanted = asked(**options)
    with_folder(out)
    source = opened(path, outputs=[out], **given)
    with progress("judging", quiet=as_json) as show:
        corpus = with_labels(watched(held(path, source), show), wanted.labelled_only)
        found = doubts(
            corpus,
            wanted.candidates(),
            measure=wanted.measure,
            folds=wanted.folds,
            budget=wanted.budget,
            jobs=wanted.jobs,
            random_state=wanted.seed,
            progress=trials_told(quiet=as_json),
        )
    if out is not None:
        from ...foundation.files import write_atomically

        write_atomically(out, lines(found))
    shown = found.doubts[: top or None]
    if as_json:
        told = {
            "documents": found.documents,
            "contradicted": len(found.doubts),
            "judged_by": found.trial.as_dict(),
            "calibration": found.calibration,
            "too_rare_to_doubt": list(found.rare),
            "rows": rows_told(source.tally),
        }
        print_json(told | {"worst": [as_row(one) for one in shown]})
        return
    show_doubts(found, shown, corpus)
    account(source.tally, given["rejects"])
    next_command(f"rubricate train {same_source(path, given)} -o MODEL.rub   (after the labels are put right)")


def as_row(one: Doubt) -> dict[str, Any]:
    """A document for programs."""
    return {
        "id": one.id,
        "labels": list(one.labels),
        "improbable": dict(one.improbable),
        "missing": dict(one.missing),
        "times": one.times,
    }


def lines(found: Doubted) -> Iterator[bytes]:
    """All contradicted documents, one a line."""
    import orjson

    for one in found.doubts:
        yield orjson.dumps(as_row(one), option=orjson.OPT_APPEND_NEWLINE)


def show_doubts(found: Doubted, shown: tuple[Doubt, ...], corpus: Corpus) -> None:
    """The worst, with the beginning of their texts."""
    who = str(found.trial.candidate)
    echo(f"{len(found.doubts):,} of {found.documents:,} documents have labels that {who} contradicts, unseen")
    if found.rare:
        say(f"too rare to be doubted: {printable(', '.join(found.rare), 200)}")
    wanted = {one.row for one in shown}
    texts = {n: document.text for n, document in enumerate(corpus.documents()) if n in wanted}
    for one in shown:
        more = f"others are {one.times:,.0f} times more probable"
        echo(f"  has {labels_of(one.labels)}; {more}", bold=f"\n{printable(one.id)}")
        for what, pairs in (("improbable", one.improbable), ("probable, and not given", one.missing)):
            if pairs:
                echo(f"  {what}: " + ", ".join(f"{printable(label)} ({decimals(p)})" for label, p in pairs))
        echo(f"  {printable(texts[one.row], 200)}")
    if len(shown) < len(found.doubts):
        echo(f"\n… and {len(found.doubts) - len(shown):,} more (--top 0 shows all, -o FILE writes them)")


def labels_of(labels: tuple[str, ...]) -> str:
    """Labels in a row."""
    return ", ".join(printable(label) for label in labels) or "no label"
