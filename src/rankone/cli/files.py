"""Read the matrix of a command, and write its results."""

from __future__ import annotations

import csv
import errno
import os
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankone._atomic import hidden_beside, replacing_text, sweep
from rankone.cli.arguments import UsageError
from rankone.cli.console import status
from rankone.cli.resources import placed
from rankone.errors import FileError

if TYPE_CHECKING:
    from rankone.io import Table


def reading_options(arguments: Namespace) -> dict[str, Any]:
    """Return the options of `rankone.io.read_matrix` that were given."""
    if arguments.triplets and arguments.format not in (None, "triplets"):
        raise UsageError(
            f"--triplets and --format {arguments.format} exclude each other; give one of them."
        )
    return {
        "format": "triplets" if arguments.triplets else arguments.format,
        "absent": arguments.absent,
        "duplicates": arguments.duplicates,
        "delimiter": arguments.delimiter,
        "decimal": arguments.decimal,
        "thousands": arguments.thousands,
        "na": comma_list(arguments.na),
        "encoding": arguments.encoding,
        "header": {"yes": True, "no": False, None: None}[arguments.header],
        "index": arguments.index,
        "drop": arguments.drop or (),
        "numeric": arguments.numeric,
        "skip": arguments.skip,
        "key": arguments.key,
    }


def comma_list(given: Sequence[str] | None) -> list[str]:
    """Return texts that were given one by one, or separated by commas."""
    return [text for line in given or () for text in next(csv.reader([line]))]


def read_table(arguments: Namespace) -> Table:
    """Read the matrix of a command."""
    from rankone.io import read_matrix

    options = reading_options(arguments)
    with status(f"reading {arguments.matrix}", arguments.quiet):
        lazy = True if getattr(arguments, "scheduler", None) else None
        table = read_matrix(
            arguments.matrix,
            keep=arguments.keep or (),
            lazy=lazy,
            cache=arguments.cache,
            **options,
        )
    table = placed(arguments, table)
    return table.T if arguments.transpose else table


@contextmanager
def new_folder(
    folder: Path, names: Sequence[str], stale: Sequence[str], force: bool
) -> Iterator[Path]:
    """Write files into a folder, all of them or none.

    They are written into a hidden folder next to it, which is renamed at the end; if the folder
    already exists, the files are moved into it one by one.

    Parameters
    ----------
    folder : Path
    names : sequence of str
        The files that will be written; none of them may exist, unless `force` is true.
    stale : sequence of str
        Files of an earlier result, which are removed.
    force : bool

    Yields
    ------
    Path
        The hidden folder.
    """
    paths = [folder / name for name in (*names, *stale)]
    check_absent(paths, force)
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not existing.is_dir():
        raise FileExistsError(
            f"{existing} is a file, but results are written to a folder; give another --out."
        )
    target = Path(os.path.abspath(folder))  # which has a name, also if the folder is "."
    target = (target.parent if existing == folder else existing) / (target.name or "results")
    sweep(target)
    hidden = hidden_beside(target)
    try:
        hidden.mkdir()
        yield hidden
        check_absent(paths, force)  # another process may have been faster
        folder.parent.mkdir(parents=True, exist_ok=True)
        if not folder.exists():
            os.replace(hidden, folder)
        else:
            for path in hidden.iterdir():
                os.replace(path, folder / path.name)
            for name in stale:
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        _name_folder(error, hidden, folder)
        raise
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _name_folder(error: OSError, hidden: Path, folder: Path) -> None:
    """Let an error name the folder of the user instead of the hidden one, and say what to do."""
    if error.errno is None:  # of this package, or of a connection
        return
    if error.filename is None:  # as on a full disk
        error.filename = str(folder)
    elif str(error.filename).startswith(str(hidden)):
        error.filename = str(folder) + str(error.filename)[len(str(hidden)) :]
    else:  # of something else that was read or written meanwhile
        return
    suggest(error, "--out")


#: Errors for which another place helps: no room, no permission, nothing may be written.
ELSEWHERE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS)


def suggest(error: OSError, flag: str) -> None:
    """Add to an error of writing which flag gives another place, where that helps."""
    if error.errno in ELSEWHERE and not getattr(error, "__notes__", None):
        error.add_note(f"give a place that can be written to by {flag}")


@contextmanager
def written_to(path: str, flag: str) -> Iterator[None]:
    """Let errors of writing name the file, and the flag that gives another one."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename in (None, path):
            error.filename = path
            suggest(error, flag)
        raise


def check_present(*paths: str) -> None:
    """Raise an error if a file does not exist, before anything heavy is imported."""
    for path in paths:
        if path != "-" and not os.path.lexists(path):
            raise FileError(path, "there is no such file")


def check_absent(paths: Sequence[str | Path], force: bool) -> None:
    """Raise an error if a file exists and must not be overwritten."""
    for path in map(Path, paths):
        if not force and (path.is_file() or path.is_dir()):  # pipes and devices may be written to
            raise FileExistsError(
                f"{path} already exists; overwrite it with --force, or give another name."
            )


def write_text(path: str | None, force: bool, write: Callable[[Any], None]) -> None:
    """Write a text to a file, completely or not at all, or to standard output."""
    if path is None:
        write(sys.stdout)
        return
    check_absent([path], force)
    with written_to(path, "--out"), replacing_text(path) as file:
        write(file)


def write_table(arguments: Namespace, content: Mapping[str, Any]) -> None:
    """Write the result of a command as csv or JSON, to a file or to standard output."""
    from rankone.io.writing import csv_text, json_text

    def write(file: Any) -> None:
        if arguments.json:
            file.write(json_text(content))
        else:
            csv_text(content, file)

    write_text(arguments.out, arguments.force, write)
