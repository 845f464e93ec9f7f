"""Wide tables of words can be read on a phone: there, the cells of a row are below each other.

Each cell then begins with the title of its column, which wider screens hide (`site.css`). Tables of
numbers stay tables, and scroll.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

#: Tables of fewer columns fit a phone as they are, unless there are formulas, which have one line.
LEAST_COLUMNS = 3


def setup(app: Sphinx) -> dict[str, bool]:
    """Change pages once their references are resolved."""
    app.connect("doctree-resolved", lambda app, doctree, name: stack(doctree))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def stack(doctree: nodes.document) -> None:
    """Give the cells of wide tables of words the titles of their columns."""
    for table in doctree.findall(nodes.table):
        head = table.next_node(nodes.thead)
        if head is None:
            continue
        titles = [entry.astext() for entry in head.findall(nodes.entry)]
        body = table.next_node(nodes.tbody)
        wide = len(titles) >= LEAST_COLUMNS or body.next_node(nodes.math) is not None
        if not wide or not has_words(body):
            continue
        table["classes"].append("stacked")
        for row in body:
            for title, entry in list(zip(titles, row, strict=True))[1:]:
                if title and entry.astext():
                    entry[0].insert(0, nodes.inline("", title, classes=["cell-title"]))


def has_words(body: nodes.tbody) -> bool:
    """Say whether most cells after the first of each row hold words rather than numbers."""
    cells = [entry.astext() for row in body for entry in row[1:]]
    return sum(bool(re.search("[a-z]{3}", cell)) for cell in cells) > len(cells) / 2
