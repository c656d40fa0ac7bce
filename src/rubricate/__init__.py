"""rubricate sorts documents into people's own categories, and answers for it. Public names; nothing heavy is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Columns": "corpus",
    "Corpus": "corpus",
    "Counts": "counts",
    "Document": "corpus",
    "Recipe": "recipe",
    "Table": "counting",
    "TextClassifier": "pipeline",
    "count": "counting",
    "load": "pipeline",
    "read": "readers",
    "tabulate": "counting",
}
_MODULES = (
    "agreement",
    "calibration",
    "collections",
    "corpus",
    "counts",
    "density",
    "errors",
    "evaluation",
    "metrics",
    "models",
    "readers",
    "recipe",
    "report",
    "routing",
    "screening",
    "significance",
    "term_scores",
    "thresholds",
    "validation",
    "vectors",
)

if TYPE_CHECKING:
    from . import (
        agreement,
        calibration,
        collections,
        corpus,
        counts,
        density,
        errors,
        evaluation,
        metrics,
        models,
        readers,
        recipe,
        report,
        routing,
        screening,
        significance,
        term_scores,
        thresholds,
        validation,
        vectors,
    )
    from .corpus import Columns, Corpus, Document
    from .counting import Table, count, tabulate
    from .counts import Counts
    from .pipeline import TextClassifier, load
    from .readers import read
    from .recipe import Recipe

__all__ = [
    "Columns",
    "Corpus",
    "Counts",
    "Document",
    "Recipe",
    "Table",
    "TextClassifier",
    "__version__",
    "agreement",
    "calibration",
    "collections",
    "corpus",
    "count",
    "counts",
    "density",
    "errors",
    "evaluation",
    "load",
    "metrics",
    "models",
    "read",
    "readers",
    "recipe",
    "report",
    "routing",
    "screening",
    "significance",
    "tabulate",
    "term_scores",
    "thresholds",
    "validation",
    "vectors",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import rubricate` and `rubricate --help` stay fast."""
    from importlib import import_module

    if name in _HOME:
        value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
        return value
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
