"""The training set: what people hand in, with folds, and the terms of the documents by each recipe.

documents_of         strings, a mapping of fields a document, a data frame of fields, or a corpus as it is
read_inputs          documents and labels (`label_sets`) of one call
labelled_documents   the same; a corpus is read for its labels
read_training_set    documents, labels, folds and the table of a first recipe

The text is read once a recipe. The first reading takes everything else with it: the labels of a corpus, and a digest of each
document, by which it is known again when more is learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa
from scipy import sparse

from ..corpus import Columns, Corpus, warn_of_labels
from ..counts import Counts, indicator
from ..counts.document_table import Table, numbered_labels
from ..counts.one_pass import tabulate
from ..errors import InputError, InvalidSetting
from ..foundation.arrays import Longs
from ..foundation.csr import columns_of_rows
from ..foundation.folds import fold_numbers
from ..models import MODELS
from ..terms.recipe import Recipe
from .candidates import Candidate
from .label_sets import LabelSets, read_labels
from .training_documents import DigestedCorpus, TrainingDocuments
from .validation import fold_counts


@dataclass(eq=False)
class TrainingSet:
    """The training documents: labels, folds, and tables by recipe."""

    documents: Any
    labels: list[list[str]]  # of each document
    names: list[str]  # of the labels, sorted
    multilabel: bool
    folds: Any  # the fold of each document; None where there are too few to try anything
    jobs: int | None = None
    seed: int = 0
    calibrate: str = "auto"  # how scores become probabilities; "none": by what they say themselves
    tables: dict[str, Table] = field(default_factory=dict)  # by the recipe's fingerprint, as the next
    counts_of_folds: dict[str, list[Counts]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        documents: Any,
        labels: list[list[str]],
        *,
        multilabel: bool,
        folds: int,
        seed: int,
        jobs: int | None = None,
        calibrate: str = "auto",
    ) -> TrainingSet:
        """Folds in proportion to the labels, seeded."""
        names = sorted({label for label_set in labels for label in label_set})
        k = min(folds, len(labels))
        numbers = fold_numbers(labels, k, seed=seed) if k >= 2 and len(names) > 0 else None
        return cls(documents, labels, names, multilabel, numbers, jobs, seed, calibrate)

    def table(self, recipe: Recipe) -> Table:
        key = recipe.fingerprint
        if key not in self.tables:
            labels = None if isinstance(self.documents, Corpus) else self.labels
            self.tables[key] = with_labels(tabulate(self.documents, recipe, labels=labels, jobs=self.jobs), self.labels)
        return self.tables[key]

    def fold_counts(self, recipe: Recipe) -> list[Counts]:
        key = recipe.fingerprint
        if key not in self.counts_of_folds:
            self.counts_of_folds[key] = fold_counts(self.table(recipe), self.folds)
        return self.counts_of_folds[key]

    @cached_property
    def truth(self) -> sparse.csr_array:
        """documents x labels, 0/1."""
        return indicator(self.labels, self.names)

    @cached_property
    def single_labels(self) -> Longs:
        """The column of each document's label, where documents have one each."""
        return columns_of_rows(self.truth)

    @cached_property
    def label_columns(self) -> dict[str, int]:
        return {name: column for column, name in enumerate(self.names)}

    def per_word(self, candidate: Candidate) -> bool:
        """Whether scores are taken per word: where one threshold is for documents of all lengths, and scores would grow with
        them."""
        return self.calibrate != "none" and self.multilabel and MODELS[candidate.model].kind.grows_with_length

    def joint(self, candidate: Candidate) -> bool:
        """Whether scores are joint log probabilities, which are made comparable between documents before they are calibrated."""
        return not self.multilabel and MODELS[candidate.model].kind.joint_scores

    @property
    def n_folds(self) -> int:
        return 0 if self.folds is None else int(self.folds.max()) + 1


# -- what people hand in


def read_inputs(X: Any, y: Any, *, multilabel: bool | None = None) -> tuple[Any, LabelSets | None]:
    """Documents, and the labels of y; None for a corpus, whose labels come with its documents. That labels of y were changed is a
    warning. multilabel: whether a document may have several; None: as y looks."""
    documents = documents_of(X)
    if isinstance(X, Corpus):
        if y is not None:
            raise InvalidSetting("a corpus has its labels: y goes with a list of texts")
        return X, None
    if y is None:
        raise InvalidSetting("TextClassifier requires y to be passed, but the target y is None")
    labels = read_labels(y, multilabel=multilabel)
    if len(labels.sets) != len(documents):
        raise InvalidSetting(f"{len(documents)} texts with {len(labels.sets)} labels: give one label (or list) a text")
    if len(documents) == 0:
        raise InvalidSetting("Found array with 0 sample(s): there is no document to learn from")
    warn_of_labels(labels.tally, stacklevel=4)
    return documents, labels


def labelled_documents(X: Any, y: Any) -> tuple[Any, LabelSets]:
    """Documents with their labels: of y, or a corpus's own, for which it is read."""
    documents, labels = read_inputs(X, y)
    return documents, read_labels([list(row) for row in X.labels]) if labels is None else labels


def documents_of(X: Any) -> Any:
    """A corpus, or a list of strings; documents of several fields become a corpus."""
    if isinstance(X, Corpus):
        return X
    if isinstance(X, str):
        raise InvalidSetting("a single string was given: give a list of texts, or read(path) for a file")
    if isinstance(X, Mapping) or (hasattr(X, "columns") and hasattr(X, "to_dict")):
        return of_fields({str(name): list(X[name]) for name in X})
    rows = list(X)
    if not rows or not isinstance(rows[0], Mapping):
        return rows
    names = list(rows[0])
    for n, row in enumerate(rows):
        if not isinstance(row, Mapping) or set(row) != set(names):
            raise InvalidSetting(f"document {n}: give each document the same fields ({', '.join(map(str, names))})")
    return of_fields({str(name): [row[name] for row in rows] for name in names})


def of_fields(fields: dict[str, list[Any]]) -> Corpus:
    sizes = {len(values) for values in fields.values()}
    if len(sizes) != 1:
        raise InvalidSetting("fields of different lengths: give each document a text in every field")
    for field_name, values in fields.items():
        wrong = next((n for n, value in enumerate(values) if not isinstance(value, str)), None)
        if wrong is not None:
            what = type(values[wrong]).__name__
            raise InvalidSetting(
                f"document {wrong}, field {field_name!r}: holds a {what}; give text, empty if there is none"
            )
    columns, n = Columns(text=tuple(fields)), sizes.pop()
    arrays = [
        pa.array([f"row-{row + 1}" for row in range(n)], pa.string()),
        *(pa.array(values, pa.large_string()) for values in fields.values()),
        pa.array([[]] * n, pa.list_(pa.string())),
    ]
    return Corpus.from_batches(
        [pa.RecordBatch.from_arrays(arrays, schema=columns.schema)], columns=columns, name="fields"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What was read: the training set, its labels in the form in which they came, and digests of the documents."""

    training: TrainingSet
    labels: LabelSets
    documents: TrainingDocuments
    corpus: Corpus | None  # where documents came with their labels
    multilabel: bool | None  # as it was asked for; None: as the labels look


def read_training_set(X: Any, y: Any, *, recipe: Recipe, multilabel: bool | None, **settings: Any) -> Inputs:
    """Documents, labels and the table of a first recipe, in one reading of the text. settings: those of `TrainingSet.of`."""
    documents, labels = read_inputs(X, y, multilabel=multilabel)
    corpus = documents if isinstance(documents, Corpus) else None
    digested = DigestedCorpus(documents, recipe)
    table = None
    if labels is None:  # one each if every document of the corpus has one
        table = tabulate(digested.documents, recipe, jobs=settings["jobs"])
        several = any(len(label_set) != 1 for label_set in table.labels) if multilabel is None else multilabel
        labels = read_labels(table.labels, multilabel=several, source=documents.name)
    if len(labels.names) == 0:
        raise InvalidSetting("no label to learn: every document is without labels")
    training = TrainingSet.of(digested.documents, labels.sets, multilabel=labels.multilabel, **settings)
    if table is not None:
        training.tables[recipe.fingerprint] = with_labels(table, labels.sets)
    if training.table(recipe).X.nnz == 0:
        source = "texts" if corpus is None else corpus.name
        cure = "name the column of text (--text), or change the recipe"
        raise InputError(source, "no document has a word to learn from", cure)
    learned = TrainingDocuments.of(digested.digests(), labels.sets, labels.names)
    return Inputs(training, labels, learned, corpus, multilabel)


def with_labels(table: Table, labels: list[list[str]]) -> Table:
    """The same table with these labels, which may be known by other names than in the corpus, or not be there at all."""
    if table.labels == labels:
        return table
    return Table(table.X, table.term_array, table.ids, *numbered_labels(labels), table.recipe)
