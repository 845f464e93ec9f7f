"""What matrices and vectors have in common if their chunks belong to Dask, which may be absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from rankone._warnings import warn
from rankone.errors import Worded

#: Seconds to wait before warning that a cluster has no workers.
PATIENCE = 30.0
NO_WORKERS = Worded(
    "The Dask cluster has no workers", "start some with `dask worker`; the work then continues"
)

#: How many results a worker combines in one task.
COMBINED = 8


def is_dask(x: Any) -> bool:
    """Say whether something is a Dask array or frame; Dask itself is not imported."""
    return hasattr(x, "__dask_graph__") and type(x).__module__.startswith("dask")


def current_client() -> Any:
    """Return the client of a cluster; None if there is none."""
    try:
        from distributed import Client
    except ImportError:
        return None
    try:
        return Client.current()
    except ValueError:
        return None


def compute(task: Any) -> Any:
    """Return the result of a task, or an array: from a cluster, if there is one."""
    client = current_client()
    if client is None:
        return task.compute()
    with submitted(client, [task]) as futures:
        result = result_of(client, futures[0])
        futures.clear()
    return result


@contextmanager
def submitted(client: Any, tasks: list[Any]) -> Iterator[list[Any]]:
    """Submit tasks to a cluster; those that are still listed at the end are cancelled."""
    futures = client.compute(tasks)
    try:
        yield futures
    except CancelledError as error:
        futures.clear()
        raise ConnectionError(
            "the Dask scheduler was lost during a sweep; start it, and fit again."
        ) from error
    finally:
        if futures:
            client.cancel(futures)


def result_of(client: Any, future: Any) -> Any:
    """Return the result of a task on a cluster; warn if no worker is there to compute it.

    Dask waits for ever, which is right where workers start when they are needed.
    """
    from distributed import wait

    warned = False
    while not future.done():
        try:
            wait(future, timeout=PATIENCE)
        except TimeoutError:
            if not warned and not client.nthreads():
                warned = True
                warn(NO_WORKERS, RuntimeWarning)
    return future.result()


def combine_tasks(tasks: list[Any], function: Callable[..., Any]) -> Any:
    """Return one task that combines the results of others, a few at a time, in their order.

    So nothing but the result comes to the client, whatever the number of chunks.
    """
    from dask import delayed

    combine = delayed(function, pure=False, traverse=False)
    while len(tasks) > 1:
        tasks = [
            combine(*tasks[start : start + COMBINED]) for start in range(0, len(tasks), COMBINED)
        ]
    return tasks[0]
