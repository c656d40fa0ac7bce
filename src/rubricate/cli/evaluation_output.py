"""An evaluation made and shown: shared by `evaluate` and the end of `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..foundation.share_text import decimals
from .output import echo, number, printable, progress, say, table
from .output import interval as between
from .output import plural as counted

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..evaluation import Evaluation
    from ..evaluation.predictions import Collected
    from ..training.text_classifier import TextClassifier

__all__ = ["answers_to", "evaluation_of", "judged", "show_evaluation"]


def answers_to(model: TextClassifier, corpus: Corpus, *, jobs: int | None, quiet: bool) -> Collected:
    """The answers to a labelled corpus; what cannot be judged as it stands is told."""
    from ..evaluation.predictions import collected

    with progress("answering", quiet=quiet) as show:
        found = collected(model, corpus, jobs=jobs, progress=show)
    if found.unknown:
        some = ", ".join(printable(label) for label in found.unknown[:5]) + (" …" if len(found.unknown) > 5 else "")
        say(f"{counted(len(found.unknown), 'label')} that the model does not know ({some}): counted as missed")
    if found.without:
        say(f"left out: {counted(found.without, 'document')} without a label to judge by")
    return found


def judged(found: Collected, *, seed: int) -> Evaluation:
    """The evaluation of answers."""
    from ..evaluation import evaluate

    return evaluate(
        labels=found.names,
        truth=found.truth,
        decisions=found.decisions,
        probabilities=found.probabilities,
        scores=found.scores,
        several=found.several,
        ids=found.ids,
        random_state=seed,
    )


def evaluation_of(model: TextClassifier, corpus: Corpus, *, jobs: int | None, seed: int, quiet: bool) -> Evaluation:
    """How good the answers to a labelled corpus are."""
    return judged(answers_to(model, corpus, jobs=jobs, quiet=quiet), seed=seed)


def show_evaluation(found: Evaluation, *, top: int) -> None:
    """Sentences, measures, labels, probabilities, confusions."""
    for sentence in found.sentences():
        echo(printable(sentence, 1000))
    percent = f"{100 * found.level:g} % interval"
    echo()
    table(
        [(name, number(own.value), between(own.low, own.high)) for name, own in found.overall.items()],
        ["measure", "value", percent],
        right=[1],
    )
    echo()
    shown = [row for row in found.shown(top or len(found.labels)) if row.met]
    table(
        [
            (
                row.label,
                row.documents,
                row.assigned,
                row.right,
                number(row.precision.value),
                number(row.recall.value),
                number(row.f1.value),
                between(row.f1.low, row.f1.high),
            )
            for row in shown
        ],
        ["label", "documents", "given", "right", "precision", "recall", "F1", percent],
        right=range(1, 7),
    )
    left = len(found.labels) - found.unmet - len(shown)
    if left > 0:
        echo(f"… and {left:,} more (--top 0 shows all)")
    show_probabilities(found)
    show_confusions(found)


def show_probabilities(found: Evaluation) -> None:
    """What the probabilities are worth."""
    own = found.calibration
    if own is None:
        return
    echo(
        f"\nprobabilities: log loss {number(own.log_loss, 4)} (each label's share alone: {number(own.log_loss_of_shares, 4)}), "
        f"Brier score {number(own.brier, 4)}, calibration error {number(own.error, 4)}"
    )
    rows = [
        (decimals(one.probability), decimals(one.share_true), between(one.low, one.high), one.count) for one in own.bins
    ]
    table(rows, ["probability said", "share true", f"{100 * found.level:g} % interval", "answers"], right=[0, 1, 3])


def show_confusions(found: Evaluation, most: int = 5) -> None:
    """The commonest ones."""
    pairs: Any = found.confusion.instead[:most]
    if pairs:
        echo()
        table(pairs, ["you gave", "it gave instead", "documents"], right=[2])
