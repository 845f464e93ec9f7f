"""Fitted learners whose reports are tested; each is fitted once."""

from functools import cache

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from rankone import Prepare, RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_counts, make_paper

BLOCKS = make_paper("D3", 1.0, missing=0.1, random_state=0)
ROWS, COLUMNS = [f"r{i}" for i in range(300)], [f"c{j}" for j in range(200)]
FRAME = pd.DataFrame(BLOCKS.data, ROWS, COLUMNS)


def wine_frame():
    data = load_wine(as_frame=True).data
    return data.set_axis([f"w{i}" for i in range(len(data))])


@cache
def blocks():
    """Blocks, found by a search for the best ones."""
    return RankOneCoclustering().fit(FRAME)


@cache
def cut():
    """Cuts of scores, without a tree."""
    return RankOneCoclustering(refine=False).fit(FRAME)


@cache
def wine():
    """Trees, of a matrix that was prepared."""
    return RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(wine_frame())


@cache
def counts():
    """Counts, which are compared with their margins."""
    rng = np.random.default_rng(0)
    data = make_counts((120, 90), [[4, 1, 1], [1, 5, 1], [1, 1, 6]], mean=0.6, random_state=0).data
    words = [f"word{j}" for j in range(90)]
    return RankOneCoclustering(3, 3).fit(
        pd.DataFrame(data, rng.permutation(120).astype(str), words)
    )


@cache
def ratings():
    """Ratings of which 89 % are missing."""
    rng = np.random.default_rng(1)
    taste, kind = rng.integers(0, 2, 200), rng.integers(0, 2, 120)
    data = np.where(taste[:, None] == kind, 5.0, 1.0)
    data[rng.random(data.shape) < 0.89] = np.nan
    data[:, 0], data[0] = np.where(taste == kind[0], 5.0, 1.0), np.where(kind == taste[0], 5.0, 1.0)
    return RankOneCoclustering(2, 2).fit(pd.DataFrame(data))


@cache
def graph():
    """A graph, whose rows are its columns."""
    import networkx

    groups = networkx.planted_partition_graph(3, 15, 0.8, 0.1, seed=0)
    return RankOneCoclustering(symmetric=True).fit(networkx.to_numpy_array(groups))


@cache
def rows_only():
    return RankOneClustering(prepare=Prepare(standardise="columns")).fit(wine_frame())


@cache
def tree(axis):
    return RankOneTree(axis=axis, prepare=Prepare(standardise="columns")).fit(wine_frame())
