"""``rankone reproduce``: the tables and figures of the paper."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from rankone.cli.arguments import UsageError, add_seed, positive_integer
from rankone.paper import QUICK_DRAWS, RESULTS

USAGE = "[NAME ...] [options]"
DESCRIPTION = """\
Reproduce the tables and figures of the paper next to the published values, and
test its claims. A run that was interrupted continues where it stopped."""
EXAMPLES = "results:\n" + "\n".join(f"  {name:12} {what}" for name, what in RESULTS.items())


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="results (default: all)")
    parser.add_argument(
        "--draws",
        type=positive_integer,
        default=100,
        metavar="N",
        help="number of data sets for each cell of a table (default: 100)",
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"{QUICK_DRAWS} data sets only, in two minutes"
    )
    parser.add_argument(
        "--jobs", type=positive_integer, default=2, metavar="N", help="processes (default: 2)"
    )
    parser.add_argument(
        "--out", default="rankone-paper", metavar="DIR", help="folder (default: rankone-paper)"
    )
    add_seed(parser)


def run(arguments: Namespace) -> None:
    """Compute the requested results, and print where the page is."""
    from rankone.paper import reproduce

    unknown = [name for name in arguments.names if name not in RESULTS]
    if unknown:
        raise UsageError(f"unknown result {unknown[0]!r}; choose from {', '.join(RESULTS)}.")
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
