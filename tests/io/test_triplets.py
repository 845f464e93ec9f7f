"""Triplets: sparse matrices from lines of row, column, value."""

import sys

import numpy as np
import pandas as pd
import pytest

from rankone.io import FileError, ReadingWarning, read_matrix

LONG = "user,item,stars\nu,i,5\nv,j,3\nu,j,1\n"


@pytest.fixture(params=["pyarrow", "no pyarrow"], autouse=True)
def parser(request, monkeypatch):
    """Read with the fast parser and with the reference parser."""
    if request.param == "no pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow", None)


@pytest.fixture
def read(tmp_path):
    """Return a function that reads triplets from a text."""

    def read(text, absent="zero", **options):
        (tmp_path / "a.csv").write_text(text)
        return read_matrix(tmp_path / "a.csv", format="triplets", absent=absent, **options)

    return read


def dense(table):
    return table.values.toarray()


@pytest.mark.parametrize("text", [LONG, LONG.split("\n", 1)[1]], ids=["header", "no header"])
def test_triplets_are_read_with_and_without_a_header(text, read):
    table = read(text)
    np.testing.assert_array_equal(dense(table), [[5, 1], [0, 3]])
    assert (table.row_names, table.column_names) == (["u", "v"], ["i", "j"])


@pytest.mark.parametrize(("absent", "missing"), [("zero", "nan"), ("missing", "absent")])
def test_pairs_that_are_not_listed_are_treated_as_the_user_says(absent, missing, read):
    assert read(LONG, absent=absent).missing == missing


def test_pairs_that_are_not_listed_are_not_guessed(read):
    with pytest.raises(FileError, match="zero or missing; give absent='zero' or absent='missing'"):
        read(LONG, absent=None)
    with pytest.raises(FileError, match="absent must be one of"):
        read(LONG, absent="perhaps")


@pytest.mark.parametrize(("rule", "value"), [("sum", 7), ("mean", 3.5), ("first", 5), ("last", 2)])
def test_duplicates_are_combined_by_the_rule(rule, value, read):
    table = read(LONG + "u,i,2\n", duplicates=rule)
    np.testing.assert_array_equal(dense(table), [[value, 1], [0, 3]])


@pytest.mark.parametrize(
    ("text", "absent", "message"),
    [
        (LONG + "u,i,2\n", "zero", 'line 5: the pair "u", "i" is listed a second time'),
        ("u,i,NA\nu,j,1\nu,j,2\n", "missing", "line 3: the pair"),
        ("u,i,5\nw,k,3\nv,j\n", "zero", "line 3: it has 2 cells"),
        ("u,i,5\nv,j,bad\n", "zero", 'line 2, column 3: "bad"'),
        ("user,when,item,stars\nu,1,i,5\nv,2,j,3\n", "zero", "three columns"),
    ],
)
def test_errors_name_the_line(text, absent, message, read):
    with pytest.raises(FileError, match=message):
        read(text, absent=absent)


def test_other_columns_are_dropped(read):
    table = read("user,when,item,stars\nu,1,i,5\nv,2,j,3\n", drop=["when"])
    np.testing.assert_array_equal(dense(table), [[5, 0], [0, 3]])


@pytest.mark.parametrize(
    "text",
    [
        "user,item,stars,when\nu,i,5,1\nv,j,3,2\nu,j,1,3\n",
        "user,item,stars,when,comment\nu,i,5,1,good\nv,j,3,2,\nu,j,1,3,bad\n",
        ",user,item,stars\n0,u,i,5\n1,v,j,3\n2,u,j,1\n",
    ],
    ids=["a time", "a time and a comment", "line numbers"],
)
def test_further_columns_are_left_out_and_a_warning_says_so(text, read):
    expected = 'column "user" as rows, "item" as columns and "stars" as values, and no other'
    with pytest.warns(ReadingWarning, match=expected) as caught:
        table = read(text)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(dense(table), [[5, 1], [0, 3]])


def test_line_numbers_with_a_title_are_no_rows(read):
    lines = [f"{i + 1},u{i % 3},i{i % 4},{i}" for i in range(12)]
    with pytest.warns(ReadingWarning, match='column "user" as rows'):
        table = read("\n".join(["line,user,item,stars", *lines]))
    assert table.row_names == ["u0", "u1", "u2"]


def test_columns_that_are_chosen_are_read_without_a_warning(read):
    text = "user,when,item,stars\nu,1,i,5\nv,2,j,3\nu,3,j,1\n"
    np.testing.assert_array_equal(dense(read(text, keep="user,item,stars")), [[5, 1], [0, 3]])


def test_duplicates_are_combined_as_pandas_does(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"r": rng.integers(0, 40, 500), "c": rng.integers(0, 30, 500), "v": rng.normal(size=500)}
    )
    frame.to_csv(tmp_path / "a.csv", index=False)
    for rule in ("sum", "mean", "first", "last"):
        table = read_matrix(tmp_path / "a.csv", format="triplets", absent="zero", duplicates=rule)
        ours = pd.DataFrame(dense(table), table.row_names, table.column_names)
        theirs = frame.astype({"r": str, "c": str}).pivot_table("v", "r", "c", aggfunc=rule)
        theirs = theirs.fillna(0.0).loc[ours.index, ours.columns]
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_a_file_that_has_three_columns_only_if_its_first_line_is_a_header_is_refused(read):
    with pytest.raises(FileError, match="triplets have three columns"):
        read(",\r1,,1")
