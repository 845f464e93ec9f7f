"""Refinement: the labels of rows and columns improved against the whole matrix."""

from rankone.refinement.fit import BlockFit
from rankone.refinement.losses import holds_counts
from rankone.refinement.refine import block_fit, refine, shared

__all__ = ["BlockFit", "block_fit", "holds_counts", "refine", "shared"]
