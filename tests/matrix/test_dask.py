"""Dask arrays and frames: the clusters of the whole matrix, also where processes die."""

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client, LocalCluster

from rankone import RankOneClustering, RankOneCoclustering, RankOneTree, RankOneViews
from rankone.datasets import make_blocks, make_counts
from rankone.errors import InputError
from rankone.matrix import as_matrix
from rankone.matrix.chunked import Chunked
from rankone.matrix.dask_chunks import ChunksWarning
from rankone.vectors import NMF, SVD, Fiedler, Marginal, PageRank

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Sending large graph:UserWarning"),
]

BLOCKS = make_blocks((400, 60), [[0, 3], [3, 0], [1, 4]], sigma=1.0, random_state=0)
COUNTS = make_counts((300, 50), [[5, 1], [1, 4]], mean=2, random_state=0).data
LARGE = make_blocks((3000, 1500), [[0, 2], [2, 0], [1, 3]], sigma=1.0, random_state=0)


def in_rows(array, size):
    """Return an array in chunks of whole rows."""
    return da.from_array(array, chunks=(size, -1))


def sparse_chunks(array, size):
    """Return a Dask array whose chunks are sparse."""
    pieces = [sp.csr_array(array[i : i + size]) for i in range(0, len(array), size)]
    meta = sp.csr_array((0, 0))
    blocks = [da.from_delayed(dask.delayed(p), p.shape, meta=meta) for p in pieces]
    return da.concatenate(blocks)


@pytest.fixture(scope="module")
def cluster():
    """Return a client of two processes."""
    workers = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    )
    with workers, Client(workers) as client:
        yield client


@pytest.mark.parametrize("learner", [RankOneCoclustering, RankOneClustering, RankOneTree])
@pytest.mark.parametrize("size", [1, 37, 400])
def test_fits_of_chunks_are_those_of_the_array(learner, size):
    rows = BLOCKS.data if size > 1 else BLOCKS.data[:40]
    x = in_rows(rows, size)
    ours, theirs = learner().fit(x), learner().fit(rows)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(ours.predict(x), theirs.labels_)
    assert ours.n_features_in_ == rows.shape[1]


@pytest.mark.parametrize("method", [Marginal(), NMF(), NMF(beta=1.5), SVD(), PageRank(), Fiedler()])
def test_vectors_of_chunks_are_those_of_the_array(method):
    ours, theirs = (method.extract(x) for x in (in_rows(COUNTS, 70), COUNTS))
    np.testing.assert_allclose(ours.row, theirs.row, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.column, theirs.column, rtol=1e-6, atol=1e-9)


def test_views_of_chunks_are_those_of_the_array():
    ours, theirs = (RankOneViews().fit(x) for x in (in_rows(COUNTS, 70), COUNTS))
    np.testing.assert_allclose(ours.row_scores_, theirs.row_scores_, atol=1e-9)


def test_sparse_chunks_and_missing_entries():
    sparse = RankOneCoclustering().fit(sparse_chunks(COUNTS, 80))
    np.testing.assert_array_equal(sparse.labels_, RankOneCoclustering().fit(COUNTS).labels_)
    holes = np.where(np.random.default_rng(0).random(BLOCKS.data.shape) < 0.2, np.nan, BLOCKS.data)
    ours = RankOneCoclustering().fit(in_rows(holes, 90))
    np.testing.assert_array_equal(ours.labels_, RankOneCoclustering().fit(holes).labels_)


def test_masked_chunks_have_missing_entries():
    holes = np.random.default_rng(0).random(BLOCKS.data.shape) < 0.2
    masked = np.ma.MaskedArray(np.where(holes, 1e6, BLOCKS.data), holes)
    ours = RankOneCoclustering().fit(da.from_array(masked, chunks=(90, -1)))
    theirs = RankOneCoclustering().fit(np.where(holes, np.nan, BLOCKS.data))
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)


def test_absent_entries_of_sparse_chunks_are_missing_if_asked_for():
    x = sparse_chunks(COUNTS, 80)
    ours = RankOneCoclustering(missing="absent").fit(x)
    theirs = RankOneCoclustering(missing="absent").fit(sp.csr_array(COUNTS))
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    with pytest.raises(InputError, match="for sparse matrices, but X has dense chunks"):
        RankOneCoclustering(missing="absent").fit(in_rows(COUNTS, 80))


def test_frames_bring_the_names_of_their_columns():
    frame = pd.DataFrame(COUNTS, columns=[f"word {j}" for j in range(COUNTS.shape[1])])
    model = RankOneCoclustering().fit(dd.from_pandas(frame, npartitions=4))
    np.testing.assert_array_equal(model.labels_, RankOneCoclustering().fit(frame).labels_)
    assert list(model.feature_names_in_) == list(frame.columns)


def test_columns_in_chunks_are_merged_with_a_note():
    with pytest.warns(ChunksWarning, match="The columns of X are in 2 chunks"):
        model = RankOneCoclustering().fit(da.from_array(BLOCKS.data, chunks=(100, 30)))
    np.testing.assert_array_equal(model.labels_, RankOneCoclustering().fit(BLOCKS.data).labels_)


def test_sizes_of_chunks_that_are_not_known_are_computed():
    x = in_rows(BLOCKS.data, 100)
    x = x[x[:, 0] > -np.inf]
    assert np.isnan(x.shape[0])
    np.testing.assert_array_equal(
        RankOneCoclustering().fit(x).labels_, RankOneCoclustering().fit(BLOCKS.data).labels_
    )


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (da.zeros((2, 3, 4)), "it has 3 dimensions"),
        (da.zeros(5), "it has 1 dimensions"),
        (da.zeros((0, 5)), "X is empty"),
        (da.zeros((4, 5))[da.zeros(4) > 0], "X is empty"),
        (da.from_array(np.array([["a", "b"], ["c", "d"]])), "must hold real numbers"),
        (in_rows(np.where(np.arange(12).reshape(6, 2) == 9, np.inf, 1.0), 2), r"X\[4, 1\] is inf"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(x, message):
    with pytest.raises(InputError, match=message):
        RankOneCoclustering().fit(x)


def test_a_cluster_of_processes_finds_the_same(cluster):
    for values, x in ((LARGE.data, in_rows(LARGE.data, 500)), (COUNTS, sparse_chunks(COUNTS, 80))):
        ours = RankOneCoclustering().fit(x.persist())
        theirs = RankOneCoclustering().fit(values)
        np.testing.assert_array_equal(ours.row_labels_, theirs.row_labels_)
        np.testing.assert_array_equal(ours.column_labels_, theirs.column_labels_)


def test_a_sweep_is_one_task_for_each_chunk_and_one_for_the_function(cluster):
    matrix = as_matrix(in_rows(LARGE.data, 500).persist())
    assert isinstance(matrix, Chunked)
    before = len(cluster.run_on_scheduler(_transitions))
    matrix.dot(np.ones((1500, 16)))
    done = cluster.run_on_scheduler(_transitions)[before:]
    assert len({key for key, *_ in done}) <= 2 * len(matrix.parts) + 1


def _transitions(dask_scheduler):
    return [(str(entry[0]),) for entry in dask_scheduler.transition_log]


@pytest.mark.parametrize("scheduler", ["local", "cluster"])
def test_a_chunk_that_cannot_be_read_is_named(scheduler, request):
    def damaged(block, block_info):
        if block_info[0]["chunk-location"][0] == 2:
            raise OSError("checksum does not match")
        return block

    if scheduler == "cluster":
        request.getfixturevalue("cluster")
    x = in_rows(BLOCKS.data, 100).map_blocks(damaged, dtype=float, meta=np.zeros((0, 0)))
    message = "rows 200 to 299 of X cannot be used: OSError: checksum does not match"
    with pytest.raises(InputError, match=message):
        RankOneCoclustering().fit(x)


@pytest.mark.parametrize("scheduler", ["local", "cluster"])
def test_rows_that_cannot_be_used_are_named(scheduler, request):
    if scheduler == "cluster":
        request.getfixturevalue("cluster")
    wrong = BLOCKS.data[:100, :59]  # a column less than was announced
    pieces = [BLOCKS.data[:100], wrong, BLOCKS.data[200:300]]
    x = da.concatenate([da.from_delayed(dask.delayed(p), (100, 60), float) for p in pieces])
    with pytest.raises(InputError, match="rows 100 to 199 of X cannot be used"):
        RankOneCoclustering().fit(x)
