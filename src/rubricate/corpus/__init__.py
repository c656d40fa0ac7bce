"""Any input as a stream of Arrow batches: an id, one or several text fields, labels, and columns kept for splitting.

A `Corpus` is a recipe for opening a source, not the source itself: iterating opens it anew, holds one batch at a time and
keeps a `Tally`, so that rows in = rows kept + rows rejected, always. Splits and folds look at ids and labels once, then
filter the stream. Readers (`readers/`) make the rows; this package knows no format. Documents and plain batches of them
(`Corpus.row_batches`) are read without numpy and Arrow, unless the input is Parquet or packed by zstd.
"""

from __future__ import annotations

from .batches import ID, LABELS, Columns, Document, Row, RowBatch, batched
from .corpus import Corpus
from .labels import clean_labels, is_missing, label_tuple, several, tidy_label, warn_of_labels
from .tally import Reject, Tally

__all__ = [
    "ID",
    "LABELS",
    "Columns",
    "Corpus",
    "Document",
    "Reject",
    "Row",
    "RowBatch",
    "Tally",
    "batched",
    "clean_labels",
    "is_missing",
    "label_tuple",
    "several",
    "tidy_label",
    "warn_of_labels",
]
