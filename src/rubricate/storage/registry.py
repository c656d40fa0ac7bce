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

# kind -> the module that registers it
HOMES = {
    "additive": "rubricate.scoring.additive",
    "bernoulli": "rubricate.models.from_counts.bernoulli",
    "calibrated": "rubricate.decisions.calibration.choice",
    "calibrated.bounds": "rubricate.decisions.calibration.bounds",
    "calibrated.reliability": "rubricate.measures.metrics.reliability",
    "calibration.beta": "rubricate.decisions.calibration.beta",
    "calibration.isotonic": "rubricate.decisions.calibration.isotonic",
    "calibration.range": "rubricate.decisions.inputs",
    "calibration.sigmoid": "rubricate.decisions.calibration.sigmoid",
    "calibration.temperature": "rubricate.decisions.calibration.temperature",
    "calibration.unchanged": "rubricate.decisions.calibration.curves",
    "candidate": "rubricate.training.candidates",
    "candidate.selection": "rubricate.training.candidates",
    "choice": "rubricate.models.from_vectors.inner_choice",
    "complement": "rubricate.models.from_counts.multinomial",
    "counts": "rubricate.counts.counts",
    "counts.entries": "rubricate.counts.entries",
    "cuts": "rubricate.decisions.thresholds.fitting",
    "cuts.bands": "rubricate.decisions.thresholds.bands",
    "cuts.person": "rubricate.decisions.thresholds.abstention",
    "dcm": "rubricate.models.from_counts.dcm",
    "dcm.odds": "rubricate.scoring.length_dependent",
    "dcm.parameters": "rubricate.scoring.length_dependent",
    "decision": "rubricate.decisions.rules",
    "density": "rubricate.decisions.density.estimation",
    "density.combo": "rubricate.decisions.density.estimation",
    "density.tried": "rubricate.decisions.density.estimation",
    "edcm": "rubricate.models.from_counts.edcm",
    "edcm.odds": "rubricate.scoring.length_dependent",
    "edcm.parameters": "rubricate.scoring.length_dependent",
    "exponentiated_gradient": "rubricate.models.from_vectors.exponentiated_gradient",
    "goal.f": "rubricate.decisions.thresholds.goals",
    "goal.micro_f": "rubricate.decisions.thresholds.goals",
    "goal.precision": "rubricate.decisions.thresholds.goals",
    "goal.recall": "rubricate.decisions.thresholds.goals",
    "goal.to_person": "rubricate.decisions.thresholds.goals",
    "index": "rubricate.models.from_vectors.nearest_neighbours",
    "index.part": "rubricate.scoring.neighbours",
    "least_squares": "rubricate.models.from_vectors.least_squares",
    "linear": "rubricate.scoring.linear",
    "maximum_entropy": "rubricate.models.from_vectors.maximum_entropy",
    "memory": "rubricate.models.from_vectors.nearest_neighbours",
    "multinomial": "rubricate.models.from_counts.multinomial",
    "nearest": "rubricate.decisions.density.nearest",
    "nearest_neighbours": "rubricate.models.from_vectors.nearest_neighbours",
    "net": "rubricate.scoring.layered",
    "neural_net": "rubricate.models.from_vectors.neural_net",
    "prtfidf": "rubricate.models.from_counts.prtfidf",
    "recipe": "rubricate.terms.recipe",
    "rocchio": "rubricate.models.from_vectors.rocchio",
    "scorer": "rubricate.scoring.additive",
    "scorer.length": "rubricate.scoring.length_dependent",
    "scorer.prior": "rubricate.scoring.additive",
    "scorer.rest": "rubricate.scoring.additive",
    "scorer.stack": "rubricate.scoring.additive",
    "simplified_multinomial": "rubricate.models.from_counts.multinomial",
    "stacked_bernoulli": "rubricate.models.from_counts.stacked_bernoulli",
    "sums": "rubricate.models.from_vectors.rocchio",
    "support_vector": "rubricate.models.from_vectors.support_vector",
    "table": "rubricate.counts.document_table",
    "tfidf": "rubricate.models.from_counts.tfidf",
    "training_documents": "rubricate.training.training_documents",
    "weighting": "rubricate.models.vectors",
    "widrow_hoff": "rubricate.models.from_vectors.widrow_hoff",
}
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

        def read(thing: Any) -> Parts:
            return {key: getattr(thing, key) for key in keys}

        def made(given: Parts, *context: Any) -> Any:
            given = given if unpack is None else unpack(given)
            if wrong := (needed - given.keys()) | (given.keys() - set(keys)):
                where = f"{context[-1]}: " if context else ""
                raise DamagedFile(f"{where}missing or unknown parts: {', '.join(sorted(wrong))}")
            return (make or cls)(*context, **given)

        KINDS[name] = BY_CLASS[cls] = Kind(name, cls, parts or read, made, check, code)
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

        def make(given: Parts) -> Any:
            for key in given:
                if key not in settings and key not in learned:
                    raise DamagedFile(f"{key!r} is no part of a {cls.__name__}")
            estimator = cls(**{key: value for key, value in given.items() if key in settings})
            for key in given.keys() - set(settings):
                setattr(estimator, key, given[key])
            if complete is not None:
                complete(estimator)
            return estimator

        KINDS[name] = BY_CLASS[cls] = Kind(name, cls, parts, make, check)
        return cls

    return register
