"""Counters of the service in Prometheus' text form. No text, no name of a person, no id is in them.

    Metrics          requests by route and status, how long they took, documents by model
    RunningProfile   what the documents are like that a model has answered since it was loaded
    metrics_text     the state of one process, or of several added up

A state is made of dictionaries, lists and numbers, so that processes can tell each other (`workers`).
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..scoring.document_profile import CERTAINTY, LENGTH, UNKNOWN, DocumentProfile, block_profile
from ..scoring.predictions import Predictions

if TYPE_CHECKING:
    from ..scoring.predictor import Predictor
    from .served_models import ServedModels

# upper ends of the histogram's bins
SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
MOST_LABELS = 1000  # of a model whose labels are counted one by one
QUANTITIES = {"unknown_term_share": UNKNOWN, "certainty": CERTAINTY, "document_terms": LENGTH}
State = dict[str, Any]


class Metrics:
    """The counters of this process. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[str, Counter[str]] = {}  # by route and status
        self._seconds: dict[str, list[int]] = {}
        self._total_seconds: dict[str, float] = {}
        self._documents: Counter[str] = Counter()

    def request(self, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests.setdefault(route, Counter())[str(status)] += 1
            bins = self._seconds.setdefault(route, [0] * (len(SECONDS) + 1))
            bins[bisect_left(SECONDS, seconds)] += 1
            self._total_seconds[route] = self._total_seconds.get(route, 0.0) + seconds

    def documents(self, model: str, number: int) -> None:
        with self._lock:
            self._documents[model] += number

    def state(self, models: ServedModels) -> State:
        """Everything that is counted, as plain values."""
        with self._lock:
            counted: State = {
                "requests": {route: dict(times) for route, times in self._requests.items()},
                "seconds": {route: list(bins) for route, bins in self._seconds.items()},
                "total_seconds": dict(self._total_seconds),
                "documents": dict(self._documents),
            }
        profiles = {name: {model.digest: model.answered.state()} for name, model in models.models.items()}
        problems = {name: int(name in models.problems) for name in models.paths}
        return counted | {
            "profiles": profiles,
            "swaps": dict(models.swaps),
            "problems": problems,
            "memory": resident_bytes(),
        }


class RunningProfile:
    """What the documents are like that a model has answered. Threads may share it."""

    def __init__(self, n_labels: int, *, multilabel: bool) -> None:
        self.multilabel = multilabel
        self.profile = DocumentProfile.empty(n_labels)
        self._lock = threading.Lock()

    @classmethod
    def of(cls, predictor: Predictor) -> RunningProfile:
        return cls(len(predictor.labels), multilabel=predictor.multilabel)

    def counting(self, blocks: Iterable[Predictions]) -> Iterator[Predictions]:
        """The same blocks, counted as they pass."""
        for block in blocks:
            profile = block_profile(block, multilabel=self.multilabel)
            with self._lock:
                self.profile = self.profile + profile
            yield block

    def state(self) -> State:
        profile = self.profile
        return {
            "documents": profile.documents,
            "unlabelled": profile.unlabelled,
            "labels": profile.labels.tolist(),
            "sums": profile.sums.tolist(),
        }


def add_up(first: Any, second: Any) -> Any:
    """Two states added: numbers, and lists and dictionaries of them."""
    if isinstance(first, dict):
        return {
            key: add_up(first[key], second[key]) if key in first and key in second else first.get(key, second.get(key))
            for key in [*first, *(key for key in second if key not in first)]
        }
    return [add_up(a, b) for a, b in zip(first, second, strict=True)] if isinstance(first, list) else first + second


def metrics_text(state: State, models: ServedModels) -> str:
    """Everything, as a scraper reads it."""
    lines = ["# TYPE rubricate_requests_total counter"]
    for route, times in sorted(state["requests"].items()):
        lines += [
            f'rubricate_requests_total{{route="{route}",status="{status}"}} {n}' for status, n in sorted(times.items())
        ]
    lines.append("# TYPE rubricate_request_seconds histogram")
    for route, bins in sorted(state["seconds"].items()):
        below = 0
        for end, n in zip([*map(str, SECONDS), "+Inf"], bins, strict=True):
            below += n
            lines.append(f'rubricate_request_seconds_bucket{{route="{route}",le="{end}"}} {below}')
        lines.append(f'rubricate_request_seconds_sum{{route="{route}"}} {state["total_seconds"][route]:.6f}')
        lines.append(f'rubricate_request_seconds_count{{route="{route}"}} {below}')
    info = dict.fromkeys(models.models, 1)
    lines += gauge_lines("rubricate_documents_total", state["documents"], kind="counter")
    lines += gauge_lines(
        "rubricate_model_info", info, more={n: f',digest="{m.digest}"' for n, m in models.models.items()}
    )
    lines += gauge_lines("rubricate_model_swaps_total", state["swaps"], kind="counter")
    lines += gauge_lines("rubricate_model_problem", {name: int(n > 0) for name, n in state["problems"].items()})
    lines += profile_lines(state["profiles"], models)
    lines += ["# TYPE process_resident_memory_bytes gauge", f"process_resident_memory_bytes {state['memory']}"]
    return "\n".join(lines) + "\n"


def gauge_lines(
    name: str, values: dict[str, Any], *, kind: str = "gauge", more: dict[str, str] | None = None
) -> list[str]:
    """A value for each model. more: further labels."""
    rows = [
        f'{name}{{model="{escape_value(model)}"{(more or {}).get(model, "")}}} {values[model]}'
        for model in sorted(values)
    ]
    return [f"# TYPE {name} {kind}", *rows]


def profile_lines(profiles: State, models: ServedModels) -> list[str]:
    """Documents that were answered, and those of the training: labels, unknown terms, certainty, length."""
    answered = {  # a model that was replaced this moment has none yet
        name: profiles[name][model.digest]
        for name, model in models.models.items()
        if model.digest in profiles.get(name, {})
    }
    references = {
        name: model.predictor.reference
        for name, model in models.models.items()
        if model.predictor.reference is not None
    }
    lines = gauge_lines(
        "rubricate_unlabelled_documents_total",
        {name: row["unlabelled"] for name, row in answered.items()},
        kind="counter",
    )
    lines.append("# TYPE rubricate_label_documents_total counter")
    for name, row in sorted(answered.items()):
        lines += label_lines("rubricate_label_documents_total", name, models.models[name].label_names, row["labels"])
    for quantity, place in QUANTITIES.items():
        lines.append(f"# TYPE rubricate_{quantity} summary")
        for name, row in sorted(answered.items()):
            labels = f'{{model="{escape_value(name)}"}}'
            lines.append(f"rubricate_{quantity}_sum{labels} {row['sums'][place]:.6f}")
            lines.append(f"rubricate_{quantity}_count{labels} {row['documents']}")
    lines += gauge_lines("rubricate_reference_documents", {name: row.documents for name, row in references.items()})
    unlabelled = {name: f"{row.unlabelled / row.documents:.6f}" for name, row in references.items()}
    lines += gauge_lines("rubricate_reference_unlabelled_share", unlabelled)
    lines.append("# TYPE rubricate_reference_label_share gauge")
    for name, reference in sorted(references.items()):
        shares = [f"{share:.6f}" for share in reference.label_shares.tolist()]
        lines += label_lines("rubricate_reference_label_share", name, models.models[name].label_names, shares)
    for quantity, place in QUANTITIES.items():
        means = {name: f"{row.means[place]:.6f}" for name, row in references.items()}
        lines += gauge_lines(f"rubricate_reference_{quantity}", means)
    return lines


def label_lines(name: str, model: str, labels: list[str], values: list[Any]) -> list[str]:
    """A value for each label; none for models of very many labels, which no scraper should be given."""
    if len(labels) > MOST_LABELS:
        return []
    return [
        f'{name}{{model="{escape_value(model)}",label="{escape_value(label)}"}} {value}'
        for label, value in zip(labels, values, strict=True)
    ]


def escape_value(value: str) -> str:
    """A value between quotes, as Prometheus wants it."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def resident_bytes() -> int:
    """Memory of this process that is in use; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * 4096
