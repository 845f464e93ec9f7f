"""Cuts of vectors in chunks: those of the same vector in memory, without bringing it together."""

import os
import pickle
from contextlib import nullcontext

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client, LocalCluster
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.cuts import SortedPotts, sorted_potts_path
from rankone.cuts.in_dask import InDask
from tests.cuts.test_campaign import few_buckets

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Sending large graph:UserWarning"),
]

KINDS = {
    "mixture": lambda rng, n: rng.normal(size=n) + 4 * rng.integers(0, 3, n),
    "ascending": lambda rng, n: np.sort(rng.normal(size=n)),
    "offset": lambda rng, n: 1e8 + rng.normal(size=n),
    "negative": lambda rng, n: -5.0 - rng.random(n),
    "outliers": lambda rng, n: rng.normal(size=n) + 1e3 * (rng.random(n) < 0.1),
    "Cauchy": lambda rng, n: rng.standard_cauchy(n),
}


@pytest.fixture
def cluster():
    """Return a client of two processes."""
    workers = LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    )
    with workers, Client(workers) as client:
        yield client


@pytest.fixture
def passes(monkeypatch):
    """Return a list of how many chunks were read, for each pass."""
    counts, compute = [], InDask._compute

    def counted(self, work, merge, chunks):
        counts.append(len(chunks))
        return compute(self, work, merge, chunks)

    monkeypatch.setattr(InDask, "_compute", counted)
    return counts


def mixture(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=n) + 4 * rng.integers(0, 5, n)


def in_chunks(array, cuts):
    """Return a Dask array that is cut at these places."""
    return da.from_array(array, chunks=(tuple(np.diff([0, *sorted(cuts), array.size]).tolist()),))


def without_sizes(x):
    """Return the same array, of whose chunks the sizes are not known."""
    return x.map_blocks(lambda block: block, dtype=x.dtype, chunks=((np.nan,) * x.numblocks[0],))


def assert_same(ours, theirs):
    assert np.array_equal(np.asarray(ours.labels), theirs.labels)
    assert np.array_equal(ours.sizes, theirs.sizes)
    # Rests are rounded to 2^-42 of the width of a bucket, and buckets are wide where they are few.
    most = np.abs(theirs.levels).max()
    np.testing.assert_allclose(ours.levels, theirs.levels, rtol=1e-14, atol=1e-12 * most)
    assert ours.objective == pytest.approx(theirs.objective, rel=1e-12)


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(KINDS)),
    st.integers(20, 300),
    st.lists(st.floats(0, 1), max_size=12),
    st.sampled_from(["none", "whole", "real"]),
    st.sampled_from([1, 2]),
    st.sampled_from([{"n_clusters": 2}, {"n_clusters": 5}, {"lam": 0.02}, {"lam": 0.2}]),
    st.sampled_from([4, 16, 64]),
)
def test_cuts_of_chunks_are_those_of_the_array(kind, n, places, weights, p, parameters, n_buckets):
    rng = np.random.default_rng(n)
    u = KINDS[kind](rng, n)
    w = {"none": None, "whole": rng.integers(0, 3, n), "real": rng.random(n)}[weights]
    if "lam" in parameters:
        parameters = {"lam": parameters["lam"] * SortedPotts(p=p, n_clusters=1).cut(u, w).objective}
    cut, cuts = SortedPotts(p=p, **parameters), [int(place * n) for place in places]
    expected = cut.cut(u, w)
    with few_buckets(n_buckets):
        part = cut.cut(in_chunks(u, cuts), None if w is None else da.from_array(w, chunks=7))
        assert_same(part, expected)
    part.check(u, w)


@pytest.mark.parametrize("p", [1, 2])
def test_small_vectors_in_few_buckets_seldom_come_together(p):
    rng, n_sorted = np.random.default_rng(0), 0
    for _ in range(50):
        u = KINDS["mixture"](rng, 100)
        with few_buckets(16):
            part = SortedPotts(p=p, n_clusters=3).cut(in_chunks(u, [0, 13, 40, 40, 90]))
        n_sorted += part._was_sorted
        assert_same(part, SortedPotts(p=p, n_clusters=3).cut(u))
    assert n_sorted < 25


@pytest.mark.parametrize("n", [1, 3, 30, 63, 64, 300])
def test_few_values_in_chunks_of_unknown_sizes(n):
    u = KINDS["mixture"](np.random.default_rng(2), n)
    x = without_sizes(in_chunks(u, [n // 2]))
    assert_same(SortedPotts(lam=1.0).cut(x), SortedPotts(lam=1.0).cut(u))


@pytest.mark.parametrize("known", [True, False])
def test_many_small_chunks_have_as_many_buckets_as_large_ones(known):
    u = mixture(2**17)
    x = da.from_array(u, chunks=512)
    part = SortedPotts(n_clusters=5).cut(x if known else without_sizes(x))
    assert not part._was_sorted
    assert_same(part, SortedPotts(n_clusters=5).cut(u))


def test_chunks_that_change_between_passes_are_refused():
    seeds = iter(range(1000))
    x = da.zeros(2**17, chunks=2**15)
    x = x.map_blocks(lambda block: mixture(block.size, next(seeds)), dtype=float)
    with pytest.raises(ValueError, match="u changed between two passes over its chunks"):
        SortedPotts(n_clusters=5).cut(x)


@pytest.mark.parametrize("p", [1, 2])
def test_paths_of_chunks_are_those_of_the_array(p):
    u = KINDS["mixture"](np.random.default_rng(1), 200)
    expected = sorted_potts_path(u, p=p, max_clusters=6)
    with few_buckets(16):
        path = sorted_potts_path(in_chunks(u, [50, 120]), p=p, max_clusters=6)
        assert path.cost == pytest.approx(expected.cost, rel=1e-12)
        assert path.lam == pytest.approx(expected.lam, rel=1e-9)
        for k in range(1, 7):
            assert_same(path.at(n_clusters=k), expected.at(n_clusters=k))
        assert path.n_distinct == expected.n_distinct
    assert np.array_equal(path.vector.compute(), u)


def test_labels_are_a_dask_array_in_the_chunks_of_the_vector():
    u = mixture(2**18)
    x = in_chunks(u, [1000, 1000, 70_000, 200_000])
    part = SortedPotts(lam=0.2 * u.size).cut(x)
    assert part.labels.chunks == x.chunks
    assert part.labels.dtype == np.intp
    assert part.signal.chunks == x.chunks
    expected = SortedPotts(lam=0.2 * u.size).cut(u)
    np.testing.assert_allclose(part.signal.compute(), expected.signal, rtol=1e-14)
    assert repr(part) == repr(expected)
    assert part.check(x) == pytest.approx(part.objective, rel=1e-12)


@pytest.mark.parametrize("parameters", [{"lam": 0.05 * 2**18}, {"n_clusters": 5}])
def test_two_passes_are_enough(parameters, passes):
    u = mixture(2**18)
    part = SortedPotts(**parameters).cut(da.from_array(u, chunks=2**14))
    assert not part._was_sorted
    assert passes == [3, 16, 16]
    assert_same(part, SortedPotts(**parameters).cut(u))


def test_chunks_unlike_those_looked_at_first_take_a_third_pass(passes):
    u = mixture(2**18)
    u[2**14 : 2**16] += 30.0
    part = SortedPotts(n_clusters=5).cut(da.from_array(u, chunks=2**14))
    assert not part._was_sorted
    assert passes == [3, 16, 16, 16]
    assert_same(part, SortedPotts(n_clusters=5).cut(u))


def test_equal_values_are_merged_where_they_are(monkeypatch):
    u = np.random.default_rng(2).integers(0, 50, 2**18)
    sizes, compute = [], InDask._compute

    def watched(self, work, merge, chunks):
        outcome = compute(self, work, merge, chunks)
        sizes.append(len(np.ravel(outcome.result)) if isinstance(outcome.result, np.ndarray) else 0)
        return outcome

    monkeypatch.setattr(InDask, "_compute", watched)
    part = SortedPotts(n_clusters=4).cut(da.from_array(u, chunks=2**15))
    assert part._was_sorted
    assert max(sizes) == 2 * 50
    assert_same(part, SortedPotts(n_clusters=4).cut(u))


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8])
def test_chunks_of_other_types(dtype):
    u = (mixture(400) + 10).astype(dtype)
    assert_same(SortedPotts(n_clusters=2).cut(in_chunks(u, [90])), SortedPotts(n_clusters=2).cut(u))


@pytest.mark.parametrize("weighted", [False, True])
def test_sizes_of_chunks_need_not_be_known(weighted):
    u = mixture(300)
    x = without_sizes(in_chunks(u, [0, 40, 40, 200]))
    w = np.arange(300) % 3 if weighted else None
    weights = without_sizes(in_chunks(w, [0, 40, 40, 200])) if weighted else None
    with few_buckets(16):
        assert_same(SortedPotts(n_clusters=3).cut(x, weights), SortedPotts(n_clusters=3).cut(u, w))


def test_a_column_of_a_frame():
    u = mixture(300)
    column = dd.from_pandas(pd.DataFrame({"score": u}), npartitions=4)["score"]
    assert_same(SortedPotts(n_clusters=3).cut(column), SortedPotts(n_clusters=3).cut(u))


def test_the_vector_stays_with_the_workers(cluster, monkeypatch):
    here = os.getpid()

    def make_block(seed, size):
        assert os.getpid() != here
        rng = np.random.default_rng(seed)
        return rng.normal(size=size) + 4 * rng.integers(0, 5, size)

    n_bytes, compute = [], InDask._compute

    def watched(*arguments):
        outcome = compute(*arguments)
        n_bytes.append(len(pickle.dumps(outcome)))
        return outcome

    monkeypatch.setattr(InDask, "_compute", watched)
    n, size = 16, 2**15
    blocks = [dask.delayed(make_block)(seed, size) for seed in range(n)]
    x = da.concatenate([da.from_delayed(block, (size,), float) for block in blocks])
    part = SortedPotts(n_clusters=5).cut(x)
    labels = part.labels.compute()
    assert not part._was_sorted
    assert sum(n_bytes) < 0.5 * 8 * n * size
    u = np.concatenate([mixture(size, seed) for seed in range(n)])
    expected = SortedPotts(n_clusters=5).cut(u)
    assert np.array_equal(labels, expected.labels)
    np.testing.assert_allclose(part.levels, expected.levels, rtol=1e-14)


def spoiled(array, places, value):
    array = np.array(array)
    array[list(places)] = value
    return array


U, W = mixture(200), np.linspace(0.5, 1, 200)

BAD = {
    "NaN": (spoiled(U, [70, 130], np.nan), None),
    "infinite": (spoiled(U, [130], -np.inf), None),
    "NaN and infinite": (spoiled(spoiled(U, [10], np.inf), [130], np.nan), None),
    "not exact": (spoiled(np.arange(200), [60, 190], 2**53 + 1), None),
    "text": (U.astype(str), None),
    "complex": (U + 1j, None),
    "two dimensions": (U.reshape(20, 10), None),
    "empty": (U[:0], None),
    "negative weights": (U, spoiled(W, [55, 56, 180], -1.0)),
    "NaN among weights": (U, spoiled(W, [55], np.nan)),
    "zero weights": (U, 0 * W),
    "light weights": (U, spoiled(W, [3, 150], 1e-20)),
    "heavy weights": (U, spoiled(W, [3], 1e308)),
    "fewer weights": (U, W[:100]),
    "values before weights": (spoiled(U, [199], np.nan), spoiled(W, [0], -1)),
}


@pytest.mark.parametrize("name", sorted(BAD))
@pytest.mark.parametrize("few", [False, True])
def test_errors_are_those_of_the_array(name, few):
    u, w = BAD[name]
    with pytest.raises(ValueError, match=r"\w") as expected:
        SortedPotts(n_clusters=2).cut(u, w)
    x = da.from_array(u, chunks=50)
    weights = None if w is None else da.from_array(w, chunks=50)
    with pytest.raises(ValueError, match=r"\w") as error, few_buckets(16) if few else nullcontext():
        SortedPotts(n_clusters=2).cut(x, weights)
    assert str(error.value) == str(expected.value)


def test_weights_whose_chunks_cannot_be_matched_are_refused():
    x = without_sizes(in_chunks(U, [50]))
    with pytest.raises(ValueError, match="must be a Dask array in the chunks of u"):
        SortedPotts(n_clusters=2).cut(x, W)
    with pytest.raises(ValueError, match="weights are in 3 chunks and u is in 2"):
        SortedPotts(n_clusters=2).cut(x, in_chunks(W, [50, 100]))
