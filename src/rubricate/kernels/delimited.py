"""CSV and TSV to columns: the wanted cells of each record, unquoted, by one pass over a block of bytes.

The block is valid UTF-8, begins with a record and ends with a line end. A record has cells between separators; a cell that
begins with a quote goes on to the next quote that is not doubled, over line ends too. The pass ends before the first record that
is not plain: another number of cells than the header, no cell with text in it, labels in brackets. Such a record is for the
strict reader (`corpus.readers.delimited`), as is everything from a quote or a line end on that is not where it should be.
"""

import numpy as np
from numba import int64, uint8

from .compilation import i64, i64sw, i64w, kernel, tuple_of, u8, u8sw
from .json_lines import LABELS

QUOTE, LF, CR, BRACKET = uint8(34), uint8(10), uint8(13), uint8(91)


@kernel((u8, tuple_of(uint8, i64, i64), tuple_of(u8sw, i64sw, u8sw, i64w)))
def parse_records(block, table, output):
    """What was read: (rows, labels, lines, end of the last record, end of the next record and its lines).

    table    separator, columns (for each cell the wanted column, or -1), kinds (TEXT, LABELS, ID or KEEP of each wanted column)
    output   as of `parse_json_lines`; absent: where a cell is empty

    The end of the next record is where the pass ended if all was read, 0 if the block ends within a quoted cell, and -1 if it
    cannot be told.
    """
    separator, columns, kinds = table
    data, ends, absent, label_ends = output
    n_cells, n_columns, n_bytes = len(columns), len(kinds), len(block)
    sizes = np.zeros(n_columns, dtype=np.int64)  # bytes of each column
    for column in range(n_columns):
        ends[column, 0] = 0
    label_ends[0] = 0
    rows, labels, lines, at = int64(0), int64(0), int64(0), int64(0)
    while at < n_bytes:
        start, record_lines = at, int64(1)
        if block[at] == LF or (block[at] == CR and block[at + 1] == LF):  # an empty line is no record
            at += 1 if block[at] == LF else 2
            lines += 1
            continue
        cell, row_labels, plain, has_text = int64(0), labels, True, False
        while True:  # over the cells of a record
            column = columns[cell] if cell < n_cells else int64(-1)
            out = int64(0) if column < 0 else sizes[column]
            begin = out
            if block[at] == QUOTE:
                at += 1
                while True:
                    run = at
                    while at < n_bytes and block[at] != QUOTE:
                        record_lines += block[at] == LF
                        if block[at] == CR and (at + 1 == n_bytes or block[at + 1] != LF):
                            return rows, labels, lines, start, int64(-1), int64(0)
                        at += 1
                    if at >= n_bytes:
                        return rows, labels, lines, start, int64(0), int64(0)
                    doubled = at + 1 < n_bytes and block[at + 1] == QUOTE
                    if column >= 0:
                        for i in range(at - run + doubled):  # with the first of two quotes
                            data[column, out + i] = block[run + i]
                    out += at - run + doubled
                    at += 1 + doubled
                    if not doubled:
                        break
                if at >= n_bytes or (block[at] != separator and block[at] != LF and block[at] != CR):
                    return rows, labels, lines, start, int64(-1), int64(0)
            else:
                run = at
                while block[at] != separator and block[at] != LF and block[at] != CR:
                    at += 1
                if column >= 0:
                    for i in range(at - run):
                        data[column, out + i] = block[run + i]
                out += at - run
            has_text |= out > begin
            if column >= 0:
                sizes[column] = out
                absent[column, rows] = out == begin
                if kinds[column] == LABELS and out > begin:
                    plain &= data[column, begin] != BRACKET
                    row_labels += 1
                    label_ends[row_labels] = out
            cell += 1
            if block[at] != separator:
                break
            at += 1
        if block[at] == CR:
            if block[at + 1] != LF:
                return rows, labels, lines, start, int64(-1), int64(0)
            at += 1
        at += 1
        if not plain or not has_text or cell != n_cells:
            return rows, labels, lines, start, at, record_lines
        labels = row_labels
        rows += 1
        lines += record_lines
        for column in range(n_columns):
            ends[column, rows] = labels if kinds[column] == LABELS else sizes[column]
    return rows, labels, lines, at, at, int64(0)
