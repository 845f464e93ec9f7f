"""Benchmarks of the cuts: one function per table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from unittest.mock import patch

import ckmeans
import fast1dkmeans
import jenkspy
import kmeans1d
import numpy as np
import pottslab
import ruptures

from benchmarks.measure import (
    Row,
    faster,
    peak_memory,
    progress,
    run_python,
    slower,
    take_turns,
)
from rankone._threads import threads
from rankone.cuts import Partition, Potts, SortedPotts, bucketed_values, sorted_potts_path
from rankone.selection import silhouette
from rankone.typing import FloatArray, IntArray

Peer = Callable[[FloatArray, int], list[float]]


def mixture(n: int, spread: float = 1.0) -> FloatArray:
    """Return n distinct values: five Gaussian clusters, 4 apart."""
    rng = np.random.default_rng(n)
    return spread * rng.normal(size=n) + 4 * rng.integers(0, 5, n)


def staircase(n: int, piece: int) -> FloatArray:
    """Return a piecewise constant signal with pieces of equal length and unit noise."""
    rng = np.random.default_rng(n + piece)
    return np.repeat(5 * rng.normal(size=-(-n // piece)), piece)[:n] + rng.normal(size=n)


def against_sort() -> Iterator[Row]:
    """Compare sorted Potts with a penalty to a sort, both by one thread."""
    targets = {10**5: "<= 2", 10**6: "<= 1", 10**7: "<= 0.8"}
    for n, target in targets.items():
        for p in (1, 2):
            yield from _against_sort(n, p, 1, target)


def against_sort_in_threads() -> Iterator[Row]:
    """Compare sorted Potts by two threads to a sort, which is always by one."""
    for p, target in ((1, ""), (2, "<= 0.5")):
        yield from _against_sort(10**7, p, 2, target)


def _against_sort(n: int, p: int, n_threads: int, target: str) -> Iterator[Row]:
    u = mixture(n)
    for share in (0.2, 0.05, 0.01):  # of n: about 5, 10 and 20 clusters
        cut = SortedPotts(p=p, lam=share * n)
        k = cut.cut(u).n_clusters
        words = "" if n_threads == 1 else f", {n_threads} threads"
        what = f"SortedPotts(p={p}, lam) of {n:.0e} values, {k} clusters{words}"
        progress(what)
        with threads(n_threads):
            row = slower(what, "np.sort", partial(cut.cut, u), partial(np.sort, u), target)
        yield row


def against_peers() -> Iterator[Row]:
    """Compare sorted Potts with packages that are given the number of clusters."""
    for name, u in (("overlapping", mixture(10**6)), ("tight", mixture(10**6, spread=0.25))):
        path = sorted_potts_path(u, max_clusters=20)
        given = SortedPotts(lam=float(path.intervals[19].mean()))
        assert given.cut(u).n_clusters == 20
        what = f"SortedPotts(lam) of 1e+06 values, {name}, 20 clusters"
        for peer, target in ((_ckmeans, ">= 8"), (_kmeans1d, ">= 20"), (_fast1dkmeans, ">= 20")):
            if peer is _fast1dkmeans and name == "tight":
                continue  # version 0.1.2 crashes with a segmentation fault
            yield _compare(what, given, u, peer, 20, target)
        many = ">= 60" if name == "overlapping" else ">= 5"
        for k, target in ((20, many), (5, ">= 1.5")):
            what = f"SortedPotts(n_clusters={k}) of 1e+06 values, {name}"
            yield _compare(what, SortedPotts(n_clusters=k), u, _ckmeans, k, target)
        what = f"sorted_potts_path of 1e+06 values, {name}, all of 1 to 20 clusters"
        progress(what)
        ours = partial(sorted_potts_path, u, max_clusters=20)
        target = "" if name == "overlapping" else ">= 2"
        yield faster(what, "ckmeans, k = 20 alone", ours, partial(_ckmeans, u, 20), target)
    u = mixture(10**4)
    path = sorted_potts_path(u, max_clusters=20)
    given = SortedPotts(lam=float(path.intervals[19].mean()))
    yield _compare("SortedPotts(lam) of 1e+04 values, 20 clusters", given, u, _jenkspy, 20, ">= 20")


def hard_inputs() -> Iterator[Row]:
    """Measure sorted Potts on values with heavy tails, gaps within gaps, and far clusters."""
    for name, make in HARD.items():
        for n, k in ((10**5, 10), (10**6, 20)):
            u = make(n)
            what = f"SortedPotts(n_clusters={k}) of {n:.0e} values, {name}"
            progress(what)
            cut = SortedPotts(n_clusters=k)
            yield slower(what, "ckmeans", partial(cut.cut, u), partial(_ckmeans, u, k), "<= 2")
            what = f"sorted_potts_path of {n:.0e} values, {name}, all of 1 to {k} clusters"
            progress(what)
            ours = partial(sorted_potts_path, u, max_clusters=k)
            yield slower(what, f"ckmeans, k = {k} alone", ours, partial(_ckmeans, u, k), "")
        what = f"SortedPotts(n_clusters=10), {name}, 1e+06 values"
        progress(what)
        long, short = (partial(SortedPotts(n_clusters=10).cut, make(n)) for n in (10**6, 10**5))
        yield slower(what, "1e+05 values", long, short, "")


def many_clusters() -> Iterator[Row]:
    """Compare numbers of clusters up to those of palettes with ckmeans and with each other."""
    u = mixture(10**6)
    for k in (50, 255):  # ckmeans takes no more
        what = f"SortedPotts(n_clusters={k}) of 1e+06 values"
        yield _compare(what, SortedPotts(n_clusters=k), u, _ckmeans, k, ">= 1")
    for k, fewer in ((100, 10), (1000, 100)):
        what = f"SortedPotts(n_clusters={k}) of 1e+06 values"
        progress(what)
        many, few = (partial(SortedPotts(n_clusters=number).cut, u) for number in (k, fewer))
        yield slower(what, f"n_clusters={fewer}", many, few, "")


def against_sorting() -> Iterator[Row]:
    """Compare cuts of vectors with those that sort them first, where tails or ties are heavy."""
    for name, make in HEAVY.items():
        for p in (1, 2):
            u = make(10**6)
            what = f"SortedPotts(p={p}, n_clusters=10) of 1e+06 values, {name}"
            progress(what)
            cut = partial(SortedPotts(p=p, n_clusters=10).cut, u)
            with threads(1):
                yield slower(
                    what, "the same after a sort", cut, partial(_after_a_sort, cut), "<= 1.3"
                )


def _after_a_sort(cut: Callable[[], Partition]) -> Partition:
    with patch.multiple(bucketed_values, FEWEST=math.inf, FEWEST_ABSOLUTE=math.inf):
        return cut()


def _cantor(n: int) -> FloatArray:
    """Return the first ends of the intervals that make the Cantor set."""
    dust = np.zeros(1)
    while dust.size < n:
        dust = np.concatenate([dust / 3, 2 / 3 + dust / 3])
    return dust[:n]


def _far_apart(n: int) -> FloatArray:
    rng = np.random.default_rng(n)
    return np.asarray(1e6 * rng.integers(0, 2, n) + rng.normal(size=n))


#: Functions of n that return values which are hard to cut.
HARD: dict[str, Callable[[int], FloatArray]] = {
    "Pareto 0.2": lambda n: np.random.default_rng(n).pareto(0.2, n),
    "Pareto 0.5": lambda n: np.random.default_rng(n).pareto(0.5, n),
    "Cauchy": lambda n: np.random.default_rng(n).standard_cauchy(n),
    "geometric": lambda n: np.asarray((1 + 10 / n) ** np.arange(n), np.float64),
    "Cantor dust": _cantor,
    "two far clusters": _far_apart,
}


#: Functions of n that return values with heavy tails, or many equal ones.
HEAVY: dict[str, Callable[[int], FloatArray]] = {
    "Cauchy": HARD["Cauchy"],
    "lognormal": lambda n: np.random.default_rng(n).lognormal(0, 2, n),
    "whole numbers": lambda n: np.random.default_rng(n).poisson(30, n).astype(np.float64),
    "half of them zero": lambda n: np.maximum(np.random.default_rng(n).normal(size=n), 0.0),
}


def _compare(what: str, cut: SortedPotts, u: FloatArray, peer: Peer, k: int, target: str) -> Row:
    """Check that the result equals that of another package, then compare the times."""
    progress(f"{what}, {peer.__name__[1:]}")
    bounds = np.searchsorted(np.sort(u), peer(u, k))
    pieces = np.split(np.sort(u), bounds)
    theirs = sum(float(((piece - piece.mean()) ** 2).sum()) for piece in pieces)
    ours = SortedPotts(n_clusters=k).cut(u).objective
    assert len(pieces) == k == cut.cut(u).n_clusters
    assert np.isclose(ours, theirs, rtol=1e-9), (peer.__name__, ours, theirs)
    name = f"{peer.__name__[1:]}, k = {k}"
    return faster(what, name, partial(cut.cut, u), partial(peer, u, k), target)


def _ckmeans(u: FloatArray, k: int) -> list[float]:
    """Return the smallest value of each cluster but the first."""
    return [float(cluster[0]) for cluster in ckmeans.ckmeans(u, k)[1:]]


def _kmeans1d(u: FloatArray, k: int) -> list[float]:
    return _least_values(u, np.array(kmeans1d.cluster(u, k).clusters))


def _fast1dkmeans(u: FloatArray, k: int) -> list[float]:
    return _least_values(u, fast1dkmeans.cluster(u, k))


def _jenkspy(u: FloatArray, k: int) -> list[float]:
    """Convert the breaks of jenkspy, which are the largest values of the clusters."""
    breaks = jenkspy.jenks_breaks(u, k)
    return [float(np.nextafter(b, np.inf)) for b in breaks[1:-1]]


def _least_values(u: FloatArray, labels: IntArray) -> list[float]:
    least = np.full(int(labels.max()) + 1, np.inf)
    np.minimum.at(least, labels, u)
    return sorted(least.tolist())[1:]


def contiguous() -> Iterator[Row]:
    """Compare Potts with other packages, and with itself at a tenth of the length."""
    lam = 20.0
    for piece in (100, 10**4):
        u = staircase(10**5, piece)
        jumps = np.flatnonzero(np.diff(Potts(lam=lam).cut(u).labels)) + 1
        assert np.array_equal(jumps, _detect(u, lam)[:-1])
        what = f"Potts(p=2) of 1e+05 values, pieces of {piece}"
        progress(what)
        ours = partial(Potts(lam=lam).cut, u)
        yield faster(what, "ruptures KernelCPD", ours, partial(_detect, u, lam), ">= 1")
    for piece in (100, 10**3):
        u = staircase(10**4, piece)
        theirs = partial(pottslab.min_l1_potts, u, lam)
        assert np.isclose(Potts(p=1, lam=lam).cut(u).objective, theirs()[3], rtol=1e-9)
        what = f"Potts(p=1) of 1e+04 values, pieces of {piece}"
        progress(what)
        yield faster(what, "pottslab", partial(Potts(p=1, lam=lam).cut, u), theirs, ">= 20")
    for name, long, short in (
        ("pieces of 100", staircase(10**5, 100), staircase(10**4, 100)),
        ("10 pieces in all", staircase(10**5, 10**4), staircase(10**4, 10**3)),
    ):
        for p, target in ((1, "<= 15"), (2, "")):
            what = f"Potts(p={p}) of 1e+05 values, {name}"
            progress(what)
            cut = Potts(p=p, lam=lam).cut
            yield slower(what, "the same of 1e+04", partial(cut, long), partial(cut, short), target)


def _detect(u: FloatArray, lam: float) -> list[int]:
    detector = ruptures.KernelCPD(kernel="linear", min_size=1, jump=1)
    breakpoints: list[int] = detector.fit(u).predict(pen=lam)
    return breakpoints


def silhouettes() -> Iterator[Row]:
    """Measure the silhouette."""
    for n, target in ((10**5, ""), (10**6, "<= 2")):
        u = mixture(n)
        part = SortedPotts(n_clusters=5).cut(u)
        what = f"silhouette of {n:.0e} values"
        progress(what)
        yield slower(what, "np.sort", partial(silhouette, u, part), partial(np.sort, u), target)


def growth() -> Iterator[Row]:
    """Measure the cost of doubling the length or the number of clusters, by one thread."""
    for p in (1, 2):
        for n in (10**6, 2 * 10**6, 4 * 10**6):
            once, twice = mixture(n), mixture(2 * n)
            what = f"SortedPotts(p={p}, lam), 10 clusters, {2 * n:.0e} values"
            progress(what)
            long = partial(SortedPotts(p=p, lam=0.05 * 2 * n).cut, twice)
            short = partial(SortedPotts(p=p, lam=0.05 * n).cut, once)
            with threads(1):
                row = slower(what, f"{n:.0e} values", long, short, "")
            yield row
        u = mixture(10**6)
        path = sorted_potts_path(u, p=p, max_clusters=80)
        lams = {k: float(path.intervals[k - 1].mean()) for k in (10, 20, 40, 80)}
        for k in (20, 40, 80):
            what = f"SortedPotts(p={p}, lam) of 1e+06 values, {k} clusters"
            progress(what)
            many = partial(SortedPotts(p=p, lam=lams[k]).cut, u)
            few = partial(SortedPotts(p=p, lam=lams[k // 2]).cut, u)
            yield slower(what, f"{k // 2} clusters", many, few, "")


_SETUP = """
from rankone.cuts import SortedPotts
cut = SortedPotts(p={p}, lam=0.05 * 10**7)
cut.cut(rng.normal(size=1000))
data = rng.normal(size=10**7)
data += 4 * rng.integers(0, 5, data.size, dtype=np.int8)
"""


def memory() -> Iterator[Row]:
    """Measure the peak memory that a cut allocates."""
    for p in (1, 2):
        what = f"SortedPotts(p={p}, lam) of 1e+07 values, bytes"
        progress(what)
        peak, size = peak_memory(_SETUP.format(p=p), "cut.cut(data)")
        yield Row(what, "the vector", peak, size, peak / size, "<= 10")


def importing() -> Iterator[Row]:
    """Measure ``import rankone``, and see that it loads nothing heavy."""
    progress("import rankone")
    loaded = run_python("import sys, rankone; print(*sys.modules)").split()
    assert not {"numba", "numpy", "scipy", "sklearn"}.intersection(loaded)
    alone, start = take_turns(partial(run_python, "import rankone"), partial(run_python, "pass"))
    yield Row("python -c 'import rankone'", "python -c 'pass'", alone, start, alone / start)


TABLES = {
    "Sorted Potts compared with np.sort of the same vector": against_sort,
    "Sorted Potts by two threads compared with np.sort": against_sort_in_threads,
    "Sorted Potts compared with exact one-dimensional k-means of other packages": against_peers,
    "Sorted Potts of hard inputs compared with ckmeans": hard_inputs,
    "Many clusters": many_clusters,
    "Sorted Potts of heavy tails compared with the same after a sort": against_sorting,
    "Potts compared with other packages and with itself": contiguous,
    "Silhouette compared with np.sort of the same vector": silhouettes,
    "Growth": growth,
    "Peak memory": memory,
    "Import": importing,
}
