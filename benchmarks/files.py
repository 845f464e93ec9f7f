"""Benchmarks of reading files and of the command line, measured as complete processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.measure import Row, faster, progress, slower
from rankone.datasets import make_blocks
from rankone.io import read_matrix

MEANS = np.random.default_rng(0).normal(size=(4, 3))

#: The script that a user would write without the command line.
BY_PANDAS = (
    "import sys, pandas as pd; from rankone import RankOneCoclustering; "
    "RankOneCoclustering().fit(pd.read_csv(sys.argv[1], engine='pyarrow'))"
)


def files() -> Iterator[Row]:
    """Measure reading, complete fits of files, memory of mapped matrices, and ``--help``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from reading(folder)
        yield from fits(folder)
        yield memory(folder)
    helping, bare = command("--help"), [sys.executable, "-c", "pass"]
    row = slower(
        "rankone --help, seconds", "bare python", partial(run, helping), partial(run, bare), ""
    )
    yield Row(row.what, row.than, row.ours, row.theirs, row.ours, "<= 0.3")


def reading(folder: Path) -> Iterator[Row]:
    """Compare reading with pandas and its fastest reader, in one process."""
    for name, shape in {"10000 x 550": (10000, 550), "270 x 20000": (270, 20000)}.items():
        what = f"read_matrix of a csv of 100 MB, {name}"
        progress(what)
        path = write_csv(folder / "a.csv", shape)
        ours, theirs = partial(read_matrix, path), partial(pd.read_csv, path, engine="pyarrow")
        np.testing.assert_array_equal(ours().values, theirs())
        yield faster(what, "pandas, engine='pyarrow'", ours, theirs, ">= 1")


def fits(folder: Path) -> Iterator[Row]:
    """Compare the complete command with a script that reads with pandas and fits."""
    paths = [write_csv(folder / f"{m}.csv", (m, 550)) for m in (10000, 20000)]
    ours = [command("fit", path, "--out", folder / "out", "--force", "--quiet") for path in paths]
    what = "rankone fit of a csv of 100 MB, with tables and pictures"
    progress(what)
    theirs = [sys.executable, "-c", BY_PANDAS, str(paths[0])]
    than = "a script: pandas' pyarrow reader, then the fit"
    yield slower(what, than, partial(run, ours[0]), partial(run, theirs), "<= 1.5")
    yield slower(
        "the same of 200 MB", "of 100 MB", partial(run, ours[1]), partial(run, ours[0]), ""
    )


def memory(folder: Path) -> Row:
    """Compare the peak resident memory, including file pages, with that of a tiny fit."""
    what = "resident MB, rankone fit of a .npy of 1 GB"
    progress(what)
    big = np.lib.format.open_memmap(folder / "big.npy", "w+", np.float64, (25000, 5000))
    for start in range(0, 25000, 1000):
        big[start : start + 1000] = make_blocks((1000, 5000), MEANS, random_state=start).data
    big.flush()
    np.save(folder / "tiny.npy", big[:50, :40])
    del big
    large, tiny = (
        peak(command("fit", folder / name, "--out", folder / "out", "--force", "--quiet"))
        for name in ("big.npy", "tiny.npy")
    )
    return Row(what, "that of a tiny .npy; difference", large, tiny, large - tiny, "<= 300")


def write_csv(path: Path, shape: tuple[int, int]) -> Path:
    """Write a matrix of blocks, with a header."""
    pd.DataFrame(make_blocks(shape, MEANS, random_state=0).data).to_csv(path, index=False)
    return path


def command(*words: str | Path) -> list[str]:
    """Return the command line."""
    return [str(Path(sys.executable).with_name("rankone")), *map(str, words)]


def run(words: list[str]) -> None:
    """Run a process to completion."""
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=os.environ.copy())


def peak(words: list[str]) -> float:
    """Return the peak resident memory of a process in MB; this needs Linux."""
    run(words)  # compile and cache
    process, peak_pages = subprocess.Popen(words, stdout=subprocess.DEVNULL), 0
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/statm").read_text().split()
        peak_pages = max(peak_pages, int(status[1]) if status else 0)
        time.sleep(0.005)
    assert process.returncode == 0
    return 4096 * peak_pages / 1e6


TABLES = {"Files and the command line": files}
