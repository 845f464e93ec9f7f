"""Commands for the first minutes: demonstrations, and compilation ahead."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_wine

from rankone._compiling import compilation
from rankone.cli import warming
from tests.cli.running import command, failure, run


def test_demo_wine_writes_what_the_first_command_reads(capsys):
    run("demo wine")
    said = capsys.readouterr().out
    assert "$ rankone fit wine.csv --standardise --report rankone-demo/wine.html" in said
    frame = pd.read_csv("wine.csv", index_col=0)
    assert frame.equals(pd.DataFrame(load_wine().data, frame.index, load_wine().feature_names))
    assert sorted(os.listdir()) == ["grower.csv", "rankone-demo", "wine.csv"]
    assert sorted(os.listdir("rankone-demo")) == ["wine-clusters", "wine.html"]
    assert "ari 0.9" in said  # the growers are found again
    assert "Open rankone-demo/wine.html in a browser" in said
    run(first_command_on_wines())


def first_command_on_wines():
    """Return the command that README shows after the demonstration."""
    lines = (Path(__file__).parents[2] / "README.md").read_text().splitlines()
    commands = [line for line in lines if line.startswith("rankone ")]
    place = next(i for i, line in enumerate(commands) if line.startswith("rankone demo wine"))
    return commands[place + 1].removeprefix("rankone ").partition("#")[0]


def test_demo_wine_does_not_overwrite_and_takes_a_folder(capsys):
    Path("wine.csv").write_text("mine")
    assert "wine.csv already exists" in failure(capsys, "demo wine")
    run("demo wine --out there --quiet")
    assert sorted(os.listdir("there")) == ["grower.csv", "wine-clusters", "wine.csv", "wine.html"]
    assert Path("wine.csv").read_text() == "mine"


@pytest.mark.parametrize("task", warming.TASKS)
def test_tasks_that_compile_run(task):
    assert warming.run_task(task) >= 0


def test_warm_refuses_if_nothing_can_be_kept(capsys, monkeypatch):
    monkeypatch.setattr(compilation, "can_keep", False)
    assert "set NUMBA_CACHE_DIR" in failure(capsys, "warm")


@pytest.mark.long
def test_warm_compiles_what_a_fit_needs(wine, tmp_path):
    how = {"env": {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}}
    out, _ = (process := command("warm", "--jobs", "2", **how)).communicate()
    assert process.returncode == 0
    assert "Compiled" in out
    assert str(tmp_path / "cache") in out
    out, _ = command("warm", **how).communicate()
    assert out.startswith("Compiled nothing")
    count = "; ".join(
        (
            "from rankone.cli import main",
            "main('fit wine.csv --standardise --quiet --report w.html'.split())",
            "from rankone._compiling import compilation",
            "print(compilation.n_kernels)",
        )
    )
    done = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, **how)
    assert done.stdout == "0\n"
