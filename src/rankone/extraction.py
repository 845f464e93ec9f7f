"""Step 1 of a learner: scores of rows and columns, where they come from, and their noise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from rankone.matrix import Matrix, comparable_groups
from rankone.matrix.canonical import Canonical
from rankone.selection import score_noise
from rankone.selection.noise import entry_noise
from rankone.typing import FloatArray
from rankone.vectors import NMF, SVD, Marginal, VectorMethod, Vectors
from rankone.vectors.svd import SVDVectors

Callback = Callable[[int, float], None]

#: Means whose variance is no more than this many times that of noise say nothing.
SILENT = 2.0


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one side, and where they come from.

    Attributes
    ----------
    values : ndarray
    method : VectorMethod
    weights : pair of ndarray or None
        What makes scores of new rows; see `VectorMethod.weights`.
    n_iter : int
    converged : bool
    """

    values: FloatArray
    method: VectorMethod
    weights: tuple[FloatArray, FloatArray] | None
    n_iter: int
    converged: bool


@dataclass(frozen=True, eq=False)
class Extracted:
    """A method, and the vectors of the matrix in canonical order, which they may hold on to."""

    method: VectorMethod
    vectors: Vectors
    canonical: Canonical

    def scores(self, side: int) -> Scores:
        """Return the scores of rows (0) or of columns (1) of the matrix that was given."""
        found = self.vectors
        given = self.canonical.back(found.row, found.column)
        weights = self.method.weights(given[1 - side], found)
        return Scores(given[side], self.method, weights, found.n_iter, found.converged)


def extract(
    canonical: Canonical,
    methods: tuple[VectorMethod | None, VectorMethod | None],
    callback: Callback,
) -> tuple[Extracted, Extracted]:
    """Extract vectors for rows and for columns; at once, if one method serves both.

    Methods that were asked for see the matrix as it was given: their messages name its rows.
    """
    chosen = automatic(canonical, callback) if None in methods else None
    done: dict[int, Extracted] = {}
    result = []
    for side, method in enumerate(methods):
        if method is None:
            assert chosen is not None
            result.append(chosen[side])
        else:
            if id(method) not in done:
                found = method.extract(canonical.given, callback=callback)
                row, column = canonical.there(found.row, found.column)
                found = replace(found, row=row, column=column)
                done[id(method)] = Extracted(method, found, canonical)
            result.append(done[id(method)])
    return result[0], result[1]


def automatic(canonical: Canonical, callback: Callback) -> tuple[Extracted, Extracted]:
    """Choose a method for rows and for columns, and extract their vectors.

    Of a matrix without negative entries the rank-one factors, unless some of their scores could not
    be compared. Otherwise the means; and on a side where these vary no more than noise lets them,
    the leading singular pair.
    """
    matrix = canonical.matrix

    def extracted_by(method: VectorMethod) -> Extracted:
        return Extracted(method, method.extract(matrix, callback=callback), canonical)

    if not matrix.totals.has_negative and _comparable(matrix):
        factors = extracted_by(NMF())
        return factors, factors
    means = extracted_by(Marginal())
    joined = not matrix.n_missing or matrix.observed.n_components() == 1
    silent = [
        joined and _says_nothing(seen, scores)
        for seen, scores in ((matrix, means.vectors.row), (matrix.T, means.vectors.column))
    ]
    if not any(silent):
        return means, means
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # then it is not used
        pair = extracted_by(SVD(max_iter=300))
    assert isinstance(pair.vectors, SVDVectors)
    speaks = pair.vectors.singular_value > 0 and pair.vectors.converged
    rows, columns = (pair if side and speaks else means for side in silent)
    return canonical.sides((rows, columns))


def _comparable(matrix: Matrix) -> bool:
    """Say whether all scores of the rank-one factors can be compared."""
    return not matrix.n_missing or comparable_groups(matrix).n_groups <= 1


def _says_nothing(matrix: Matrix, means: FloatArray) -> bool:
    if means.size == 1:
        return False
    noise = entry_noise(matrix, means) / matrix.totals.row_counts
    return bool(means.var() <= SILENT * noise.mean())


class Noise:
    """The variance of scores by noise, found once it is asked for."""

    def __init__(
        self, canonical: Canonical, extracted: tuple[Extracted, Extracted], random_state: Any
    ):
        self.canonical, self.extracted, self.random_state = canonical, extracted, random_state
        self._found: dict[int, tuple[FloatArray, FloatArray]] = {}

    def of(self, side: int) -> FloatArray:
        """Return the noise of each score of a side."""
        source = self.extracted[side]
        if id(source) not in self._found:
            noise = score_noise(
                self.canonical.matrix, source.method, source.vectors, self.random_state
            )
            self._found[id(source)] = self.canonical.back(*noise)
        return self._found[id(source)][side]
