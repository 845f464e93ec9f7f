"""Methods by name, and the combinations that make sense."""

import re

import pytest

from rankone.cuts import LargestGaps, Potts, Sign, SortedPotts, Threshold, TotalVariation
from rankone.errors import InputError, Setting
from rankone.methods import CUTS, VECTORS, as_cut, as_vectors
from rankone.vectors import NMF

NEEDS_NUMBER = [name for name, kind in CUTS.items() if kind.capabilities.required]
TAKES_NUMBER = [name for name, kind in CUTS.items() if kind.capabilities.takes_number]
FINDS_NUMBER = [name for name in CUTS if name not in NEEDS_NUMBER + TAKES_NUMBER]


@pytest.mark.parametrize("name", TAKES_NUMBER)
def test_a_number_of_clusters_is_passed_to_the_named_cut(name):
    cut, selects = as_cut(name, 3)
    assert (cut.n_clusters, selects) == (3, False)


@pytest.mark.parametrize("name", FINDS_NUMBER)
def test_cuts_that_find_their_number_select_nothing(name):
    cut, selects = as_cut(name, None)
    assert isinstance(cut, CUTS[name])
    assert not selects


@pytest.mark.parametrize(
    ("cut", "selects"),
    [
        ("sorted-potts", True),
        (SortedPotts(p=1), True),
        (SortedPotts(lam=1.0), False),
        (SortedPotts(n_clusters=2), False),
        (Potts(lam=1.0), False),
        (Threshold(1.0), False),
    ],
)
def test_a_number_is_selected_where_there_is_a_path_and_nothing_else_determines_it(cut, selects):
    assert as_cut(cut, None)[1] is selects


def test_objects_are_copied():
    given = SortedPotts(p=1)
    cut, _ = as_cut(given, 3)
    assert (cut.p, cut.n_clusters, given.n_clusters) == (1, 3, None)


@pytest.mark.parametrize(
    ("cut", "number", "message"),
    [
        ("threshold", None, "cut='threshold' needs a number of its own; give Threshold(eps=...)"),
        ("total-variation", 2, "give TotalVariation(lam=...) instead."),
        ("potts", None, "potts cannot select its number of clusters; give rows, or use sorted-p"),
        (LargestGaps(None), None, "LargestGaps cannot select its number of clusters"),
        (
            "sign",
            3,
            "rows is 3, but sign finds its own number of clusters; leave rows out, or",
        ),
        (Sign(), 3, "use largest-gaps, quantiles, potts or sorted-potts."),
        (Potts(lam=1.0), 3, "rows is 3, but cut has its own lam; give one of them."),
        (SortedPotts(n_clusters=2), 3, "rows is 3, but cut has its own n_clusters"),
        (TotalVariation(1.0), 3, "rows is 3, but cut has its own lam"),
        ("pots", None, "cut must be one of 'sign', 'threshold', "),
        (3, None, "or a cut such as SortedPotts(lam=1.0), but it is 3."),
    ],
)
def test_combinations_that_make_no_sense_are_refused(cut, number, message):
    with pytest.raises(InputError, match=re.escape(message)):
        as_cut(cut, number, number="rows")


def test_an_error_names_the_parameter_so_that_another_interface_can_reword_it():
    with pytest.raises(InputError) as caught:
        as_cut("potts", None, number="n_row_clusters")

    def as_flag(field):
        return "--rows" if isinstance(field, Setting) else str(field)

    assert "give --rows, or use" in caught.value.worded(as_flag)


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_are_found_by_name(name):
    assert type(as_vectors(name)) is type(VECTORS[name]())


def test_vectors_may_be_left_to_the_matrix():
    assert as_vectors("auto") is None


def test_vectors_given_as_an_object_are_copied():
    method = NMF(beta=2)
    copied = as_vectors(method)
    assert copied is not method
    assert copied.get_params() == method.get_params()


def test_an_unknown_name_of_vectors_is_refused_with_the_known_ones():
    with pytest.raises(InputError, match=r"vectors must be one of 'auto', 'marginal', .* 'nfm'"):
        as_vectors("nfm")
