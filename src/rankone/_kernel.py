"""Decorators that compile kernels with numba, so that all kernels use the same options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from rankone._compiling import compilation

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function of arrays with numba and cache the machine code on disk.

    Kernels are serial, release the GIL, and divide as numpy does, without raising. Compilation is
    lazy, because read-only arrays have a type of their own. If no cache folder is writable, numba
    raises an error at decoration time; the kernel is then compiled in each process, which a warning
    says.
    """
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:
        compilation.can_keep = False
        return numba.njit(nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]
    compilation.keep_if_possible(compiled)
    return compiled  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Compile a small function into each kernel that calls it.

    The function must neither allocate nor return an array. It is then compiled without reference
    counting, whose atomic operations would cost several times as much as the function itself.
    """
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", forceinline=True, _nrt=False
    )(function)


def inlined_in_any_order(function: Function) -> Function:
    """Compile like `inlined`, and allow the compiler to reorder and vectorise sums.

    All other rules of IEEE arithmetic are kept, including those for NaN and infinities.
    """
    return numba.njit(  # type: ignore[no-any-return]
        nogil=True, error_model="numpy", forceinline=True, _nrt=False, fastmath={"reassoc"}
    )(function)
