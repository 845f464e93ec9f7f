"""The order of the gallery: what most people come for first."""

from __future__ import annotations

from pathlib import Path

ORDER = ["wine", "documents", "genes", "cells", "ratings", "survey", "graph", "missing", "galaxies"]
ORDER += ["changes", "choropleth", "large", "vectors"]


class Order:
    """Sort key of the examples; those that are not listed come last."""

    def __init__(self, src_dir: str) -> None:
        """Sphinx-Gallery names the folder, which does not matter here."""

    def __call__(self, name: str) -> tuple[int, str]:
        """Return the key of a file."""
        topic = Path(name).stem.removeprefix("plot_")
        return (ORDER.index(topic) if topic in ORDER else len(ORDER), topic)
