"""The page as a whole, and the same numbers for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import Evaluation
from ..results import for_json
from . import background, figures, mistakes
from . import summary as summaries
from .html import Section, count, html_page, text

if TYPE_CHECKING:
    from ...decisions.thresholds import Thresholds
    from ...measures.significance import Comparison

Rows = Sequence[Mapping[str, Any]]
Terms = Mapping[str, Sequence[tuple[str, float]]]


def page(
    evaluation: Evaluation,
    *,
    title: str,
    made: Mapping[str, Any] | None = None,
    cuts: Thresholds | None = None,
    top_terms: Terms | None = None,
    errors: Rows | None = None,
    learning_curve: Rows | None = None,
    choice: Mapping[str, Any] | None = None,
    comparison: Comparison | None = None,
    measure: str = "",
) -> str:
    """One HTML page; a part whose input is None leaves no trace. The same input gives the same bytes.

    made: how it was made, name to value; values may be texts, numbers, lists, dictionaries, and lists of rows (dictionaries),
    such as the choices that were tried. top_terms: of each label, the best first. errors: dictionaries with id, text, true,
    given, probability, label, words [(term, contribution to that label)], the worst first; see `Evaluation.mistakes`.
    learning_curve: dictionaries with documents, value, low, high, by rising number of documents; measure: what its value is.
    choice: the chosen candidate beside the runner-up, of `evaluation.choice`. comparison: of `significance.compare`.
    """
    sections: list[Section | None] = [
        summaries.summary(evaluation),
        summaries.overall(evaluation),
        summaries.labels(evaluation),
        figures.precision_recall(evaluation),
        None if cuts is None else figures.thresholds(evaluation, cuts.as_dict()),
        figures.probabilities(evaluation),
        mistakes.confusion(evaluation),
        None if errors is None else mistakes.errors(errors, evaluation.wrong),
        figures.coverage(evaluation),
        None if learning_curve is None else figures.learning(learning_curve, measure),
        None if top_terms is None else background.terms(evaluation, top_terms),
        None if choice is None else background.runner_up(choice),
        None if comparison is None else background.other_systems(comparison),
        None if made is None else background.how_made(made),
    ]
    kind = "several labels a document" if evaluation.several else "one label a document"
    return html_page(
        [section for section in sections if section is not None],
        title=text(title, 200),
        heading=f"<bdi>{text(title, 200)}</bdi>",
        kicker="rubricate · report",
        under=f"{count(evaluation.documents)} documents, {count(len(evaluation.labels))} labels, {kind}",
    )


def numbers(
    evaluation: Evaluation,
    *,
    title: str,
    made: Mapping[str, Any] | None = None,
    cuts: Thresholds | None = None,
    top_terms: Terms | None = None,
    errors: Rows | None = None,
    learning_curve: Rows | None = None,
    choice: Mapping[str, Any] | None = None,
    comparison: Comparison | None = None,
    measure: str = "",
) -> dict[str, Any]:
    """What `page` shows, as strict JSON; parts that are None are left out."""
    parts = {
        "made": made,
        "cuts": None if cuts is None else cuts.as_dict(),
        "top_terms": top_terms,
        "errors": errors,
        "learning_curve": learning_curve,
        "measure": measure or None,
        "choice": choice,
        "comparison": None if comparison is None else comparison.as_dict(),
    }
    values = {key: for_json(value) for key, value in parts.items() if value is not None}
    return {"title": title, "evaluation": evaluation.as_dict(), **values}
