"""Measures of clustering and co-clustering error that scikit-learn does not provide."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix

from rankone.typing import FloatArray, IntArray


def error_rate(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    r"""Compute the share of wrong labels under the best matching of clusters to classes.

    .. math:: e(z, \hat z) = 1 - \frac{1}{m} \max_\sigma \#\{i : \sigma(\hat z_i) = z_i\}

    where :math:`\sigma` matches each cluster to at most one class and each class to at most one
    cluster. The members of unmatched clusters count as wrong.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (m,)
        The classes and the clusters.

    Returns
    -------
    float
        The error rate, 0 for equal partitions.

    Examples
    --------
    >>> error_rate([0, 0, 1, 1], [1, 1, 0, 0])
    0.0
    >>> error_rate([0, 0, 1, 1], [0, 1, 2, 2])
    0.25
    """
    table = _contingency(labels_true, labels_pred)
    return 1.0 - float(table[linear_sum_assignment(table, maximize=True)].sum() / table.sum())


def align_labels(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> IntArray:
    """Rename clusters after the classes that match them best.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (m,)
        The classes and the clusters, as integers.

    Returns
    -------
    ndarray of shape (m,)
        The renamed clusters. Clusters without a matching class are numbered after all classes.

    Examples
    --------
    >>> align_labels([0, 0, 1, 1], [7, 7, 3, 3])
    array([0, 0, 1, 1])
    """
    classes, clusters = np.unique(np.asarray(labels_true)), np.unique(np.asarray(labels_pred))
    class_of, cluster_of = linear_sum_assignment(
        _contingency(labels_true, labels_pred), maximize=True
    )
    names = np.full(clusters.size, -1, dtype=np.intp)
    names[cluster_of] = classes[class_of]
    unmatched = names < 0
    names[unmatched] = classes[-1] + 1 + np.arange(unmatched.sum())
    return names[np.searchsorted(clusters, np.asarray(labels_pred))]


def coclustering_error(
    rows_true: npt.ArrayLike,
    columns_true: npt.ArrayLike,
    rows_pred: npt.ArrayLike,
    columns_pred: npt.ArrayLike,
) -> float:
    r"""Compute the share of the entries of a matrix that are assigned to a wrong block.

    .. math:: \mathrm{CCE} = e_r + e_c - e_r e_c

    where :math:`e_r` and :math:`e_c` are the error rates of the rows and of the columns. An entry
    is correct if both its row and its column are.

    Parameters
    ----------
    rows_true, columns_true : array-like
        The classes of the rows and of the columns.
    rows_pred, columns_pred : array-like
        The clusters of the rows and of the columns.

    Returns
    -------
    float
        The error, 0 for equal co-clusterings.

    References
    ----------
    Patrikainen and Meila (2006), Comparing subspace clusterings, IEEE Transactions on Knowledge
    and Data Engineering 18.

    Examples
    --------
    >>> coclustering_error([0, 0, 1, 1], [0, 1], [0, 1, 1, 1], [1, 0])
    0.25
    """
    rows, columns = error_rate(rows_true, rows_pred), error_rate(columns_true, columns_pred)
    return rows + columns - rows * columns


def coclustering_rand_score(
    rows_true: npt.ArrayLike,
    columns_true: npt.ArrayLike,
    rows_pred: npt.ArrayLike,
    columns_pred: npt.ArrayLike,
) -> float:
    r"""Compute the adjusted Rand index between the blocks of two co-clusterings.

    It is the adjusted Rand index of the m n entries of the matrix, each labelled with its block.
    The contingency table of the blocks is the Kronecker product of those of the rows and the
    columns, so that memory of size m n is not needed.

    Parameters
    ----------
    rows_true, columns_true : array-like
        The classes of the rows and of the columns.
    rows_pred, columns_pred : array-like
        The clusters of the rows and of the columns.

    Returns
    -------
    float
        1 for equal co-clusterings, near 0 for independent ones.

    References
    ----------
    Robert, Vasseur and Brault (2021), Comparing high-dimensional partitions with the co-clustering
    adjusted Rand index, Journal of Classification 38.

    Examples
    --------
    >>> coclustering_rand_score([0, 0, 1, 1], [0, 1], [1, 1, 0, 0], [0, 1])
    1.0
    """
    tables = _contingency(rows_true, rows_pred), _contingency(columns_true, columns_pred)
    total = float(tables[0].sum() * tables[1].sum())

    def pairs(of_tables: tuple[FloatArray, FloatArray]) -> float:
        """Count the pairs of entries that share a cell of the product table."""
        squares = float(np.square(of_tables[0]).sum() * np.square(of_tables[1]).sum())
        return (squares - total) / 2

    together = pairs(tables)
    true = pairs((tables[0].sum(1), tables[1].sum(1)))
    pred = pairs((tables[0].sum(0), tables[1].sum(0)))
    expected = true * pred / (total * (total - 1) / 2) if total > 1 else 0.0
    maximum = (true + pred) / 2
    return 1.0 if maximum == expected else (together - expected) / (maximum - expected)


def _contingency(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> FloatArray:
    """Count the items with each pair of labels."""
    true, pred = np.asarray(labels_true), np.asarray(labels_pred)
    if true.ndim != 1 or true.shape != pred.shape or true.size == 0:
        raise ValueError(
            "The labels must be two nonempty vectors of the same length, but their shapes are "
            f"{true.shape} and {pred.shape}."
        )
    return np.asarray(contingency_matrix(true, pred), float)
