r"""The noise of scores, estimated from the matrix itself.

Rows next to each other in the order of their scores mostly belong to one cluster, so that half
their mean squared difference estimates the noise variance of an entry; the median over many pairs
is robust against pairs that do not. A score that is a weighted mean of its row, :math:`u_i =
(A g)_i / (M h)_i`, then has the variance :math:`\sigma_i^2 (M g^2)_i / (M h)_i^2`. If entries are
missing, a row is also a sample of columns, and the variance that its score leaves unexplained adds
to its noise. For scores of other kinds, the vectors are extracted again after a little noise is
added to the matrix, and their change is scaled up to the actual noise.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.ndimage import median_filter
from sklearn.utils import check_random_state

from rankone._arithmetic import ratio
from rankone.matrix import Matrix, as_matrix
from rankone.typing import FloatArray
from rankone.vectors import VectorMethod, Vectors

#: The number of pairs of neighbours that are compared, and the window of the running median.
PAIRS, WINDOW = 256, 63

#: How often a matrix is perturbed, and by what share of its noise: a small one, so that the scores
#: change in proportion and few entries change their sign.
DRAWS, STEP = 3, 0.1


def score_noise(
    matrix: Matrix, method: VectorMethod, vectors: Vectors, random_state: Any = None
) -> tuple[FloatArray, FloatArray]:
    """Return the variance of each row score and each column score due to the noise of the entries.

    Parameters
    ----------
    matrix : Matrix
        The matrix.
    method : VectorMethod
        The method that extracted the vectors.
    vectors : Vectors
        What it extracted from the matrix.
    random_state : int, RandomState or None
        Seed for the perturbations, for methods that need them.

    Returns
    -------
    row_noise : ndarray of shape (m,)
        The variance of each row score.
    column_noise : ndarray of shape (n,)
        The variance of each column score.

    Examples
    --------
    >>> from rankone import Marginal
    >>> A = np.random.default_rng(0).normal(size=(400, 100))
    >>> row_noise, _ = score_noise(as_matrix(A), Marginal(), Marginal().extract(A))
    >>> bool(0.009 < row_noise.mean() < 0.011)  # 1 / 100
    True
    """
    row = _in_closed_form(matrix, method, vectors.row, vectors.column, vectors)
    column = _in_closed_form(matrix.T, method, vectors.column, vectors.row, vectors)
    if row is None or column is None:
        return _by_perturbation(matrix, method, vectors, check_random_state(random_state))
    return row, column


def entry_noise(matrix: Matrix, scores: FloatArray) -> FloatArray:
    """Return the noise variance of the entries of each row, from neighbours in score order."""
    m = scores.size
    if m == 1:
        return np.zeros(1)
    order = np.argsort(scores, kind="stable")
    places = np.unique(np.linspace(0, m - 2, min(m - 1, PAIRS)).astype(np.int64))
    sums, counts = matrix.row_differences(order[places], order[places + 1])
    places, sums, counts = places[counts > 0], sums[counts > 0], counts[counts > 0]
    if not places.size:  # no two rows have entries in common
        t = matrix.totals
        means = t.rows / t.row_counts
        spread = matrix.census.squares - float(means**2 @ t.row_counts)
        return np.full(m, max(spread, 0.0) / max(t.row_counts.sum() - m, 1.0))
    # The ratio of the median to the mean of a chi-squared variable with c degrees of freedom.
    halves = sums / (2.0 * counts * (1.0 - 2.0 / (9.0 * counts)) ** 3)
    if halves.size > WINDOW:
        halves = median_filter(halves, WINDOW, mode="nearest")
    else:
        halves = np.full(halves.size, np.median(halves))
    noise = np.empty(m)
    noise[order] = np.interp(np.arange(m), places + 0.5, halves)
    return noise


def _in_closed_form(
    matrix: Matrix, method: VectorMethod, scores: FloatArray, other: FloatArray, vectors: Vectors
) -> FloatArray | None:
    weights = method.weights(other, vectors)
    if weights is None:
        return None
    above, below = weights
    noise = entry_noise(matrix, scores)
    if matrix.n_missing:
        # Each row is a sample of the columns: what the scores do not explain becomes noise.
        share = matrix.totals.row_counts / matrix.shape[1]
        noise = share * noise + (1 - share) * _unexplained(matrix, scores, above, below)
    noise = noise * (matrix.observed @ above**2)
    size = (matrix.observed @ below) ** 2
    return ratio(noise, size)


def _unexplained(
    matrix: Matrix, scores: FloatArray, above: FloatArray, below: FloatArray
) -> FloatArray:
    """Return the mean squared difference of the entries of each row from its score's model."""
    model = ratio(below, above)
    squares = matrix.census.row_squares - 2 * scores * (matrix @ model)
    squares += scores**2 * (matrix.observed @ model**2)
    return np.asarray(np.maximum(squares, 0.0) / matrix.totals.row_counts)


def _by_perturbation(
    matrix: Matrix, method: VectorMethod, vectors: Vectors, random: np.random.RandomState
) -> tuple[FloatArray, FloatArray]:
    noise = entry_noise(matrix, vectors.row)
    moved = np.zeros(2)
    for _ in range(DRAWS):
        shaken = _perturbed(matrix, STEP * np.sqrt(noise), method.capabilities.joint, random)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # given already for the matrix itself
            again = method.extract(shaken)
        moved += [_moved(vectors.row, again.row), _moved(vectors.column, again.column)]
    row, column = moved / (DRAWS * STEP**2)
    return np.full(matrix.shape[0], row), np.full(matrix.shape[1], column)


def _moved(before: FloatArray, after: FloatArray) -> float:
    """Return the mean squared change of a vector whose sign and scale are arbitrary."""
    size = float(after @ after)
    return float(np.mean((before - after * (float(before @ after) / size if size else 0.0)) ** 2))


def _perturbed(
    matrix: Matrix, deviation: FloatArray, symmetric: bool, random: np.random.RandomState
) -> Matrix:
    """Add noise with one standard deviation per row; entries that are not negative stay so.

    In a sparse matrix only stored entries change, each in proportion to itself, such that the sum
    of a row varies by as much as if all entries changed.
    """
    values, keep_positive = matrix.values(), not matrix.totals.has_negative
    if isinstance(values, np.ndarray):
        shaken = random.standard_normal(values.shape)
        shaken = (shaken + shaken.T) / np.sqrt(2) if symmetric and _square(values) else shaken
        shaken = values + deviation[:, None] * shaken
        return as_matrix(np.maximum(shaken, 0.0) if keep_positive else shaken)
    shaken = values.astype(np.float64)
    absent = matrix.n_missing > 0  # of a sparse matrix, only absent entries are missing
    lengths = np.diff(shaken.indptr)
    squares = np.add.reduceat(np.append(shaken.data**2, 0.0), shaken.indptr[:-1]) * (lengths > 0)
    entries = lengths if absent else np.full(lengths.size, shaken.shape[1])
    share = deviation * np.sqrt(ratio(entries, squares))
    factors = 1.0 + np.repeat(share, lengths) * random.standard_normal(shaken.nnz)
    shaken.data *= np.maximum(factors, 0.0) if keep_positive else factors
    return as_matrix(shaken, "absent" if absent else "nan")


def _square(values: Any) -> bool:
    return bool(values.shape[0] == values.shape[1])
