"""What real files hold besides numbers, and what is said about it in a terminal."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankone.cli import main
from tests.cli.running import failure, run


@pytest.fixture
def survey():
    """Write a survey with identifiers, texts and truth values, and return it."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 20)
    frame = pd.DataFrame(
        {
            "id": np.arange(40) + 1001,
            "full name": [f"person {i}" for i in range(40)],
            "segment": np.where(group, "a", "b"),
            "-country": rng.choice(["de", "fr"], 40),
            **{f"q{j}": (3 * group + rng.normal(size=40)).round(2) for j in range(6)},
            "member": rng.random(40) < 0.5,
        }
    )
    frame.to_csv("survey.csv", index=False)
    return frame


def notes(capsys):
    """Return the notes of a command that succeeded."""
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("rankone: note: ") for line in lines)
    return [line.removeprefix("rankone: note: ") for line in lines]


def test_the_command_that_is_suggested_works(survey, capsys):
    said = failure(capsys, "fit survey.csv --no-pictures --quiet")
    assert "3 columns hold text, not numbers: full name, segment, -country; try " in said
    suggested = re.search(r"try (rankone .*) \(or --numeric", said)[1]
    expected = "rankone fit survey.csv --no-pictures --quiet --index 'full name' --drop segment,"
    assert suggested.startswith(expected)
    assert main(shlex.split(suggested)[1:]) == 0
    rows = pd.read_csv("survey-clusters/rows.csv")
    assert list(rows["name"]) == list(survey["full name"])
    columns = pd.read_csv("survey-clusters/columns.csv")
    assert len(columns) == 8  # id, six answers, member


def test_a_suggested_flag_may_begin_with_a_minus(survey, capsys):
    said = failure(capsys, "fit survey.csv --index 0 --drop segment --drop 2")
    suggested = re.search(r"try (rankone .*) \(or --numeric", said)[1]
    assert suggested.endswith("--drop=-country")


def test_numeric_columns_are_kept_on_request(survey, capsys):
    run("fit survey.csv --numeric --no-pictures")
    said = notes(capsys)
    assert said[0].startswith('Left out what does not hold numbers: full name ("person 0"), segm')
    assert said[1] == (
        'Column "id" holds a different whole number in each row, and is read as data; if it names '
        "the rows, give --index id; if it is data, --index 0."
    )


def test_identifiers_name_the_rows_as_the_note_says(survey, capsys):
    run("fit survey.csv --numeric --index id --no-pictures --out named")
    assert list(pd.read_csv("named/rows.csv")["name"]) == list(survey["id"])
    assert not any("whole number in each row" in said for said in notes(capsys))


def test_columns_are_listed_by_commas(survey):
    run("fit survey.csv --index id --keep q0,q1,member --no-pictures --quiet --out o")
    assert list(pd.read_csv("o/columns.csv")["name"]) == ["q0", "q1", "member"]


def test_cells_that_mean_missing_are_listed_by_commas(capsys):
    Path("a.csv").write_text("a,b\n1.5,-\n-999,2.5\n.,3.5\n" + 9 * "2.5,4.5\n")
    run("fit a.csv --na=-,. --na -999 --no-pictures")
    assert "3 entries missing" in capsys.readouterr().out


def test_decimal_commas_are_detected_and_said(capsys):
    Path("a.csv").write_text("a;b\n" + "".join(f"{i},5;{2 * i},25\n" for i in range(5)))
    run("fit a.csv --no-pictures")
    assert "5 rows x 2 columns, decimal commas, nothing missing" in capsys.readouterr().out


@pytest.mark.parametrize("flag", ["--thousands space", "--thousands=."])
def test_thousands_are_separated_as_a_flag_says(flag, capsys):
    separator = " " if "space" in flag else "."
    lines = (f"{i}{separator}{i:03},5;{i},5\n" for i in range(1, 6))
    Path("a.csv").write_text("a;b\n" + "".join(lines))
    run(f"fit a.csv --no-pictures --quiet {flag}")
    assert "give --thousands " in failure(capsys, "fit a.csv --no-pictures --out p")


def test_times_of_ratings_are_left_out(capsys):
    rng = np.random.default_rng(0)
    lines = [f"{u},{i},{rng.integers(1, 6)},{i}" for u in range(20) for i in range(9)]
    Path("r.csv").write_text("\n".join(["userId,movieId,rating,timestamp", *lines]))
    run("fit r.csv --triplets --absent missing --no-pictures")
    assert notes(capsys)[0] == (
        'Read column "userId" as rows, "movieId" as columns and "rating" as values, and no other; '
        "choose other columns by --keep."
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.log1p, "The entries of the matrix are logarithms of counts, log(1 + x); give the cou"),
        (lambda x: x / np.linalg.norm(x, axis=1, keepdims=True), "The rows of the matrix have le"),
    ],
    ids=["logarithms", "unit rows"],
)
def test_entries_that_were_made_of_counts_are_pointed_out(values, said, capsys):
    counts = np.random.default_rng(0).poisson(1.0, (40, 30)) + np.eye(40, 30)
    np.save("a.npy", values(counts))
    run("tree a.npy -k 2")
    assert notes(capsys)[0].startswith(said)


def test_logarithms_are_not_taken_twice_without_a_note(capsys):
    np.save("a.npy", np.log1p(np.random.default_rng(0).poisson(1.0, (40, 30)) + np.eye(40, 30)))
    run("tree a.npy -k 2 --log")
    assert notes(capsys)[0].endswith("leave out --log, or give the counts themselves.")


def test_numbers_that_name_rows_are_part_of_the_command_that_works(capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(1, 6, (40, 5)), columns=list("abcde"))
    frame.insert(0, "id", np.arange(501, 541))
    frame["country"] = rng.choice(["FR", "DE"], 40)
    frame.to_csv("survey.csv", index=False)
    said = failure(capsys, "fit survey.csv --no-pictures --quiet")
    expected = "rankone fit survey.csv --no-pictures --quiet --index id --drop country"
    assert f"try {expected} (" in said
    run(expected.removeprefix("rankone "))
    assert list(pd.read_csv("survey-clusters/rows.csv")["name"]) == list(frame["id"])
