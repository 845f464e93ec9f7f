"""How many groups: as many as replicate.

The columns are cut at random into two halves, and the rows are divided by each half on its own. In
either half rows count differently, with random weights (the Bayesian bootstrap: Rubin 1981), so
that groups must survive both other columns and another sample of rows: where rows are few and
columns are many, halves of the columns alone agree on every detail of the rows that happen to be
there. For every number k of groups, two things are compared: the mutual information of both
partitions less what chance gives, I(k) - E[I(k)], which grows with detail, and their adjusted Rand
index, which falls where detail is noise. The mean of their product says how many groups the data
support: the smallest number that is not worse than the best by more than two standard errors; and
one group, if labels in random orders do as well (a permutation test over all numbers at once).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rankone._agreement import adjusted_rand, agree_by_chance, compare
from rankone._threads import THREADS
from rankone.matrix import Matrix, submatrix
from rankone.matrix.tiles import ALL, Index
from rankone.progress import Callback, silent
from rankone.tree.partitions import MOST_VIEWS, partitions
from rankone.typing import BoolArray, FloatArray, IntArray
from rankone.views import Views, view

__all__ = ["Replication", "replicate"]

#: How often the columns are cut into halves, and how often rows are weighted anew for each cut.
CUTS, WEIGHTINGS = 4, 2

#: Standard errors by which a smaller number may be worse than the best.
ERRORS = 2.0

#: Random orders that labels are put into, each the same for all comparisons: a level of 1 / 100.
ORDERS = 99

#: Rows that are compared, and entries that they have in all; larger matrices are sampled.
MOST_ROWS, MOST_ENTRIES = 2048, 2**22

#: What is clear has this multiple of the score of chance: twice its information and agreement.
CLEARLY = 4.0


@dataclass(frozen=True, eq=False)
class Replication:
    """What partitions by two halves of the columns have in common.

    Attributes
    ----------
    numbers : ndarray of shape (k,)
        The numbers of groups, from 2.
    information : ndarray of shape (comparisons, k)
        Mutual information less its expectation, in nats.
    agreement : ndarray of shape (comparisons, k)
        Adjusted Rand indices.
    chance : float
        The largest score that labels in random orders reach.
    halves : sequence of pairs of Views
        The views of both halves of each cut.
    rows : ndarray
        The rows that were compared.
    """

    numbers: IntArray
    information: FloatArray
    agreement: FloatArray
    chance: float
    halves: Sequence[tuple[Views, Views]]
    rows: IntArray

    @property
    def products(self) -> FloatArray:
        """The information times the agreement of each comparison and number."""
        return np.maximum(self.information, 0.0) * np.maximum(self.agreement, 0.0)

    @property
    def scores(self) -> FloatArray:
        """The mean of the products: what is maximised."""
        return np.asarray(self.products.mean(axis=0))

    @property
    def is_clear(self) -> bool:
        """Whether groups replicate far better than any labels in random orders."""
        return self.number > 1 and bool(self.scores.max() > CLEARLY * self.chance)

    @property
    def number(self) -> int:
        """The number of groups that replicate; 1 if none do."""
        if not self.numbers.size or not self.scores.max() > self.chance:
            return 1
        supported = (self.scores > self.chance) & (self.scores >= self.threshold)
        return int(self.numbers[supported.argmax()])

    @property
    def threshold(self) -> float:
        """The best score less two standard errors: the first number that reaches it is taken."""
        scores = self.scores
        products = self.products[:, scores.argmax()]
        error = ERRORS * float(products.std(ddof=1)) / np.sqrt(products.size)
        return float(scores.max()) - error

    def of_split(self, inside: BoolArray, number: int = 2) -> float:
        """Return the agreement of halves on how to divide some rows into groups.

        Parameters
        ----------
        inside : ndarray of bool
            Which of all rows belong to the node.
        number : int
            The number of groups. Of three groups, halves may well agree, but not on which of them
            to cut off first.
        """
        members = np.flatnonzero(inside[self.rows])
        if members.size < 2 or not self.halves:
            return 0.0
        agreements = []
        for pair in self.halves:
            labels = [_within(half, members, number) for half in pair]
            agreements.append(adjusted_rand(*labels))
        return float(np.mean(agreements))


def replicate(matrix: Matrix, most: int, callback: Callback = silent) -> Replication:
    """Divide the rows of a matrix by halves of its columns, into 2 to so many groups."""
    matrix, rows = _sample(matrix)
    n = matrix.shape[1]
    most = min(most, rows.size // 2)
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(rows.size), (ORDERS, 1)), axis=1)

    def halved(cut: int) -> Halved:
        return _halved(matrix, cut, most, orders)

    cuts = []
    for done in THREADS.map(halved, range(CUTS if n > 1 and most > 1 else 0)):
        cuts.append(done)
        callback(len(cuts), np.nan)
    comparisons = [of_numbers for cut in cuts for of_numbers in cut.comparisons]
    common = min((len(of_numbers) for of_numbers in comparisons), default=0)
    table = np.array([of_numbers[:common] for of_numbers in comparisons])
    table = table.reshape(len(comparisons), common, 2 + ORDERS)
    chance = float(table[..., 2:].mean(axis=0).max(initial=0.0)) if comparisons else 0.0
    numbers, halves = np.arange(2, common + 2), [cut.pair for cut in cuts]
    return Replication(numbers, table[..., 0], table[..., 1], chance, halves, rows)


def _sample(matrix: Matrix) -> tuple[Matrix, IntArray]:
    """Return as many rows, and columns, of a matrix as are compared, in memory; and which rows."""
    m, n = matrix.shape
    random = np.random.default_rng(0)
    rows = np.sort(random.choice(m, MOST_ROWS, replace=False)) if m > MOST_ROWS else np.arange(m)
    share = MOST_ENTRIES * m / max(rows.size * matrix.n_stored, 1)
    columns: Index = ALL
    if share < 1.0:
        columns = np.sort(random.choice(n, max(2, int(share * n)), replace=False))
    if rows.size == m and share >= 1.0:
        return matrix, rows
    return submatrix(matrix, rows, columns), rows


class Halved(NamedTuple):
    """A cut of the columns into halves.

    Attributes
    ----------
    pair : pair of Views
        Of both halves.
    comparisons : list
        For each weighting of the rows, those of partitions into 2, 3, ... groups; see `_compared`.
    """

    pair: tuple[Views, Views]
    comparisons: list[list[FloatArray]]


def _halved(matrix: Matrix, cut: int, most: int, orders: IntArray) -> Halved:
    """Cut the columns into halves, divide the rows by each, and compare."""
    m, n = matrix.shape
    random = np.random.default_rng(cut)
    order = random.permutation(n)
    pair = _view(matrix, order[: n // 2]), _view(matrix, order[n // 2 :])
    comparisons = []
    for _ in range(WEIGHTINGS):
        labels = [partitions(half, most, random.exponential(size=m)) for half in pair]
        both = list(zip(*labels, strict=False))[1:]
        comparisons.append([_compared(first, second, orders) for first, second in both])
    return Halved(pair, comparisons)


def _compared(first: IntArray, second: IntArray, orders: IntArray) -> FloatArray:
    """Return information, agreement, and their products if labels are put in random orders."""
    information, agreement, expected = compare(first, second)
    by_chance = agree_by_chance(first, second, orders, expected)
    return np.concatenate([[information, agreement], by_chance])


def _view(matrix: Matrix, columns: IntArray) -> Views:
    """Return the views of some columns."""
    return view(submatrix(matrix, ALL, np.sort(columns)), MOST_VIEWS, new_rows=False)


def _within(views: Views, members: IntArray, number: int) -> IntArray:
    """Divide some rows into groups by the views of a half."""
    return partitions(replace(views, scores=views.scores[members]), number)[-1]
