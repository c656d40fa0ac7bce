"""A first look at a collection, in one pass: documents, labels, lengths, terms, duplicates, and what was rejected.

    Overview              the numbers, plain
    overview              of a small corpus, by the recipe's plain definition: nothing compiled is loaded
    TextsMet              which texts were there before, in bounded memory a document

`counts.overview` makes the same of a large corpus with compiled loops.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from ..terms.fields import document_terms, fields_of
from ..terms.recipe import Recipe
from .corpus import Corpus
from .tally import Tally


@dataclass(frozen=True, slots=True)
class Overview:
    name: str
    fields: tuple[str, ...]
    tally: Tally
    documents: int
    labels: list[tuple[str, int]]  # with their documents, the largest first
    labels_a_document: dict[int, int]
    terms: int
    lengths: dict[str, float]  # see `length_summary`
    occurrences: int
    repeated: int  # documents whose text was there before
    conflicting: int  # of these, documents with other labels than the first
    recipe: str  # fingerprint
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        *,
        label_sizes: Iterable[tuple[str, int]],
        lengths: Mapping[int, int],
        terms: int,
        met: TextsMet,
        recipe: Recipe,
    ) -> Overview:
        """label_sizes: labels and their documents. lengths: how many documents have so many terms. terms: different ones."""
        labels = sorted(label_sizes, key=lambda pair: (-pair[1], pair[0]))
        return cls(
            corpus.name,
            corpus.fields,
            corpus.tally,
            sum(lengths.values()),
            labels,
            dict(met.labels_a_document),
            terms,
            length_summary(lengths),
            sum(length * documents for length, documents in lengths.items()),
            met.repeated,
            met.conflicting,
            recipe.fingerprint,
            label_notes(sorted(label for label, _ in labels)),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "fields": list(self.fields),
            "rows": {"in": self.tally.rows_in, "kept": self.tally.kept, "rejected": self.tally.rejected},
            "reject_reasons": dict(self.tally.reasons.most_common()),
            "repairs": dict(self.tally.repairs.most_common()),
            "documents": self.documents,
            "labels": dict(self.labels),
            "labels_a_document": {
                str(number): documents for number, documents in sorted(self.labels_a_document.items())
            },
            "terms": self.terms,
            "occurrences": self.occurrences,
            "lengths": self.lengths,
            "repeated_texts": self.repeated,
            "repeated_with_other_labels": self.conflicting,
            "recipe": self.recipe,
            "notes": self.notes,
        }


class TextsMet:
    """Texts met before, noted by 16 bytes of hash of the text and 8 of the labels."""

    def __init__(self) -> None:
        self.repeated = self.conflicting = 0
        self.labels_a_document: Counter[int] = Counter()
        self._labels_of_text: dict[bytes, bytes] = {}

    def add(self, texts: Iterable[str], labels: Sequence[str]) -> None:
        self.labels_a_document[len(labels)] += 1
        key = hashlib.blake2b("\0".join(texts).encode(), digest_size=16).digest()
        label_digest = hashlib.blake2b("\0".join(sorted(labels)).encode(), digest_size=8).digest()
        self.repeated += key in self._labels_of_text
        self.conflicting += self._labels_of_text.setdefault(key, label_digest) != label_digest


def overview(corpus: Corpus, recipe: Recipe, *, progress: Callable[[int, int], None] | None = None) -> Overview:
    """Of a small corpus. progress: called with documents and characters of text."""
    fields_of(dict.fromkeys(corpus.fields, ""), recipe)  # a field that the recipe asks for in vain is told in any case
    met, terms = TextsMet(), set[str]()
    label_sizes, lengths = Counter[str](), Counter[int]()
    for document in corpus.documents():
        met.add(document.fields.values(), document.labels)
        of_document = document_terms(document.fields, recipe)
        terms.update(of_document)
        lengths[len(of_document)] += 1
        label_sizes.update(document.labels)
        if progress is not None:
            progress(1, sum(map(len, document.fields.values())))
    sizes = label_sizes.items()
    return Overview.of(corpus, label_sizes=sizes, lengths=lengths, terms=len(terms), met=met, recipe=recipe)


def length_summary(lengths: Mapping[int, int]) -> dict[str, float]:
    """Terms a document: fewest, median (of an even number the lower), mean, most, and how many documents have none. lengths: how
    many documents have so many terms."""
    if not lengths:
        return {"min": 0, "median": 0, "mean": 0.0, "max": 0, "empty": 0}
    ascending, documents = sorted(lengths), sum(lengths.values())
    up_to = accumulate(lengths[length] for length in ascending)
    median = next(length for length, n in zip(ascending, up_to, strict=True) if n >= (documents + 1) // 2)
    mean = sum(length * number for length, number in lengths.items()) / documents
    return {"min": ascending[0], "median": median, "mean": mean, "max": ascending[-1], "empty": lengths.get(0, 0)}


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
