"""Places that cannot be written to: the file is named, and so is the flag that helps."""

import errno
import os
from pathlib import Path

import pytest

from tests.cli.running import failure


def test_a_read_only_folder_suggests_another(wine, capsys, monkeypatch):
    mkdir = Path.mkdir

    def refuse(path, *args, **kwargs):
        if path.name.startswith(".wine-clusters"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        mkdir(path, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", refuse)
    said = failure(capsys, "fit wine.csv --quiet")
    assert said == (
        "rankone: wine-clusters: Permission denied; give a place that can be written to by --out."
    )


@pytest.mark.skipif(os.name != "posix", reason="the system has no limit of file sizes")
# An older NumPy leaves an archive open that could not be written.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("size", "line", "file", "flag"),
    [
        (2000, "fit wine.csv --out o --no-pictures", "o/rows.csv", "--out"),
        (20000, "fit wine.csv --out o --no-pictures", "o/model.npz", "--out"),
        (120000, "fit wine.csv --out o --no-pictures --report r.html", "r.html", "--report"),
        (500, "cut wine.csv --column hue --out labels.csv", "labels.csv", "--out"),
        (2000, "tree wine.csv --save model.npz", "model.npz", "--save"),
        (2000, "tree wine.csv --plot tree.png", "tree.png", "--plot"),
    ],
)
def test_a_disk_without_room_names_the_file(wine, capsys, size, line, file, flag):
    import resource

    before, limits = set(os.listdir()), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        said = failure(capsys, f"{line} --quiet")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    place = f"give a place that can be written to by {flag}."
    assert said == f"rankone: {file}: File too large; {place}"
    assert set(os.listdir()) == before
