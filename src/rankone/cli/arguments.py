"""Arguments that several commands share, and the types of their values.

Help must appear at once, so that neither this module nor a command imports anything heavy before
the command runs.
"""

from __future__ import annotations

import argparse
import math
from argparse import ArgumentParser, _ActionsContainer, _ArgumentGroup
from collections.abc import Sequence

#: Short names of methods; `rankone.methods` and `rankone.selection` hold the methods themselves.
VECTORS = (
    *("auto", "marginal", "nmf", "svd", "pagerank"),
    *("fiedler", "fiedler-ds", "ccot", "ccot-gw"),
)
CUTS = (
    *("sorted-potts", "sign", "threshold", "largest-gaps", "quantiles"),
    *("potts", "total-variation", "multiscale"),
)
SELECTIONS = ("noise", "noise-strict", "silhouette", "silhouette-first")

#: Flags whose value can be left out, and the values that they take; the first one is the default.
OPTIONAL_VALUES = {"--normalise": ("rows",), "--standardise": ("columns", "rows")}

#: Other spellings of flags.
SPELLINGS = {"--normalise": "--normalize", "--standardise": "--standardize"}

FORMATS = (
    *("text", "triplets", "parquet", "npy", "npz"),
    *("matrix-market", "h5ad", "zarr", "xlsx"),
)


class UsageError(ValueError):
    """Arguments that cannot be used, or not together."""


def add_optional_value(group: _ArgumentGroup, flag: str, text: str) -> None:
    """Add a flag whose value can be left out."""
    values = OPTIONAL_VALUES[flag]
    group.add_argument(
        *(flag, SPELLINGS[flag]),
        nargs="?",
        choices=values,
        const=values[0],
        metavar="|".join(values),
        help=text,
    )


def add_method(
    group: _ArgumentGroup, flag: str, default: str, names: Sequence[str], what: str
) -> None:
    """Add an argument that names a method, which may have parameters after a colon."""

    def method(text: str) -> str:
        name = text.partition(":")[0]
        if name not in names:
            raise argparse.ArgumentTypeError(
                f"unknown method {name!r}; choose one of {', '.join(names)}"
            )
        return text

    group.add_argument(
        flag,
        type=method,
        default=default,
        metavar="METHOD",
        help=f"{what}: {', '.join(names)} (default: {default})",
    )


def add_preparing(group: _ArgumentGroup) -> None:
    """Add the arguments of a command that prepares the entries of a matrix."""
    add_optional_value(
        group, "--normalise", "scale each row to the same sum, as counts of expression need"
    )
    group.add_argument("--log", action="store_true", help="replace each entry x by log(1 + x)")
    add_optional_value(
        group,
        "--standardise",
        "scale each column (default), or each row, to mean 0 and variance 1",
    )


def add_missing(group: _ArgumentGroup) -> None:
    """Add the argument that says which entries of a sparse matrix are missing."""
    group.add_argument(
        "--missing",
        choices=("nan", "absent"),
        help="missing entries of a sparse matrix: NaN (default), or also those not stored",
    )


def spell_out(argv: Sequence[str]) -> list[str]:
    """Write out the values that were left out, so that the next word is not taken for one.

    Examples
    --------
    >>> spell_out(["fit", "--standardise", "wine.csv"])
    ['fit', '--standardise=columns', 'wine.csv']
    >>> spell_out(["fit", "--standardise", "rows"])
    ['fit', '--standardise', 'rows']
    """
    known = OPTIONAL_VALUES | {SPELLINGS[flag]: OPTIONAL_VALUES[flag] for flag in SPELLINGS}
    words = []
    for word, following in zip(argv, [*argv, ""][1:], strict=True):
        values = known.get(word, ())
        words.append(f"{word}={values[0]}" if values and following not in values else word)
    return words


def add_output(
    parser: ArgumentParser, help: str, metavar: str = "FILE", required: bool = False
) -> None:
    """Add the arguments of a command that writes files."""
    parser.add_argument("--out", metavar=metavar, help=help, required=required)
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def add_json(parser: ArgumentParser) -> None:
    """Add the argument of a command that writes a table."""
    parser.add_argument("--json", action="store_true", help="write JSON instead of csv")


def add_seed(group: _ActionsContainer) -> None:
    """Add the argument of a command that draws random numbers."""
    group.add_argument(
        "--seed", type=seed, default=0, metavar="N", help="seed of the random numbers (default: 0)"
    )


def add_clusters(group: _ArgumentGroup, default: str = "") -> None:
    """Add the number of clusters of one side."""
    group.add_argument(
        *("-k", "--clusters", "--n-clusters"),
        type=positive_integer,
        dest="clusters",
        metavar="K",
        help="number of clusters" + (default and f" (default: {default})"),
    )


def add_max_clusters(group: _ArgumentGroup) -> None:
    """Add the bound of a command that selects the number of clusters."""
    group.add_argument(
        "--max-clusters",
        type=positive_integer,
        default=20,
        metavar="K",
        help="largest number of clusters to try (default: 20)",
    )


def add_reading(parser: ArgumentParser, transpose: bool = True) -> None:
    """Add the arguments of a command that reads a matrix, or a vector."""
    group = parser.add_argument_group("reading the file", "The format and layout are detected.")
    group.add_argument(
        "--format", choices=FORMATS, metavar="NAME", help=f"format: {', '.join(FORMATS)}"
    )
    if transpose:
        group.add_argument("--transpose", action="store_true", help="transpose the matrix first")
    group.add_argument(
        "--key",
        metavar="NAME",
        help="array of an .npz file or zarr group, matrix of an .h5ad file, or sheet of a workbook",
    )
    _add_text(parser.add_argument_group("text, workbooks and Parquet files"))
    group = parser.add_argument_group("triplets (text with lines of row, column, value)")
    group.add_argument("--triplets", action="store_true", help="read the file as triplets")
    group.add_argument(
        "--absent",
        choices=("zero", "missing"),
        help="how to treat pairs that are not listed (required)",
    )
    group.add_argument(
        "--duplicates",
        choices=("error", "sum", "mean", "first", "last"),
        help="how to treat pairs that are listed more than once (default: error)",
    )


def _add_text(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--delimiter", type=_character, metavar="CHAR", help="delimiter of cells; 'tab', 'space'"
    )
    group.add_argument(
        "--decimal", choices=(".", ","), help="decimal point (default: detected, or .)"
    )
    group.add_argument(
        "--thousands",
        type=_character,
        metavar="CHAR",
        help="separator of thousands; 'space' for a space (default: none)",
    )
    group.add_argument(
        "--na",
        action="append",
        metavar="CELL",
        help="cell that stands for a missing entry, besides NA and the like; also -999, or a,b,c",
    )
    group.add_argument("--encoding", metavar="NAME", help="encoding (default: utf-8)")
    group.add_argument(
        "--header", choices=("yes", "no"), help="whether the first line has the titles of columns"
    )
    group.add_argument(
        "--skip",
        type=natural_number,
        default=0,
        metavar="N",
        help="number of lines before the table (default: 0)",
    )
    group.add_argument(
        "--index", metavar="COLUMN", help="column of row names, by title or number; 0 for none"
    )
    group.add_argument(
        "--keep", action="append", metavar="COLUMNS", help="read only these columns: a,b,c"
    )
    group.add_argument(
        "--drop", action="append", metavar="COLUMNS", help="leave out these columns: a,b,c"
    )
    group.add_argument(
        "--numeric", action="store_true", help="leave out columns that do not hold numbers"
    )


def _character(text: str) -> str:
    character = {"tab": "\t", "\\t": "\t", "space": " "}.get(text, text)
    if len(character) != 1:
        raise argparse.ArgumentTypeError(f"it must be a single character, but it is {text!r}")
    return character


def positive_integer(text: str) -> int:
    """Return an integer that is 1 or more."""
    return _at_least(text, 1)


def natural_number(text: str) -> int:
    """Return an integer that is 0 or more."""
    return _at_least(text, 0)


def seed(text: str) -> int:
    """Return an integer that generators of random numbers accept."""
    number = natural_number(text)
    if number >= 2**32:
        raise argparse.ArgumentTypeError(f"it must be less than 2^32, but it is {text}")
    return number


def _at_least(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(
            f"it must be a whole number, {least} or more, but it is {text!r}"
        )
    return int(text)


def nonnegative_number(text: str) -> float:
    """Return a finite number that is zero or more."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"it must be a number, zero or more, but it is {text!r}")
    return value
