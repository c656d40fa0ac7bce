"""A first look at a collection of any size: `corpus.overview` by compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa

from ..corpus import LABELS, Corpus, Tally
from ..corpus.overview import Overview, TextsMet
from ..terms.recipe import Recipe
from .one_pass import count


def overview(
    corpus: Corpus,
    recipe: Recipe,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Overview:
    met = TextsMet()

    def batches(_: Tally) -> Iterator[pa.RecordBatch]:
        for batch in corpus:
            columns = [batch.column(name).to_pylist() for name in (LABELS, *corpus.fields)]
            for names, *texts in zip(*columns, strict=True):
                met.add(texts, names)
            yield batch

    counts = count(Corpus(batches, columns=corpus.columns, name=corpus.name), recipe, jobs=jobs, progress=progress)
    everything = counts.lengths[[len(counts.labels)]]
    return Overview.of(
        corpus,
        label_sizes=zip(counts.labels, counts.documents.tolist(), strict=False),  # the last row is everything
        lengths=dict(zip(everything.indices.tolist(), everything.data.tolist(), strict=True)),
        terms=len(counts.term_array),
        met=met,
        recipe=recipe,
    )
