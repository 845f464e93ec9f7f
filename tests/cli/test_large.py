"""Large matrices on the command line: memory, threads, a cluster, interrupted fits."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import zarr
from distributed import LocalCluster

from rankone import RankOneCoclustering
from rankone.datasets import make_blocks
from tests.cli.running import command, failure, run

BLOCKS = make_blocks((400, 80), [[0, 3], [3, 0], [1, 4]], sigma=1.0, random_state=0).data

#: Prints the most memory that a command took, in MB.
PEAK = """
import sys
from rankone.cli import main
code = main(sys.argv[1:])
status = open("/proc/self/status").read().split()
print(int(status[status.index("VmHWM:") + 1]) // 1024)
sys.exit(code)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the current folder, in which ``a.zarr`` is a matrix in chunks of rows."""
    monkeypatch.chdir(tmp_path)
    zarr.create_array("a.zarr", shape=BLOCKS.shape, chunks=(60, 80), dtype="f8")[:] = BLOCKS
    return tmp_path


def labels(out="out"):
    return pd.read_csv(f"{out}/rows.csv").label.to_numpy()


@pytest.fixture(scope="module")
def expected():
    return RankOneCoclustering().fit(BLOCKS).row_labels_


def test_a_matrix_that_does_not_fit_is_read_in_blocks(folder, expected, monkeypatch, capsys):
    monkeypatch.setattr("rankone.cli.resources.OVERHEAD", 0)
    monkeypatch.setattr("rankone.cli.resources.LEAST", 0)
    monkeypatch.setattr("rankone.cli.resources.LINE_BYTES", 1)
    run("fit a.zarr --memory 300KB --out out --no-pictures")
    assert "a.zarr: it does not fit into memory; every sweep reads its 7 blocks" in (
        capsys.readouterr().err
    )
    np.testing.assert_array_equal(labels(), expected)
    assert "every entry was read" in Path("out/summary.json").read_text()
    run("predict out/model.npz a.zarr --memory 300KB --out new.csv --quiet")
    np.testing.assert_array_equal(pd.read_csv("new.csv").label, expected)
    assert "RANKONE_MEMORY" not in os.environ


def test_the_command_of_readme_works(folder, expected):
    os.rename("a.zarr", "counts.zarr")
    text = (Path(__file__).parents[2] / "README.md").read_text()
    line = next(line for line in text.splitlines() if "--checkpoint fit.journal" in line)
    run(line.partition("#")[0].removeprefix("rankone ") + " --no-pictures --quiet --out out")
    np.testing.assert_array_equal(labels(), expected)


def test_memory_that_vectors_exceed_is_refused(folder, monkeypatch, capsys):
    monkeypatch.setattr("rankone.cli.resources.LINE_BYTES", 10**9)
    message = failure(capsys, "fit a.zarr --memory 2GB --out out --no-pictures")
    assert "a fit takes 480 GB for its vectors alone, and 1.65 GB may be taken" in message


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ("--memory much", "it must be a size such as 2MB, 2GB, not 'much'"),
        ("--memory 100MB", "it must be at least 700MB, but it is 100MB"),
        ("--jobs 0", "it must be a number of threads, or -1 for one per core"),
    ],
)
def test_sizes_and_numbers_are_checked(folder, capsys, flags, message):
    assert message in failure(capsys, f"fit a.zarr {flags}", code=2)


def test_memory_is_a_promise(tmp_path):
    """A text of 180 MB of numbers, in a process that may take 700 MB in all."""
    path = tmp_path / "a.csv"
    row = ",".join(["0.5", "1.5"] * 450) + "\n"
    with open(path, "w") as file:
        file.write(",".join(f"c{j}" for j in range(900)) + "\n")
        for i in range(25_000):
            file.write(row if i % 2 else row.replace("0.5", "2"))
    words = f"fit {path} --memory 700MB --cache {tmp_path} --no-pictures --out"
    for out in ("first", "second"):  # to compile takes memory, too, but only once
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *words.split(), str(tmp_path / out)],
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        assert "its numbers are kept in" in done.stderr
    assert int(done.stdout.split()[-1]) < 700


def test_the_number_of_threads_makes_no_difference(folder, expected):
    run("fit a.zarr --jobs 2 --out out --no-pictures --quiet")
    np.testing.assert_array_equal(labels(), expected)


@pytest.fixture(scope="module")
def workers():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("flags", ["", "--persist"])
def test_a_cluster_reads_the_chunks(folder, expected, workers, flags, capsys):
    run(f"fit a.zarr --scheduler {workers.scheduler_address} {flags} --out out --no-pictures")
    assert "a.zarr: the cluster reads its" in capsys.readouterr().err
    np.testing.assert_array_equal(labels(), expected)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_file_that_other_machines_cannot_read_is_refused(folder, workers, capsys):
    pd.DataFrame(BLOCKS).to_csv("a.csv")
    words = f"--scheduler {workers.scheduler_address} --out out --no-pictures"
    assert "--scheduler needs a matrix" in failure(capsys, f"fit a.csv {words}", code=2)


def test_an_interrupted_fit_goes_on_where_it_was(folder, expected):
    """Kill a fit again and again, each time a little later."""
    flags = ["--no-pictures", "--quiet", "--checkpoint", "fit.journal"]
    words = ["fit", "a.zarr", "--out", "out", *flags]
    command = [sys.executable, "-m", "rankone", *words]
    sizes = []
    for _ in range(3):
        process = subprocess.Popen(command)
        deadline = time.monotonic() + 120
        before = sizes[-1] if sizes else 0
        while process.poll() is None and time.monotonic() < deadline:
            if os.path.exists("fit.journal") and os.path.getsize("fit.journal") > before + 2000:
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if not os.path.exists("fit.journal"):  # it was faster
            break
        sizes.append(os.path.getsize("fit.journal"))
    if not os.path.exists("out"):
        subprocess.run(command, check=True, timeout=240)
    assert sizes
    np.testing.assert_array_equal(labels(), expected)
    assert not os.path.exists("fit.journal")


@pytest.fixture
def servers(folder):
    """Return a function that starts a scheduler and a worker, as README says, and its processes."""
    processes = []

    def start():
        for path in folder.glob("scheduler.json"):
            path.unlink()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        dask = [sys.executable, "-m", "dask"]
        words = ["--port", "0", "--dashboard-address", ":0", "--scheduler-file", "scheduler.json"]
        scheduler = subprocess.Popen([*dask, "scheduler", *words], **quiet)
        processes.append(scheduler)
        _wait_for(folder / "scheduler.json")
        words = ["--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-dashboard"]
        processes.append(subprocess.Popen([*dask, "worker", *words], **quiet))
        return scheduler

    yield start
    for process in reversed(processes):
        process.terminate()
        process.wait(timeout=60)


def _wait_for(path, size=0, seconds=60):
    deadline = time.monotonic() + seconds
    while not (path.exists() and path.stat().st_size > size):
        assert time.monotonic() < deadline, f"{path} does not appear"
        time.sleep(0.005)


def test_a_scheduler_that_dies_is_reported_and_the_next_run_goes_on(folder, expected, servers):
    scheduler = servers()
    flags = "--scheduler scheduler.json --checkpoint fit.journal --no-pictures --quiet"
    process = command("fit", "a.zarr", "--out", "out", *flags.split())
    _wait_for(folder / "fit.journal", 20_000)
    scheduler.kill()
    _, error = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "the Dask scheduler was lost during a sweep; start it, and fit again" in error
    assert len(error.strip().splitlines()) == 1
    servers()
    process = command("fit", "a.zarr", "--out", "out", *flags.split())
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    np.testing.assert_array_equal(labels(), expected)
