"""A first look at a collection, in one pass: documents, labels, lengths, terms, duplicates, and what was rejected."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ..corpus import LABELS, Corpus, Tally
from ..terms.recipe import Recipe
from . import Counts
from .one_pass import count


@dataclass(frozen=True, slots=True)
class Overview:
    name: str
    fields: tuple[str, ...]
    counts: Counts
    tally: Tally
    labels_a_document: dict[int, int]
    repeated: int  # documents whose text was there before
    conflicting: int  # of these, documents with other labels than the first
    notes: list[str] = field(default_factory=list)

    @property
    def labels(self) -> list[tuple[str, int]]:
        """Labels with their documents, the largest first."""
        sizes = zip(self.counts.labels, self.counts.documents.tolist(), strict=False)
        return sorted(sizes, key=lambda pair: (-pair[1], pair[0]))

    @property
    def lengths(self) -> dict[str, float]:
        """Terms a document: fewest, median, mean, most, and how many documents have none."""
        row = self.counts.lengths[[len(self.counts.labels)]]
        values, documents = row.indices, row.data
        if not len(values):
            return {"min": 0, "median": 0, "mean": 0.0, "max": 0, "empty": 0}
        order = np.argsort(values)
        values, documents = values[order], documents[order]
        half = np.searchsorted(np.cumsum(documents), (documents.sum() + 1) // 2)
        return {
            "min": int(values[0]),
            "median": int(values[half]),
            "mean": float((values.astype(np.float64) * documents).sum() / documents.sum()),
            "max": int(values[-1]),
            "empty": int(documents[values == 0].sum()),
        }

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "fields": list(self.fields),
            "rows": {"in": self.tally.rows_in, "kept": self.tally.kept, "rejected": self.tally.rejected},
            "reject_reasons": dict(self.tally.reasons.most_common()),
            "repairs": dict(self.tally.repairs.most_common()),
            "documents": self.counts.n_documents,
            "labels": dict(self.labels),
            "labels_a_document": {
                str(number): documents for number, documents in sorted(self.labels_a_document.items())
            },
            "terms": len(self.counts.term_array),
            "occurrences": int((self.counts.lengths[[-1]] @ np.arange(self.counts.lengths.shape[1]))[0]),
            "lengths": self.lengths,
            "repeated_texts": self.repeated,
            "repeated_with_other_labels": self.conflicting,
            "recipe": self.counts.fingerprint,
            "notes": self.notes,
        }


def overview(
    corpus: Corpus,
    recipe: Recipe | None = None,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Overview:
    labels_of_text: dict[bytes, bytes] = {}
    label_numbers: Counter[int] = Counter()
    repeats = Counter[str]()

    def batches(_: Tally) -> Iterator[pa.RecordBatch]:
        """The corpus, texts met before noted by 16 bytes of hash of the text and 8 of the labels: bounded memory a document."""
        for batch in corpus:
            columns = [batch.column(name).to_pylist() for name in (LABELS, *corpus.fields)]
            for names, *texts in zip(*columns, strict=True):
                label_numbers[len(names)] += 1
                key = hashlib.blake2b("\0".join(texts).encode(), digest_size=16).digest()
                label_digest = hashlib.blake2b("\0".join(sorted(names)).encode(), digest_size=8).digest()
                repeats["repeated"] += key in labels_of_text
                repeats["conflicting"] += labels_of_text.setdefault(key, label_digest) != label_digest
            yield batch

    counts = count(Corpus(batches, columns=corpus.columns, name=corpus.name), recipe, jobs=jobs, progress=progress)
    return Overview(
        corpus.name,
        corpus.fields,
        counts,
        corpus.tally,
        dict(label_numbers),
        repeats["repeated"],
        repeats["conflicting"],
        label_notes(counts.labels),
    )


def label_notes(labels: list[str]) -> list[str]:
    """Labels that look like one label written in two ways."""
    spellings: dict[str, list[str]] = {}
    for label in labels:
        spellings.setdefault(" ".join(label.casefold().split()), []).append(label)
    return [
        f"labels that differ only in case or spacing are kept apart: {', '.join(map(repr, same))}"
        for same in spellings.values()
        if len(same) > 1
    ]
