"""The command line: `rankone fit`, `cut`, `simulate`, `predict`, `score`, `demo`, `reproduce`.

Only what parses arguments is loaded before a command is known, so that help comes at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from argparse import Namespace
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
        _prepare()
        try:
            arguments = build_parser().parse_args(argv)
        except SystemExit as end:  # argparse has said why
            return USAGE if end.code else 0
        return _run(arguments)
    except KeyboardInterrupt:
        return _failed("stopped; nothing was left half written.")
    except BrokenPipeError:  # who reads our output has seen enough, as in `rankone cut ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _prepare() -> None:
    """Stop for a polite kill as for Ctrl-C, and write what a terminal cannot show as marks."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(arguments: Namespace) -> int:
    """Run a command, and say in one line what goes wrong."""
    command = import_module(f"rankone.cli.{arguments.command}")
    from rankone.cli.console import notes_of_warnings

    try:
        with notes_of_warnings(arguments.quiet):
            command.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        return _failed(str(error), USAGE)
    except BrokenPipeError:
        raise
    except Exception as error:
        if arguments.debug:
            raise
        return _failed(_described(error))
    return 0


def _described(error: Exception) -> str:
    """Return what an error says."""
    if isinstance(error, MemoryError):
        return "there is not enough memory."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    if isinstance(error, OSError) and error.strerror is not None:
        return f"the output cannot be written: {error.strerror}."
    if isinstance(error, (ValueError, OSError, ImportError)):
        return str(error)
    return f"{type(error).__name__}: {error} (this is a defect; see --debug)."


def _failed(why: str, code: int = FAILED) -> int:
    """Say in one line what went wrong."""
    from rankone.io.table import shown

    print("rankone: " + shown(" ".join(why.split()), 2000), file=sys.stderr)
    return code
