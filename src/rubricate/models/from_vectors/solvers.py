"""Other people's solvers, made deterministic: the same bytes whatever the number of threads, `converged_` in the model instead
of a warning, and weights that are finite.

Libraries of linear algebra sum in an order that depends on their threads, so they get one each here; most of the work is with
sparse tables, which they never see. The number of their threads, Python's filters of warnings and liblinear's random numbers are
one each for the whole process: models that are learned in several threads take turns. Answering needs none of this.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

import numpy as np
from scipy import sparse

from ...errors import InvalidSetting
from ...scoring.linear import LARGEST, Linear

LARGEST_VALUE = 1e100  # beyond it squares overflow
ONE_FIT = RLock()


# -- settings


def above_zero(name: str, value: Any) -> None:
    """Refuse a setting that is no positive number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        raise InvalidSetting(f"{name}={value!r}: give a number above 0")


def whole_number(name: str, value: Any) -> None:
    """Refuse a setting that is no whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InvalidSetting(f"{name}={value!r}: give a whole number from 1")


# -- input


def solver_input(X: sparse.csr_array) -> sparse.csr_array:
    """The same documents as liblinear wants them: 32-bit indices, at least one entry, and values whose squares are numbers."""
    largest = float(np.abs(X.data).max(initial=0.0))
    if largest > LARGEST_VALUE:
        raise InvalidSetting(
            f"X holds {largest:g}: weights cannot be learned from it; divide documents by their length first"
        )
    if X.nnz == 0:  # documents without terms still have a bias
        X = sparse.csr_array((np.zeros(1), ([0], [0])), shape=X.shape)
    if X.indices.dtype == np.int32 and X.indptr.dtype == np.int32:
        return X
    if max(X.nnz, *X.shape) >= 2**31:
        raise InvalidSetting(
            f"{X.nnz} weights in X are more than 32 bits can count: take fewer terms, or fewer documents"
        )
    return sparse.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def check_size(n_labels: int, n_terms: int) -> None:
    """Refuse, before the work, weights that would not fit into memory."""
    if n_labels * n_terms > LARGEST:
        raise InvalidSetting(
            f"{n_labels} labels x {n_terms} terms: the weights would be {n_labels * n_terms * 8 / 1e9:.0f} GB; select terms first"
        )


# -- solving


@cache
def libraries() -> Any:
    """The libraries of linear algebra in this process; looking for them takes longer than a small net takes to answer."""
    import scipy.linalg  # noqa: F401  (brings one of its own)
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped, unused-ignore]

    return ThreadpoolController()


@contextmanager
def in_one_thread() -> Iterator[None]:
    """Linear algebra in one thread, without warnings of convergence; one fit after the other."""
    from sklearn.exceptions import ConvergenceWarning

    with ONE_FIT, libraries().limit(limits=1, user_api="blas"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def run_solver(work: Callable[[], Any]) -> bool:
    """Do the work; whether it ended without a warning of convergence. Other warnings are raised again."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always", ConvergenceWarning)
        work()
    others = [warning for warning in raised if not issubclass(warning.category, ConvergenceWarning)]
    for warning in others:
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return len(others) == len(raised)


# -- output


def check_finite(linear: Linear, labels: Any) -> Linear:
    """The weights, if they are finite; else an error names the labels."""
    finite = np.isfinite(linear.weights).all(axis=1) & np.isfinite(linear.bias)
    if not finite.all():
        wrong = ", ".join(str(label) for label in labels[~finite][:3].tolist())
        raise InvalidSetting(f"the weights of {wrong} grew beyond all numbers: divide documents by their length first")
    return linear
