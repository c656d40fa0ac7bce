"""The texts that are measured on: 20 Newsgroups where it is to be had, otherwise the sample many times over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

import rubricate as rb
from rubricate import collections
from rubricate.corpus import Columns


def data_folder() -> Path | None:
    for name in (os.environ.get("RUBRICATE_DATA", ""), str(Path(__file__).parent.parent.parent / "shared" / "data")):
        if name and Path(name).is_dir():
            return Path(name)
    return None


def newsgroups() -> tuple[str, list[str], list[str]]:
    """A name, texts with all their headers, and labels."""
    folder = data_folder()
    if folder is None:
        sample = collections.read("enquiries")
        return "the sample, 100 times", sample.texts * 100, [own[0] for own in sample.labels] * 100
    corpus = collections.read("20newsgroups", version="19997", data=folder, headers="all").in_memory()
    return "20 Newsgroups (19,997 articles)", corpus.texts, [own[0] for own in corpus.labels]


def changed(texts: list[str], labels: list[str], size: int) -> rb.Corpus:
    """Texts repeated, every tenth word changed in each round, until `size` bytes; made while it is read, never held."""
    columns = Columns()

    def source(tally: rb.corpus.Tally) -> Iterator[pa.RecordBatch]:
        made, number, round_ = 0, 0, 0
        while made < size:
            mark = "".join(chr(97 + int(digit)) for digit in str(round_))
            for start in range(0, len(texts), 1000):
                batch = []
                for text in texts[start : start + 1000]:
                    words = text.split(" ")
                    words[::10] = [word + mark for word in words[::10]]
                    batch.append(" ".join(words))
                made += sum(len(text.encode()) for text in batch)
                arrays = [
                    pa.array([str(number + n) for n in range(len(batch))], pa.string()),
                    pa.array(batch, pa.large_string()),
                    pa.array([[label] for label in labels[start : start + 1000]], pa.list_(pa.string())),
                ]
                number += len(batch)
                tally.keep(len(batch))
                yield pa.RecordBatch.from_arrays(arrays, schema=columns.schema)
                if made >= size:
                    return
            round_ += 1

    return rb.Corpus(source, columns=columns, name="changed")
