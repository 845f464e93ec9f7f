"""How numbers and missing entries are written: by both parsers, detected or as the user says."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankone.io import FileError, read_matrix
from rankone.io.cells import Notation
from rankone.io.delimited import parse_by_cell, parse_fast
from rankone.io.layout import find_layout
from rankone.io.options import Options
from rankone.io.source import Source


@pytest.fixture(params=["pyarrow", "no pyarrow"])
def read(request, monkeypatch, tmp_path):
    """Return a function that reads a text with the fast parser, or with the reference parser."""
    if request.param == "no pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow", None)

    def read(text, **options):
        Path(tmp_path / "a.csv").write_text(text)
        return read_matrix(tmp_path / "a.csv", **options)

    return read


@pytest.mark.parametrize("true", ["True", "true", "TRUE", "tRuE"])
def test_true_and_false_are_one_and_zero(true, read):
    table = read(f"a,b\n{true},1.5\nFalse,2.5\nNA,3.5\n")
    np.testing.assert_array_equal(table.values, [[1, 1.5], [0, 2.5], [np.nan, 3.5]])
    assert table.column_names == ["a", "b"]


def test_numbers_may_follow_true_and_false(read):
    lines = 40 * ["True,1"] + ["0.5,2"]
    assert read("\n".join(["a,b", *lines])).values[-1].tolist() == [0.5, 2]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_a_decimal_comma_is_detected_where_commas_do_not_delimit_cells(delimiter, read):
    text = "a;b;c\n1,5;2;-0,25\n3;4,125;1e3\n".replace(";", delimiter)
    table = read(text)
    np.testing.assert_array_equal(table.values, [[1.5, 2, -0.25], [3, 4.125, 1000]])
    assert table.how["decimal"] == ","


@pytest.mark.parametrize(
    "text", ["a;b\n1,000;2\n3,000;4\n", "a;b\n1,5;2.5\n", "a;b\n1,234,567;2\n"]
)
def test_commas_of_another_meaning_are_not_taken_for_decimal_ones(text, read):
    with pytest.raises(FileError, match="finite number; give"):
        read(text)


def test_a_decimal_point_can_be_demanded(read):
    with pytest.raises(FileError, match='"1,5" is not a finite number'):
        read("a;b\n1,5;2\n2,5;3\n", decimal=".")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('a,b\n"1,250.5",2\n"-12,345,678",4\n', {"thousands": ","}),
        ("a;b\n1.250,5;2\n-12.345.678;4\n", {"thousands": "."}),
        ("a;b\n1 250,5;2\n-12 345 678;4\n", {"thousands": " "}),
        ("a;b\n1\u202f250,5;2\n-12\u00a0345\u00a0678;4\n", {"thousands": " "}),
        ("a,b\n1'250.5,2\n-12'345'678,4\n", {"thousands": "'"}),
        ('a,b\n"1,250.5",2\n"-1,23,45,678",4\n', {"thousands": ","}),
    ],
    ids=["English", "German", "blanks", "narrow blanks", "Swiss", "Indian"],
)
def test_separators_of_thousands_are_removed(text, options, read):
    values = read(text, **options).values
    assert values[0].tolist() == [1250.5, 2]
    assert values[1, 0] in (-12345678, -12345678.0)


@pytest.mark.parametrize("cell", ["1,2", "12,34", "1,,000", ",500", "1234,567", "1,000,00"])
def test_groups_that_are_not_thousands_are_refused(cell, read):
    with pytest.raises(FileError, match="is not a finite number"):
        read(f'a,b\n"{cell}",2\n3,4\n', thousands=",")


def test_the_error_for_thousands_says_what_to_give(read):
    with pytest.raises(FileError, match=r"give thousands='\.' if this is a separator of thousands"):
        read("a;b\n1.250,5;2,5\n-12.345.678;4\n")


def test_further_cells_can_stand_for_missing_entries(read):
    table = read("a,b,c\n-,1,5\n2, . ,-999\n3,4,-999.0\n4,5,6\n", na=["-", ".", "-999"])
    expected = [[np.nan, 1, 5], [2, np.nan, np.nan], [3, 4, np.nan], [4, 5, 6]]
    np.testing.assert_array_equal(table.values, expected)
    assert table.how["missing cells"] == ["-", ".", "-999"]


def test_a_cell_that_stands_for_missing_does_not_make_a_column_of_names(read):
    table = read("a,b\n-,1\n-,2\n3,4\n", na="-")
    assert table.row_names is None
    assert table.column_names == ["a", "b"]


@given(
    st.lists(
        st.lists(
            st.sampled_from(
                ["1", "-1.0", "1,5", "2.5", "True", "false", "-", "NA", "-1", "1.234,5", "1,234"]
            ),
            min_size=2,
            max_size=2,
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([".", ","]),
    st.sampled_from([(), ("-",), ("-1",), ("-", "2.5")]),
)
def test_both_parsers_agree_on_every_notation(tmp_path_factory, rows, decimal, na):
    path = tmp_path_factory.mktemp("notation") / "a.csv"
    path.write_text("\n".join(";".join(row) for row in rows))
    source = Source.of(path)
    layout = find_layout(
        source, Options(delimiter=";", header=False, index=0, decimal=decimal, na=na)
    )
    fast = parse_fast(source, layout)
    try:
        values, _ = parse_by_cell(source, layout)
    except FileError:
        assert fast is None
        return
    if fast is not None:
        np.testing.assert_array_equal(fast[0], values)


@given(st.integers(-(10**15), 10**15), st.sampled_from([",", "'", " "]))
def test_whole_numbers_are_read_with_every_separator(number, separator):
    cell = f"{number:,}".replace(",", separator)
    assert Notation(thousands=separator).number(cell) == number
