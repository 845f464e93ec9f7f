"""Compilation by numba: say when it takes long, and when its results cannot be kept."""

from __future__ import annotations

import time
from typing import Any

from numba.core import event

from rankone._warnings import warn
from rankone.progress import Line

__all__ = ["CacheWarning", "Compilation", "compilation"]

#: Seconds of compilation before it is mentioned.
PATIENCE = 0.5

COMPILING = (
    "rankone: compiling, once on this computer; this takes up to a minute (or ahead: rankone warm)"
)


class CacheWarning(RuntimeWarning):
    """Compiled code cannot be kept, so that every process compiles it again."""


class Compilation(event.Listener):  # type: ignore[misc]
    """What was compiled in this process.

    Kernels that are loaded from the cache are not compiled. If compiling takes long, a person who
    reads the terminal or the notebook is told once.

    Attributes
    ----------
    n_kernels : int
        The number of kernels that were compiled, one for each combination of types.
    seconds : float
        The time that it took.
    can_keep : bool
        Whether compiled code is kept on disk.
    """

    def __init__(self) -> None:
        self.n_kernels, self.seconds, self.can_keep = 0, 0.0, True
        self._depth, self._begin = 0, 0.0
        self._told = self._warned = False

    def on_start(self, event: Any) -> None:
        """Note that a function is about to be compiled."""
        if not self._is_own(event):
            return
        self._depth += 1
        if self._depth > 1:  # within another one
            return
        self._begin = time.perf_counter()
        self._warn()
        if self.seconds > PATIENCE and not self._told:
            self._told = True
            Line().leave(COMPILING)

    def on_end(self, event: Any) -> None:
        """Note that a function has been compiled."""
        if not self._is_own(event):
            return
        self._depth -= 1
        if self._depth == 0:
            self.n_kernels += 1
            self.seconds += time.perf_counter() - self._begin

    def keep_if_possible(self, dispatcher: Any) -> None:
        """Let a kernel go on if its code cannot be written to disk, which may be full."""
        save = dispatcher._cache.save_overload

        def save_if_possible(signature: Any, code: Any) -> None:
            try:
                save(signature, code)
            except OSError:
                self.can_keep = False
                self._warn()

        dispatcher._cache.save_overload = save_if_possible

    def _warn(self) -> None:
        """Say once that code cannot be kept."""
        if self.can_keep or self._warned:
            return
        self._warned = True
        warn(
            "Compiled code cannot be kept, because its folder cannot be written to: every process "
            "compiles again; set NUMBA_CACHE_DIR to a folder of your own.",
            CacheWarning,
        )

    @staticmethod
    def _is_own(event: Any) -> bool:
        module = event.data["dispatcher"].py_func.__module__ or ""
        return module.startswith("rankone.")


#: Of this process.
compilation = Compilation()
event.register("numba:compile", compilation)
