"""How many threads an estimator uses: its parameter ``n_jobs``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar

from joblib import effective_n_jobs
from threadpoolctl import threadpool_limits

from rankone._threads import threads
from rankone.checks import check_jobs

__all__ = ["with_jobs"]

Method = TypeVar("Method", bound=Callable[..., Any])


def with_jobs(method: Method) -> Method:
    """Let a method of an estimator use as many threads as its ``n_jobs`` says."""

    @wraps(method)
    def limited(self: Any, *args: Any, **kwargs: Any) -> Any:
        with _jobs(self.n_jobs):
            return method(self, *args, **kwargs)

    return limited  # type: ignore[return-value]


@contextmanager
def _jobs(n_jobs: Any) -> Iterator[None]:
    """Use so many threads, those of BLAS included; negative numbers count from all cores."""
    checked = check_jobs(n_jobs)
    if checked is None:
        yield
        return
    number = effective_n_jobs(checked)
    with threads(number), threadpool_limits(number):
        yield
