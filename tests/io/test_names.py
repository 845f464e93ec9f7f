"""Columns of whole numbers that name the rows are pointed out, and nothing else is."""

import warnings

import numpy as np
import pandas as pd
import pytest

from rankone.io import ReadingWarning, read_matrix
from rankone.io.names import naming_columns

ANSWERS = np.random.default_rng(0).integers(1, 6, (60, 4)).astype(float)


def written(tmp_path, first, title="first", frame=ANSWERS, **how):
    titles = [title, *(f"q{j}" for j in range(frame.shape[1]))]
    pd.DataFrame(np.column_stack([first, frame[: len(first)]]), columns=titles).to_csv(
        tmp_path / "a.csv", index=False, **how
    )
    return tmp_path / "a.csv"


RNG = np.random.default_rng(1)
NAMES = {
    "rising": (np.arange(1001, 1061), "respondent"),
    "rising, untold by the title": (np.cumsum(RNG.integers(1, 9, 60)), "x"),
    "falling": (np.arange(60, 0, -1), "x"),
    "shuffled": (RNG.permutation(60) + 1, "x"),
    "an identifier": (RNG.choice(10**6, 60, replace=False), "PassengerId"),
    "another one": (RNG.choice(10**6, 60, replace=False), "user_id"),
}


@pytest.mark.parametrize(("column", "title"), NAMES.values(), ids=NAMES)
def test_names_that_are_read_as_data_are_pointed_out(column, title, tmp_path):
    expected = f"Column \"{title}\" .* give index='{title}'; if it is data, index=0"
    with pytest.warns(ReadingWarning, match=expected) as caught:
        table = read_matrix(written(tmp_path, column, title))
    assert caught[0].filename == __file__
    assert table.column_names[0] == title


DATA = {
    "prices": (RNG.choice(10**6, 60, replace=False), "price"),
    "real numbers": (np.sort(RNG.normal(size=60)), "x"),
    "sorted counts": (np.sort(RNG.integers(0, 30, 60)), "x"),
    "few rows": (np.arange(6), "x"),
    "years of groups": (np.repeat([2001, 2002, 2003], 20), "id"),
}


@pytest.mark.parametrize(("column", "title"), DATA.values(), ids=DATA)
def test_data_is_not_taken_for_names(column, title, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_matrix(written(tmp_path, column, title))


@pytest.mark.parametrize("options", [{"index": "id"}, {"index": 0}, {"keep": ["id", "q1"]}])
def test_what_the_user_has_decided_is_not_pointed_out(options, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_matrix(written(tmp_path, np.arange(60), "id"), **options)


def test_numbers_of_named_rows_can_be_left_out(tmp_path):
    frame = pd.DataFrame(ANSWERS, columns=list("abcd")).assign(id=np.arange(60) + 500)
    frame.insert(0, "person", [f"p{i}" for i in range(60)])
    frame.to_csv(tmp_path / "a.csv", index=False)
    with pytest.warns(ReadingWarning, match=r"if it only names the rows, give drop='id'"):
        read_matrix(tmp_path / "a.csv")


def test_a_column_without_a_title_is_named_by_its_number(tmp_path):
    np.savetxt(tmp_path / "a.csv", np.column_stack([np.arange(60), ANSWERS]), "%g", ",")
    with pytest.warns(ReadingWarning, match=r"Column 1 holds .* give index=1; "):
        read_matrix(tmp_path / "a.csv")


@pytest.mark.parametrize("n", [20, 60, 200])
def test_counts_are_seldom_taken_for_names(n):
    rng = np.random.default_rng(n)
    draws = (rng.poisson(mean, (n, 3)).astype(float) for mean in np.geomspace(1, 1e5, 300))
    assert sum(naming_columns(draw, None) != [] for draw in draws) == 0
