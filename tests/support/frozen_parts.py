"""What is asked of frozen files that hold no TextClassifier: parts, counts, topics.

The only place among these tests that knows how such a file is opened inside.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import rubricate as rb
from frozen import NEW, TEXTS, plain
from rubricate.cli import main
from rubricate.storage import container
from rubricate.storage.trees import decode


def read(path: str | Path) -> Any:
    """What `encode` took apart."""
    stored = container.read(path)
    return decode(stored.manifest["workbench"]["tree"], stored.arrays, under="parts")


def tree_of(path: Path) -> Any:
    """What a file says of its own structure, in which each stored thing names its kind."""
    return container.read(path).manifest["workbench"]["tree"]


def said(parts: Any) -> dict[str, Any]:
    """All that the parts decide, weigh and count."""
    scores = np.random.default_rng(6).random((12, 3))
    confidence = scores.max(axis=1)
    counts = parts["counts"]
    X = rb.tabulate(NEW, rb.Recipe(), terms=list(rb.count(TEXTS).terms)).X
    out: dict[str, Any] = {
        "bands": {"decisions": parts["bands"].decide(scores), "told": parts["bands"].as_dict()},
        "person": {"asked": parts["person"].asked(confidence), "told": parts["person"].as_dict()},
        "person_right": {"asked": parts["person_right"].asked(confidence), "told": parts["person_right"].as_dict()},
        "cuts": {name: {"decisions": own.decide(scores), "told": own.as_dict()} for name, own in parts["cuts"].items()},
        "combo": {"choice": parts["combo"].choice, "told": parts["combo"].as_dict()},
        "density": parts["density"].predict_proba(scores),
        "density_one": parts["density_one"].predict_proba(scores),
        "weightings": {},
        "recipes": {name: [own.terms(text)[:12] for text in NEW] for name, own in parts["recipes"].items()},
        "counts": table(counts),
    }
    for name, own in parts["weightings"].items():
        weights = own.of(X)
        out["weightings"][name] = {
            "indices": weights.indices[:60],
            "data": weights.data[:60],
            "all": weights.data.sum(),
        }
    return plain(out)


def table(counts: Any) -> dict[str, Any]:
    """Statistics, written out."""
    tables = {name: getattr(counts, name).toarray() for name in ("documents_with", "occurrences")}
    most = max(counts.max_times, 1)
    return plain(
        {
            "terms": list(counts.terms),
            "labels": list(counts.labels),
            "documents": counts.documents,
            "recipe": counts.fingerprint,
            **tables,
            "levels": [int(counts.levels(k).sum()) for k in range(1, most + 1)],
        }
    )


def counted(path: Path) -> dict[str, Any]:
    """What a file of `rubricate count` says."""
    counts = rb.Counts.load(path)
    return table(counts) | {"lengths": plain(counts.lengths.toarray())}


def run(*arguments: Any) -> Any:
    """What a command prints with --json."""
    out, remarks = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(remarks), contextlib.suppress(SystemExit):
        main([*map(str, arguments), "--json"])
    return json.loads(out.buffer.getvalue())  # type: ignore[attr-defined]


def topics(folder: Path) -> dict[str, Any]:
    """What topics say of the pile, and the screening of one of them; on a copy, for commands remember."""
    with tempfile.TemporaryDirectory() as place:
        shutil.copytree(folder / "topics", Path(place) / "topics")
        where, pile = ("--topics", Path(place) / "topics"), folder / "pile.jsonl"
        judged = ("--qrels", folder / "judged.qrels", "--topic", "corn", "--topic", "shipping", "--all-documents")
        names = ("corn", "shipping", "untaught")
        return {
            "list": run("topic", "list", *where)["topics"],
            "show": {name: run("topic", "show", name, *where) for name in names},
            "rank": {name: run("topic", "rank", name, pile, *where, "--top", 12) for name in names},
            "evaluate": run("topic", "evaluate", "--from", pile, *judged, *where),
            "screen": run("screen", pile, "--topic", "corn", "--next", 6, "--random", 0.5, *where),
        }
