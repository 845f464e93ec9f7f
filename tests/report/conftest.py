"""A browser, where there is one."""

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
