"""The systems that `compare` is given, models or files of answers, and their answers brought together with the truth by id."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import loaded
from .shown import progress
from .written import BETWEEN

if TYPE_CHECKING:
    from ..corpus import Corpus

__all__ = ["Answered", "Truth", "by_model", "by_predictions", "is_model", "truth_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What a system said: documents x labels, with the ids of the documents and the names of the labels."""

    name: str
    ids: list[str]
    names: list[str]
    decisions: Any  # sparse 0/1
    probabilities: Any  # sparse, or dense
    scores: Any  # as these, or the model's own


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is right: ids, labels, all names that occur; several: whether a document has, or was given, more than one label."""

    ids: list[str]
    labels: list[list[str]]
    names: list[str]
    several: bool

    def values(self, own: Answered, needs: str) -> Any:
        """A system's answers in the order of the documents and labels here, in the form that a measure needs."""
        import numpy as np
        from scipy import sparse

        table = aligned(own, getattr(own, needs if self.several or needs == "decisions" else "probabilities"), self)
        if needs == "decisions":
            if self.several:
                return table
            table.eliminate_zeros()
            ends = pairwise(table.indptr.tolist())  # at most one a document
            given = [self.names[table.indices[start]] if start < end else "" for start, end in ends]
            return np.array(given, dtype=object)
        dense = table.toarray() if sparse.issparse(table) else np.asarray(table)
        if needs == "probabilities" and not self.several:
            sums = dense.sum(axis=1, keepdims=True)  # small ones may not have been written
            dense = np.where(sums > 0, dense / np.where(sums > 0, sums, 1.0), 1 / dense.shape[1])
        return dense

    def wanted(self, needs: str) -> Any:
        """The truth in the form that goes with them."""
        import numpy as np

        from ..answers import table_of

        if self.several or needs == "scores":
            return table_of(self.labels, self.names)
        if needs == "decisions":
            return np.array([own[0] for own in self.labels], dtype=object)
        return np.array([self.names.index(own[0]) for own in self.labels])


def aligned(own: Answered, table: Any, truth: Truth) -> Any:
    """Rows and columns of a system's table as they are in the truth."""
    import numpy as np
    from scipy import sparse

    from ..errors import InputError

    row = {name: n for n, name in enumerate(own.ids)}
    missing = [name for name in truth.ids if name not in row]
    if missing:
        some = ", ".join(repr(name) for name in missing[:3])
        raise InputError(own.name, f"no answer to {len(missing):,} documents ({some})", "predict the same documents")
    place = {name: n for n, name in enumerate(truth.names)}
    chosen = sparse.coo_array(table[[row[name] for name in truth.ids]])
    columns = np.array([place[name] for name in own.names], dtype=np.int64)
    shape = (len(truth.ids), len(truth.names))
    out = sparse.csr_array((chosen.data, (chosen.row, columns[chosen.col])), shape=shape)
    if sparse.issparse(table) or not len(own.names):
        return out
    lowest = float(np.min(table[np.isfinite(table)], initial=0.0))
    dense = np.full(shape, 0.0 if table is own.probabilities else lowest - 1)  # of labels that the system does not know
    dense[:, columns] = table[[row[name] for name in truth.ids]]
    return dense


def is_model(path: Path) -> bool:
    """Whether this is a file of `train`, rather than answers."""
    from ..errors import MissingData

    if not path.is_file():
        raise MissingData(str(path), "there is no such file", "check the name")
    with path.open("rb") as start:
        return start.read(16) == b"rubricate model "


def by_model(path: Path, corpus: Corpus, jobs: int | None, quiet: bool) -> Answered:
    """A model's answers to a corpus."""
    import numpy as np
    from scipy import sparse

    from ..answers import answered, names_of_labels

    model = loaded(path)
    names = names_of_labels(model)
    ids: list[str] = []
    parts = []
    with progress(f"answering with {path.name}", quiet=quiet) as show:
        for piece in answered(model, corpus, jobs=jobs, progress=show):
            ids += piece.ids
            parts.append((sparse.csr_array(piece.decisions), piece.probabilities, piece.scores))
    nothing = np.zeros((0, len(names)))
    decisions = sparse.csr_array(sparse.vstack([sparse.csr_array(nothing), *(part[0] for part in parts)]))
    probabilities, scores = (np.concatenate([nothing, *(part[n] for part in parts)]) for n in (1, 2))
    return Answered(str(path), ids, names, decisions, probabilities, scores)


def by_predictions(path: Path) -> Answered:
    """Answers in a form of `predict` that has ids and decisions: JSON Lines or TSV."""
    import numpy as np
    from scipy import sparse

    from ..errors import InputError

    ids: list[str] = []
    place: dict[str, int] = {}
    given, probable = [], []
    for own, labels, p in said_in(path):
        given += [(len(ids), place.setdefault(label, len(place)), 1.0) for label in labels]
        probable += [(len(ids), place.setdefault(label, len(place)), value) for label, value in p.items()]
        ids.append(own)
    twice = next((name for name, times in Counter(ids).items() if times > 1), None)
    if twice is not None:
        raise InputError(str(path), f"document {twice!r} is answered twice", "one answer a document")

    def table(cells: list[tuple[int, int, float]]) -> Any:
        rows, columns, values = np.array(cells, dtype=np.float64).reshape(-1, 3).T
        shape = (len(ids), len(place))
        return sparse.csr_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape)

    probabilities = table(probable)
    return Answered(str(path), ids, list(place), table(given).astype(np.int64), probabilities, probabilities)


def said_in(path: Path) -> Iterator[tuple[str, list[str], dict[str, float]]]:
    """Id, labels and probabilities of each answer in a file."""
    from ..errors import InputError
    from .written import Tsv

    with path.open("rb") as lines:
        tabbed = lines.readline().startswith(Tsv.head.rstrip())
    number = 1
    with path.open(encoding="utf-8", errors="replace", newline="") as text:
        rows = csv.reader(text, delimiter="\t") if tabbed else text
        try:
            for number, row in enumerate(rows, 1):
                if not tabbed:
                    yield in_json(row)  # type: ignore[arg-type]
                elif number > 1:  # after the header
                    yield in_tsv(row)  # type: ignore[arg-type]
        except (ValueError, TypeError, KeyError, AttributeError, csv.Error):
            what = "is neither a model nor an answer"
            cure = (
                'give files of `rubricate predict`, JSON Lines or TSV: {"id": …, "labels": […], "probabilities": {…}}'
            )
            raise InputError(f"{path} line {number}", what, cure) from None


def in_json(line: str) -> tuple[str, list[str], dict[str, float]]:
    """An answer on a line of JSON."""
    import orjson

    row = orjson.loads(line)
    if isinstance(row["labels"], str):
        raise TypeError("a list of labels is needed")
    p = {str(label): float(value) for label, value in row.get("probabilities", {}).items()}
    return str(row["id"]), [str(label) for label in row["labels"]], p


def in_tsv(row: list[str]) -> tuple[str, list[str], dict[str, float]]:
    """An answer in a row of a table: only the labels that were given have probabilities."""
    labels, values = ([part for part in cell.split(BETWEEN) if part] for cell in row[1:3])
    return row[0], labels, dict(zip(labels, map(float, values), strict=True))


def truth_of(corpus: Corpus, answers: list[Answered]) -> Truth:
    """The right labels. If neither people nor systems gave more than one label, documents without are left out."""
    import numpy as np

    from ..errors import InputError

    ids, labels = corpus.ids, [list(own) for own in corpus.labels]
    if not any(labels):
        raise InputError(corpus.name, "no document has a label to judge by", "name the column of labels with --labels")
    most = max(int(np.diff(own.decisions.indptr).max(initial=0)) for own in answers)
    several = most > 1 or max(map(len, labels)) > 1
    kept = [n for n, own in enumerate(labels) if own or several]
    names = sorted({*(label for own in labels for label in own), *(name for own in answers for name in own.names)})
    return Truth([ids[n] for n in kept], [labels[n] for n in kept], names, several)
