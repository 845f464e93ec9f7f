"""Memory, threads and machines: the flags of commands that work on large matrices."""

from __future__ import annotations

import argparse
import logging
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rankone._memory import UNITS, VARIABLE, size_in_bytes
from rankone.cli.arguments import UsageError
from rankone.cli.console import note

if TYPE_CHECKING:
    from rankone.io import Table

#: Seconds in which a scheduler must answer.
CONNECTING = 10

#: Bytes that Python, its libraries and compiled code take before any matrix is read, and the least
#: that is useful beyond.
OVERHEAD, LEAST = 500 * 10**6, 200 * 10**6

#: Bytes that a fit takes for each row and each column, whatever is in them.
LINE_BYTES = 1600


def add_resources(parser: ArgumentParser, fits: bool = True) -> None:
    """Add the arguments of a command that reads a large matrix, and of one that fits it."""
    group = parser.add_argument_group("large matrices")
    group.add_argument(
        "--memory",
        type=_size,
        metavar="SIZE",
        help="most memory that the command may take, such as 2GB; a matrix that does not fit is "
        "read in blocks (default: what is free)",
    )
    group.add_argument(
        "--cache", metavar="DIR", help="folder for the numbers of a text that does not fit"
    )
    group.add_argument(
        "--jobs", type=_jobs, metavar="N", help="number of threads (default: one per core)"
    )
    if not fits:
        return
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="Dask cluster that sweeps the chunks of a zarr, Parquet, .npy or .h5ad file: "
        "tcp://host:port, or the file that `dask scheduler` wrote",
    )
    group.add_argument(
        "--persist", action="store_true", help="keep the chunks in the memory of the cluster"
    )
    group.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="keep the results of sweeps in this file, so that an interrupted fit can go on",
    )


def _size(text: str) -> int:
    size = size_in_bytes(text)
    if size is None:
        examples = ", ".join(f"2{unit}B" for unit in list(UNITS)[2:4])
        raise argparse.ArgumentTypeError(f"it must be a size such as {examples}, not {text!r}")
    if size < OVERHEAD + LEAST:
        least = (OVERHEAD + LEAST) // 10**6
        raise argparse.ArgumentTypeError(f"it must be at least {least}MB, but it is {text}")
    return int(size)


def _jobs(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number == 0:
        raise argparse.ArgumentTypeError(
            f"it must be a number of threads, or -1 for one per core, but it is {text!r}"
        )
    return number


@contextmanager
def resources(arguments: Namespace) -> Iterator[None]:
    """Keep to the memory that was given, and connect to a cluster."""
    before = os.environ.get(VARIABLE)
    if arguments.memory is not None:
        os.environ[VARIABLE] = str(arguments.memory - OVERHEAD)
    try:
        with cluster(getattr(arguments, "scheduler", None)):
            yield
    finally:
        if arguments.memory is not None:
            os.environ.pop(VARIABLE)
            if before is not None:
                os.environ[VARIABLE] = before


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Connect to a Dask cluster, if there is one, which then does all sweeps over chunks."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--scheduler needs dask: pip install 'rankone[dask]'") from None
    where = {"scheduler_file": address} if os.path.isfile(address) else {"address": address}
    try:
        client = Client(**where, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"no Dask scheduler answers at {address}; start one by `dask scheduler`, and give "
            "the address that it prints."
        ) from error
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # what goes wrong is said in one line
    try:
        with client, client.as_current():
            yield
    finally:
        logging.disable(before)


def placed(arguments: Namespace, table: Table) -> Table:
    """Say where the entries of a large matrix are, and refuse what cannot be done with them."""
    from dataclasses import replace

    from rankone._memory import memory_limit
    from rankone._stored import Stored
    from rankone.errors import FileError

    need, values = LINE_BYTES * sum(table.values.shape), table.values
    if need > memory_limit():
        raise FileError(
            arguments.matrix,
            f"a fit takes {need / 1e9:.3g} GB for its vectors alone, and "
            f"{memory_limit() / 1e9:.3g} GB may be taken",
            "give more --memory",
        )
    scheduler = getattr(arguments, "scheduler", None)
    if isinstance(values, Stored):
        who = "the cluster reads" if scheduler else "it does not fit into memory; every sweep reads"
        note(f"{arguments.matrix}: {who} its {len(values.blocks)} blocks.", arguments.quiet)
        if scheduler and arguments.persist:
            return replace(table, values=replace(values, persist=True))
    elif scheduler:
        raise UsageError(
            "--scheduler needs a matrix that all machines can read in blocks: a zarr folder, "
            "Parquet, .npy or .h5ad."
        )
    elif "kept on disk in" in table.how:
        where = table.how["kept on disk in"]
        size = f"{8e-9 * values.size:.3g} GB"
        note(f"{arguments.matrix}: its numbers are kept in {where} ({size}).", arguments.quiet)
    return table
