"""Golden cases of weightings: 001 sec. 2, 6.3, 7.2 and 003 eq. 15-18."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from golden_cases import Case, covers
from rubricate import vectors
from rubricate.counts.term_scores import idf


@covers("lewis_weights")
def lewis_weights(case: Case) -> None:
    given = case.input
    if "x" in given:
        case.check("unit", vectors.cosine(sparse.csr_array(np.array([given["x"]], dtype=float))).toarray()[0])
    elif "tf" in given:
        case.check("belief", belief(given))
    else:
        counts = case.counts()
        for part, X in (("train", case.X), ("test", case.corpus.X_test)):
            found = vectors.weighted(X, counts, given["kind"]).toarray()
            case.check(part, found + vectors.ABSENT if given["kind"] == "inquery" else found)


def belief(given: dict) -> float:
    """The belief of one term of one document, with the document's other terms made up to fit."""
    df, n = np.array([given["df"], 1.0]), float(given["n_docs"])
    if "max_tf" in given:
        X = sparse.csr_array(np.array([[given["tf"], given["max_tf"]]], dtype=float))
        return vectors.ABSENT + vectors.inquery(X, df, n)[0, 0]
    X = sparse.csr_array(np.array([[given["tf"], given["doc_len"] - given["tf"]]], dtype=float))
    return vectors.ABSENT + vectors.inquery_okapi(X, df, n, given["avg_len"])[0, 0]


@covers("wilbur_weights")
def wilbur_weights(case: Case) -> None:
    if "tf" in case.input:
        case.check("log_tf", vectors.log_tf(sparse.csr_array(np.array([case.input["tf"]], dtype=float))).toarray()[0])
        return
    counts = case.counts()
    over_all = np.full(case.corpus.X.shape[1], np.nan)
    over_all[case.columns] = idf(counts)
    case.check("idf", over_all)
    for part, X in (("train", case.X), ("test", case.corpus.X_test[:, case.columns])):
        case.check(f"{part}_tfidf", vectors.weighted(X, counts, "wilbur_tfidf").toarray())
        case.check(f"{part}_idf_only", vectors.weighted(X, counts, "wilbur_idf").toarray())
