"""What may be tried: a way from text to scores, as plain settings. The short list of `model="auto"`, simplest first.

Candidate    recipe + selection of terms + weighting + model, with a name that people can read
shortlist    the usual candidates for one label a document, or several
expected_winner    the one that nobody would leave out
cost         about how many CPU seconds a candidate takes: a rule of thumb from sizes alone, so that what fits into a budget
             does not depend on how busy the machine is
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..counts.term_scores import SCORES
from ..errors import InvalidSetting, UnknownName
from ..models import MODELS, model_named
from ..models.classifier import Classifier
from ..models.vectors import FORMS
from ..storage.registry import stored
from ..terms.recipe import Recipe
from .choice_sentences import candidate_text


@dataclass(frozen=True, slots=True)
class Law:
    """How the CPU seconds of a candidate's scores grow, for one fold: per entry of the documents x terms table, per entry and
    label, per document and label. power: the rounds that a solver takes grow with documents ** power; 1 at 10,000 documents."""

    entry: float = 0.0
    entry_label: float = 0.0
    document_label: float = 0.0
    power: float = 0.0


# measured by `python -m benchmarks.trial_costs` on eight collections (RESULTS.md): within a factor of 2, but for the smallest
LAWS = {
    "widrow_hoff": Law(entry=6e-8, entry_label=2e-9, document_label=3e-8),
    "least_squares": Law(entry_label=5e-8, document_label=4.5e-7, power=0.5),
    "support_vector": Law(entry_label=1.2e-7, power=0.25),
}
OF_COUNTS = Law(entry=6e-8, entry_label=6e-10)  # all count models
# per document, label and fold, with several labels a document or one: thresholds or the best label, decisions, intervals
JUDGING = {True: 2e-7, False: 6e-8}
# Which model comes out best, by the figures of docs/which-model.md (benchmarks/which_model.py): the linear SVM is best or within
# a hundredth of the best on all five collections with all documents, and first or close behind with 20 documents a label.
EXPECTED = ("support_vector", "least_squares", "widrow_hoff", "prtfidf", "complement", "multinomial", "bernoulli")
COMMON = "common"
WHOLE = re.compile(r"[0-9]{1,18}")  # str.isdigit holds for ² too, and int() refuses 5,000 digits
WORDS = Recipe()


@stored("candidate.selection", keys=("by", "top"))
@dataclass(frozen=True, slots=True)
class Selection:
    """The best terms by a score, `dkl:5000`; or those in so many training documents at least, `common:2`."""

    by: str
    top: int

    def __str__(self) -> str:
        return f"{self.by}:{self.top}"


def selection(text: Any) -> Selection | None:
    """A selection as people write it, `dkl:5000`; None for all terms."""
    if text is None or isinstance(text, Selection):
        return text
    by, colon, top = str(text).partition(":")
    if not colon or not WHOLE.fullmatch(top) or int(top) == 0:
        raise InvalidSetting(
            f"select={text!r}: give a score and a number of terms, as in dkl:5000; or common:2, terms of 2 documents at least"
        )
    if by not in SCORES and by != COMMON:
        raise UnknownName("term score", by, (*SCORES, COMMON))
    return Selection(by, int(top))


@stored("candidate", keys=("model", "settings", "recipe", "select", "weighting"))
@dataclass(frozen=True, slots=True)
class Candidate:
    """A way from text to scores. settings: of the model, where they are not its usual ones."""

    model: str
    settings: tuple[tuple[str, Any], ...] = ()
    recipe: Recipe = WORDS
    select: Selection | None = None
    weighting: str | None = None

    def build(self) -> Classifier:
        return MODELS[self.model].kind(**dict(self.settings))

    def __str__(self) -> str:
        return candidate_text(self)

    def as_dict(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "settings": dict(self.settings),
            "recipe": self.recipe.to_dict(),
            "select": None if self.select is None else str(self.select),
            "weighting": self.weighting,
        }


def candidate(
    model: Any, *, recipe: Recipe | None = None, select: Any = None, weighting: str | None = None
) -> Candidate:
    """What a person asked for: the name of a model, or one with its settings; weights where the model needs them."""
    if isinstance(model, Classifier):
        name = next((row.name for row in MODELS.values() if row.kind is type(model)), None)
        usual = {} if name is None else type(model)().get_params()
        settings = tuple((key, value) for key, value in model.get_params().items() if value != usual.get(key))
    else:
        name, settings = str(model), ()
    row, form = model_named(str(model) if name is None else name), weighting
    if row.needs_weights:
        form = weighting or "ltc"
        if form not in FORMS:
            raise UnknownName("weighting", form, FORMS)
    elif weighting is not None:
        raise InvalidSetting(f"weighting={weighting!r}: {row.name} learns from counts, which are not weighted")
    selected = selection(select)
    if selected is not None and row.needs_lengths:
        raise InvalidSetting(f"select={str(selected)!r}: {row.name} needs document lengths, which selection changes")
    return Candidate(row.name, settings, recipe or Recipe(), selected, form)


SUPPORT = ("support_vector", (("loss", "squared_hinge"),))


def shortlist(*, recipe: Recipe | None = None, select: Any = None) -> list[Candidate]:
    """The usual candidates, simplest first. A recipe or a selection that was asked for holds for all of them."""
    selected, base = selection(select), recipe or Recipe()
    out = [
        Candidate("multinomial", (("smoothing", 0.01),), base, selected),
        Candidate("complement", (), base, selected),
        Candidate("prtfidf", (), base, selected),
        Candidate("bernoulli", (), base, selected),
        Candidate("widrow_hoff", (), base, selected, "ltc"),
        Candidate("least_squares", (), base, selected, "ltc"),
        Candidate(*SUPPORT, base, selected, "ltc"),
    ]
    if recipe is None:  # most pairs occur once: nothing can be learned of these, and they are two thirds of the work
        out.append(replace(out[-1], recipe=Recipe(pairs=True), select=selected or Selection(COMMON, 2)))
    return out


def expected_winner(candidates: Sequence[Candidate]) -> Candidate:
    """The one that is most likely to come out best, before anything is tried: by its model, as EXPECTED has them; of one model
    the simplest, since pairs of words help on some collections only and cost three times as much."""
    ranks = {model: n for n, model in enumerate(EXPECTED)}
    return min(candidates, key=lambda candidate: ranks.get(candidate.model, len(ranks)))


def cost(candidate: Candidate, *, documents: int, entries: int, labels: int, several: bool, folds: int) -> float:
    """About how many CPU seconds the trial of a candidate takes. entries: of the documents x terms table of words alone. several:
    whether documents may have several labels."""
    law = LAWS.get(candidate.model, LAWS["support_vector"] if candidate.weighting is not None else OF_COUNTS)
    rounds: float = (documents / 10_000) ** law.power
    with_pairs = entries * pairs_factor(entries / max(documents, 1)) if candidate.recipe.pairs else entries
    scoring = law.entry_label * with_pairs + law.document_label * documents
    return folds * (law.entry * with_pairs + max(labels, 2) * (rounds * scoring + JUDGING[several] * documents))


def pairs_factor(length: float) -> float:
    """How much dearer pairs of words are that occur in two documents: in short ones hardly any do, in long ones they are thrice
    as much work. length: different words a document."""
    return min(1 + length / 40, 3.0)
