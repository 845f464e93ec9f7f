"""Settings of all tests."""

import os
import signal

from hypothesis import settings

# Numba's cache is not safe for several processes that fill it at once: one for each worker.
if "PYTEST_XDIST_WORKER" in os.environ and "NUMBA_CACHE_DIR" in os.environ:
    os.environ["NUMBA_CACHE_DIR"] += "-" + os.environ["PYTEST_XDIST_WORKER"]

# The first example may compile a kernel, so that no deadline is fair.
settings.register_profile("default", deadline=None, max_examples=100, print_blob=True)
settings.load_profile("default")

# Shells let jobs in the background ignore interrupts; tests interrupt themselves and commands.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    """Say in the last lines which tests found no browser."""
    skipped = terminalreporter.stats.get("skipped", [])
    without = [report for report in skipped if "no chromium was found" in str(report.longrepr)]
    if without:
        terminalreporter.write_line(
            f"{len(without)} tests of reports did NOT run: no chromium was found "
            "(on Debian: apt install chromium).",
            red=True,
        )
