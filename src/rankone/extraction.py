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

#: Means whose variance is at most this multiple of that of noise carry no information.
UNINFORMATIVE = 2.0


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one side, and how they were obtained.

    Attributes
    ----------
    values : ndarray
    method : VectorMethod
    weights : pair of ndarray or None
        The weights that give scores to new rows; see `VectorMethod.weights`.
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
    """A method, and the vectors that it extracted, in canonical order."""

    method: VectorMethod
    vectors: Vectors
    canonical: Canonical

    def scores(self, axis: int) -> Scores:
        """Return the scores along an axis of the given matrix: rows (0) or columns (1)."""
        vectors = self.vectors
        scores = self.canonical.back(vectors.row, vectors.column)
        weights = self.method.weights(scores[1 - axis], vectors)
        return Scores(scores[axis], self.method, weights, vectors.n_iter, vectors.converged)


def extract(
    canonical: Canonical,
    methods: tuple[VectorMethod | None, VectorMethod | None],
    callback: Callback,
) -> tuple[Extracted, Extracted]:
    """Extract the vectors of rows and of columns; once, if both sides share one method.

    Methods that the user chose see the matrix as it was given, because their messages name its
    rows.
    """
    chosen = automatic(canonical, callback) if None in methods else None
    done: dict[int, Extracted] = {}
    result = []
    for axis, method in enumerate(methods):
        if method is None:
            assert chosen is not None
            result.append(chosen[axis])
        else:
            if id(method) not in done:
                vectors = method.extract(canonical.given, callback=callback)
                row, column = canonical.there(vectors.row, vectors.column)
                vectors = replace(vectors, row=row, column=column)
                done[id(method)] = Extracted(method, vectors, canonical)
            result.append(done[id(method)])
    return result[0], result[1]


def automatic(canonical: Canonical, callback: Callback) -> tuple[Extracted, Extracted]:
    """Choose a method for rows and for columns, and extract their vectors.

    The rank-one factors if no entry is negative and all their scores can be compared. Otherwise the
    means, and on a side where these vary no more than noise does, the leading singular pair.
    """
    matrix = canonical.matrix

    def extracted_by(method: VectorMethod) -> Extracted:
        return Extracted(method, method.extract(matrix, callback=callback), canonical)

    if not matrix.totals.has_negative and _comparable(matrix):
        factors = extracted_by(NMF())
        return factors, factors
    means = extracted_by(Marginal())
    joined = not matrix.n_missing or matrix.observed.n_components() == 1
    uninformative = [
        joined and _is_noise(oriented, scores)
        for oriented, scores in ((matrix, means.vectors.row), (matrix.T, means.vectors.column))
    ]
    if not any(uninformative):
        return means, means
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # not used unless it converges
        pair = extracted_by(SVD(max_iter=300))
    assert isinstance(pair.vectors, SVDVectors)
    usable = pair.vectors.singular_value > 0 and pair.vectors.converged
    rows, columns = (pair if replaced and usable else means for replaced in uninformative)
    return canonical.sides((rows, columns))


def _comparable(matrix: Matrix) -> bool:
    """Say whether all scores of the rank-one factors can be compared."""
    return not matrix.n_missing or comparable_groups(matrix).n_groups <= 1


def _is_noise(matrix: Matrix, means: FloatArray) -> bool:
    """Say whether the means of rows vary no more than noise does."""
    if means.size == 1:
        return False
    noise = entry_noise(matrix, means) / matrix.totals.row_counts
    return bool(means.var() <= UNINFORMATIVE * noise.mean())


class Noise:
    """The variance of scores that is due to noise, computed when it is first needed."""

    def __init__(
        self, canonical: Canonical, extracted: tuple[Extracted, Extracted], random_state: Any
    ):
        self.canonical, self.extracted, self.random_state = canonical, extracted, random_state
        self._computed: dict[int, tuple[FloatArray, FloatArray]] = {}

    def of(self, axis: int) -> FloatArray:
        """Return the noise of each score along an axis: rows (0) or columns (1)."""
        source = self.extracted[axis]
        if id(source) not in self._computed:
            noise = score_noise(
                self.canonical.matrix, source.method, source.vectors, self.random_state
            )
            self._computed[id(source)] = self.canonical.back(*noise)
        return self._computed[id(source)][axis]
