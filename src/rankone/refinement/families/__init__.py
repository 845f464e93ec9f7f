"""Families of distributions: one file each, found here by name."""

from __future__ import annotations

from rankone.matrix import Matrix
from rankone.refinement.families.base import Family
from rankone.refinement.families.bernoulli import Bernoulli
from rankone.refinement.families.gaussian import Gaussian
from rankone.refinement.families.poisson import Poisson

__all__ = [
    "FAMILIES",
    "LOSSES",
    "Bernoulli",
    "Family",
    "Gaussian",
    "Poisson",
    "family_for",
    "holds_counts",
]

#: From the most general to the most specific: the last one that suits a matrix is its default.
FAMILIES: dict[str, type[Family]] = {cls.name: cls for cls in (Gaussian, Bernoulli, Poisson)}

#: The values of the parameter ``loss``.
LOSSES = ("auto", *FAMILIES)


def family_for(loss: str, matrix: Matrix) -> type[Family]:
    """Return the family of a loss; with ``"auto"``, the one that suits the matrix best.

    Parameters
    ----------
    loss : {"auto", "gaussian", "bernoulli", "poisson"}
        The name of the loss.
    matrix : Matrix
        The matrix whose entries vary in this way.
    """
    if loss != "auto":
        return FAMILIES[loss]
    return next(family for family in reversed(FAMILIES.values()) if family.suits(matrix))


def holds_counts(matrix: Matrix) -> bool:
    """Return whether a matrix looks like one of counts."""
    return Poisson.suits(matrix)
