"""Golden cases of term scores and selection: 000 sec. 4.2, 002 sec. 3, 003 sec. 5.1."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from golden_cases import Case, covers
from rubricate import term_scores
from rubricate.counts.term_scores.cells import all_labels, label_against_rest, label_row
from rubricate.counts.term_scores.divergence import (
    approximate_divergence,
    global_divergence,
    mixture,
    share_of_words,
    term_probability,
)


@covers("joachims_selection")
def joachims_selection(case: Case) -> None:
    """MI of all columns; words left by each step of pruning; the n best."""
    counts = case.counts()
    scores = term_scores.mutual_information(counts, label=case.label)
    case.check("mutual_information", scores)
    shares = counts.documents[:-1] / counts.n_documents
    case.check("entropy", -xlogy(shares, shares).sum())
    if "a" not in case.input:
        return
    a, b, n = (case.input[key] for key in "abn")
    left = term_scores.prune(counts, min_occurrences=a, drop_most_frequent=b)
    case.check("after_infrequent", term_scores.prune(counts, min_occurrences=a))
    case.check("after_frequent", left)
    chosen = term_scores.select(
        counts, by="mutual_information", top=n, min_occurrences=a, drop_most_frequent=b, label=case.label
    )
    case.check("selected", chosen)
    order = term_scores.ranked(scores, among=left)
    case.check("boundary_gap", scores[order[n - 1]] - scores[order[n]] if len(order) > n else None)


@covers("schneider_scores")
def schneider_scores(case: Case) -> None:
    """Scores of all terms of the vocabulary, every step of their making, and the order they give."""
    counts = case.counts()
    label = case.label
    scores = {
        "mi": term_scores.word_mutual_information(counts, label=label),
        "kl": term_scores.kl(counts, label=label),
        "dkl": term_scores.dkl(counts, label=label),
    }
    for name, values in scores.items():
        case.check(name, values)
        case.check(f"ranked_by_{name}", np.array(case.columns)[term_scores.ranked(values)])
    case.check("mi_docprior", term_scores.word_mutual_information(counts, label=label, prior="documents"))
    case.check("kl_exact_eq8", term_scores.exact_kl(case.X, case.corpus.y, label=label))
    case.check("kl_approx_eq11", term_scores.kl_error(case.X, case.corpus.y, label=label).approximate)

    classes = all_labels(counts) if label is None else label_against_rest(counts, label_row(counts, label))
    case.check("kl_approx_eq10", approximate_divergence(classes, 1.0))
    case.check("k_tilde_eq12", global_divergence(classes, share_of_words(classes)))
    case.check("p_word", share_of_words(classes))
    case.check("p_word_prime_eq14", mixture(classes, 1.0))

    # classes in the order of the file: with a label, the rest comes first there
    own = slice(0, -1) if label is None else [label_row(counts, label)]
    with_term, times = counts.documents_with.toarray()[own].T, counts.occurrences.toarray()[own].T
    sizes = classes.sizes
    if label is not None:
        with_term = np.hstack([counts.documents_with.toarray()[[-1]].T - with_term, with_term])
        times = np.hstack([counts.occurrences.toarray()[[-1]].T - times, times])
        sizes = sizes[::-1]
    case.check("n_docs_with_word", with_term)
    average = term_probability(times, times.sum(axis=0), len(counts.terms), 1.0) * sizes / np.maximum(with_term, 1)
    case.check("p_tilde_eq9", np.where(with_term > 0, average, 0.0))


@covers("wilbur_selection")
def wilbur_selection(case: Case) -> None:
    """Average mutual information over words and over documents; the sizes to try."""
    if "size" in case.input:
        case.check("grid", term_scores.grid(case.input["size"]))
        return
    counts = case.counts()
    case.check("mi_words", term_scores.word_mutual_information(counts))
    case.check("mi_documents", term_scores.mutual_information(counts))
