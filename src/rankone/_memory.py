"""How much memory is free, so that what does not fit is refused before it is tried."""

from __future__ import annotations

import os


def check_memory(copies: int, m: int, n: int, what: str, instead: str) -> None:
    """Refuse to write out matrices of doubles that would not fit into what is free of memory."""
    need, free = copies * 8 * m * n, available_memory()
    if need > free:
        raise ValueError(
            f"{what} of {m} by {n} entries needs {need / 1e9:.3g} GB of memory, and "
            f"{free / 1e9:.3g} GB are free; {instead}."
        )


def available_memory() -> float:
    """Return how many bytes of memory are free, infinity where that cannot be known."""
    try:
        with open("/proc/meminfo") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return 1024.0 * int(line.split()[1])
    except OSError:
        pass
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")
