"""Interrupted commands leave no incomplete files."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rankone._atomic import _machine
from tests.cli.running import command, run


@pytest.mark.parametrize(
    ("number", "out", "code"),
    [(signal.SIGINT, "out", 130), (signal.SIGTERM, "deep/out", 143)],
    ids=["INT", "TERM"],
)
def test_an_interrupted_fit_leaves_nothing_and_says_so(number, out, code):
    np.save("a.npy", np.random.default_rng(0).normal(size=(3000, 2000)))
    process = command("fit", "a.npy", "--out", out)
    while process.poll() is None and not any(name.startswith(".out") for name in os.listdir(".")):
        time.sleep(0.01)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == code
    assert err == "rankone: stopped; no incomplete files were left.\n"
    assert os.listdir(".") == ["a.npy"]


def test_leftovers_of_a_killed_process_are_removed_by_the_next_run(wine):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    mark = f".o.rankone-{_machine()}"
    left, alive = Path(f"{mark}-{dead.pid}-01234567"), Path(f"{mark}-{os.getpid()}-01234567")
    foreign = [Path(".o.backup"), Path(f".o.rankone-00000000-{dead.pid}-01234567")]
    for folder in (left, alive, *foreign):
        folder.mkdir()
        (folder / "rows.csv").write_text("half")
    run("fit wine.csv --out o --quiet --no-pictures")
    assert not left.exists()
    assert all(folder.exists() for folder in (alive, *foreign))
