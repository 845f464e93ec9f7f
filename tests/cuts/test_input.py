"""The input that all cuts accept, and the input that all of them refuse."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rankone.cuts import (
    LargestGaps,
    Multiscale,
    Potts,
    Quantiles,
    Sign,
    SortedPotts,
    Threshold,
    TotalVariation,
    sorted_potts_path,
)

CUTS = [
    SortedPotts(lam=0.5),
    SortedPotts(p=1, n_clusters=1),
    SortedPotts(p=1.5, lam=0.5),
    Potts(lam=0.5),
    Potts(p=1, n_clusters=1),
    Sign(),
    Threshold(0.5),
    LargestGaps(1),
    Quantiles(1),
    TotalVariation(0.5),
    Multiscale(),
    Multiscale("pph"),
]
every_cut = pytest.mark.parametrize("cut", CUTS, ids=repr)

BAD_VECTORS = [
    ([0, np.nan, 1], None, r"^u\[1\] = nan is NaN; drop or fill missing values\.$"),
    ([np.nan, 1, np.nan], None, r"^u\[0\] = nan is NaN \(and 1 more\); drop or fill"),
    ([0, np.inf], None, r"^u\[1\] = inf is infinite; values must be finite\.$"),
    ([0, -np.inf], None, r"^u\[1\] = -inf is infinite"),
    ([0, 10**400], None, r"^u\[1\] = inf is infinite"),
    ([], None, r"^u is empty; it must have at least one value\.$"),
    ([[1, 2], [3, 4]], None, r"shape is \(2, 2\); give one row or column\.$"),
    (pd.DataFrame({"a": [1, 2]}), None, r"shape is \(2, 1\); give one row or column\.$"),
    ([[1, 2], [3]], None, "a sequence of numbers, but its rows differ"),
    (3.0, None, r"^u must be a sequence of numbers, but it is 3\.0\.$"),
    (None, None, "a sequence of numbers, but it is None"),
    ("abc", None, "a sequence of numbers, but it is 'abc'"),
    ({1, 2}, None, r"a sequence of numbers, but it is \{1, 2\}"),
    (["a", "b"], None, "^u must hold real numbers, but its type is <U1"),
    (np.array([1, "b"], object), None, r"^u must hold real numbers, but u\[1\] is 'b'\.$"),
    ([1, None], None, r"u\[1\] is None"),
    ([Decimal(0), Decimal("NaN")], None, r"^u\[1\] = nan is NaN; drop or fill missing values\.$"),
    ([Decimal(0), Decimal("sNaN")], None, r"^u\[1\] = nan is NaN"),
    ([0, Decimal(2**60 + 1)], None, r"u\[1\] = 1152921504606846977 is not exact as a double"),
    ([1j, 2], None, "real numbers, but its type is complex128"),
    (np.array(["2020-01-01"], "datetime64[D]"), None, "real numbers"),
    (np.array([1, 2**60 + 1]), None, r"u\[1\] = 1152921504606846977 is not exact as a double"),
    ([0, 2**70 + 1], None, r"u\[1\] = 1180591620717411303425 is not exact as a double"),
    (np.ma.array([1.0, 2.0], mask=[True, False]), None, r"masked entries; give u\.compressed"),
    ([1, 2], [1, -1], r"^weights\[1\] = -1.0 is negative; weights are zero or more\.$"),
    ([1, 2], [0, 0], "^weights are all zero; at least one must be positive"),
    ([1, 2], [1], "weights and u must have the same length, but their lengths are 1 and 2"),
    ([1, 2], [1, np.nan], r"^weights\[1\] = nan is NaN"),
    ([1, 2], [1, np.inf], r"^weights\[1\] = inf is infinite"),
    ([1, 2], ["1", "2"], "^weights must hold real numbers"),
    ([1, 2], [1e-20, 1], r"^weights\[0\] = 1e-20 is too small relative to the largest"),
]


@every_cut
@pytest.mark.parametrize(("u", "weights", "message"), BAD_VECTORS)
def test_bad_vectors_are_refused(cut, u, weights, message):
    with pytest.raises(ValueError, match=message):
        cut.cut(u, weights)


@pytest.mark.parametrize(("u", "weights", "message"), BAD_VECTORS)
def test_bad_vectors_are_refused_by_the_path(u, weights, message):
    with pytest.raises(ValueError, match=message):
        sorted_potts_path(u, weights=weights)


@every_cut
@pytest.mark.parametrize("u", [[3.5], [-0.1] * 7, np.zeros(3, np.int8), np.full(40, 1e300)])
def test_a_constant_vector_is_one_cluster(cut, u):
    part = cut.cut(u)
    assert part.n_clusters == 1
    assert part.objective == 0.0
    assert part.labels.tolist() == [0] * len(u)
    np.testing.assert_array_equal(part.signal, u)
    assert part.check(u) == 0.0


U = np.array([5.0, 1.0, 1.5, 5.0, 5.25, 9.0, 9.0, 1.0])
FORMS = {
    "float32": U.astype(np.float32),
    "float16": U.astype(np.float16),
    "longdouble": U.astype(np.longdouble),
    "big-endian": U.astype(">f8"),
    "list": U.tolist(),
    "tuple": tuple(U),
    "objects": U.astype(object),
    "decimals": [Decimal(x) for x in U],
    "fractions": [Fraction(x) for x in U],
    "series": pd.Series(U, index=list("hgfedcba")),
    "nullable series": pd.Series(U, dtype="Float64"),
    "strided": np.repeat(U, 2)[::2],
    "reversed": U[::-1].copy()[::-1],
    "column": np.column_stack([U, U])[:, 0],
}


@every_cut
@pytest.mark.parametrize("form", FORMS)
def test_the_form_of_a_vector_does_not_matter(cut, form):
    expected = cut.cut(U)
    part = cut.cut(FORMS[form], weights=None)
    np.testing.assert_array_equal(part.labels, expected.labels)
    np.testing.assert_array_equal(part.levels, expected.levels)
    weighted = cut.cut(FORMS[form], weights=FORMS[form])
    np.testing.assert_array_equal(weighted.labels, cut.cut(U, U).labels)


@every_cut
@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.int16, bool])
def test_integers_and_booleans_are_cut_like_floats(cut, dtype):
    u = (U > 3).astype(dtype)
    np.testing.assert_array_equal(cut.cut(u).labels, cut.cut(u.astype(float)).labels)


@every_cut
def test_input_is_left_alone_and_may_be_read_only(cut):
    u, w = U.copy(), np.arange(8.0)
    u.setflags(write=False)
    w.setflags(write=False)
    cut.cut(u, w)
    np.testing.assert_array_equal(u, U)
    np.testing.assert_array_equal(w, np.arange(8.0))


@every_cut
def test_results_do_not_share_memory_with_the_input(cut):
    u = U.copy()
    part = cut.cut(u)
    levels = part.levels.copy()
    u[:] = 0.0
    np.testing.assert_array_equal(part.levels, levels)


@every_cut
def test_cuts_can_be_cloned(cut):
    assert clone(cut).get_params() == cut.get_params()
    assert repr(clone(cut)) == repr(cut)


@pytest.mark.parametrize("lam", [-1, np.nan, np.inf, "1", True, [1.0], 1j, 10**400, np.ones(2)])
@pytest.mark.parametrize("make", [SortedPotts, Potts, TotalVariation])
def test_bad_penalties_are_refused(make, lam):
    with pytest.raises(ValueError, match="lam must be a finite number, zero or more, but it is"):
        make(lam=lam).cut([1, 2])


@pytest.mark.parametrize("make", [SortedPotts, Potts, LargestGaps])
@pytest.mark.parametrize(
    ("k", "message"),
    [
        (0, "whole number, 1 or more, but it is 0"),
        (-1, "whole number"),
        (1.5, "whole number"),
        (True, "whole number"),
        ("2", "whole number"),
        (4, "n_clusters is 4, but the number of .* is 3"),
    ],
)
def test_bad_numbers_of_clusters_are_refused(make, k, message):
    with pytest.raises(ValueError, match=message):
        make(n_clusters=k).cut([1, 2, 2, 7, 8], [1, 1, 1, 1, 0])


@pytest.mark.parametrize("make", [SortedPotts, Potts])
def test_exactly_one_of_penalty_and_number_is_given(make):
    with pytest.raises(ValueError, match="Neither lam nor n_clusters is given"):
        make().cut([1, 2])
    with pytest.raises(ValueError, match="Both lam and n_clusters are given"):
        make(lam=1.0, n_clusters=2).cut([1, 2])


def test_large_integers_that_are_exact_are_accepted():
    assert SortedPotts(n_clusters=2).cut([2**60, 0, 2**60 + 2**10]).labels.tolist() == [1, 0, 1]


def test_numpy_scalars_are_accepted_as_parameters():
    assert SortedPotts(p=np.int64(2), n_clusters=np.int32(2)).cut([1, 2, 7]).n_clusters == 2
    assert SortedPotts(p=np.float32(1), lam=np.float64(1)).cut([1, 2, 7]).n_clusters == 2
