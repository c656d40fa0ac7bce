"""One document of 200 words to counts, many times: `python -m benchmarks.one_document`. Seconds are for one document."""

from __future__ import annotations

import json
import time

from .measured import resident_mb
from .texts import newsgroups


def main() -> None:
    import rubricate as rb

    _, texts, _ = newsgroups()
    words = " ".join(texts[: min(400, len(texts))]).split()
    documents = [" ".join(words[start : start + 200]) for start in range(0, 200 * 300, 200)]
    recipe = rb.Recipe()
    for document in documents:
        rb.count([document], recipe, labels=["a"])
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        for document in documents:
            rb.count([document], recipe, labels=["a"])
        seconds.append((time.perf_counter() - start) / len(documents))
    print(json.dumps({"seconds": seconds, "peak_mb": resident_mb(), "before_mb": 0, "told": len(documents)}))


if __name__ == "__main__":
    main()
