"""Comparison of the learner with other methods on real data: a section of docs/accuracy.md."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from sklearn.metrics import normalized_mutual_info_score as nmi

from benchmarks.peers import FINDING, TOLD, Outcome, attempt, run
from benchmarks.real import DataSet, data_sets
from rankone import RankOneCoclustering

PACKAGES = ("rankone", "scikit-learn", "leidenalg", "igraph", "scipy", "networkx")


@dataclass(frozen=True, eq=False)
class Kind:
    """Our learner and the other methods that are given the same: the number of classes, or not.

    Attributes
    ----------
    ours : str
        Name of our column; the columns of the others are in `peers`.
    """

    ours: str
    peers: tuple[str, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of all methods of this kind."""
        return (self.ours, *self.peers)


FIND = Kind("rankone", tuple(FINDING))
TELL = Kind("rankone, told", tuple(TOLD))
METHODS = (*FIND.methods, *TELL.methods)


@dataclass(frozen=True, eq=False)
class Comparison:
    """What all methods made of one data set.

    Attributes
    ----------
    data : DataSet
    outcomes : dict of Outcome
        By the name of the method.
    """

    data: DataSet
    outcomes: dict[str, Outcome]

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return np.unique(self.data.classes).size

    def agreement(self, method: str) -> float:
        """Return the NMI of the classes and the labels of a method, NaN if the method failed."""
        labels = self.outcomes[method].labels
        return np.nan if labels is None else float(nmi(self.data.classes, labels))

    def n_clusters(self, method: str) -> int:
        """Return the number of clusters that a method found."""
        return np.unique(self.outcomes[method].labels).size


def real(_: int) -> Iterator[str]:
    """Yield the tables of real data."""
    yield from report(map(compare, data_sets()))


def compare(data: DataSet) -> Comparison:
    """Run all methods on a data set."""
    print(data.name, file=sys.stderr, flush=True)
    n_classes = np.unique(data.classes).size
    outcomes = {
        FIND.ours: run(fitted_labels, data.values),
        TELL.ours: run(fitted_labels, data.values, n_classes),
    }
    for name, find in FINDING.items():
        outcomes[name] = attempt(find, data.values)
    for name, told in TOLD.items():
        outcomes[name] = attempt(told, data.values, n_classes)
    return Comparison(data, outcomes)


def fitted_labels(values: Any, *numbers: int) -> Any:
    """Return our labels of the rows."""
    return RankOneCoclustering(*numbers).fit(values).row_labels_


def report(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a line per data set, then the means of families and the largest deficits."""
    fitted_labels(np.eye(20))  # Compile, or load what was compiled, before the first measurement.
    yield "| | size | classes | s | " + " | ".join(METHODS) + " |"
    yield "|---|---|--:|--:|" + "--:|" * len(METHODS)
    done = []
    for comparison in comparisons:
        done.append(comparison)
        yield line(comparison)
    yield ""
    yield from family_means(done)
    yield ""
    yield from (deficit(done, kind) for kind in (FIND, TELL))
    yield "\nVersions: " + ", ".join(f"{name} {version(name)}" for name in PACKAGES) + "."


def line(comparison: Comparison) -> str:
    """Return the row of a data set: NMI of each method, and how many clusters it found."""
    cells = []
    for method in METHODS:
        cell = shown(comparison.agreement(method))
        if method in FIND.methods and cell != "fails":
            cell += f" ({comparison.n_clusters(method)})"
        cells.append(cell)
    m, n = comparison.data.values.shape
    seconds = comparison.outcomes[FIND.ours].seconds
    start = f"| {comparison.data.name} | {m} x {n} | {comparison.n_classes} | {seconds:.1f} | "
    return start + " | ".join(cells) + " |"


def shown(agreement: float) -> str:
    """Format an NMI."""
    return "fails" if np.isnan(agreement) else f"{agreement:.3f}"


def family_means(comparisons: list[Comparison]) -> Iterator[str]:
    """Yield the table of mean NMI by family, with the seconds of each method in the last row."""
    yield "| mean NMI | data sets | " + " | ".join(METHODS) + " |"
    yield "|---|--:|" + "--:|" * len(METHODS)
    families = dict.fromkeys(comparison.data.family for comparison in comparisons)
    for family in [*families, "all"]:
        members = [c for c in comparisons if family in (c.data.family, "all")]
        means = (mean(members, method) for method in METHODS)
        yield f"| {family} | {len(members)} | " + " | ".join(means) + " |"
    seconds = (sum(c.outcomes[method].seconds for c in comparisons) for method in METHODS)
    yield "| *seconds in total* | | " + " | ".join(f"{s:.1f}" for s in seconds) + " |"


def mean(members: list[Comparison], method: str) -> str:
    """Format the mean NMI over the data sets on which a method did not fail."""
    figures = np.array([member.agreement(method) for member in members])
    n_failures = int(np.isnan(figures).sum())
    if n_failures == len(members):
        return "fails"
    failures = f" ({n_failures} fail)" if n_failures else ""
    return f"{np.nanmean(figures):.3f}{failures}"


def deficit(comparisons: list[Comparison], kind: Kind) -> str:
    """Return a sentence on the data set where the best of the others is furthest ahead of us."""
    figures = [[comparison.agreement(name) for name in kind.methods] for comparison in comparisons]
    ours, *peers = np.nan_to_num(np.transpose(figures))
    deficits = np.max(peers, axis=0) - ours
    worst = int(deficits.argmax())
    best_peer = kind.peers[int(np.transpose(peers)[worst].argmax())]
    return (
        f"- {kind.ours}: at least as good as the best of {', '.join(kind.peers)} on "
        f"{(deficits <= 0).sum()} of {len(comparisons)} data sets; largest deficit "
        f"{max(deficits[worst], 0):.3f} ({comparisons[worst].data.name}, {best_peer})."
    )
