"""The documents that a model has learned, as digests: whether a document is among them can be told without their text.

Of each document are kept a digest of its text, a digest of its id if a person gave it one, and its labels by their numbers: 24
bytes, 40 with an id. No text is kept; but who guesses a text can see whether it was learned: short ones can be found by trying.
A text is what is counted: all fields, or those of the recipe, letter for letter. Ids of the form `row-17` are those that rows get
which have none (and that `rubricate split` writes), and the first rows of any two files would share them: they count as none.

Two documents are the same one
    if both have an id: by the id; the same text under two ids is two documents
    if one of them has none: by the text

Learning a document that is
    known, with these labels        leaves it out
    known, with other labels        corrects it: the old labels are taken out, the new ones put in
    known by its id, of other text  replaces it, where the model remembers documents; a model of counts refuses, since the counts
                                    of a text that is not at hand cannot be taken out
    not known                       adds it
Who insists (again) adds all, known or not.

Forgetting takes a document out that was learned with this text, with these labels and, if both have one, under this id; any other
is refused. Collections have the same text more than once, and so this is about numbers: what was learned twice may be forgotten
twice, and a file that has a text three times, of which two are known, adds the third.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..corpus import ID, Corpus, Tally
from ..errors import DamagedFile, NeverCounted
from ..foundation.arrays import Bools, Ints, Longs
from ..storage.registry import stored
from ..terms.recipe import Recipe
from .digests import BYTES, GENERATED, NONE, Digests, column_digests, digests_of, fields_to_digest, id_digests

if TYPE_CHECKING:
    import pyarrow as pa

NO_ID = bytes(BYTES)


# -- digests


class DigestedCorpus:
    """Documents whose digests are taken while somebody else reads them: hand on `documents`, then ask for `digests`."""

    def __init__(self, documents: Corpus | Sequence[str], recipe: Recipe) -> None:
        self._source, self._recipe = documents, recipe
        self._parts: list[tuple[Digests, Digests]] | None = None
        self.documents: Any = documents
        if isinstance(documents, Corpus):
            self.documents = Corpus(self._read, columns=documents.columns, name=documents.name)

    def _read(self, tally: Tally) -> Iterator[pa.RecordBatch]:
        corpus: Any = self._source
        parts = []
        for batch in corpus:
            if self._parts is None:
                parts.append(self._of_batch(batch, corpus.fields))
            tally.keep(batch.num_rows)
            yield batch
        self._parts = self._parts or parts

    def _of_batch(self, batch: pa.RecordBatch, fields: tuple[str, ...]) -> tuple[Digests, Digests]:
        names = fields_to_digest(fields, self._recipe)
        texts = column_digests([batch.column(name) for name in names], names, self._recipe)
        return texts, id_digests(batch.column(ID).to_pylist())

    def digests(self) -> tuple[Digests, Digests]:
        """Of the texts, and of the ids."""
        if not isinstance(self._source, Corpus):
            plain = digests_of([text.encode() for text in self._source])
            return plain, np.zeros_like(plain)
        if self._parts is None:
            for _ in iter(self.documents):  # nobody has read it to its end
                pass
        texts, ids = zip(*(self._parts or [(NONE, NONE)]), strict=True)
        return np.concatenate(texts), np.concatenate(ids)

    def known_to(self, learned: TrainingDocuments) -> Bools:
        """Which of the documents have a text that was learned."""
        return learned.has_texts(self.digests()[0])


def keys(digests: Digests, n: int | None = None) -> list[bytes]:
    """A row each, as something that a dictionary takes. n: documents; NO_ID for each where there are no digests of ids."""
    if n is not None and not len(digests):
        return [NO_ID] * n
    raw = np.ascontiguousarray(digests, dtype="<u8").tobytes()
    return [raw[start : start + BYTES] for start in range(0, len(raw), BYTES)]


# -- what was learned


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What learning or forgetting some documents does to those that were learned."""

    documents: TrainingDocuments  # learned afterwards: those that stay in their order, then those put in
    added: Bools  # of the new documents, which are put in
    removed: Longs  # rows of the learned ones that are taken out
    because_of: Longs  # of each of these, the row of the new document
    same_text: Bools  # whether that has its text
    known: int = 0  # new documents that were left out
    corrected: int = 0  # new documents in whose place others were taken out


def _check_training_documents(learned: TrainingDocuments) -> None:
    n = len(learned.texts)
    arrays = (
        (learned.texts, np.uint64, (n, 2)),
        (learned.ids, np.uint64, (n if len(learned.ids) else 0, 2)),
        (learned.label_sizes, np.int32, (n,)),
    )
    whole = all(
        isinstance(array, np.ndarray) and array.dtype == kind and array.shape == shape for array, kind, shape in arrays
    )
    if not whole or learned.label_numbers.dtype != np.int32 or learned.label_numbers.ndim != 1:
        raise DamagedFile("digests of documents are not of one size")
    if (learned.label_sizes < 0).any() or int(learned.label_sizes.sum(dtype=np.int64)) != len(learned.label_numbers):
        raise DamagedFile("labels of documents do not add up")


@stored("training_documents", keys=("texts", "ids", "label_sizes", "label_numbers"), check=_check_training_documents)
@dataclass(frozen=True, slots=True, eq=False)
class TrainingDocuments:
    """Digests and labels of documents, in the order in which they were learned."""

    texts: Digests
    ids: Digests  # 0 for none; no rows at all where no document has one
    label_sizes: Ints  # labels of each document
    label_numbers: Ints  # one document after the other, ascending within each

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(
        cls, digests: tuple[Digests, Digests], labels: Sequence[Sequence[str]], order: Sequence[str]
    ) -> TrainingDocuments:
        """Of documents with their labels, which are numbered as in `order`."""
        place = {name: n for n, name in enumerate(order)}
        numbers = [sorted(place[name] for name in label_set) for label_set in labels]
        sizes = np.fromiter(map(len, numbers), dtype=np.int32, count=len(numbers))
        flat = np.fromiter(chain.from_iterable(numbers), dtype=np.int32, count=int(sizes.sum()))
        return cls(digests[0], some(digests[1]), sizes, flat)

    def at(self, mask: Bools) -> TrainingDocuments:
        inside = np.repeat(mask, self.label_sizes)
        ids = self.ids[mask] if len(self.ids) else self.ids
        return TrainingDocuments(self.texts[mask], ids, self.label_sizes[mask], self.label_numbers[inside])

    def without(self, rows: Longs) -> TrainingDocuments:
        mask = np.ones(len(self), dtype=bool)
        mask[rows] = False
        return self.at(mask)

    def then(self, others: TrainingDocuments) -> TrainingDocuments:
        ids = [each.ids if len(each.ids) else np.zeros_like(each.texts) for each in (self, others)]
        return TrainingDocuments(
            np.concatenate([self.texts, others.texts]),
            some(np.concatenate(ids)),
            np.concatenate([self.label_sizes, others.label_sizes]),
            np.concatenate([self.label_numbers, others.label_numbers]),
        )

    def labels(self, rows: Sequence[int] | Longs) -> list[tuple[int, ...]]:
        ends = np.concatenate([[0], np.cumsum(self.label_sizes, dtype=np.int64)])
        return [tuple(self.label_numbers[ends[row] : ends[row + 1]].tolist()) for row in rows]

    def has_texts(self, texts: Digests) -> Bools:
        near = np.isin(self.texts[:, 0], texts[:, 0])
        known = set(keys(self.texts[near]))
        return np.fromiter((key in known for key in keys(texts)), dtype=bool, count=len(texts))

    def learn(self, new: TrainingDocuments, *, again: bool = False) -> Update:
        """With new documents: see above. again: all are put in, known or not."""
        added = np.ones(len(new), dtype=bool)
        if again:
            none = np.zeros(0, dtype=np.int64)
            return Update(self.then(new), added, none, none, none == 0)
        matches = Matches(self, new)
        known = matches.same()
        old = matches.older_versions()
        added[list(known)] = False
        removed = np.array([row for rows in old.values() for row in rows], dtype=np.int64)
        because_of = np.array([n for n, rows in old.items() for _ in rows], dtype=np.int64)
        same_text = (self.texts[removed] == new.texts[because_of]).all(axis=1)
        documents = self.without(removed).then(self._with_known_ids(new, old).at(added))
        return Update(documents, added, removed, because_of, same_text, len(known), len(old))

    def _with_known_ids(self, new: TrainingDocuments, old: dict[int, list[int]]) -> TrainingDocuments:
        """The new documents; one that has no id keeps that of the version it replaces."""
        if not len(self.ids) or not old:
            return new
        ids = new.ids.copy() if len(new.ids) else np.zeros_like(new.texts)
        for n, rows in old.items():
            if not ids[n].any():
                ids[n] = self.ids[rows[0]]
        return TrainingDocuments(new.texts, some(ids), new.label_sizes, new.label_numbers)

    def forget(self, new: TrainingDocuments, names: Sequence[str]) -> Update:
        """Without these documents; NeverCounted if one of them was not learned so. names: what the documents are called."""
        matches = Matches(self, new)
        known = matches.same()
        missing = next((n for n in range(len(new)) if n not in known), None)
        if missing is not None:
            raise NeverCounted(f"{matches.refusal(missing, names[missing])}: nothing was changed")
        removed = np.array([known[n] for n in range(len(new))], dtype=np.int64)
        every = np.ones(len(new), dtype=bool)
        return Update(self.without(removed), ~every, removed, np.arange(len(new)), every)

    def numbered_below(self, labels: int) -> bool:
        numbers = self.label_numbers
        return not len(numbers) or (int(numbers.min()) >= 0 and int(numbers.max()) < labels)


def some(ids: Digests) -> Digests:
    """Ids; no rows if there is none."""
    return ids if ids.any() else NONE


class Matches:
    """Which learned document each new one is. A learned document is matched once; of several that fit, the last.

    Learned documents that share neither text nor id with a new one are not looked at.
    """

    def __init__(self, learned: TrainingDocuments, new: TrainingDocuments) -> None:
        self._ids, self._texts = keys(new.ids, len(new)), keys(new.texts)
        self._labels = new.labels(range(len(new)))
        near = np.isin(learned.texts[:, 0], new.texts[:, 0])
        if len(learned.ids) and len(new.ids):
            near |= np.isin(learned.ids[:, 0], new.ids[:, 0]) & learned.ids.any(axis=1)
        rows = np.flatnonzero(near)
        ids = keys(learned.ids[rows] if len(learned.ids) else NONE, len(rows))
        self._known = dict(
            zip(rows.tolist(), zip(keys(learned.texts[rows]), learned.labels(rows), strict=True), strict=True)
        )
        self._by_id: dict[bytes, list[int]] = defaultdict(list)
        self._by_text: dict[Any, list[int]] = defaultdict(
            list
        )  # by text, with labels or without, and whether there is an id
        by_text_too = NO_ID in self._ids
        for key, (row, (text, labels)) in zip(ids, self._known.items(), strict=True):
            if key != NO_ID:
                self._by_id[key].append(row)
            if key == NO_ID or by_text_too:
                self._by_text[text, labels, key != NO_ID].append(row)
                self._by_text[text, None, key != NO_ID].append(row)
        self._matched: set[int] = set()
        self._same: dict[int, int] = {}

    def _match_by_text(self, n: int, labels: tuple[int, ...] | None) -> int | None:
        """The last learned document of this text (and these labels) that is not matched yet: one without an id, then, if the new
        one has none either, one with an id. Those that are matched are dropped on the way."""
        for with_id in (False, True) if self._ids[n] == NO_ID else (False,):
            rows = self._by_text.get((self._texts[n], labels, with_id))
            while rows:
                row = rows.pop()
                if row not in self._matched:
                    self._matched.add(row)
                    return row
        return None

    def same(self) -> dict[int, int]:
        """New documents that are known with their labels, and the rows of the learned ones."""
        for n, key in enumerate(self._ids):
            fact = self._texts[n], self._labels[n]
            rows = (row for row in self._by_id.get(key, ()) if row not in self._matched and self._known[row] == fact)
            if (row := next(rows, None)) is not None:
                self._matched.add(row)
                self._same[n] = row
        for n, labels in enumerate(self._labels):
            if n not in self._same and (row := self._match_by_text(n, labels)) is not None:
                self._same[n] = row
        return self._same

    def older_versions(self) -> dict[int, list[int]]:
        """New documents that are known otherwise, and the rows of what they were; after `same`."""
        older: dict[int, list[int]] = {}
        for n, key in enumerate(self._ids):
            if n not in self._same and key in self._by_id:
                rows = [row for row in self._by_id[key] if row not in self._matched]
                if rows:  # of one id there is one document, however often it was learned
                    self._matched.update(rows)
                    older[n] = rows
        for n in range(len(self._ids)):
            if n not in self._same and n not in older and (row := self._match_by_text(n, None)) is not None:
                older[n] = [row]
        return older

    def refusal(self, n: int, name: str) -> str:
        who = f"document {n + 1} of those to forget" + ("" if GENERATED.fullmatch(name) else f" (id {name!r})")
        alike = [row for row, (text, _) in self._known.items() if text == self._texts[n]]
        if not alike:
            return f"{who} was never learned, or not with this text, letter for letter"
        labelled = [row for row in alike if self._known[row][1] == self._labels[n]]
        if not labelled:
            return f"{who} was never learned with these labels"
        if all(row in self._matched for row in labelled):
            return f"{who} was learned less often than it is to be forgotten"
        return f"{who} was learned under another id"
