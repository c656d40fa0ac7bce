"""Systems to be compared, models or files of predictions: their predictions brought together with the truth by id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..errors import InputError, MissingData
from ..scoring.prediction_files import answers_in
from ..scoring.prediction_writer import LEAST
from .sentences import number_of

if TYPE_CHECKING:
    from ..corpus import Corpus

HALF = 0.5
ASSIGNED_ONLY = ("tsv", "fasttext")  # forms that have the probabilities of assigned labels, and of no others


@dataclass(frozen=True, slots=True, eq=False)
class SystemPredictions:
    """What a system predicts: documents x labels, with the ids of the documents and the names of the labels."""

    name: str
    ids: list[str]
    labels: list[str]
    decisions: Any  # sparse 0/1; None: not decided yet
    probabilities: Any  # sparse, or dense
    scores: Any  # a model's scores; of a file, its probabilities
    form: str = "model"  # or that of the file
    best: Any = None  # sparse 0/1, the best label of each document, of a form without decisions
    absent: int = 0  # documents of which the file says nothing at all
    learned: int = 0  # documents that the model has learned from


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The correct labels: ids of documents, labels of each, all names that occur; multilabel: whether a document has, or was
    assigned, more than one label."""

    ids: list[str]
    label_sets: list[list[str]]
    labels: list[str]
    multilabel: bool

    def align(self, system: SystemPredictions, needs: str) -> Any:
        """A system's predictions in the order of the documents and labels here, in the form that a measure needs."""
        source = needs if self.multilabel or needs == "decisions" else "probabilities"
        table = align_table(system, getattr(system, source), self)
        if needs == "decisions":
            if self.multilabel:
                return table
            table.eliminate_zeros()
            ends = pairwise(table.indptr.tolist())  # at most one label a document
            names = [self.labels[table.indices[start]] if start < end else "" for start, end in ends]
            return np.array(names, dtype=object)
        dense = table.toarray() if sparse.issparse(table) else np.asarray(table)
        if needs == "probabilities" and sparse.issparse(table):
            present = sparse.csr_array((np.ones(table.nnz), table.indices, table.indptr), shape=table.shape).toarray()
            dense = np.where(present > 0, dense, LEAST / 2)
        if needs == "probabilities" and not self.multilabel:
            sums = dense.sum(axis=1, keepdims=True)
            dense = np.where(sums > 0, dense / np.where(sums > 0, sums, 1.0), 1 / dense.shape[1])
        return dense

    def expected(self, needs: str) -> Any:
        """The truth in the form that a measure compares with `align`."""
        from ..counts import indicator

        if self.multilabel or needs == "scores":
            return indicator(self.label_sets, self.labels).astype(np.int64)
        if needs == "decisions":
            return np.array([labels[0] for labels in self.label_sets], dtype=object)
        return np.array([self.labels.index(labels[0]) for labels in self.label_sets])


def align_table(system: SystemPredictions, table: Any, truth: Truth) -> Any:
    row_of = {name: row for row, name in enumerate(system.ids)}
    missing = [name for name in truth.ids if name not in row_of]
    if missing:
        some = ", ".join(repr(name) for name in missing[:3])
        raise InputError(system.name, f"no answer to {len(missing):,} documents ({some})", "predict the same documents")
    column_of = {label: column for column, label in enumerate(truth.labels)}
    rows = table[[row_of[name] for name in truth.ids]]
    columns = np.array([column_of[label] for label in system.labels], dtype=np.int64)
    shape = (len(truth.ids), len(truth.labels))
    if sparse.issparse(table) or not len(system.labels):
        cells = sparse.coo_array(rows)
        return sparse.csr_array((cells.data, (cells.row, columns[cells.col])), shape=shape)
    lowest = float(np.min(table[np.isfinite(table)], initial=0.0))
    unknown = 0.0 if table is system.probabilities else lowest - 1  # of labels that the system does not know
    dense = np.full(shape, unknown)
    dense[:, columns] = rows
    return dense


def is_model(path: Path) -> bool:
    """Whether this is a file of `train`, rather than predictions."""
    if not path.is_file():
        raise MissingData(str(path), "there is no such file", "check the name")
    with path.open("rb") as start:
        return start.read(16) == b"rubricate model "


def predict_with_model(
    path: Path, corpus: Corpus, *, jobs: int | None, progress: Callable[[int, int], None] | None = None
) -> SystemPredictions:
    from ..training.text_classifier import load
    from ..training.training_documents import DigestedCorpus
    from .predictions import names_of_labels, predictions

    model = load(path)
    digested = DigestedCorpus(corpus, model.recipe_)
    labels = names_of_labels(model)
    ids: list[str] = []
    parts = []
    for piece in predictions(model, digested.documents, jobs=jobs, progress=progress):
        ids += piece.ids
        parts.append((sparse.csr_array(piece.decisions), piece.probabilities, piece.scores))
    empty = np.zeros((0, len(labels)))
    decisions = sparse.csr_array(sparse.vstack([sparse.csr_array(empty), *(part[0] for part in parts)]))
    probabilities, scores = (np.concatenate([empty, *(part[n] for part in parts)]) for n in (1, 2))
    learned = 0 if model.training_documents_ is None else int(digested.known_to(model.training_documents_).sum())
    return SystemPredictions(str(path), ids, labels, decisions, probabilities, scores, learned=learned)


def read_predictions(path: Path, corpus: Corpus) -> SystemPredictions:
    """Predictions in any of the forms of `predict`. Ids say what belongs together; without ids, the order of the documents."""
    form, lines = answers_in(path)
    ids = [line.id or "" for line in lines]
    absent: list[str] = []
    if form == "fasttext":
        ids = list(corpus.ids)
        if len(lines) != len(ids):
            numbers = f"{number_of(len(lines), 'line')} for {number_of(len(ids), 'document')} of {corpus.name}"
            cure = "give the answers to exactly these documents, in their order, or write jsonl"
            raise InputError(str(path), numbers, f"fastText's form has no ids: {cure}")
    elif form == "trec":
        present = set(ids)
        missing = [name for name in corpus.ids if name not in present]
        absent = missing if len(missing) < len(corpus.ids) else []  # a run of other documents altogether is refused
    column_of: dict[str, int] = {}
    assigned, probable, best = [], [], []
    for row, line in enumerate(lines):
        assigned += [(row, column_of.setdefault(label, len(column_of)), 1.0) for label in line.labels or ()]
        probable += [(row, column_of.setdefault(label, len(column_of)), value) for label, value in line.values.items()]
        if line.labels is None and line.values:
            top = max(line.values, key=lambda label: round(line.values[label], 12))
            best.append((row, column_of[top], 1.0))

    def table(cells: list[tuple[int, int, float]]) -> Any:
        rows, columns, values = np.array(cells, dtype=np.float64).reshape(-1, 3).T
        shape = (len(ids) + len(absent), len(column_of))
        return sparse.csr_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape)

    decisions = None if form == "trec" else table(assigned).astype(np.int64)
    best_labels = table(best).astype(np.int64) if form == "trec" else None
    values = table(probable)
    return SystemPredictions(
        str(path), [*ids, *absent], list(column_of), decisions, values, values, form, best_labels, len(absent)
    )


def with_decisions(system: SystemPredictions, truth: Truth, needs: str) -> SystemPredictions:
    """The same predictions, fit for what a measure needs: a run is decided on, and what the form does not hold is refused."""
    if needs != "decisions":
        if system.form in ASSIGNED_ONLY:
            what = f"{system.form} has the probabilities of the labels that are given alone, and this measure needs all"
            cure = "write jsonl or trec, with --every-label; or compare by decisions, as microF1"
            raise InputError(system.name, what, cure)
        return system
    if system.decisions is not None:
        return system
    if not truth.multilabel:
        return replace(system, decisions=system.best)
    values = system.probabilities.data
    if len(values) and not (values.min() >= 0 and values.max() <= 1):
        what = f"scores from {values.min():g} to {values.max():g} are no probabilities: which labels are given cannot be told"
        cure = "compare by a measure of rankings, as AP; or give answers with decisions (jsonl)"
        raise InputError(system.name, what, cure)
    return replace(system, decisions=(system.probabilities > HALF).astype(np.int64))


def remarks_on(system: SystemPredictions, truth: Truth, needs: str) -> list[str]:
    remarks = []
    if system.learned:
        documents = f"{system.learned:,} of the {number_of(len(system.ids), 'document')}"
        remarks.append(f"learned from {documents}: its figures on these say nothing about new documents")
    if system.form == "trec" and needs == "decisions":
        how = f"its probability is above {HALF:g}" if truth.multilabel else "it is the document's best"
        remarks.append(f"a run has scores and no decisions; a label is taken as given where {how}")
    cells = len(system.ids) * len(truth.labels)
    if system.form in ("jsonl", "trec") and needs == "probabilities" and system.probabilities.nnz < cells:
        absent = f"probabilities that were not written are taken as {LEAST / 2:g}"
        remarks.append(f"{absent}; predict with --every-label has them all")
    if system.absent:
        are = "is" if system.absent == 1 else "are"
        remarks.append(f"{number_of(system.absent, 'document')} {are} not in the run; taken as given no label")
    if system.form == "fasttext":
        remarks.append("no ids; its lines are taken in the order of the documents")
    return [f"{system.name}: {remark}" for remark in remarks]


def truth_of(corpus: Corpus, systems: Sequence[SystemPredictions]) -> Truth:
    """The correct labels. If neither people nor systems assigned more than one label, documents without are left out."""
    ids, label_sets = corpus.ids, [list(labels) for labels in corpus.labels]
    if not any(label_sets):
        raise InputError(corpus.name, "no document has a label to judge by", "name the column of labels with --labels")
    tables = [system.decisions for system in systems if system.decisions is not None]
    most = max((int(np.diff(table.indptr).max(initial=0)) for table in tables), default=0)
    multilabel = most > 1 or max(map(len, label_sets)) > 1
    rows = [row for row, labels in enumerate(label_sets) if labels or multilabel]
    names = {label for labels in [*label_sets, *(system.labels for system in systems)] for label in labels}
    return Truth([ids[row] for row in rows], [label_sets[row] for row in rows], sorted(names), multilabel)
