"""The figures of all draws, by cell: a data set at a level of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rankone.datasets import PAPER
from rankone.typing import FloatArray

Cell = tuple[str, float]

DATA = tuple(PAPER)

#: The standard deviations of added noise. The paper does not publish its own.
NOISE = (0.0, 0.5, 0.7, 1.0, 2.0, 3.0)

#: The level that stands for the paper's noisy data where only one is shown: white noise of unit
#: variance.
UNIT = 1.0

ALL_CELLS: tuple[Cell, ...] = tuple((data, noise) for data in DATA for noise in NOISE)
NOISY_CELLS = tuple((data, noise) for data, noise in ALL_CELLS if noise)


class Cells:
    """The figures of all draws of a set of cells.

    Parameters
    ----------
    draws : mapping from (data, noise) to a list of figures
        One mapping from names to figures per draw, in the order of seeds.

    Examples
    --------
    >>> cells = Cells({("D1", 0.0): [{"NMI": 1.0}, {"NMI": 0.5}]})
    >>> cells.values(("D1", 0.0), "NMI"), cells.mean(("D1", 0.0), "NMI")
    (array([1. , 0.5]), 0.75)
    """

    def __init__(self, draws: Mapping[Cell, Sequence[Mapping[str, float]]]):
        self.draws = draws

    @property
    def n_draws(self) -> int:
        """The number of draws of each cell."""
        return len(next(iter(self.draws.values())))

    def values(self, cell: Cell, name: str) -> FloatArray:
        """Return a figure of all draws of a cell."""
        return np.array([figures[name] for figures in self.draws[cell]])

    def mean(self, cell: Cell, name: str) -> float:
        """Return the mean of a figure over the draws of a cell."""
        return float(self.values(cell, name).mean())

    def overall(self, cells: Sequence[Cell], name: str) -> float:
        """Return the mean of a figure over several cells."""
        return float(np.mean([self.mean(cell, name) for cell in cells]))

    def compare(self, cell: Cell, first: str, second: str) -> int:
        """Return 1 if the first figure is larger than the second, -1 if it is smaller, or else 0.

        The two are equal if their mean difference on the same draws is at most 0.001 or at most
        two standard errors.
        """
        difference = self.values(cell, first) - self.values(cell, second)
        error = difference.std(ddof=1) / difference.size**0.5 if difference.size > 1 else 0.0
        mean = float(difference.mean())
        return 0 if abs(mean) <= max(2.0 * error, 1e-3) else int(np.sign(mean))


class Tally:
    """Count how often one method was better than another, as good, or worse.

    Examples
    --------
    >>> str(Tally([1, 1, 0, -1]))
    'better in 2, as good in 1, worse in 1 of 4'
    """

    def __init__(self, signs: Sequence[int]):
        self.better = sum(sign > 0 for sign in signs)
        self.worse = sum(sign < 0 for sign in signs)
        self.total = len(signs)

    @property
    def equal(self) -> int:
        """The number of comparisons in which neither was better."""
        return self.total - self.better - self.worse

    def __str__(self) -> str:
        """Return the counts in words."""
        return (
            f"better in {self.better}, as good in {self.equal}, worse in {self.worse} "
            f"of {self.total}"
        )
