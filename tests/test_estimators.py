"""The learners: scikit-learn's contract, what they promise, and what they refuse."""

import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankone import (
    CCOTGW,
    NMF,
    SVD,
    Fiedler,
    LargestGaps,
    Marginal,
    Multiscale,
    PageRank,
    Potts,
    Prepare,
    RankOneClustering,
    RankOneCoclustering,
    Sign,
    SortedPotts,
    Threshold,
    TotalVariation,
)
from rankone.datasets import make_blocks, make_counts, make_paper
from rankone.metrics import coclustering_error, error_rate
from rankone.selection import MaxClustersWarning
from tests.refinement.oracles import gaussian_probabilities

#: Step 1 that takes any complete matrix, signed or not.
GENERAL = ["auto", "marginal", "svd", "fiedler", "fiedler-ds", "ccot-gw", NMF(negative="shift")]


def found(blocks, model):
    return coclustering_error(
        blocks.row_labels, blocks.column_labels, model.row_labels_, model.column_labels_
    )


@parametrize_with_checks(
    [RankOneClustering(vectors=v, refine=r) for v in GENERAL for r in (True, False)]
    + [RankOneCoclustering(vectors=v) for v in GENERAL]
    + [RankOneCoclustering(refine=False), RankOneClustering(cut=SortedPotts(p=1))]
    + [RankOneClustering(2, cut="largest-gaps", refine=False)]
    + [RankOneCoclustering(cut=cut) for cut in ("sign", "multiscale", Threshold(eps=0.1))]
    + [RankOneCoclustering(prepare=Prepare(standardise="columns"))]
)
def test_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Tiny data of two columns: scores that cannot be told apart, and the like.
        warnings.simplefilter("ignore")
        check(estimator)


def expected_failures(estimator):
    return {
        "check_clustering": "its rows are shuffled, and contiguous pieces depend on their order"
    }


@parametrize_with_checks(
    [
        RankOneCoclustering(cut=Potts(n_clusters=2), refine=False),
        RankOneCoclustering(cut=TotalVariation(lam=0.5), refine=False),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_contiguous(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", ["D1", "D2", "D3", "D4"])
def test_finds_blocks_and_their_number(name):
    blocks = make_paper(name, noise=1, random_state=1)
    model = RankOneCoclustering().fit(blocks.data)
    assert (model.n_row_clusters_, model.n_column_clusters_) == blocks.means.shape
    assert found(blocks, model) == 0
    assert model.converged_
    assert model.loss_ == "gaussian"


@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_finds_blocks_of_counts(missing):
    blocks = make_counts(
        (300, 200), [[4, 1], [1, 3], [1, 1]], mean=2, missing=missing, random_state=0
    )
    model = RankOneCoclustering().fit(blocks.data)
    assert found(blocks, model) < 0.02
    assert model.loss_ == "poisson"


def test_no_structure_is_one_cluster():
    rng = np.random.default_rng(0)
    for data in (
        rng.normal(size=(150, 80)),
        make_counts((200, 150), [[1.0]], mean=5, spread=1, random_state=0).data,
    ):
        for refine in (True, False):
            model = RankOneCoclustering(refine=refine).fit(data)
            assert (model.n_row_clusters_, model.n_column_clusters_) == (1, 1)


def variants(a):
    """Return a matrix in all its guises."""
    read_only = a.copy()
    read_only.setflags(write=False)
    return {
        "fortran": np.asfortranarray(a),
        "csr": sp.csr_array(a),
        "csc": sp.csc_matrix(a),
        "coo": sp.coo_array(a),
        "read-only": read_only,
        "frame": pd.DataFrame(a),
        "list": a.tolist(),
    }


@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_dense_is_sparse_is_memmap_is_frame(refine, counts, tmp_path):
    if counts:
        a = make_counts((80, 60), [[5, 1], [1, 4]], mean=1, random_state=0).data
    else:
        a = make_blocks((80, 60), [[0, 3], [2, 0]], sigma=0.5, random_state=0).data
    a[0, 0] = 0.0
    model = RankOneCoclustering(refine=refine).fit(a)
    np.save(tmp_path / "a.npy", a)
    guises = variants(a) | {"memmap": np.load(tmp_path / "a.npy", mmap_mode="r")}
    for guise, data in guises.items():
        other = RankOneCoclustering(refine=refine).fit(data)
        assert np.array_equal(model.row_labels_, other.row_labels_), guise
        assert np.array_equal(model.column_labels_, other.column_labels_), guise


@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_permutation_and_transposition(refine, missing):
    rng = np.random.default_rng(0)
    blocks = make_paper("D3", noise=0.5, missing=missing, random_state=2)
    a = blocks.data
    model = RankOneCoclustering(refine=refine).fit(a)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    moved = RankOneCoclustering(refine=refine).fit(a[i][:, j])
    assert error_rate(model.row_labels_[i], moved.row_labels_) == 0
    assert error_rate(model.column_labels_[j], moved.column_labels_) == 0
    turned = RankOneCoclustering(refine=refine).fit(a.T)
    assert error_rate(model.row_labels_, turned.column_labels_) == 0
    assert error_rate(model.column_labels_, turned.row_labels_) == 0


def permuted_and_turned(a, i, j):
    """Return the labels and the criterion of three fits, all in the order of the first."""
    models = [RankOneCoclustering().fit(x) for x in (a, a[i][:, j], a.T)]
    results = [(m.row_labels_, m.column_labels_, m.result_.criterion) for m in models]
    back = np.argsort(i), np.argsort(j)
    rows, columns, criterion = results[1]
    results[1] = rows[back[0]], columns[back[1]], criterion
    results[2] = results[2][1], results[2][0], results[2][2]
    return results


@pytest.mark.parametrize("kind", ["overlapping", "counts", "missing"])
def test_labels_in_doubt_do_not_depend_on_the_order_nor_the_side(kind):
    rng = np.random.default_rng(0)
    for seed in range(6):
        if kind == "counts":
            means = [[1.0, 1.4], [1.4, 1.0]]
            a = make_counts((40, 40), means, mean=2, spread=0.4, random_state=seed).data
        else:
            missing = 0.3 if kind == "missing" else 0.0
            a = make_blocks(
                (50, 40), [[0, 1, 2], [1, 1, 0]], sigma=2.0, missing=missing, random_state=seed
            ).data
        i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
        expected, *others = permuted_and_turned(a, i, j)
        for found in others:
            assert error_rate(expected[0], found[0]) == error_rate(expected[1], found[1]) == 0
            assert found[2] == pytest.approx(expected[2], rel=1e-12)


def test_messages_name_rows_and_columns_as_they_were_given():
    a = np.ones((3, 6))
    a[1, 4] = -1.0
    with pytest.raises(ValueError, match=r"X\[1, 4\] is -1"):
        RankOneCoclustering(loss="poisson").fit(a)
    with pytest.raises(ValueError, match="3 clusters of columns were asked for, but the columns"):
        RankOneCoclustering(1, 3).fit(np.ones((3, 6)))


def test_labels_are_ordered_by_score():
    model = RankOneCoclustering().fit(make_paper("D4", noise=1, random_state=0).data)
    for labels, vector in (
        (model.row_labels_, model.row_vector_),
        (model.column_labels_, model.column_vector_),
    ):
        levels = np.bincount(labels, vector) / np.bincount(labels)
        assert (np.diff(levels) > 0).all()


def test_biclusters():
    blocks = make_blocks((30, 20), [[0, 9], [5, 2]], sigma=0.1, missing=0.1, random_state=0)
    model = RankOneCoclustering().fit(blocks.data)
    assert model.rows_.shape == (4, 30)
    assert model.columns_.shape == (4, 20)
    cover = np.zeros((30, 20), int)
    for block in range(4):
        rows, columns = model.get_indices(block)
        cover[np.ix_(rows, columns)] += 1
        part = model.get_submatrix(block, blocks.data)
        value = model.block_values_[divmod(block, 2)]
        assert np.nanmean(part) == pytest.approx(value)
    assert (cover == 1).all()
    assert np.array_equal(model.labels_, model.row_labels_)


@pytest.mark.parametrize("vectors", ["marginal", "nmf", "svd"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_fitted_rows_are_placed_where_they_are(vectors, missing):
    a = make_counts((60, 40), [[9, 2], [2, 6]], mean=8, missing=missing, random_state=0).data
    for refine in (True, False):
        model = RankOneCoclustering(vectors=vectors, refine=refine).fit(a)
        assert np.array_equal(model.predict(a), model.row_labels_)
        assert np.allclose(model.transform(a)[:, 0], model.row_vector_, rtol=1e-6)
        assert np.array_equal(model.predict(a[5:9]), model.row_labels_[5:9])


def test_new_rows_are_placed():
    blocks = make_paper("D2", noise=1, random_state=0)
    model = RankOneCoclustering().fit(blocks.data[:400])
    assert error_rate(blocks.row_labels[400:], model.predict(blocks.data[400:])) == 0


@pytest.mark.parametrize("vectors", ["marginal", "nmf", "svd"])
@pytest.mark.parametrize("refine", [True, False])
def test_new_rows_may_lack_columns(vectors, refine):
    blocks = make_blocks((60, 40), [[1, 9], [6, 2]], sigma=0.2, random_state=0)
    model = RankOneCoclustering(2, 2, vectors=vectors, refine=refine).fit(blocks.data)
    row = blocks.data[:1].copy()
    row[0, :3] = np.nan
    filled = model.impute(row)
    if refine or vectors != "marginal":  # whose means depend on which columns there are
        assert model.predict(row)[0] == model.row_labels_[0]
    if refine:
        assert np.abs(filled - blocks.data[:1]).max() < 1
    sparse = RankOneCoclustering(missing="absent").fit(sp.csr_array(blocks.data))
    assert sparse.predict(sp.csr_array(np.nan_to_num(row))).shape == (1,)


def test_methods_that_cannot_place_rows_have_no_predict():
    model = RankOneClustering(vectors="fiedler", refine=False)
    assert not hasattr(model, "predict")
    assert not hasattr(model, "transform")
    assert hasattr(RankOneClustering(vectors="fiedler"), "predict")
    with pytest.raises(AttributeError) as error:
        model.predict  # noqa: B018
    assert "use marginal, nmf or svd" in str(error.value.__cause__)


@pytest.mark.parametrize("refine", [True, False])
def test_impute(refine):
    blocks = make_blocks((60, 50), [[0, 1], [5, 9]], sigma=0.1, missing=0.3, random_state=0)
    filled = RankOneCoclustering(2, 2, refine=refine).fit(blocks.data).impute(blocks.data)
    gaps = np.isnan(blocks.data)
    assert np.array_equal(filled[~gaps], blocks.data[~gaps])
    truth = blocks.means[blocks.row_labels][:, blocks.column_labels]
    assert np.abs(filled - truth)[gaps].max() < 0.1


def test_impute_counts_by_margins():
    rng = np.random.default_rng(0)
    full = make_counts((200, 100), [[6, 1], [1, 4]], mean=20, random_state=0)
    data = np.where(rng.random((200, 100)) < 0.3, np.nan, full.data)
    gaps = np.isnan(data)
    filled = RankOneCoclustering().fit(data).impute(data)
    assert np.mean((filled - full.data)[gaps] ** 2) < 0.2 * np.var(full.data[gaps])


def test_confidence_is_the_probability_of_the_label():
    a = make_paper("D4", noise=2, random_state=0).data
    model = RankOneCoclustering().fit(a)
    z, w = model.row_labels_, model.column_labels_
    confidences = model.row_confidence_, model.column_confidence_
    for entries, labels, others, confidence in zip(
        (a, a.T), (z, w), (w, z), confidences, strict=True
    ):
        expected = gaussian_probabilities(entries, labels, others)
        np.testing.assert_allclose(
            confidence, expected[np.arange(labels.size), labels], rtol=1e-6, atol=1e-12
        )


def test_labels_of_scores_far_apart_are_certain():
    model = RankOneCoclustering(refine=False).fit(make_paper("D1", random_state=0).data)
    assert model.confidence_.min() > 0.999


@pytest.mark.parametrize("numbers", [(2, 3), (4, None), (None, 2), (1, 1)])
@pytest.mark.parametrize("refine", [True, False])
def test_given_numbers_are_respected(numbers, refine):
    model = RankOneCoclustering(*numbers, refine=refine).fit(
        make_paper("D1", noise=1, random_state=0).data
    )
    for given, number in zip(
        numbers, (model.n_row_clusters_, model.n_column_clusters_), strict=True
    ):
        assert given in (None, number)


def test_refinement_reaches_numbers_that_scores_do_not_have():
    rng = np.random.default_rng(0)
    a = np.kron(np.eye(3), np.ones((4, 4)))  # all sums are equal
    model = RankOneCoclustering(3, 3).fit(a + 0.01 * rng.normal(size=a.shape))
    assert model.n_row_clusters_ == 3
    assert error_rate(np.repeat(range(3), 4), model.row_labels_) == 0


@pytest.mark.parametrize("counts", [True, False])
def test_one_given_number_does_not_hide_the_other_side(counts):
    rng = np.random.default_rng(0)
    z, w = np.repeat([0, 1, 2], 20), np.repeat([0, 1], 20)
    means = np.array([[2, 6], [6, 2], [4, 4]])[z][:, w]  # the sums of rows tell nothing
    a = rng.poisson(means) if counts else means + rng.normal(size=means.shape)
    for model in (RankOneClustering(3), RankOneCoclustering(3), RankOneCoclustering(None, 2)):
        assert error_rate(z, model.fit(a).labels_) < 0.05


def test_counts_whose_sums_fall_apart_are_clusters():
    rng = np.random.default_rng(0)
    z = np.repeat([0, 1], 30)
    a = rng.poisson(np.where(z == 0, 2, 20)[:, None] * np.ones(30))
    for model in (RankOneClustering(), RankOneClustering(2)):
        assert np.array_equal(model.fit(a).labels_, z)
        assert np.array_equal(model.predict(a), z)
        assert model.converged_
    fiedler = RankOneClustering(vectors="fiedler").fit(a)  # its scores cannot place new rows
    assert np.array_equal(fiedler.predict(a), fiedler.labels_)
    assert RankOneClustering(loss="poisson").fit(a).n_clusters_ == 1  # beside margins, nothing
    with pytest.raises(ValueError, match=r"fitted to counts, but X\[0, 0\] is -1"):
        RankOneCoclustering(loss="poisson").fit(a).predict(-np.ones((1, 30)))


def test_more_than_there_are():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(12, 8))
    model = RankOneCoclustering(min_cluster_size=9).fit(a)  # no column cluster can be that large
    assert model.n_column_clusters_ == 1


def test_smallest_clusters():
    blocks = make_blocks((100, 80), [[0, 5], [9, 1]], [0.05, 0.95], sigma=0.3, random_state=0)
    assert np.bincount(blocks.row_labels).min() < 10
    for refine in (True, False):
        free = RankOneCoclustering(refine=refine).fit(blocks.data)
        assert free.n_row_clusters_ == 2
        model = RankOneCoclustering(refine=refine, min_cluster_size=10).fit(blocks.data)
        assert np.bincount(model.row_labels_).min() >= 10


def test_as_many_large_clusters_as_were_asked_for():
    a = np.random.default_rng(0).normal(size=(30, 10))
    a[0] += 20  # a cluster of its own, if it may
    for refine in (True, False):
        model = RankOneCoclustering(2, 1, min_cluster_size=5, refine=refine).fit(a)
        assert np.bincount(model.row_labels_).min() >= 5
        assert model.n_row_clusters_ == 2
    assert np.array_equal(model.predict(a), model.row_labels_)
    assert np.array_equal(model.row_partition_.labels, model.row_labels_)


@pytest.mark.parametrize("cut", ["sorted-potts", "largest-gaps", "potts"])
def test_large_clusters_that_a_cut_cannot_make_are_refused(cut):
    a = np.ones((10, 6))
    a[0] = 2.0  # nine equal rows
    with pytest.raises(ValueError, match="2 clusters of rows, each of 3 or more, were asked for"):
        RankOneCoclustering(2, 1, cut=cut, min_cluster_size=3, refine=False).fit(a)


def test_symmetric():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 120)
    rates = np.array([[0.6, 0.1, 0.1], [0.1, 0.4, 0.05], [0.1, 0.05, 0.3]])
    a = np.triu(rng.random((120, 120)) < rates[truth][:, truth], 1).astype(float)
    model = RankOneCoclustering(symmetric=True).fit(a + a.T)
    assert np.array_equal(model.row_labels_, model.column_labels_)
    assert error_rate(truth, model.row_labels_) < 0.02
    assert np.array_equal(model.predict(a + a.T), model.row_labels_)
    with pytest.raises(ValueError, match="needs a symmetric matrix"):
        RankOneCoclustering(symmetric=True).fit(a)
    with pytest.raises(ValueError, match="square matrix, but X has 100 rows and 120 columns"):
        RankOneCoclustering(symmetric=True).fit(a[:100])
    with pytest.raises(ValueError, match="one partition"):
        RankOneCoclustering(2, 3, symmetric=True).fit(a + a.T)


@pytest.mark.parametrize(
    "vectors", [Marginal(), NMF(beta=2), SVD(), PageRank(), Fiedler(), CCOTGW()]
)
@pytest.mark.parametrize(
    "cut",
    [
        SortedPotts(lam=1.0),
        Potts(lam=1.0),
        LargestGaps(2),
        Threshold(eps=0.5),
        Sign(),
        Multiscale(),
        TotalVariation(lam=0.1),
    ],
)
def test_every_step_1_with_every_step_2(vectors, cut):
    a = make_blocks((24, 16), [[1, 4], [6, 2]], sigma=0.05, random_state=0).data
    model = RankOneCoclustering(vectors=vectors, cut=cut, refine=False).fit(a)
    expected = vectors.extract(a)
    assert np.array_equal(model.row_vector_, expected.row)
    part = cut.cut(expected.row)
    assert model.n_row_clusters_ == part.n_clusters
    assert error_rate(part.labels, model.row_labels_) == 0


def test_sides_have_their_own_choices():
    a = make_blocks((40, 30), [[1, 4], [6, 2]], sigma=0.05, random_state=0).data
    model = RankOneCoclustering(
        row_vectors="marginal", column_vectors=SVD(), row_cut="sign", column_cut=LargestGaps(3)
    ).fit(a)
    assert np.array_equal(model.row_vector_, Marginal().extract(a).row)
    assert np.array_equal(model.column_vector_, SVD().extract(a).column)
    assert model.row_partition_.n_clusters == 1
    assert model.column_partition_.n_clusters == 3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"vectors": "nfm"}, "vectors must be one of 'auto', 'marginal'.* but it is 'nfm'"),
        ({"cut": 3}, "cut must be one of .* but it is 3"),
        ({"selection": "bic"}, "selection must be one of"),
        ({"loss": "l1"}, "loss must be one of"),
        ({"refine": "yes"}, "refine must be True or False"),
        ({"symmetric": "x"}, "symmetric must be True or False"),
        ({"n_row_clusters": 0}, "n_row_clusters must be a whole number, 1 or more, but it is 0"),
        ({"n_row_clusters": 2.0}, "n_row_clusters must be a whole number"),
        ({"n_row_clusters": 50}, "50 clusters of rows.* but X has 6 rows"),
        ({"max_clusters": 0}, "max_clusters"),
        ({"min_cluster_size": -1}, "min_cluster_size"),
        ({"missing": "zero"}, "missing must be one of 'nan', 'absent'"),
        ({"cut": "potts"}, "potts cannot select its number of clusters; give n_row_clusters"),
        ({"cut": "threshold"}, "give Threshold"),
        ({"cut": "total-variation"}, "give TotalVariation"),
        ({"cut": "sign", "n_row_clusters": 3}, "n_row_clusters is 3, but sign finds its own"),
        ({"cut": SortedPotts(lam=1), "n_row_clusters": 3}, "cut has its own lam; give one"),
        ({"vectors": "nmf"}, r"NMF does not accept negative entries, but X\[0, 0\] is -1"),
        ({"vectors": "ccot"}, "CCOT needs a square matrix"),
        ({"loss": "poisson"}, "loss='poisson' does not accept negative entries"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters, message):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 4))
    a[0, 0] = -1.0
    with pytest.raises(ValueError, match=message):
        RankOneCoclustering(**parameters).fit(a)


def test_bad_matrices_are_refused():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 4))
    a[2, 3] = np.inf
    for model in (RankOneCoclustering(), RankOneClustering(), RankOneClustering(refine=False)):
        with pytest.raises(ValueError, match=r"X\[2, 3\] is infinite"):
            model.fit(a)
    a[2] = np.nan
    with pytest.raises(ValueError, match="Row 2 of X has no observed entry"):
        RankOneCoclustering().fit(a)
    with pytest.raises(ValueError, match=r"Fiedler does not accept missing entries \(NaN\)"):
        RankOneCoclustering(vectors="fiedler").fit(
            np.where(a == a[0, 0], np.nan, rng.random((6, 4)))
        )
    with pytest.raises(NotFittedError):
        RankOneCoclustering().predict(a)


@pytest.mark.parametrize(
    "a",
    [
        np.zeros((5, 4)),
        np.full((5, 4), 7.0),
        np.array([[3.0]]),
        np.array([[1.0, 2.0, 3.0]]),
        np.array([[1.0], [2.0], [9.0]]),
        np.eye(4),
        1e8 + np.kron([[0.0, 1.0], [1.0, 0.0]], np.ones((5, 5))),
        1e-90 * np.kron([[0.0, 1.0], [1.0, 3.0]], np.ones((5, 5))),
        np.kron([[True, False], [False, True]], np.ones((5, 5), bool)),
    ],
)
def test_degenerate_matrices(a):
    for refine in (True, False):
        model = RankOneCoclustering(refine=refine).fit(a)
        assert model.row_labels_.shape == (a.shape[0],)
        assert model.predict(a).shape == (a.shape[0],)


def test_exact_blocks_are_found():
    a = np.kron([[0.0, 1.0], [1.0, 0.0]], np.ones((5, 6)))  # rows and columns have equal sums
    model = RankOneCoclustering().fit(a + 0.0)
    assert error_rate(np.repeat([0, 1], 5), model.row_labels_) == 0
    assert error_rate(np.repeat([0, 1], 6), model.column_labels_) == 0


def test_bound_is_announced():
    rng = np.random.default_rng(0)
    a = np.arange(40.0)[:, None] + 0.001 * rng.normal(size=(40, 30))
    with pytest.warns(MaxClustersWarning, match="rows is the largest that was allowed, 4"):
        RankOneCoclustering(
            n_column_clusters=1, max_clusters=4, refine=False, selection="noise-strict"
        ).fit(a)


def test_frames_keep_their_names():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((6, 3)), columns=list("abc"), index=list("uvwxyz"))
    model = RankOneCoclustering().fit(frame)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert list(model.row_names_in_) == list("uvwxyz")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["c", "b", "a"]])


def test_polars_frames_keep_their_names():
    rng = np.random.default_rng(0)
    values = rng.random((6, 3))
    frame = pl.DataFrame({name: values[:, j] for j, name in enumerate("abc")})
    model = RankOneCoclustering().fit(frame)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert np.array_equal(model.row_labels_, RankOneCoclustering().fit(values).row_labels_)
    assert np.array_equal(model.predict(frame), model.row_labels_)


def test_absent_entries_may_be_missing():
    rng = np.random.default_rng(0)
    blocks = make_blocks((60, 50), [[1, 9], [5, 2]], sigma=0.2, random_state=0)
    gaps = rng.random((60, 50)) < 0.4
    dense = RankOneCoclustering().fit(np.where(gaps, np.nan, blocks.data))
    sparse = sp.csr_array(np.where(gaps, 0.0, blocks.data))
    model = RankOneCoclustering(missing="absent").fit(sparse)
    assert np.array_equal(model.row_labels_, dense.row_labels_)
    assert np.allclose(model.impute(sparse), dense.impute(np.where(gaps, np.nan, blocks.data)))


def test_clone_pickle_and_grid_search():
    a = make_blocks((60, 20), [[1, 9], [5, 2]], sigma=0.2, random_state=0).data
    model = clone(RankOneClustering(vectors=NMF(negative="shift"), cut=SortedPotts(p=2))).fit(a)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(a), model.predict(a))
    search = GridSearchCV(
        model,
        {"vectors__beta": [1, 2], "cut__p": [1, 2]},
        scoring=lambda fitted, X, y=None: -fitted.n_clusters_,
        cv=2,
    ).fit(a)
    assert search.best_params_.keys() == {"vectors__beta", "cut__p"}


def test_paths_and_selection():
    model = RankOneCoclustering(refine=False).fit(make_paper("D1", noise=1, random_state=0).data)
    assert model.row_selection_.n_clusters == model.n_row_clusters_ == 3
    assert np.nanargmax(model.row_selection_.criterion) == 2
    assert np.array_equal(model.row_path_.at(n_clusters=3).labels, model.row_labels_)
    given = RankOneCoclustering(3, 3, refine=False).fit(make_paper("D1", random_state=0).data)
    assert given.row_selection_ is None
    assert np.array_equal(given.row_path_.at(n_clusters=3).labels, given.row_labels_)


def test_the_result_says_how_each_side_was_obtained():
    data = make_paper("D1", noise=1, random_state=0).data
    result = RankOneCoclustering(3, vectors="marginal", refine=False).fit(data).result_
    assert result.describe() == {
        "scores of rows": "Marginal()",
        "cut of rows": "3 clusters, given",
        "scores of columns": "Marginal()",
        "cut of columns": "3 clusters, selected by noise",
        "refinement": "none",
    }
    assert all(f"{step}: {text}" in repr(result) for step, text in result.describe().items())
    assert [side.name for side in result.sides] == ["rows", "columns"]
    assert result.rows.request.n_clusters == 3
    assert result.columns.request.n_clusters is None


def test_fitted_attributes_are_those_of_the_result():
    model = RankOneCoclustering().fit(make_paper("D3", noise=1, random_state=0).data)
    for prefix, side in (("row", model.result_.rows), ("column", model.result_.columns)):
        assert getattr(model, f"{prefix}_labels_") is side.labels
        assert getattr(model, f"{prefix}_vector_") is side.scores.values
        assert getattr(model, f"{prefix}_confidence_") is side.confidence
        assert getattr(model, f"{prefix}_path_") is side.path
    assert model.block_values_ is model.result_.blocks.values
    assert model.result_.criterion == model.result_.blocks.criterion


def test_rows_are_clustered_as_in_a_coclustering():
    data = make_paper("D3", noise=1, missing=0.2, random_state=0).data
    rows, both = RankOneClustering().fit(data), RankOneCoclustering().fit(data)
    assert np.array_equal(rows.labels_, both.row_labels_)
    assert np.array_equal(rows.confidence_, both.row_confidence_)
    assert [side.name for side in rows.result_.visible_sides] == ["rows"]


@pytest.mark.skipif(
    "sklearn.callback" not in sys.modules, reason="this scikit-learn has no callbacks"
)
def test_callbacks():
    rng = np.random.default_rng(0)

    class Counting:
        def __init__(self):
            self.steps = []

        def setup(self, estimator, context):
            self.steps.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.steps.append(context.task_name)

        def on_fit_task_end(self, estimator, context):
            return False

        def teardown(self, estimator, context):
            self.steps.append("teardown")

    callback = Counting()
    RankOneCoclustering().set_callbacks(callback).fit(rng.normal(size=(30, 20)))
    assert callback.steps[:2] == ["setup", "fit"]
    assert callback.steps[-1] == "teardown"
    assert "sweep" in callback.steps
