"""Does the statement that a screening may stop keep its promise, and what does it cost?

    python -m benchmarks.stopping [RUNS]

Piles made to hurt, with a ranking that never learns: relevant documents that are hidden at its end, a random order, few relevant
documents or none. After every batch of 25 the rule is asked, and a run ends when it says stop. Printed: the runs that stopped
below the target (5 % are allowed, on every pile), and the mean share of the pile that was judged. For real collections there is
`rubricate simulate`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from rubricate.foundation.arrays import Bools
from rubricate.relevance.screening import StakedDraw, State, Wealth, first_bad_total, plan_batch
from rubricate.relevance.screening.wealth import reaches_target

N, BATCH, LEVEL = 1000, 25, 0.95


def found_first(found: int, hidden: int) -> Bools:
    """So many relevant documents at the top of the ranking, and so many at its very end."""
    y = np.zeros(N, dtype=bool)
    y[:found] = True
    y[N - hidden :] = hidden > 0
    return y


def shuffled(relevant: int, seed: int) -> Bools:
    return np.random.default_rng(seed).permutation(found_first(relevant, 0))


PILES: dict[str, Callable[[float, int], Bools]] = {
    "80 found, just too many hidden last": lambda target, seed: found_first(80, first_bad_total(80, target) - 80),
    "19 found, just too many hidden last": lambda target, seed: found_first(19, first_bad_total(19, target) - 19),
    "50 found, 50 hidden last": lambda target, seed: found_first(50, 50),
    "random order, 100 relevant": lambda target, seed: shuffled(100, seed),
    "random order, 10 relevant": lambda target, seed: shuffled(10, seed),
    "all 30 at the end": lambda target, seed: found_first(0, 30),
    "3 relevant, one of them last": lambda target, seed: found_first(2, 1),
    "none relevant": lambda target, seed: found_first(0, 0),
}


def judge_until_stop(y: Bools, target: float, draw: np.random.Generator) -> State:
    """How the screening of a pile stands when the rule first says stop. y: relevance in the ranking's order."""
    judged = np.zeros(len(y), dtype=bool)
    draws: list[StakedDraw] = []
    ranked: list[bool] = []
    while True:
        found = int(y[judged].sum())
        state = State(ranked, Wealth(draws), found, int(judged.sum()), len(y))
        goal = {"found": found, "judged": state.judged, "n_documents": len(y), "target": target, "level": LEVEL}
        if reaches_target(state.wealth, **goal):
            return state
        plan = plan_batch(state, batch=BATCH, target=target, level=LEVEL)
        best = np.flatnonzero(~judged)[: plan.ranked]
        judged[best] = True
        ranked += y[best].tolist()
        for at in draw.permutation(np.flatnonzero(~judged))[: plan.drawn].tolist():
            draws.append(StakedDraw(bool(y[at]), int((~judged).sum()), int(y[judged].sum()), plan.stake))
            judged[at] = True


def simulate(pile: Callable[[float, int], Bools], target: float, runs: int) -> tuple[int, float]:
    """Runs that stopped below the target, and the mean share of the pile judged."""
    below, shares = 0, []
    for seed in range(runs):
        y = pile(target, seed)
        state = judge_until_stop(y, target, np.random.default_rng([seed, 1]))
        below += state.found < target * int(y.sum()) - 1e-9
        shares.append(state.judged / len(y))
    return below, float(np.mean(shares))


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(f"{N} documents, {runs} runs each: runs that stopped below the target (share judged)")
    for name, pile in PILES.items():
        cells = []
        for target in (0.8, 0.9, 0.95):
            below, share = simulate(pile, target, runs)
            cells.append(f"{target:g}: {below} ({share:.3f})")
        print(f"  {name:<38}" + "   ".join(cells))


if __name__ == "__main__":
    main()
