"""Counts: whole-number statistics of a labelled collection, from which every count model is fitted. They add and subtract.

    documents[c]          documents with label c; the last row is everything, since documents may have several labels
    documents_with[c, w]  documents of label c in which term w occurs
    occurrences[c, w]     how often term w occurs in documents of label c
    levels(k)[c, w]       documents of label c in which term w occurs at least k times, any k
    lengths[c, l]         documents of label c with l terms

Stored is one table, sparse and without a cap: (label, term, times, documents in which the term occurs so many times). The
rest are sums over it. No logarithm, no smoothing, no float: sums of integers do not depend on the order of the documents.
"""

from __future__ import annotations

from .counts import Counts
from .entries import inverse
from .matrices import indicator, label_pairs, whole_numbers

__all__ = ["Counts", "indicator", "inverse", "label_pairs", "whole_numbers"]
