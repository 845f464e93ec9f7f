"""Faults of a cluster: workers that are killed, missing or full, tasks that always fail, Ctrl-C."""

import errno
import os
import signal
import threading
import time
from contextlib import suppress

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.spill import Slow

from rankone import RankOneCoclustering
from rankone.cuts import SortedPotts
from rankone.datasets import make_blocks
from rankone.matrix import as_matrix

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:Sending large graph:UserWarning"),
]

LARGE = make_blocks((3000, 1500), [[0, 2], [2, 0], [1, 3]], sigma=1.0, random_state=0).data


def local_cluster(**options):
    """Return a cluster of two processes, which replaces those that die."""
    return LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, **options
    )


class Killer(threading.Thread):
    """Kills workers at random moments until it is told to stop."""

    def __init__(self, cluster, seed, most, pause):
        super().__init__()
        self.cluster, self.random = cluster, np.random.default_rng(seed)
        self.most, self.pause = most, pause
        self.done, self.killed = threading.Event(), 0

    def run(self):
        while (
            not self.done.wait(self.pause * self.random.exponential()) and self.killed < self.most
        ):
            pids = [nanny.pid for nanny in list(self.cluster.workers.values())]
            pids = [pid for pid in pids if pid is not None]
            if pids:
                with suppress(ProcessLookupError):
                    os.kill(int(self.random.choice(pids)), signal.SIGKILL)
                    self.killed += 1


def fit_among_killers(n_kills, most_a_fit, pause):
    """Fit again and again while workers are killed; return the labels of all fits."""
    found, killed, seed = [], 0, 0
    # A local cluster gives a worker up that is not there 15 s after one of its name was lost, even
    # if it has come back in between, and is only being started once more.
    patient = dask.config.set(
        {
            "distributed.scheduler.allowed-failures": 1000,
            "distributed.deploy.lost-worker-timeout": "1 hour",
        }
    )
    with patient, local_cluster() as workers, Client(workers):
        while killed < n_kills:
            killer = Killer(workers, seed, most_a_fit, pause)
            killer.start()
            try:
                model = RankOneCoclustering().fit(da.from_array(LARGE, chunks=(300, -1)))
            finally:
                killer.done.set()
                killer.join()
            found.append((model.row_labels_, model.column_labels_))
            killed, seed = killed + killer.killed, seed + 1
    return found


def assert_all_equal(found, array=LARGE):
    expected = RankOneCoclustering().fit(array)
    for rows, columns in found:
        np.testing.assert_array_equal(rows, expected.row_labels_)
        np.testing.assert_array_equal(columns, expected.column_labels_)


def test_workers_that_are_killed_change_nothing():
    assert_all_equal(fit_among_killers(n_kills=3, most_a_fit=3, pause=0.5))


@pytest.mark.long
def test_thirty_workers_that_are_killed_change_nothing():
    assert_all_equal(fit_among_killers(n_kills=30, most_a_fit=8, pause=0.5))


def sums_of_rows(x):
    return as_matrix(x).totals.rows


def levels_of_first_column(x):
    return SortedPotts(lam=1.0).cut(x[:, 0]).levels


@pytest.mark.parametrize("work", [sums_of_rows, levels_of_first_column])
def test_a_cluster_without_workers_is_named_while_it_waits_for_one(work, monkeypatch):
    monkeypatch.setattr("rankone._dask.PATIENCE", 0.2)
    x = da.from_array(LARGE[:100, :50], chunks=(20, -1))
    with local_cluster() as workers, Client(workers) as client:
        workers.scale(0)
        while client.nthreads():
            time.sleep(0.1)
        later = threading.Timer(1.0, workers.scale, (2,))
        later.start()
        with pytest.warns(RuntimeWarning, match=r"has no workers; start some with `dask worker`"):
            found = work(x)
        later.join()
    np.testing.assert_array_equal(found, work(LARGE[:100, :50]))


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (sums_of_rows, r"every worker that was given rows \d+ to \d+ of X died; give workers more"),
        (
            levels_of_first_column,
            "every worker that was given a chunk of u died; give workers more",
        ),
    ],
)
def test_what_kills_every_worker_is_named(work, message):
    def deadly(block, block_info):
        if block_info[0]["chunk-location"][0] == 1:
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGKILL)
        return block

    x = da.from_array(LARGE[:300, :50], chunks=(100, -1))
    x = x.map_blocks(deadly, dtype=float, meta=np.zeros((0, 0)))
    once = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    refused = pytest.raises(ValueError, match=message)
    with once, local_cluster() as workers, Client(workers), refused:
        work(x)


@pytest.mark.parametrize("work", [sums_of_rows, levels_of_first_column])
def test_an_interrupted_sweep_leaves_nothing_behind(work):
    def slow(block):
        time.sleep(0.5)
        return block

    x = da.from_array(LARGE[:400, :50], chunks=(20, -1))
    x = x.map_blocks(slow, dtype=float, meta=np.zeros((0, 0)))
    with local_cluster() as workers, Client(workers) as client:
        interrupt = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
        interrupt.start()
        with pytest.raises(KeyboardInterrupt) as interrupted:
            work(x)
        assert interrupted.value is not None  # its traceback holds what frames hold
        deadline = time.monotonic() + 10
        while client.futures and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not client.futures
        assert not any(client.processing().values())


def test_workers_whose_disk_is_full_keep_chunks_in_memory():
    def fill_disk():
        """Let every attempt of this process to spill fail, and count the attempts."""

        def fail(self, key, value):
            Slow.attempts += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        Slow.attempts, Slow.__setitem__ = 0, fail

    spill_at_once = dask.config.set({"distributed.worker.memory.target": 1e-5})
    small = LARGE[:600, :300]
    x = da.from_array(small, chunks=(100, -1))
    with spill_at_once, local_cluster(memory_limit="2GB") as workers, Client(workers) as client:
        client.run(fill_disk)
        model = RankOneCoclustering().fit(x.persist())
        attempts = client.run(lambda: Slow.attempts)
    assert sum(attempts.values()) > 0
    assert_all_equal([(model.row_labels_, model.column_labels_)], small)
