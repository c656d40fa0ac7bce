"""From raw text: to a table, to statistics of a gigabyte, one document at a time; and how fast the command answers.

`python -m benchmarks.text` prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
from typing import Any

from .measured import Measured, alone
from .texts import newsgroups

ROUNDS = 5


def help_seconds() -> float:
    """CPU seconds of `rubricate --help`, the best of five."""
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program = "from rubricate.cli import main; main(['--help'])"
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def interleaved(whos: list[str]) -> dict[str, list[Measured]]:
    """Rounds of all competitors in turn, each in a process of its own that does the work once, so that a slow minute of
    the machine hits all alike and peak memory is that of one piece of work."""
    found: dict[str, list[Measured]] = {who: [] for who in whos}
    for _ in range(ROUNDS):
        for who in whos:
            found[who].append(alone("benchmarks.text_to_csr", who, 1))
    return found


def to_table() -> dict[str, Any]:
    """Raw text to a documents x terms matrix, against CountVectorizer."""
    name, texts, _ = newsgroups()
    size = sum(len(text.encode()) for text in texts) / 1e6
    del texts
    found = interleaved(["sklearn", "1", "2"])
    if len({run.told for runs in found.values() for run in runs}) != 1:
        raise SystemExit("the matrices differ")
    rows = {
        who: [statistics.median(run.best for run in runs), statistics.median(run.peak_mb for run in runs)]
        for who, runs in found.items()
    }
    return {"name": name, "megabytes": size, "rounds": ROUNDS, "rows": rows}


def gigabyte() -> list[list[Any]]:
    """Threads, documents, terms, entries, seconds, peak."""
    out = []
    for threads in (1, 2):
        run = alone("benchmarks.one_gigabyte", 1000, threads)
        out.append([threads, *run.told, run.best, run.peak_mb])
    return out


def main() -> dict[str, Any]:
    one = alone("benchmarks.one_document")
    return {
        "table": to_table(),
        "gigabyte": gigabyte(),
        "one_document": [one.best, statistics.median(one.seconds)],
        "help": help_seconds(),
    }


if __name__ == "__main__":
    print(json.dumps(main()))
