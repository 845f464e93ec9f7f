"""Finished draws in a file, one line each, so that no stopped run loses them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

#: Raised when a draw computes something else: older lines are then left alone and not used.
FORMAT = 2


class Task(NamedTuple):
    """What identifies a draw: the experiment, its data and noise, and the seed."""

    experiment: str
    data: str
    noise: float
    seed: int


class Store:
    """The draws of a file, by task. Lines that are broken, or of another format, are not seen.

    Parameters
    ----------
    path : path-like
        It is made when the first draw is added, and only ever grows.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "draws.jsonl")
    ...     store.add(Task("learning", "D1", 0.5, 7), {"NMI": 0.9})
    ...     Store(store.path).draws
    {Task(experiment='learning', data='D1', noise=0.5, seed=7): {'NMI': 0.9}}
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self.draws: dict[Task, dict[str, float]] = {}
        if self.path.exists():
            for line in self.path.read_text("utf-8", errors="replace").splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
            if entry["format"] == FORMAT:
                experiment, data, noise, seed = entry["task"]
                self.draws[Task(experiment, data, float(noise), seed)] = dict(entry["figures"])
        except (ValueError, KeyError, TypeError):
            return  # the line that was being written when a run was stopped

    def add(self, task: Task, figures: dict[str, float]) -> None:
        """Keep a draw, in memory and at once on disk."""
        line = json.dumps({"format": FORMAT, "task": list(task), "figures": figures})
        with open(self.path, "ab") as file:
            # A broken last line has no end: the new one begins on a line of its own.
            broken = file.tell() > 0 and not self._ends_well()
            file.write((("\n" if broken else "") + line + "\n").encode())
        self.draws[task] = figures

    def _ends_well(self) -> bool:
        with open(self.path, "rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"
