"""Results as files: JSON and back; one folder a paper with numbers, plots and tables, one page for all. Computes nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import orjson

import rubricate as rb

from . import Result
from .figures import standalone_svg
from .page import page
from .published import published
from .text import markdown

FORMAT = 1


def as_json(value: Any) -> bytes:
    """Indented JSON; undefined numbers are null."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY
    return orjson.dumps(value, option=options)


def write_result(result: Result, path: str | Path) -> None:
    rb.report.write_atomically(path, [as_json({"format": FORMAT, "result": result})])


def read_result(path: str | Path) -> Result:
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


def write_all(results: Sequence[Result], folder: str | Path) -> Path:
    """Write these results, and a page of all results in the folder, older ones of other papers too.

        FOLDER/000-joachims/results/   result.json, plan.json, published.json, tables.md, and one SVG a figure
        FOLDER/index.html              all of it

    The page's path is returned. A quick run goes to `quick/` beside `results/`, and to `quick.html`.
    """
    folder = Path(folder)
    quick = any(result.plan.quick for result in results)
    for result in results:
        target = folder / result.plan.folder / subfolder(quick)
        target.mkdir(parents=True, exist_ok=True)
        write_result(result, target / "result.json")
        rb.report.write_atomically(target / "plan.json", [as_json(result.plan)])
        rb.report.write_atomically(target / "published.json", [as_json(list(published(result.plan.name).values()))])
        rb.report.write_atomically(target / "tables.md", [markdown(result).encode()])
        for figure in result.findings.figures:
            rb.report.write_atomically(target / f"{figure.key}.svg", [standalone_svg(figure).encode()])
    path = folder / ("quick.html" if quick else "index.html")
    rb.report.write_atomically(path, [page(results_in(folder, quick=quick)).encode()])
    return path


def subfolder(quick: bool) -> str:
    return "quick" if quick else "results"


def results_in(folder: str | Path, *, quick: bool = False) -> list[Result]:
    """All results in a folder of `write_all`, in the order of the papers."""
    return [read_result(path) for path in sorted(Path(folder).glob(f"[0-9]*/{subfolder(quick)}/result.json"))]
