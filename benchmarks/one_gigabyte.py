"""Count a stream of so many megabytes, statistics alone: `python -m benchmarks.one_gigabyte MEGABYTES THREADS`."""

from __future__ import annotations

import sys

from .measured import report
from .texts import changed, newsgroups


def main(megabytes: int, threads: int) -> None:
    import rubricate as rb

    _, texts, labels = newsgroups()
    corpus = changed(texts, labels, megabytes * 1_000_000)
    report(
        lambda: rb.count(corpus, jobs=threads),
        1,
        lambda counts: [counts.n_documents, len(counts.term_array), len(counts.entries)],
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
