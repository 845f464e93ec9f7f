"""What scikit-learn expects of an estimator, of trees."""

import warnings

from sklearn.utils.estimator_checks import parametrize_with_checks

from rankone import Prepare, RankOneTree
from tests.estimators.checks import failures_of_predict_proba


@parametrize_with_checks(
    [
        RankOneTree(),
        RankOneTree(2),
        RankOneTree(max_clusters=3),
        RankOneTree(prepare=Prepare(standardise="columns")),
    ],
    expected_failed_checks=failures_of_predict_proba,
)
def test_checks_of_scikit_learn_pass_for_trees(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tiny data of two columns
        check(estimator)
