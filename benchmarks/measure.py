"""Measure the time and memory of functions, and present them as rows of a table."""

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
    """One measured ratio and its target.

    Attributes
    ----------
    what, than : str
        Descriptions of our side and of the other side of the ratio.
    ours, theirs : float
        The measurements, in seconds unless stated otherwise.
    ratio : float
        The figure that is compared with the target.
    target : str
        The target, such as "<= 2.5" or ">= 8"; empty if there is none.
    """

    what: str
    than: str
    ours: float
    theirs: float
    ratio: float
    target: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met, or None if there is none."""
        if not self.target:
            return None
        sign, bound = self.target.split()
        return self.ratio <= float(bound) if sign == "<=" else self.ratio >= float(bound)


def take_turns(*functions: Task, budget: float = 3.0) -> list[float]:
    """Return the fastest time of each function, run alternately for about ``budget`` seconds."""
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
    """Measure our time as a multiple of theirs."""
    a, b = take_turns(ours, theirs)
    return Row(what, than, a, b, a / b, target)


def faster(
    what: str, than: str, ours: Callable[[], Any], theirs: Callable[[], Any], target: str
) -> Row:
    """Measure their time as a multiple of ours."""
    a, b = take_turns(ours, theirs)
    return Row(what, than, a, b, b / a, target)


def progress(text: str) -> None:
    """Print what is being measured to standard error."""
    print(text, file=sys.stderr, flush=True)


def run_python(code: str) -> str:
    """Run code in a separate process and return what it prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=os.environ.copy(), capture_output=True, text=True, check=True
    ).stdout


#: Samples the resident memory while the work runs, because peaks reported by the operating system
#: would include compilation. It needs Linux.
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
    """Return the peak memory that the work allocates, and the size of its data, in bytes.

    The setup creates ``data``, from ``np`` and ``rng``, and triggers compilation.
    """
    peak, size = run_python(_PEAK.format(setup=setup, work=work)).split()
    return int(peak), int(size)
