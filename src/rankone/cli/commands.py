"""The parser of all commands; each command adds its own arguments."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from functools import partial

from rankone import __version__
from rankone.cli import cut, demo, fit, predict, reproduce, score, simulate

#: Each command is a module with USAGE, SUMMARY, DESCRIPTION, EXAMPLES, `add_arguments` and `run`.
COMMANDS = {
    "fit": fit,
    "predict": predict,
    "cut": cut,
    "score": score,
    "simulate": simulate,
    "demo": demo,
    "reproduce": reproduce,
}

_formatter = partial(RawDescriptionHelpFormatter, max_help_position=26)


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = ArgumentParser(
        prog="rankone",
        description="Find clusters of the rows and columns of a matrix, and how many there are.",
        epilog="'rankone COMMAND --help' describes a command. Exit codes: 0 (success), 1 (failure),"
        "\n2 (wrong usage).",
    )
    parser.formatter_class = _formatter
    parser.add_argument("--version", action="version", version=f"rankone {__version__}")
    parsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        subparser = parsers.add_parser(
            name,
            usage=f"rankone {name} {command.USAGE}",
            help=command.SUMMARY,
            description=command.DESCRIPTION,
            epilog=command.EXAMPLES,
            formatter_class=_formatter,
        )
        command.add_arguments(subparser)
        subparser.add_argument("--quiet", action="store_true", help="print nothing but the result")
        subparser.add_argument(
            "--debug", action="store_true", help="show the traceback of an error"
        )
    return parser
