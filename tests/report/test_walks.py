"""What sliders walk, and the curves above them: at the answer, all of them agree."""

import numpy as np
import pytest

from rankone import RankOneCoclustering
from rankone.datasets import make_counts, make_paper
from rankone.matrix import as_matrix
from rankone.refinement import block_fit
from rankone.report.walks import walk_of
from tests.report import models


def walks(model):
    matrix = model.prepared(model.matrix_)
    shared = bool(model.symmetric)
    return [walk_of(side, model.result_, matrix, shared) for side in model.result_.sides]


@pytest.mark.parametrize(
    "data",
    [
        make_paper("D4", 1.0, random_state=0).data,
        make_counts((200, 100), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0).data,
    ],
    ids=["gaussian", "counts"],
)
def test_the_likelihood_of_blocks_is_highest_at_the_answer(data):
    model = RankOneCoclustering().fit(data)
    assert model.result_.method == "blocks"
    for walk in walks(model):
        assert walk.curve.values.argmax() + 1 == walk.chosen
        assert walk.curve.values[walk.chosen - 1] == pytest.approx(model.result_.criterion)


def test_the_likelihood_of_other_numbers_is_that_of_their_blocks():
    model = models.blocks()
    for axis, walk in enumerate(walks(model)):
        labels = [model.row_labels_, model.column_labels_]
        tree = model.result_.sides[axis].tree
        for k in (1, 3, 6):
            labels[axis] = tree.cut(k)
            expected = block_fit(as_matrix(models.FRAME), *labels, "gaussian").criterion
            assert walk.curve.values[k - 1] == pytest.approx(expected)


def test_the_likelihood_of_a_graph_has_one_partition_on_both_sides():
    model = models.graph()
    walk = walks(model)[0]
    assert walk.curve.values.argmax() + 1 == walk.chosen == model.n_row_clusters_


def test_the_number_that_replicates_is_the_first_above_the_threshold():
    for walk in walks(models.wine()):
        above = walk.curve.values >= walk.curve.threshold
        assert above.argmax() + 1 == walk.chosen
        assert walk.reason == "as many as replicate in halves of the data"


@pytest.mark.parametrize("make", [models.blocks, models.wine, models.cut])
def test_confidence_at_the_answer_is_that_of_the_learner(make):
    for walk, side in zip(walks(make()), make().result_.sides, strict=True):
        np.testing.assert_array_equal(walk.confidence(walk.chosen), side.confidence)
        other = walk.confidence(walk.chosen + 1)
        assert ((other > 0) & (other <= 1)).all()


def test_rows_within_a_piece_lie_between_their_neighbours():
    """Along a gradient, the order of rows is that of the gradient."""
    position = np.random.default_rng(0).permutation(np.linspace(-3, 3, 120))
    loadings = np.linspace(0.5, 1.5, 20)
    X = np.outer(position, loadings)
    walk = walks(RankOneCoclustering(2, 1).fit(X))[0]
    order = np.lexsort((walk.key, walk.pieces))
    steps = np.diff(position[order])
    assert (steps > 0).all() or (steps < 0).all()
