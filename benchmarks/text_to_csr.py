"""Raw text to a documents x terms matrix: `python -m benchmarks.text_to_csr WHO REPETITIONS`; WHO: sklearn, or threads."""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from .measured import report
from .texts import newsgroups

PATTERN = r"(?u)[^\W_]{2,}"


def digest(X, terms: list[str]) -> str:
    """Of the matrix and its columns, both sorted: equal digests, equal results."""
    X.sort_indices()
    hashed = hashlib.sha256("\n".join(terms).encode())
    for part in (X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data.astype(np.int64)):
        hashed.update(part.tobytes())
    return hashed.hexdigest()


def main(who: str, repetitions: int) -> None:
    _, texts, _ = newsgroups()
    if who == "sklearn":
        from sklearn.feature_extraction.text import CountVectorizer

        def peer():
            vectorizer = CountVectorizer(preprocessor=str.casefold, token_pattern=PATTERN)
            return vectorizer.fit_transform(texts), vectorizer

        report(peer, repetitions, lambda made: digest(made[0], list(made[1].get_feature_names_out())))
    else:
        import rubricate as rb

        recipe = rb.Recipe(min_length=2)
        rb.tabulate(texts[:10], recipe, jobs=1)  # loads the compiled loops from disk
        report(lambda: rb.tabulate(texts, recipe, jobs=int(who)), repetitions, lambda made: digest(made.X, made.terms))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
