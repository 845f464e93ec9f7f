"""Partitions verify themselves: what was changed is found."""

from dataclasses import replace

import numpy as np
import pytest

from rankone.cuts import Potts, SortedPotts, TotalVariation

U = np.array([0.0, 0.2, 5.0, 5.1, 4.9, 0.1, 9.0])
CUTS = [
    SortedPotts(lam=1.0),
    SortedPotts(p=1, lam=1.0),
    SortedPotts(p=3, n_clusters=3),
    Potts(lam=1.0),
    Potts(p=1, n_clusters=4),
    TotalVariation(lam=1.0),
]


@pytest.mark.parametrize("cut", CUTS, ids=repr)
@pytest.mark.parametrize("weights", [None, np.array([1.0, 2.0, 0.5, 3.0, 1.0, 0.0, 1.0])])
def test_check_recomputes_the_objective(cut, weights):
    part = cut.cut(U, weights)
    assert part.check(U, weights) == pytest.approx(part.objective, rel=1e-12)


@pytest.mark.parametrize("cut", CUTS, ids=repr)
def test_check_finds_what_is_wrong(cut):
    part = cut.cut(U)
    labels = part.labels.copy()
    labels[0] = (labels[0] + 1) % part.n_clusters
    for change, message in (
        ({"objective": part.objective * 1.001}, "The labels give an objective of"),
        ({"labels": labels}, "The sizes are not the numbers of equal labels"),
        ({"sizes": part.sizes[::-1] + 1}, "The sizes are not the numbers of equal labels"),
        ({"levels": part.levels + 0.01}, "The labels give the levels"),
    ):
        with pytest.raises(ValueError, match=message):
            replace(part, **change).check(U)
    if part.boundaries is not None:
        with pytest.raises(ValueError, match="The boundaries do not part u as the labels do"):
            replace(part, boundaries=part.boundaries + 4).check(U)
    if part.breakpoints is not None:
        with pytest.raises(ValueError, match="The breakpoints are not where the labels change"):
            replace(part, breakpoints=part.breakpoints - 1).check(U)
    with pytest.raises(ValueError, match="u has 6 values, but this partition has 7 labels"):
        part.check(U[1:])


def test_the_penalty_counts_jumps():
    part = SortedPotts(lam=1.0).cut(U)
    assert part.n_clusters == 3
    assert part.objective == pytest.approx(2.0 + 0.02 + 0.02)
    assert SortedPotts(n_clusters=3).cut(U).objective == pytest.approx(0.04)


def test_repr_says_what_a_person_wants_to_know():
    shown = repr(SortedPotts(lam=1.0).cut(U))
    assert shown == (
        "Partition(n_clusters=3, levels=[0.1, 5, 9], objective=2.04, lam=1, exact=True)"
    )
    assert "lam" not in repr(SortedPotts(n_clusters=3).cut(U))
    assert len(repr(SortedPotts(lam=0).cut(np.arange(1000)))) < 200


def test_partitions_cannot_be_changed_by_accident():
    part = SortedPotts(lam=1.0).cut(U)
    with pytest.raises(AttributeError):
        part.lam = 2.0
