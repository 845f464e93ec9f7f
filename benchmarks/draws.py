"""Random matrices with known groups, and the figures of the methods that are compared on them.

A draw is a function of a name, the noise and a seed; ``averages`` is the mean over seeds.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.cluster import KMeans, SpectralBiclustering, SpectralCoclustering
from sklearn.metrics import normalized_mutual_info_score as nmi
from threadpoolctl import threadpool_limits

from rankone import Fiedler, Marginal, PageRank, RankOneCoclustering, sorted_potts_path
from rankone.datasets import Blocks, make_counts, make_paper
from rankone.matrix import as_matrix
from rankone.metrics import coclustering_error
from rankone.refinement.families import Gaussian
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import climb
from rankone.selection import choose, score_noise
from rankone.typing import FloatArray

VECTORS = {
    "marginal": Marginal(),
    "fiedler": Fiedler(),
    "fiedler-ds": Fiedler(doubly_stochastic=True),
    "pagerank": PageRank(walk="two-step"),
}

Figures = dict[str, FloatArray]


def scores(blocks: Blocks, rows: Any, columns: Any) -> FloatArray:
    """Return the NMI of rows and columns, the error, and whether both numbers are correct."""
    truth = blocks.row_labels, blocks.column_labels
    right = all(
        np.unique(labels).size == np.unique(true).size
        for labels, true in zip((rows, columns), truth, strict=True)
    )
    error = coclustering_error(*truth, rows, columns)
    return np.array([nmi(truth[0], rows), nmi(truth[1], columns), error, right])


def fit_scores(blocks: Blocks, data: FloatArray, **parameters: Any) -> FloatArray:
    """Fit a learner and return its scores."""
    model = RankOneCoclustering(**parameters).fit(data)
    return scores(blocks, model.row_labels_, model.column_labels_)


def true_numbers(blocks: Blocks) -> tuple[int, int]:
    """Return the true numbers of groups of rows and columns."""
    return np.unique(blocks.row_labels).size, np.unique(blocks.column_labels).size


def plain_draw(name: str, noise: float, seed: int) -> Figures:
    """Compare selection rules without refinement, for several vector methods.

    The result is that of learners with ``refine=False``, but vectors are extracted only once.
    """
    blocks = make_paper(name, noise, random_state=seed)
    result = {}
    for name_, method in VECTORS.items():
        shift = min(blocks.data.min(), 0.0) if not method.capabilities.negative else 0.0
        matrix = as_matrix(blocks.data - shift)
        vectors = method.extract(matrix)
        variances = score_noise(matrix, method, vectors, 0)
        paths = [sorted_potts_path(u, max_clusters=20) for u in (vectors.row, vectors.column)]
        numbers = {"true": list(true_numbers(blocks))}
        for selection in ("noise-strict", "noise", "silhouette"):
            numbers[selection] = [
                choose(path, selection, partial(np.asarray, variance)).n_clusters
                for path, variance in zip(paths, variances, strict=True)
            ]
        for rule, (k, number) in numbers.items():
            labels = paths[0].at(n_clusters=k).labels, paths[1].at(n_clusters=number).labels
            result[f"{name_} {rule}"] = scores(blocks, *labels)
    return result


def refined_draw(name: str, noise: float, seed: int) -> Figures:
    """Compare the default learner with methods that are given the numbers of clusters."""
    blocks = make_paper(name, noise, random_state=seed)
    data, (k, number) = blocks.data, true_numbers(blocks)
    model = RankOneCoclustering().fit(data)
    block_model = BlockModel.of(as_matrix(data), Gaussian)
    truth = [
        np.unique(side, return_inverse=True)[1]
        for side in (blocks.row_labels, blocks.column_labels)
    ]
    best = climb(block_model, block_model.state(truth[0], truth[1]), (1, 1), 100).state
    ours = block_model.state(model.row_labels_, model.column_labels_).criterion
    found = np.array([ours >= best.criterion - 1e-9 * abs(best.criterion)], float)
    result = {
        "refined": scores(blocks, model.row_labels_, model.column_labels_),
        "ceiling": scores(blocks, best.rows, best.columns),
        "found": found,
    }
    rows = KMeans(k, n_init=10, random_state=seed).fit(data).labels_
    columns = KMeans(number, n_init=10, random_state=seed).fit(data.T).labels_
    result["k-means"] = scores(blocks, rows, columns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spectral = SpectralBiclustering((k, number), random_state=seed).fit(data)
        result["biclustering"] = scores(blocks, spectral.row_labels_, spectral.column_labels_)
        positive = data - min(data.min(), 0.0) + 1e-9
        both = [SpectralCoclustering(c, random_state=seed).fit(positive) for c in (k, number)]
        result["coclustering"] = scores(blocks, both[0].row_labels_, both[1].column_labels_)
    return result


def noise_draw(what: str, _: float, seed: int) -> Figures:
    """Fit a matrix without structure."""
    random = np.random.RandomState(seed)
    matrices: dict[str, Callable[[], FloatArray]] = {
        "Gaussian 600 x 300": lambda: random.standard_normal((600, 300)),
        "Gaussian 60 x 40": lambda: random.standard_normal((60, 40)),
        "Gaussian 300 x 300, half missing": lambda: np.where(
            random.uniform(size=(300, 300)) < 0.5, np.nan, random.standard_normal((300, 300))
        ),
        "Poisson(5) 300 x 200": lambda: random.poisson(5.0, (300, 200)).astype(float),
        "Poisson of rank one, margins exp N(0, 1/4)": lambda: (
            make_counts((300, 200), [[1.0]], mean=5, spread=0.5, random_state=seed).data
        ),
        "Poisson of rank one, margins exp N(0, 1)": lambda: (
            make_counts((300, 200), [[1.0]], mean=5, spread=1.0, random_state=seed).data
        ),
        "negative binomial of rank one": lambda: random.negative_binomial(
            1, 1 / (1 + 3 * np.exp(0.5 * random.standard_normal((300, 1))) * np.ones(200))
        ).astype(float),
    }
    data = matrices[what]()
    result = {}
    for key, refine in (("refined", True), ("plain", False)):
        model = RankOneCoclustering(refine=refine).fit(data)
        result[key] = np.array([model.n_row_clusters_ == 1, model.n_column_clusters_ == 1], float)
    return result


WITHOUT_STRUCTURE = (
    "Gaussian 600 x 300",
    "Gaussian 60 x 40",
    "Gaussian 300 x 300, half missing",
    "Poisson(5) 300 x 200",
    "Poisson of rank one, margins exp N(0, 1/4)",
    "Poisson of rank one, margins exp N(0, 1)",
    "negative binomial of rank one",
)


def missing_draw(name: str, _: float, seed: int) -> Figures:
    """Compare complete matrices (s = 0.5) with half-observed ones, at random or by column."""
    complete = make_paper(name, 0.5, random_state=seed)
    n = complete.data.shape[1]
    by_column = np.random.RandomState(seed).uniform(0.1, 0.9, n)
    kinds = {
        "complete": complete,
        "half": make_paper(name, 0.5, missing=0.5, random_state=seed),
        "columns": make_paper(name, 0.5, missing=by_column, random_state=seed),
    }
    result = {}
    for kind, blocks in kinds.items():
        positive = np.where(blocks.data < 0, 0.0, blocks.data)
        result[f"{kind} nmf"] = fit_scores(blocks, positive, vectors="nmf", refine=False)
        result[f"{kind} marginal"] = fit_scores(
            blocks, blocks.data, vectors="marginal", refine=False
        )
        result[f"{kind} refined"] = fit_scores(blocks, blocks.data)
    return result


Draw = Callable[[str, float, int], Figures]


def averages(draw: Draw, name: str, noise: float, n_draws: int) -> Figures:
    """Return the mean figures over draws."""
    print(f"{draw.__name__} {name} {noise:g}", file=sys.stderr, flush=True)
    results = Parallel(n_jobs=2)(delayed(_one)(draw, name, noise, s) for s in range(n_draws))
    return {key: np.mean([result[key] for result in results], axis=0) for key in results[0]}


def _one(draw: Draw, name: str, noise: float, seed: int) -> Figures:
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return draw(name, noise, seed)
