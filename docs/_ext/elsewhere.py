"""Links to files outside of this folder lead to the pages that include them.

Pages are read in two places: on the site, and as files of the repository. A link to
``../benchmarks/RESULTS.md`` works in the latter; on the site it becomes a link to `benchmarks.md`,
and a link to an example becomes one to its page in the gallery.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

#: Files of the repository, and the pages that show them.
PAGES = {
    "benchmarks/RESULTS.md": "benchmarks.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Rewrite pages, and what they include, when they are read."""
    app.connect("source-read", lambda app, name, source: rewrite(source))
    app.connect("include-read", lambda app, path, name, source: rewrite(source))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def rewrite(source: list[str]) -> None:
    """Replace links, in the only element of the list."""
    for path, page in PAGES.items():
        for written in (f"../{path}", path, Path(path).name):
            source[0] = source[0].replace(f"]({written})", f"]({page})")
    source[0] = source[0].replace("](docs/", "](")
    source[0] = re.sub(r"\]\(\.\./examples/gallery/(\w+)\.py\)", r"](gallery/\1.rst)", source[0])
