"""Times of functions that take turns, and the rows of a table that they become."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Task = Callable[[], Any]


@dataclass(frozen=True)
class Row:
    """One measured ratio, and what it is compared with.

    Attributes
    ----------
    what, than : str
        Our side and the other side of the ratio.
    ours, theirs : float
        Seconds, or whatever the section measures.
    ratio : float
        The figure that the target is about.
    target : str
        Such as "<= 2.5" or ">= 8"; empty where there is none.
    """

    what: str
    than: str
    ours: float
    theirs: float
    ratio: float
    target: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if not self.target:
            return None
        sign, bound = self.target.split()
        return self.ratio <= float(bound) if sign == "<=" else self.ratio >= float(bound)


def take_turns(*functions: Task, budget: float = 3.0) -> list[float]:
    """Return the fastest time of each function, run in turns for about ``budget`` seconds."""
    for function in functions:
        function()
    best = [float("inf")] * len(functions)
    begun, rounds = time.perf_counter(), 0
    while rounds < 3 or (time.perf_counter() - begun < budget and rounds < 200):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            best[i] = min(best[i], time.perf_counter() - start)
        rounds += 1
        if time.perf_counter() - begun > 10 * budget:
            break
    return best


def slower(
    what: str, than: str, ours: Callable[[], Any], theirs: Callable[[], Any], target: str
) -> Row:
    """Measure how many times as long ours takes."""
    a, b = take_turns(ours, theirs)
    return Row(what, than, a, b, a / b, target)


def faster(
    what: str, than: str, ours: Callable[[], Any], theirs: Callable[[], Any], target: str
) -> Row:
    """Measure how many times as long theirs takes."""
    a, b = take_turns(ours, theirs)
    return Row(what, than, a, b, b / a, target)


def progress(text: str) -> None:
    """Say on the terminal what is being measured."""
    print(text, file=sys.stderr, flush=True)


def run_python(code: str) -> str:
    """Return what a process of its own prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=os.environ.copy(), capture_output=True, text=True, check=True
    ).stdout


#: Other ways to ask for a peak include what compiling took; this one needs Linux.
_PEAK = """
import threading, time, numpy as np
rng = np.random.default_rng(0)
{setup}

def resident():
    with open("/proc/self/statm") as file:
        return 4096 * int(file.read().split()[1])

def watch():
    global peak
    while watching:
        peak = max(peak, resident())
        time.sleep(0.001)

before = peak = resident()
watching = True
watcher = threading.Thread(target=watch)
watcher.start()
result = {work}
watching = False
watcher.join()
print(peak - before, data.nbytes)
"""


def peak_memory(setup: str, work: str) -> tuple[int, int]:
    """Return the peak memory of some work, beyond what is there before it, and that of its data.

    The setup makes ``data``, with ``np`` and ``rng``, and lets the work be compiled.
    """
    peak, size = run_python(_PEAK.format(setup=setup, work=work)).split()
    return int(peak), int(size)
