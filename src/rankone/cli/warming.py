"""Small tasks that together use all kernels, with the types that they have in practice."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
import scipy.sparse as sp

from rankone import (
    RankOneClustering,
    RankOneCoclustering,
    RankOneTree,
    _agreement,
    cuts,
    selection,
)
from rankone._compiling import compilation
from rankone.datasets import make_counts, make_paper
from rankone.methods import VECTORS

__all__ = ["TASKS", "folder_of_cache", "run_all", "run_task"]

#: Values of a vector that is cut without sorting it, for any power.
LARGE = 2**21


def folder_of_cache() -> Path | None:
    """Return the folder in which compiled code is kept; None if there is none."""
    if not compilation.can_keep:
        return None
    return Path(numba.config.CACHE_DIR or Path(_agreement.__file__).parent)


def fit_real() -> None:
    """Fit real numbers, and place rows."""
    data = make_paper("D2", noise=1.0, random_state=0).data[:100, :60]
    for x in (data, np.asfortranarray(data), data.astype(np.float32)):
        model = RankOneCoclustering().fit(x)
        model.predict(x)
    model.report()


def fit_missing() -> None:
    """Fit real numbers of which some are missing."""
    data = make_paper("D2", noise=1.0, missing=0.3, random_state=0).data[:100, :60]
    RankOneCoclustering().fit(data).impute(data)
    stored = sp.csr_array(np.nan_to_num(data))
    RankOneCoclustering(missing="absent").fit(stored).predict(stored)


def fit_counts() -> None:
    """Fit counts, dense and sparse, and zeros and ones."""
    data = make_counts((100, 60), [[4, 1], [2, 5], [1, 9]], mean=2, random_state=0).data
    for x in (data, data.astype(np.int64), sp.csr_array(data), sp.csc_array(data)):
        RankOneCoclustering().fit(x).predict(x)
    RankOneCoclustering().fit((data > 2).astype(float))


def fit_scores() -> None:
    """Fit without refinement, with each selection."""
    data = make_paper("D1", noise=1.0, random_state=0).data[:100, :60]
    for rule in selection.SELECTIONS:
        RankOneClustering(selection=rule, refine=False).fit(data).predict(data)
    RankOneClustering(cut=cuts.SortedPotts(p=1), refine=False).fit(data)


def grow_trees() -> None:
    """Grow trees of real numbers and of counts."""
    data = make_paper("D2", noise=1.0, random_state=0).data[:100, :60]
    counts = make_counts((100, 60), [[4, 1], [2, 5], [1, 9]], mean=2, random_state=0).data
    for x in (data, counts, sp.csr_array(counts)):
        tree = RankOneTree().fit(x)
        tree.predict(x)
        tree.report()


def extract_vectors() -> None:
    """Extract the vectors of each method."""
    data = make_counts((50, 50), [[4, 1], [2, 5]], mean=3, random_state=0).data + 1.0
    for make in VECTORS.values():
        make().extract(data)
    holes = data.copy()
    holes[::7, ::5] = np.nan
    for name in ("marginal", "nmf", "svd"):
        VECTORS[name]().extract(holes)
        VECTORS[name]().extract(sp.csr_array(data))


def cut_vectors() -> None:
    """Cut a vector by each method, with and without weights."""
    rng = np.random.default_rng(0)
    u = np.repeat([0.0, 3.0, 9.0], 60) + rng.normal(size=180)
    weights = rng.uniform(1, 2, u.size)
    for power in (1, 2, 1.5):
        for w in (None, weights):
            cuts.SortedPotts(p=power, lam=5.0).cut(u, w)
            cuts.SortedPotts(p=power, n_clusters=3).cut(u, w)
        selection.silhouette_path(cuts.sorted_potts_path(u, power, 12))
    large = rng.normal(size=LARGE)
    for norm in (1, 2):
        cuts.SortedPotts(p=norm, n_clusters=3).cut(large)
        cuts.sorted_potts_path(large, norm, 3)
    for norm in (1, 2):
        cuts.Potts(p=norm, lam=5.0).cut(u)
        cuts.Potts(p=norm, n_clusters=3).cut(u, weights)
    others = (cuts.TotalVariation(lam=2.0), cuts.Multiscale(), cuts.Threshold(eps=1.0))
    for cut in (*others, cuts.Sign(), cuts.LargestGaps(n_clusters=3)):
        cut.cut(u)


def run_commands() -> None:
    """Run commands on files, whose numbers may be mapped and cannot be written to."""
    from rankone.cli import main

    data = make_paper("D2", noise=1.0, missing=0.2, random_state=0).data[:80, :50]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        at = Path(folder)
        np.savetxt(at / "a.csv", data, delimiter=",", header=",".join(map(str, range(50))))
        np.save(at / "b.npy", np.nan_to_num(data))
        sp.save_npz(at / "c.npz", sp.csr_array(np.round(np.nan_to_num(data))))
        for name in ("a.csv", "b.npy", "c.npz"):
            main(["fit", os.fspath(at / name), "--out", os.fspath(at / name[0]), "--quiet"])
            main(["tree", os.fspath(at / name), "--quiet"])
        main(["cut", os.fspath(at / "b.npy"), "--column", "1", "--quiet"])


#: By name, the longest first.
TASKS: dict[str, Callable[[], None]] = {
    task.__name__: task
    for task in (
        *(fit_counts, fit_missing, cut_vectors, fit_real),
        *(extract_vectors, run_commands, grow_trees, fit_scores),
    )
}


def run_task(name: str) -> int:
    """Run a task; return how many kernels were compiled for it."""
    before = compilation.n_kernels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of data that are made to compile, not to be clustered
        TASKS[name]()
    return compilation.n_kernels - before


def run_all() -> int:
    """Run all tasks; return how many kernels were compiled for them."""
    return sum(map(run_task, TASKS))
