"""How good a model is on labelled documents: `rubricate.evaluate`, with the page that shows it.

evaluate           a model and a labelled corpus -> ModelEvaluation
ModelEvaluation    the numbers (`evaluation`), `as_dict()`, `sentences()`, `to_html(path)`, `to_json(path)`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from ..corpus import Corpus
from ..foundation.files import write_atomically
from ..scoring.top_terms import top_terms
from ..training.choice_sentences import choice, curve_points, rule_text, runner_up_sentence
from ..training.text_classifier import TextClassifier, load
from ..training.training_documents import DigestedCorpus
from ..training.training_set import documents_of
from .labelled_predictions import LabelledPredictions, evaluate_labelled
from .predictions import goes_by_terms, labelled_predictions
from .report import numbers, page
from .results import Evaluation

WORDS = 8  # behind each error


@dataclass(frozen=True, slots=True, eq=False)
class ModelEvaluation:
    """A model, the documents it was judged on, its predictions, and how good they are."""

    model: TextClassifier
    corpus: Corpus
    predictions: LabelledPredictions
    evaluation: Evaluation

    def as_dict(self) -> dict[str, Any]:
        """All numbers, for JSON."""
        return self.evaluation.as_dict()

    def sentences(self) -> list[str]:
        """A summary in plain words."""
        return self.evaluation.sentences()

    def to_html(self, path: str | Path, *, title: str | None = None) -> None:
        """One page with everything, which loads and runs nothing. The corpus is read again for the texts of errors."""
        text = page(self.evaluation, **self._parts(title))
        write_atomically(Path(path), [text.encode("utf-8", "replace")])

    def to_json(self, path: str | Path, *, title: str | None = None) -> None:
        """What the page shows, as JSON."""
        options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        write_atomically(Path(path), [orjson.dumps(numbers(self.evaluation, **self._parts(title)), option=options)])

    def _parts(self, title: str | None) -> dict[str, Any]:
        model, curve = self.model, self.model.report_.get("learning_curve")
        terms = top_terms(model)
        return {
            "title": title or f"{model.candidate_} on {self.corpus.name}",
            "made": how_made(model, tested=choice(model.report_) is not None),
            "cuts": None if self.predictions.unknown else model.cuts_,
            "top_terms": {label: [(row.term, row.average) for row in rows] for label, rows in terms.items()},
            "errors": surest_errors(self),
            "learning_curve": curve_points(curve) if curve else None,
            "choice": choice(model.report_),
            "measure": curve["measure"] if curve else "",
        }


def evaluate(
    model: TextClassifier | str | Path,
    documents: Any,
    labels: Any = None,
    *,
    jobs: int | None = None,
    random_state: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> ModelEvaluation:
    """How good a model is on documents whose labels are known: a labelled corpus, or texts with their labels.

    model: a TextClassifier, or its file. random_state: of the intervals. progress: called with documents and bytes of text.

    >>> import rubricate as rb
    >>> texts, y = ["corn and wheat", "gold and silver"] * 4, ["grain", "metal"] * 4
    >>> rb.evaluate(rb.TextClassifier("multinomial").fit(texts, y), ["wheat", "silver"], ["grain", "metal"]).evaluation.documents
    2
    """
    fitted = load(model) if isinstance(model, str | Path) else model
    corpus = documents_of(documents)
    corpus = corpus if isinstance(corpus, Corpus) else Corpus.from_texts(corpus, labels)
    digested = DigestedCorpus(corpus, fitted.recipe_)
    predictions = labelled_predictions(fitted, digested.documents, jobs=jobs, progress=progress)
    learned = None if fitted.training_documents_ is None else digested.known_to(fitted.training_documents_)
    evaluation = evaluate_labelled(predictions, learned=learned, random_state=random_state)
    return ModelEvaluation(fitted, corpus, predictions, evaluation)


def how_made(model: TextClassifier, *, tested: bool) -> dict[str, Any]:
    """What the model says of its making. tested: the runner-up has a part of the page to itself."""
    report = model.report_
    parts = {
        "model": str(model.candidate_),
        "learned from": f"{report['documents']:,} documents, {len(model.terms_):,} terms",
        "recipe": model.recipe_.to_dict() or "the usual one",
        "decides by": rule_text(model),
        "probabilities": report["calibration"],
        "chosen because": report["statement"],
        "against the runner-up": None if tested else runner_up_sentence(model),
        "since then": report["changes"],
        "what was tried": [candidate_row(row, report["measure"]) for row in report["tried"]],
    }
    return {name: value for name, value in parts.items() if value not in (None, [])}


def candidate_row(row: dict[str, Any], measure: str) -> dict[str, Any]:
    """A candidate with its value, and how far it is behind the best where that is known."""
    out = {"candidate": row["candidate"], measure: row["value"], "low": row["low"], "high": row["high"]}
    if row.get("behind") is not None:
        distance, low, high = row["behind"]
        out["behind the best by"] = distance
        out["likely range"] = f"{low:.4f} to {high:.4f}"
    return out


def surest_errors(result: ModelEvaluation) -> list[dict[str, Any]]:
    """The documents of which the model was surest and wrong, with their text and the words behind the wrong decision."""
    model, predictions = result.model, result.predictions
    errors = {int(predictions.rows[error.document]): error for error in result.evaluation.mistakes}
    texts = {n: document.text for n, document in enumerate(result.corpus.documents()) if n in errors}
    explained = set(predictions.names) - set(predictions.unknown) if goes_by_terms(model) else set()
    return [
        {
            "id": error.id,
            "text": texts[row],
            "true": list(error.true),
            "given": list(error.given),
            "probability": error.sure,
            "label": error.label,
            "words": model.explain(texts[row], error.label, top=WORDS)[0].terms if error.label in explained else [],
        }
        for row, error in errors.items()
    ]
