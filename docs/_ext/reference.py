"""The reference: what it leaves out, and the links in its docstrings.

What scikit-learn adds to every estimator is left out. Types of parameters and results that have a
page are links to it. Docstrings of other packages, whose single quotes are no links here and whose
versions are not ours, are inherited without either.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

LEFT_OUT = re.compile(r"set_\w+_request|[gs]et_params|set_callbacks")

#: Sections of docstrings that name types.
TYPED = ("Parameters", "Attributes", "Returns")

BEFORE_NUMPYDOC = 400


def setup(app: Sphinx) -> dict[str, bool]:
    """Ask which members are documented, and change docstrings before numpydoc reads them."""
    pages = listed(Path(app.srcdir) / "api.rst")
    app.connect("autodoc-skip-member", skip)
    app.connect(
        "autodoc-process-docstring",
        lambda app, what, name, member, options, lines: process(lines, member, pages),
        priority=BEFORE_NUMPYDOC,
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def listed(index: Path) -> dict[str, str]:
    """Return the full name of everything that the reference lists, by its last part."""
    pages, module = {}, ""
    for line in index.read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            module = line.split()[-1]
        elif re.fullmatch(r"   [\w.]+", line):
            pages[line.strip().split(".")[-1]] = f"{module}.{line.strip()}"
    return pages


def skip(
    app: Sphinx, what: str, name: str, member: Any, skipped: bool, options: Any
) -> bool | None:
    """Say that a member is left out; None leaves the decision to others."""
    return True if LEFT_OUT.fullmatch(name) else None


def process(lines: list[str], member: Any, pages: dict[str, str]) -> None:
    """Change the lines of a docstring."""
    if not str(getattr(member, "__module__", None) or "rankone").startswith("rankone"):
        lines[:] = [
            re.sub(r"(?<![`:])`([^`]+)`(?!`)", r"``\1``", line)
            for line in lines
            if ".. versionadded::" not in line
        ]
    section = ""
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and re.fullmatch("-{3,}", lines[i + 1]):
            section = line
        elif section in TYPED and line and not line.startswith((" ", "-")):
            name, separator, types = line.rpartition(" : ")
            if separator or section == "Returns":
                lines[i] = name + separator + linked(types, pages)


def linked(types: str, pages: dict[str, str]) -> str:
    """Turn the names of classes that have a page into links."""
    return re.sub(
        r"(?<![\w\"'`.])[A-Z]\w+(?![\w\"'`.])",
        lambda found: (
            f":py:obj:`{found[0]} <{pages[found[0]]}>`" if found[0] in pages else found[0]
        ),
        types,
    )
