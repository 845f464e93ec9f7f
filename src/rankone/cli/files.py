"""What commands read, and where they write."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rankone._atomic import replacing
from rankone.cli import UsageError
from rankone.cli.console import status
from rankone.io import Table, read_matrix


def reading_options(arguments: Namespace) -> dict[str, Any]:
    """Return how a file is to be read."""
    if arguments.triplets and arguments.format not in (None, "triplets"):
        raise UsageError(f"--triplets and --format {arguments.format} exclude each other.")
    tab = {"tab": "\t", "\\t": "\t"}
    return {
        "format": "triplets" if arguments.triplets else arguments.format,
        "absent": arguments.absent,
        "duplicates": arguments.duplicates,
        "delimiter": tab.get(arguments.delimiter, arguments.delimiter),
        "decimal": arguments.decimal,
        "encoding": arguments.encoding,
        "header": {"yes": True, "no": False, None: None}[arguments.header],
        "index": arguments.index,
        "drop": arguments.drop or (),
        "key": arguments.key,
    }


def read_table(arguments: Namespace) -> Table:
    """Read the matrix of a command."""
    options = reading_options(arguments)
    with status(f"reading {arguments.matrix}", arguments.quiet):
        table = read_matrix(arguments.matrix, keep=arguments.keep or (), **options)
    return table.T if arguments.transpose else table


@contextmanager
def new_folder(folder: Path, names: Sequence[str], force: bool) -> Iterator[Path]:
    """Write files into a folder, all of them or none.

    They are written into a hidden folder beside it, which is moved, or whose files are, when all
    is done.

    Parameters
    ----------
    folder : Path
    names : sequence of str
        What will be written: none of it may be there before, unless by `force`.
    force : bool

    Yields
    ------
    Path
        The hidden folder.
    """
    check_absent([folder / name for name in names], force)
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file, but results are a folder; give another --out.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    hidden = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        os.chmod(hidden, 0o777 & ~_umask())
        yield hidden
        if not folder.exists():
            os.replace(hidden, folder)
        else:
            for path in hidden.iterdir():
                os.replace(path, folder / path.name)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_absent(paths: Sequence[str | Path], force: bool) -> None:
    """Refuse to overwrite a file, unless that was asked for."""
    for path in map(Path, paths):
        if not force and path.exists():
            raise FileExistsError(f"{path} is there already; overwrite it with --force.")


def write_text(path: str | None, force: bool, write: Callable[[Any], None]) -> None:
    """Write a text to a file, whole or not at all, or to standard output."""
    if path is None:
        write(sys.stdout)
        return
    import io

    check_absent([path], force)
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        write(text)
        text.flush()
        text.detach()
