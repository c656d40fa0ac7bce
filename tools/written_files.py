"""Writes one of every kind of file, so that two states of the code can be compared byte for byte:

    PYTHONPATH=<before>/src python <before>/tools/written_files.py /tmp/before
    PYTHONPATH=<after>/src python <after>/tools/written_files.py /tmp/after
    diff -r /tmp/before /tmp/after

TextClassifiers of every model, with one label a document and several, full and slim, and all those of the frozen fixtures; bare
models with usual and unusual settings, fitted, scored and learned further; counts, background collection, topics, screening.
Times and random names are replaced by counters, so that the same program writes the same files.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "fixtures")]

import make_frozen_files as frozen_files  # noqa: E402

import frozen  # noqa: E402
import kept_models  # noqa: E402
import rubricate as rb  # noqa: E402
from rubricate import models  # noqa: E402
from rubricate.density import DensityEstimation  # noqa: E402
from rubricate.routing import folder as topics  # noqa: E402
from rubricate.routing import history  # noqa: E402

try:
    from rubricate.saved import arrays_of
    from rubricate.storage import container
    from rubricate.storage.encode import encode
except ImportError:  # code before `storage`
    from rubricate.kept import arrays_of  # type: ignore[no-redef]
    from rubricate.kept import taken_apart as encode  # type: ignore[no-redef]

    from rubricate import model_file as container  # type: ignore[no-redef]


for name, (settings, form) in frozen_files.WAYS.items():  # numbers that are not whole are no labels any more
    frozen_files.WAYS[name] = settings, "one" if form == "floats" else form


def write_every_model(folder: Path) -> None:
    for name in models.MODELS:
        for form in ("one", "lists", "indicator", "two"):
            model = rb.TextClassifier(name, folds=3, jobs=1).fit(frozen.TEXTS, frozen.labels_in(form))
            for slim in (False, True):
                model.save(folder / f"{name}.{form}.{'slim' if slim else 'full'}.rub", slim=slim)


def write_bare_models(folder: Path) -> None:
    for name in (*models.MODELS, *kept_models.UNUSUAL):
        for labels in kept_models.LABELS:
            try:
                model = kept_models.fitted(name, labels)
            except ValueError:  # a start for another number of labels
                continue
            write_model(folder / f"{name}.{labels}.rub", model)
            kept_models.answers(model)
            write_model(folder / f"{name}.{labels}.used.rub", model)
            if hasattr(model, "partial_fit") and not getattr(model, "pocket", False) and "last" not in name:
                X, y = kept_models.documents_for(model), kept_models.LABELS[labels]
                write_model(folder / f"{name}.{labels}.further.rub", model.partial_fit(X[3:15], y[3:15]))
            if hasattr(model, "prune"):
                model.prune(kept_models.WEIGHTS, below=0.1)
                write_model(folder / f"{name}.{labels}.pruned.rub", model)
    for k in ("auto", 3):
        density = DensityEstimation(k=k).fit(kept_models.WEIGHTS.toarray(), kept_models.SEVERAL)
        tree, arrays = encode(density, under="density")
        container.write(folder / f"density {k}.rub", {"workbench": {"tree": tree}}, arrays)
    named = models.Multinomial().fit(kept_models.COUNTS, kept_models.ONE)
    named.feature_names_in_ = np.array([f"term {n}" for n in range(12)], dtype=object)  # as after a table of pandas
    write_model(folder / "named columns.rub", named)


def write_model(path: Path, model: Any) -> None:
    settings, arrays = arrays_of(model)
    container.write(path, {"model": {"name": path.stem, "settings": settings}}, arrays)


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    folder.mkdir(parents=True)
    numbers = itertools.count()
    frozen.said = frozen.reasons = frozen.learn_and_forget = lambda *_: None  # type: ignore[assignment]  # files are compared
    history.now = topics.now = lambda: "2026-11-16T00:00:00Z"  # type: ignore[assignment]
    os.urandom = lambda n: next(numbers).to_bytes(n, "big")  # type: ignore[assignment]
    work = [("every_model", write_every_model), ("bare_models", write_bare_models)]
    work += [
        ("frozen", getattr(frozen_files, f"write_{name}")) for name in ("classifiers", "parts", "counts", "topics")
    ]
    for name, write in work:
        place = folder / name
        if not place.exists():
            place.mkdir()
            rows = zip(frozen.TEXTS, frozen.LISTS, strict=True)
            lines = [json.dumps({"id": f"d{n}", "text": text, "labels": own}) for n, (text, own) in enumerate(rows)]
            (place / "pile.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        os.chdir(folder)
        write(Path(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
