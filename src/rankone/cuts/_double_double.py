"""Sums and products without rounding: a number as the unevaluated sum of two doubles.

A double carries 53 bits. The squared distances of a piece are the difference of two prefix sums
that may be 1e16 times larger, so 53 bits are not enough, and 106 are. Both operations below return
the rounded result and the *exact* error of that rounding (Knuth 1969; Dekker 1971).
"""

from __future__ import annotations

from rankone._kernel import inlined

#: 2**27 + 1 splits a double into two halves of 26 bits, whose products are exact.
_SPLITTER = 134217729.0


@inlined
def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return ``s, e`` with ``s = fl(a + b)`` and ``s + e = a + b`` exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@inlined
def two_product(a: float, b: float) -> tuple[float, float]:
    """Return ``p, e`` with ``p = fl(a b)`` and ``p + e = a b`` exactly, for ``|a|, |b| < 1e290``."""
    p = a * b
    t = _SPLITTER * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = _SPLITTER * b
    b_high = t - (t - b)
    b_low = b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@inlined
def two_square(a: float) -> tuple[float, float]:
    """Return ``two_product(a, a)``, in fewer operations."""
    p = a * a
    t = _SPLITTER * a
    high = t - (t - a)
    low = a - high
    return p, ((high * high - p) + 2.0 * high * low) + low * low
