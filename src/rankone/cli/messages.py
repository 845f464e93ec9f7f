"""Word messages for the command line: flags for parameters, and the names of the file."""

from __future__ import annotations

import csv
import io
import shlex
import warnings
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rankone._warnings import message_of
from rankone.cli.console import note
from rankone.errors import (
    Column,
    Entry,
    FileError,
    Input,
    Method,
    Row,
    Rows,
    Setting,
    Settings,
    Worded,
)
from rankone.wording import quoted

if TYPE_CHECKING:
    from rankone.io import Table

#: The flag of each parameter of the learners, of cuts, and of `rankone.io`.
FLAGS = {
    "n_row_clusters": "--rows",
    "n_column_clusters": "--columns",
    "n_clusters": "--clusters",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    "lazy": "--scheduler",
    **{
        parameter: "--" + parameter.replace("_", "-")
        for parameter in (
            *("vectors", "cut", "selection", "loss", "symmetric", "missing"),
            *("max_clusters", "min_cluster_size", "normalise", "log", "standardise"),
            *("format", "absent", "duplicates", "delimiter", "decimal", "encoding", "header"),
            *("skip", "index", "keep", "drop", "numeric", "thousands", "na", "key", "column"),
            *("cache", "checkpoint"),
        )
    },
}

#: Settings, as Python users write them, that flags express in another way.
SPECIAL = {
    "refine": "refinement (see --no-refine)",
    "refine=True": "refinement (leave out --no-refine)",
    "refine=False": "--no-refine",
    "format='triplets'": "--triplets",
    "prepare=Prepare(standardise='columns')": "--standardise",
}


class Wording:
    """Words the fields of a message as the command line and the file name them.

    Parameters
    ----------
    table : Table, optional
        The matrix that rows, columns and entries belong to.
    typed : sequence of str
        The words after ``rankone`` on the command line.
    methods : mapping, optional
        The methods that were chosen: ``{"vectors": "nmf"}``.

    Examples
    --------
    >>> words = Wording()
    >>> words(Setting("max_clusters")), words(Entry(0, 3))
    ('--max-clusters', 'the entry in row 1, column 4')
    """

    def __init__(self, table: Table | None = None, typed: Sequence[str] = (), **methods: str):
        self.table, self.typed, self.methods = table, typed, methods

    def __call__(self, field: Any) -> str:
        """Return a field in words."""
        match field:
            case Input():
                return "the matrix"
            case Entry(row, column):
                return f"the entry in row {self._name(0, row)}, column {self._name(1, column)}"
            case Row(index):
                return f"row {self._name(0, index)}"
            case Rows(indices):
                rows = "row" if len(indices) == 1 else "rows"
                return f"{rows} {field.listed(lambda i: self._name(0, i))}"
            case Column(index):
                return f"column {self._name(1, index)}"
            case Method():
                parameter = "" if field.parameter is None else f":{field.parameter}={field.value}"
                return f"--vectors {field.alternatives(_short_name)}{parameter}"
            case Setting():
                return self._flag(field)
            case Settings(settings):
                words = " ".join(map(self._flag, settings))
                return f"rankone {shlex.join(self.typed)} {words}" if self.typed else words
        return str(field)

    def _name(self, side: int, index: int) -> str:
        """Return the number of a row or a column, from 1, and its name in the file."""
        names: Sequence[str] | None = None
        if self.table is not None:
            names = (self.table.row_names, self.table.column_names)[side]
        known = names is not None and index < len(names)
        return f"{index + 1} ({quoted(names[index])})" if names and known else str(index + 1)

    def _flag(self, setting: Setting) -> str:
        parameter, value = setting.parameter, setting.value
        if setting.of is not None:
            method = self.methods.get(setting.of, "METHOD")
            return f"--{setting.of} {method}:{parameter}={'...' if value is None else value}"
        if str(setting) in SPECIAL:
            return SPECIAL[str(setting)]
        if parameter not in FLAGS:
            return str(setting)
        if value is None or value is True:
            return FLAGS[parameter]
        return _flag_and_value(FLAGS[parameter], value)


def _flag_and_value(flag: str, value: Any) -> str:
    """Return a flag with its value, as a shell understands it."""
    if isinstance(value, (list, tuple)):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(value)
        value = line.getvalue()
    text = str(value)
    return f"{flag}{'=' if text.startswith('-') else ' '}{shlex.quote(text)}"


def _short_name(method: str) -> str:
    """Return the name of a Step 1 method on the command line, given that of its class."""
    from rankone.methods import VECTORS

    names = (name for name, make in VECTORS.items() if type(make()).__name__ == method)
    return next(names, method)


def worded(message: object, words: Wording) -> str:
    """Return an error or a warning in words of the command line."""
    known = message_of(message) if isinstance(message, Warning) else message
    return known.worded(words) if isinstance(known, Worded) else str(known)


@contextmanager
def notes_of_warnings(quiet: bool, words: Wording) -> Iterator[None]:
    """Print each warning as one line, without the place in the code that it comes from."""

    def print_note(message: Warning | str, *_: Any, **__: Any) -> None:
        note(worded(message, words), quiet)

    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.simplefilter("ignore", ResourceWarning)  # of files, when a run is interrupted
        warnings.showwarning = print_note
        yield


@contextmanager
def messages_about(arguments: Namespace, table: Table) -> Iterator[None]:
    """Word errors and warnings about the matrix as errors and notes about its file."""
    method = getattr(arguments, "vectors", "auto").partition(":")[0]
    words = Wording(table, **({} if method == "auto" else {"vectors": method}))
    try:
        with notes_of_warnings(arguments.quiet, words):
            yield
    except FileError:
        raise
    except Worded as error:
        fields: dict[str, Any] = {name: words(field) for name, field in error.fields.items()}
        raise FileError(arguments.matrix, error.problem, error.suggestion, **fields) from None
    except ValueError as error:
        message = str(error).removesuffix(".")
        raise FileError(arguments.matrix, "{message}", message=message) from None
