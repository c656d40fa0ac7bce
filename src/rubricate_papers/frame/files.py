"""Results in a folder: one folder a paper, with numbers, plots and tables, and one page for all of them. Computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubricate import report

from .figures import standalone_svg
from .page import page
from .published import published
from .result import Result
from .store import as_json, read_result, write_result
from .text import markdown


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
        report.write_atomically(target / "plan.json", [as_json(result.plan)])
        report.write_atomically(target / "published.json", [as_json(list(published(result.plan.name).values()))])
        report.write_atomically(target / "tables.md", [markdown(result).encode()])
        for figure in result.findings.figures:
            report.write_atomically(target / f"{figure.key}.svg", [standalone_svg(figure).encode()])
    path = folder / ("quick.html" if quick else "index.html")
    report.write_atomically(path, [page(results_in(folder, quick=quick)).encode()])
    return path


def subfolder(quick: bool) -> str:
    return "quick" if quick else "results"


def results_in(folder: str | Path, *, quick: bool = False) -> list[Result]:
    """All results in a folder of `write_all`, in the order of the papers."""
    return [read_result(path) for path in sorted(Path(folder).glob(f"[0-9]*/{subfolder(quick)}/result.json"))]
