"""The documents are complete: links lead somewhere, commands exist, names are in the reference."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

import rankone
from rankone.cli.commands import parse_arguments

HOME = Path(__file__).parents[1]
PAGES = [*sorted(HOME.glob("*.md")), *sorted((HOME / "docs").glob("*.md"))]


def texts():
    """Return the text of each document, by its path from the home of the project."""
    return {path: path.read_text(encoding="utf-8") for path in PAGES}


def commands():
    """Return each command line of the documents, once."""
    lines = re.findall(r"^rankone .*$", "\n".join(texts().values()), re.MULTILINE)
    return sorted({line.split("  ")[0].split(" #")[0].strip() for line in lines})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("line", commands())
def test_commands_have_such_flags(line):
    parsed = parse_arguments(shlex.split(line)[1:])
    assert parsed.command == line.split()[1]


def test_some_commands_are_shown():
    assert len(commands()) > 10


def test_the_reference_lists_every_public_name():
    reference = (HOME / "docs" / "api.rst").read_text(encoding="utf-8")
    listed = set(re.findall(r"^   (?:\w+\.)*(\w+)$", reference, re.MULTILINE))
    modules = {"cuts", "datasets", "io", "matrix", "metrics", "paper", "plotting", "refinement"}
    modules |= {"report", "selection", "vectors"}
    assert set(rankone.__all__) - modules <= listed
    for bridge in ("anndata", "geopandas", "mapclassify"):
        assert set(import_module(f"rankone.contrib.{bridge}").__all__) <= listed


def test_every_example_has_its_place_in_the_gallery():
    order = (HOME / "docs" / "_ext" / "ordering.py").read_text(encoding="utf-8")
    examples = {path.stem for path in (HOME / "examples" / "gallery").glob("plot_*.py")}
    assert {name for name in examples if f'"{name.removeprefix("plot_")}"' in order} == examples
    assert len(examples) >= 10
