"""Benchmarks of reports: their size, and the time in which a browser opens and changes them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.learners import sparse_counts
from benchmarks.measure import Row, progress
from rankone import RankOneCoclustering
from rankone.report import Report

#: Arguments that keep the browser from using the network.
QUIET = ("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking")

#: What moves the slider of the rows, and returns the seconds until everything is drawn.
STEPS = """() => {
  const slider = document.getElementById("rows-slider"), spent = [];
  for (const k of [2, 9, 4, 15, 7, 20, 5]) {
    const begun = performance.now();
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    spent.push((performance.now() - begun) / 1000);
  }
  return spent.sort((a, b) => a - b)[3];
}"""


def reports() -> Iterator[Row]:
    """Measure the reports of a sparse matrix of 20000 x 5000, and of 300000 rows."""
    counts, _ = sparse_counts(20_000, 5000, 10**6, 5)
    random = np.random.default_rng(0)
    centres = random.normal(scale=2.0, size=(6, 5))
    rows = centres[random.integers(0, 6, 300_000)] + random.normal(size=(300_000, 5))
    small = RankOneCoclustering().fit(counts[:200, :100].toarray() + 1.0).report()
    for what, matrix in (
        ("report of sparse 20000 x 5000, 1e6 entries", counts),
        ("report of 300000 x 5", rows),
    ):
        progress(what)
        made = RankOneCoclustering().fit(matrix).report()
        yield from measured(what, made, small)


def measured(what: str, large: Report, small: Report) -> Iterator[Row]:
    """Compare a large report with a small one."""
    size, least = len(large.html) / 1e6, len(small.html) / 1e6
    yield Row(f"{what}; size in MB", "of 200 x 100", size, least, size, "<= 5")
    chromium = shutil.which("chromium")
    if chromium is None:
        progress("chromium is not installed; skipping the times of a report")
        return
    opening, step = times(chromium, large)
    small_opening, small_step = times(chromium, small)
    yield Row(
        f"{what}; seconds until drawn", "of 200 x 100", opening, small_opening, opening, "<= 2"
    )
    yield Row(
        f"{what}; seconds of a step of the slider", "of 200 x 100", step, small_step, step, "<= 0.1"
    )


def times(chromium: str, report: Report) -> tuple[float, float]:
    """Return the seconds to open a page, and those of a step of its slider; best of three."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(report.html, "utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(QUIET))
        opening = step = float("inf")
        for _ in range(3):
            page = browser.new_page()
            begun = perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            opening = min(opening, perf_counter() - begun)
            step = min(step, float(page.evaluate(STEPS)))
            page.close()
        browser.close()
    return opening, step


TABLES = {"Reports": reports}
