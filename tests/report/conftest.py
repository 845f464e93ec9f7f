"""A browser, where there is one, and pages that are opened in it."""

import csv
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WHY = "no chromium was found (on Debian: apt install chromium)"


@pytest.fixture(scope="session")
def browser():
    """Return a browser that may not reach the network, and never tries to."""
    if CHROMIUM is None:
        pytest.skip(WHY)
    from playwright.sync_api import sync_playwright

    quiet = ("background-networking", "component-update", "sync", "gpu", "quic")
    options = ["--no-sandbox", "--no-first-run", *(f"--disable-{what}" for what in quiet)]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield launched
        launched.close()


class Opened:
    """A page, with what a person sees of it and does with it."""

    def __init__(self, page):
        self.page = page
        self.problems, self.requests = [], []
        page.on("console", lambda message: self.problems.append(message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", lambda dialog: self.problems.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))

    def __getattr__(self, name):
        return getattr(self.page, name)

    def move(self, side, k):
        """Move a slider."""
        self.page.locator(f"#{side}-slider").fill(str(k))

    def number(self, side):
        return int(self.page.inner_text(f"#{side}-number"))

    def labels(self, side):
        """Return what the button downloads: for each column of the table its cells."""
        with self.page.expect_download() as download:
            self.page.click(f"#{side}-download")
        limit = csv.field_size_limit(2**24)  # names may be long
        with open(download.value.path(), newline="") as file:
            rows = list(csv.reader(file))
        csv.field_size_limit(limit)
        return {title: [row[i] for row in rows[1:]] for i, title in enumerate(rows[0])}

    def sentences(self, side):
        """Return what is said of each cluster."""
        return self.page.locator(f"#{side}-words .sentence").all_inner_texts()

    def sizes(self, side):
        heads = self.page.locator(f"#{side}-words .head span").all_inner_texts()
        return [int(text.split()[1].replace(",", "")) for text in heads]

    def cell(self, row, column):
        """Return the point of the window where a unit of rows meets one of columns."""
        return self.page.evaluate(
            """([row, column]) => {
              const area = document.getElementById("figure").getBoundingClientRect();
              const [y, x] = window.rankone.axes.map((axis, i) => axis.at([row, column][i] + 0.5));
              return [area.left + x, area.top + y];
            }""",
            [row, column],
        )

    def until(self, expression):
        """Wait until an expression is true; the page itself must not evaluate texts."""
        for _ in range(100):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{expression} did not become true")

    def pixel(self, x, y):
        """Return the colour of a point of the figure, in pixels of the canvas."""
        return self.page.evaluate(
            """([x, y]) => {
              const canvas = document.getElementById("matrix");
              const area = canvas.getBoundingClientRect(), ratio = canvas.width / area.width;
              const at = [x - area.left, y - area.top].map((z) => Math.floor(z * ratio));
              return [...canvas.getContext("2d").getImageData(...at, 1, 1).data].slice(0, 3);
            }""",
            [x, y],
        )


@pytest.fixture
def opened(browser, tmp_path):
    """Return a function that opens a report, and listens to what goes wrong."""
    contexts = []

    def open_report(report, width=1280, height=900, scheme="light", fragment="", **options):
        path = tmp_path / f"report{len(contexts)}.html"
        report.save(path)
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            accept_downloads=True,
            **options,
        )
        contexts.append(context)
        page = Opened(context.new_page())
        page.goto(path.as_uri() + fragment)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready=yes]", timeout=20_000)
        return page

    yield open_report
    for context in contexts:
        context.close()
