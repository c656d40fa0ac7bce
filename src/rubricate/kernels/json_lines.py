"""JSON Lines to columns: the wanted values of each line's object, unescaped, by one pass over a block of bytes.

The block is valid UTF-8 and ends with a line end. Every byte is checked as strict JSON asks, also in values that nobody wants.
The pass ends before the first line that is not plain: not an object, a wanted key twice or with an escape in it, a wanted value
of another type than the usual one, a number or a nesting that parsers may take differently. Such a line is for the strict reader
(`corpus.readers.jsonl`), which knows what to say about it.
"""

import numpy as np
from numba import int64

from .compilation import i64, i64sw, i64w, kernel, tuple_of, u8, u8sw
from .words import HIGH, LOW, load8, trailing_zeros

TEXT, LABELS, ID, KEEP = range(4)  # what a wanted key is for
# what is expected next
START, KEY_OR_END, KEY, COLON, VALUE, VALUE_OR_END, COMMA_OR_END, LINE_END = range(8)
QUOTES, BACKSLASHES, SPACES = (np.uint64(byte * 0x0101010101010101) for byte in (0x22, 0x5C, 0x20))
U0, U3 = np.uint64(0), np.uint64(3)
DEEPEST = 60
MOST_LABELS = 100
MOST_DIGITS = 15  # of a number, so that no parser finds it out of range


@kernel((u8, tuple_of(u8, i64, i64), tuple_of(u8sw, i64sw, u8sw, i64w)))
def parse_json_lines(block, wanted, output):
    """Rows, labels, lines and bytes that were read: (rows, labels, lines, end of the last line read).

    wanted   keys (their bytes), key_ends (a 0 in front), kinds (TEXT, LABELS, ID or KEEP, at most one of LABELS and one of ID)
    output   data (keys x bytes: the values, one after the other), ends (keys x rows: where each value ends, a 0 in front; of
             LABELS how many labels there are so far), absent (keys x rows: 1 where there is null or no value), label_ends (a 0
             in front)
    """
    keys, key_ends, kinds = wanted
    data, ends, absent, label_ends = output
    n_keys, n_bytes = len(kinds), len(block)
    sizes = np.zeros(n_keys, dtype=np.int64)  # bytes of each column
    n_texts = 0
    for k in range(n_keys):
        ends[k, 0] = 0
        n_texts += kinds[k] == TEXT
    label_ends[0] = 0
    rows, labels, lines, line_start = int64(0), int64(0), int64(0), int64(0)
    state, at = START, int64(0)
    depth, objects = int64(0), int64(0)  # bit d of `objects`: whether nesting level d is an object
    column = int64(-1)  # of the value that is being read
    met, present, texts_present = int64(0), int64(0), int64(0)  # keys of this row, values other than null
    first_label = int64(0)  # of this row
    while at < n_bytes:
        byte = block[at]
        if byte == 32 or byte == 9:
            at += 1
            continue
        if byte == 13:
            if block[at + 1] != 10:
                break
            at += 1
            continue
        if byte == 10:
            if state == LINE_END:
                if texts_present == 0:
                    break
                for k in range(n_keys):
                    absent[k, rows] = not (present >> k) & 1
                    ends[k, rows + 1] = labels if kinds[k] == LABELS else sizes[k]
                rows += 1
            elif state != START:
                break
            at += 1
            lines += 1
            line_start, state = at, START
            met, present, texts_present, first_label = int64(0), int64(0), int64(0), labels
            continue
        if byte == 34:  # a string
            is_key = state == KEY_OR_END or state == KEY
            if not is_key and state != VALUE and state != VALUE_OR_END:
                break
            into = int64(-1) if is_key else column  # the column to which it is copied
            start = at + 1
            at = start
            out = int64(0) if into < 0 else sizes[into]
            valid, escaped = True, False
            while True:
                run = at
                while at + 8 <= n_bytes:  # up to the next quote, backslash or control character
                    word = load8(block, at)
                    quotes, backslashes = word ^ QUOTES, word ^ BACKSLASHES
                    special = (quotes - LOW) & ~quotes | (backslashes - LOW) & ~backslashes | (word - SPACES) & ~word
                    if special & HIGH != U0:
                        at += int64(trailing_zeros(special & HIGH) >> U3)
                        break
                    at += 8
                while block[at] != 34 and block[at] != 92 and block[at] >= 32:
                    at += 1
                if into >= 0:
                    for i in range(at - run):
                        data[into, out + i] = block[run + i]
                out += at - run
                byte = block[at]
                if byte == 34:
                    break
                if byte < 32:
                    valid = False
                    break
                escaped = True
                byte = block[at + 1]
                at += 2
                if byte == 117:  # \uXXXX
                    point, units = int64(0), int64(0)
                    while True:
                        unit = int64(0)
                        for i in range(4):
                            digit = int64(block[at + i])
                            if 48 <= digit <= 57:
                                digit -= 48
                            elif 97 <= digit | 32 <= 102:
                                digit = (digit | 32) - 87
                            else:
                                valid = False
                                break
                            unit = unit << 4 | digit
                        if not valid:
                            break
                        at += 4
                        units += 1
                        if units == 1 and 0xD800 <= unit < 0xDC00 and block[at] == 92 and block[at + 1] == 117:
                            point = unit
                            at += 2
                            continue
                        if units == 2:
                            valid = 0xDC00 <= unit < 0xE000
                            point = 0x10000 + ((point - 0xD800) << 10) + (unit - 0xDC00)
                        else:
                            valid = not 0xD800 <= unit < 0xE000
                            point = unit
                        break
                    if not valid:
                        break
                    size = 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
                    if into >= 0:
                        if size == 1:
                            data[into, out] = point
                        else:
                            for i in range(size - 1, 0, -1):
                                data[into, out + i] = 0x80 | point & 63
                                point >>= 6
                            data[into, out] = (0xF00 >> size & 0xFF) | point
                    out += size
                    continue
                if byte == 110:
                    byte = 10
                elif byte == 116:
                    byte = 9
                elif byte == 114:
                    byte = 13
                elif byte == 98:
                    byte = 8
                elif byte == 102:
                    byte = 12
                elif byte != 34 and byte != 92 and byte != 47:
                    valid = False
                    break
                if into >= 0:
                    data[into, out] = byte
                out += 1
            if not valid:
                break
            at += 1
            if is_key:
                state = COLON
                if depth == 1:
                    if escaped:
                        break
                    column = int64(-1)
                    length = at - 1 - start
                    for k in range(n_keys):
                        if key_ends[k + 1] - key_ends[k] == length:
                            same = True
                            for i in range(length):
                                if keys[key_ends[k] + i] != block[start + i]:
                                    same = False
                                    break
                            if same:
                                column = int64(k)
                    if column >= 0:
                        if (met >> column) & 1:
                            break
                        met |= int64(1) << column
                continue
            state = COMMA_OR_END
            if into < 0:
                continue
            present |= int64(1) << into
            if kinds[into] == LABELS:
                begin, repeated = sizes[into], labels - first_label >= MOST_LABELS
                for other in range(first_label, labels):
                    low, high = label_ends[other], label_ends[other + 1]
                    if high - low == out - begin:
                        same = True
                        for i in range(out - begin):
                            if data[into, low + i] != data[into, begin + i]:
                                same = False
                                break
                        repeated |= same
                if repeated:
                    break
                labels += 1
                label_ends[labels] = out
            else:
                texts_present += kinds[into] == TEXT
            sizes[into] = out
            continue
        if byte == 58:
            if state != COLON:
                break
            at += 1
            state = VALUE
            continue
        if byte == 44:
            if state != COMMA_OR_END:
                break
            at += 1
            state = KEY if (objects >> depth) & 1 else VALUE
            continue
        if byte == 123 or byte == 91:  # { or [
            if byte == 123 and state == START:
                depth, objects = int64(0), int64(0)
            else:
                if (state != VALUE and state != VALUE_OR_END) or depth >= DEEPEST:
                    break
                if column >= 0:  # a list of labels
                    if kinds[column] != LABELS or byte == 123 or depth > 1:
                        break
                    present |= int64(1) << column
            depth += 1
            if byte == 123:
                objects |= int64(1) << depth
                state = KEY_OR_END
            else:
                objects &= ~(int64(1) << depth)
                state = VALUE_OR_END
            at += 1
            continue
        if byte == 125 or byte == 93:  # } or ]
            is_object = (objects >> depth) & 1 == 1
            if is_object != (byte == 125) or depth == 0:
                break
            if state != COMMA_OR_END and state != (KEY_OR_END if is_object else VALUE_OR_END):
                break
            depth -= 1
            at += 1
            state = COMMA_OR_END if depth > 0 else LINE_END
            continue
        if state != VALUE and state != VALUE_OR_END:
            break
        if byte == 110 or byte == 116 or byte == 102:  # null, true, false
            if column >= 0 and (byte != 110 or depth > 1):
                break
            if byte == 110:
                valid = block[at + 1] == 117 and block[at + 2] == 108 and block[at + 3] == 108
            elif byte == 116:
                valid = block[at + 1] == 114 and block[at + 2] == 117 and block[at + 3] == 101
            else:
                valid = block[at + 1] == 97 and block[at + 2] == 108 and block[at + 3] == 115 and block[at + 4] == 101
            if not valid:
                break
            at += 5 if byte == 102 else 4
            state = COMMA_OR_END
            continue
        # a number: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]{1,2})?
        if column >= 0 and kinds[column] != ID:
            break
        start = at
        if byte == 45:
            at += 1
        whole = at
        while 48 <= block[at] <= 57:
            at += 1
        digits = at - whole
        if digits == 0 or digits > MOST_DIGITS or (digits > 1 and block[whole] == 48):
            break
        if column >= 0:
            if byte == 45 and block[whole] == 48:
                break
            for i in range(start, at):
                data[column, sizes[column] + i - start] = block[i]
            sizes[column] += at - start
            present |= int64(1) << column
        if block[at] == 46:
            part = at + 1
            at = part
            while 48 <= block[at] <= 57:
                at += 1
            digits += at - part
            if at == part or digits > MOST_DIGITS or column >= 0:
                break
        if block[at] | 32 == 101:
            at += 1
            if block[at] == 43 or block[at] == 45:
                at += 1
            part = at
            while 48 <= block[at] <= 57:
                at += 1
            if at == part or at - part > 2 or column >= 0:
                break
        state = COMMA_OR_END
    return rows, first_label, lines, line_start
