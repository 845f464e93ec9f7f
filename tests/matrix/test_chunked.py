"""Chunks: a matrix in parts is the same matrix, whoever sweeps the parts."""

import os
import threading
import time
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import effective_n_jobs
from threadpoolctl import threadpool_info

from rankone import RankOneCoclustering, RankOneTree, RankOneViews
from rankone._threads import THREADS, Threads, n_threads, threads
from rankone.datasets import make_blocks, make_counts
from rankone.matrix import as_matrix, submatrix
from rankone.matrix.chunked import Chunked, in_chunks
from rankone.matrix.tiles import ALL
from tests.matrix.kinds import close, stored


@st.composite
def chunked(draw):
    """Return an array, and matrices of its rows: uneven, some of one row, dense or sparse."""
    m, n = draw(st.integers(1, 60)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    array = rng.poisson(1.0, (m, n)).astype(float)
    if draw(st.booleans()):
        array[1:, 1:][rng.random((m - 1, n - 1)) < 0.3] = np.nan
    cuts = draw(st.sets(st.integers(1, m - 1), max_size=50)) if m > 1 else set()
    pieces = np.split(array, sorted(cuts))
    if draw(st.booleans()):
        return array, [as_matrix(stored(piece), "absent", empty_columns=True) for piece in pieces]
    return array, [as_matrix(piece, empty_columns=True) for piece in pieces]


@settings(max_examples=60)
@given(chunked(), st.sampled_from([Threads(1), THREADS]))
def test_chunks_are_the_whole_matrix(case, runner):
    array, parts = case
    rng = np.random.default_rng(0)
    matrix, whole = Chunked.of(parts, runner), np.nan_to_num(array)
    with threads(2):
        v, u = rng.normal(size=(array.shape[1], 3)), rng.normal(size=array.shape[0])
        close(matrix.dot(v), whole @ v)
        close(matrix.T.dot(u), whole.T @ u)
        close(matrix.totals.rows, whole.sum(axis=1))
        close(matrix.totals.column_counts, (~np.isnan(array)).sum(axis=0))
        close(matrix.sum_of(np.square), np.square(whole).sum())
        rows = rng.integers(0, array.shape[0], 7)
        np.testing.assert_array_equal(matrix.take(rows, ALL).array(), array[rows])
        np.testing.assert_array_equal(matrix.part(rows, np.array([0])), array[rows][:, :1])


@given(chunked(), st.randoms())
def test_permuting_chunks_permutes_rows_and_nothing_else(case, random):
    array, parts = case
    order = list(range(len(parts)))
    random.shuffle(order)
    starts = np.cumsum([0, *(part.shape[0] for part in parts)])
    rows = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in order])
    ours, moved = Chunked.of(parts), Chunked.of([parts[i] for i in order])
    v = np.arange(1.0, array.shape[1] + 1)
    np.testing.assert_array_equal(moved.dot(v), ours.dot(v)[rows])
    close(moved.totals.columns, ours.totals.columns)


def test_a_large_sparse_matrix_is_swept_in_chunks_that_share_its_memory():
    csr = sp.random(3000, 1000, 0.9, format="csr", random_state=0)
    matrix = in_chunks(sp.csr_array(csr), False)
    assert isinstance(matrix, Chunked)
    assert len(matrix.parts) == csr.nnz // 2**20
    assert all(np.shares_memory(part.matrix.tile.entries.data, csr.data) for part in matrix.parts)
    assert isinstance(as_matrix(csr), Chunked)
    np.testing.assert_array_equal(matrix.values().toarray(), csr.toarray())
    small = in_chunks(sp.csr_array(csr[:100]), False)
    assert not isinstance(small, Chunked)


@pytest.fixture(scope="module")
def large():
    """Return matrices that are too large for a copy in canonical order."""
    dense = make_blocks((3000, 1500), [[0, 2], [2, 0], [1, 3]], sigma=1.0, random_state=0).data
    counts = make_counts((9000, 800), [[4, 1], [1, 3]], mean=3, random_state=0).data
    return {"dense": dense, "sparse": sp.csr_array(counts)}


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_results_do_not_depend_on_the_number_of_threads(large, kind):
    results = []
    for number in (1, 2, 3):
        with threads(number):
            results.append(RankOneCoclustering(random_state=0).fit(large[kind]).result_)
    for other in results[1:]:
        for ours, theirs in zip(results[0].sides, other.sides, strict=True):
            np.testing.assert_array_equal(ours.labels, theirs.labels)
            np.testing.assert_array_equal(ours.scores.values, theirs.scores.values)
            np.testing.assert_array_equal(ours.tree.heights, theirs.tree.heights)
        assert results[0].criterion == pytest.approx(other.criterion, rel=1e-12)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("learner", [RankOneCoclustering, RankOneTree])
def test_a_matrix_in_chunks_has_the_clusters_of_the_whole(large, kind, learner):
    whole = as_matrix(large[kind])
    bounds = [0, 1, 700, 705, whole.shape[0]]
    rows = [np.arange(a, b) for a, b in pairwise(bounds)]
    parts = Chunked.of([submatrix(whole, of_part) for of_part in rows])
    ours, theirs = (learner().fit(matrix).labels_ for matrix in (parts, whole))
    np.testing.assert_array_equal(ours, theirs)


@st.composite
def chunkings(draw):
    """Return a small matrix of some kind, and where it is cut into 1 to 50 chunks."""
    kind = draw(st.sampled_from(["dense", "sparse", "missing"]))
    array = make_blocks((90, 40), [[0, 3], [3, 0]], sigma=1.0, random_state=1).data
    if kind == "sparse":
        array = make_counts((90, 40), [[5, 1], [1, 4]], mean=0.7, random_state=1).data
    if kind == "missing":
        array = np.where(np.random.default_rng(1).random(array.shape) < 0.2, np.nan, array)
    cuts = sorted(draw(st.sets(st.integers(1, 89), max_size=49)))
    layout = sp.csr_array if kind == "sparse" else np.asarray
    pieces = [as_matrix(layout(piece), empty_columns=True) for piece in np.split(array, cuts)]
    return layout(array), pieces


@settings(max_examples=15, deadline=None)
@given(chunkings(), st.sampled_from(["noise", "silhouette"]), st.booleans())
def test_fits_of_any_chunks_are_those_of_the_whole(case, selection, refine):
    array, pieces = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rankone.matrix.base.SMALL", 0)  # no copies in canonical order
        model = RankOneCoclustering(selection=selection, refine=refine)
        ours, theirs = (model.fit(x).result_ for x in (Chunked.of(pieces), array))
    for one, other in zip(ours.sides, theirs.sides, strict=True):
        np.testing.assert_array_equal(one.labels, other.labels)
        close(one.scores.values, other.scores.values, rtol=1e-9)
    assert ours.criterion == pytest.approx(theirs.criterion, rel=1e-9)


def test_results_come_in_order_and_no_more_parts_are_under_way_than_needed():
    under_way, most = 0, 0
    lock = threading.Lock()

    def work(item):
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.001 * (item % 3))
        with lock:
            under_way -= 1
        return item

    with threads(3):
        assert list(THREADS.map(work, range(30))) == list(range(30))
    assert 1 < most <= 3


def test_a_thread_of_several_starts_no_more_threads():
    with threads(2):
        assert n_threads() == 2
        assert set(THREADS.map(lambda _: n_threads(), range(4))) == {1}
        assert n_threads() == 2


def test_what_a_part_raises_is_raised_and_the_rest_is_not_begun():
    begun = []

    def work(item):
        begun.append(item)
        if item == 1:
            raise ValueError("part 1 is damaged")
        time.sleep(0.01)

    with threads(2), pytest.raises(ValueError, match="part 1 is damaged"):
        list(THREADS.map(work, range(1000)))
    assert len(begun) < 10


def test_blas_has_its_threads_again_after_sweeps_that_overlap():
    before = [library["num_threads"] for library in threadpool_info()]
    with threads(2):
        first, second = (THREADS.map(abs, range(-9, 0)) for _ in range(2))
        next(first), next(second)
        assert list(first) == list(range(8, 0, -1))
        assert list(second) == list(range(8, 0, -1))
    assert [library["num_threads"] for library in threadpool_info()] == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    with threads(2):
        list(THREADS.map(abs, range(9)))
        child = os.fork()
        if child == 0:
            os._exit(0 if list(THREADS.map(abs, range(9))) == list(range(9)) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_stored_nan_in_a_later_chunk_is_found():
    csr = sp.random(3000, 1000, 0.9, format="csr", random_state=0)
    csr.data[csr.indptr[2500]] = np.nan
    with pytest.raises(ValueError, match=r"X\[2500, \d+\] is NaN"):
        as_matrix(csr)


def test_an_empty_sparse_matrix_is_one_group():
    assert RankOneTree().fit(sp.csr_array((50, 40))).n_clusters_ == 1


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1])
def test_the_number_of_jobs_is_that_of_threads(n_jobs, monkeypatch):
    seen = []

    def learn(*args):
        seen.append(n_threads())
        raise ZeroDivisionError

    monkeypatch.setattr("rankone.estimators.base.learn", learn)
    with pytest.raises(ZeroDivisionError):
        RankOneCoclustering(n_jobs=n_jobs).fit(np.eye(3))
    assert seen == [effective_n_jobs(n_jobs)]


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
@pytest.mark.parametrize("learner", [RankOneCoclustering, RankOneTree, RankOneViews])
def test_what_is_no_number_of_jobs_is_refused(learner, n_jobs):
    with pytest.raises(ValueError, match="n_jobs must be None or a whole number other than 0"):
        learner(n_jobs=n_jobs).fit(np.eye(3))


def test_results_do_not_depend_on_the_number_of_jobs():
    a = make_blocks((600, 500), [[0, 3], [3, 0]], sigma=2.0, random_state=0).data
    one, two = (RankOneCoclustering(n_jobs=jobs).fit(a) for jobs in (1, 2))
    np.testing.assert_array_equal(one.row_labels_, two.row_labels_)
    assert one.result_.criterion == pytest.approx(two.result_.criterion, rel=1e-12)
