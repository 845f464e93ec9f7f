r"""What sets clusters of rows apart: the columns that are high in them, and those that are low.

Where zero means absence, a column stands out by its *lift*, its sum in the cluster relative to the
sum that the margins lead one to expect; columns are ordered by the mean of the cluster in the
matrix less its margins, as the views see it (`rankone.views.margins`), in which neither rare
columns nor bursts dominate. Otherwise a column stands out by its *standardised difference*, and
columns are ordered by that difference in standard errors:

.. math:: \text{lift}_{gj} = \frac{\sum_{i \in g} a_{ij}}{\sum_{i \in g} r_i c_j / N}, \qquad
          d_{gj} = \frac{\bar a_{gj} - \bar a_j}{s_j}

where r, c and N are the sums of rows and columns and their total, and :math:`s_j` is the standard
deviation of column j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix, submatrix
from rankone.matrix.tiles import ALL
from rankone.typing import BoolArray, FloatArray, IntArray
from rankone.views.margins import Margins, fitted_sums
from rankone.wording import count, shown

__all__ = ["ClusterExplanation", "ClustersExplanation", "Contrast", "Contrasts", "SideExplanation"]

#: Columns are mentioned if they stand out by this lift (or its inverse), or difference, at least,
LEAST_LIFT, LEAST_DIFFERENCE = 1.25, 0.3

#: and if they are at least this share as strong as the strongest one.
LEAST_SHARE = 1 / 3

#: Entries from which standard deviations are computed; larger matrices are sampled.
MOST_ENTRIES = 2**22


@dataclass(frozen=True)
class Contrast:
    """A column that sets a cluster apart.

    Attributes
    ----------
    name : str
        The name of the column.
    index : int
        Its number.
    effect : float
        Its lift, where zero means absence; otherwise its difference in standard deviations.
    """

    name: str
    index: int
    effect: float


@dataclass(frozen=True)
class ClusterExplanation:
    """What sets a cluster apart.

    Attributes
    ----------
    label : int
        The number of the cluster.
    size : int
        How many rows, or columns, it has.
    high, low : tuple of Contrast
        The columns that are high, and low, in the cluster; the clearest first.
    thing : str
        What is clustered: a row or a column.

    Examples
    --------
    >>> acid, hue = Contrast("malic_acid", 1, 0.9), Contrast("hue", 10, -1.2)
    >>> print(ClusterExplanation(2, 54, (acid,), (hue,), "wine"))
    Cluster 2, 54 wines: high malic_acid; low hue.
    """

    label: int
    size: int
    high: tuple[Contrast, ...]
    low: tuple[Contrast, ...]
    thing: str = "row"

    @property
    def words(self) -> str:
        """The columns that set it apart."""
        parts = [
            f"{how} {', '.join(shown(contrast.name, 30) for contrast in contrasts)}"
            for how, contrasts in (("high", self.high), ("low", self.low))
            if contrasts
        ]
        return "; ".join(parts) or "nothing stands out"

    def __str__(self) -> str:
        """Put the cluster into a sentence."""
        return f"Cluster {self.label}, {count(self.size, self.thing)}: {self.words}."


@dataclass(frozen=True)
class SideExplanation:
    """What sets the clusters of one side apart.

    Attributes
    ----------
    clusters : tuple of ClusterExplanation
        What sets each of them apart, in the order of their labels.
    """

    clusters: tuple[ClusterExplanation, ...]

    def __str__(self) -> str:
        """Put each cluster into a sentence."""
        return "\n".join(map(str, self.clusters))


@dataclass(frozen=True)
class ClustersExplanation:
    """What sets the clusters of a matrix apart.

    Attributes
    ----------
    rows : SideExplanation
        The clusters of rows.
    columns : SideExplanation or None
        The clusters of columns; None if columns were not clustered.
    """

    rows: SideExplanation
    columns: SideExplanation | None = None

    def __str__(self) -> str:
        """Put each cluster into a sentence, those of rows first."""
        return str(self.rows) if self.columns is None else f"{self.rows}\n\n{self.columns}"


@dataclass(frozen=True, eq=False)
class Contrasts:
    """How groups of rows differ from all rows, column by column.

    All arrays have one row for each group, and one column for each column of the matrix; sums of
    groups are those of their union.

    Attributes
    ----------
    sizes : ndarray of shape (k,)
        The number of rows of each group.
    residuals : ndarray
        The sums in the matrix less its margins.
    counts : ndarray
        The numbers of observed entries.
    totals, expected : ndarray or None
        The sums of entries, and those that the margins lead one to expect, where zero means
        absence.
    deviations : ndarray of shape (n,) or None
        The standard deviation of each column, otherwise.
    """

    sizes: IntArray
    residuals: FloatArray
    counts: FloatArray
    totals: FloatArray | None = None
    expected: FloatArray | None = None
    deviations: FloatArray | None = None

    @classmethod
    def of(cls, matrix: Matrix, labels: IntArray, n_groups: int | None = None) -> Contrasts:
        """Compare groups of the rows of a matrix with all rows."""
        number = int(labels.max()) + 1 if n_groups is None else n_groups
        sizes = np.bincount(labels, minlength=number)
        margins = Margins.of(matrix)
        residuals = margins.residual(matrix).group_rows(labels, number).T
        ones = np.ones(labels.size)
        counts = matrix.group_observed(labels, number, ones).T
        if not margins.relative:
            scaled = _deviations(matrix) / margins.scale
            return cls(sizes, residuals, counts, deviations=scaled)
        rows, columns = matrix.totals.rows, matrix.totals.columns
        if matrix.n_missing:
            rows, columns = fitted_sums(matrix)
        expected = matrix.group_observed(labels, number, rows).T
        totals = matrix.group_rows(labels, number, ones).T
        return cls(sizes, residuals, counts, totals, expected * columns / columns.sum())

    def merged(self, groups: Sequence[IntArray]) -> Contrasts:
        """Return the contrasts of unions of groups."""

        def of_unions(sums: FloatArray | None) -> FloatArray | None:
            return None if sums is None else np.array([sums[group].sum(axis=0) for group in groups])

        residuals, counts = of_unions(self.residuals), of_unions(self.counts)
        assert residuals is not None
        assert counts is not None
        return Contrasts(
            np.array([self.sizes[group].sum() for group in groups]),
            residuals,
            counts,
            of_unions(self.totals),
            of_unions(self.expected),
            self.deviations,
        )

    @property
    def relative(self) -> bool:
        """Whether effects are lifts."""
        return self.totals is not None

    @cached_property
    def effects(self) -> FloatArray:
        """Lifts, where zero means absence; otherwise standardised differences."""
        if self.totals is not None:
            assert self.expected is not None
            return ratio(self.totals, self.expected)
        assert self.deviations is not None
        return ratio(ratio(self.residuals, self.counts), self.deviations)

    @cached_property
    def strengths(self) -> FloatArray:
        """How clearly each column stands out: positive where it is high."""
        if self.relative:
            return self.residuals / np.sqrt(np.maximum(self.sizes, 1))[:, None]
        return self.effects * np.sqrt(self.counts)

    def _is_notable(self, group: int) -> BoolArray:
        """Say which columns stand out enough to be mentioned."""
        effects, strengths = self.effects[group], np.abs(self.strengths[group])
        strong = strengths >= LEAST_SHARE * strengths.max(initial=0.0)
        if self.relative:
            rare = self.strengths[group] < 0
            strong &= np.where(rare, effects <= 1 / LEAST_LIFT, effects >= LEAST_LIFT)
        else:
            strong &= np.abs(effects) >= LEAST_DIFFERENCE
        return np.asarray(strong)

    def leading(self, group: int, n: int) -> tuple[IntArray, IntArray]:
        """Return up to n columns that are high in a group, and up to n that are low."""
        notable, strengths = self._is_notable(group), self.strengths[group]
        order = np.argsort(-strengths, kind="stable")
        order = order[notable[order]]
        high, low = order[strengths[order] > 0], order[strengths[order] < 0]
        return high[:n], low[::-1][:n]

    def explain(self, names: Sequence[str], n: int, thing: str) -> SideExplanation:
        """Put the groups into words, by the names of up to n columns that are high, or low."""

        def contrasts(group: int, columns: IntArray) -> tuple[Contrast, ...]:
            effects = self.effects[group]
            return tuple(Contrast(str(names[j]), int(j), float(effects[j])) for j in columns)

        clusters = []
        for group, size in enumerate(self.sizes.tolist()):
            high, low = (contrasts(group, columns) for columns in self.leading(group, n))
            clusters.append(ClusterExplanation(group, size, high, low, thing))
        return SideExplanation(tuple(clusters))


def _deviations(matrix: Matrix) -> FloatArray:
    """Return the standard deviation of each column; of a large matrix, in a sample of its rows."""
    m, n = matrix.shape
    most = max(2, MOST_ENTRIES // n)
    if m > most:
        rows = np.sort(np.random.default_rng(0).choice(m, most, replace=False))
        matrix = submatrix(matrix, rows, ALL)
    entries = matrix.part(np.arange(matrix.shape[0]), np.arange(n))
    observed = np.isfinite(entries)
    counts = observed.sum(axis=0)
    centred = np.where(observed, entries - ratio(np.nansum(entries, axis=0), counts), 0.0)
    return np.sqrt(ratio((centred**2).sum(axis=0), counts))
