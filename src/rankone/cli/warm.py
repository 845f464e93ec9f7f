"""``rankone warm``: compile all kernels ahead, so that later runs start at once."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace

from rankone.cli.arguments import positive_integer

USAGE = "[options]"
DESCRIPTION = """\
Compile everything ahead, in parallel, for containers and for installations that
users cannot write to. Compiled code is kept in the folder of rankone, or in
NUMBA_CACHE_DIR, which must then be set in later runs, too."""
EXAMPLES = """\
examples:
  rankone warm
  NUMBA_CACHE_DIR=/opt/rankone-cache rankone warm --jobs 8"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "--jobs",
        type=positive_integer,
        metavar="N",
        help="number of processes (default: one per core)",
    )


def run(arguments: Namespace) -> None:
    """Run small tasks that use all kernels, each in a process, then all of them in one."""
    from multiprocessing import get_context

    from joblib import cpu_count

    from rankone.cli.warming import TASKS, folder_of_cache, run_all, run_task
    from rankone.progress import ProgressBar

    folder, begin = folder_of_cache(), time.perf_counter()
    if folder is None:
        raise PermissionError(
            "compiled code cannot be kept, because its folder cannot be written to; set "
            "NUMBA_CACHE_DIR to a folder of your own."
        )
    number = min(arguments.jobs or cpu_count(), len(TASKS))
    compiled, bar = 0, None if arguments.quiet else ProgressBar("compiling", len(TASKS) + 1)
    with get_context("spawn").Pool(number, maxtasksperchild=1) as pool:
        for kernels in pool.imap_unordered(run_task, TASKS, chunksize=1):
            compiled += kernels
            if bar is not None:
                bar.step()
        # Processes that write to the same place may undo each other's entries: look again.
        compiled += pool.apply(run_all)
    if bar is not None:
        bar.__exit__(None, None, None)
    if not arguments.quiet:
        seconds = time.perf_counter() - begin
        what = f"{compiled} kernels in {seconds:.0f} s" if compiled else "nothing: all was there"
        print(f"Compiled {what}; kept in {folder}.")
