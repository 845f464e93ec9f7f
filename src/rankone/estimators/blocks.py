"""Blocks of rows and columns, in the terms of scikit-learn's biclusterings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BiclusterMixin
from sklearn.utils.validation import check_array, check_is_fitted

from rankone.estimators.frames import is_frame, taken
from rankone.typing import IntArray

__all__ = ["BlocksMixin"]


class BlocksMixin(BiclusterMixin):  # type: ignore[misc]
    """A block for each pair of a cluster of rows and a cluster of columns.

    Attributes
    ----------
    row_labels_, column_labels_ : ndarray
    n_row_clusters_, n_column_clusters_ : int
    """

    row_labels_: IntArray
    column_labels_: IntArray
    n_row_clusters_: int
    n_column_clusters_: int

    @property
    def rows_(self) -> npt.NDArray[np.bool_]:
        """Which rows each block has."""
        check_is_fitted(self)
        members = np.arange(self.n_row_clusters_)[:, None] == self.row_labels_
        return np.repeat(members, self.n_column_clusters_, axis=0)

    @property
    def columns_(self) -> npt.NDArray[np.bool_]:
        """Which columns each block has."""
        check_is_fitted(self)
        members = np.arange(self.n_column_clusters_)[:, None] == self.column_labels_
        return np.tile(members, (self.n_row_clusters_, 1))

    def get_submatrix(self, i: int, data: Any) -> Any:
        """Return the entries of a block, in the order of rows and columns.

        Parameters
        ----------
        i : int
            The number of the block: ``row_cluster * n_column_clusters_ + column_cluster``.
        data : array-like or sparse matrix of shape (m, n)
            The fitted matrix, or another one of its shape.

        Returns
        -------
        ndarray, sparse matrix or frame
            A frame, if ``data`` is one.
        """
        frame = data if is_frame(data) else None
        data = check_array(data, accept_sparse="csr", ensure_all_finite=False)
        shape = self.row_labels_.size, self.column_labels_.size
        if data.shape != shape:
            raise ValueError(f"data must have the shape of X, {shape}, but it has {data.shape}.")
        if not 0 <= i < self.n_row_clusters_ * self.n_column_clusters_:
            raise ValueError(
                f"i is {i}, but there are {self.n_row_clusters_ * self.n_column_clusters_} blocks."
            )
        rows, columns = self.get_indices(i)
        return data[rows][:, columns] if frame is None else taken(frame, rows, columns)
