"""The reference leaves out what scikit-learn adds to every estimator for its own routing."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

ROUTING = re.compile(r"set_\w+_request")


def setup(app: Sphinx) -> dict[str, bool]:
    """Ask which members are documented."""
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def skip(
    app: Sphinx, what: str, name: str, member: Any, skipped: bool, options: Any
) -> bool | None:
    """Say that a member is left out; None leaves the decision to others."""
    return True if ROUTING.fullmatch(name) else None
