"""The lines of a text file, in cells, read within a limit of memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from rankone.errors import FileError, Place, Setting
from rankone.io.budget import Cost, each_byte
from rankone.io.layout import CELL_BYTES, Layout, is_blank, not_decoded, without_mark
from rankone.io.source import PART, Source
from rankone.wording import count, reason

#: The longest row that is read, in characters.
LONGEST = 2**26


def check_lines(source: Source, layout: Layout) -> None:
    """Refuse a file whose lines do not fit into memory; pipes are counted while they are read."""
    if not source.in_place:
        return
    most = source.size // max(1, layout.width)  # a line has at least a byte for each cell
    if layout.cost(source.size, most) > source.budget().limit:
        with source.open(layout.cost) as file:
            while file.read(PART):
                pass


def cost_of(source: Source, layout: Layout) -> Cost:
    """Return the cost of lines, unless `check_lines` has counted them."""
    return each_byte if source.in_place else layout.cost


class _Lines:
    """The lines of a text; those of one row must not be too long together."""

    def __init__(self, source: Source, layout: Layout, text: io.TextIOWrapper):
        self.text, self.source, self.line = text, source, layout.skip
        self.budget, self.row_length = source.budget(), 0
        for _ in range(layout.skip):
            text.readline(LONGEST)

    def __iter__(self) -> Iterator[str]:
        """Yield lines, including their ends."""
        while line := self.text.readline(LONGEST):
            self.line += 1
            self.row_length += len(line)
            if self.row_length >= LONGEST:
                problem = f"the line is longer than {LONGEST >> 20} MB"
                raise FileError(self.source.name, problem, at=Place(self.line))
            if len(line) > PART:
                self.budget.check(CELL_BYTES * len(line))
            yield line


def lines_of(
    source: Source, layout: Layout, to_disk: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line below the header, except blank lines.

    Parameters
    ----------
    source : Source
    layout : Layout
    to_disk : bool
        Whether their content is written to disk, and need not fit into memory.
    """
    with source.open(each_byte if to_disk else cost_of(source, layout), to_disk) as file:
        text = io.TextIOWrapper(file, without_mark(layout.encoding), newline="")
        lines = _Lines(source, layout, text)
        reader = csv.reader(iter(lines), delimiter=layout.delimiter)
        first = layout.header is not None
        try:
            for row in reader:
                lines.row_length = 0
                if is_blank(row):
                    continue
                if not first:
                    _check_width(source, layout, lines.line, row)
                    yield lines.line, row
                first = False
        except csv.Error as error:
            place = Place(lines.line)
            raise FileError(source.name, "{reason}", at=place, reason=reason(error)) from None
        except UnicodeDecodeError as error:
            line = lines.line + 1 + error.object[: error.start].count(b"\n")
            raise not_decoded(source, error.object[error.start], layout.encoding, line) from None
        except UnicodeError:  # without the mark that tells the order of bytes
            raise FileError(
                source.name,
                "it does not begin with the mark of {encoding}",
                "try another {option}, such as utf-8",
                encoding=layout.encoding,
                option=Setting("encoding"),
            ) from None
        finally:
            text.detach()


def _check_width(source: Source, layout: Layout, line: int, row: list[str]) -> None:
    if len(row) != layout.width:
        problem = f"it has {count(len(row), 'cell')}, but the lines before it have {layout.width}"
        raise FileError(source.name, problem, at=Place(line))
