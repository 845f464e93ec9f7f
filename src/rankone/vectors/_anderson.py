"""Anderson acceleration of a fixed-point iteration."""

from __future__ import annotations

import numpy as np

from rankone.typing import FloatArray


class Anderson:
    """Propose the next point of an iteration x -> f(x) from its most recent steps.

    Near a fixed point, f is almost linear. The proposal is f of the affine combination of recent
    points whose residual f(x) - x would be smallest if f were linear. Far from the fixed point it
    may overshoot: the caller must compare errors and call `forget` when they increase.

    Parameters
    ----------
    depth : int
        The number of steps to remember.
    """

    def __init__(self, depth: int):
        self.depth = depth
        self.forget()

    def forget(self) -> None:
        """Discard all remembered steps."""
        self._last: tuple[FloatArray, FloatArray] | None = None
        self._moves: list[FloatArray] = []
        self._changes: list[FloatArray] = []

    def propose(self, x: FloatArray, image: FloatArray) -> FloatArray:
        """Return the next point, given the current point and its image f(x)."""
        residual = image - x
        if self._last is not None:
            self._moves = [*self._moves, image - self._last[1]][-self.depth :]
            self._changes = [*self._changes, residual - self._last[0]][-self.depth :]
        self._last = residual, image
        if not self._moves:
            return image
        changes = np.column_stack([change.ravel() for change in self._changes])
        coefficients = np.linalg.lstsq(changes, residual.ravel(), rcond=1e-12)[0]
        for coefficient, move in zip(coefficients, self._moves, strict=True):
            image = image - coefficient * move
        return image
