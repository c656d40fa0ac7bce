"""An evaluation made and shown: shared by `evaluate` and the end of `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..foundation.share_text import decimals
from .output import echo, interval, number, plural, printable, progress, say, table

if TYPE_CHECKING:
    from ..corpus import Corpus
    from ..evaluation import Evaluation
    from ..evaluation.model_evaluation import ModelEvaluation
    from ..training.text_classifier import TextClassifier


def evaluate_corpus(
    model: TextClassifier, corpus: Corpus, *, jobs: int | None, seed: int, quiet: bool
) -> ModelEvaluation:
    """How good the predictions for a labelled corpus are; what cannot be judged as it stands is told."""
    from ..evaluation.model_evaluation import evaluate

    with progress("answering", quiet=quiet) as show:
        result = evaluate(model, corpus, jobs=jobs, random_state=seed, progress=show)
    unknown, left_out = result.predictions.unknown, result.predictions.without
    if unknown:
        some = ", ".join(printable(label) for label in unknown[:5]) + (" …" if len(unknown) > 5 else "")
        say(f"{plural(len(unknown), 'label')} that the model does not know ({some}): counted as missed")
    if left_out:
        say(f"left out: {plural(left_out, 'document')} without a label to judge by")
    return result


def show_evaluation(evaluation: Evaluation, *, top: int) -> None:
    """Sentences, measures, labels, probabilities, confusions."""
    for sentence in evaluation.sentences():
        echo(printable(sentence, 1000))
    percent = f"{100 * evaluation.level:g} % interval"
    echo()
    table(
        [(name, number(row.value), interval(row.low, row.high)) for name, row in evaluation.overall.items()],
        ["measure", "value", percent],
        right=[1],
    )
    echo()
    shown = [row for row in evaluation.shown(top or len(evaluation.labels)) if row.met]
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
                interval(row.f1.low, row.f1.high),
            )
            for row in shown
        ],
        ["label", "documents", "given", "correct", "precision", "recall", "F1", percent],
        right=range(1, 7),
    )
    left = len(evaluation.labels) - evaluation.unmet - len(shown)
    if left > 0:
        echo(f"… and {left:,} more (--top 0 shows all)")
    show_probabilities(evaluation)
    show_confusions(evaluation)


def show_probabilities(evaluation: Evaluation) -> None:
    """What the probabilities are worth."""
    calibration = evaluation.calibration
    if calibration is None:
        return
    echo(
        f"\nprobabilities: log loss {number(calibration.log_loss, 4)} "
        f"(each label's share alone: {number(calibration.log_loss_of_shares, 4)}), "
        f"Brier score {number(calibration.brier, 4)}, calibration error {number(calibration.error, 4)}"
    )
    rows = [
        (decimals(row.probability), decimals(row.share_true), interval(row.low, row.high), row.count)
        for row in calibration.bins
    ]
    table(
        rows, ["probability said", "share true", f"{100 * evaluation.level:g} % interval", "answers"], right=[0, 1, 3]
    )


def show_confusions(evaluation: Evaluation, most: int = 5) -> None:
    """The commonest ones."""
    pairs: Any = evaluation.confusion.instead[:most]
    if pairs:
        echo()
        table(pairs, ["you gave", "it gave instead", "documents"], right=[2])
