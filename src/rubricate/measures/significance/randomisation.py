"""Approximate randomisation: could the difference of two systems come from chance alone?

If the two were alike, it would not matter which of them gave which answer on a document. So the answers are swapped on documents
drawn by coin, and p is the share of such shuffles in which the difference is at least as large as the one found:

    p = (1 + shuffles at least as extreme) / (1 + shuffles)        never 0: the answers as they are count as one shuffle

With few documents to swap all shuffles are gone through, and p is exact. For a measure of sums over documents (`metrics.sums`), a
block of shuffles is one sparse product of coins with what each swap changes; any other is called twice a shuffle.
Sources: Noreen (1989), Yeh (2000); the 1 as in Phipson & Smyth (2010).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...foundation.arrays import Bytes, Floats
from ..inputs import at_least_one
from .bootstrap import Measure, SystemAnswers, exact_type, rows_of, system_answers
from .outcome import TIE, RandomisationOutcome, check_alternative
from .paired_tests import differences

Rows = np.ndarray[Any, np.dtype[np.intp]]
Coins = Bytes
CELLS = 1 << 20  # of a block of shuffles x documents: a few megabytes, so that it stays near the processor


def randomisation(
    measure: str | Measure,
    a: Any,
    b: Any,
    truth: Any,
    *,
    draws: int = 10_000,
    alternative: str = "two-sided",
    random_state: int = 0,
) -> RandomisationOutcome:
    """Whole documents are swapped between two systems. measure: a name, or any function of (values, truth).

    a, b: decisions (or whatever the measure takes), one row a document. statistic = measure(a) - measure(b); n = documents on
    which the two differ; with `greater` only shuffles in favour of a count as extreme. Measures of rankings mix the scores of
    both systems in one ranking here, which needs scores on one scale; `randomisation_of_pairs` of the values by label does not.
    """
    check_alternative(alternative)
    systems = system_answers(measure, [a, b], truth)
    first, second = systems.values()
    differing_rows = differing(*systems.answers)
    if systems.value is None:
        swaps = swapped_calls(systems, differing_rows)
        return outcome(
            first - second, swaps, len(differing_rows), len(differing_rows), draws, alternative, random_state
        )
    parts = systems.parts()
    rows = sparse.csr_array(parts[0] - parts[1])
    rows.eliminate_zeros()
    rows = rows[np.flatnonzero(np.diff(rows.indptr))]
    swaps = swapped_sums(rows, [table.sum(axis=0) for table in parts], systems.value)
    n_coins, width = rows.shape
    return outcome(first - second, swaps, n_coins, len(differing_rows), draws, alternative, random_state, width=width)


def randomisation_of_pairs(
    a: Any, b: Any, *, draws: int = 10_000, alternative: str = "two-sided", random_state: int = 0
) -> RandomisationOutcome:
    """The two values of a pair (a label, a topic, a fold) are swapped. statistic = mean difference of the pairs defined in both;
    n = pairs that differ."""
    check_alternative(alternative)
    difference, _ = differences(a, b)
    differing_rows = sparse.csr_array(difference[difference != 0].reshape(-1, 1))
    mean = math.fsum(difference) / len(difference) if len(difference) else math.nan
    totals, n = [difference.sum(keepdims=True), np.zeros(1)], max(len(difference), 1)
    swaps = swapped_sums(differing_rows, totals, lambda sums: sums[0] / n)
    return outcome(mean, swaps, differing_rows.shape[0], differing_rows.shape[0], draws, alternative, random_state)


Swaps = Callable[[Coins], Floats]  # shuffles x documents of 0 and 1 (swapped) to the difference in each shuffle


def swapped_sums(rows: sparse.csr_array, totals: list[Floats], value: Callable[[Floats], Floats]) -> Swaps:
    """What a swap takes from the first system it gives to the second."""
    by_column = rows.T.tocsr().astype(exact_type(rows.data, bound=float(np.abs(rows.data).sum())))
    first, second = (np.asarray(sums, dtype=np.float64).reshape(-1, 1) for sums in totals)

    def differences_of(coins: Coins) -> Floats:
        moved = by_column @ np.ascontiguousarray(coins.T).astype(by_column.dtype)
        return value(first - moved) - value(second + moved)

    return differences_of


def swapped_calls(systems: SystemAnswers, differing_rows: Rows) -> Swaps:
    n, call, truth = systems.n_documents, systems.function, systems.truth
    both = stacked(*systems.answers)

    def differences_of(coins: Coins) -> Floats:
        shuffled = np.empty(len(coins))
        for at, coin in enumerate(coins):
            rows = np.arange(n)
            rows[differing_rows[coin == 1]] += n
            shuffled[at] = call(rows_of(both, rows), truth) - call(rows_of(both, (rows + n) % (2 * n)), truth)
        return shuffled

    return differences_of


def stacked(a: Any, b: Any) -> Any:
    if sparse.issparse(a) or sparse.issparse(b):
        return sparse.csr_array(sparse.vstack([sparse.csr_array(a), sparse.csr_array(b)]))
    return np.concatenate([a, b]) if isinstance(a, np.ndarray) else [*a, *b]


def outcome(
    difference: float,
    swaps: Swaps,
    n_coins: int,
    n: int,
    draws: int,
    alternative: str,
    random_state: int,
    *,
    width: int = 1,
) -> RandomisationOutcome:
    """All shuffles of n_coins documents if these are no more than draws, otherwise as many as draws, at random."""
    exact = n_coins < 63 and 2**n_coins <= at_least_one("draws", draws)
    size = max(1, CELLS // max(n_coins, width))
    blocks = every_coin(n_coins, size) if exact else random_coins(n_coins, draws, size, random_state)
    extreme = total = 0
    squares = 0.0
    for coins in blocks:
        shuffled = swaps(coins)
        extreme += int((~less_extreme(shuffled, difference, alternative)).sum())
        total += len(coins)
        squares += float(np.nansum(shuffled**2))
    undefined = math.isnan(difference)
    p = extreme / total if exact else (1 + extreme) / (1 + total)
    return RandomisationOutcome(
        test="randomisation test",
        statistic=float(difference),
        p=math.nan if undefined else p,
        n=n,
        alternative=alternative,
        effect=float(difference),
        effect_of="difference",
        draws=total,
        exact=exact,
        spread=math.nan if undefined else math.sqrt(squares / total),
    )


def less_extreme(shuffled: Floats, difference: float, alternative: str) -> Any:
    """Which shuffles differ clearly less than the systems do; one in which the measure is undefined counts as extreme."""
    if alternative == "two-sided":
        return np.abs(shuffled) < abs(difference) - TIE
    return shuffled < difference - TIE if alternative == "greater" else shuffled > difference + TIE


def random_coins(n: int, draws: int, size: int, random_state: int) -> Iterator[Coins]:
    """Blocks of coins. Each shuffle takes whole words from the generator, so that the size of a block changes nothing."""
    rng = np.random.default_rng(random_state)
    for start in range(0, draws, size):
        words = rng.integers(0, 2**64, size=(min(size, draws - start), -(-n // 64)), dtype=np.uint64)
        yield np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), axis=1, count=n)


def every_coin(n: int, size: int) -> Iterator[Coins]:
    """Blocks of all 2^n rows of coins, the unswapped first."""
    for start in range(0, 2**n, size):
        patterns = np.arange(start, min(start + size, 2**n), dtype=np.int64)[:, None]
        yield ((patterns >> np.arange(n)) & 1).astype(np.uint8)


def differing(a: Any, b: Any) -> Rows:
    if sparse.issparse(a) or sparse.issparse(b):
        differing_rows = sparse.csr_array(sparse.csr_array(a) != sparse.csr_array(b))
        return np.flatnonzero(np.diff(differing_rows.indptr))
    if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
        return np.flatnonzero([np.any(answer_a != answer_b) for answer_a, answer_b in zip(a, b, strict=True)])
    if a.shape != b.shape:
        raise InvalidSetting(f"answers of shape {a.shape} and {b.shape}: they must match")
    return np.flatnonzero((a != b).reshape(len(a), -1).any(axis=1))
