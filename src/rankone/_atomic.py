"""Files that are there whole, or not at all."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import platform
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block ends, if it ends well.

    Until then it is a hidden file beside it, which is removed if anything is raised, Ctrl-C
    included; if the process is killed, it is removed when `path` is written the next time. What a
    link points to is replaced, not the link; to a device or a pipe it is written directly.

    Parameters
    ----------
    path : str or path-like

    Yields
    ------
    file
        To write bytes to.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: its folder does not exist.")
    if target.is_dir():
        raise IsADirectoryError(f"{path} cannot be written: it is a folder.")
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            yield file
        return
    sweep(target)
    unfinished = hidden_beside(target)
    try:
        with open(unfinished, "xb") as file:
            yield file
        os.replace(unfinished, target)
    except OSError as error:
        if error.filename in (None, os.fspath(unfinished)):  # of a full disk, for example
            error.filename = os.fspath(path)
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def hidden_beside(target: Path) -> Path:
    """Return where something is made that will take the place of `target`.

    Its name says by which process, so that it can be removed if that was killed.
    """
    mark = f"rankone-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"
    return target.with_name(f".{target.name[:100]}.{mark}")


def sweep(target: Path) -> None:
    """Remove what processes of this machine that were killed left beside `target`."""
    if os.name != "posix":  # elsewhere one cannot ask whether a process lives
        return
    begin = f".{target.name[:100]}.rankone-{_machine()}-"
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            rest = re.fullmatch(r"(\d+)-[0-9a-f]{8}", path.name.removeprefix(begin))
            if path.name.startswith(begin) and rest and not _lives(int(rest[1])):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@functools.cache
def _machine() -> str:
    """Return what tells processes of other machines and containers apart: their numbers repeat."""
    try:
        numbering = os.readlink("/proc/self/ns/pid")
    except OSError:
        numbering = ""
    return hashlib.sha256(f"{platform.node()} {numbering}".encode()).hexdigest()[:8]


@contextlib.contextmanager
def replacing_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Do the same for a text in UTF-8: line ends stay, and what it lacks becomes a mark."""
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", "replace", newline="")
        yield text
        text.flush()
        text.detach()
