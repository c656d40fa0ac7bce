"""The 30 nearest training documents of every test document by cosine, against scikit-learn's brute force on the same matrix.

`python -m benchmarks.neighbours` prints one JSON object. Each piece of work is done in a process of its own, in turn with its
rival, on as many cores as it may use threads: seconds to find (medians), seconds to fit and find, memory above that of the
process with the matrix in it. Neighbours must be the same where no two are equally near. The process that starts the others
stays small: what it holds would count as theirs.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .measured import Measured, alone, report

K, ROUNDS = 30, 5
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


def ours(X: Any, Y: Any, jobs: int) -> tuple[float, Any, Any]:
    """Seconds to fit; similarities and places; jobs are the cores of the process."""
    from rubricate.from_vectors.nearest_neighbours import NearestNeighbours

    start = time.perf_counter()
    model = NearestNeighbours(k=K).fit(X, np.arange(X.shape[0]) % 2)
    model.neighbours(Y[:1])  # the index is made when first asked
    return time.perf_counter() - start, *model.neighbours(Y)


def theirs(X: Any, Y: Any, jobs: int) -> tuple[float, Any, Any]:
    """The same by scikit-learn."""
    from sklearn.neighbors import NearestNeighbors

    start = time.perf_counter()
    model = NearestNeighbors(n_neighbors=K, metric="cosine", algorithm="brute", n_jobs=jobs).fit(X)
    model.kneighbors(Y[:1])
    fitted = time.perf_counter() - start
    distances, places = model.kneighbors(Y)
    return fitted, 1 - distances, places


def work(who: str, jobs: int, folder: Path) -> None:
    """One competitor, once; what it found is left in the folder. Or, for a name of a collection, its matrices are."""
    if who in COLLECTIONS:
        report(lambda: written(who, folder), 1, dict)
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:jobs])
    X, Y = (sparse.load_npz(folder / f"{part}.npz") for part in ("train", "test"))
    find = {"ours": ours, "sklearn": theirs}[who]
    find(X[:200], Y[:20], jobs)  # loads what is compiled, starts what is started once

    def tell(made: Any) -> float:
        np.savez(folder / f"{who}.npz", similarities=made[1], places=made[2])
        return float(made[0])

    report(lambda: find(X, Y, jobs), 1, tell)


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
        "find": statistics.median(one.best - one.told for one in found),
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
            ratios = {what: own["sklearn"][what] / own["ours"][what] for what in ("find", "fit_and_find")}
            told[f"threads_{jobs}"] = {**own, "times_faster": ratios}
        return told


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
    else:
        print(json.dumps({name: measured(name) for name in COLLECTIONS}))
