"""Pages in Markdown that are written one section at a time."""

from __future__ import annotations

import re
from pathlib import Path


def sections_of(page: Path) -> dict[str, str]:
    """Return the sections of a page by title, with the introduction under an empty title."""
    introduction, *sections = re.split(r"^(?=## )", page.read_text(), flags=re.MULTILINE)
    by_title = {text.split("\n")[0][3:]: text.rstrip("\n") + "\n" for text in sections}
    return {"": introduction.rstrip("\n") + "\n", **by_title}
