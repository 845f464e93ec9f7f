"""A page, in memory or in a file."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass

from rankone._atomic import replacing

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """An HTML report, which notebooks display.

    Attributes
    ----------
    html : str
        The page.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only once it is complete."""
        with replacing(path) as file:
            file.write(self.html.encode(errors="replace"))

    def _repr_html_(self) -> str:
        """Return the page in a frame, which isolates it from the notebook."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            'title="Report of rankone" width="100%" height="860" style="border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        """Return a description with the size of the page."""
        return f"Report({len(self.html) / 1e6:.2g} MB)"
