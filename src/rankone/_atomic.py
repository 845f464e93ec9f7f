"""Files that are there whole, or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block ends, if it ends well.

    Until then it is a hidden file beside it, which is removed if anything is raised, Ctrl-C
    included. What a link points to is replaced, not the link; to a device or a pipe it is written
    directly.

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
    unfinished = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}")
    try:
        with open(unfinished, "xb") as file:
            yield file
        os.replace(unfinished, target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def replacing_text(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Do the same for a text in UTF-8: line ends stay, and what it lacks becomes a mark."""
    with replacing(path) as file:
        text = io.TextIOWrapper(file, "utf-8", "replace", newline="")
        yield text
        text.flush()
        text.detach()
