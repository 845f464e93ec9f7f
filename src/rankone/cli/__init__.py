"""The command line: `rankone fit`, `cut`, `simulate`, `predict`, `score`, `demo`, `reproduce`.

Only what parses arguments is loaded before a command is known, so that help comes at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from rankone.cli.arguments import build_parser

FAILED, USAGE = 1, 2


class UsageError(ValueError):
    """Arguments that do not fit together."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit code: 0, 1 if it failed, 2 if it was not understood.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process by default.

    Returns
    -------
    int
    """
    try:
        arguments = build_parser().parse_args(argv)
    except SystemExit as end:  # argparse has said why
        return USAGE if end.code else 0
    if arguments.debug:
        return int(_run(arguments))
    try:
        return int(_run(arguments))
    except KeyboardInterrupt:
        return _failed("stopped; nothing was left half written.")
    except BrokenPipeError:  # who reads our output has seen enough, as in `rankone cut ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except UsageError as error:
        return _failed(str(error), USAGE)
    except MemoryError:
        return _failed("there is not enough memory.")
    except (ValueError, OSError, ImportError) as error:
        return _failed(str(error))
    except Exception as error:
        return _failed(f"{type(error).__name__}: {error} (this is a defect; see --debug).")


def _run(arguments: object) -> int:
    command = import_module(f"rankone.cli.{arguments.command}")  # type: ignore[attr-defined]
    from rankone.cli.console import notes_of_warnings

    with notes_of_warnings(arguments.quiet):  # type: ignore[attr-defined]
        command.run(arguments)
    sys.stdout.flush()
    return 0


def _failed(why: str, code: int = FAILED) -> int:
    """Say in one line what went wrong."""
    print("rankone: " + " ".join(why.split()), file=sys.stderr)
    return code
