"""What the library says about a matrix X, in the words of the command line and of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rankone.io import FileError, Table
from rankone.io.table import quoted

#: Parameters, and what they are called here.
OPTIONS = {
    "n_row_clusters": "--rows",
    "n_column_clusters": "--columns",
    "symmetric=True": "--symmetric",
    "refine=True": "refinement (leave --no-refine out)",
    "max_clusters": "--max-clusters",
    "min_cluster_size": "--min-cluster-size",
    "NMF(negative='shift')": "--vectors nmf:negative=shift",
    "missing='absent'": "--missing absent",
    "loss='gaussian'": "--loss gaussian",
    "loss='poisson'": "--loss poisson",
    "log=True": "--log",
    "standardise='columns'": "--standardise",
}


@contextmanager
def said_of_the_file(name: str, table: Table) -> Iterator[None]:
    """Say what is wrong with X as something that is wrong with the file."""
    try:
        yield
    except FileError:
        raise
    except ValueError as error:
        raise FileError(name, in_words_of_the_file(str(error), table)) from None


def in_words_of_the_file(message: str, table: Table) -> str:
    """Name rows and columns as the file does, and parameters as the command line does.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table(np.eye(2), column_names=["a", "b"])
    >>> in_words_of_the_file("Column 1 of X has no observed entry; leave it out.", table)
    'Column 2 ("b") has no observed entry; leave it out.'
    """

    def place(side: int, i: str) -> str:
        names = (table.row_names, table.column_names)[side]
        known = names is not None and int(i) < len(names)
        return f"{int(i) + 1}" + (f" ({quoted(names[int(i)])})" if known and names else "")

    def entry(found: re.Match[str]) -> str:
        return f"the entry in row {place(0, found[1])}, column {place(1, found[2])}"

    message = re.sub(
        r"\b(Row|Column) (\d+) of X\b", lambda x: f"{x[1]} {place(x[1] == 'Column', x[2])}", message
    )
    message = re.sub(r"\bX\[(\d+), (\d+)\]", entry, message)
    for parameter, option in OPTIONS.items():
        message = message.replace(parameter, option)
    return message
