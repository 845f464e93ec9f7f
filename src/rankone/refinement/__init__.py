"""Refinement: labels of rows and columns improved against the whole matrix."""

from rankone.refinement.adequacy import blocks_explain, halves_support
from rankone.refinement.families import FAMILIES, LOSSES, family_for, holds_counts
from rankone.refinement.fit import BlockFit
from rankone.refinement.refining import block_fit, refine, shared

__all__ = [
    "FAMILIES",
    "LOSSES",
    "BlockFit",
    "block_fit",
    "blocks_explain",
    "family_for",
    "halves_support",
    "holds_counts",
    "refine",
    "shared",
]
