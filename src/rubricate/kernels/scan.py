"""UTF-8 bytes to terms: find words, fold case, number the distinct ones, in one pass over a chunk of documents.

A word of plain ASCII is found, folded and turned into its key eight bytes at a time; anything else goes character by
character through the Unicode tables. A term of up to 16 bytes IS its key (two 64-bit words, no zero bytes inside); a
longer one has its hash as key and its bytes compared. Slots of the hash table are 32-bit term numbers, so that the
table of a chunk stays in the second-level cache. The definition of what a term is stands in `terms.definition`.
"""

import sys

import numpy as np
from numba import boolean, int64, njit, uint8, uint64

from .compilation import i32, i32s, i32w, i64, i64w, kernel, tuple_of, u8, u8w, vocabulary_type
from .words import HIGH, load8, trailing_zeros

LITTLE_ENDIAN = sys.byteorder == "little"
LOW7 = np.uint64(0x7F7F7F7F7F7F7F7F)
SPACES = np.uint64(0x2020202020202020)
TO_A = np.uint64(0x1F1F1F1F1F1F1F1F)  # 0x80 - ord("a"), in each byte
PAST_Z = np.uint64(0x0505050505050505)  # 0x80 - ord("z") - 1
TO_0 = np.uint64(0x5050505050505050)
PAST_9 = np.uint64(0x4646464646464646)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
LONG = np.uint64(0xFF00000000000000)  # no UTF-8 byte is 0xFF: this top byte marks the key of a term over 16 bytes
FNV_START = np.uint64(0xCBF29CE484222325)
FNV_PRIME = np.uint64(0x100000001B3)
U0, U1, U2, U3, U7, U8, U29, U32 = (np.uint64(n) for n in (0, 1, 2, 3, 7, 8, 29, 32))

OTHER, SPACE, LETTER, NUMBER, MARK, IGNORED, UNSPACED, CONTROL = range(8)
SEVERAL = 0x110000
NUM_KEY = np.uint64(0x4D554E)  # "NUM", little-endian


@njit(inline="always")
def term_hash(k0, k1, seed):
    h = (k0 ^ seed) * uint64(0x9E3779B97F4A7C15)
    h ^= h >> U32
    h = (h + k1) * uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> U29)


@kernel((u8, i64, int64, i32, u8, u8w))
def flag_unnormalised(data, offsets, n_documents, class_pages, classes, flags):
    """Mark documents that NFC might change: one with a composing character, or with two reordering marks in a row.

    ASCII is passed over eight bytes at a time. Returns the number of documents marked.
    """
    total = len(data)
    marked = 0
    for d in range(n_documents):
        at, end = offsets[d], offsets[d + 1]
        after_mark = False
        flags[d] = 0
        while at < end:
            if at + 8 <= end and at + 8 <= total and load8(data, at) & HIGH == U0:
                at += 8
                after_mark = False
                continue
            b = int64(data[at])
            if b < 0xCC:  # below U+0300 everything is stable
                at += 1 if b < 0x80 else 2
                after_mark = False
                continue
            if b < 0xE0:
                size, point = 2, b & 31
            elif b < 0xF0:
                size, point = 3, b & 15
            else:
                size, point = 4, b & 7
            if at + size > end:
                break
            for i in range(1, size):
                point = point << 6 | int64(data[at + i]) & 63
            if point > 0x10FFFF:
                break
            bits = int64(classes[int64(class_pages[point >> 8]) << 8 | point & 255])
            if bits & 8 or (bits & 16 and after_mark):
                flags[d] = 1
                marked += 1
                break
            after_mark = bits & 16 != 0
            at += size
    return marked


@kernel(
    (
        tuple_of(u8, i64, int64, int64),
        tuple_of(boolean, boolean, boolean, int64, int64, uint64),
        tuple_of(i32, u8, i32, i32, i32s),
        vocabulary_type,
        tuple_of(i32w, i64w, u8w),
    )
)
def scan(texts, settings, tables, vocabulary, output):
    """Terms of documents `first`..`n_documents`-1, as numbers in order of first appearance in the chunk.

    texts       data, offsets, n_documents, first
    settings    plain (words of ASCII are letters, or letters and digits), mixed (letters and digits in one word), fold,
                numbers (0 keep, 1 drop, 2 NUM), min_length, hash seed
    tables      class_pages, classes (as the recipe sees them), fold_pages, folds, several
    vocabulary  slots (0 = free, else number + 1), keys (2 words a term), heap (bytes of terms), heap_ends, state
                (state[0] terms so far, state[1] tokens so far)
    output      sequence (term numbers; ~number if only white space stands before), ends (tokens to the end of each
                document), scratch

    Returns n_documents, or the number of a document whose terms did not fit: the caller makes room and calls again from
    there. `sequence` must have a place for each byte, `scratch` three times the longest document.
    """
    data, offsets, n_documents, first = texts
    plain, mixed, fold, numbers, min_length, seed = settings
    class_pages, classes, fold_pages, folds, several = tables
    slots, keys, heap, heap_ends, state = vocabulary
    sequence, ends, scratch = output
    ascii_page = int64(class_pages[0]) << 8
    total = len(data)
    mask = uint64(len(slots) - 1)
    n_terms = state[0]
    m = state[1]
    room = min(len(slots) // 2, len(heap_ends) - 1)
    digits = HIGH if mixed else U0
    lower = SPACES if fold else U0

    for d in range(first, n_documents):
        at, end = offsets[d], offsets[d + 1]
        begun = m
        joined = False
        in_run = False
        while at < end:
            k0, k1, size = U0, U0, 0
            kind = OTHER
            b = int64(data[at])
            in_scratch = False
            pairable = True
            word_found = False
            if b < 0x80:
                kind = int64(classes[ascii_page + b]) & 7
                if kind == LETTER or (kind == NUMBER and mixed and numbers == 0):
                    # -- plain ASCII, eight bytes at a time
                    if LITTLE_ENDIAN and plain and at + 16 <= total:
                        w = load8(data, at)
                        v = w & LOW7
                        t = v | SPACES
                        letter = ((t + TO_A) & ~(t + PAST_Z)) & HIGH
                        digit = ((v + TO_0) & ~(v + PAST_9)) & digits
                        stop = (~(letter | digit) & HIGH) | (w & HIGH)
                        bytes_left = end - at
                        if bytes_left < 8:
                            stop |= HIGH << uint64(bytes_left << 3)
                        if stop != U0:
                            bits = trailing_zeros(stop) & ~U7
                            size = int64(bits >> U3)
                            k0 = (v | ((letter >> U2) & lower)) & ((U1 << bits) - U1)
                            word_found = size == bytes_left or (w >> bits) & uint64(0x80) == U0
                        elif bytes_left > 8:
                            k0 = v | ((letter >> U2) & lower)
                            w = load8(data, at + 8)
                            v = w & LOW7
                            t = v | SPACES
                            letter = ((t + TO_A) & ~(t + PAST_Z)) & HIGH
                            digit = ((v + TO_0) & ~(v + PAST_9)) & digits
                            stop = (~(letter | digit) & HIGH) | (w & HIGH)
                            bytes_left -= 8
                            if bytes_left < 8:
                                stop |= HIGH << uint64(bytes_left << 3)
                            if stop != U0:
                                bits = trailing_zeros(stop) & ~U7
                                size = 8 + int64(bits >> U3)
                                k1 = (v | ((letter >> U2) & lower)) & ((U1 << bits) - U1)
                                word_found = size - 8 == bytes_left or (w >> bits) & uint64(0x80) == U0
                    if word_found:
                        at += size
                        in_run = False
                elif kind != NUMBER:
                    joined = joined and kind == SPACE
                    in_run = False
                    at += 1
                    continue
            if not word_found:
                # -- character by character
                size = 0
                k0, k1 = U0, U0
                start_kind = -1  # of the word: LETTER or NUMBER
                numeric = True
                characters = 0
                clusters = 0
                second = end  # where the second cluster of an unspaced run begins
                last_number = False
                ended = False
                while at < end and not ended:
                    b = int64(data[at])
                    if b < 0x80:
                        width, point = 1, b
                    elif b < 0xE0:
                        width, point = 2, b & 31
                    elif b < 0xF0:
                        width, point = 3, b & 15
                    else:
                        width, point = 4, b & 7
                    if at + width > end:
                        width, point = end - at, 0  # cut in the middle of a character: not valid UTF-8
                    else:
                        for i in range(1, width):
                            point = point << 6 | int64(data[at + i]) & 63
                        if point > 0x10FFFF:
                            point = 0
                    kind = int64(classes[int64(class_pages[point >> 8]) << 8 | point & 255]) & 7
                    if start_kind < 0:
                        if kind == LETTER or kind == NUMBER or kind == UNSPACED:
                            start_kind = kind
                        else:
                            joined = joined and (kind == SPACE or kind == IGNORED)
                            in_run = in_run and kind == IGNORED
                            at += width
                            break
                    elif kind == MARK or kind == IGNORED:
                        pass
                    elif start_kind == UNSPACED:
                        if kind == UNSPACED and clusters == 1:
                            second = at
                        else:
                            ended = True
                            break
                    elif kind == OTHER and numbers == 2 and numeric and last_number and (point == 44 or point == 46):
                        # a point or comma inside a number: look at the next character
                        inside = False
                        if at + 1 < end:
                            b = int64(data[at + 1])
                            if b < 0x80:
                                nwidth, npoint = 1, b
                            elif b < 0xE0:
                                nwidth, npoint = 2, b & 31
                            elif b < 0xF0:
                                nwidth, npoint = 3, b & 15
                            else:
                                nwidth, npoint = 4, b & 7
                            if at + 1 + nwidth <= end:
                                for i in range(1, nwidth):
                                    npoint = npoint << 6 | int64(data[at + 1 + i]) & 63
                                if npoint <= 0x10FFFF:
                                    nkind = int64(classes[int64(class_pages[npoint >> 8]) << 8 | npoint & 255]) & 7
                                    inside = nkind == NUMBER
                        if not inside:
                            ended = True
                            break
                    elif not (kind == start_kind or (mixed and (kind == LETTER or kind == NUMBER))):
                        ended = True
                        break
                    if kind == UNSPACED:
                        clusters += 1
                    last_number = kind == NUMBER
                    if kind == LETTER or kind == UNSPACED:
                        numeric = False
                    if kind != IGNORED:
                        # fold and write as UTF-8; scratch has room for three times the document
                        to = 0
                        if fold and start_kind != UNSPACED:
                            to = int64(folds[int64(fold_pages[point >> 8]) << 8 | point & 255])
                        for part in range(3):
                            if to >= SEVERAL:
                                p = int64(several[to - SEVERAL, part])
                                if p == 0:
                                    break
                            else:
                                if part > 0:
                                    break
                                p = to if to != 0 else point
                            characters += 1
                            if p < 0x80:
                                scratch[size] = p
                                size += 1
                            elif p < 0x800:
                                scratch[size] = 0xC0 | p >> 6
                                scratch[size + 1] = 0x80 | p & 63
                                size += 2
                            elif p < 0x10000:
                                scratch[size] = 0xE0 | p >> 12
                                scratch[size + 1] = 0x80 | p >> 6 & 63
                                scratch[size + 2] = 0x80 | p & 63
                                size += 3
                            else:
                                scratch[size] = 0xF0 | p >> 18
                                scratch[size + 1] = 0x80 | p >> 12 & 63
                                scratch[size + 2] = 0x80 | p >> 6 & 63
                                scratch[size + 3] = 0x80 | p & 63
                                size += 4
                    at += width
                if start_kind < 0:
                    continue
                in_scratch = True
                if start_kind == UNSPACED:
                    pairable = False
                    if clusters == 2:
                        at = second
                        in_run = True
                    else:
                        alone = not in_run
                        in_run = False
                        if not alone:
                            joined = False
                            continue
                else:
                    in_run = False
                    if numeric and numbers != 0:
                        if numbers == 1:
                            joined = False
                            continue
                        in_scratch = False
                        k0, size = NUM_KEY, 3
                    elif characters < min_length:
                        joined = False
                        continue
                if in_scratch:
                    if size <= 16:
                        for i in range(min(size, 8)):
                            k0 |= uint64(scratch[i]) << uint64(i << 3)
                        for i in range(8, size):
                            k1 |= uint64(scratch[i]) << uint64((i - 8) << 3)
                    else:
                        k0, k1 = FNV_START, U0
                        for i in range(size):
                            k0 = (k0 ^ uint64(scratch[i])) * FNV_PRIME
                        k1 = LONG | uint64(size)
            elif size < min_length:
                joined = False
                continue

            # -- number the term
            slot = term_hash(k0, k1, seed) & mask
            number = int64(-1)
            while True:
                number = int64(slots[slot]) - 1
                if number < 0:
                    break
                if keys[2 * number] == k0 and keys[2 * number + 1] == k1:
                    if size <= 16:
                        break
                    same = True
                    begin = heap_ends[number]
                    for i in range(size):
                        if heap[begin + i] != scratch[i]:
                            same = False
                            break
                    if same:
                        break
                slot = (slot + U1) & mask
            if number < 0:
                number = n_terms
                if number == room or heap_ends[number] + size > len(heap):
                    state[0], state[1] = n_terms, begun
                    return d
                slots[slot] = number + 1
                keys[2 * number] = k0
                keys[2 * number + 1] = k1
                begin = heap_ends[number]
                if in_scratch:
                    for i in range(size):
                        heap[begin + i] = scratch[i]
                else:
                    for i in range(min(size, 8)):
                        heap[begin + i] = uint8(k0 >> uint64(i << 3))
                    for i in range(8, size):
                        heap[begin + i] = uint8(k1 >> uint64((i - 8) << 3))
                n_terms += 1
                heap_ends[n_terms] = begin + size
            sequence[m] = ~number if joined and pairable else number
            m += 1
            joined = pairable  # a character pair is nobody's neighbour
        ends[d] = m
    state[0], state[1] = n_terms, m
    return n_documents
