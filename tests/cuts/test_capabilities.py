"""Each cut behaves as its capabilities declare."""

import numpy as np
import pytest

from rankone.cuts import LargestGaps, Multiscale, Potts, Quantiles, Sign, SortedPotts, Threshold
from rankone.cuts import TotalVariation as Variation

CUTS = [
    SortedPotts(n_clusters=3),
    SortedPotts(p=1, lam=0.5),
    Potts(n_clusters=3),
    Potts(p=1, lam=0.5),
    Sign(),
    Threshold(0.5),
    LargestGaps(3),
    Quantiles(3),
    Variation(0.5),
    Multiscale(),
]
every_cut = pytest.mark.parametrize("cut", CUTS, ids=repr)


def three_groups():
    """Return a signal whose pieces, in its order, are not its clusters of values."""
    rng = np.random.default_rng(0)
    return rng.permutation(np.repeat([-4.0, 0.0, 5.0], 20)) + rng.uniform(-0.1, 0.1, 60)


@every_cut
def test_the_order_of_coordinates_matters_if_and_only_if_that_is_declared(cut):
    u = three_groups()
    order = np.argsort(u)
    same = np.array_equal(cut.cut(u[order]).labels, cut.cut(u).labels[order])
    assert same is not cut.capabilities.ordered


@every_cut
def test_there_are_boundaries_if_and_only_if_clusters_are_declared_as_intervals(cut):
    part = cut.cut(three_groups())
    assert (part.boundaries is not None) == cut.capabilities.intervals
    assert (part.breakpoints is not None) == cut.capabilities.ordered


@every_cut
def test_the_parameters_that_determine_the_clusters_exist(cut):
    assert set(cut.capabilities.determined_by) <= set(cut.get_params())


@every_cut
def test_a_number_of_clusters_is_respected_where_one_is_accepted(cut):
    assert cut.capabilities.takes_number == ("n_clusters" in cut.get_params())
    if cut.capabilities.takes_number:
        neither = dict.fromkeys(cut.capabilities.determined_by)
        part = cut.set_params(**{**neither, "n_clusters": 4}).cut(three_groups())
        assert part.n_clusters == 4


@pytest.mark.parametrize("make", [Threshold, Variation])
def test_a_required_parameter_is_declared_and_has_no_default(make):
    with pytest.raises(TypeError, match=make.capabilities.required):
        make()


@pytest.mark.parametrize("make", [SortedPotts, Potts, Sign, LargestGaps, Quantiles, Multiscale])
def test_cuts_that_need_no_number_of_their_own_declare_none(make):
    assert make.capabilities.required is None


@pytest.mark.parametrize("p", [1, 2])
def test_the_path_of_a_cut_holds_what_it_returns_for_each_number(p):
    u, weights = three_groups(), np.arange(1.0, 61.0)
    path = SortedPotts(p=p, lam=7.0).path(u, 5, weights)
    for k in range(1, 6):
        expected = SortedPotts(p=p, n_clusters=k).cut(u, weights)
        np.testing.assert_array_equal(path.at(n_clusters=k).labels, expected.labels)


@every_cut
def test_cuts_without_a_path_say_which_cut_has_one(cut):
    if cut.capabilities.path:
        assert len(cut.path(three_groups(), 4)) == 4
    else:
        with pytest.raises(ValueError, match="has no path; use SortedPotts"):
            cut.path(three_groups(), 4)


@every_cut
def test_the_documentation_of_cut_is_inherited(cut):
    assert "cut" not in vars(type(cut))
    assert "weights : array-like" in type(cut).cut.__doc__
