"""What commands read, and where they write."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankone._atomic import hidden_beside, replacing_text, sweep
from rankone.cli import UsageError
from rankone.cli.console import status
from rankone.io import Table, read_matrix


def reading_options(arguments: Namespace) -> dict[str, Any]:
    """Return how a file is to be read."""
    if arguments.triplets and arguments.format not in (None, "triplets"):
        raise UsageError(f"--triplets and --format {arguments.format} exclude each other.")
    return {
        "format": "triplets" if arguments.triplets else arguments.format,
        "absent": arguments.absent,
        "duplicates": arguments.duplicates,
        "delimiter": arguments.delimiter,
        "decimal": arguments.decimal,
        "encoding": arguments.encoding,
        "header": {"yes": True, "no": False, None: None}[arguments.header],
        "index": arguments.index,
        "drop": arguments.drop or (),
        "skip": arguments.skip,
        "key": arguments.key,
    }


def read_table(arguments: Namespace) -> Table:
    """Read the matrix of a command."""
    options = reading_options(arguments)
    with status(f"reading {arguments.matrix}", arguments.quiet):
        table = read_matrix(arguments.matrix, keep=arguments.keep or (), **options)
    return table.T if arguments.transpose else table


@contextmanager
def new_folder(
    folder: Path, names: Sequence[str], stale: Sequence[str], force: bool
) -> Iterator[Path]:
    """Write files into a folder, all of them or none.

    They are written into a hidden folder near it, which takes its place when all is done; if it is
    there already, its files are moved one by one.

    Parameters
    ----------
    folder : Path
    names : sequence of str
        What will be written: none of it may be there before, unless by `force`.
    stale : sequence of str
        What is removed from the folder, since it belongs to an earlier result.
    force : bool

    Yields
    ------
    Path
        The hidden folder.
    """
    wanted = [folder / name for name in (*names, *stale)]
    check_absent(wanted, force)
    ground = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not ground.is_dir():
        raise FileExistsError(f"{ground} is a file, but results are a folder; give another --out.")
    near = folder.parent if ground == folder else ground
    sweep(near / folder.name)
    hidden = hidden_beside(near / folder.name)
    try:
        hidden.mkdir()
        yield hidden
        check_absent(wanted, force)  # somebody else may have been faster
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not folder.exists():
            os.replace(hidden, folder)
        else:
            for path in hidden.iterdir():
                os.replace(path, folder / path.name)
            for name in stale:
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        if error.filename is None:  # of a full disk, for example
            error.filename = str(folder)
        elif str(error.filename).startswith(str(hidden)):
            error.filename = str(folder) + str(error.filename)[len(str(hidden)) :]
        raise
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def check_absent(paths: Sequence[str | Path], force: bool) -> None:
    """Refuse to overwrite a file, unless that was asked for."""
    for path in map(Path, paths):
        if not force and (path.is_file() or path.is_dir()):  # to pipes and devices one may write
            raise FileExistsError(f"{path} is there already; overwrite it with --force.")


def write_text(path: str | None, force: bool, write: Callable[[Any], None]) -> None:
    """Write a text to a file, whole or not at all, or to standard output."""
    if path is None:
        write(sys.stdout)
        return
    check_absent([path], force)
    with replacing_text(path) as file:
        write(file)
