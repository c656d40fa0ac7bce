"""Model files: what one says of a TextClassifier, and back; and bare classifiers as settings and arrays.

    manifest    for people and programs: recipe, labels, what was tried, thresholds with intervals (labels and thresholds unless
                they are very long), what spoke for the calibration, where the data came from
    workbench   the tree of everything that was set and fitted; what it names lies in the arrays

Nothing is fitted when a file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from operator import attrgetter, is_
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..counts import Counts
from ..counts.document_table import Table
from ..decisions.calibration import Calibrated
from ..decisions.rules import Decision
from ..errors import DamagedFile, InvalidSetting
from ..foundation.arrays import Array, Floats
from ..foundation.jsonable import to_json
from ..models.classifier import Classifier
from ..models.vectors import Weighting
from ..scoring.document_profile import DocumentProfile
from ..storage.container import read, write
from ..storage.registry import kind_of
from ..storage.trees import decode, encode
from ..terms.recipe import Recipe
from .candidates import Candidate, candidate
from .table_updates import Remembered
from .training_documents import TrainingDocuments

UNDER = "workbench"
MOST_LABELS = 20_000  # up to which the manifest repeats thresholds for people; the arrays have them in any case
LONGEST = (
    4 * 2**20
)  # bytes of JSON up to which the manifest repeats a field of REPEATED: names of labels may be sentences
REPEATED: dict[str, Any] = {"labels": [], "decision": None}  # fields that the arrays have too, and what stands for none

State = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fitted:
    """What a fit learns and a file holds: attributes of a TextClassifier, under the same names in both. Those with a default are
    missing in files of earlier versions."""

    _given_kind: str  # the form in which labels came and are given back: see `LabelSets`
    _ids: list[str] | None  # of the training documents, where they are shown as reasons
    _order: list[str]  # names of the labels, sorted
    calibrated_: Calibrated | None
    candidate_: Candidate
    classes_: Array
    counts_: Counts | None  # of models that learn from counts
    decision_: Decision
    documents_: Table | None  # of all other models
    model_: Classifier
    recipe_: Recipe
    several_labels_: bool
    terms_: list[str]
    weighting_: Weighting | None
    joint_scores_: bool = False
    per_word_: bool = False
    prior_: Floats | None = None
    reference_: DocumentProfile | None = None  # of the training documents, held out: what new ones are compared with
    training_documents_: TrainingDocuments | None = None
    unknown_: Floats | None = None  # multi-label: scores of a text without a known word

    @classmethod
    def of(cls, classifier: object) -> Fitted:
        return cls(**{name: getattr(classifier, name) for name in NAMES})

    def is_of(self, classifier: object) -> bool:
        """Whether all parts are still those of the classifier."""
        return all(map(is_, all_parts(self), all_parts(classifier)))

    def state(self) -> State:
        return {name: getattr(self, name) for name in sorted(NAMES)}

    def restore(self, classifier: object) -> None:
        for name, value in self.state().items():
            setattr(classifier, name, value)

    def slimmed(self) -> Fitted:
        """Without what only learning and forgetting need."""
        return replace(self, counts_=None, documents_=None, training_documents_=None, model_=self.model_.slimmed())

    def manifest(self, report: State, *, random_state: int) -> State:
        selection, weighting, thresholds = self.candidate_.select, self.candidate_.weighting, self.decision_.cuts
        return {
            "recipe": self.recipe_.to_dict(),
            "labels": [str(label) for label in self.classes_.tolist()],
            "several_labels": self.several_labels_,
            "selection": None if selection is None else {"by": selection.by, "top": selection.top},
            "weighting": None if weighting is None else {"form": weighting},
            "decision": None if thresholds is None or len(self._order) > MOST_LABELS else thresholds.as_dict(),
            "calibration": None if self.calibrated_ is None else self.calibrated_.evidence(),
            "tried": report["tried"],
            "data": {name: value for name, value in report["data"].items() if name != "repairs"},
            "measure": report["measure"],
            "random_state": random_state,
            "notes": [report["statement"], *report["changes"]],
        }


NAMES = tuple(field.name for field in fields(Fitted))
all_parts = attrgetter(*NAMES)


def write_classifier(path: str | Path, *, settings: State, fitted: Fitted, report: State) -> str:
    """Write settings, what was fitted and the report of the fit; the file's digest is returned. How many threads to take is not
    the model's, but the machine's: it is left out."""
    model = settings["model"]
    settings = {**settings, "model": model if isinstance(model, str) else candidate(model), "jobs": None}
    settings.pop("n_jobs", None)
    manifest = fitted.manifest(report, random_state=settings["random_state"])
    long = {name: none for name, none in REPEATED.items() if len(to_json({name: manifest[name]})) > LONGEST}
    tree, arrays = encode({"settings": settings, "fitted": fitted.state()}, under=UNDER)
    return write(path, {**manifest, **long, "workbench": {"tree": tree, "report": without_numpy(report)}}, arrays)


def read_classifier(path: str | Path, *, recipe: Recipe | None = None) -> tuple[State, Fitted, State]:
    """Settings, what was fitted, and the report of the fit.

    recipe: the one the model was trained with, needed where it has a Python function: code is never loaded from files.
    """
    file = read(path)
    workbench = file.manifest["workbench"]
    if not workbench:
        raise DamagedFile(f"{path}: holds no TextClassifier; `rubricate.storage.container.read` shows what it holds")
    state = decode(workbench.get("tree"), file.arrays, under=UNDER, recipe=recipe)
    report = workbench.get("report")
    settings, parts = (state.get("settings"), state.get("fitted")) if isinstance(state, dict) else (None, None)
    if not (isinstance(settings, dict) and isinstance(parts, dict) and isinstance(report, dict)):
        raise DamagedFile(f"{path}: settings, what was fitted, or the report is missing")
    if isinstance(settings.get("model"), Candidate):
        settings["model"] = settings["model"].build()
    try:
        fitted = Fitted(**parts)
    except TypeError as problem:
        raise DamagedFile(f"{path}: not what a TextClassifier holds: {problem}") from None
    remembered = Remembered(fitted.counts_, fitted.documents_, fitted.training_documents_)
    remembered.check(path, labels=len(fitted._order))
    return settings, fitted, report


def without_numpy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): without_numpy(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [without_numpy(part) for part in value]
    return value.item() if isinstance(value, np.generic) else value


def arrays_of(model: Classifier) -> tuple[dict[str, Any], dict[str, Array]]:
    """A fitted classifier as settings that JSON can hold and arrays whose names begin with `model/`."""
    if not isinstance(model, Classifier):
        raise InvalidSetting(f"{type(model).__name__} is no classifier of rubricate: it cannot be kept in a file")
    kind_of(model, "model")
    check_is_fitted(model)
    return encode(model, under="model")


def model_from(settings: Mapping[str, Any], arrays: Mapping[str, Array], *, recipe: Recipe | None = None) -> Classifier:
    """The classifier that `arrays_of` was given. recipe: the one it was counted with, needed where that has a Python function:
    code is never loaded from files."""
    model = decode(settings, arrays, under="model", recipe=recipe)
    if not isinstance(model, Classifier):
        raise DamagedFile("model: these settings are not those of a classifier")
    return model
