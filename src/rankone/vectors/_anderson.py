"""Anderson's acceleration of a fixed-point iteration."""

from __future__ import annotations

import numpy as np

from rankone.typing import FloatArray


class Anderson:
    """Propose the next point of an iteration x -> f(x) from the last few of its steps.

    Near a fixed point f is close to linear. Of all combinations of the last points, the one whose
    residual f(x) - x would then be smallest is taken, and f applied to it: what a linear solver
    with as many directions does. It may overshoot far from the fixed point; the caller compares
    errors and calls `forget`.

    Parameters
    ----------
    depth : int
        How many steps are remembered.
    """

    def __init__(self, depth: int):
        self.depth = depth
        self.forget()

    def forget(self) -> None:
        """Drop all that is remembered."""
        self._last: tuple[FloatArray, FloatArray] | None = None
        self._moves: list[FloatArray] = []
        self._changes: list[FloatArray] = []

    def propose(self, x: FloatArray, image: FloatArray) -> FloatArray:
        """Return the next point, given one and its image."""
        residual = image - x
        if self._last is not None:
            self._moves = [*self._moves, image - self._last[1]][-self.depth :]
            self._changes = [*self._changes, residual - self._last[0]][-self.depth :]
        self._last = residual, image
        if not self._moves:
            return image
        changes = np.column_stack([change.ravel() for change in self._changes])
        shares = np.linalg.lstsq(changes, residual.ravel(), rcond=1e-12)[0]
        for share, move in zip(shares, self._moves, strict=True):
            image = image - share * move
        return image
