"""Who does the work on the parts of a matrix: this thread, or several threads of this process.

Whoever it is, results come in the order of the parts, and the parts do not depend on the number of
threads: neither do sums, to the last bit.
"""

from __future__ import annotations

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

__all__ = ["IN_TURN", "THREADS", "Runner", "n_threads", "threads"]


class Runner(Protocol):
    """Somebody who applies a function to parts."""

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each part, and yield the results in the order of the parts."""


class _Settings(threading.local):
    """What holds in the current thread: how many threads it may use; None if nobody said."""

    limit: int | None = None


_settings = _Settings()


def n_threads() -> int:
    """Return the number of threads that sweeps may use.

    As many as scikit-learn's own: one for each core, unless OMP_NUM_THREADS, threadpoolctl or
    joblib, which runs several fits at once, allow fewer. Within a thread that already is one of
    several, one.
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


class InTurn:
    """One part after the other, each read, used and given back."""

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each part."""
        return map(function, items)


class Threads:
    """Threads of this process; kernels and products release the interpreter's lock.

    No more parts are under way than there are threads, and one that waits for each.
    """

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each part, with several threads if there are several parts."""
        items = iter(items)
        first = list(islice(items, 2))
        number = n_threads() if len(first) > 1 else 1
        if number == 1:
            yield from map(function, first)
            yield from map(function, items)
            return
        under_way: deque[Future[Result]] = deque()
        with _controller().limit(limits=1, user_api="blas"):
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


@cache
def _pool(number: int) -> ThreadPoolExecutor:
    """Return threads, which are kept, because a sweep may take less time than to start them."""
    return ThreadPoolExecutor(number, thread_name_prefix="rankone")


@cache
def _controller() -> ThreadpoolController:
    """Return what limits the threads of BLAS; to find its libraries takes milliseconds."""
    return ThreadpoolController()


IN_TURN, THREADS = InTurn(), Threads()
