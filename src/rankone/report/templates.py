"""The files of which pages are made: parts of HTML with places for texts, and the style sheet."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

__all__ = ["fill", "resource"]


def resource(name: str) -> str:
    """Return the text of a file of this folder."""
    return (files("rankone.report") / name).read_text("utf-8")


@cache
def _template(name: str) -> Template:
    return Template(resource(f"html/{name}.html"))


def fill(name: str, **texts: object) -> str:
    """Return a part of HTML with its places filled by texts, which are HTML themselves."""
    return _template(name).substitute(texts)
