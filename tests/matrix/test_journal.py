"""Journals: a fit that was interrupted goes on where it was, and finds the same."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankone import RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_blocks, make_counts
from rankone.errors import FileError
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.dense import Dense
from rankone.matrix.journal import Journal, journaled
from rankone.matrix.sparse import Sparse

DENSE = make_blocks((120, 60), [[0, 3], [3, 0], [1, 4]], sigma=1.0, random_state=0).data
COUNTS = sp.csr_array(make_counts((120, 60), [[5, 1], [1, 4]], mean=0.7, random_state=0).data)


class Lost(Exception):
    """The matrix cannot be reached any more."""


@pytest.fixture
def limited(monkeypatch):
    """Return a function that lets so many more sweeps over the matrix succeed."""
    left = [np.inf]

    def counted(original):
        def each(self, function):
            left[0] -= self.shape == DENSE.shape  # not of samples and halves, in memory
            if left[0] < 0:
                raise Lost
            return original(self, function)

        return each

    for kind in (Dense, Sparse):
        monkeypatch.setattr(kind, "each", counted(kind.each))
    monkeypatch.setattr("rankone.matrix.base.SMALL", 0)  # no copies

    def limit(number):
        left[0] = number

    return limit


@pytest.mark.parametrize("learner", [RankOneCoclustering, RankOneClustering, RankOneTree])
@pytest.mark.parametrize("values", [DENSE, COUNTS], ids=["dense", "sparse"])
def test_a_fit_that_is_interrupted_again_and_again_finds_the_same(
    learner, values, limited, tmp_path
):
    path = tmp_path / "fit.journal"
    expected = learner().fit(values).labels_
    model = learner(checkpoint=path)
    attempts = 0
    while True:
        attempts += 1
        assert attempts < 200
        limited(5)
        try:
            labels = model.fit(values).labels_
            break
        except Lost:
            assert path.exists()
    assert attempts > 1
    np.testing.assert_array_equal(labels, expected)
    assert not path.exists()  # it has served its purpose


def interrupted(matrix, path):
    """Sweep over a matrix, and leave a journal behind."""
    with journaled(matrix, path, {}) as kept:
        sweeps(kept)
        raise Lost


def sweeps(matrix: Matrix) -> list:
    u, v = np.ones(matrix.shape[0]), np.ones((matrix.shape[1], 3))
    tile = matrix.take(np.array([3, 1]), np.array([0, 5]))
    return [matrix.dot(v), matrix.dot_transposed(u), tile.array(), matrix.sum_of(np.square)]


@pytest.mark.parametrize("values", [DENSE, COUNTS], ids=["dense", "sparse"])
def test_results_are_recalled_bit_by_bit(values, tmp_path):
    path, matrix = tmp_path / "a", as_matrix(values)
    expected = sweeps(matrix)
    with pytest.raises(Lost):
        interrupted(matrix, path)
    with journaled(matrix, path, {}) as kept:
        for ours, theirs in zip(sweeps(kept), expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert kept.journal.n_recalled == 4
    assert not path.exists()


@pytest.mark.parametrize("lost", [1, 50, 400, 2000])
def test_a_record_that_was_not_written_to_its_end_is_computed_again(lost, tmp_path):
    path, matrix = tmp_path / "a", as_matrix(DENSE)
    with pytest.raises(Lost):
        interrupted(matrix, path)
    content = path.read_bytes()
    path.write_bytes(content[:-lost])
    with journaled(matrix, path, {}) as kept:
        for ours, theirs in zip(sweeps(kept), sweeps(matrix), strict=True):
            np.testing.assert_array_equal(ours, theirs)
        assert 0 < kept.journal.n_recalled < 4


def test_damage_in_the_middle_is_computed_again(tmp_path):
    path, matrix = tmp_path / "a", as_matrix(DENSE)
    with pytest.raises(Lost):
        interrupted(matrix, path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with journaled(matrix, path, {}) as kept:
        for ours, theirs in zip(sweeps(kept), sweeps(matrix), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_the_journal_of_another_fit_is_refused(tmp_path):
    path = tmp_path / "fit.journal"

    def begin(values, **parameters):
        fit = RankOneCoclustering(**parameters).get_params()
        with pytest.raises(Lost), journaled(as_matrix(values), path, fit):
            raise Lost

    begin(DENSE)
    for values, parameters in ((DENSE[:, ::-1], {}), (DENSE, {"n_row_clusters": 3})):
        with pytest.raises(FileError, match="it is not the journal of a fit of this matrix"):
            begin(values, **parameters)
    begin(DENSE)


@pytest.mark.parametrize("content", [b"{}\n", b"\x00" * 99, b"[1]\n", b'{"kind": "x"}', b"\n"])
def test_a_file_that_is_no_journal_is_refused_and_kept(content, tmp_path):
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(FileError, match="remove it, or give another checkpoint"):
        RankOneCoclustering(checkpoint=path).fit(DENSE)
    assert path.read_bytes() == content


def test_records_of_other_sweeps_are_not_recalled(tmp_path):
    with Journal(tmp_path / "a", {}) as journal:
        journal.result("first", lambda: [np.arange(3)])
    with Journal(tmp_path / "a", {}) as journal:
        assert journal.result("second", lambda: [np.arange(4)])[0].size == 4
        assert journal.n_recalled == 0
