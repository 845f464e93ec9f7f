"""Measures of co-clusterings, against enumeration and scikit-learn."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from rankone.metrics import align_labels, coclustering_error, coclustering_rand_score, error_rate

LABELS = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@given(LABELS, LABELS)
def test_error_rate_is_that_of_the_best_renaming(true, pred):
    names = [dict(zip(range(4), p, strict=True)) for p in permutations(range(4))]
    best = min(np.mean([name[b] != a for a, b in zip(true, pred, strict=True)]) for name in names)
    assert error_rate(true, pred) == pytest.approx(best)


@given(LABELS, LABELS)
def test_aligned_labels_have_the_error_rate(true, pred):
    aligned = align_labels(true, pred)
    assert np.mean(aligned != np.array(true)) == pytest.approx(error_rate(true, pred))
    assert error_rate(pred, aligned) == 0


@given(LABELS, LABELS, LABELS, LABELS)
def test_coclusterings_are_clusterings_of_entries(z, w, a, b):
    entries = [4 * np.array(rows)[:, None] + columns for rows, columns in ((z, w), (a, b))]
    expected = adjusted_rand_score(*(labels.ravel() for labels in entries))
    assert coclustering_rand_score(z, w, a, b) == pytest.approx(expected, abs=1e-12)


def test_coclustering_error_counts_entries():
    rows, columns = [0, 0, 1, 1, 1], [0, 1, 1, 2]
    wrong_rows, wrong_columns = [0, 1, 1, 1, 1], [0, 1, 2, 2]
    right = np.outer([1, 0, 1, 1, 1], [1, 1, 0, 1])
    error = coclustering_error(rows, columns, wrong_rows, wrong_columns)
    assert error == pytest.approx(1 - right.mean())


def test_lengths_must_agree():
    with pytest.raises(ValueError, match=r"their shapes are \(2,\) and \(3,\)"):
        error_rate([0, 1], [0, 1, 1])
