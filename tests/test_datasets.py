"""Simulated data are what they say."""

import numpy as np
import pytest

from rankone.datasets import PAPER, make_blocks, make_counts, make_paper


@pytest.mark.parametrize("name", PAPER)
def test_paper(name):
    design, blocks = PAPER[name], make_paper(name, random_state=0)
    assert blocks.data.shape == design.shape
    expected = blocks.means[blocks.row_labels][:, blocks.column_labels]
    residuals = blocks.data - expected
    assert residuals.std() == pytest.approx(design.sigma, rel=0.02)
    shares = np.bincount(blocks.row_labels) / design.shape[0]
    assert np.abs(shares - design.row_shares).max() < 0.1
    noisy = make_paper(name, noise=2, random_state=0)
    assert (noisy.data - expected).std() == pytest.approx(2, rel=0.02)


def test_the_same_seed_is_the_same_draw():
    first, second = (make_paper("D3", 1, missing=0.2, random_state=3) for _ in range(2))
    assert np.array_equal(first.data, second.data, equal_nan=True)
    assert not np.array_equal(first.data, make_paper("D3", 1, random_state=4).data)


def test_contiguous_or_shuffled():
    ordered = make_paper("D1", shuffle=False, random_state=0)
    assert (np.diff(ordered.row_labels) >= 0).all()
    mixed = make_paper("D1", random_state=0)
    assert (np.diff(mixed.row_labels) < 0).any()
    assert np.array_equal(np.sort(ordered.data, axis=None), np.sort(mixed.data, axis=None))


def test_missing():
    assert np.isnan(make_paper("D1", missing=0.3, random_state=0).data).mean() == pytest.approx(
        0.3, abs=0.01
    )
    by_column = np.linspace(0, 0.9, 300)
    gaps = np.isnan(make_paper("D1", missing=by_column, shuffle=False, random_state=0).data)
    assert np.abs(gaps.mean(axis=0) - by_column).max() < 0.1


def test_counts():
    blocks = make_counts((400, 300), [[4, 1], [1, 2]], mean=3, spread=0, random_state=0)
    assert blocks.data.mean() == pytest.approx(3, rel=0.05)
    assert (blocks.data % 1 == 0).all()
    block = blocks.data[blocks.row_labels == 0][:, blocks.column_labels == 0]
    assert block.var() == pytest.approx(block.mean(), rel=0.05)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"means": [1, 2]}, "means must be a 2-d table"),
        ({"row_shares": [0.5, 0.6]}, "row_shares must be 2 probabilities"),
        ({"missing": 1.0}, "missing must be a probability below one"),
        ({"sigma": -1}, "sigma must be"),
    ],
)
def test_nonsense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_blocks(**{"shape": (4, 6), "means": [[0, 1], [2, 3]], **arguments})
