"""Entries that were made of counts, and columns that name rows, are pointed out; data is not."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfTransformer

from rankone import Prepare, RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_counts
from rankone.errors import InputWarning

COUNTS = make_counts((60, 40), [[4, 1], [1, 3]], mean=1.5, random_state=0).data
SHARES = 1e4 * COUNTS / COUNTS.sum(axis=1, keepdims=True)

MADE_OF_COUNTS = {
    "TF-IDF": (TfidfTransformer().fit_transform(COUNTS), "length one, as TF-IDF weights do; count"),
    "logarithms": (np.log1p(COUNTS), r"logarithms of counts, log\(1 \+ x\); give the counts"),
    "single precision": (np.log1p(COUNTS.astype(np.float32)), "logarithms of counts"),
    "base two": (np.log2(1 + COUNTS), "logarithms of counts"),
    "base ten, sparse": (sp.csr_array(np.log10(1 + COUNTS)), "logarithms of counts"),
    "normalised": (np.log1p(SHARES), "logarithms of counts in rows that were normalised"),
}


@pytest.mark.parametrize("learner", [RankOneCoclustering, RankOneClustering, RankOneTree])
@pytest.mark.parametrize(("values", "expected"), MADE_OF_COUNTS.values(), ids=MADE_OF_COUNTS)
def test_what_was_made_of_counts_is_pointed_out_to_the_caller(learner, values, expected):
    with pytest.warns(InputWarning, match=expected) as caught:
        learner(2, max_clusters=3).fit(values)
    assert [warning.filename for warning in caught] == [__file__]


def test_logarithms_of_logarithms_are_advised_against():
    with pytest.warns(InputWarning, match="logarithms of counts.*; leave out log=True"):
        RankOneTree(2, prepare=Prepare(log=True)).fit(np.log1p(COUNTS))


RNG = np.random.default_rng(0)
OTHERS = {
    "counts": COUNTS,
    "counts that are logged by the learner": COUNTS,
    "weights": RNG.gamma(2.0, size=(60, 40)) * (COUNTS > 0),
    "rows of one category": np.eye(6)[RNG.integers(0, 6, 60)],
    "directions": (lambda x: x / np.linalg.norm(x, axis=1, keepdims=True))(
        RNG.normal(size=(60, 9))
    ),
    "shares": SHARES,
    "half points": RNG.integers(0, 11, (60, 9)) / 2,
}


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_is_said_of_other_entries(name):
    prepare = Prepare(log=True) if "logged" in name else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RankOneTree(2, prepare=prepare).fit(OTHERS[name])


ANSWERS = {f"q{j}": RNG.normal(size=30) for j in range(4)}
FRAMES = {
    "titled": (pd.DataFrame(ANSWERS).assign(user_id=RNG.permutation(900)[:30]), "set_index('us"),
    "rising": (pd.DataFrame({"x": np.arange(30)} | ANSWERS), "set_index('x')"),
    "named rows": (
        pd.DataFrame({"id": np.arange(30)} | ANSWERS, [f"p{i}" for i in range(30)]),
        "drop(columns='id')",
    ),
    "polars": (pl.DataFrame({"no": np.arange(30)} | ANSWERS), "drop('no')"),
}


@pytest.mark.parametrize(("frame", "advice"), FRAMES.values(), ids=FRAMES)
def test_a_column_of_a_frame_that_names_rows_is_pointed_out(frame, advice):
    with pytest.warns(InputWarning, match="different whole number in each row") as caught:
        RankOneTree(2, prepare=Prepare(standardise="columns")).fit(frame)
    assert [warning.filename for warning in caught] == [__file__]
    assert f"if it names the rows, pass X.{advice}" in str(caught[0].message)
