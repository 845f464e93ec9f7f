"""The script of a page: modules, joined into one so that a page needs no other file.

Modules import names of one another as browsers know it. Joined in an order in which each comes
after those that it imports from, they share one scope: imports and exports are left out, and no two
modules may define the same name.
"""

from __future__ import annotations

import re

from rankone.report.templates import resource

__all__ = ["bundle", "modules"]

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async function |function |class |const )", re.MULTILINE)


def bundle(main: str) -> str:
    """Return the script of a module and of all that it imports."""
    return f'"use strict";\n(() => {{\n{"".join(modules(main).values())}}})();\n'


def modules(main: str) -> dict[str, str]:
    """Return the modules that a module needs, without imports and exports, and itself at the end.

    Each comes after those that it needs.
    """
    found: dict[str, str] = {}

    def add(name: str) -> None:
        text = resource(f"js/{name}.js")
        for needed in _IMPORT.findall(text):
            if needed not in found:
                add(needed)
        found[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(main)
    return found
