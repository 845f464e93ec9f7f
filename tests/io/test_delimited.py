"""Text files: the fast parser and the reference parser agree, and errors say where."""

import gzip
import io
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankone.io import FileError, read_matrix
from rankone.io.cells import MISSING, Notation
from rankone.io.delimited import parse_by_cell, parse_fast
from rankone.io.layout import find_layout
from rankone.io.options import Options
from rankone.io.source import Source


def written(tmp_path, text, name="a.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "values", "rows", "columns"),
    [
        ("1,2\n3,4\n", [[1, 2], [3, 4]], None, None),
        ("a,b\n1,2\n3,4", [[1, 2], [3, 4]], None, ["a", "b"]),
        ("id,a,b\nx,1,2\ny,3,4\n", [[1, 2], [3, 4]], ["x", "y"], ["a", "b"]),
        ("x,1,2\ny,3,4\n", [[1, 2], [3, 4]], ["x", "y"], None),
        (",0,1\n0,1,2\n1,3,4\n", [[1, 2], [3, 4]], ["0", "1"], ["0", "1"]),  # as pandas writes
        ('"a","b"\n"x",1,2\n"y",3,4\n', [[1, 2], [3, 4]], ["x", "y"], ["a", "b"]),  # as R writes
        ("a\tb\n1\t2\n3\t4\n", [[1, 2], [3, 4]], None, ["a", "b"]),
        ("a;b\n1;2\n3;4\n", [[1, 2], [3, 4]], None, ["a", "b"]),
        ("1 2\n3 4\n", [[1, 2], [3, 4]], None, None),
        ("a, b\r\n1, 2\r\n3, 4\r\n", [[1, 2], [3, 4]], None, ["a", "b"]),
        ("\ufeffa,b\n1,2\n\n3,4\n\n", [[1, 2], [3, 4]], None, ["a", "b"]),
        ('a,"b\nc"\n1,2\n"3",4\n', [[1, 2], [3, 4]], None, ["a", "b\nc"]),
        ('n,a\n"x, y",1\n"z\nw",3\n', [[1], [3]], ["x, y", "z\nw"], ["a"]),
        ("a,b\n1,\nNA,4\n", [[1, np.nan], [np.nan, 4]], None, ["a", "b"]),
        ("v\n1\n2\n", [[1], [2]], None, ["v"]),
        ("1e-3,+2\n-.5,4.\n", [[0.001, 2], [-0.5, 4]], None, None),
        ("0,1,2\n1,2,3\n3,4,5\n", [[1, 2, 3], [3, 4, 5]], None, ["0", "1", "2"]),
        ("0,1\n1,2\n", [[0, 1], [1, 2]], None, None),  # that may be numbers
        ("\na,b\n1,2\n3,4\n", [[1, 2], [3, 4]], None, ["a", "b"]),  # an empty first line
        ("a,b\n1,2\n3,4\n \n", [[1, 2], [3, 4]], None, ["a", "b"]),  # blanks at the end
        ("a,b\n1,2,\n3,4,\n", [[1, 2], [3, 4]], None, ["a", "b"]),  # delimiters end lines
        ("a,b,\n1,2,\n3,4,\n", [[1, 2], [3, 4]], None, ["a", "b"]),
        ('"a" "b"\n"1" 1 2\n"2" 3 4\n', [[1, 2], [3, 4]], ["1", "2"], ["a", "b"]),
        ("n,a\nx\u2028y,1\nz,3\n", [[1], [3]], ["x\u2028y", "z"], ["a"]),
        ("a,b\n1,nAn\n3,4\n", [[1, np.nan], [3, 4]], None, ["a", "b"]),
    ],
)
def test_the_layout_is_detected(text, values, rows, columns, tmp_path):
    table = read_matrix(written(tmp_path, text))
    np.testing.assert_array_equal(table.values, values)
    assert table.row_names == rows
    assert table.column_names == columns


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a,b\n1,x\n",
            r'line 2, column 2 \("b"\): "x" is not a finite number; leave the cell empty',
        ),
        ("a,b\n1,2\n3\n", "line 3: it has 1 cell, but the lines before it have 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: it has 3 cells"),
        ("a,b\n1,inf\n", "line 2, column 2.*leave the cell empty if it is missing"),
        ("a,b\n1,1e999\n", "line 2, column 2.*leave the cell empty if it is missing"),
        ("a,b,c,d\n1,1,2,1_000\n", "line 2, column 4"),
        (
            "a b\n1,5 2.5\n2,5 3\n",
            r"line 2, column 1 .*give decimal=',' if this is a decimal comma",
        ),
        ("user,item,stars\nu,i,5\nv,j,3\n", "column 2 .*holds text.*format='triplets'"),
        ("a,b\n", "has a header, but no lines below"),
        ("", "is empty"),
        ("\n \n", "has no lines"),
        (b"a,b\n1,\xe9\n", "line 2: byte 0xe9 is not utf-8; try another encoding"),
        (b"a,b\n" + 3000 * b"1,2\n" + b"1,\xe9\n", "byte 0xe9 is not utf-8"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16; save it in UTF-8"),
        (b"\x00\x01\x02", "neither text nor a known format"),
        ("a,b,c\n1,2\n", "line 1: the header has 3 cells, but the line below has 2"),
        ('n,a\n"x,1\n', r"cell|header"),
        ("a,b\n1,2,5\n3,4,6\n", "line 1: the header has 2 cells, .* below has 3; give skip=1"),
        ("# a title\na,b\n1,2\n", "line 1: the header has 1 cell, .*give skip=1"),
        ("a;b\n1,000;2\n3,000;4\n", "give thousands=',' if .*, or decimal=',' if"),
    ],
)
def test_errors_say_where(text, message, tmp_path):
    with pytest.raises(FileError, match=message) as error:
        read_matrix(written(tmp_path, text))
    assert "\n" not in str(error.value)


def test_an_error_far_down_is_found(tmp_path):
    path = written(tmp_path, "a,b\n" + 50_000 * "1.5,2.5\n" + "3,oops\n" + 10 * "1,2\n")
    with pytest.raises(FileError, match=r'line 50002, column 2 \("b"\): "oops"'):
        read_matrix(path)


def test_errors_can_do_nothing_to_a_terminal(tmp_path):
    with pytest.raises(FileError) as error:
        read_matrix(written(tmp_path, "a,\x1b[31mb\n1,\x1b[2Jx\n"))
    assert str(error.value).isprintable()


def test_index_and_drop_choose_names_and_data(tmp_path):
    path = written(tmp_path, "id;kind;x;y\n1;a;1,5;2\n2;b;3,5;4\n")
    table = read_matrix(path, decimal=",", index="id", drop=["kind"])
    assert table.row_names == ["1", "2"]
    assert table.column_names == ["x", "y"]
    np.testing.assert_array_equal(table.values, [[1.5, 2], [3.5, 4]])


def test_kept_columns_stay_in_the_order_of_the_file(tmp_path):
    path = written(tmp_path, "id;kind;x;y\n1;a;1,5;2\n2;b;3,5;4\n")
    assert read_matrix(path, decimal=",", keep=["y", 3]).column_names == ["x", "y"]


def test_columns_without_titles_are_dropped_by_number(tmp_path):
    classes = written(tmp_path, "5.1,3.5,setosa\n4.9,3.1,virginica\n")
    assert read_matrix(classes, drop=[3]).values.tolist() == [[5.1, 3.5], [4.9, 3.1]]


def test_lines_before_the_table_are_skipped(tmp_path):
    titled = written(tmp_path, "made by hand\n# 2 columns\n2001,2002\n1,2\n")
    table = read_matrix(titled, skip=2, header=True)
    assert table.column_names == ["2001", "2002"]
    np.testing.assert_array_equal(table.values, [[1, 2]])


def test_skipped_lines_count_in_the_place_of_an_error(tmp_path):
    with pytest.raises(FileError, match='line 4, column 2: "x"') as error:
        read_matrix(written(tmp_path, "made\nby hand\n1,2\n3,x\n5,6\n"), skip=2)
    assert (error.value.line, error.value.column) == (4, 2)


def test_other_encodings_are_read(tmp_path):
    latin = written(tmp_path, "é,b\n1,2\n".encode("latin-1"))
    assert read_matrix(latin, encoding="latin-1").column_names == ["é", "b"]


@pytest.mark.parametrize("encoding", ["utf8", "UTF-8"])
def test_a_byte_order_mark_is_no_part_of_a_title(encoding, tmp_path):
    marked = written(tmp_path, "\ufeffa,b\n1,2\n")
    assert read_matrix(marked, encoding=encoding).column_names == ["a", "b"]


def test_a_header_of_numbers_must_be_announced(tmp_path):
    years = written(tmp_path, "2001,2002\n1,2\n")
    assert read_matrix(years).column_names is None
    assert read_matrix(years, header=True).column_names == ["2001", "2002"]


def test_a_column_of_texts_is_refused_if_it_must_not_name_the_rows(tmp_path):
    with pytest.raises(FileError, match=r'column 1 .*"x".*try drop=') as error:
        read_matrix(written(tmp_path, "a,b\nx,1\ny,2\n"), index=0)
    assert "index" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": ["zz"]}, 'it has no column "zz"'),
        ({"key": "X"}, "key is not an option of text files"),
        ({"encoding": "nonsense"}, 'unknown encoding "nonsense"; give encoding'),
        ({"delimiter": "::"}, "delimiter must be one character"),
        ({"decimal": "x"}, "decimal must be"),
        ({"thousands": "00"}, "thousands must be one character"),
        ({"thousands": "7"}, "thousands must be one character"),
        ({"thousands": ",", "decimal": ","}, "thousands=',' and decimal=',' are the same"),
    ],
)
def test_wrong_options_are_refused(options, message, tmp_path):
    with pytest.raises(FileError, match=message):
        read_matrix(written(tmp_path, "a,b\nx,1\ny,2\n"), **options)


def test_an_unknown_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="format must be one of"):
        read_matrix(written(tmp_path, "a,b\n1,2\n"), format="xls")


def test_a_repeated_title_does_not_choose_a_column(tmp_path):
    with pytest.raises(FileError, match='two columns are called "a"; give the number'):
        read_matrix(written(tmp_path, "a,a\n1,2\n"), keep=["a"])


def test_compressed_files_and_pipes_are_read(tmp_path, monkeypatch):
    text = b"a,b\n1,2\n3,4\n"
    packed = written(tmp_path, gzip.compress(text), "a.csv.gz")
    np.testing.assert_array_equal(read_matrix(packed).values, [[1, 2], [3, 4]])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    np.testing.assert_array_equal(read_matrix("-").values, [[1, 2], [3, 4]])
    for cut in (5, 20, len(gzip.compress(text)) - 3):
        broken = written(tmp_path, gzip.compress(text)[:cut], "b.csv.gz")
        with pytest.raises(FileError, match="truncated or damaged"):
            read_matrix(broken)


def test_a_small_archive_of_something_huge_is_refused(tmp_path, monkeypatch):
    bomb = written(tmp_path, gzip.compress(b"a,b\n" + 2_000_000 * b"1,2\n"), "b.csv.gz")
    monkeypatch.setenv("RANKONE_MEMORY", "4M")
    with pytest.raises(FileError, match=r"does not fit into memory.*RANKONE_MEMORY"):
        read_matrix(bomb)


def test_paths_that_are_not_files_are_refused(tmp_path):
    for path, message in [
        (tmp_path / "none.csv", "no such file"),
        (tmp_path, "folder without matrix.mtx"),
        ("/dev/zero", "device"),
        ("a\0b", "cannot be opened"),
    ]:
        with pytest.raises(FileError, match=message):
            read_matrix(path)


CELLS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(sorted(MISSING)),
    st.text("0123456789.eE+-, xX_infna\"'\u0661", max_size=6),
)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5), st.booleans())
def test_both_parsers_agree(tmp_path_factory, rows, quote):
    """What the fast parser reads, it reads as the reference parser does."""
    path = tmp_path_factory.mktemp("roads") / "a.csv"
    frame = pd.DataFrame([["0", "0", "0"], *rows])
    frame.to_csv(path, index=False, header=False, quoting=1 if quote else 0)
    source = Source.of(path)
    try:
        layout = find_layout(source, Options(delimiter=",", header=False, index=0))
    except FileError:
        return
    quick = parse_fast(source, layout)
    try:
        values, _ = parse_by_cell(source, layout)
    except FileError:
        assert quick is None
        return
    if quick is not None:
        np.testing.assert_array_equal(quick[0], values)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_lose_nothing(x):
    assert Notation().number(repr(x)) == x
    assert Notation(",").number(f" {x!r}".replace(".", ",")) == x


def test_frames_are_read_as_they_were_written(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.normal(size=(200, 7)), [f"r{i}" for i in range(200)], [f"c{j}" for j in range(7)]
    )
    frame.iloc[3, 4] = np.nan
    for name in ("f.csv", "f.tsv", "f.csv.gz"):
        frame.to_csv(tmp_path / name, sep="\t" if "tsv" in name else ",")
        table = read_matrix(tmp_path / name)
        np.testing.assert_array_equal(table.values, frame)
        assert table.row_names == list(frame.index)
        assert table.column_names == list(frame.columns)


def test_text_is_read_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = written(tmp_path, "id,a,b\nx,1,2\ny,3,NA\n")
    table = read_matrix(path)
    np.testing.assert_array_equal(table.values, [[1, 2], [3, np.nan]])
    assert table.row_names == ["x", "y"]
    with pytest.raises(FileError, match="needs pyarrow"):
        read_matrix(written(tmp_path, b"PAR1xxxxPAR1", "a.parquet"))


def test_a_first_line_longer_than_the_others_is_said_to_be_so(tmp_path):
    with pytest.raises(FileError, match=r"the header has 4 cells, but the line below has 1"):
        read_matrix(written(tmp_path, b"x,1,2,3\n4\n5\n"))


def test_a_defect_of_ours_is_not_called_a_damaged_file(tmp_path, monkeypatch):
    def defective(*_, **__):
        raise IndexError("list index out of range")

    monkeypatch.setattr("rankone.io.delimited.find_layout", defective)
    with pytest.raises(IndexError):
        read_matrix(written(tmp_path, b"a,b\n1,2\n"))


@pytest.mark.parametrize("encoding", ["idna", "rot13", "punycode", "hex", "nonsense"])
def test_what_is_no_encoding_of_files_is_refused(encoding, tmp_path):
    with pytest.raises(FileError, match="unknown encoding"):
        read_matrix(written(tmp_path, b"a,b\n1,2\n"), encoding=encoding)


def test_a_column_of_names_that_is_kept_as_numbers_is_named(tmp_path):
    with pytest.raises(FileError, match=r'line 2, column 1 \("r"\): "r0" is not a finite number'):
        read_matrix(written(tmp_path, b"r,c,v\nr0,c0,1\nr1,c1,2\n"), keep=[1])


def test_text_without_the_mark_of_its_encoding_is_refused(tmp_path):
    path = written(tmp_path, "1,2\n3,4\n5,6\n")
    with pytest.raises(FileError, match="begin with the mark of utf-16; try another encoding"):
        read_matrix(path, encoding="utf-16", header=False)
