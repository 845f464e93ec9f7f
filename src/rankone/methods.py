"""Methods by name, and the combinations of cuts and numbers of clusters that make sense."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sklearn.base import clone

from rankone.checks import briefly
from rankone.cuts import (
    Cut,
    CutCapabilities,
    LargestGaps,
    Multiscale,
    Potts,
    Quantiles,
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

#: Step 2 by name; what each needs is declared by its `capabilities`.
CUTS: Mapping[str, type[Cut]] = {
    "sign": Sign,
    "threshold": Threshold,
    "largest-gaps": LargestGaps,
    "quantiles": Quantiles,
    "potts": Potts,
    "sorted-potts": SortedPotts,
    "total-variation": TotalVariation,
    "multiscale": Multiscale,
}


def as_vectors(method: str | VectorMethod, name: str = "vectors") -> VectorMethod | None:
    """Return a new Step 1 method, given a name or an object; None for ``"auto"``."""
    if isinstance(method, str) and method == "auto":
        return None
    if isinstance(method, str) and method in VECTORS:
        return VECTORS[method]()
    if isinstance(method, VectorMethod):
        return clone(method)  # type: ignore[no-any-return]
    raise _unknown(name, ("auto", *VECTORS), "a method such as NMF(beta=2)", method)


def as_cut(
    method: str | Cut, n_clusters: int | None, name: str = "cut", number: str = "n_clusters"
) -> tuple[Cut, bool]:
    """Return a new Step 2 method, and whether its number of clusters is to be selected.

    Parameters
    ----------
    method : str or Cut
    n_clusters : int or None
        The number of clusters, if the user gave one.
    name, number : str
        The parameters of the caller that hold these two.
    """
    if isinstance(method, str) and method in CUTS:
        cut, shown = _cut_by_name(method, name), method
    elif isinstance(method, Cut):
        cut, shown = clone(method), type(method).__name__
    else:
        raise _unknown(name, CUTS, "a cut such as SortedPotts(lam=1.0)", method)
    parameters = {key: getattr(cut, key) for key in cut.capabilities.determined_by}
    given = {key: value for key, value in parameters.items() if value is not None}
    if n_clusters is not None:
        if given and given != {"n_clusters": n_clusters}:
            raise InputError(
                "{number} is {n_clusters}, but {name} has its own {parameter}",
                "give one of them",
                number=Setting(number),
                n_clusters=n_clusters,
                name=Setting(name),
                parameter=next(iter(given)),
            )
        return _with_number(cut, n_clusters, shown, number), False
    if cut.capabilities.takes_number and not (given or cut.capabilities.path):
        raise InputError(
            "{cut} cannot select its number of clusters",
            "give {number}, or use {alternatives}",
            cut=shown,
            number=Setting(number),
            alternatives=_names(lambda able: able.path),
        )
    return cut, cut.capabilities.path and not given


def _cut_by_name(method: str, name: str) -> Cut:
    """Return a cut without a number of clusters, or raise an error if it needs another number."""
    kind = CUTS[method]
    if kind.capabilities.required is not None:
        raise InputError(
            "{cut} needs a number of its own",
            "give {kind}({required}=...) instead",
            cut=Setting(name, method),
            kind=kind.__name__,
            required=kind.capabilities.required,
        )
    return kind(n_clusters=None) if kind.capabilities.takes_number else kind()


def _with_number(cut: Cut, n_clusters: int, shown: str, number: str) -> Cut:
    if not cut.capabilities.takes_number:
        raise InputError(
            "{number} is {n_clusters}, but {cut} finds its own number of clusters",
            "leave {number} out, or use {alternatives}",
            number=Setting(number),
            n_clusters=n_clusters,
            cut=shown,
            alternatives=_names(lambda able: able.takes_number),
        )
    return cut.set_params(n_clusters=n_clusters)  # type: ignore[no-any-return]


def _names(can: Callable[[CutCapabilities], bool]) -> str:
    """List the names of all cuts with a capability."""
    *names, last = [name for name, kind in CUTS.items() if can(kind.capabilities)]
    return f"{', '.join(names)} or {last}" if names else last


def _unknown(name: str, names: Iterable[str], example: str, method: object) -> InputError:
    return InputError(
        "{name} must be one of {names}, or {example}, but it is {method}",
        name=Setting(name),
        names=", ".join(map(repr, names)),
        example=example,
        method=briefly(method),
    )
