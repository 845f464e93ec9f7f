"""``rankone reproduce``: the tables and figures of the paper."""

from __future__ import annotations

from argparse import Namespace

from rankone.cli import UsageError
from rankone.paper import QUICK_DRAWS, RESULTS, reproduce


def run(arguments: Namespace) -> None:
    """Compute what is asked for, and say where the page is."""
    unknown = [name for name in arguments.names if name not in RESULTS]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is none of the results: {', '.join(RESULTS)}.")
    page = reproduce(
        arguments.names or None,
        draws=QUICK_DRAWS if arguments.quick else arguments.draws,
        jobs=arguments.jobs,
        seed=arguments.seed,
        out=arguments.out,
        progress=not arguments.quiet,
    )
    if not arguments.quiet:
        print(f"The page is {page}, and {page.with_suffix('.html')}")
