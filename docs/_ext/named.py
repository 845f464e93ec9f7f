"""Names of classes and functions in the pages are links to the reference.

Pages are plain Markdown, which is also read in the repository: what they write as code is linked
here, the first time that a page names it.
"""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from reference import listed
from sphinx import addnodes
from sphinx.application import Sphinx

#: ``SortedPotts(lam=1).cut(u)`` names SortedPotts. Functions have an underscore: other names that
#: are lower case are words, flags and files as often.
NAMED = re.compile(r"(?:rankone\.(?:\w+\.)*)?([A-Z]\w+|[a-z]+_\w+)(?=[.(]|$)")


def setup(app: Sphinx) -> dict[str, bool]:
    """Change pages as they are read."""
    pages = listed(Path(app.srcdir) / "api.rst")
    app.connect("doctree-read", lambda app, doctree: link(app, doctree, pages))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def link(app: Sphinx, doctree: nodes.document, pages: dict[str, str]) -> None:
    """Link what a page writes as code and the reference lists."""
    page = app.env.docname
    if page.startswith("api"):
        return
    seen = set()
    for literal in list(doctree.findall(nodes.literal)):
        found = NAMED.match(literal.astext())
        inert = isinstance(literal.parent, (nodes.title, nodes.reference, addnodes.pending_xref))
        if found and found[1] in pages and found[1] not in seen and not inert:
            seen.add(found[1])
            target = {"refdomain": "py", "reftype": "obj", "reftarget": pages[found[1]]}
            reference = addnodes.pending_xref("", refdoc=page, refexplicit=True, **target)
            literal.replace_self(reference)
            reference += literal
