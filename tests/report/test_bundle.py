"""Modules of the page are joined into one script."""

import re
from importlib.resources import files

import pytest

from rankone.report.bundle import bundle, modules

PAGES = pytest.mark.parametrize("main", ["matrix", "vector"])
_DEFINED = re.compile(r"^(?:async function|function|class|const|let) (\w+)", re.MULTILINE)


def sources():
    folder = files("rankone.report") / "js"
    return {path.name[:-3]: path.read_text("utf-8") for path in folder.iterdir()}


@PAGES
def test_no_name_is_defined_twice(main):
    names = [name for text in modules(main).values() for name in _DEFINED.findall(text)]
    assert len(names) == len(set(names))


@PAGES
def test_each_module_comes_after_those_that_it_needs(main):
    order = list(modules(main))
    assert order[-1] == main
    for name in order:
        for needed in re.findall(r'from "\./(\w+)\.js"', sources()[name]):
            assert order.index(needed) < order.index(name)


@PAGES
def test_neither_imports_nor_exports_are_left(main):
    script = bundle(main)
    assert not re.search(r"^\s*(import|export) ", script, re.MULTILINE)
    assert "</script" not in script


def test_every_module_is_part_of_a_page():
    assert set(modules("matrix")) | set(modules("vector")) == set(sources())
