"""What can be stored in a file. Each class says so where it is defined:

    @stored("linear", keys=("weights", "bias", "factors", "shared"), check=_check_linear)
    @dataclass(frozen=True)
    class Linear: ...

Stored are these keys and nothing else, so that a new attribute changes no file. Functions are never stored: a thing gets them
from its class. Files name kinds ("linear"), never modules or classes; `HOMES` says in which module a kind is defined, and a file
that names a kind makes that module be imported. What is in no row is refused, on the way out and on the way in.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from ..errors import DamagedFile, InvalidSetting

Parts = dict[str, Any]
Class = TypeVar("Class", bound=type[Any])
Check = Callable[[Any], None]
ABSENT = object()

# module -> the kinds that it registers
MODULES = {
    "counts.counts": "counts",
    "counts.document_table": "table",
    "counts.entries": "counts.entries",
    "decisions.calibration.choice": "calibrated",
    "decisions.calibration.curves": "calibrated.bounds calibration.unchanged",
    "decisions.calibration.isotonic": "calibration.isotonic",
    "decisions.calibration.logistic": "calibration.beta calibration.sigmoid",
    "decisions.calibration.temperature": "calibration.temperature",
    "decisions.density.estimation": "density density.combo density.tried",
    "decisions.density.nearest": "nearest",
    "decisions.rules": "decision",
    "decisions.thresholds.abstention": "cuts.bands cuts.person",
    "decisions.thresholds.fitting": "cuts",
    "decisions.thresholds.goals": "goal.f goal.micro_f goal.precision goal.recall goal.to_person",
    "measures.metrics.probabilities": "calibrated.reliability",
    "models.from_counts.bernoulli": "bernoulli",
    "models.from_counts.dcm": "dcm",
    "models.from_counts.edcm": "edcm",
    "models.from_counts.multinomial": "complement multinomial simplified_multinomial",
    "models.from_counts.prtfidf": "prtfidf",
    "models.from_counts.stacked_bernoulli": "stacked_bernoulli",
    "models.from_counts.tfidf": "tfidf",
    "models.from_vectors.exponentiated_gradient": "exponentiated_gradient",
    "models.from_vectors.inner_choice": "choice",
    "models.from_vectors.least_squares": "least_squares",
    "models.from_vectors.maximum_entropy": "maximum_entropy",
    "models.from_vectors.nearest_neighbours": "index memory nearest_neighbours",
    "models.from_vectors.neural_net": "neural_net",
    "models.from_vectors.rocchio": "rocchio sums",
    "models.from_vectors.support_vector": "support_vector",
    "models.from_vectors.widrow_hoff": "widrow_hoff",
    "models.vectors": "weighting",
    "scoring.additive": "additive scorer scorer.prior scorer.rest scorer.stack",
    "scoring.calibrated": "calibration.range",
    "scoring.document_profile": "document_profile",
    "scoring.layered": "net",
    "scoring.length_dependent": "dcm.odds dcm.parameters edcm.odds edcm.parameters scorer.length",
    "scoring.linear": "linear",
    "scoring.neighbours": "index.part",
    "terms.recipe": "recipe",
    "training.candidates": "candidate candidate.selection",
    "training.training_documents": "training_documents",
}
HOMES = {kind: f"rubricate.{module}" for module, kinds in MODULES.items() for kind in kinds.split()}
ALIASES: dict[str, str] = {}  # kinds as files of earlier versions name them -> as they are named now


@dataclass(frozen=True, slots=True)
class Kind:
    """How things of one class are stored: parts by key, how they make the thing again, what must hold of it.

    code: of kinds whose things may hold a function, which no file does: whether this one does. Who decodes it must have it, and
    `make` is first told what the caller has, and the path; see `Recipe`.
    """

    name: str
    cls: type[Any]
    parts: Callable[[Any], Parts]
    make: Callable[..., Any]
    check: Check | None = None
    code: Callable[[Any], bool] | None = None


KINDS: dict[str, Kind] = {}  # by name; of the modules that have been imported
BY_CLASS: dict[type[Any], Kind] = {}


def kind_of(thing: Any, path: str) -> Kind:
    """How a thing is stored, by its class; path: where it was met."""
    kind = BY_CLASS.get(type(thing))
    if kind is None:
        raise InvalidSetting(
            f"{path}: a {type(thing).__module__}.{type(thing).__qualname__} cannot be kept in a file; "
            "give plain values, arrays, or what rubricate itself has fitted"
        )
    return kind


def kind_named(name: Any) -> Kind | None:
    """The kind that a file names; its module is imported when it is first met."""
    name = ALIASES.get(name, name) if isinstance(name, str) else None
    if name not in HOMES:
        return None
    if name not in KINDS:
        import_module(HOMES[name])
    return KINDS[name]


def stored(
    name: str,
    *,
    keys: Iterable[str],
    parts: Callable[[Any], Parts] | None = None,
    unpack: Callable[[Parts], Parts] | None = None,
    make: Callable[..., Any] | None = None,
    check: Check | None = None,
    code: Callable[[Any], bool] | None = None,
) -> Callable[[Class], Class]:
    """Store things of a class by these keys.

    parts: what is stored, if it is not the attributes of these names. unpack: what is stored -> the keys, if these differ. make:
    the thing from its keys, if it is not the class called with them; a key that has a default there may be missing, since older
    files have fewer. check: raises `DamagedFile` if what was made must not be used.
    """
    keys = tuple(keys)

    def register(cls: Class) -> Class:
        arguments = inspect.signature(make or cls).parameters
        needed = {key for key in keys if key not in arguments or arguments[key].default is inspect.Parameter.empty}

        def attributes(thing: Any) -> Parts:
            return {key: getattr(thing, key) for key in keys}

        def make_from(values: Parts, *context: Any) -> Any:
            values = values if unpack is None else unpack(values)
            if wrong := (needed - values.keys()) | (values.keys() - set(keys)):
                where = f"{context[-1]}: " if context else ""
                raise DamagedFile(f"{where}missing or unknown parts: {', '.join(sorted(wrong))}")
            return (make or cls)(*context, **values)

        KINDS[name] = BY_CLASS[cls] = Kind(name, cls, parts or attributes, make_from, check, code)
        return cls

    return register


def stored_estimator(
    name: str, *, learned: Iterable[str], check: Check, complete: Callable[[Any], None] | None = None
) -> Callable[[Class], Class]:
    """Store fitted estimators of a class: the settings of its constructor, and those attributes of `learned` that it has.

    A setting that a file lacks has its default. complete: puts in what no file holds.
    """
    learned = tuple(learned)

    def register(cls: Class) -> Class:
        settings = tuple(inspect.signature(cls).parameters)

        def parts(estimator: Any) -> Parts:
            values = ((key, getattr(estimator, key, ABSENT)) for key in (*settings, *learned))
            return {key: value for key, value in values if value is not ABSENT}

        def make(values: Parts) -> Any:
            for key in values:
                if key not in settings and key not in learned:
                    raise DamagedFile(f"{key!r} is no part of a {cls.__name__}")
            estimator = cls(**{key: value for key, value in values.items() if key in settings})
            for key in values.keys() - set(settings):
                setattr(estimator, key, values[key])
            if complete is not None:
                complete(estimator)
            return estimator

        KINDS[name] = BY_CLASS[cls] = Kind(name, cls, parts, make, check)
        return cls

    return register
