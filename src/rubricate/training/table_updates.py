"""What a model remembers of its documents, so that it can learn and forget: statistics, or the documents' counts; and digests.

No text is kept. Which document is which, the digests say (`training_documents`); in files of earlier versions, which have none,
nothing is known of the documents behind statistics, and remembered ones are told apart by their terms, how often each occurs, and
their labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, sub
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from scipy import sparse

from ..counts import Counts
from ..counts.document_table import Table, numbered_labels
from ..counts.one_pass import tabulate
from ..errors import DamagedFile, InputError, InvalidSetting, NeverCounted
from ..terms.recipe import Recipe
from .label_sets import LabelForm, LabelSets, read_labels
from .training_documents import DigestedCorpus, TrainingDocuments, Update
from .training_set import with_labels

Change = dict[str, Any]


class NewDocuments(NamedTuple):
    """Documents to learn or to forget."""

    table: Table
    documents: TrainingDocuments
    order: Sequence[str]  # all labels, as the model numbers them
    where: str  # they come from


def read_new_documents(
    documents: Any, labels: LabelSets | None, known: LabelForm, *, recipe: Recipe, jobs: int | None
) -> NewDocuments:
    """Documents for a fitted classifier, as `read_inputs` gives them, with labels that it knows: one each or several as it has
    them."""
    source = getattr(documents, "name", "texts")
    digested = DigestedCorpus(documents, recipe)
    table = tabulate(digested.documents, recipe, jobs=jobs)
    labels = read_labels(table.labels) if labels is None else labels
    if not labels.sets:
        raise InputError(source, "there is no document in it", "nothing was changed")
    names = known.known_sets(labels)
    odd = next((n for n, label_set in enumerate(names) if len(label_set) != 1), None)
    if not known.multilabel and odd is not None:
        raise InputError(
            f"{source} document {odd + 1}",
            f"{len(names[odd])} labels, and this model gives each document one",
            "give one label a document; nothing was changed",
        )
    new = TrainingDocuments.of(digested.digests(), names, known.names)
    return NewDocuments(with_labels(table, names), new, known.names, source)


class Remembered(NamedTuple):
    """Statistics, of a model of counts; documents, of any other; digests, but not in files of earlier versions."""

    counts: Counts | None
    documents: Table | None
    digests: TrainingDocuments | None

    def learn(self, new: NewDocuments, *, again: bool) -> tuple[Remembered, Change]:
        """With these documents, and what that came to; itself where there is nothing new."""
        n = len(new.documents)
        if self.digests is None:
            return self._unchecked(new, add, joined), changed(learned=n, checked=False)
        update = self.digests.learn(new.documents, again=again)
        change = changed(learned=n - update.known - update.corrected, known=update.known, corrected=update.corrected)
        return (self if update.known == n else self._after(new, update)), change

    def forget(self, new: NewDocuments) -> tuple[Remembered, Change]:
        """Without these documents; what was never learned is refused."""
        n = len(new.documents)
        if self.digests is None:
            return self._unchecked(new, sub, without), changed(forgotten=n, checked=False)
        return self._after(new, self.digests.forget(new.documents, new.table.ids)), changed(forgotten=n)

    def _unchecked(
        self,
        new: NewDocuments,
        change: Callable[[Counts, Counts], Counts],
        change_table: Callable[[Table, Table], Table],
    ) -> Remembered:
        """Without digests: whatever the documents are."""
        counts = None if self.counts is None else change(self.counts, new.table.counts)
        return Remembered(counts, None if self.documents is None else change_table(self.documents, new.table), None)

    def _after(self, new: NewDocuments, update: Update) -> Remembered:
        counts = None if self.counts is None else updated_counts(self.counts, self.digests, new, update)
        documents = None if self.documents is None else updated_table(self.documents, new.table, update)
        return Remembered(counts, documents, update.documents)

    def check(self, path: Any, *, labels: int) -> None:
        """Refuse digests of other documents than those there are: a file may say anything."""
        n = None if self.counts is None else self.counts.n_documents
        n = n if self.documents is None else len(self.documents.ids)
        if self.digests is not None and (n != len(self.digests) or not self.digests.numbered_below(labels)):
            raise DamagedFile(f"{path}: the digests of documents are not those of the documents that were learned")


def changed(
    *, learned: int = 0, known: int = 0, corrected: int = 0, forgotten: int = 0, checked: bool = True
) -> Change:
    """How many documents were learned anew, known and so left out, corrected, forgotten; checked: whether digests could tell."""
    return {"learned": learned, "known": known, "corrected": corrected, "forgotten": forgotten, "checked": checked}


def updated_counts(counts: Counts, learned: Any, new: NewDocuments, update: Update) -> Counts:
    """Statistics after an update. What is taken out is counted from the new documents, which have the same text, with the labels
    it was learned with; learned: the digests before."""
    table = new.table
    if not update.same_text.all():
        n = int(update.because_of[~update.same_text][0])
        raise InputError(
            new.where,
            f"document {n + 1} (id {table.ids[n]!r}): another text was learned under this id, and this model keeps no texts",
            "forget the old text first, give the new one another id, or learn it beside the old one (again, --again)",
        )
    if len(update.removed):
        labels = [[new.order[number] for number in numbers] for numbers in learned.labels(update.removed)]
        ids = [table.ids[n] for n in update.because_of.tolist()]
        rows = Table(table.X[update.because_of], table.term_array, ids, *numbered_labels(labels), table.recipe)
        counts = counts - rows.counts
    return counts + table.at(update.added).counts if update.added.any() else counts


def updated_table(table: Table, new: Table, update: Update) -> Table:
    """Remembered documents after an update, in the order of `Update.documents`."""
    rest = without_rows(table, update.removed) if len(update.removed) else table
    return joined(rest, new.at(update.added)) if update.added.any() else rest


def joined(first: Table, second: Table) -> Table:
    terms = sorted({*first.terms, *second.terms})
    place = {term: n for n, term in enumerate(terms)}
    parts = []
    for table in (first, second):
        columns = np.array([place[term] for term in table.terms], dtype=np.int64)
        X = sparse.coo_array(table.X)
        rows = sparse.csr_array((X.data, (X.row, columns[X.col])), shape=(table.X.shape[0], len(terms)))
        parts.append(rows)
    return table_of(sparse.csr_array(sparse.vstack(parts)), terms, [*first.labels, *second.labels], first)


def without(table: Table, other: Table) -> Table:
    """The documents of a table without some of them: one is taken out for each that is given, same terms and labels."""
    place = {term: n for n, term in enumerate(table.terms)}
    rows: dict[Any, list[int]] = {}
    for n, key in enumerate(keys(table, np.arange(len(table.terms)))):
        rows.setdefault(key, []).append(n)
    columns = np.array([place.get(term, -1) for term in other.terms], dtype=np.int64)
    gone = []
    for n, key in enumerate(keys(other, columns)):
        if not rows.get(key):
            raise NeverCounted(
                f"document {n + 1} of those to forget was never learned with these labels: nothing was changed"
            )
        gone.append(rows[key].pop())
    return without_rows(table, gone)


def without_rows(table: Table, gone: Any) -> Table:
    """The other documents, and the terms that they have."""
    mask = np.ones(table.X.shape[0], dtype=bool)
    mask[gone] = False
    if not mask.any():
        raise InvalidSetting(
            "these are all the documents it has learned from: nothing would be left; delete the model instead"
        )
    rest = table.at(mask)
    columns = np.flatnonzero(np.diff(rest.X.tocsc().indptr))
    return table_of(rest.X[:, columns], [table.terms[n] for n in columns], rest.labels, table)


def keys(table: Table, columns: Any) -> list[Any]:
    """What tells documents apart: their terms, how often, and their labels."""
    out = []
    for n, labels in enumerate(table.labels):
        part = slice(table.X.indptr[n], table.X.indptr[n + 1])
        terms = columns[table.X.indices[part]]
        order = np.argsort(terms)
        out.append(
            (terms[order].tobytes(), table.X.data[part][order].astype(np.int64).tobytes(), tuple(sorted(labels)))
        )
    return out


def table_of(X: sparse.csr_array, terms: list[str], labels: list[list[str]], like: Table) -> Table:
    X = sparse.csr_array(X)
    X.sort_indices()
    X.indices = X.indices.astype(np.int32)
    ids = [str(n) for n in range(X.shape[0])]
    return Table(X.astype(np.int32), pa.array(terms, pa.large_string()), ids, *numbered_labels(labels), like.recipe)
