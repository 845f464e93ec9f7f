"""Run the cases of campaigns, each in a process of its own."""

from __future__ import annotations

import importlib
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np


@dataclass
class Tally:
    """The outcome of one campaign: its cases, and the messages of those that failed."""

    campaign: str
    cases: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)


def campaigns() -> list[str]:
    """Return the names of the campaigns: the public modules of this package."""
    files = sorted(path.stem for path in Path(__file__).parent.glob("*.py"))
    return [name for name in files if not name.startswith("_")]


def run_case(campaign: str, seed: int, case: int) -> None:
    """Run one case; it raises if the library is wrong."""
    _attack(campaign)(np.random.default_rng([seed, case]))


def run(campaign: str, seed: int, seconds: float) -> Tally:
    """Run the cases of one campaign, one after the other, until the time is over."""
    attack = _attack(campaign)
    tally = Tally(campaign)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            attack(np.random.default_rng([seed, tally.cases]))
        except Exception:
            tally.failures.append((tally.cases, traceback.format_exc(limit=-2)))
        tally.cases += 1
    return tally


def run_all(names: list[str], seed: int, minutes: float, processes: int) -> Iterator[Tally]:
    """Run campaigns, some at a time, each for its share of the time, and yield how they went."""
    seconds = 60.0 * minutes * min(processes, len(names)) / len(names)
    with ThreadPoolExecutor(processes) as threads:
        yield from threads.map(partial(_run_apart, seed=seed, seconds=seconds), names)


def _run_apart(campaign: str, seed: int, seconds: float) -> Tally:
    """Run a campaign in a new process, so that even a crash of the interpreter is counted."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        try:
            return process.submit(run, campaign, seed, seconds).result()
        except BrokenProcessPool:
            return Tally(campaign, failures=[(-1, "The process died in the middle of a case.")])


def _attack(campaign: str) -> Callable[[np.random.Generator], None]:
    module = importlib.import_module(f"attacks.{campaign}")
    attack: Callable[[np.random.Generator], None] = module.attack
    return attack
