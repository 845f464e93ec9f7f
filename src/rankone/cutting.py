"""Step 2 of a learner: the scores of one side, cut into clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankone.cuts import Partition
from rankone.errors import InputError, Setting
from rankone.extraction import Scores
from rankone.result import Request, Side
from rankone.selection import choose
from rankone.selection.choice import warn_of_bound
from rankone.selection.sizes import cut_into_large, merge_small
from rankone.typing import FloatArray


def cut_scores(
    request: Request,
    scores: Scores,
    noise: Callable[[], FloatArray],
    *,
    selection: str,
    apart: bool,
    min_cluster_size: int,
    refine: bool,
) -> Side:
    """Cut the scores of one side, into a number of clusters that is given, selected or neither.

    Parameters
    ----------
    request : Request
    scores : Scores
    noise : callable
        Returns the variance of each score that is due to noise; called only if it is needed.
    selection : str
        The rule that selects a number of clusters.
    apart : bool
        Whether selected clusters must stand apart, as those of counts.
    min_cluster_size : int
    refine : bool
        Whether refinement follows, which can reach numbers of clusters that the scores cannot.
    """
    choice = path = None
    if request.selects:
        path = request.cut.path(scores.values, request.max_clusters)
        choice = choose(path, selection, noise, apart=apart, min_cluster_size=min_cluster_size)
        if choice.at_bound and not refine and not request.discarded:
            warn_of_bound(f"the {request.name}", choice.n_clusters)
        partition = path.at(n_clusters=choice.n_clusters)
    elif request.n_clusters is not None:
        partition = _cut_into_number(
            request, request.n_clusters, scores.values, min_cluster_size, refine
        )
    else:
        partition = request.cut.cut(scores.values)
    labels = merge_small(partition, min_cluster_size)
    return Side(request, scores, partition, choice, labels, confidence=None, traced=path)


def _cut_into_number(
    request: Request, number: int, values: FloatArray, min_cluster_size: int, refine: bool
) -> Partition:
    """Cut scores into the number of clusters that was given, each of them large enough.

    If refinement follows, it reaches what the scores cannot; otherwise such numbers are refused.
    """
    n_distinct = np.unique(values).size
    refined = Setting("refine", True)
    if n_distinct < number and not refine:
        raise InputError(
            f"{number} clusters of {request.name} were asked for, but their scores have only "
            f"{n_distinct} different values",
            "ask for fewer, use other {vectors}, or {refined}",
            vectors=Setting("vectors"),
            refined=refined,
        )
    number = min(number, n_distinct)
    partition: Partition = request.cut.set_params(n_clusters=number).cut(values)
    if partition.sizes.min() >= min_cluster_size:
        return partition
    if request.cut.capabilities.path:
        large = cut_into_large(values, number, min_cluster_size, partition.p)
        why = "equal scores belong together, and leave no such clusters"
        instead, use = Setting("vectors"), "use other {instead}"
    else:
        large, why = None, f"{type(request.cut).__name__} finds smaller ones"
        instead, use = Setting("cut", "sorted-potts"), "use {instead}"
    if large is None and not refine:
        raise InputError(
            f"{number} clusters of {request.name}, each of {min_cluster_size} or more, were asked "
            f"for, but {why}",
            use + ", a smaller {size}, or {refined}",
            instead=instead,
            size=Setting("min_cluster_size"),
            refined=refined,
        )
    return partition if large is None else large
