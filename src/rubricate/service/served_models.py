"""Models that are served: each loaded from its file, and loaded again, whole or not at all, when the file is replaced.

A file is looked at every second by size, time and inode. A new one is read aside, its checksums compared, and tried on a text
before it takes the place of the old one by a single assignment; requests under way keep the model they began with. A file that
cannot be read leaves the old model in place, and `problem` says why.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import InvalidSetting, RubricateError, UnknownName
from ..scoring.prediction_rows import WORDS, OutputSettings, Totals, output_rows
from ..scoring.prediction_writer import Jsonl
from ..scoring.predictions import NamedText, Predictions, predict_blocks, word_scores
from ..scoring.predictor import Predictor
from ..terms.fields import Document
from ..training.compiled_vocabulary import with_compiled_vocabulary
from .metrics import RunningProfile

PROBE = "a text to try a model on before it is served"
LOOK_SECONDS = 1.0
Stamp = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class ServedModel:
    """A model in memory, its vocabulary laid out for compiled loops. Threads may share it."""

    name: str
    predictor: Predictor
    writer: Jsonl
    answered: RunningProfile  # of the documents since it was loaded

    @classmethod
    def load(cls, name: str, path: Path) -> ServedModel:
        """Read from its file and tried on a text."""
        predictor = with_compiled_vocabulary(Predictor.load(path))
        model = cls(name, predictor, Jsonl(predictor.label_names), RunningProfile.of(predictor))
        if not predictor.decider.rule.of_batches:
            document = model.document(None, dict.fromkeys(model.fields or ["text"], PROBE))
            model.lines([NamedText("probe", document)], OutputSettings())
        return replace(model, answered=RunningProfile.of(predictor))

    @property
    def digest(self) -> str:
        return self.predictor.digest

    @property
    def label_names(self) -> list[str]:
        return self.predictor.label_names

    @property
    def fields(self) -> list[str]:
        """The text fields that a document must have; none if any text will do."""
        return list(self.predictor.vocabulary.recipe.fields or ())

    def document(self, text: str | None, fields: Mapping[str, str] | None) -> Document:
        """A document as the model takes it; a text alone stands for the only field."""
        if fields is None:
            if text is None:
                raise InvalidSetting("text is missing")
            if len(self.fields) > 1:
                raise InvalidSetting(f'give the texts as "fields": this model reads {", ".join(self.fields)}')
            return {self.fields[0]: text} if self.fields else text
        missing = next((name for name in self.fields if name not in fields), None)
        if missing is not None:
            raise UnknownName("text field", missing, fields)
        if not fields:
            raise InvalidSetting("fields is empty: give at least one text")
        return fields

    def lines(self, documents: Sequence[NamedText], settings: OutputSettings) -> bytes:
        """A line of JSON for each document, as `rubricate predict` writes it."""
        predictor = self.predictor
        if predictor.decider.rule.of_batches:
            raise InvalidSetting(
                "its rule (pcut) decides on a whole batch together: use the command `rubricate predict`"
            )

        def words_behind(block: Predictions, decisions: Any) -> list[dict[str, list[Any]]]:
            return word_scores(predictor, block, decisions, top=WORDS)

        blocks = self.answered.counting(predict_blocks(predictor, documents))
        rows = output_rows(blocks, settings, Totals(), multilabel=predictor.multilabel, words_behind=words_behind)
        return b"".join(self.writer.lines(rows, person=settings.abstain is not None))

    def card(self) -> dict[str, Any]:
        """What a person should know before trusting it."""
        predictor, report = self.predictor, self.predictor.report
        thresholds = predictor.decider.rule.thresholds
        return {
            "name": self.name,
            "digest": self.digest,
            "labels": predictor.label_names,
            "multilabel": predictor.multilabel,
            "fields": self.fields,
            "thresholds": None if thresholds is None else [finite(value) for value in thresholds.tolist()],
            "rule": report.get("decide"),
            "calibration": report.get("calibration"),
            "terms": len(predictor.vocabulary.terms),
            "recipe": predictor.vocabulary.recipe.to_dict(),
            "documents": report.get("documents"),
            "measure": report.get("measure"),
            "value": report.get("value"),
            "interval": report.get("interval"),
            "statement": report.get("statement"),
            "changes": report.get("changes"),
        }


def finite(value: float) -> float | None:
    """None for a label that is never given, or always."""
    return value if abs(value) < float("inf") else None


class ServedModels:
    """The models by name, watched while `watch` runs."""

    def __init__(self, paths: Sequence[Path]) -> None:
        names = [path.stem for path in paths]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise InvalidSetting(
                f"two models are called {repeated!r}: rename one of the files, their names are the addresses"
            )
        self.paths = dict(zip(names, paths, strict=True))
        self.stamps = {name: stamp_of(path) for name, path in self.paths.items()}
        self.models = {name: ServedModel.load(name, path) for name, path in self.paths.items()}
        self.problems: dict[str, str] = {}  # by name: why a new file was not taken
        self.swaps = dict.fromkeys(self.paths, 0)
        self.stopping = threading.Event()

    def model_named(self, name: str) -> ServedModel:
        if name not in self.models:
            raise UnknownName("model", name, self.models)
        return self.models[name]

    def reload_changed(self) -> None:
        """Take over files that have changed since they were last looked at."""
        for name, path in self.paths.items():
            stamp = stamp_of(path)
            if stamp == self.stamps[name]:
                continue
            self.stamps[name] = stamp
            try:
                self.models[name] = ServedModel.load(name, path)
            except (RubricateError, OSError) as problem:
                self.problems[name] = str(problem)
            else:
                self.problems.pop(name, None)
                self.swaps[name] += 1

    def watch(self) -> None:
        """Look every second until `stopping` is set: for a thread."""
        while not self.stopping.wait(LOOK_SECONDS):
            self.reload_changed()


def stamp_of(path: Path) -> Stamp:
    """What changes when a file is replaced; zeros while there is none."""
    try:
        stat = path.stat()
    except OSError:
        return 0, 0, 0
    return stat.st_size, stat.st_mtime_ns, stat.st_ino
