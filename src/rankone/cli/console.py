"""What commands say to the person who runs them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rankone.io.table import shown
from rankone.progress import Line


@contextmanager
def notes_of_warnings(quiet: bool) -> Iterator[None]:
    """Say warnings in one line each, without the place in the code that they come from."""

    def say(message: Any, *_: Any, **__: Any) -> None:
        note(str(message), quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = say
        yield


def note(text: str, quiet: bool) -> None:
    """Say in one line what a person should know, beside the result."""
    if not quiet:
        print("rankone: note: " + shown(" ".join(text.split()), 1000), file=sys.stderr)


@contextmanager
def status(text: str, quiet: bool) -> Iterator[None]:
    """Say on a terminal what is going on, as long as it does."""
    with Line() as line:
        if not quiet:
            line.write(shown(text, 78))
        yield


def table_text(titles: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Return a table with aligned columns: to the left in one of them, elsewhere to the right."""
    lines = [list(titles), *map(list, rows)]
    widths = [max(len(line[j]) for line in lines) for j in range(len(titles))]
    return "\n".join(
        "  "
        + "  ".join(
            cell.ljust(width) if j == left else cell.rjust(width)
            for j, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def count(n: int, thing: str) -> str:
    """Return a number of things."""
    many = thing[:-1] + "ies" if thing.endswith("y") else thing + "s"
    return f"{n} {thing if n == 1 else many}"
