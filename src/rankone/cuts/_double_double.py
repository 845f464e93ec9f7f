"""Sums and products without rounding: a number as the unevaluated sum of two doubles.

A double carries 53 bits. The squared distances of a piece are the difference of two prefix sums
that may be 1e16 times larger, so 53 bits are not enough, and 106 are. Both operations below return
the rounded result and the *exact* error of that rounding (Knuth 1969; Ogita, Rump and Oishi 2005).
"""

from __future__ import annotations

from fractions import Fraction

from numba import types
from numba.extending import intrinsic, overload

from rankone._kernel import inlined


def fused_multiply_add(a: float, b: float, c: float) -> float:
    """Return ``a b + c``, rounded once: in kernels, one instruction of the processor."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


@intrinsic
def _instruction(_typing, a, b, c):
    double = types.float64
    return double(double, double, double), lambda _context, builder, _type, abc: builder.fma(*abc)


@overload(fused_multiply_add)
def _compiled(a, b, c):
    return lambda a, b, c: _instruction(a, b, c)


@inlined
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return ``s, e`` with ``s = fl(a + b)`` and ``s + e = a + b`` exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inlined
def two_product(a: float, b: float) -> tuple[float, float]:
    """Return ``p, e`` with ``p = fl(a b)`` and ``p + e = a b`` exactly, unless e underflows."""
    p = a * b
    return p, fused_multiply_add(a, b, -p)
