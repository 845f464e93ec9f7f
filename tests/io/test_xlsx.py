"""Workbooks, as spreadsheet programs and libraries write them."""

import datetime
import io
import sys
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pytest

from rankone.io import FileError, ReadingWarning, read_column, read_labels, read_matrix

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    RNG.normal(size=(9, 4)), [f"r{i}" for i in range(9)], [f"c{j}" for j in range(4)]
)
FRAME.iloc[2, 3] = np.nan


def book(path, *rows, title="Sheet"):
    """Write a workbook of one sheet."""
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def test_a_sheet_is_read_as_it_was_written(tmp_path):
    FRAME.to_excel(tmp_path / "a.xlsx")
    table = read_matrix(tmp_path / "a.xlsx")
    np.testing.assert_allclose(table.values, FRAME, rtol=1e-15)  # it has 16 digits
    assert table.row_names == list(FRAME.index)
    assert table.column_names == list(FRAME.columns)
    assert table.how["format"] == "xlsx"
    assert table.how["sheet"] == "Sheet1"


def test_a_workbook_is_recognised_by_its_content(tmp_path):
    FRAME.to_excel(tmp_path / "a.xlsx")
    (tmp_path / "a").write_bytes((tmp_path / "a.xlsx").read_bytes())
    assert read_matrix(tmp_path / "a").how["format"] == "xlsx"


def test_a_workbook_is_read_as_the_same_text_is(tmp_path):
    columns = {
        "id": [7, 8, 9],
        "x": [1.5, None, 3],
        "kind": ["a", "b", "a"],
        "ok": [True, False, 1],
    }
    frame = pd.DataFrame(columns)
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    frame.to_csv(tmp_path / "a.csv", index=False)
    options = {"index": "id", "drop": "kind"}
    sheet, text = (read_matrix(tmp_path / name, **options) for name in ("a.xlsx", "a.csv"))
    np.testing.assert_array_equal(sheet.values, text.values)
    assert sheet.row_names == text.row_names == ["7", "8", "9"]
    assert sheet.column_names == text.column_names


def test_the_table_may_begin_anywhere_on_the_sheet(tmp_path):
    path = book(
        tmp_path / "a.xlsx",
        [],
        [None, None, "made by hand"],
        [],
        [None, None, "a", "b"],
        [None, None, 1, 2],
        [],
        [None, None, None, 4],
    )
    table = read_matrix(path, skip=3)
    assert table.column_names == ["a", "b"]
    np.testing.assert_array_equal(table.values, [[1, 2], [np.nan, 4]])


def test_errors_name_the_row_of_the_sheet(tmp_path):
    path = book(tmp_path / "a.xlsx", ["a\nline", "b"], [1, 2], [], [3, "#DIV/0!"], [5, 6])
    with pytest.raises(FileError, match=r'line 4, column 2 \("b"\): "#DIV/0!" is not a finite'):
        read_matrix(path)
    table = read_matrix(path, na="#DIV/0!")
    np.testing.assert_array_equal(table.values, [[1, 2], [3, np.nan], [5, 6]])
    assert table.column_names == ["a line", "b"]


def test_dates_are_texts(tmp_path):
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    path = book(tmp_path / "a.xlsx", ["x", "day"], *([i, day] for i, day in enumerate(days)))
    with pytest.raises(FileError, match=r'column 2 \("day"\): it holds text, such as "2020-01-01'):
        read_matrix(path)


def test_the_first_of_several_sheets_is_read_and_the_others_are_named(tmp_path):
    made = openpyxl.Workbook()
    made.active.title = "notes"
    made.active.sheet_state = "hidden"
    for number, title in enumerate(("first", "second")):
        sheet = made.create_sheet(title)
        for row in (["a", "b"], [number, 1], [2, 3]):
            sheet.append(row)
    made.save(tmp_path / "a.xlsx")
    expected = 'Read the first of 2 sheets, "first"; choose another one by key: second'
    with pytest.warns(ReadingWarning, match=expected):
        assert read_matrix(tmp_path / "a.xlsx").values[0, 0] == 0
    assert read_matrix(tmp_path / "a.xlsx", key="second").values[0, 0] == 1
    with pytest.raises(FileError, match='no sheet "third"; choose one of notes, first, second'):
        read_matrix(tmp_path / "a.xlsx", key="third")


def test_columns_and_labels_are_read_from_workbooks(tmp_path):
    path = book(tmp_path / "a.xlsx", ["name", "x", "label"], ["u", 1.5, "a"], ["v", 2.5, "b"])
    assert read_column(path, "x").values.tolist() == [[1.5], [2.5]]
    labels = read_labels(path)
    assert (labels.names, labels.labels) == (["u", "v"], ["a", "b"])


def test_without_a_reader_of_workbooks_the_error_says_what_to_install(tmp_path, monkeypatch):
    FRAME.to_excel(tmp_path / "a.xlsx")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(FileError, match=r"needs openpyxl; pip install 'rankone\[io\]', or save it"):
        read_matrix(tmp_path / "a.xlsx")


def changed(path, part, change):
    """Rewrite one part of a workbook."""
    content = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    path.write_bytes(content.getvalue())
    return path


SHEET = "xl/worksheets/sheet1.xml"


def test_rows_that_a_sheet_cannot_have_are_refused(tmp_path):
    path = book(tmp_path / "a.xlsx", ["a", "b"], [1, 2])
    changed(path, SHEET, lambda text: text.replace(b'<row r="2"', b'<row r="9999999999"'))
    with pytest.raises(FileError, match=r"more than 1048576 rows|over a thousand times its size"):
        read_matrix(path)


def test_a_sheet_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    path = book(tmp_path / "a.xlsx", ["a", "b"], [1, 2])
    changed(path, SHEET, lambda text: text.replace(b"</row>", 10**7 * b" " + b"</row>", 1))
    monkeypatch.setenv("RANKONE_MEMORY", "20M")
    with pytest.raises(FileError, match="does not fit into memory"):
        read_matrix(path)


def test_entities_that_multiply_are_refused(tmp_path):
    path = book(tmp_path / "a.xlsx", ["a", "b"], [1, 2])
    levels = "".join(f'<!ENTITY e{i} "{10 * f"&e{i - 1};"}">' for i in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "1">{levels}]>'.encode()
    changed(
        path, SHEET, lambda text: bomb + text.split(b"?>")[-1].replace(b"<v>1</v>", b"<v>&e11;</v>")
    )
    with pytest.raises(FileError, match="damaged, or not a workbook"):
        read_matrix(path)


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"])
def test_damaged_parts_are_refused_in_one_line(part, tmp_path):
    path = book(tmp_path / "a.xlsx", ["a", "b"], [1, 2])
    with pytest.raises(FileError, match="damaged, or not a workbook") as error:
        read_matrix(changed(path, part, lambda text: text[: len(text) // 2]))
    assert "\n" not in str(error.value)


def test_an_archive_of_a_future_version_is_no_workbook(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(path, np.eye(3))
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 6 : entry + 8] = b"\xad\x00"  # the version that is needed to read it
    path.write_bytes(content)
    with pytest.raises(FileError, match="version"):
        read_matrix(path)
