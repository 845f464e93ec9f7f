"""``rankone simulate``: the data of the paper in files, with the true clusters."""

from __future__ import annotations

import gzip
import io
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankone._atomic import replacing
from rankone.cli.arguments import UsageError, add_output, add_seed, nonnegative_number
from rankone.cli.files import check_absent

if TYPE_CHECKING:
    from rankone.datasets import Blocks

USAGE = "NAME --out FILE [options]"
DESCRIPTION = """\
Draw one of the data sets of the paper. The true clusters are written next to it,
to NAME.rows.csv and NAME.columns.csv."""
EXAMPLES = """\
example:
  rankone simulate D2 --noise 2 --missing 0.3 --out D2.csv"""

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".npy")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "name", metavar="NAME", choices=("D1", "D2", "D3", "D4"), help="data set: D1, D2, D3 or D4"
    )
    parser.add_argument(
        "--noise",
        type=nonnegative_number,
        default=0.0,
        metavar="SD",
        help="standard deviation of white noise (default: 0)",
    )
    parser.add_argument(
        "--missing",
        type=nonnegative_number,
        default=0.0,
        metavar="SHARE",
        help="share of missing entries, less than 1 (default: 0)",
    )
    parser.add_argument(
        "--contiguous", action="store_true", help="do not shuffle the rows and columns"
    )
    add_seed(parser)
    add_output(parser, f"file, which ends in {', '.join(SUFFIXES)}", required=True)


def run(arguments: Namespace) -> None:
    """Draw a data set, and write it with the true labels."""
    from rankone.io import write_csv

    path = Path(arguments.out)
    suffix = next((end for end in SUFFIXES if path.name.lower().endswith(end)), None)
    if suffix is None:
        raise UsageError(f"--out must end in one of {', '.join(SUFFIXES)}, but it is {path}.")
    stem = path.name[: -len(suffix)]
    truth = [path.with_name(f"{stem}.{side}.csv") for side in ("rows", "columns")]
    check_absent([path, *truth], arguments.force)
    blocks = draw(arguments)
    names = [
        [f"{letter}{i + 1}" for i in range(size)]
        for letter, size in zip("rc", blocks.data.shape, strict=True)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_matrix(path, suffix, blocks, names)
    labels = blocks.row_labels, blocks.column_labels
    for file, names_of_side, labels_of_side in zip(truth, names, labels, strict=True):
        write_csv(file, {"name": names_of_side, "label": labels_of_side})
    if not arguments.quiet:
        m, n = blocks.data.shape
        print(f"{path}: {arguments.name}, {m} x {n}; true clusters: {truth[0]}, {truth[1]}")


def draw(arguments: Namespace) -> Blocks:
    """Draw the data set."""
    import numpy as np

    from rankone.datasets import make_paper

    if arguments.missing >= 1.0:
        raise UsageError("--missing must be less than 1, because it is a share of the entries.")
    with np.errstate(over="ignore", invalid="ignore"):
        blocks = make_paper(
            arguments.name,
            arguments.noise,
            missing=arguments.missing,
            shuffle=not arguments.contiguous,
            random_state=arguments.seed,
        )
    if np.isinf(blocks.data).any():
        raise UsageError(f"--noise {arguments.noise:g} is too large: entries would be infinite.")
    return blocks


def write_matrix(path: Path, suffix: str, blocks: Blocks, names: list[list[str]]) -> None:
    """Write a matrix in the format of the suffix."""
    import numpy as np

    with replacing(path) as file:
        if suffix == ".npy":
            np.save(file, blocks.data, allow_pickle=False)
            return
        packed: Any = gzip.GzipFile(fileobj=file, mode="wb", mtime=0) if "gz" in suffix else file
        text = io.TextIOWrapper(packed, "utf-8", newline="")
        delimiter = "\t" if "tsv" in suffix else ","
        text.write(delimiter.join(["", *names[1]]) + "\n")
        for name, row in zip(names[0], blocks.data.tolist(), strict=True):
            text.write(delimiter.join([name, *("" if x != x else repr(x) for x in row)]) + "\n")
        text.flush()
        text.detach()
        if packed is not file:
            packed.close()
