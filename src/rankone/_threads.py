"""Who does the work on the parts of a matrix or a vector: this thread, or several of this process.

Whoever it is, results come in the order of the parts, and the parts do not depend on the number of
threads; nor does the order in which sums are added up.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, Protocol, TypeVar

from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")

__all__ = ["ONE_BLAS_THREAD", "THREADS", "Runner", "Threads", "n_threads", "slices", "threads"]

#: Values of a vector that are worth a part of their own, and the most parts.
PART, MOST_PARTS = 5 * 2**19, 16


class Runner(Protocol):
    """Somebody who applies a function to parts."""

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each part, and yield the results in the order of the parts."""


class _Settings(threading.local):
    """What holds in the current thread: how many threads it may use; None if nobody said."""

    limit: int | None = None


_settings = _Settings()


def n_threads() -> int:
    """Return the number of threads that may be used.

    As many as scikit-learn's own: one for each core, unless OMP_NUM_THREADS, threadpoolctl or a
    process of joblib, which runs several fits at once, allow fewer. Within a thread that already is
    one of several, one.
    """
    limit = _settings.limit
    return _openmp_effective_n_threads() if limit is None else limit


@contextmanager
def threads(limit: int | None) -> Iterator[None]:
    """Use so many threads; with None, as many as there are otherwise."""
    before = _settings.limit
    _settings.limit = before if limit is None else limit
    try:
        yield
    finally:
        _settings.limit = before


class Threads:
    """Threads of this process; kernels and products release the interpreter's lock.

    At most two parts for each thread are under way.

    Parameters
    ----------
    most : int, optional
        The most threads that are used; with one, parts are worked on one after the other.
    """

    def __init__(self, most: int | None = None):
        self.most = most

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each part, with several threads if there are several parts."""
        items = iter(items)
        first = list(islice(items, 2))
        number = n_threads() if len(first) > 1 else 1
        number = number if self.most is None else min(number, self.most)
        if number == 1:
            yield from map(function, first)
            yield from map(function, items)
            return
        under_way: deque[Future[Result]] = deque()
        with ONE_BLAS_THREAD:
            try:
                pool = _pool(number)
                for item in (*first, *islice(items, 2 * number - 2)):
                    under_way.append(pool.submit(_alone, function, item))
                while under_way:
                    result = under_way.popleft().result()
                    for item in islice(items, 1):
                        under_way.append(pool.submit(_alone, function, item))
                    yield result
            finally:
                for future in under_way:
                    future.cancel()


def _alone(function: Callable[[Any], Result], item: Any) -> Result:
    """Apply a function in a thread that is one of several, and must not start more."""
    with threads(1):
        return function(item)


class OneBlasThread:
    """Limit BLAS to one thread while at least one sweep is under way in this process.

    The limit holds for the whole process, so that the first sweep to begin sets it, and the last
    one to end restores what was before, whatever their order.
    """

    def __init__(self) -> None:
        self._lock, self._n_sweeps = threading.Lock(), 0
        self._limit: Any = None

    def __enter__(self) -> None:
        """Begin a sweep."""
        with self._lock:
            self._n_sweeps += 1
            if self._n_sweeps == 1:
                self._limit = _controller().limit(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        """End a sweep."""
        with self._lock:
            self._n_sweeps -= 1
            if self._n_sweeps == 0 and self._limit is not None:
                self._limit.restore_original_limits()
                self._limit = None


def slices(n: int) -> list[slice]:
    """Divide n values into parts of equal size, whatever the number of threads."""
    number = min(max(1, -(-n // PART)), MOST_PARTS)
    size = max(1, -(-n // number))
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


@cache
def _pool(number: int) -> ThreadPoolExecutor:
    """Return threads, which are kept, because a sweep may take less time than to start them."""
    return ThreadPoolExecutor(number, thread_name_prefix="rankone")


@cache
def _controller() -> ThreadpoolController:
    """Return what limits the threads of BLAS; to find its libraries takes milliseconds."""
    return ThreadpoolController()


THREADS, ONE_BLAS_THREAD = Threads(), OneBlasThread()

# A process that is forked from this one has none of its threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
