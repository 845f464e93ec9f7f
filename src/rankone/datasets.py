"""Simulated matrices with a known block structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from rankone.checks import check_choice, check_number, check_whole
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Blocks:
    """A simulated matrix and its true groups of rows and columns.

    Attributes
    ----------
    data : ndarray of shape (m, n)
        The matrix, with NaN for missing entries.
    row_labels : ndarray of shape (m,)
        The group of each row.
    column_labels : ndarray of shape (n,)
        The group of each column.
    means : ndarray of shape (k, l)
        The mean of each block (Gaussian), or its rate relative to the margins (Poisson).
    """

    data: FloatArray
    row_labels: IntArray
    column_labels: IntArray
    means: FloatArray


@dataclass(frozen=True)
class Design:
    """The parameters of a Gaussian latent block model."""

    shape: tuple[int, int]
    row_shares: tuple[float, ...]
    column_shares: tuple[float, ...]
    sigma: float
    means: tuple[tuple[float, ...], ...]


_THIRDS = (1 / 3, 1 / 3, 1 / 3)

#: The parameters that the authors published for data sets of the same names, sizes and shapes. The
#: paper itself does not state its parameters.
PAPER: dict[str, Design] = {
    "D1": Design(
        (600, 300), _THIRDS, _THIRDS, 0.010, ((4, 0.5, 1.5), (1.8, 4.5, 1.1), (1.5, 1.5, 5.5))
    ),
    "D2": Design(
        (600, 300),
        (0.2, 0.3, 0.5),
        (0.2, 0.3, 0.5),
        0.015,
        ((4, 0.5, 1.5), (1.8, 4.5, 5.1), (3.5, 1.5, 5.5)),
    ),
    "D3": Design(
        (300, 200),
        (0.5, 0.5),
        (0.5, 0.2, 0.1, 0.2),
        0.020,
        ((4, 0.5, 7.5, 0.5), (0.5, 3.5, 7.8, 0.5)),
    ),
    "D4": Design(
        (300, 300),
        (0.1, 0.2, 0.2, 0.3, 0.2),
        (0.25, 0.25, 0.25, 0.25),
        0.015,
        (
            (1.5, 1.5, 1.5, 1.5),
            (2.5, 1.5, 1.5, 1.5),
            (2.6, 2.6, 1.5, 1.5),
            (2.6, 2.6, 2.5, 1.5),
            (2.5, 2.5, 2.6, 2.5),
        ),
    ),
}


def make_blocks(
    shape: tuple[int, int],
    means: npt.ArrayLike,
    row_shares: npt.ArrayLike | None = None,
    column_shares: npt.ArrayLike | None = None,
    sigma: float = 1.0,
    *,
    missing: float | npt.ArrayLike = 0.0,
    shuffle: bool = True,
    random_state: Any = None,
) -> Blocks:
    r"""Draw a matrix from the Gaussian latent block model.

    .. math:: z_i \sim \pi, \quad w_j \sim \rho, \quad A_{ij} \sim N(\mu_{z_i w_j}, \sigma^2)

    Parameters
    ----------
    shape : tuple of int
        The number of rows and the number of columns.
    means : array-like of shape (k, l)
        The mean of each block.
    row_shares, column_shares : array-like, optional
        The probabilities of the groups of rows and of columns; equal by default.
    sigma : float
        The standard deviation within a block.
    missing : float or array-like of shape (n,)
        The probability that an entry is missing, or one probability per column. The latter are in
        the order of the columns before shuffling, in which groups are contiguous.
    shuffle : bool
        Whether to shuffle rows and columns. If False, each group is contiguous.
    random_state : int, RandomState or None
        The seed of the random number generator.

    Returns
    -------
    Blocks

    Examples
    --------
    >>> blocks = make_blocks((4, 6), [[0, 9], [5, 2]], sigma=0, shuffle=False, random_state=0)
    >>> blocks.data.shape, blocks.row_labels
    ((4, 6), array([0, 0, 1, 1]))
    """
    random = check_random_state(random_state)
    means = _check_means(means)
    sigma = check_number(sigma, "sigma")
    rows, columns = _labels(shape, means, row_shares, column_shares, random)
    data = means[rows][:, columns] + sigma * random.standard_normal((rows.size, columns.size))
    return _hide_and_shuffle(data, rows, columns, means, missing, shuffle, random)


def make_paper(
    name: str,
    noise: float = 0.0,
    *,
    missing: float | npt.ArrayLike = 0.0,
    shuffle: bool = True,
    random_state: Any = None,
) -> Blocks:
    """Draw one of the paper's data sets, D1 to D4, with additional white noise.

    The parameters are those that the authors published for data sets of the same names, sizes and
    shapes. The paper does not state its own, and some of its remarks do not fit these parameters
    (equal proportions in D3, poorly separated groups in D3 and D4, and the range of the scores of
    D4). The level of its noise is not published either.

    Parameters
    ----------
    name : {"D1", "D2", "D3", "D4"}
        The name of the data set.
    noise : float
        The standard deviation of the noise added to the entries.
    missing, shuffle, random_state
        See `make_blocks`.

    Returns
    -------
    Blocks

    Examples
    --------
    >>> make_paper("D3", noise=1, random_state=0).data.shape
    (300, 200)
    """
    check_choice(name, "name", PAPER)
    noise = check_number(noise, "noise")
    design = PAPER[name]
    return make_blocks(
        design.shape,
        design.means,
        design.row_shares,
        design.column_shares,
        float(np.hypot(design.sigma, noise)),
        missing=missing,
        shuffle=shuffle,
        random_state=random_state,
    )


def make_counts(
    shape: tuple[int, int],
    rates: npt.ArrayLike,
    row_shares: npt.ArrayLike | None = None,
    column_shares: npt.ArrayLike | None = None,
    mean: float = 1.0,
    spread: float = 0.5,
    *,
    missing: float | npt.ArrayLike = 0.0,
    shuffle: bool = True,
    random_state: Any = None,
) -> Blocks:
    r"""Draw counts from the Poisson latent block model with margins.

    .. math:: A_{ij} \sim \mathrm{Poisson}(\mu_i \, \nu_j \, \gamma_{z_i w_j})

    where the margins :math:`\mu` and :math:`\nu` model effects that do not depend on the group,
    such as the lengths of documents and the frequencies of words.

    Parameters
    ----------
    shape : tuple of int
        The number of rows and the number of columns.
    rates : array-like of shape (k, l)
        The rate of each block relative to the margins. A single block gives expected counts of
        rank one.
    row_shares, column_shares : array-like, optional
        The probabilities of the groups of rows and of columns; equal by default.
    mean : float
        The expected mean of all entries.
    spread : float
        The standard deviation of the logarithms of the margins, which are normally distributed.
    missing, shuffle, random_state
        See `make_blocks`.

    Returns
    -------
    Blocks

    Examples
    --------
    >>> make_counts((3, 4), [[1.0]], mean=5, random_state=0).data.dtype
    dtype('float64')
    """
    random = check_random_state(random_state)
    rates = _check_means(rates, "rates")
    if (rates < 0).any() or not rates.any():
        raise ValueError("rates must be nonnegative and not all zero.")
    mean, spread = check_number(mean, "mean"), check_number(spread, "spread")
    rows, columns = _labels(shape, rates, row_shares, column_shares, random)
    margins = [np.exp(spread * random.standard_normal(side.size)) for side in (rows, columns)]
    expected = np.outer(*margins) * rates[rows][:, columns]
    data = random.poisson(expected * (mean / max(expected.mean(), np.finfo(float).tiny)))
    return _hide_and_shuffle(data.astype(float), rows, columns, rates, missing, shuffle, random)


def _check_means(means: npt.ArrayLike, name: str = "means") -> FloatArray:
    table = np.asarray(means, float)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise ValueError(
            f"{name} must be a 2-d table of finite numbers, with one row per group of rows."
        )
    return table


def _labels(
    shape: tuple[int, int],
    means: FloatArray,
    row_shares: npt.ArrayLike | None,
    column_shares: npt.ArrayLike | None,
    random: np.random.RandomState,
) -> tuple[IntArray, IntArray]:
    """Draw the sizes of the groups and return contiguous labels."""
    labels = []
    for size, k, shares, name in zip(
        shape,
        means.shape,
        (row_shares, column_shares),
        ("row_shares", "column_shares"),
        strict=True,
    ):
        size = check_whole(size, "Each side of shape")
        p = np.full(k, 1 / k) if shares is None else np.asarray(shares, float)
        if p.shape != (k,) or not (p >= 0).all() or abs(p.sum() - 1) > 1e-9:
            raise ValueError(f"{name} must be {k} probabilities that sum to one.")
        labels.append(np.repeat(np.arange(k), random.multinomial(size, p)))
    return labels[0], labels[1]


def _hide_and_shuffle(
    data: FloatArray,
    rows: IntArray,
    columns: IntArray,
    means: FloatArray,
    missing: float | npt.ArrayLike,
    shuffle: bool,
    random: np.random.RandomState,
) -> Blocks:
    """Replace random entries by NaN and shuffle rows and columns, as requested."""
    probability = np.asarray(missing, float)
    if (
        probability.shape not in ((), columns.shape)
        or not ((probability >= 0) & (probability < 1)).all()
    ):
        raise ValueError(
            f"missing must be a probability below one, or {columns.size} of them, one per column."
        )
    if probability.any():
        data[random.uniform(size=data.shape) < probability] = np.nan
    if shuffle:
        i, j = random.permutation(rows.size), random.permutation(columns.size)
        data, rows, columns = data[np.ix_(i, j)], rows[i], columns[j]
    return Blocks(data, rows, columns, means)
