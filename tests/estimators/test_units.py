"""Columns in different units are pointed out, unless they are standardised or frequencies."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from rankone import Prepare, RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.estimators.units import UnitsWarning

LEARNERS = (RankOneCoclustering, RankOneClustering, RankOneTree)
every_learner = pytest.mark.parametrize("learner", LEARNERS)


def in_different_units(rng):
    """Return a table whose last column is in other units than the rest."""
    return rng.normal(size=(40, 5)) * [1.0, 1.0, 1.0, 1.0, 1000.0]


@every_learner
def test_a_warning_points_at_the_caller_and_says_what_to_do(learner):
    a = in_different_units(np.random.default_rng(0))
    expected = r"different units; standardise them with prepare=Prepare\(standardise='columns'\)"
    with pytest.warns(UnitsWarning, match=expected) as caught:
        learner().fit(a)
    assert caught[0].filename == __file__


@every_learner
@pytest.mark.parametrize(
    ("values", "prepare"),
    [
        (lambda rng: in_different_units(rng), Prepare(standardise="columns")),
        (lambda rng: rng.normal(size=(40, 5)) * [1.0, 2.0, 3.0, 4.0, 20.0], None),
        (lambda rng: sp.csr_array(rng.poisson(np.geomspace(0.01, 50.0, 8), (60, 8))), None),
        (lambda rng: np.hstack([rng.normal(size=(40, 4)), np.full((40, 1), 0.1)]), None),
    ],
    ids=["standardised", "similar units", "rare and frequent words", "a constant column"],
)
def test_nothing_is_said_of_other_columns(learner, values, prepare):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner(prepare=prepare).fit(values(np.random.default_rng(0)))
