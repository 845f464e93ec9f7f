"""Benchmarks of reports: their size, and the time that a browser needs to open them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.learners import sparse_counts
from benchmarks.measure import Row, progress
from rankone import RankOneCoclustering

#: Arguments that keep the browser from using the network.
QUIET = ("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking")


def reports() -> Iterator[Row]:
    """Measure the report of a sparse matrix of 20000 x 5000."""
    what = "report of sparse 20000 x 5000, 1e6 entries"
    progress(what)
    counts, _ = sparse_counts(20_000, 5000, 10**6, 5)
    made = RankOneCoclustering().fit(counts).report()
    small = RankOneCoclustering().fit(counts[:200, :100].toarray() + 1.0).report()
    size, least = len(made.html) / 1e6, len(small.html) / 1e6
    yield Row(f"{what}; size in MB", "of 200 x 100", size, least, size, "<= 5")
    chromium = shutil.which("chromium")
    if chromium is None:
        progress("chromium is not installed; skipping the time to open a report")
        return
    large, tiny = (opening(chromium, html) for html in (made.html, small.html))
    yield Row(f"{what}; seconds until drawn", "of 200 x 100", large, tiny, large, "<= 2")


def opening(chromium: str, html: str) -> float:
    """Return the time in seconds that a browser takes to open and draw a page, best of three."""
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
