"""Messages in words of the command line: flags, and the names of the file."""

import re
from pathlib import Path

import numpy as np
import pytest

from rankone.cli.commands import build_parser
from rankone.cli.messages import FLAGS, Wording
from rankone.errors import Column, Entry, Input, Method, Row, Rows, Setting
from rankone.io import Table
from tests.cli.running import failure, run

NAMED = Table(np.eye(2), row_names=["x", "y"], column_names=["a", "b"])


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (Input(), "the matrix"),
        (Entry(0, 1), 'the entry in row 1 ("x"), column 2 ("b")'),
        (Row(1), 'row 2 ("y")'),
        (Rows((0, 1)), 'rows 1 ("x"), 2 ("y")'),
        (Column(0), 'column 1 ("a")'),
        (Setting("max_clusters"), "--max-clusters"),
        (Setting("n_row_clusters", 3), "--rows 3"),
        (Setting("symmetric", True), "--symmetric"),
        (Setting("refine", True), "refinement (leave out --no-refine)"),
        (Setting("max_iter", of="vectors"), "--vectors nmf:max_iter=..."),
        (Setting("lam", 2, of="cut"), "--cut METHOD:lam=2"),
        (Method(("Marginal", "SVD")), "--vectors marginal or svd"),
        (Method(("NMF",), "negative", "shift"), "--vectors nmf:negative=shift"),
        ("anything else", "anything else"),
    ],
)
def test_fields_are_worded_by_flags_and_names(field, words):
    assert Wording(NAMED, vectors="nmf")(field) == words


def test_rows_without_names_are_counted_from_one():
    assert Wording()(Row(4)) == "row 5"


def test_every_flag_exists():
    parser = build_parser()
    commands = next(action for action in parser._actions if action.dest == "command").choices
    known = {flag for command in commands.values() for flag in command._option_string_actions}
    assert {*FLAGS.values()} - {"--normalise"} <= known


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("a.csv --index 0 --keep a --keep c", 'a.csv: column 2 ("c") has no observed entry'),
        ("n.npy --vectors nmf", "row 1, column 2 is -2; .*--vectors nmf:negative=shift"),
        ("n.npy --rows 9", "9 clusters of rows"),
        ("h.csv --standardise", "too large to be standardised"),
        ("n.npy --cut sorted-potts:lam=1 --rows 2", "--rows is 2, but (--)?cut has its own lam"),
        ("n.npy --missing absent", "--missing absent is for sparse matrices"),
        ("n.npy --delimiter ;", "--delimiter is not an option of npy files"),
    ],
)
def test_errors_name_flags_and_columns_of_the_file(arguments, message, capsys):
    Path("a.csv").write_text("a,b,c\n1,2,\n3,4,\n0,1,\n")
    np.save("n.npy", [[1.0, -2.0], [3.0, 4.0], [0.0, 1.0]])
    Path("h.csv").write_text("a,b\n1e300,2e300\n-1e300,5e300\n7e300,9e300\n")
    if '("c")' in message:
        message = re.escape(message)
    assert re.search(message, failure(capsys, f"fit {arguments}"))


def test_warnings_name_flags(capsys):
    np.save("a.npy", np.random.default_rng(0).poisson(5.0, (30, 20)))
    run("fit a.npy --vectors nmf:beta=1.5,max_iter=1 --no-refine --no-pictures")
    assert "increase --vectors nmf:max_iter=..." in capsys.readouterr().err


def test_notes_are_single_lines(capsys):
    rng = np.random.default_rng(0)
    np.save("a.npy", np.c_[rng.normal(size=(60, 3)), 1e4 * rng.normal(size=60)])
    run("fit a.npy --no-pictures")
    notes = capsys.readouterr().err.strip().splitlines()
    assert any("standardise them with --standardise." in note for note in notes)
    assert all(note.startswith("rankone: note: ") for note in notes)


def test_quiet_prints_no_notes(capsys):
    rng = np.random.default_rng(0)
    np.save("a.npy", np.c_[rng.normal(size=(60, 3)), 1e4 * rng.normal(size=60)])
    run("fit a.npy --no-pictures --quiet")
    assert capsys.readouterr().err == ""
