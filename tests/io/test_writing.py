"""Tables that are written: whole, and harmless."""

import csv
import json
import os
import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rankone._atomic import replacing
from rankone.io import FileError, read_column, read_labels, read_matrix, write_csv, write_json
from rankone.io.writing import guarded, without_guard

#: Letters that mean something to spreadsheets, and to those who read csv.
LETTERS = st.sampled_from("=+-@\uff1d\uff0b\uff0d\uff20\t\r\n'\";|, a1\x00\x0b\x85\u2028")


@given(st.text() | st.text(LETTERS))
@example('"=')
def test_no_cell_is_a_formula(name):
    cell = guarded(name)
    assert not cell.startswith(("\t", "\r"))
    for part in re.split("[\t\r\n;|,]", cell):
        assert not part.strip(' "').startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff20"))
    assert without_guard(cell) == name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        (st.text(st.characters(codec="utf-8")) | st.text(LETTERS)).filter(lambda x: "\0" not in x),
        min_size=1,
    )
)
def test_names_are_read_as_they_were_written(tmp_path, names):
    write_csv(tmp_path / "a.csv", {"name": names, "label": np.arange(len(names))})
    found = read_labels(tmp_path / "a.csv")
    assert found.names == names
    assert found.labels == [str(i) for i in range(len(names))]


def test_tables(tmp_path):
    path = tmp_path / "a.csv"
    names = ["=HYPERLINK(0)", "-1+2", "@SUM", "plain", 'a "b", c', "two\nlines"]
    numbers = np.array([-1.5, 1e-300, 0.1, np.pi, -0.0, 3.0])
    write_csv(path, {"name": names, "label": np.arange(6), "score": numbers})
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows[1:]] == ["'=HYPERLINK(0)", "'-1+2", "'@SUM", *names[3:]]
    assert [float(row[2]) for row in rows[1:]] == numbers.tolist()
    np.testing.assert_array_equal(read_column(path, "score").values[:, 0], numbers)
    labels = read_labels(path)
    assert labels.names == names
    assert labels.labels == list("012345")


def test_json(tmp_path):
    write_json(tmp_path / "a.json", {"x": np.array([1.0, np.nan]), "n": np.int64(3), "t": (1, "é")})
    assert json.loads((tmp_path / "a.json").read_text()) == {
        "x": [1.0, None],
        "n": 3,
        "t": [1, "é"],
    }


def test_nothing_is_left_half_written(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("before")

    def interrupted():
        with replacing(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.txt"]
    with replacing(path) as file:
        file.write(b"after")
    assert path.read_text() == "after"
    with (
        pytest.raises(FileNotFoundError, match="its folder does not exist"),
        replacing(tmp_path / "none" / "a"),
    ):
        pass


def test_files_follow_the_umask(tmp_path):
    with replacing(tmp_path / "a"):
        pass
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.parametrize(
    ("text", "labels", "names"),
    [
        ("name,label\na,x\nb,y\n", ["x", "y"], ["a", "b"]),
        ("label\n1\n2\n", ["1", "2"], None),
        ("1\n2\n", ["1", "2"], None),
        ("name,score,cluster\na,1.5,0\nb,2.5,1\n", ["0", "1"], ["a", "b"]),
    ],
)
def test_labels(text, labels, names, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    found = read_labels(tmp_path / "a.csv")
    assert (found.labels, found.names) == (labels, names)


def test_labels_of_arrays(tmp_path):
    np.save(tmp_path / "a.npy", np.array([0, 2, 1]))
    assert read_labels(tmp_path / "a.npy").labels == ["0", "2", "1"]
    np.save(tmp_path / "a.npy", np.zeros((2, 2)))
    with pytest.raises(FileError, match="not a vector"):
        read_labels(tmp_path / "a.npy")
    np.save(tmp_path / "a.npy", np.arange(1234560, 1234590))
    assert len(set(read_labels(tmp_path / "a.npy").labels)) == 30
    (tmp_path / "a.csv").write_text("wine,species\na,x\nb,y\n")
    with pytest.raises(FileError, match=r"no column called label; .* by column"):
        read_labels(tmp_path / "a.csv")
    assert read_labels(tmp_path / "a.csv", "species").labels == ["x", "y"]
    (tmp_path / "a.csv").write_text("name,label\na,1\nb\n")
    with pytest.raises(FileError, match="line 3"):
        read_labels(tmp_path / "a.csv")


def test_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("city,people,area\nRome,2.8,1285\nBern,0.1,52\n")
    assert read_column(path, "people").values.tolist() == [[2.8], [0.1]]
    assert read_column(path, 3).values.tolist() == [[1285], [52]]
    with pytest.raises(FileError, match=r"2 columns; choose one by column: people, area"):
        read_column(path)
    path.write_text("3 1 2\n")
    assert read_column(path).values.tolist() == [[3], [1], [2]]
    np.save(tmp_path / "a.npy", np.array([3.0, 1.0]))
    assert read_column(tmp_path / "a.npy").values.tolist() == [[3], [1]]
    np.save(tmp_path / "b.npy", np.array([[3.0, 1.0], [4.0, 2.0]]))
    assert read_column(tmp_path / "b.npy", 2).values.tolist() == [[1], [2]]
    with pytest.raises(FileError, match="no column"):
        read_column(tmp_path / "b.npy", "x")
    assert read_matrix(path).values.shape == (1, 3)
    sp.save_npz(tmp_path / "s.npz", sp.eye_array(3, format="csr"))
    assert read_column(tmp_path / "s.npz", 2).values.tolist() == [[0], [1], [0]]


def test_what_is_no_file_is_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with replacing(tmp_path / "pipe") as file:
        file.write(b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    with pytest.raises(IsADirectoryError, match="it is a folder"), replacing(tmp_path):
        pass
