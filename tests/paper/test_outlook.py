"""What views tell: entropies, and blocks whose margins are constant."""

import numpy as np
import pytest
from scipy.stats import entropy as scipy_entropy

from rankone.paper.outlook import CONSTANT, N_VIEWS, _constant, cut_views, draw, entropy
from rankone.paper.vectors import rank_correlations, sinkhorn_scores


def test_entropy_of_one_column_is_that_of_scipy_and_joint_entropies_add_up():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4, 500), rng.integers(0, 3, 500)
    assert entropy(a[:, None]) == pytest.approx(scipy_entropy(np.bincount(a), base=2))
    joint = entropy(np.column_stack([a, b]))
    given = sum((b == k).mean() * entropy(a[b == k, None]) for k in range(3))
    assert joint - entropy(b[:, None]) == pytest.approx(given)
    assert entropy(np.zeros((5, 0), int)) == 0.0


def test_margins_of_constant_blocks_tell_nothing_and_the_next_view_all():
    figures = draw(CONSTANT, 1.0, 0)
    assert figures["truth"] == 1.0
    assert (figures["view 0/clusters"], figures["view 0/left"]) == (1.0, 1.0)
    assert (figures["view 1/adds"], figures["view 1/left"]) == (1.0, 0.0)
    assert figures["tree/rows"] == figures["Fiedler/rows"] == 1.0
    assert figures["Marginal/rows"] < 0.1


def test_margins_of_constant_blocks_are_constant():
    blocks = _constant(0.0, 3)
    assert np.ptp(blocks.data.mean(axis=0)) == np.ptp(blocks.data.mean(axis=1)) == 0.0


def test_what_views_add_is_what_they_tell_together():
    figures = draw("D2", 2.0, 1)
    adds = [figures[f"view {k}/adds"] for k in range(N_VIEWS + 1)]
    left = [figures[f"view {k}/left"] for k in range(N_VIEWS + 1)]
    assert min(adds) >= 0
    assert left == sorted(left, reverse=True)
    assert left[0] > 0.1 > left[-1]
    labels = cut_views(np.zeros((6, 4)))
    assert all(not part.any() for part in labels)  # nothing to tell


def test_sinkhorn_scores_scale_to_a_doubly_stochastic_matrix():
    data = np.random.default_rng(0).uniform(0.1, 1, (7, 7))
    row, column = sinkhorn_scores(data)
    scaled = data / np.outer(row, column)
    np.testing.assert_allclose(scaled.sum(axis=0), np.ones(7))
    np.testing.assert_allclose(scaled.sum(axis=1), np.ones(7))


def test_pagerank_and_sinkhorn_rank_alike():
    assert min(min(pair) for pair in rank_correlations().values()) > 0.98
