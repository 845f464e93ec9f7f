"""The commands, and the parser of their arguments, which each command declares itself."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from rankone import __version__
from rankone.cli.arguments import spell_out

#: The commands, in the order of help. Each is a module of this package, with USAGE, DESCRIPTION,
#: EXAMPLES, `add_arguments` and `run`, which is imported only when it is needed.
COMMANDS = {
    "fit": "find clusters of the rows and columns of a matrix",
    "tree": "grow a tree of clusters, and say what drives its splits",
    "predict": "place new rows in clusters that were found before",
    "cut": "cluster values in one dimension, exactly",
    "score": "compare labels with the truth",
    "simulate": "simulate a matrix with known clusters",
    "demo": "run the other commands on simulated data, or on wines",
    "warm": "compile everything ahead, so that later runs start at once",
    "reproduce": "reproduce the tables and figures of the paper",
}

#: The exit code of wrong usage, which is also that of argparse.
USAGE = 2

_formatter = partial(RawDescriptionHelpFormatter, max_help_position=26)


def command(name: str) -> Any:
    """Return the module of a command."""
    return import_module(f"rankone.cli.{name}")


def parse_arguments(argv: Sequence[str]) -> Namespace:
    """Parse a command line; print why and raise SystemExit if it cannot be understood.

    An empty one is answered by the list of commands.
    """
    chosen = next((word for word in argv if word in COMMANDS), None)
    parser = build_parser(() if chosen is None else (chosen,))
    if not argv:
        parser.print_help(sys.stderr)
        raise SystemExit(USAGE)
    return parser.parse_args(spell_out(argv))


def build_parser(complete: Sequence[str] = tuple(COMMANDS)) -> ArgumentParser:
    """Return the parser of all commands, of which some have their arguments."""
    parser = ArgumentParser(
        prog="rankone",
        description="Find clusters of the rows and columns of a matrix, and how many there are.",
        epilog="'rankone COMMAND --help' describes a command. Exit codes: 0 (success), 1 (failure),"
        "\n2 (wrong usage), 130 (stopped by Ctrl-C).",
    )
    parser.formatter_class = _formatter
    parser.add_argument("--version", action="version", version=f"rankone {__version__}")
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        subparser = parsers.add_parser(name, help=summary, formatter_class=_formatter)
        if name in complete:
            _complete(subparser, name)
    return parser


def _complete(parser: ArgumentParser, name: str) -> None:
    """Add the arguments and the help of a command to its parser."""
    module = command(name)
    parser.usage = f"rankone {name} {module.USAGE}"
    parser.description, parser.epilog = module.DESCRIPTION, module.EXAMPLES
    module.add_arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="print nothing but the result")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
