"""Matrices that are mapped from files: nothing changes but what stays in memory."""

import numpy as np
import pytest

from rankone import RankOneCoclustering
from rankone.datasets import make_paper
from rankone.matrix import as_matrix, mapped
from rankone.matrix.mapped import Pages

DATA = make_paper("D4", 1.0, missing=0.1, random_state=0).data


@pytest.fixture(params=["C", "F"])
def path(request, tmp_path):
    np.save(tmp_path / "a.npy", np.array(DATA, order=request.param))
    return tmp_path / "a.npy"


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_the_fit_is_the_same(path, mode, monkeypatch):
    monkeypatch.setattr(mapped, "KEPT", 1000)
    array = np.load(path, mmap_mode=mode)
    ours, expected = RankOneCoclustering().fit(array), RankOneCoclustering().fit(DATA)
    np.testing.assert_array_equal(ours.row_labels_, expected.row_labels_)
    np.testing.assert_allclose(ours.row_vector_, expected.row_vector_, rtol=1e-12)


def test_changes_in_memory_are_kept(path, monkeypatch):
    """What was written to a private map is in no file: its pages must stay."""
    monkeypatch.setattr(mapped, "KEPT", 1000)
    array = np.load(path, mmap_mode="c")
    array[:] = 7.0
    assert as_matrix(array[10:]).totals.rows.sum() == 7.0 * 290 * 300
    assert (array == 7.0).all()


def test_pages_are_given_back(path, monkeypatch):
    monkeypatch.setattr(mapped, "KEPT", 0)
    array = np.asarray(np.load(path, mmap_mode="r"))[5:, ::2]
    pages = Pages(array)
    released = []
    monkeypatch.setattr(
        pages, "_map", type("", (), {"madvise": lambda _, how: released.append(how)})()
    )
    pages.read_rows(3)
    assert len(released) == 1
    for kept in (DATA, np.load(path, mmap_mode="c"), np.load(path, mmap_mode="r+")):
        assert Pages(kept)._map is None
    assert Pages(array)._map is not None
