"""A file of finished draws, one per line, from which an interrupted run can be resumed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

#: To be incremented when the figures of a draw change: lines of other formats are ignored.
FORMAT = 3


class Task(NamedTuple):
    """The key of a draw: the experiment, the data set, the level of noise, and the seed."""

    experiment: str
    data: str
    noise: float
    seed: int


class Store:
    """The draws stored in a file, by task. Incomplete lines and other formats are ignored.

    Parameters
    ----------
    path : path-like
        The file, which is created when the first draw is added. Lines are only ever appended.

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
            return  # an incomplete line, written when a run was interrupted

    def add(self, task: Task, figures: dict[str, float]) -> None:
        """Store a draw in memory and on disk."""
        line = json.dumps({"format": FORMAT, "task": list(task), "figures": figures})
        with open(self.path, "ab") as file:
            # An incomplete last line has no newline, which must be added first.
            incomplete = file.tell() > 0 and not self._ends_with_newline()
            file.write((("\n" if incomplete else "") + line + "\n").encode())
        self.draws[task] = figures

    def _ends_with_newline(self) -> bool:
        with open(self.path, "rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"
