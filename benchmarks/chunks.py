"""Benchmarks of matrices in chunks: two threads compared with one, and Dask with threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from benchmarks.measure import Row, faster, progress, slower
from rankone import RankOneCoclustering
from rankone.datasets import PAPER, make_blocks
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.running import threads

#: Vectors of a product, as views take them.
VECTORS = 16


def limited(number: int, work: Callable[[], Any]) -> Any:
    """Do some work with so many threads, those of BLAS included."""
    with threads(number), threadpool_limits(number):
        return work()


def two_threads(what: str, work: Callable[[], Any], target: str) -> Row:
    """Measure how much faster two threads are than one."""
    progress(what)
    ours, theirs = partial(limited, 2, work), partial(limited, 1, work)
    return faster(f"{what}, two threads", "one thread", ours, theirs, target)


def sweeps(matrix: Matrix, what: str) -> Iterator[Row]:
    """Measure sweeps over a matrix."""
    rng = np.random.default_rng(0)
    n = matrix.shape[1]
    v, one = rng.normal(size=(n, VECTORS)), np.ones(n)
    labels = rng.integers(0, 5, n)
    yield two_threads(f"product of {what} with {VECTORS} vectors", lambda: matrix.dot(v), ">= 1.6")
    grouped = partial(matrix.group_columns, labels, 5, one)
    yield two_threads(f"sums of {what} over groups of columns", grouped, ">= 1.6")
    both = partial(matrix.sweep, one, lambda product, rows: product)
    yield two_threads(f"sweep of {what} from both sides", both, ">= 1.6")


def in_threads() -> Iterator[Row]:
    """Measure sweeps and a fit with two threads, and the growth of a fit."""
    rng = np.random.default_rng(0)
    yield from sweeps(as_matrix(rng.normal(size=(10**4, 10**4))), "10000 x 10000")
    sparse = sp.random(10**5, 2 * 10**4, 0.025, format="csr", random_state=0)
    yield from sweeps(as_matrix(sparse), "sparse 100000 x 20000, 5e7 entries")
    a = make_blocks((10**4, 5000), PAPER["D4"].means, sigma=1.0, random_state=0).data
    fit = partial(RankOneCoclustering().fit, a)
    yield two_threads("fit of 10000 x 5000, refined", fit, ">= 1.5")


def in_dask() -> Iterator[Row]:
    """Measure sweeps of two processes of Dask, over chunks that they hold."""
    import dask.array as da
    from distributed import Client, LocalCluster

    a = np.random.default_rng(0).normal(size=(20000, 10**4))
    v = np.random.default_rng(1).normal(size=(10**4, VECTORS))
    here = as_matrix(a)
    with LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        there = as_matrix(da.from_array(a, chunks=(1000, -1)).persist())
        what = f"product of 20000 x 10000 with {VECTORS} vectors, Dask on two processes"
        progress(what)
        ours, theirs = partial(there.dot, v), partial(limited, 2, partial(here.dot, v))
        yield slower(what, "two threads", ours, theirs, "<= 1.3")


TABLES = {
    "Chunks: two threads compared with one": in_threads,
    "Chunks: Dask compared with threads": in_dask,
}
