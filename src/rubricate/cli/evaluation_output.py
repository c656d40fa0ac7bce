"""An evaluation made and shown: shared by `evaluate` and the end of `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .output import echo, interval, number, plural, printable, progress, say, some_of, table

if TYPE_CHECKING:
    from pathlib import Path

    from ..corpus import Corpus
    from ..evaluation import Evaluation
    from ..evaluation.labelled_predictions import LabelledPredictions
    from ..evaluation.model_evaluation import ModelEvaluation
    from ..training.text_classifier import TextClassifier


def evaluate_corpus(
    model: TextClassifier, corpus: Corpus, *, jobs: int | None, seed: int, quiet: bool
) -> ModelEvaluation:
    """How good the predictions for a labelled corpus are; what cannot be judged as it stands is told."""
    from ..evaluation.model_evaluation import evaluate

    with progress("answering", quiet=quiet) as show:
        result = evaluate(model, corpus, jobs=jobs, random_state=seed, progress=show)
    tell_exceptions(result.predictions)
    return result


def evaluate_small_corpus(model: Path, corpus: Corpus, *, seed: int, quiet: bool) -> Evaluation:
    """The same of so few documents that nothing need be compiled."""
    from ..evaluation.labelled_predictions import evaluate_few

    with progress("answering", quiet=quiet, compiled=False) as show:
        predictions, evaluation = evaluate_few(model, corpus, random_state=seed, progress=show)
    tell_exceptions(predictions)
    return evaluation


def tell_exceptions(predictions: LabelledPredictions) -> None:
    """Labels and documents that cannot be judged as they stand."""
    unknown, left_out = predictions.unknown, predictions.without
    if unknown:
        some = some_of(unknown) + (" …" if len(unknown) > 5 else "")
        say(f"{plural(len(unknown), 'label')} that the model does not know ({some}): counted as missed")
    if left_out:
        say(f"left out: {plural(left_out, 'document')} without a label to judge by")


def show_evaluation(evaluation: Evaluation, *, top: int) -> None:
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
    rows = []
    for row in evaluation.shown(top or len(evaluation.labels)):
        if not row.met:
            continue
        values = (number(measure.value) for measure in (row.precision, row.recall, row.f1))
        rows.append((row.label, row.documents, row.assigned, row.right, *values, interval(row.f1.low, row.f1.high)))
    header = ["label", "documents", "given", "correct", "precision", "recall", "F1", percent]
    table(rows, header, right=range(1, 7))
    more = len(evaluation.labels) - evaluation.unmet - len(rows)
    if more > 0:
        echo(f"… and {more:,} more (--top 0 shows all)")
    if (calibration := evaluation.calibration) is not None:
        echo(
            f"\nprobabilities: log loss {number(calibration.log_loss, 4)} "
            f"(each label's share alone: {number(calibration.log_loss_of_shares, 4)}), "
            f"Brier score {number(calibration.brier, 4)}, calibration error {number(calibration.error, 4)}"
        )
        bins = [
            (number(row.probability), number(row.share_true), interval(row.low, row.high), row.count)
            for row in calibration.bins
        ]
        table(bins, ["probability said", "share true", percent, "answers"], right=[0, 1, 3])
    if pairs := evaluation.confusion.instead[:5]:
        echo()
        table(pairs, ["you gave", "it gave instead", "documents"], right=[2])
