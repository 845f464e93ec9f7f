"""The short names of methods, and which combinations of them make sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from sklearn.base import clone

from rankone.checks import briefly
from rankone.cuts import (
    Cut,
    LargestGaps,
    Multiscale,
    Potts,
    Sign,
    SortedPotts,
    Threshold,
    TotalVariation,
)
from rankone.errors import InputError, Setting
from rankone.vectors import CCOT, CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank, VectorMethod

#: Step 1 by name.
VECTORS: Mapping[str, Callable[[], VectorMethod]] = {
    "marginal": Marginal,
    "nmf": NMF,
    "svd": SVD,
    "pagerank": PageRank,
    "fiedler": Fiedler,
    "fiedler-ds": lambda: Fiedler(doubly_stochastic=True),
    "ccot": CCOT,
    "ccot-gw": CCOTGW,
}

#: Step 2 by name, without its numbers.
CUTS: Mapping[str, type[Cut]] = {
    "sign": Sign,
    "threshold": Threshold,
    "largest-gaps": LargestGaps,
    "potts": Potts,
    "sorted-potts": SortedPotts,
    "total-variation": TotalVariation,
    "multiscale": Multiscale,
}

Method = TypeVar("Method")


def as_vectors(method: str | VectorMethod, name: str = "vectors") -> VectorMethod | None:
    """Return a Step 1 of one's own, given by name or as an object; None for ``"auto"``."""
    if isinstance(method, str) and method == "auto":
        return None
    if isinstance(method, str) and method in VECTORS:
        return VECTORS[method]()
    if isinstance(method, VectorMethod):
        return clone(method)  # type: ignore[no-any-return]
    names = ", ".join(map(repr, ("auto", *VECTORS)))
    raise ValueError(
        f"{name} must be one of {names}, or a method such as NMF(beta=2), but it is "
        f"{briefly(method)}."
    )


def as_cut(
    method: str | Cut, n_clusters: int | None, name: str = "cut", number: str = "n_clusters"
) -> tuple[Cut, bool]:
    """Return a Step 2 of one's own, and whether its number of clusters is to be selected.

    Parameters
    ----------
    method : str or Cut
    n_clusters : int or None
        The number of clusters, if the user gave one.
    name, number : str
        What the user calls these two.
    """
    if isinstance(method, str) and method in CUTS:
        return _named(method, n_clusters, name, number)
    if not isinstance(method, Cut):
        names = ", ".join(map(repr, CUTS))
        raise ValueError(
            f"{name} must be one of {names}, or a cut such as SortedPotts(lam=1.0), but it is "
            f"{briefly(method)}."
        )
    cut: Cut = clone(method)
    parameters = cut.get_params()
    given = [key for key in ("lam", "n_clusters", "eps") if parameters.get(key) is not None]
    if n_clusters is not None:
        if given and not (given == ["n_clusters"] and cut.get_params()["n_clusters"] == n_clusters):
            raise InputError(
                f"{{number}} is {n_clusters}, but {{cut}} has its own {given[0]}",
                "give one of them",
                number=Setting(number),
                cut=Setting(name),
            )
        if "n_clusters" not in parameters:
            raise _cannot_count(type(cut).__name__, number, n_clusters)
        return cut.set_params(n_clusters=n_clusters), False
    if not given and "n_clusters" in parameters and not isinstance(cut, SortedPotts):
        raise _needs(type(cut).__name__, number)
    return cut, isinstance(cut, SortedPotts) and not given


def _named(method: str, n_clusters: int | None, name: str, number: str) -> tuple[Cut, bool]:
    kind = CUTS[method]
    if method in ("threshold", "total-variation"):
        what = "Threshold(eps=...)" if method == "threshold" else "TotalVariation(lam=...)"
        raise ValueError(f"{name}={method!r} needs a number of its own; give {what} instead.")
    if method in ("sign", "multiscale"):
        if n_clusters is not None:
            raise _cannot_count(method, number, n_clusters)
        return kind(), False
    if n_clusters is None:
        if method == "sorted-potts":
            return SortedPotts(), True
        raise _needs(method, number)
    return kind(n_clusters=n_clusters), False


def _cannot_count(cut: str, number: str, n_clusters: int) -> InputError:
    return InputError(
        f"{{number}} is {n_clusters}, but {cut} finds its own number of clusters",
        "leave {number} out, or use sorted-potts, potts or largest-gaps",
        number=Setting(number),
    )


def _needs(cut: str, number: str) -> InputError:
    return InputError(
        f"{cut} cannot select its number of clusters",
        "give {number}, or use sorted-potts, which can",
        number=Setting(number),
    )
