"""How much memory may be taken, so that what does not fit is refused before it is tried."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

#: The environment variable by which a user sets the limit, such as ``4G``.
VARIABLE = "RANKONE_MEMORY"

#: The share of free memory that is taken: the rest is for what cannot be counted in advance.
SHARE = 0.8

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def check_memory(copies: int, m: int, n: int, what: str, instead: str) -> None:
    """Refuse to write out matrices of doubles that would not fit into what is free of memory."""
    need, free = copies * 8 * m * n, memory_limit()
    if need > free:
        raise ValueError(
            f"{what} of {m} by {n} entries needs {need / 1e9:.3g} GB of memory, and "
            f"{free / 1e9:.3g} GB are free; {instead}."
        )


def memory_limit() -> float:
    """Return how many bytes may be taken: what the user allows, or a share of what is free."""
    allowed = allowed_memory()
    return SHARE * available_memory() if allowed is None else allowed


def allowed_memory() -> float | None:
    """Return the limit that the user set, None if there is none.

    Examples
    --------
    >>> os.environ["RANKONE_MEMORY"] = "1.5G"
    >>> allowed_memory()
    1610612736.0
    >>> del os.environ["RANKONE_MEMORY"]
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return None
    size = size_in_bytes(text)
    if size is None:
        raise ValueError(
            f"the environment variable {VARIABLE} must be a size such as 500M or 4G, not {text!r}."
        )
    return size


def size_in_bytes(text: str) -> float | None:
    """Return a size such as 500M, 4G or 2GB; None if it is not one."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*([KMGT]?)(i?B)?", text, re.ASCII | re.IGNORECASE)
    return None if found is None else float(found[1]) * UNITS[found[2].upper()]


def available_memory() -> float:
    """Return how many bytes are free: of the machine, of the container, and of this process.

    Infinity where nothing of that can be known.
    """
    return max(0.0, min([_of_the_machine(), *_of_the_containers(), *_of_the_process()]))


def _of_the_machine() -> float:
    try:
        return 1024.0 * _figures("/proc/meminfo")["MemAvailable"]
    except (OSError, KeyError):
        pass
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def _of_the_process() -> Iterator[float]:
    """Yield what the limits of `ulimit -v` and `ulimit -d` leave."""
    try:
        import resource

        figures = _figures("/proc/self/status")
        for limit, used in ((resource.RLIMIT_AS, "VmSize"), (resource.RLIMIT_DATA, "VmData")):
            most = resource.getrlimit(limit)[0]
            if most != resource.RLIM_INFINITY:
                yield most - 1024.0 * figures[used]
    except (ImportError, OSError, KeyError):
        return


def _of_the_containers() -> Iterator[float]:
    """Yield what the control groups of this process, and those around them, leave."""
    try:
        groups = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in groups:
        _, kinds, inside = line.split(":", 2)
        mounts: tuple[str, ...]
        if kinds == "":
            mounts, files = ("", "unified"), ("memory.max", "memory.current", "inactive_file")
        elif "memory" in kinds.split(","):
            mounts = ("memory",)
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        for mount in mounts:
            root = Path("/sys/fs/cgroup", mount)
            inner = root / inside.lstrip("/")
            for group in (inner, *inner.parents):
                if group.is_relative_to(root):
                    yield from _left(group, *files)


def _left(group: Path, limit: str, usage: str, reclaimable: str) -> Iterator[float]:
    """Yield what one control group leaves; files that it keeps in memory can be dropped."""
    with contextlib.suppress(OSError, ValueError):  # "max" is no number, and no limit
        most, used = (int((group / name).read_text()) for name in (limit, usage))
        with contextlib.suppress(OSError, KeyError):
            used -= _figures(str(group / "memory.stat"))[reclaimable]
        yield float(most - used)


def _figures(path: str) -> dict[str, int]:
    """Return the numbers of a file of the system, whose lines are a name and a number."""
    with open(path) as lines:
        words = [line.replace(":", " ").split() for line in lines]
    return {line[0]: int(line[1]) for line in words if len(line) > 1 and line[1].isdigit()}
