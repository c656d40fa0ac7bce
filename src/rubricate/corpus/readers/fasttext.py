"""fastText's training format: `__label__a __label__b the text`, one document a line.

As in fastText, a label may also stand later in the line: it is taken out of the text, and noted. A line without
labels is a document without labels. Blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import Row, Tally
from .columns import ColumnChoice, ColumnRequest, default_columns
from .sources import ENCODING_CURE, LIMIT_CURE, Overlong, Source, lines

PREFIX = "__label__"


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    with source.text():  # a file that cannot be opened is an error now
        return default_columns("fastText", request)


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    with source.text() as encoded:
        for note in encoded.notes:
            tally.repair(note)
        limit = source.limits.max_row_bytes
        for number, line in enumerate(lines(encoded.stream, limit), 1):
            where = f"{source.name} line {number}"
            if isinstance(line, Overlong):
                tally.reject(where, f"the line has more than {limit:,} bytes", LIMIT_CURE, raw=bytes(line))
                continue
            try:
                text = line.decode(encoded.encoding).strip()
            except UnicodeError:
                tally.reject(where, f"the line is not valid {source.encoding}", ENCODING_CURE, raw=line)
                continue
            if not text:
                continue
            labels: list[str] = []
            while text.startswith(PREFIX):
                label, text = (*text.split(maxsplit=1), "")[:2]
                labels.append(label[len(PREFIX) :])
            if PREFIX in text:
                words = text.split(" ")
                late = [word for word in words if word.startswith(PREFIX)]
                if late:
                    tally.repair("a label in the middle of a line taken out of the text")
                    labels += [word[len(PREFIX) :] for word in late]
                    text = " ".join(word for word in words if not word.startswith(PREFIX))
            yield Row(where, None, (text,), tuple(labels))
