"""Numbers of clusters by the noise of the scores."""

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from rankone import SortedPotts, sorted_potts_path
from rankone.selection import PENALTIES, choose, mixture_curve, silhouette, silhouette_path
from rankone.selection.mixtures import _fit


def scores(levels, size, noise):
    """Return noisy scores of clusters of equal size."""
    rng = np.random.default_rng(0)
    return np.repeat(levels, size) + noise * rng.normal(size=size * len(levels))


def chosen(u, variance, selection="noise", **parameters):
    path = sorted_potts_path(u, max_clusters=10)
    return choose(path, selection, lambda: np.full(u.size, variance), **parameters)


@pytest.mark.parametrize("selection", ["noise", "noise-strict"])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_separated_levels_are_counted(selection, k):
    u = scores(5.0 * np.arange(k), 60, 1.0)
    assert chosen(u, 1.0, selection).n_clusters == k


def test_only_the_strict_rule_splits_clusters_wider_than_the_noise():
    u = scores([0.0, 20.0], 200, 1.0)
    assert chosen(u, 0.01, "noise").n_clusters == 2
    assert chosen(u, 0.01, "noise-strict").n_clusters == 10


def test_the_curve_has_its_maximum_at_the_choice():
    choice = chosen(scores([0, 5, 10], 50, 1.0), 1.0)
    assert choice.criterion.size == 10
    assert choice.criterion.argmax() + 1 == choice.n_clusters == 3
    assert not choice.at_bound


def test_the_fit_has_the_likelihood_of_scikit_learns_mixture():
    u = np.sort(scores([0.0, 3.0, 6.0], 200, 1.0))
    ones, tiny = np.ones(u.size), np.full(u.size, 1e-12)
    means, shares = np.array([0.0, 3.0, 6.0]), np.full(3, 1 / 3)
    likelihood, entropy = _fit(u, ones, 0 * ones, tiny, means, shares, False)
    peer = GaussianMixture(
        3, covariance_type="tied", means_init=[[0], [3], [6]], tol=1e-9, max_iter=2000
    ).fit(u[:, None])
    assert likelihood == pytest.approx(peer.score(u[:, None]) * u.size, abs=0.1)
    posterior = peer.predict_proba(u[:, None])
    expected = -(posterior * np.log(np.maximum(posterior, 1e-300))).sum()
    assert entropy == pytest.approx(expected, rel=0.05)


def test_lognormal_scores_are_one_cluster_on_the_scale_of_their_logarithm():
    u = np.exp(np.random.default_rng(0).normal(size=500))
    curve = mixture_curve(sorted_potts_path(u, max_clusters=10), np.full(500, 1e-6))
    assert curve.scale == "logarithm"
    assert curve.criterion.argmax() == 0


def test_groups_do_not_change_the_choice():
    u = scores([0, 4, 8], 2000, 1.0)  # many more than are fitted one by one
    assert chosen(u, 1.0).n_clusters == chosen(u[::10], 1.0).n_clusters == 3


def test_numbers_with_too_small_clusters_are_not_chosen():
    u = np.concatenate([scores([0, 10], 40, 0.5), [30.0, 30.1]])
    assert chosen(u, 0.25).n_clusters == 3
    assert chosen(u, 0.25, min_cluster_size=5).n_clusters == 2


def test_silhouette_chooses_the_maximum_of_the_curve():
    path = sorted_potts_path(scores([0, 5, 10], 50, 1.0), max_clusters=10)
    curve = silhouette_path(path)
    assert choose(path, "silhouette").n_clusters == np.nanargmax(curve) + 1 == 3


def along_penalties(u, p, penalties=PENALTIES):
    """Return the numbers of clusters at increasing penalties, and their silhouettes."""
    parts = [SortedPotts(p, lam=lam).cut(u) for lam in penalties]
    several = [part for part in parts if part.n_clusters > 1]
    return [part.n_clusters for part in several], [silhouette(u, part) for part in several]


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("scale", [0.2, 1.0, 3.0])
def test_silhouette_first_raises_the_penalty_until_the_silhouette_no_longer_rises(p, scale):
    u = scale * scores([0, 1, 2], 40, 0.15)
    numbers, curve = along_penalties(u, p)
    path = sorted_potts_path(u, p, u.size)
    rises = np.diff(curve, append=-1.0)
    stable = choose(path, "silhouette-first").n_clusters
    assert stable == numbers[np.flatnonzero(rises <= 1e-6)[0]]
    falls = choose(path, "silhouette-first", tolerance=-1e-6).n_clusters
    assert falls == numbers[np.flatnonzero(rises < -1e-6)[0]]


def test_silhouette_first_depends_on_the_scale_and_its_penalties_with_it():
    u = scores([0, 1, 2], 40, 0.15)
    numbers = [
        choose(sorted_potts_path(scale * u, 1, u.size), "silhouette-first").n_clusters
        for scale in (1.0, 3.0)
    ]
    assert numbers[0] != numbers[1]
    again = choose(
        sorted_potts_path(3.0 * u, 1, u.size),
        "silhouette-first",
        penalties=[3.0 * lam for lam in PENALTIES],
    )
    assert again.n_clusters == numbers[0]


def test_silhouette_first_where_no_penalty_is_on_the_path_or_all_choose_one_cluster():
    u = scores([0, 5, 10], 50, 1.0)
    short = choose(sorted_potts_path(100 * u, max_clusters=4), "silhouette-first")
    assert short.n_clusters == 4
    assert short.at_bound
    assert choose(sorted_potts_path(1e-6 * u), "silhouette-first").n_clusters == 1
    none_allowed = choose(sorted_potts_path(u), "silhouette-first", min_cluster_size=100)
    assert none_allowed.n_clusters == 1


def test_equal_scores_are_one_cluster():
    assert choose(sorted_potts_path([1.0, 1.0]), "silhouette").n_clusters == 1


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError, match="selection must be one of 'noise'"):
        choose(sorted_potts_path([1.0, 2.0]), "elbow")


def test_scores_that_rounding_shifts_to_zero_are_still_positive():
    u = np.array([1e-87, 1e-70, 1e-54, 1e-40, 2e-40, 1e-32])
    curve = mixture_curve(sorted_potts_path(u, max_clusters=4), np.full(u.size, 1e-90), False)
    assert np.isfinite(curve.criterion).all()
