"""Errors and warnings with fields, which every interface words its own way."""

from __future__ import annotations

import pickle

import pytest

from rankone._warnings import message_of, warn
from rankone.errors import (
    Column,
    Entry,
    FileError,
    InputError,
    Method,
    Place,
    Row,
    Setting,
    Worded,
)


def negative_entry():
    return InputError(
        "{loss} does not accept negative entries, but {entry} is {value}",
        "use {other}",
        loss=Setting("loss", "poisson"),
        entry=Entry(0, 3),
        value=-1.0,
        other=Setting("loss", "gaussian"),
    )


def in_capitals(field):
    return str(field).upper()


def test_python_users_read_indices_and_parameters():
    assert str(negative_entry()) == (
        "loss='poisson' does not accept negative entries, but X[0, 3] is -1.0; use loss='gaussian'."
    )


def test_another_interface_words_the_fields_and_nothing_else():
    assert negative_entry().worded(in_capitals) == (
        "LOSS='POISSON' does not accept negative entries, but X[0, 3] is -1.0; use LOSS='GAUSSIAN'."
    )


def test_an_error_without_a_suggestion_is_still_one_sentence():
    assert str(InputError("there is no observed entry in {row}", row=Row(2))) == (
        "there is no observed entry in row 2 of X."
    )


def test_braces_in_what_a_user_wrote_are_left_alone():
    error = InputError("unknown method {name}", name="{entry}{0}")
    assert str(error) == "unknown method {entry}{0}."


def test_the_parameter_of_an_error_is_its_first_setting():
    assert negative_entry().parameter == "loss"
    assert InputError("{column} is empty", column=Column(1)).parameter is None


def test_fields_survive_the_way_through_another_process():
    error = pickle.loads(pickle.dumps(negative_entry()))
    assert error.worded(in_capitals) == negative_entry().worded(in_capitals)


def test_an_input_error_is_a_value_error():
    with pytest.raises(ValueError, match="unknown"):
        raise InputError("unknown method")


def test_a_file_error_keeps_the_place_and_the_parts_of_its_message():
    error = FileError("a.csv", "{cell} is wrong", "drop it", at=Place(3, 2, "b"), cell='"{x}"')
    assert str(error) == 'a.csv, line 3, column 2 ("b"): "{x}" is wrong; drop it.'
    assert (error.path, error.line, error.column, error.title) == ("a.csv", 3, 2, "b")
    assert (error.problem, error.suggestion) == ("{cell} is wrong", "drop it")
    assert isinstance(error, InputError)


def test_a_file_error_survives_the_way_through_another_process():
    error = FileError("a.csv", "{column} is empty", at=Place(3), column=Column(1))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.fields) == (str(error), 3, error.fields)


def test_a_message_that_begins_with_a_row_begins_with_a_capital():
    assert str(InputError("{line} has no entry", line=Row(2))) == "Row 2 of X has no entry."


def test_a_warning_keeps_the_fields_of_its_message():
    message = Worded("it stopped", "increase {tol}", tol=Setting("tol"))
    with pytest.warns(UserWarning, match=r"it stopped; increase tol\.") as caught:
        warn(message, UserWarning)
    assert message_of(caught[0].message) is message


def test_methods_are_named_as_alternatives():
    assert str(Method(("NMF", "SVD", "Marginal"))) == "NMF, SVD or Marginal"
    assert str(Method(("NMF",), "negative", "shift")) == "NMF(negative='shift')"
