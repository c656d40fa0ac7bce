"""Models with numbers changed, as a forger could who computes the digests anew: refused, or no loop runs outside its arrays.

    NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(mktemp -d) python tests/support/fuzzed_models.py SEED ROUNDS

With bounds checked a loop tells when it leaves its arrays; without, it may crash. Prints how many were refused, and how many
answered.
"""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

import numpy as np

from rubricate.errors import RubricateError
from rubricate.training.persistence import arrays_of, model_from
from stored_models import CLASSIFIERS, LABELS, answers, documents_for, fitted

HARMLESS = (ArithmeticError, AttributeError, KeyError, RubricateError, TypeError, ValueError)
NUMBERS = {
    "i": [-(2**31), -1, 0, 1, 2, 3, 11, 12, 13, 24, 100, 2**31 - 1],
    "u": [0, 1, 11, 12, 23, 24, 255],
    "f": [-1e300, -1.0, 0.0, 1e-300, 1.5, 1e300, np.inf, -np.inf, np.nan],
    "b": [False, True],
}


def changed(arrays: dict[str, Any], draw: np.random.Generator) -> dict[str, Any]:
    """One or two numbers of one array are others; sometimes another array is shorter."""
    names = [name for name, array in arrays.items() if array.size]
    whole = [name for name in names if arrays[name].dtype.kind in "iu"]
    own = str(draw.choice(whole if whole and draw.random() < 0.7 else names))
    out = arrays[own].copy()
    flat = out.reshape(-1)
    for _ in range(int(draw.integers(1, 3))):
        value = draw.choice(NUMBERS[out.dtype.kind]) if draw.random() < 0.7 else flat[draw.integers(flat.size)]
        flat[draw.integers(flat.size)] = value
    other = arrays | {own: out}
    if draw.random() < 0.1:
        short = str(draw.choice(names))
        other[short] = arrays[short][: draw.integers(len(arrays[short]) + 1)]
    return other


def answered(settings: Any, arrays: dict[str, Any], labels: str) -> bool:
    """Whether it was put together; then everything it can do is tried."""
    try:
        model: Any = model_from(settings, arrays)
    except RubricateError:
        return False
    X, y = documents_for(model)[:6], LABELS[labels][:6]
    for work in (lambda: answers(model), lambda: model.partial_fit(X, y), lambda: model.unlearn(X, y)):
        try:
            work()
        except IndexError as problem:
            if str(problem) == "index is out of bounds":  # Numba's words; NumPy tells the index
                raise
        except HARMLESS:
            pass
    return True


def main(seed: int, rounds: int) -> None:
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    draw, found = np.random.default_rng(seed), [0, 0]
    for name in CLASSIFIERS:
        for labels in ("strings", "indicator"):
            settings, arrays = arrays_of(fitted(name, labels))
            for n in range(rounds):
                other = changed(arrays, draw)
                try:
                    found[answered(json.loads(json.dumps(settings)), other, labels)] += 1
                except BaseException:
                    sys.stderr.write(f"{name} {labels}, round {n}\n")
                    raise
    sys.stdout.write(f"{found[0]} {found[1]}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
