"""``rankone simulate``: the data of the paper in files, with the truth beside them."""

from __future__ import annotations

import gzip
import io
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from rankone._atomic import replacing
from rankone.cli import UsageError
from rankone.cli.files import check_absent
from rankone.datasets import Blocks, make_paper
from rankone.io import write_csv

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".npy")


def run(arguments: Namespace) -> None:
    """Draw and write."""
    path = Path(arguments.out)
    suffix = next((end for end in SUFFIXES if path.name.lower().endswith(end)), None)
    if suffix is None:
        raise UsageError(f"--out must end in one of {', '.join(SUFFIXES)}, but it is {path}.")
    stem = path.name[: -len(suffix)]
    truth = [path.with_name(f"{stem}.{side}.csv") for side in ("rows", "columns")]
    check_absent([path, *truth], arguments.force)
    if arguments.missing >= 1.0:
        raise UsageError("--missing is a share of the entries, and must be less than 1.")
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
    names = [
        [f"{letter}{i + 1}" for i in range(size)]
        for letter, size in zip("rc", blocks.data.shape, strict=True)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_matrix(path, suffix, blocks, names)
    for file, own, labels in zip(
        truth, names, (blocks.row_labels, blocks.column_labels), strict=True
    ):
        write_csv(file, {"name": own, "label": labels})
    if not arguments.quiet:
        m, n = blocks.data.shape
        print(f"{path}: {arguments.name}, {m} x {n}; the truth is in {truth[0]} and {truth[1]}")


def write_matrix(path: Path, suffix: str, blocks: Blocks, names: list[list[str]]) -> None:
    """Write a matrix in the format that its name asks for."""
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
