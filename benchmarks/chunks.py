"""Benchmarks of matrices in chunks: threads, Dask, and matrices that are larger than memory."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from benchmarks.measure import Row, faster, progress, run_python, slower
from rankone import RankOneCoclustering, SortedPotts
from rankone._threads import threads
from rankone.datasets import PAPER, make_blocks
from rankone.matrix import Matrix, as_matrix
from rankone.typing import FloatArray

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
    """Measure sweeps and a fit by two processes of Dask, over chunks that they hold."""
    from distributed import Client, LocalCluster

    v = np.random.default_rng(1).normal(size=(10**4, VECTORS))
    with LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        for m in (20000, 40000):
            x = blocks_in_dask(m, 10**4).persist()
            there, here = as_matrix(x), as_matrix(x.compute())
            what = f"{m} x 10000 with {VECTORS} vectors, Dask on two processes"
            for name, sweep in (
                (f"product of {what}", lambda matrix: matrix.dot(v)),
                (f"products there and back of {what}", _there_and_back(v)),
            ):
                progress(name)
                theirs = partial(limited, 2, partial(sweep, here))
                yield slower(name, "two threads", partial(sweep, there), theirs, "<= 1.3")
            if m == 20000:
                name = f"fit of {m} x 10000, Dask on two processes"
                progress(name)
                a, fit = here.values(), RankOneCoclustering().fit
                theirs = partial(limited, 2, partial(fit, a))
                yield slower(name, "two threads", partial(fit, x), theirs, "<= 1.3")


def vectors_in_dask() -> Iterator[Row]:
    """Measure the cut of a vector in 20 chunks, by the two threads of Dask's local scheduler."""
    import dask
    import dask.array as da

    rng = np.random.default_rng(0)
    u = rng.normal(size=10**8)
    u += 4 * rng.integers(0, 5, u.size, dtype=np.int8)
    x = da.from_array(u, chunks=u.size // 20, name=False)
    cut = SortedPotts(n_clusters=5)

    def in_chunks() -> Any:
        return cut.cut(x).labels.max().compute()

    what = "SortedPotts(n_clusters=5) of 1e+08 values in 20 chunks of Dask, two threads"
    progress(what)
    with dask.config.set(scheduler="threads", num_workers=2):
        theirs = partial(limited, 2, partial(cut.cut, u))
        yield slower(what, "the same in memory", in_chunks, theirs, "<= 1.5")
        quantiles = da.percentile(x, [20, 40, 60, 80])
        yield slower(what, "da.percentile, approximate", in_chunks, quantiles.compute, "")


def blocks_in_dask(m: int, n: int) -> Any:
    """Return D4's blocks with noise as a Dask array, whose chunks workers make."""
    import dask.array as da

    rng, means = np.random.default_rng(0), np.asarray(PAPER["D4"].means)
    rows, columns = rng.integers(0, means.shape[0], m), rng.integers(0, means.shape[1], n)
    values = da.from_array(means[rows], chunks=(1000, -1)) @ np.eye(means.shape[1])[:, columns]
    return values + da.random.default_rng(0).normal(size=(m, n), chunks=(1000, -1))


def _there_and_back(v: FloatArray) -> Callable[[Matrix], Any]:
    return lambda matrix: matrix.sweep(v, lambda product, rows: product)


#: Fits a file within some memory, and prints seconds, reads, and the peak of memory in bytes.
FIT = """
import json, sys, time
from rankone.cli import main
begin = time.perf_counter()
code = main(["fit", {path!r}, "--memory", {memory!r}, "--out", {out!r}, "--no-pictures", "--quiet"])
seconds = time.perf_counter() - begin
summary = json.load(open({out!r} + "/summary.json"))
status = open("/proc/self/status").read().split()
peak = 1024 * int(status[status.index("VmHWM:") + 1])
print(code, seconds, summary["how"]["reading"].split()[-2], peak)
"""


def out_of_core() -> Iterator[Row]:
    """Fit a matrix of 20 GB, or of half the free disk, within 2 GB of memory."""
    with tempfile.TemporaryDirectory() as folder:
        free = shutil.disk_usage(folder).free
        m = int(min(10**5, free / 2 / (8 * 25000)))
        path = str(Path(folder, "a.npy"))
        for rows in (m // 2, m):
            progress(f"writing {rows} x 25000, {rows * 25000 * 8e-9:.0f} GB")
            write_blocks(path, rows, 25000)
            what = f"fit of {rows} x 25000 doubles ({rows * 25000 * 8e-9:.3g} GB) in 2 GB"
            progress(what)
            read = seconds_to_read(path)
            words = FIT.format(path=path, memory="2GB", out=str(Path(folder, f"out{rows}")))
            code, seconds, n_reads, peak = run_python(words).split()
            assert code == "0"
            sweeps = float(n_reads) * read
            than = f"{n_reads} times reading it at {rows * 25000 * 8e-9 / read:.2g} GB/s"
            yield Row(what, than, float(seconds), sweeps, float(seconds) / sweeps, "<= 1.3")
            peak_gb = float(peak) / 2**30
            yield Row("its peak memory, GB", "2 GB", peak_gb, 2.0, peak_gb / 2.0, "<= 1")


def write_blocks(path: str, m: int, n: int) -> None:
    """Write a matrix of D4's blocks with noise, piece by piece."""
    rng = np.random.default_rng(0)
    means = np.asarray(PAPER["D4"].means)
    columns = rng.integers(0, means.shape[1], n)
    file = np.lib.format.open_memmap(path, "w+", np.float64, (m, n))
    for start in range(0, m, 1000):
        rows = rng.integers(0, means.shape[0], min(1000, m - start))
        noise = rng.standard_normal((rows.size, n), dtype=np.float32)
        file[start : start + rows.size] = means[np.ix_(rows, columns)] + noise
    file.flush()


def seconds_to_read(path: str) -> float:
    """Return how long it takes to read a file once, from disk as far as the system lets us."""
    with open(path, "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        buffer = bytearray(2**24)
        begin = time.perf_counter()
        while file.readinto(buffer):
            pass
        return time.perf_counter() - begin


TABLES = {
    "Chunks: two threads compared with one": in_threads,
    "Chunks: Dask compared with threads": in_dask,
    "Chunks: vectors of Dask": vectors_in_dask,
    "Chunks: larger than memory": out_of_core,
}
