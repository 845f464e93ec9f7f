"""Checks of scikit-learn that cannot pass."""

#: These take whatever has predict_proba for a classifier of two classes, or of four.
OF_CLASSIFIERS = {
    f"check_estimator_sparse_{kind}": "its last lines are about the tags of classifiers"
    for kind in ("array", "matrix")
}


def failures_of_predict_proba(estimator):
    """Return the checks that cannot pass because clusterings have probabilities."""
    sparse = estimator.__sklearn_tags__().input_tags.sparse
    return OF_CLASSIFIERS if sparse and hasattr(estimator, "predict_proba") else {}
