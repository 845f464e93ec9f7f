"""Columns that do not hold numbers: all are named at once, with options that work."""

import re

import pandas as pd
import pytest

from rankone.io import FileError, ReadingWarning, read_matrix

SURVEY = pd.DataFrame(
    {
        "code": [3.5, 1.5, 2.5, 4.5],
        "name": ["Ann", "Bob", "Cyd", "Dan"],
        "segment": ["a", "b", "a", "b"],
        "height, cm": [180.5, 170.5, 160.5, 150.5],
        "country": ["de", "fr", "de", "de"],
    }
)


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a frame, and returns its path."""

    def write(frame):
        frame.to_csv(tmp_path / "a.csv", index=False)
        return tmp_path / "a.csv"

    return write


def refusal(path, **options):
    with pytest.raises(FileError) as error:
        read_matrix(path, **options)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}")


def test_all_columns_of_text_are_named_with_options_that_work(written):
    path = written(SURVEY)
    assert refusal(path) == (
        ": 3 columns hold text, not numbers: name, segment, country; try index='name', "
        "drop=['segment', 'country'] (or numeric=True to leave out all text)."
    )
    table = read_matrix(path, index="name", drop=["segment", "country"])
    assert table.row_names == list(SURVEY["name"])
    assert table.column_names == ["code", "height, cm"]


def test_a_column_that_repeats_itself_does_not_name_the_rows(written):
    assert "try drop=['segment', 'country'] (" in refusal(written(SURVEY.drop(columns="name")))


def test_names_that_were_refused_are_not_suggested(written):
    assert "try drop=['name', 'segment', 'country'] (" in refusal(written(SURVEY), index=0)


def test_a_single_column_of_text_is_named_by_its_place(written):
    message = refusal(written(SURVEY[["code", "segment", "height, cm", "code"]]))
    assert message.startswith(
        ', column 2 ("segment"): it holds text, such as "a", not numbers; try'
    )


def test_single_cells_are_named_besides_columns_of_text(written):
    frame = SURVEY.astype({"code": object})
    frame.loc[2, "code"] = "-"
    message = refusal(written(frame))
    assert '"-" in line 4 of "code" is not a number either' in message
    assert "try index='name', na=['-'], drop=['segment', 'country']" in message
    read_matrix(written(frame), index="name", na=["-"], drop=["segment", "country"])


def test_a_single_wrong_cell_is_named_by_its_line(written):
    frame = SURVEY[["height, cm", "code"]].astype({"code": object})
    frame.loc[2, "code"] = "oops"
    message = refusal(written(frame))
    assert message.startswith(', line 4, column 2 ("code"): "oops" is not a finite number')
    assert "na='oops'" in message


def test_many_columns_of_text_are_not_listed_one_by_one(written):
    frame = pd.DataFrame({f"c{j}": ["a", "a", "b"] for j in range(50)} | {"x": [1.5, 2.5, 3.5]})
    message = refusal(written(frame), index=0)
    assert "c19, ...; try numeric=True" in message
    assert len(message) < 400


def test_titles_that_cannot_be_typed_are_numbers(written):
    frame = pd.DataFrame([["a", 1.5, "a"], ["a", 2.5, "b"]], columns=["x", "y", "x"])
    frame.columns = ["a\nb", "y", "x"]
    assert "drop=['1', 'x']" in refusal(written(frame), index=0)


def test_numeric_keeps_what_is_numeric_and_says_what_was_left_out(written):
    expected = re.escape(
        'Left out what does not hold numbers: name ("Ann"), segment ("a"), country'
    )
    with pytest.warns(ReadingWarning, match=expected) as caught:
        table = read_matrix(written(SURVEY), numeric=True)
    assert caught[0].filename == __file__
    assert table.column_names == ["code", "height, cm"]
    assert table.values.tolist() == SURVEY[["code", "height, cm"]].to_numpy().tolist()


def test_numeric_finds_text_that_comes_late(written):
    frame = pd.DataFrame({"x": 1000 * [1.5], "y": 999 * ["2.5"] + ["late"]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rankone.io.delimited.MOST_CELLS", 10)
        with pytest.warns(ReadingWarning, match=r'y \("late"\)'):
            table = read_matrix(written(frame), numeric=True)
    assert table.column_names == ["x"]


def test_numeric_is_silent_where_all_columns_are(written):
    assert read_matrix(written(SURVEY[["code"]]), numeric=True).column_names == ["code"]


def test_without_numbers_there_is_no_matrix(written):
    frame = SURVEY[["segment", "country"]]
    with pytest.raises(FileError, match="it has no column of numbers"):
        read_matrix(written(frame), numeric=True, index=0)


@pytest.mark.parametrize("listed", ["segment,country", "segment, country", ["segment,country"]])
def test_columns_can_be_listed_by_commas(listed, written):
    table = read_matrix(written(SURVEY), index="name", drop=listed)
    assert table.column_names == ["code", "height, cm"]


@pytest.mark.parametrize("listed", ["height, cm", '"height, cm",code', ["height, cm", "code"]])
def test_a_title_with_a_comma_is_one_title(listed, written):
    assert "height, cm" in read_matrix(written(SURVEY), index="name", keep=listed).column_names
