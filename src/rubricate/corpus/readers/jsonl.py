"""JSON Lines: one object a line, through orjson, which answers hostile nesting and numbers with a clean error.

Text: a string; a list of strings is joined by newlines (a noted repair); null or missing in every text field rejects
the row, in some of several fields it is "". Labels: a string, a list of strings, null or missing; anything else
rejects the row. An id is a string or a whole number. Blank lines are skipped and count as nothing. A key given twice:
the last value is used, as orjson does, and noted (not when the key is spelled with escapes).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import orjson

from ...errors import InputError
from .. import Row, Tally
from ..batches import RowBlock
from .blocks import has_distinct_columns, json_parser, read_blocks
from .columns import LABELS_CURE, NO_LABELS, ColumnChoice, ColumnRequest, UnusableRow, labels_in_cell, match_columns
from .decompression import Readable, Stream
from .sources import ENCODING_CURE, LIMIT_CURE, EncodedText, Overlong, Source, lines

LOOK_OBJECTS = 100
LOOK_LINES = 1000
LOOK_BYTES = 1 << 20
TWICE = "a key given twice: the last value was used"


class _FirstBytes:
    """A stream that ends after LOOK_BYTES once column names are known: columns are not worth a long read."""

    def __init__(self, stream: Stream, names: dict[str, None]) -> None:
        self._stream, self._names, self._bytes_read = stream, names, 0

    def read(self, size: int, /) -> bytes:
        if self._names and self._bytes_read > LOOK_BYTES:
            return b""
        data = self._stream.read(size)
        self._bytes_read += len(data)
        return data

    def close(self) -> None:
        """The stream is closed by whoever opened it."""


def choose_columns(source: Source, request: ColumnRequest) -> ColumnChoice:
    """Choose columns by the first objects: text by the first usable one, labels and id by the first hundred."""
    first: list[str] = []
    names: dict[str, None] = {}
    objects = 0
    with source.text() as encoded:
        first_bytes = _FirstBytes(encoded.stream, names)
        for number, line in enumerate(lines(first_bytes, source.limits.max_row_bytes), 1):
            bare = line.strip()
            if not names and not isinstance(line, Overlong) and bare:
                _refuse_other_json(source.name, bare)
            try:
                value = None if isinstance(line, Overlong) else orjson.loads(line.decode(encoded.encoding))
            except (orjson.JSONDecodeError, UnicodeError):
                value = None
            if isinstance(value, dict) and value:
                first = first or list(value)
                names.update(dict.fromkeys(value))
                objects += 1
            if objects >= LOOK_OBJECTS or (not objects and number > LOOK_LINES):
                break
    if not names:  # nothing to go by: rows will be rejected one by one, with their reasons
        return ColumnChoice(request.text or ("text",), request.labels, request.id, request.keep)
    choice = match_columns(source.name, list(names), request)
    if request.text is None:
        with suppress(InputError):  # the first object alone may lack a text
            choice = choice._replace(text=match_columns(source.name, first, ColumnRequest()).text)
    return choice


def _refuse_other_json(name: str, line: bytes) -> None:
    if line.startswith(b"["):
        raise InputError(name, "is a JSON array, not one object a line", f"turn it into lines: jq -c '.[]' {name}")
    if line == b"{":
        raise InputError(name, "has a JSON object spread over several lines", f"put each on one line: jq -c . {name}")


def rows(source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally) -> Iterator[Row]:
    with open_text(source, choice, tally) as encoded:
        yield from strict_rows(source, choice, request, tally, encoded.encoding, encoded.stream)


def rows_and_blocks(
    source: Source, choice: ColumnChoice, request: ColumnRequest, tally: Tally
) -> Iterator[Row | RowBlock]:
    """The same, with blocks of rows where lines are plain: see `blocks`."""
    with open_text(source, choice, tally) as encoded:
        read_strictly = partial(strict_rows, source, choice, request, tally, encoded.encoding)
        if encoded.encoding == "utf-8" and request.label_delimiter is None and has_distinct_columns(choice):
            make_parser = partial(json_parser, choice)
            yield from read_blocks(encoded.stream, source.limits.max_row_bytes, make_parser, read_strictly)
        else:
            yield from read_strictly(encoded.stream)


def open_text(source: Source, choice: ColumnChoice, tally: Tally) -> EncodedText:
    encoded = source.text()
    for note in encoded.notes:
        tally.repair(note)
    if choice.labels is None:
        tally.repair(NO_LABELS)
    return encoded


def strict_rows(
    source: Source,
    choice: ColumnChoice,
    request: ColumnRequest,
    tally: Tally,
    encoding: str,
    stream: Readable,
    lines_before: int = 0,
) -> Iterator[Row]:
    """Row by row; what cannot be used is rejected with its reason. lines_before: lines of the input before this stream."""
    name, text_names, label_name, id_name, keep = source.name, choice.text, choice.labels, choice.id, choice.keep
    single = text_names[0] if len(text_names) == 1 else None
    delimiter = request.label_delimiter
    columns = {key for key in (*text_names, label_name, id_name, *keep) if key is not None}
    key_pattern = re.compile(rb"|".join(re.escape(orjson.dumps(key)) for key in sorted(columns)))
    loads = orjson.loads
    recode = None if encoding == "utf-8" else encoding
    for number, line in enumerate(lines(stream, source.limits.max_row_bytes), lines_before + 1):
        where = f"{name} line {number}"
        try:
            try:
                value = loads(line if recode is None else line.decode(recode))
            except ValueError as error:  # orjson's and Unicode's errors are ValueErrors
                if line.isspace():
                    continue
                raise _parse_error(line, error, source) from None
            if value.__class__ is not dict:
                what = f"the line is {_describe(value)}, not an object"
                raise UnusableRow(what, 'use {"text": ..., "labels": ...}')
            if single is not None and (text := value.get(single)).__class__ is str:
                texts: tuple[str, ...] = (text,)
            else:
                texts = _texts(value, text_names, tally)
            labels: tuple[str, ...] = ()
            if label_name is not None and (label := value.get(label_name)) is not None:
                labels = _labels(label, label_name, delimiter)
            row_id = None if id_name is None else value.get(id_name)
            if row_id is not None and row_id.__class__ is not str:
                if row_id.__class__ is not int:
                    raise UnusableRow(f"{id_name} is {_describe(row_id)}", "an id is a string or a whole number")
                row_id = str(row_id)
            kept = tuple([_kept_value(value.get(key)) for key in keep]) if keep else ()
            keys = key_pattern.findall(line)
            if len(set(keys)) < len(keys) and _has_repeated_key(line, keys):  # the first seldom holds
                tally.repair(TWICE)
        except UnusableRow as why:
            tally.reject(where, why.what, why.cure, raw=bytes(line))
            continue
        yield Row(where, row_id, texts, labels, kept)


def _parse_error(line: bytes, error: ValueError, source: Source) -> UnusableRow:
    if isinstance(line, Overlong):
        return UnusableRow(f"the line has more than {source.limits.max_row_bytes:,} bytes", LIMIT_CURE)
    if isinstance(error, UnicodeError) or "not valid UTF-8" in str(error):
        return UnusableRow(f"the line is not valid {source.encoding}", ENCODING_CURE)
    if line.rstrip().endswith((b"},", b"}]")):
        return UnusableRow("something follows the object", "one object a line, no comma or bracket after it")
    message = getattr(error, "msg", str(error))
    column = f"look at column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
    return UnusableRow(f"not valid JSON ({message.split(': line ')[0]})", column)


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"a truth value ({str(value).lower()})"
    if isinstance(value, int | float):
        return f"a number ({str(value)[:20]})"
    if isinstance(value, str):
        return "a string"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else type(value).__name__


def _texts(value: dict[str, object], names: tuple[str, ...], tally: Tally) -> tuple[str, ...]:
    texts: list[str] = []
    absent = 0
    for name in names:
        text = value.get(name)
        if text is None:
            absent += 1
            texts.append("")
        elif isinstance(text, str):
            texts.append(text)
        elif isinstance(text, list) and all(isinstance(part, str) for part in text):
            tally.repair("text given as a list of strings: joined by newlines")
            texts.append("\n".join(text))
        else:
            raise UnusableRow(f"{name} is {_describe(text)}", "text must be a string")
    if absent == len(names):
        raise UnusableRow(f"no text: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} null or missing")
    return tuple(texts)


def _labels(value: object, name: str, delimiter: str | None) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if delimiter is None else labels_in_cell(value, delimiter)
    if not isinstance(value, list):
        raise UnusableRow(f"{name} is {_describe(value)}", LABELS_CURE)
    for label in value:
        if not isinstance(label, str):
            raise UnusableRow(f"{name} holds {_describe(label)}", LABELS_CURE)
    return tuple(value)


def _kept_value(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else orjson.dumps(value).decode()


def _has_repeated_key(line: bytes, keys: list[bytes]) -> bool:
    """Whether the outermost object really has one of these names twice: they may also stand in a value or further inside."""
    outermost: list[tuple[str, object]] = []

    def pairs(keys: list[tuple[str, object]]) -> None:
        outermost[:] = keys  # the outermost object ends last

    try:
        json.loads(line, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return False
    names = [name for name, _ in outermost]
    return any(names.count(orjson.loads(key)) > 1 for key in set(keys))
