"""Write the page and its pictures into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rankone._atomic import replacing
from rankone.paper.page import Picture, Section, arrange, as_markdown
from rankone.paper.page_html import as_html


def write(folder: Path, sections: Sequence[Section], draws: int, seed: int) -> Path:
    """Write the page and its pictures, and return the path of the Markdown file.

    Parameters
    ----------
    folder : Path
    sections : sequence of Section
    draws, seed : int
        See `arrange`.
    """
    parts = arrange(sections, draws, seed)
    pictures = [part for part in parts if isinstance(part, Picture)]
    if pictures:
        (folder / "paper").mkdir(exist_ok=True)
    files = {f"paper/{picture.name}.png": picture.png for picture in pictures}
    files["paper.html"] = as_html(parts).encode()
    files["paper.md"] = as_markdown(parts).encode()
    for name, content in files.items():
        with replacing(folder / name) as file:
            file.write(content)
    return folder / "paper.md"
