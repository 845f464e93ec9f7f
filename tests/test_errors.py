"""Errors and warnings with fields, which every interface words its own way."""

from __future__ import annotations

import pickle

import pytest

from rankone.errors import Column, Entry, InputError, Row, Setting


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
