"""Partitions verify themselves: what was changed is found."""

from dataclasses import replace

import numpy as np
import pytest

from rankone.cuts import LargestGaps, Multiscale, Potts, Sign, SortedPotts, TotalVariation

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
        ({"labels": labels}, "The sizes are not the numbers of coordinates"),
        ({"sizes": part.sizes[::-1] + 1}, "The sizes are not the numbers of coordinates"),
        ({"levels": part.levels + 0.01}, "The labels give the levels"),
    ):
        with pytest.raises(ValueError, match=message):
            replace(part, **change).check(U)
    if part.boundaries is not None:
        with pytest.raises(ValueError, match="The boundaries do not divide u as the labels do"):
            replace(part, boundaries=part.boundaries + 4).check(U)
    if part.breakpoints is not None:
        with pytest.raises(ValueError, match="The breakpoints are not where the labels change"):
            replace(part, breakpoints=part.breakpoints - 1).check(U)
    with pytest.raises(ValueError, match="u has 6 values, but this partition has 7 labels"):
        part.check(U[1:])


def every_cut(u, weight=1.0):
    """Return cuts of every kind, with penalties that suit the values and their weight."""
    spread = weight * float(np.ptp(u))
    return [
        SortedPotts(n_clusters=3),
        SortedPotts(p=1, n_clusters=3),
        Potts(n_clusters=3),
        Potts(p=1, n_clusters=3),
        Potts(p=1, lam=spread),
        TotalVariation(lam=spread),
        TotalVariation(lam=0.1 * spread),
        LargestGaps(3),
        Sign(),
        Multiscale(),
    ]


@pytest.mark.parametrize("exponent", [-1074, -1060, -600, -500, 500, 502])
def test_check_does_not_depend_on_the_magnitude(exponent):
    u = np.ldexp(np.array([0.0, 1.0, 90.0, 91.0, 88.0, 5.0, 300.0]), exponent)
    for cut in every_cut(u):
        part = cut.cut(u)
        assert part.check(u) == pytest.approx(part.objective, rel=1e-9)


@pytest.mark.parametrize("offset", [1e9, 1e15, -1e15])
def test_check_allows_for_the_rounding_of_levels_far_from_zero(offset):
    u = offset + np.array([0.0, 1.0, 90.0, 91.0, 88.0, 5.0, 300.0])
    for cut in every_cut(u):
        cut.cut(u).check(u)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_check_allows_for_extreme_weights(scale):
    rng = np.random.default_rng(0)
    for _ in range(20):
        u = rng.integers(-5, 6, 9).astype(float)
        u[:3] = [-5.0, 0.0, 5.0]
        w = scale * rng.choice([1.0, 2.0**-39], 9) * (1 + rng.integers(0, 3, 9) * 2.0**-52)
        for cut in every_cut(u, scale):
            cut.cut(u, w).check(u, w)


def test_check_finds_a_wrong_level_far_from_zero():
    u = 1e9 + U
    part = SortedPotts(lam=1.0).cut(u)
    with pytest.raises(ValueError, match="The labels give the levels"):
        replace(part, levels=part.levels + 0.01).check(u)


def test_check_finds_a_wrong_median():
    u, w = np.array([0.0, 1.0, 5.0]), np.array([1.0, 0.75, 0.5])
    part = SortedPotts(p=1, n_clusters=1).cut(u, w)
    with pytest.raises(ValueError, match="The labels give the levels"):
        replace(part, levels=np.zeros(1)).check(u, w)


def test_small_values_with_large_weights_keep_the_digits_of_the_objective():
    u, w = np.array([0.0, 1e-160, 7e-160]), np.full(3, 1e300)
    part = Potts(n_clusters=2).cut(u, w)
    ordinary = Potts(n_clusters=2).cut(u * 1e160)
    assert part.objective == pytest.approx(ordinary.objective * 1e-20, rel=1e-12)
    denoised = TotalVariation(lam=1e140).cut(u, w)
    ordinary = TotalVariation(lam=1.0).cut(u * 1e160)
    assert denoised.objective == pytest.approx(ordinary.objective * 1e-20, rel=1e-12)


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
