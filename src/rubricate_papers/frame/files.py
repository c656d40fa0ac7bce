"""Results in a folder: one folder a paper, with numbers, plots and tables, and one page for all of them. Computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubricate.foundation.files import write_atomically

from .drawing import alone
from .page import page
from .published import published
from .result import Result
from .store import as_json, read_result, write_result
from .text import markdown

__all__ = ["results_in", "write_all"]


def write_all(results: Sequence[Result], folder: str | Path) -> Path:
    """Write these results, and a page of all results in the folder, older ones of other papers too.

        FOLDER/000-joachims/results/   result.json, plan.json, published.json, tables.md, and one SVG a figure
        FOLDER/index.html              all of it

    The page's path is returned. A quick run goes to `quick/` beside `results/`, and to `quick.html`.
    """
    folder = Path(folder)
    quick = any(result.plan.quick for result in results)
    for result in results:
        own = folder / result.plan.folder / kind(quick)
        own.mkdir(parents=True, exist_ok=True)
        write_result(result, own / "result.json")
        write_atomically(own / "plan.json", [as_json(result.plan)])
        write_atomically(own / "published.json", [as_json(list(published(result.plan.name).values()))])
        write_atomically(own / "tables.md", [markdown(result).encode()])
        for figure in result.findings.figures:
            write_atomically(own / f"{figure.key}.svg", [alone(figure).encode()])
    where = folder / ("quick.html" if quick else "index.html")
    write_atomically(where, [page(results_in(folder, quick=quick)).encode()])
    return where


def kind(quick: bool) -> str:
    """The folder of a kind of run."""
    return "quick" if quick else "results"


def results_in(folder: str | Path, *, quick: bool = False) -> list[Result]:
    """All results in a folder of `write_all`, in the order of the papers."""
    return [read_result(path) for path in sorted(Path(folder).glob(f"[0-9]*/{kind(quick)}/result.json"))]
