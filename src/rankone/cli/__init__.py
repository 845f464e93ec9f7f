"""The command line: `rankone fit`, `tree`, `predict`, `cut`, `score`, `simulate`, and more.

Only modules that parse arguments are imported before a command runs, so that help appears at once.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Sequence
from types import FrameType

from rankone.cli.arguments import UsageError
from rankone.cli.commands import USAGE, command, parse_arguments

FAILED = 1

#: Added to the number of the signal that stopped a command, as shells do.
STOPPED = 128


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    It is 0, 1 if the command failed, 2 if its usage was wrong, 130 if it was stopped by Ctrl-C, and
    143 if by SIGTERM.

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
            typed = sys.argv[1:] if argv is None else list(argv)
            arguments = parse_arguments(typed)
        except SystemExit as end:  # argparse has printed why
            return USAGE if end.code else 0
        return _run(arguments, typed)
    except KeyboardInterrupt as stop:
        number = signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT
        return _failed("stopped; no incomplete files were left.", STOPPED + number)
    except BrokenPipeError:  # the reader of our output has stopped, as in `rankone cut ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _prepare() -> None:
    """Stop on SIGTERM as on Ctrl-C, and replace characters that a terminal cannot show."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


def _run(arguments: Namespace, typed: Sequence[str]) -> int:
    """Run a command; if it fails, print one line that says why."""
    from rankone.cli.messages import Wording, notes_of_warnings

    try:
        with notes_of_warnings(arguments.quiet, Wording()):
            command(arguments.command).run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        return _failed(str(error), USAGE)
    except BrokenPipeError:
        raise
    except Exception as error:
        if arguments.debug:
            raise
        return _failed(_described(error, typed))
    return 0


def _described(error: Exception, typed: Sequence[str]) -> str:
    """Return the message of an error in words of the command line."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; free some, or use a smaller matrix."
    if isinstance(error, OSError) and error.filename is not None:
        return "; ".join((f"{error.filename}: {error.strerror}", *_notes(error))) + "."
    if isinstance(error, OSError) and error.strerror is not None:
        return f"the output cannot be written: {error.strerror}."
    if isinstance(error, (ValueError, OSError, ImportError)):
        from rankone.cli.messages import Wording, worded

        return worded(error, Wording(typed=typed))
    return f"{type(error).__name__}: {error} (this is a bug in rankone; --debug shows where)."


def _notes(error: Exception) -> list[str]:
    """Return what was added to an error on its way."""
    return list(getattr(error, "__notes__", ()))


def _failed(why: str, code: int = FAILED) -> int:
    """Print one line that says what went wrong."""
    from rankone.wording import shown

    print("rankone: " + shown(" ".join(why.split()), 2000), file=sys.stderr)
    return code
