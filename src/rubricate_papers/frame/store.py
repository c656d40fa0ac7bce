"""Results as files: JSON, written atomically, and back. The same shape out and in, whoever reads it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import orjson

import rubricate as rb

from .result import Result

FORMAT = 1


def as_json(value: Any) -> bytes:
    """Indented JSON; undefined numbers are null."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY
    return orjson.dumps(value, option=options)


def write_result(result: Result, path: str | Path) -> None:
    rb.report.write_atomically(path, [as_json({"format": FORMAT, "result": result})])


def read_result(path: str | Path) -> Result:
    """The result in a file of `write_result`."""
    path = Path(path)
    try:
        content = orjson.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise rb.errors.DamagedFile(
                f"{path}: results of format {content['format']}, this rubricate reads {FORMAT}; run it again"
            )
        return from_json(Result, content["result"])  # type: ignore[no-any-return]
    except FileNotFoundError:
        raise rb.errors.MissingData(
            str(path), "there is no such file", "run `rubricate replicate` with --out"
        ) from None
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as cause:
        raise rb.errors.DamagedFile(f"{path}: not a result of `rubricate replicate` ({cause}); run it again") from cause


def from_json(kind: Any, value: Any) -> Any:
    """A value of this type from plain JSON: dataclasses from objects, tuples from lists."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{f.name: from_json(hints[f.name], value[f.name]) for f in fields(kind) if f.name in value})  # type: ignore[operator]
    origin, inside = get_origin(kind), get_args(kind)
    if origin is tuple and value is not None:
        return tuple(from_json(inside[0], item) for item in value)
    if kind is float and value is None:
        return math.nan  # undefined, as `as_json` has it
    return dict(value) if origin is Mapping else value
