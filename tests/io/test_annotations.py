"""Tables of what else is known of rows or columns."""

import math

import pytest

from rankone.errors import FileError
from rankone.io.annotations import read_annotations


def write(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    return tmp_path / "a.csv"


def test_columns_are_classes_whole_numbers_or_numbers(tmp_path):
    path = write(tmp_path, "wine,grower,year,acid\na,north,1990,0.5\nb,,1991,\nc,south,1990,2\n")
    table = read_annotations(path)
    assert table.names == ["a", "b", "c"]
    assert table.columns["grower"] == ["north", "", "south"]
    assert table.columns["year"] == [1990, 1991, 1990]
    assert table.columns["acid"][::2] == [0.5, 2.0]
    assert math.isnan(table.columns["acid"][1])
    assert table.matching(["c", "x", "a"]) == 2
    assert table.of(["c", "x"]) == {
        "grower": ["south", None],
        "year": [1990, None],
        "acid": [2.0, None],
    }


def test_names_must_be_there_once(tmp_path):
    with pytest.raises(FileError, match='"a" is there more than once'):
        read_annotations(write(tmp_path, "name,x\na,1\nb,2\na,3\n"))
    with pytest.raises(FileError, match="it has one column"):
        read_annotations(write(tmp_path, "name\na\nb\n"))
