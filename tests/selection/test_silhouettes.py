"""Silhouettes against scikit-learn, and what they refuse."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import silhouette_score

from rankone import silhouette, silhouette_path
from rankone.cuts import (
    LargestGaps,
    Multiscale,
    Potts,
    Sign,
    SortedPotts,
    Threshold,
    sorted_potts_path,
)


def reference(u, labels):
    """Return scikit-learn's, by absolute differences: its Euclidean distances lose digits."""
    return silhouette_score(np.asarray(u, float)[:, None], labels, metric="manhattan")


@given(
    hnp.arrays(
        np.float64,
        st.integers(3, 40),
        elements=st.one_of(
            st.integers(-5, 5).map(float), st.floats(-100, 100).map(lambda x: round(x, 6))
        ),
    ),
    st.data(),
)
def test_equals_scikit_learn(u, data):
    distinct = np.unique(u).size
    assume(distinct >= 2)
    k = data.draw(st.integers(2, min(distinct, u.size - 1)))
    part = SortedPotts(n_clusters=k).cut(u)
    assert silhouette(u, part) == pytest.approx(reference(u, part.labels), abs=1e-12)


@pytest.mark.parametrize("n", [50, 500, 2000])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_equals_scikit_learn_on_longer_vectors(n, offset):
    rng = np.random.default_rng(n)
    u = offset + rng.normal(size=n) + 5 * rng.integers(0, 4, n)
    cuts = [Sign(), Threshold(0.01), LargestGaps(5), Multiscale(), SortedPotts(p=1, lam=5.0)]
    for cut in cuts[1:] if offset else cuts:
        part = cut.cut(u)
        assert part.n_clusters > 1
        assert silhouette(u, part) == pytest.approx(reference(u, part.labels), abs=1e-12)
        if not offset and part.n_clusters < 10:
            euclidean = silhouette_score(u[:, None], part.labels)
            assert silhouette(u, part) == pytest.approx(euclidean, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_the_path_has_the_silhouettes_of_its_partitions(ties):
    rng = np.random.default_rng(0)
    u = rng.normal(size=200) + 5 * rng.integers(0, 4, 200)
    u = np.round(u) if ties else u
    path = sorted_potts_path(u, max_clusters=12)
    scores = silhouette_path(path)
    assert np.isnan(scores[0])
    for k in path.n_clusters[1:]:
        part = path.at(n_clusters=int(k))
        assert scores[k - 1] == pytest.approx(reference(u, part.labels), abs=1e-12)
        assert scores[k - 1] == pytest.approx(silhouette(u, part), abs=1e-12)


def test_single_points_have_a_silhouette_of_zero():
    scores = silhouette_path(sorted_potts_path([1.0, 2.0, 4.0], max_clusters=3))
    assert scores[2] == 0.0


def test_the_silhouette_does_not_depend_on_scale_and_shift():
    rng = np.random.default_rng(1)
    u = rng.integers(0, 1000, 60) / 8
    part = SortedPotts(n_clusters=4).cut(u)
    expected = silhouette(u, part)
    for scale in (2.0**-1000, 2.0**900):
        assert silhouette(u * scale, part) == pytest.approx(expected, abs=1e-12)
    assert silhouette(u + 2**20, part) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1e-13, 1e-15])
def test_tight_clusters_next_to_a_wide_gap_are_exact(scale):
    u = np.array([-1, *(1 + scale * np.array([0, 1, 2, 10, 11, 12]))])
    part = LargestGaps(3).cut(u)
    assert silhouette(u, part) == pytest.approx(reference(u, part.labels), abs=1e-12)
    wide = [0, 1e-300, 2e-300, 1e300]
    with pytest.raises(ValueError, match="spread too widely for a silhouette"):
        silhouette(wide, LargestGaps(3).cut(wide))


def test_weights_count_occurrences():
    rng = np.random.default_rng(2)
    u, counts = rng.integers(0, 50, 40) / 4, rng.integers(0, 4, 40)
    repeated = np.repeat(u, counts)
    path = sorted_potts_path(u, max_clusters=6, weights=counts)
    scores = silhouette_path(path)
    for k in range(2, 7):
        part = path.at(n_clusters=k)
        expected = reference(repeated, np.repeat(part.labels, counts))
        assert scores[k - 1] == pytest.approx(expected, abs=1e-12)
        assert silhouette(u, part, counts) == pytest.approx(expected, abs=1e-12)


def test_coordinates_without_weight_count():
    """The silhouette is of the partition, whatever weights led to it."""
    u = np.array([0.0, 0.1, 5.0, 5.2, 4.0])
    part = SortedPotts(n_clusters=2).cut(u, [1, 1, 1, 1, 0])
    assert silhouette(u, part) == pytest.approx(reference(u, part.labels), abs=1e-12)


def test_other_partitions_are_refused():
    u = [0.0, 5.0, 0.1, 5.1]
    part = Potts(n_clusters=4).cut(u)
    assert silhouette(u, part) == 0.0  # single points are intervals, too
    contiguous = Potts(n_clusters=2).cut([0.0, 5.0, 1.0, 6.0, 9.0, 9.5])
    with pytest.raises(ValueError, match=r"not intervals of the values of u; use sklearn\.metrics"):
        silhouette([0.0, 9.0, 1.0, 6.0, 9.0, 9.5], contiguous)
    with pytest.raises(ValueError, match="two clusters or more, but the partition has one"):
        silhouette(u, SortedPotts(n_clusters=1).cut(u))
    with pytest.raises(ValueError, match="u has 3 values, but the partition has 4 labels"):
        silhouette(u[:3], part)
    with pytest.raises(ValueError, match=r"u\[0\] = nan is NaN"):
        silhouette([np.nan, 1, 2, 3], part)
    weighted = sorted_potts_path(u, weights=[1, 2, 1, 1.5])
    with pytest.raises(ValueError, match="weights must be whole numbers"):
        silhouette_path(weighted)
    with pytest.raises(ValueError, match="weights must be whole numbers"):
        silhouette(u, part, [1, 1, 1, 1.5])
    with pytest.raises(ValueError, match="partition must be a Partition, but it is a list"):
        silhouette(u, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="path must be a SortedPottsPath, but it is a list"):
        silhouette_path(u)
