"""Counters of the service in Prometheus' text form. No text, no name of a person, no id is in them."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .served_models import ServedModels

SECONDS = (
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    30.0,
)  # upper ends of the histogram's bins


class Metrics:
    """Requests by route and status, how long they took, documents by model."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._total_seconds: Counter[str] = Counter()
        self._documents: Counter[str] = Counter()

    def request(self, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests[route, status] += 1
            bins = self._seconds.setdefault(route, [0] * (len(SECONDS) + 1))
            bins[bisect_left(SECONDS, seconds)] += 1
            self._total_seconds[route] += seconds  # type: ignore[assignment]

    def documents(self, model: str, number: int) -> None:
        with self._lock:
            self._documents[model] += number

    def text(self, models: ServedModels) -> str:
        """Everything, as a scraper reads it."""
        with self._lock:
            lines = ["# TYPE rubricate_requests_total counter"]
            for (route, status), times in sorted(self._requests.items()):
                lines.append(f'rubricate_requests_total{{route="{route}",status="{status}"}} {times}')
            lines.append("# TYPE rubricate_request_seconds histogram")
            for route, bins in sorted(self._seconds.items()):
                below = 0
                for end, times in zip([*map(str, SECONDS), "+Inf"], bins, strict=True):
                    below += times
                    lines.append(f'rubricate_request_seconds_bucket{{route="{route}",le="{end}"}} {below}')
                lines.append(f'rubricate_request_seconds_sum{{route="{route}"}} {self._total_seconds[route]:.6f}')
                lines.append(f'rubricate_request_seconds_count{{route="{route}"}} {below}')
            lines.append("# TYPE rubricate_documents_total counter")
            for name, documents in sorted(self._documents.items()):
                lines.append(f'rubricate_documents_total{{model="{escape_value(name)}"}} {documents}')
        lines.append("# TYPE rubricate_model_info gauge")
        for name, model in sorted(models.models.items()):
            lines.append(f'rubricate_model_info{{model="{escape_value(name)}",digest="{model.digest}"}} 1')
        lines.append("# TYPE rubricate_model_swaps_total counter")
        lines += [
            f'rubricate_model_swaps_total{{model="{escape_value(name)}"}} {times}'
            for name, times in sorted(models.swaps.items())
        ]
        lines.append("# TYPE rubricate_model_problem gauge")
        lines += [
            f'rubricate_model_problem{{model="{escape_value(name)}"}} {int(name in models.problems)}'
            for name in sorted(models.paths)
        ]
        lines += ["# TYPE process_resident_memory_bytes gauge", f"process_resident_memory_bytes {resident_bytes()}"]
        return "\n".join(lines) + "\n"


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
