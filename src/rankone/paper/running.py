"""Compute the draws that the requested results need, store them, and write the page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from rankone.checks import briefly, check_choice, check_whole
from rankone.paper import RESULTS, afterwards, lam, outlook
from rankone.paper.cells import Cells
from rankone.paper.draws import Figures, draw
from rankone.paper.page import Section
from rankone.paper.pictures import check_matplotlib
from rankone.paper.store import Store, Task
from rankone.paper.writing import write
from rankone.progress import ProgressBar

#: The function that computes a draw, by the name of the experiment.
EXPERIMENTS: dict[str, Callable[[str, float, int], Figures]] = {
    "learning": draw,
    lam.EXPERIMENT: lam.draw,
    afterwards.EXPERIMENT: afterwards.draw,
    outlook.EXPERIMENT: outlook.draw,
}


def reproduce(
    names: Iterable[str] | None = None,
    draws: int = 100,
    jobs: int = 2,
    seed: int = 0,
    out: str | os.PathLike[str] = "paper",
    progress: bool = True,
) -> Path:
    """Compute results of the paper and write a page that compares them with the published values.

    Parameters
    ----------
    names : iterable of str, optional
        The keys of `RESULTS` to compute; all by default.
    draws : int
        The number of draws of each data set. The paper uses 100.
    jobs : int
        The number of processes. With 1, no other process is started.
    seed : int
        The seed of the first draw; draw i has the random state ``seed + i``.
    out : str or path-like
        The output folder. Finished draws are stored there in ``draws.jsonl``, so that an
        interrupted run can be resumed and draws can be added later.
    progress : bool
        Whether to show a progress bar on a terminal.

    Returns
    -------
    Path
        The page, ``paper.md``. The same folder holds ``paper.html``, which is self-contained, and
        the pictures.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = reproduce(["potts"], out=folder, progress=False).read_text()
    >>> page.splitlines()[0]
    '# The paper, reproduced'
    """
    selected = _check_names(names)
    check_whole(draws, "draws")
    check_whole(jobs, "jobs")
    seed = check_whole(seed, "seed", least=0)
    check_matplotlib()
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    modules = {name: import_module(f"rankone.paper.{name}") for name in selected}
    seeds = range(seed, seed + draws)
    store = Store(folder / "draws.jsonl")
    _run(_missing(modules.values(), seeds, store), store, jobs, progress)
    sections = [_section(module, seeds, store) for module in modules.values()]
    uses_draws = any(module.CELLS for module in modules.values())
    return write(folder, sections, draws if uses_draws else 0, seed)


def _check_names(names: Iterable[str] | None) -> list[str]:
    """Return the requested results, without duplicates, in the order of the page."""
    if isinstance(names, str):
        raise ValueError(f"names must be a list of names, but it is the string {briefly(names)}.")
    requested = list(RESULTS if names is None else names)
    for name in requested:
        check_choice(name, "Each name", RESULTS)
    if not requested:
        raise ValueError("names is empty; omit it to compute all results.")
    return [name for name in RESULTS if name in requested]


def _missing(modules: Iterable[Any], seeds: Sequence[int], store: Store) -> list[Task]:
    """Return the draws that the results need and that are not stored yet, in order of seeds."""
    needed = {
        Task(module.EXPERIMENT, data, noise, seed)
        for module in modules
        for data, noise in module.CELLS
        for seed in seeds
    }
    return sorted(needed - store.draws.keys(), key=lambda task: (task.seed, task))


def _run(tasks: list[Task], store: Store, jobs: int, progress: bool) -> None:
    """Compute draws and store each as soon as it is finished."""
    bar = ProgressBar("draws", len(tasks)) if progress else None
    with bar or nullcontext():
        for task, figures in _compute_all(tasks, jobs):
            store.add(task, figures)
            if bar is not None:
                bar.step()


def _compute_all(tasks: list[Task], jobs: int) -> Iterator[tuple[Task, Figures]]:
    """Yield draws as they are finished.

    The first draw of each experiment is always computed in this process, because several processes
    must not fill numba's cache at the same time.
    """
    first = {task.experiment: task for task in reversed(tasks)}.values()
    yield from map(_compute, first)
    rest = [task for task in tasks if task not in first]
    if jobs == 1 or not rest:
        yield from map(_compute, rest)
    else:
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered")
        yield from pool(delayed(_compute)(task) for task in rest)


def _compute(task: Task) -> tuple[Task, Figures]:
    """Compute one draw on one thread, without warnings: failures show in the figures."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return task, EXPERIMENTS[task.experiment](task.data, task.noise, task.seed)


def _section(module: Any, seeds: Sequence[int], store: Store) -> Section:
    """Return the section of a result, with the number of draws that its verdict is based on."""
    section: Section = module.section(_cells(module, seeds, store), seeds[0])
    return replace(section, draws=len(seeds)) if module.CELLS else section


def _cells(module: Any, seeds: Sequence[int], store: Store) -> Cells:
    return Cells(
        {
            (data, noise): [
                store.draws[Task(module.EXPERIMENT, data, noise, seed)] for seed in seeds
            ]
            for data, noise in module.CELLS
        }
    )
