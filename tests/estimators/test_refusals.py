"""What cannot be fitted is refused by a message that says why."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rankone import (
    RankOneClustering,
    RankOneCoclustering,
    SortedPotts,
)


def test_message_names_the_entry_as_it_was_given():
    a = np.ones((3, 6))
    a[1, 4] = -1.0
    with pytest.raises(ValueError, match=r"X\[1, 4\] is -1"):
        RankOneCoclustering(loss="poisson").fit(a)


def test_message_names_the_side_as_it_was_given():
    with pytest.raises(ValueError, match="3 clusters of columns were asked for, but the columns"):
        RankOneCoclustering(1, 3).fit(np.ones((3, 6)))


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
def test_unusable_parameters_are_refused(parameters, message):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 4))
    a[0, 0] = -1.0
    with pytest.raises(ValueError, match=message):
        RankOneCoclustering(**parameters).fit(a)


def test_infinite_entries_are_refused():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 4))
    a[2, 3] = np.inf
    for model in (RankOneCoclustering(), RankOneClustering(), RankOneClustering(refine=False)):
        with pytest.raises(ValueError, match=r"X\[2, 3\] is infinite"):
            model.fit(a)


def test_empty_rows_are_refused():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(6, 4))
    a[2] = np.nan
    with pytest.raises(ValueError, match="Row 2 of X has no observed entry"):
        RankOneCoclustering().fit(a)


def test_missing_entries_are_refused_by_methods_that_need_all():
    rng = np.random.default_rng(0)
    a = rng.random((6, 4))
    a[0, 0] = np.nan
    with pytest.raises(ValueError, match=r"Fiedler does not accept missing entries \(NaN\)"):
        RankOneCoclustering(vectors="fiedler").fit(a)


def test_predict_before_fit_is_refused():
    empty = np.full((6, 4), np.nan)  # which a fitted learner would refuse for another reason
    with pytest.raises(NotFittedError):
        RankOneCoclustering().predict(empty)
