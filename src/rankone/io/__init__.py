"""Files in, files out: matrices, vectors and labels, with the names of rows and columns.

Nothing in a file is trusted: no pickle is loaded, sizes are compared with the bytes that are there
before memory is allocated, and an error is one sentence that names the place in the file.
"""

from rankone.errors import FileError
from rankone.io.columns import read_column, read_labels
from rankone.io.notes import ReadingWarning
from rankone.io.reading import FORMATS, read_matrix
from rankone.io.table import Table
from rankone.io.writing import write_csv, write_json

__all__ = [
    "FORMATS",
    "FileError",
    "ReadingWarning",
    "Table",
    "read_column",
    "read_labels",
    "read_matrix",
    "write_csv",
    "write_json",
]
