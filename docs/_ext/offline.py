"""The site is complete: no page loads a script, style, font or picture from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

#: What a browser fetches when it opens a page, if the address is that of another host.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc="(?:https?:)?//[^"]*"
    |<link\b(?![^>]*rel="canonical")[^>]*\bhref="(?:https?:)?//[^"]*"
    |(?:@import|url\()\s*["']?(?:https?:)?//[^"')]*""",
    re.VERBOSE,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Look at what was written, once it is."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def check(app: Sphinx, error: Exception | None) -> None:
    """Warn of each address that a browser would fetch; the build treats warnings as errors."""
    if error is not None:
        return
    for path in [p for suffix in ("html", "css") for p in Path(app.outdir).rglob(f"*.{suffix}")]:
        for found in FETCHED.finditer(path.read_text(encoding="utf-8")):
            logger.warning("%s fetches %s", path.relative_to(app.outdir), found.group())
