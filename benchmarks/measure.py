"""Times of functions that take turns, and the rows of a table that they become."""

from __future__ import annotations

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
