"""`rankone fit`, killed at a random moment.

Whatever signal ends it, the folder of results is whole or not there, the same holds for the report,
and after the next run in the same place nothing hidden is left.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from rankone.cli.fit import TABLES

#: The longest time that a run may take, in seconds.
PATIENCE = 120


def attack(rng: np.random.Generator) -> None:
    """Start a fit, kill it, look, run it again, and look again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = rng.normal(size=(30, 20)) + 4.0 * (np.arange(30) % 2)[:, None]
        np.savetxt(folder / "a.csv", values, delimiter=",")
        number = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT][rng.integers(4)]
        begun = time.monotonic()
        process = _fit(folder)
        _wait_for_debris(folder, process, float(rng.uniform(0, 0.4)))
        process.send_signal(number)
        process.wait(PATIENCE)
        case = f"{signal.Signals(number).name} after {time.monotonic() - begun:.3f} s"
        _check_whole(folder, case)
        assert _fit(folder).wait(PATIENCE) == 0, case
        _check_whole(folder, case)
        assert (folder / "o").is_dir(), case
        hidden = [path.name for path in folder.rglob(".*")]
        assert not hidden, f"{case}: {hidden} are left"


def _wait_for_debris(folder: Path, process: subprocess.Popen[bytes], more: float) -> None:
    """Wait until there is something to leave behind, and then for a moment."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None and len(os.listdir(folder)) == 1:
        time.sleep(0.005)
    time.sleep(more)


def _fit(folder: Path) -> subprocess.Popen[bytes]:
    words = "fit a.csv --out o --report r.html --force --quiet --no-pictures --rows 2 --columns 1"
    return subprocess.Popen(
        [sys.executable, "-m", "rankone", *words.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _check_whole(folder: Path, case: str) -> None:
    if (folder / "o").exists():
        found = {path.name for path in (folder / "o").iterdir()}
        assert found == {*TABLES}, f"{case}: the folder has only {found}"
    if (folder / "r.html").exists():
        assert (folder / "r.html").read_text().rstrip().endswith("</html>"), case
