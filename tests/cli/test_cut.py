"""``rankone cut``: the cuts of the library, on a column of a file."""

import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankone import SortedPotts, sorted_potts_path
from tests.cli.running import command, failure, printed_json, run


@pytest.fixture
def values():
    """Return values of three clusters, which are in ``v.csv`` with weights."""
    rng = np.random.default_rng(0)
    values = rng.choice([0.0, 5.0, 9.0], 200) + 0.3 * rng.normal(size=200)
    pd.DataFrame({"v": values, "w": rng.integers(1, 4, 200)}).to_csv("v.csv", index=False)
    return values


def test_cut_writes_the_labels_of_the_number_that_the_silhouette_selects(values, capsys):
    run("cut v.csv --column v")
    captured = capsys.readouterr()
    table = pd.DataFrame([line.split(",") for line in captured.out.splitlines()[1:]], dtype=float)
    np.testing.assert_array_equal(table[1], SortedPotts(n_clusters=3).cut(values).labels)
    assert captured.err.startswith("3 clusters, lam ")


def test_cut_uses_weights_penalty_and_power(values, capsys):
    result = printed_json(capsys, "cut v.csv --column v --weights w --lam 2 --p 1 --json")
    weights = pd.read_csv("v.csv").w.to_numpy(float)
    expected = SortedPotts(p=1, lam=2).cut(values, weights=weights)
    np.testing.assert_allclose(result["levels"], expected.levels)
    assert result["label"] == expected.labels.tolist()
    assert result["lam"] == [2, 2]


def test_path_writes_the_path_of_the_library(values):
    run("cut v.csv --column v --path --max-clusters 6 --out path.csv")
    path, table = sorted_potts_path(values, max_clusters=6), pd.read_csv("path.csv")
    np.testing.assert_allclose(table.cost, path.cost)
    np.testing.assert_allclose(table.lam_from, path.intervals[:, 0])


@pytest.mark.parametrize(("noise", "n_clusters"), [(0.3, 3), (5, 1)])
def test_clusters_must_exceed_the_noise(values, noise, n_clusters, capsys):
    result = printed_json(capsys, f"cut v.csv --column v --noise {noise} --json")
    assert result["n_clusters"] == n_clusters


def test_cut_takes_methods_with_parameters(values, capsys):
    result = printed_json(capsys, "cut v.csv --column v --cut threshold:eps=1 --json")
    assert result["n_clusters"] == 3


def test_names_that_look_like_formulas_are_guarded(capsys):
    Path("v.csv").write_text("=x,v\n=a,1\nb,2\nc,9\n")
    run("cut v.csv --clusters 2")
    assert capsys.readouterr().out.splitlines()[1] == "'=a,1.0,0,1.5"


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        ("u.csv", "value 2 is missing; leave such lines out", 1),
        ("v.csv --cut threshold", "give threshold:eps=...", 2),
        ("v.csv --cut nope", "unknown method 'nope'; choose one of sorted-potts", 2),
        ("v.csv --cut largest-gaps", "cannot select its number of clusters; give --clusters", 1),
        ("v.csv --cut sign --lam 3", "sign has no parameter 'lam'", 2),
        ("v.csv --clusters 2 --lam 3", "give one of them", 1),
        ("v.csv --path --cut sign", "--path is for sorted-potts", 2),
        ("v.csv --keep v", "--column", 2),
        ("v.csv --clusters 0", "whole number, 1 or more", 2),
        ("v.csv --lam x", "a number, zero or more", 2),
        ("v.csv --noise 1e300", "--noise must be at most 1e+150", 2),
    ],
)
def test_wrong_usage_is_explained_in_one_line(arguments, message, code, capsys):
    Path("v.csv").write_text("=x,v\n=a,1\nb,2\nc,9\n")
    Path("u.csv").write_text("v\n1\nNA\n3\n")
    assert message in failure(capsys, f"cut {arguments}", code)


def test_several_columns_are_listed_with_the_flag_that_chooses_one(values, capsys):
    assert failure(capsys, "cut v.csv") == (
        "rankone: v.csv: it has 2 columns; choose one by --column: v, w."
    )


def test_a_pipe_is_read_once_for_values_and_weights():
    process = command("cut", "-", "--column", "a", "--weights", "b", stdin=subprocess.PIPE)
    out, _ = process.communicate("a,b\n1,1\n2,1\n9,2\n")
    assert process.returncode == 0
    assert len(out.splitlines()) == 4


def test_values_are_read_from_standard_input():
    process = command("cut", "-", "--clusters", "2", stdin=subprocess.PIPE)
    out, err = process.communicate("\n".join(map(str, range(10))))
    assert process.returncode == 0
    assert out.splitlines()[0] == "value,label,level"
    assert err.startswith("2 clusters")


def test_a_closed_pipe_ends_the_command_quietly():
    process = command("cut", "-", "--clusters", "2", stdin=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write("\n".join(map(str, range(100_000))))
    process.stdin.close()
    assert process.wait(120) == 0
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()
