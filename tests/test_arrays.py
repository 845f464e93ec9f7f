"""Arrays of objects: vectors and matrices accept the same numbers."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from rankone.cuts import SortedPotts
from rankone.errors import InputError
from rankone.matrix import as_matrix

NUMBERS = {
    "decimals": [Decimal("0.5"), Decimal(7), Decimal("-1.25")],
    "fractions": [Fraction(1, 2), Fraction(7), Fraction(-5, 4)],
    "mixed objects": [Decimal("0.5"), 7, np.float32(-1.25)],
}
every_kind = pytest.mark.parametrize("kind", NUMBERS)


@every_kind
def test_vectors_accept_objects_that_are_real_numbers(kind):
    part = SortedPotts(n_clusters=3).cut(NUMBERS[kind])
    np.testing.assert_array_equal(part.signal, [0.5, 7.0, -1.25])


@every_kind
def test_matrices_accept_the_same_objects(kind):
    matrix = as_matrix([NUMBERS[kind], NUMBERS[kind]])
    np.testing.assert_array_equal(matrix.totals.columns, [1.0, 14.0, -2.5])


@pytest.mark.parametrize("bad", ["1", 1j, [1]])
def test_both_refuse_objects_that_are_not_real_numbers_and_say_where(bad):
    numbers = np.empty(2, object)
    numbers[:] = [1, bad]
    with pytest.raises(InputError, match=r"^u must hold real numbers, but u\[1\] is "):
        SortedPotts(lam=1.0).cut(numbers)
    with pytest.raises(InputError, match=r"^X must hold real numbers, but X\[0, 1\] is "):
        as_matrix(numbers[None])


def test_both_refuse_rows_of_different_lengths():
    with pytest.raises(ValueError, match=r"^u must be a sequence of numbers, but its rows differ"):
        SortedPotts(lam=1.0).cut([[1, 2], [3]])
    with pytest.raises(ValueError, match=r"^X must be a matrix, but its rows differ in length"):
        as_matrix([[1, 2], [3]])


def test_none_is_missing_in_a_matrix_and_refused_in_a_vector():
    assert as_matrix([[1, None], [2, 3]]).n_missing == 1
    with pytest.raises(InputError, match=r"u\[1\] is None"):
        SortedPotts(lam=1.0).cut([1, None])
