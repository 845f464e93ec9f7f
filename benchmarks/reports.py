"""What is measured of reports: how large they are, and how fast a browser opens them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.learners import sparse_counts
from benchmarks.measure import Row, progress
from rankone import RankOneCoclustering

#: A browser that asks nobody for anything.
QUIET = ("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking")


def reports() -> Iterator[Row]:
    """Measure the report of a sparse matrix of 20000 x 5000."""
    what = "report of sparse 20000 x 5000, 1e6 entries"
    progress(what)
    counts, _ = sparse_counts(20_000, 5000, 10**6, 5)
    made = RankOneCoclustering().fit(counts).report()
    small = RankOneCoclustering().fit(counts[:200, :100].toarray() + 1.0).report()
    size, least = len(made.html) / 1e6, len(small.html) / 1e6
    yield Row(f"{what}; the MB", "of 200 x 100", size, least, size, "<= 5")
    chromium = shutil.which("chromium")
    if chromium is None:
        progress("no chromium was found: how fast it opens is not measured")
        return
    large, tiny = (opening(chromium, html) for html in (made.html, small.html))
    yield Row(f"{what}; seconds until it is drawn", "of 200 x 100", large, tiny, large, "<= 2")


def opening(chromium: str, html: str) -> float:
    """Return the seconds that a browser takes to open a page and to draw it, the best of three."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(html, "utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        best = float("inf")
        for _ in range(3):
            page = browser.new_page()
            begun = perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            best = min(best, perf_counter() - begun)
            page.close()
        browser.close()
    return best


TABLES = {"Reports": reports}
