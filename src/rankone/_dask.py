"""What matrices and vectors have in common if their chunks belong to Dask, which may be absent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rankone._warnings import warn
from rankone.errors import Worded

#: Seconds after which it is said that no worker is there to wait for.
PATIENCE = 30.0
ADVICE = "start some by `dask worker`, and the work goes on"
#: Results of chunks, or combinations of such, that a worker combines.
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
                warn(Worded("The Dask cluster has no workers", ADVICE), RuntimeWarning)
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
