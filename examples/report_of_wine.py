"""Write the interactive report of the wines, and take its picture where there is a browser.

The report shows the growers, which the model never sees, beside the clusters. The picture needs
Chromium, and playwright (``pip install playwright``).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from sklearn.datasets import load_wine

from rankone import Prepare, RankOneCoclustering

PAGE = Path(__file__).parents[1] / "demo" / "wine.html"
PICTURE = PAGE.with_name("report.png")


def main() -> None:
    """Fit the model, and write its report."""
    wine = load_wine(as_frame=True)
    frame = wine.data.set_axis([f"wine {i}" for i in range(len(wine.data))])
    model = RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(frame)
    growers = [f"grower {'ABC'[k]}" for k in wine.target]
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    model.report(
        PAGE, title="178 wines", row_annotations={"grower": growers}, nouns=("wine", "measurement")
    )
    print(f"The report is {os.path.relpath(PAGE)}; open it in a browser.")
    if shutil.which("chromium") is not None:
        take_picture()
        print(f"Its picture is {os.path.relpath(PICTURE)}")


def take_picture() -> None:
    """Take a picture of the report, of a size at which it can be read on a page of text."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(
            viewport={"width": 1100, "height": 925}, device_scale_factor=1.6, color_scheme="light"
        )
        page.goto(PAGE.as_uri())
        page.wait_for_selector("html[data-ready=yes]")
        # Nothing is cut in the middle of a line: the picture ends above the next cluster.
        page.screenshot(path=PICTURE, clip={"x": 0, "y": 0, "width": 1100, "height": 911})
        browser.close()


if __name__ == "__main__":
    main()
