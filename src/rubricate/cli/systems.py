"""The systems that `compare` is given, models or files of answers, and their answers brought together with the truth by id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..scoring.prediction_files import answers_in
from ..scoring.prediction_writer import LEAST
from .options import load_model
from .output import plural, progress

if TYPE_CHECKING:
    from ..corpus import Corpus


HALF = 0.5
GIVEN_ONLY = ("tsv", "fasttext")  # forms that have the probabilities of labels that are given, and of no others


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What a system said: documents x labels, with the ids of the documents and the names of the labels."""

    name: str
    ids: list[str]
    names: list[str]
    decisions: Any  # sparse 0/1; None: not decided yet
    probabilities: Any  # sparse, or dense
    scores: Any  # as these, or the model's own
    form: str = "model"  # or that of the file
    best: Any = None  # sparse 0/1, the best label of each document, of a form without decisions
    absent: int = 0  # documents of which the file says nothing at all
    learned: int = 0  # documents that the model has learned from


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
            best_labels = [self.names[table.indices[start]] if start < end else "" for start, end in ends]
            return np.array(best_labels, dtype=object)
        dense = table.toarray() if sparse.issparse(table) else np.asarray(table)
        if needs == "probabilities" and sparse.issparse(table):
            written = sparse.csr_array((np.ones(table.nnz), table.indices, table.indptr), shape=table.shape).toarray()
            dense = np.where(written > 0, dense, LEAST / 2)
        if needs == "probabilities" and not self.several:
            sums = dense.sum(axis=1, keepdims=True)
            dense = np.where(sums > 0, dense / np.where(sums > 0, sums, 1.0), 1 / dense.shape[1])
        return dense

    def wanted(self, needs: str) -> Any:
        """The truth in the form that goes with them."""
        import numpy as np

        from ..counts import indicator

        if self.several or needs == "scores":
            return indicator(self.labels, self.names).astype(np.int64)
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

    from ..evaluation.predictions import answered, names_of_labels
    from ..training.training_documents import DigestedCorpus

    model = load_model(path)
    digested = DigestedCorpus(corpus, model.recipe_)
    names = names_of_labels(model)
    ids: list[str] = []
    parts = []
    with progress(f"answering with {path.name}", quiet=quiet) as show:
        for piece in answered(model, digested.documents, jobs=jobs, progress=show):
            ids += piece.ids
            parts.append((sparse.csr_array(piece.decisions), piece.probabilities, piece.scores))
    nothing = np.zeros((0, len(names)))
    decisions = sparse.csr_array(sparse.vstack([sparse.csr_array(nothing), *(part[0] for part in parts)]))
    probabilities, scores = (np.concatenate([nothing, *(part[n] for part in parts)]) for n in (1, 2))
    learned = 0 if model.training_documents_ is None else int(digested.known_to(model.training_documents_).sum())
    return Answered(str(path), ids, names, decisions, probabilities, scores, learned=learned)


def by_predictions(path: Path, corpus: Corpus) -> Answered:
    """Answers in any of the forms of `predict`. Ids say what belongs together; without ids, the order of the documents."""
    import numpy as np
    from scipy import sparse

    form, lines = answers_in(path)
    ids = [one.id or "" for one in lines]
    absent: list[str] = []
    if form == "fasttext":
        ids = in_order(path, len(lines), corpus)
    elif form == "trec":
        said = set(ids)
        missing = [name for name in corpus.ids if name not in said]
        absent = missing if len(missing) < len(corpus.ids) else []  # a run of other documents altogether is refused
    place: dict[str, int] = {}
    label_cells, probable, best = [], [], []
    for n, one in enumerate(lines):
        label_cells += [(n, place.setdefault(label, len(place)), 1.0) for label in one.labels or ()]
        probable += [(n, place.setdefault(label, len(place)), value) for label, value in one.values.items()]
        if one.labels is None and one.values:
            best.append((n, place[max(one.values, key=lambda label: round(one.values[label], 12))], 1.0))

    def table(cells: list[tuple[int, int, float]]) -> Any:
        rows, columns, values = np.array(cells, dtype=np.float64).reshape(-1, 3).T
        shape = (len(ids) + len(absent), len(place))
        return sparse.csr_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape)

    decisions = None if form == "trec" else table(label_cells).astype(np.int64)
    tops = table(best).astype(np.int64) if form == "trec" else None
    values = table(probable)
    return Answered(str(path), [*ids, *absent], list(place), decisions, values, values, form, tops, len(absent))


def in_order(path: Path, lines: int, corpus: Corpus) -> list[str]:
    """The ids of the documents, for answers that have none."""
    from ..errors import InputError

    ids = list(corpus.ids)
    if lines != len(ids):
        raise InputError(
            str(path),
            f"{plural(lines, 'line')} for {plural(len(ids), 'document')} of {corpus.name}",
            "fastText's form has no ids: give the answers to exactly these documents, in their order, or write jsonl",
        )
    return ids


def decided(own: Answered, truth: Truth, needs: str) -> Answered:
    """The same answers, fit for what a measure needs: a run is decided on, and what the form does not hold is refused."""
    import numpy as np

    from ..errors import InputError

    if needs != "decisions":
        if own.form in GIVEN_ONLY:
            what = f"{own.form} has the probabilities of the labels that are given alone, and this measure needs all"
            raise InputError(
                own.name, what, "write jsonl or trec, with --every-label; or compare by decisions, as microF1"
            )
        return own
    if own.decisions is not None:
        return own
    if not truth.several:
        return replace(own, decisions=own.best)
    values = own.probabilities.data
    if len(values) and not (values.min() >= 0 and values.max() <= 1):
        what = f"scores from {values.min():g} to {values.max():g} are no probabilities: which labels are given cannot be told"
        raise InputError(
            own.name, what, "compare by a measure of rankings, as AP; or give answers with decisions (jsonl)"
        )
    return replace(own, decisions=(own.probabilities > HALF).astype(np.int64))


def notes(own: Answered, truth: Truth, needs: str) -> list[str]:
    """What a person must know of how a file was read."""
    told = []
    if own.learned:
        were = f"{own.learned:,} of the {plural(len(own.ids), 'document')}"
        told.append(f"{own.name}: learned from {were}: its figures on these say nothing about new documents")
    if own.form == "trec" and needs == "decisions":
        how = f"its probability is above {HALF:g}" if truth.several else "it is the document's best"
        told.append(f"{own.name}: a run has scores and no decisions; a label is taken as given where {how}")
    cells = len(own.ids) * len(truth.names)
    if own.form in ("jsonl", "trec") and needs == "probabilities" and own.probabilities.nnz < cells:
        told.append(
            f"{own.name}: probabilities that were not written are taken as {LEAST / 2:g}; predict with --every-label has them all"
        )
    if own.absent:
        n = plural(own.absent, "document")
        told.append(f"{own.name}: {n} {'is' if own.absent == 1 else 'are'} not in the run; taken as given no label")
    if own.form == "fasttext":
        told.append(f"{own.name}: no ids; its lines are taken in the order of the documents")
    return told


def truth_of(corpus: Corpus, answers: list[Answered]) -> Truth:
    """The right labels. If neither people nor systems gave more than one label, documents without are left out."""
    import numpy as np

    from ..errors import InputError

    ids, labels = corpus.ids, [list(own) for own in corpus.labels]
    if not any(labels):
        raise InputError(corpus.name, "no document has a label to judge by", "name the column of labels with --labels")
    tables = [own.decisions for own in answers if own.decisions is not None]
    most = max((int(np.diff(table.indptr).max(initial=0)) for table in tables), default=0)
    several = most > 1 or max(map(len, labels)) > 1
    kept = [n for n, own in enumerate(labels) if own or several]
    names = sorted({*(label for own in labels for label in own), *(name for own in answers for name in own.names)})
    return Truth([ids[n] for n in kept], [labels[n] for n in kept], names, several)
