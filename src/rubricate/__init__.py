"""rubricate sorts documents into people's own categories, and answers for it. Public names; nothing heavy is imported.

`_HOMES` is the table of public names: where each lives, and that it is imported when it is first used. A name that is its home's
last part is a module (`from rubricate import metrics`), any other an attribute of its home.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Columns": "corpus",
    "Corpus": "corpus",
    "Counts": "counts",
    "Document": "corpus",
    "Recipe": "terms.recipe",
    "Table": "counts.document_table",
    "TextClassifier": "training.text_classifier",
    "agreement": "measures.agreement",
    "calibration": "decisions.calibration",
    "collections": "corpus.collections",
    "corpus": "corpus",
    "count": "counts.one_pass",
    "counts": "counts",
    "density": "decisions.density",
    "drift": "evaluation.model_drift",
    "errors": "errors",
    "evaluate": "evaluation.model_evaluation",
    "evaluation": "evaluation",
    "load": "training.text_classifier",
    "metrics": "measures.metrics",
    "models": "models",
    "predict": "evaluation.predictions",
    "read": "corpus.readers",
    "readers": "corpus.readers",
    "recipe": "terms.recipe",
    "report": "evaluation.report",
    "routing": "relevance.routing",
    "screening": "relevance.screening",
    "significance": "measures.significance",
    "tabulate": "counts.one_pass",
    "term_scores": "counts.term_scores",
    "thresholds": "decisions.thresholds",
    "validation": "training.validation",
    "vectors": "models.vectors",
}

if TYPE_CHECKING:
    from . import corpus, counts, errors, evaluation, models
    from .corpus import Columns, Corpus, Document, collections, readers
    from .corpus.readers import read
    from .counts import Counts, term_scores
    from .counts.document_table import Table
    from .counts.one_pass import count, tabulate
    from .decisions import calibration, density, thresholds
    from .evaluation import report
    from .evaluation.model_drift import drift
    from .evaluation.model_evaluation import evaluate
    from .evaluation.predictions import predict
    from .measures import agreement, metrics, significance
    from .models import vectors
    from .relevance import routing, screening
    from .terms import recipe
    from .terms.recipe import Recipe
    from .training import validation
    from .training.text_classifier import TextClassifier, load

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
    "drift",
    "errors",
    "evaluate",
    "evaluation",
    "load",
    "metrics",
    "models",
    "predict",
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

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f".{home}", __name__)
    value = globals()[name] = module if home.rpartition(".")[2] == name else getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
