"""Run the benchmarks, print their tables, and write them to RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks import chunks, cuts, files, learners, reports, vectors
from benchmarks.measure import Row
from benchmarks.pages import sections_of
from rankone._atomic import replacing

RESULTS = Path(__file__).with_name("RESULTS.md")
PACKAGES = (
    "rankone",
    "numpy",
    "numba",
    "scikit-learn",
    "ckmeans",
    "kmeans1d",
    "fast1dkmeans",
    "jenkspy",
    "ruptures",
    "pottslab",
    "scipy",
    "pot",
    "scikit-network",
    "pandas",
    "pyarrow",
)


TABLES = (
    cuts.TABLES | vectors.TABLES | learners.TABLES | chunks.TABLES | files.TABLES | reports.TABLES
)


def main() -> None:
    """Run all benchmarks, or those whose titles contain one of the words given as arguments."""
    words = [word.lower() for word in sys.argv[1:]]
    sections = sections_of(RESULTS) if words else {}
    first = sections.pop("", heading())
    for title, measure in TABLES.items():
        if not words or any(word in title.lower() for word in words):
            sections[title] = table(title, measure)
            if words:
                sections[title] += f"\nMeasured separately, {date.today()}.\n"
            print(sections[title], flush=True)
    parts = [first, *(sections[title] for title in TABLES if title in sections)]
    with replacing(RESULTS) as file:
        file.write("\n".join(parts).encode())
    print(f"Written to {os.path.relpath(RESULTS)}")


def heading() -> str:
    """Return the introduction: how, when and on what machine the benchmarks ran."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        "# Benchmarks\n\n"
        "Written by `make bench`. Both sides of a ratio run alternately in one process, after a "
        "warm-up; the fastest run of each counts. If both solve the same problem, their results "
        "are compared first, and a difference stops the run.\n\n"
        f"{date.today()}, {processor()}, Python {platform.python_version()}, {versions}.\n"
    )


def processor() -> str:
    """Return the name of the processor, as reported by the system."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({os.cpu_count()} cores)" if names else platform.machine()


def table(title: str, measure: Callable[[], Iterator[Row]]) -> str:
    """Return one table in Markdown."""
    lines = [f"## {title}", "", "| | compared with | ours | theirs | ratio | target | |"]
    lines.append("|---|---|--:|--:|--:|--:|---|")
    lines += [line(row) for row in measure()]
    return "\n".join(lines) + "\n"


def line(row: Row) -> str:
    """Return one row in Markdown."""
    verdict = {True: "met", False: "**missed**", None: ""}[row.met]
    ours, theirs = (f"{x:.4g}" for x in (row.ours, row.theirs))
    ratio = f"{row.ratio:.3g}"
    return f"| {row.what} | {row.than} | {ours} | {theirs} | {ratio} | {row.target} | {verdict} |"


if __name__ == "__main__":
    main()
