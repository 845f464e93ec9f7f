"""How kernels are compiled: two decorators, so that every kernel is compiled alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function of arrays with numba, and keep the machine code on disk.

    Kernels are serial, release the GIL, and divide as numpy does, without raising. Signatures are
    lazy, because a read-only array is another type. Where no folder can be written, numba refuses
    to cache when it decorates, that is at import: the kernel is then compiled anew in each process.
    """
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Compile a small function into each kernel that calls it.

    It must not allocate, nor return an array. It then needs no count of references to its arrays,
    and that count, kept by atomic operations, would cost several times what it computes.
    """
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", forceinline=True, _nrt=False
    )(function)


def inlined_in_any_order(function: Function) -> Function:
    """Compile like `inlined`, and let sums be added in any order, several terms at a time.

    Nothing else of IEEE arithmetic is given up: NaN and infinities come out as they should.
    """
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", forceinline=True, _nrt=False, fastmath={"reassoc"}
    )(function)
