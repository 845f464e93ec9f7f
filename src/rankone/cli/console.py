"""Notes, progress and tables that commands print for the person who runs them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rankone.progress import Line
from rankone.wording import shown


def note(text: str, quiet: bool) -> None:
    """Print one line that a person should know in addition to the result."""
    if not quiet:
        print("rankone: note: " + shown(" ".join(text.split()), 1000), file=sys.stderr)


@contextmanager
def status(text: str, quiet: bool) -> Iterator[None]:
    """Show on a terminal what is being done, while it lasts."""
    with Line() as line:
        if not quiet:
            line.write(shown(text, 78))
        yield


def table_text(titles: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> str:
    """Return a table with columns aligned to the right, and one of them to the left."""
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
