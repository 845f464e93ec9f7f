"""A new kind of matrix needs its shape and its tiles; everything else follows."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from rankone import RankOneCoclustering
from rankone._threads import threads
from rankone.datasets import make_paper
from rankone.matrix import Matrix, as_matrix, comparable_groups
from rankone.matrix.cells import Strips, cell_means
from rankone.matrix.chunked import Chunked
from rankone.matrix.tiles import Grouping
from rankone.refinement import refine
from rankone.selection.noise import score_noise
from rankone.vectors import CCOT, CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank
from tests.matrix.kinds import NestedLists, close, stored


@pytest.fixture(autouse=True, scope="module")
def two_threads():
    """Sweep chunks with two threads, also where the environment allows one."""
    with threads(2):
        yield


COMPLETE = (
    Marginal(),
    NMF(),
    NMF(beta=2),
    NMF(beta=0.5),
    SVD(),
    PageRank(),
    PageRank(walk="two-step"),
    Fiedler(),
    Fiedler("cosine"),
    Fiedler("linear"),
    Fiedler("knn", n_neighbors=15),
    Fiedler("bipartite"),
    Fiedler("bipartite", doubly_stochastic=True),
    CCOT(),
    CCOTGW(),
)
INCOMPLETE = (Marginal(), NMF(), NMF(beta=1.5), SVD())
SIGNED = (Marginal(), NMF(negative="shift"), SVD(), Fiedler(), CCOTGW())


def blocks(m=23, n=23, missing=0.0, seed=0):
    """Return a matrix of 2 x 2 blocks, positive, with missing entries outside of a cross."""
    rng = np.random.default_rng(seed)
    means = np.repeat(np.repeat([[1.0, 4.0], [6.0, 2.0]], -(-m // 2), 0), -(-n // 2), 1)[:m, :n]
    a = means * rng.uniform(0.8, 1.2, (m, n))
    holes = rng.random((m, n)) < missing
    holes[0], holes[:, 0] = False, False
    return np.where(holes, np.nan, a)


def in_chunks(a, at=5, sparse=False):
    pieces = a[:at], a[at : 2 * at], a[2 * at :]
    if not sparse:
        return Chunked.of([as_matrix(piece, empty_columns=True) for piece in pieces if len(piece)])
    return Chunked.of(
        [as_matrix(stored(p), "absent", empty_columns=True) for p in pieces if len(p)]
    )


NEW_KINDS = [
    pytest.param(lambda a: NestedLists(a.tolist()), id="nested lists"),
    pytest.param(lambda a: NestedLists(a.T.tolist()).T, id="nested lists, transposed"),
    pytest.param(in_chunks, id="dense chunks"),
    pytest.param(lambda a: in_chunks(a, sparse=True), id="sparse chunks"),
]


def written_methods(kind):
    return [name for name, value in vars(kind).items() if callable(value)]


def test_a_kind_is_at_most_eight_methods():
    assert written_methods(NestedLists) == ["__init__", "each"]
    assert Matrix.__abstractmethods__ == {"each"}


def test_a_matrix_is_read_as_it_is():
    matrix = NestedLists([[1.0, 2.0], [3.0, 4.0]])
    assert as_matrix(matrix) is matrix


def test_products_from_both_sides_read_each_tile_once(monkeypatch):
    a, fills = blocks(missing=0.3), []
    matrix = NestedLists(a.tolist())
    assert matrix.n_missing
    where = np.where
    monkeypatch.setattr("numpy.where", lambda *args: fills.append(1) or where(*args))
    ones, labels = np.ones(23), np.arange(23) % 2
    for sweep in (
        lambda: matrix.sweep(ones, lambda product, _: product),
        lambda: matrix.regroup(labels, 2, ones, lambda s, _: s.argmax(axis=1), 2, ones),
        lambda: matrix.dot_both(ones, ones),
        lambda: matrix.group_both(Grouping(labels, 2, ones), Grouping(labels, 2, ones)),
    ):
        fills.clear()
        sweep()
        assert len(fills) == 8  # tiles of three rows


@pytest.mark.parametrize("kind", NEW_KINDS)
@pytest.mark.parametrize("method", COMPLETE, ids=repr)
def test_new_kinds_have_the_vectors_of_the_array(kind, method):
    same_vectors(method, kind(blocks()), blocks())


@pytest.mark.parametrize("kind", NEW_KINDS)
@pytest.mark.parametrize("method", INCOMPLETE, ids=repr)
def test_new_kinds_have_the_vectors_of_an_incomplete_array(kind, method):
    a = blocks(missing=0.3)
    same_vectors(method, kind(a), a)


@pytest.mark.parametrize("kind", NEW_KINDS)
@pytest.mark.parametrize("method", SIGNED, ids=repr)
def test_new_kinds_have_the_vectors_of_an_array_with_negative_entries(kind, method):
    a = blocks() - 3.0
    same_vectors(method, kind(a), a)


def same_vectors(method, matrix, a):
    ours, expected = method.extract(matrix), method.extract(a)
    close(ours.row, expected.row, 1e-6)
    close(ours.column, expected.column, 1e-6)
    close(ours.objective, expected.objective, 1e-6)


@pytest.mark.parametrize("kind", NEW_KINDS)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_new_kinds_have_the_noise_of_the_array(kind, missing):
    a = blocks(missing=missing)
    vectors = Marginal().extract(a)
    ours, expected = (score_noise(x, Marginal(), vectors) for x in (kind(a), as_matrix(a)))
    for side in range(2):
        close(ours[side], expected[side], 1e-9)


@pytest.mark.parametrize("kind", NEW_KINDS)
@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_new_kinds_are_refined_like_the_array(kind, loss, missing):
    a = np.round(5 * blocks(30, 20, missing))
    start = np.zeros(30, int), np.zeros(20, int)
    ours = refine(kind(a), *start, loss=loss, random_state=0)
    expected = refine(a, *start, loss=loss, random_state=0)
    np.testing.assert_array_equal(ours.row_labels, expected.row_labels)
    np.testing.assert_array_equal(ours.column_labels, expected.column_labels)
    close(ours.criterion, expected.criterion, 1e-9)
    assert ours.values.shape == (2, 2)


@pytest.mark.parametrize("kind", NEW_KINDS)
def test_learners_fit_and_predict_with_new_kinds(kind, monkeypatch):
    a = make_paper("D1", 0.5, random_state=0).data[::4, ::4]
    expected = RankOneCoclustering(random_state=0).fit(a)
    labels = expected.predict(a)
    monkeypatch.setattr(
        "rankone.estimators.reading.as_matrix", lambda X, *_, **__: kind(np.asarray(X))
    )
    ours = RankOneCoclustering(random_state=0).fit(a)
    np.testing.assert_array_equal(ours.row_labels_, expected.row_labels_)
    np.testing.assert_array_equal(ours.column_labels_, expected.column_labels_)
    np.testing.assert_array_equal(ours.predict(a), labels)
    close(ours.row_vector_, expected.row_vector_, 1e-9)


MATRICES = st.tuples(
    st.integers(1, 12), st.integers(1, 12), st.floats(0, 0.9), st.integers(0, 2**32 - 1)
)


def random_matrix(m, n, missing, seed):
    """Return small counts, many of them zero, without a row or a column that is all missing."""
    rng = np.random.default_rng(seed)
    a = rng.poisson(0.7, (m, n)).astype(float)
    a[rng.random((m, n)) < missing] = np.nan
    a[np.isnan(a).all(axis=1), 0] = 1.0
    a[0, np.isnan(a).all(axis=0)] = 1.0
    return a


def all_kinds(a):
    return [
        as_matrix(np.asfortranarray(a)),
        as_matrix(a).T.T,
        as_matrix(stored(a), "absent"),
        as_matrix(stored(a).tocsc(), "absent"),
        NestedLists(a.tolist()),
        NestedLists(a.T.tolist()).T,
        in_chunks(a, 4),
        in_chunks(a, 4, sparse=True),
    ]


@given(MATRICES)
def test_all_kinds_are_the_same_matrix(case):
    a = random_matrix(*case)
    m, n = a.shape
    rng = np.random.default_rng(0)
    u, v, rows, columns = (f(k) for f in (rng.random, lambda k: np.arange(k) % 3) for k in (m, n))
    filled, mask = np.nan_to_num(a), ~np.isnan(a)
    for matrix in all_kinds(a):
        assert (matrix.shape, matrix.n_missing) == ((m, n), int((~mask).sum()))
        close(matrix.totals.rows, filled.sum(axis=1))
        close(matrix.totals.column_counts, mask.sum(axis=0))
        close(matrix @ v, filled @ v)
        close(matrix.observed.T @ u, mask.T @ u)
        image, back = matrix.sweep(v, lambda product, places: u[places] * product)
        close(image, u * (filled @ v))
        close(back, filled.T @ image)
        close(matrix.group_columns(columns, 3, v), filled @ (np.eye(3)[columns] * v[:, None]))
        labels, sums = matrix.regroup(columns, 3, v, lambda s, _: s.argmax(axis=1), 3, u)
        close(sums, filled.T @ (np.eye(3)[labels] * u[:, None]))
        close(matrix.dot_own(np.outer(v, [1, 2, 3]), rows), (rows + 1) * (filled @ v))
        by_rows, by_columns = matrix.group_both(Grouping(columns, 3, v), Grouping(rows, 3, u))
        close(by_rows, filled @ (np.eye(3)[columns] * v[:, None]))
        close(by_columns, filled.T @ (np.eye(3)[rows] * u[:, None]))
        close(matrix.census.column_squares, (filled**2).sum(axis=0))
        close(matrix.sum_of(np.exp), np.exp(a[mask]).sum())
        order = rng.permutation(m)
        np.testing.assert_array_equal(matrix.part(order, np.arange(n)), a[order])


@given(MATRICES)
def test_all_kinds_have_the_same_pairs_of_rows(case):
    a = random_matrix(*case)
    first, second = np.arange(a.shape[0]), np.roll(np.arange(a.shape[0]), 1)
    squares = (a[first] - a[second]) ** 2
    for matrix in all_kinds(a):
        sums, counts = matrix.row_differences(first, second)
        close(sums, np.nansum(squares, axis=1))
        close(counts, (~np.isnan(squares)).sum(axis=1))


@given(MATRICES)
def test_all_kinds_have_the_same_comparable_groups(case):
    a = random_matrix(*case)
    expected = comparable_groups(as_matrix(a))
    for matrix in all_kinds(a):
        groups = comparable_groups(matrix)
        assert (groups.n_groups, groups.n_apart) == (expected.n_groups, expected.n_apart)
        for ours, theirs in ((groups.rows, expected.rows), (groups.columns, expected.columns)):
            np.testing.assert_array_equal(ours >= 0, theirs >= 0)
            np.testing.assert_array_equal(
                ours[:, None] == ours[None, :], theirs[:, None] == theirs[None, :]
            )
        inside = matrix.observed.within(expected.rows, expected.columns)
        same = (expected.rows[:, None] == expected.columns) & (expected.rows[:, None] >= 0)
        close(inside @ np.ones(a.shape[1]), (same & ~np.isnan(a)).sum(axis=1))
        assert matrix.observed.n_components() == as_matrix(a).observed.n_components()


@given(MATRICES)
def test_all_kinds_have_the_same_cells(case):
    a = random_matrix(*case)
    strips = [Strips.of(np.arange(size) // 2) for size in a.shape]
    expected, counts = cell_means(as_matrix(a), *strips)
    for matrix in all_kinds(a):
        ours, ours_counts = cell_means(matrix, *strips)
        np.testing.assert_allclose(ours, expected, rtol=1e-12)
        close(ours_counts, counts)


@given(MATRICES)
def test_all_kinds_are_shifted_to_a_minimum_of_zero(case):
    a = random_matrix(*case)
    a -= np.nanmax(a) + 1.0
    expected = np.nan_to_num(a - np.nanmin(a))
    for matrix in all_kinds(a):
        shifted = matrix.shifted()
        close(shifted @ np.ones(a.shape[1]), expected.sum(axis=1))
        close(shifted.totals.columns, expected.sum(axis=0))
        assert not shifted.totals.has_negative
        i, j, value = matrix.first_negative()
        assert a[i, j] == value < 0


@given(MATRICES)
def test_a_matrix_with_nothing_missing_is_the_plain_one(case):
    m, n, _, seed = case
    a = random_matrix(m, n, 0.0, seed)
    v = np.random.default_rng(seed).random(n)
    plain, absent = as_matrix(sp.csr_array(a)), as_matrix(stored(a), "absent")
    assert plain.n_missing == absent.n_missing == 0
    for matrix in (plain, absent, as_matrix(a)):
        close(matrix @ v, a @ v)
        close(matrix.observed @ v, np.full(m, v.sum()))
        close(matrix.totals.row_counts, np.full(m, n))
