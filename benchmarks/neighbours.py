"""The 30 nearest training documents of every test document by cosine, against scikit-learn's brute force on the same matrix.

`python -m benchmarks.neighbours` prints one JSON object. Each piece of work is done in a process of its own, in turn with its
rival, on as many cores as it may use threads. Medians of: seconds to find, to find again in the same process, to fit and
find; memory above that of the process with the matrix in it. Neighbours must be the same where no two are equally near. The
process that starts the others stays small: what it holds would count as theirs.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .measured import Measured, alone, report

K, ROUNDS, AGAIN = 30, 5, 3
COLLECTIONS = {"reuters21578": "90", "20newsgroups": "bydate"}


def written(name: str, folder: Path) -> dict[str, int]:
    """Training and test documents of a collection, weighted by tf x idf, into the folder."""
    import rubricate as rb
    from rubricate import collections, vectors

    from .texts import data_folder

    recipe = rb.Recipe.wilbur_kim(pairs=False) if name == "reuters21578" else rb.Recipe(min_length=2)
    train, test = collections.load(name, version=COLLECTIONS[name], data=data_folder())
    table = rb.tabulate(train, recipe)
    new = rb.tabulate(test, recipe, terms=table.counts.terms)
    X, Y = (vectors.weighted(part.X, table.counts, "ltc") for part in (table, new))
    sparse.save_npz(folder / "train.npz", X)
    sparse.save_npz(folder / "test.npz", Y)
    return {"training": X.shape[0], "test": Y.shape[0], "terms": X.shape[1], "entries": X.nnz + Y.nnz}


def ours(X: Any, jobs: int) -> Callable[[Any], tuple[Any, Any]]:
    """What finds similarities and places; jobs are the cores of the process."""
    from rubricate.models.from_vectors.nearest_neighbours import NearestNeighbours

    return NearestNeighbours(k=K).fit(X, np.arange(X.shape[0]) % 2).neighbours


def theirs(X: Any, jobs: int) -> Callable[[Any], tuple[Any, Any]]:
    """The same by scikit-learn: distances and places."""
    from sklearn.neighbors import NearestNeighbors

    return NearestNeighbors(n_neighbors=K, metric="cosine", algorithm="brute", n_jobs=jobs).fit(X).kneighbors


def work(who: str, jobs: int, folder: Path) -> None:
    """One competitor, once; what it found is left in the folder. Or, for a name of a collection, its matrices are.

    Told: seconds until the first document was answered (the index is made when first asked), and the best of some further
    times in the same process, which has its memory by then."""
    if who in COLLECTIONS:
        report(lambda: written(who, folder), 1, dict)
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:jobs])
    X, Y = (sparse.load_npz(folder / f"{part}.npz") for part in ("train", "test"))
    fit = {"ours": ours, "sklearn": theirs}[who]
    fit(X[:200], jobs)(Y[:20])  # loads what is compiled, starts what is started once

    def first() -> tuple[float, Any, Any]:
        start = time.perf_counter()
        find = fit(X, jobs)
        find(Y[:1])
        return time.perf_counter() - start, find, find(Y)

    def tell(made: Any) -> dict[str, float]:
        fitted, find, (values, places) = made
        np.savez(folder / f"{who}.npz", similarities=values if who == "ours" else 1 - values, places=places)
        again = []
        for _ in range(AGAIN):
            start = time.perf_counter()
            find(Y)
            again.append(time.perf_counter() - start)
        return {"fit": fitted, "again": min(again)}

    report(first, 1, tell)


def compare(folder: Path) -> float:
    """The share of neighbours with a twin, another as near; all others must be the same."""
    (a, p), (b, q) = (
        (found["similarities"], found["places"])
        for found in (np.load(folder / f"{who}.npz") for who in ("ours", "sklearn"))
    )
    if np.abs(a - b).max() > 1e-10:
        raise SystemExit(f"similarities differ by {np.abs(a - b).max()}")
    twin = np.zeros(a.shape, dtype=bool)
    near = np.abs(np.diff(a)) < 1e-10
    twin[:, 1:] |= near
    twin[:, :-1] |= near
    twin[:, -1] |= True  # who comes next is not known
    if not (p == q)[~twin].all():
        raise SystemExit("neighbours differ")
    return float(twin[:, :-1].mean())


def figures(found: list[Measured]) -> dict[str, float]:
    """Medians over the rounds."""
    return {
        "find": statistics.median(one.best - one.told["fit"] for one in found),
        "find_again": statistics.median(one.told["again"] for one in found),
        "fit_and_find": statistics.median(one.best for one in found),
        "more_mb": statistics.median(one.peak_mb - one.before_mb for one in found),
        "peak_mb": statistics.median(one.peak_mb for one in found),
    }


def measured(name: str) -> dict[str, Any]:
    """All competitors on one collection."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        told: dict[str, Any] = {**alone("benchmarks.neighbours", name, 1, temporary).told, "k": K}
        for jobs in (1, 2):
            rounds: dict[str, list[Measured]] = {"ours": [], "sklearn": []}
            for _ in range(ROUNDS):
                for who, found in rounds.items():
                    found.append(alone("benchmarks.neighbours", who, jobs, temporary))
            told["twins"] = compare(folder)
            own = {who: figures(found) for who, found in rounds.items()}
            ratios = {what: own["sklearn"][what] / own["ours"][what] for what in ("find", "find_again", "fit_and_find")}
            told[f"threads_{jobs}"] = {**own, "times_faster": ratios}
        return told


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
    else:
        print(json.dumps({name: measured(name) for name in COLLECTIONS}))
