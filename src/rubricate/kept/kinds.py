"""The closed table of what can be kept in a file: name -> class, its parts, how it is made of them, what is checked.

A dataclass is its fields, a classifier its settings and what it has learned. Functions are no parts: a scorer gets them from its
classifier. To keep a new class, give it a row here and, if a compiled loop follows its numbers, a check beside `sound_models`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any

from ..counts import Counts
from ..counts.entries import Entries
from ..counts.one_pass import Table
from ..decisions.calibration import CALIBRATORS, Bounds, Calibrated, Isotonic
from ..decisions.calibration.finite import Range
from ..decisions.density import Combo, DensityEstimation
from ..decisions.density.choice import TriedK
from ..decisions.density.nearest import Nearest
from ..decisions.rules import Decision
from ..decisions.thresholds import Cuts
from ..decisions.thresholds.abstention import Person
from ..decisions.thresholds.bands import Bands
from ..decisions.thresholds.goals import NAMES as GOALS
from ..errors import DamagedFile, InvalidSetting
from ..measures.metrics import Reliability
from ..models import MODELS
from ..models.additive import Additive
from ..models.classifier import Classifier
from ..models.from_counts import dcm, edcm
from ..models.from_counts.count_model import CountModel, LengthScorer, Scorer, Stack
from ..models.from_counts.prtfidf import PriorScorer
from ..models.from_counts.tfidf import ScaledRest
from ..models.from_vectors.cosine_index import CosineIndex, Part
from ..models.from_vectors.inner_choice import Choice
from ..models.from_vectors.nearest_neighbours import Memory
from ..models.from_vectors.neural_net import Net
from ..models.from_vectors.sums import Sums
from ..models.from_vectors.vector_model import Linear
from ..models.vectors import Weighting
from ..terms.recipe import Recipe
from ..training.candidates import Candidate, Selection
from ..training.training_documents import TrainingDocuments, check_training_documents
from . import sound_scores as scores
from . import sound_statistics as statistics
from .corners import joined_corners, parted_corners
from .sound_curves import check_curves, check_cuts, check_decision
from .sound_models import check_estimator

__all__ = ["KINDS", "Kind", "kind_of"]

Parts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table."""

    name: str
    cls: type[Any]
    parts: Callable[[Any], Parts]
    make: Callable[[Parts], Any]
    check: Callable[[Any], None] | None = None


def kind_of(thing: Any, path: str) -> Kind:
    """The row of a thing's own class; path: where it was met."""
    kind = BY_CLASS.get(type(thing))
    if kind is None:
        raise InvalidSetting(
            f"{path}: a {type(thing).__module__}.{type(thing).__qualname__} cannot be kept in a file; "
            "give plain values, arrays, or what rubricate itself has fitted"
        )
    return kind


# -- dataclasses


def of_fields(name: str, cls: type[Any], check: Callable[[Any], None] | None = None) -> Kind:
    """A dataclass. A field that came later, with a default, may be missing."""

    def parts(thing: Any) -> Parts:
        return {field.name: getattr(thing, field.name) for field in fields(cls)}

    def make(given: Parts) -> Any:
        names = {field.name for field in fields(cls)}
        needed = {field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING}
        refuse_others(given, needed, names)
        return cls(**given)

    return Kind(name, cls, parts, make, check)


def refuse_others(given: Parts, needed: set[str], allowed: set[str]) -> None:
    """Exactly the parts there should be."""
    if wrong := (needed - given.keys()) | (given.keys() - allowed):
        raise DamagedFile(f"missing or unknown parts: {', '.join(sorted(wrong))}")


# -- scorers: their functions come from the class of the model, never from a file

FUNCTIONS: dict[type[Any], tuple[Any, Any]] = {
    dcm.Parameters: (dcm.scores, dcm.contributions),
    dcm.Odds: (dcm.odds, dcm.odds_contributions),
    edcm.Parameters: (edcm.scores, edcm.contributions),
    edcm.Odds: (edcm.odds, edcm.odds_contributions),
}


def of_attributes(name: str, cls: type[Any], *names: str, check: Callable[[Any], None] | None = None) -> Kind:
    """A scorer by its attributes; the gains are put in by its classifier."""

    def make(given: Parts) -> Any:
        refuse_others(given, set(names), set(names))
        made: Any = object.__new__(cls)
        vars(made).update(given)
        return made

    return Kind(name, cls, lambda thing: {own: getattr(thing, own) for own in names}, make, check)


def length_scorer(given: Parts) -> LengthScorer:
    """The scorer of a model that looks at the length of a document."""
    refuse_others(given, {"parameters"}, {"parameters"})
    if type(given["parameters"]) not in FUNCTIONS:
        raise DamagedFile("a scorer without parameters")
    return LengthScorer(given["parameters"], *FUNCTIONS[type(given["parameters"])])


def stack(given: Parts) -> Stack:
    """A scorer of several layers."""
    refuse_others(given, {"layers"}, {"layers"})
    scores.check_layers(given["layers"])
    return Stack(given["layers"], gains=None)  # type: ignore[arg-type]


# -- classifiers


def of_estimator(name: str, cls: type[Any]) -> Kind:
    """An estimator: its settings and all it has learned, whatever the names. A setting that came later has its default."""

    def make(given: Parts) -> Any:
        usual = inspect.signature(cls).parameters
        for own in given:
            if not own.isidentifier() or own.startswith("__") or (hasattr(cls, own) and own not in OVER_CLASS):
                raise DamagedFile(f"{own!r} is no part of a {cls.__name__}")
        made: Any = object.__new__(cls)
        vars(made).update({own: setting.default for own, setting in usual.items()} | given)
        if isinstance(made, CountModel):
            for scorer in (getattr(made, "_scorer", None), getattr(made, "_against", None)):
                if isinstance(scorer, Scorer) and not isinstance(scorer, LengthScorer):
                    scorer.gains = made._gains
        return made

    return Kind(name, cls, lambda thing: thing.__getstate__(), make, check_estimator)


OVER_CLASS = ("priors",)  # a setting in some models, of the class in others


# -- the others


def index_from(given: Parts) -> CosineIndex:
    """An index of documents, ready to be searched."""
    refuse_others(given, {"n_terms", "parts"}, {"n_terms", "parts"})
    statistics.check_parts(given["n_terms"], given["parts"])
    made = CosineIndex(given["n_terms"])
    made._held = tuple(given["parts"]), ()
    return made


def memory_from(given: Parts) -> Memory:
    """Documents and their labels; cuts are worked out when somebody asks."""
    refuse_others(given, {"index", "truth"}, {"index", "truth"})
    return Memory(given["index"], given["truth"])


def nearest_from(given: Parts) -> Nearest:
    """Score vectors that can be searched."""
    refuse_others(given, {"vectors", "by_tree"}, {"vectors", "by_tree"})
    return Nearest(given["vectors"], way="tree" if given["by_tree"] else "blocks")


def of_isotonic() -> Kind:
    """Isotonic curves: their corners are joined, so that there are a few arrays and not two a label."""
    usual = of_fields("calibration.isotonic", Isotonic, check_curves)
    return replace(
        usual,
        parts=lambda thing: joined_corners(usual.parts(thing)),
        make=lambda given: usual.make(parted_corners(given)),
    )


def recipe_parts(recipe: Recipe) -> Parts:
    """The settings of a recipe; a function by its name, which brings it back to nobody."""
    return {"settings": recipe.to_dict(), "fingerprint": recipe.fingerprint}


CLASSIFIERS: dict[str, type[Classifier]] = {name: row.kind for name, row in MODELS.items()}
ROWS = (
    *(of_estimator(name, cls) for name, cls in CLASSIFIERS.items()),
    of_estimator("density", DensityEstimation),
    of_fields("additive", Additive, scores.check_additive),
    of_attributes("scorer", Scorer, "additive", check=scores.check_scorer),
    of_attributes("scorer.prior", PriorScorer, "additive", "prior", check=scores.check_scorer),
    of_attributes("scorer.rest", ScaledRest, "additive", "whole", "scale", check=scores.check_scorer),
    Kind("scorer.stack", Stack, lambda thing: {"layers": thing.layers}, stack),
    Kind("scorer.length", LengthScorer, lambda thing: {"parameters": thing.parameters}, length_scorer),
    of_fields("dcm.parameters", dcm.Parameters, scores.check_dcm),
    of_fields("dcm.odds", dcm.Odds, scores.check_dcm_odds),
    of_fields("edcm.parameters", edcm.Parameters, scores.check_edcm),
    of_fields("edcm.odds", edcm.Odds, scores.check_edcm_odds),
    of_fields("counts", Counts, statistics.check_counts),
    of_fields("counts.entries", Entries, statistics.check_entries),
    of_fields("table", Table, statistics.check_table),
    Kind("recipe", Recipe, recipe_parts, Recipe.from_dict),
    of_fields("candidate", Candidate),
    of_fields("candidate.selection", Selection),
    of_fields("training_documents", TrainingDocuments, check_training_documents),
    of_fields("weighting", Weighting, statistics.check_weighting),
    of_fields("sums", Sums, scores.check_sums),
    of_fields("linear", Linear, scores.check_linear),
    of_fields("choice", Choice),
    of_fields("net", Net, scores.check_net),
    Kind("index", CosineIndex, lambda thing: {"n_terms": thing.n_terms, "parts": list(thing.parts)}, index_from),
    of_fields("index.part", Part, statistics.check_part),
    Kind(
        "memory",
        Memory,
        lambda thing: {"index": thing.index, "truth": thing.truth},
        memory_from,
        statistics.check_memory,
    ),
    Kind("nearest", Nearest, lambda thing: {"vectors": thing.vectors, "by_tree": thing.by_tree}, nearest_from),
    of_fields("density.tried", TriedK),
    of_fields("density.combo", Combo),
    *(of_fields(f"calibration.{name}", cls, check_curves) for name, cls in CALIBRATORS.items() if cls is not Isotonic),
    of_isotonic(),
    of_fields("calibration.range", Range),
    of_fields("calibrated", Calibrated),
    of_fields("calibrated.bounds", Bounds),
    of_fields("calibrated.reliability", Reliability),
    of_fields("cuts", Cuts, check_cuts),
    of_fields("decision", Decision, check_decision),
    of_fields("cuts.bands", Bands),
    of_fields("cuts.person", Person),
    *(of_fields(f"goal.{name}", cls) for name, cls in GOALS.items()),
)
KINDS = {row.name: row for row in ROWS}
BY_CLASS = {row.cls: row for row in ROWS}
