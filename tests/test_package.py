"""The package as a whole: what an import loads, what it offers, and where it still works."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rankone

ROOT = Path(__file__).parents[1]


def run(code, **environment):
    """Return what a fresh interpreter prints."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_import_loads_nothing_heavy():
    heavy = {"numba", "numpy", "scipy", "sklearn", "matplotlib", "pandas"}
    assert run(f"import sys, rankone; print(*{heavy!r}.intersection(sys.modules))") == ""


@pytest.mark.parametrize("name", rankone.__all__)
def test_public_name(name):
    assert name in dir(rankone)
    assert getattr(rankone, name).__name__.split(".")[-1] == name


def test_star_import():
    assert run("from rankone import *; print(SortedPotts(n_clusters=2))").startswith("SortedPotts")


def test_unknown_name():
    with pytest.raises(AttributeError, match="'rankone' has no attribute 'cutz'"):
        rankone.cutz  # noqa: B018


def test_the_version_is_typed_once():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert rankone.__version__ == importlib.metadata.version("rankone")


def test_works_where_nothing_can_be_cached(tmp_path):
    """Numba tries the folder it is told, that of the source, and the user's: all are barred.

    Files stand where the folders should be, since permissions do not stop the superuser.
    """
    shutil.copytree(
        ROOT / "src" / "rankone", tmp_path / "rankone", ignore=shutil.ignore_patterns("__pycache__")
    )
    for folder in (tmp_path / "rankone").rglob("*"):
        if folder.is_dir():
            (folder / "__pycache__").touch()
    (tmp_path / "rankone" / "__pycache__").touch()
    barred = tmp_path / "barred"
    barred.touch()
    code = "\n".join(
        (
            "import rankone, warnings; print(rankone.__file__)",
            "with warnings.catch_warnings(record=True) as caught:",
            "    warnings.simplefilter('always')",
            "    print(rankone.SortedPotts(n_clusters=2).cut([5.0, 0.0, 4.0, 1.0]).labels)",
            "print(*(f'{each.filename} {each.category.__name__}' for each in caught))",
        )
    )
    inside = str(barred / "inside")
    printed = run(
        code,
        PYTHONPATH=str(tmp_path),
        NUMBA_CACHE_DIR=inside,
        HOME=inside,
        XDG_CACHE_HOME=inside,
        LOCALAPPDATA=inside,
    )
    file, labels, warned = printed.splitlines()
    assert file == str(tmp_path / "rankone" / "__init__.py")
    assert labels == "[1 0 1 0]"
    assert warned == "<string> CacheWarning"  # once, and at the line that called
