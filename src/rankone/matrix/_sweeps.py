"""Kernels that sweep over entries: sums of both sides at once, and products."""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, inlined_in_any_order, kernel

#: Columns that are swept together: of four rows, this many stay in the fastest cache.
TILE = 256

#: Doubles beyond are whole numbers, whether they count something or not.
LARGEST_WHOLE = 2.0**53

#: Bytes of packed bits whose tables of sums are used together.
TABLES = 32


@kernel
def add_sums(block, row_sums, column_sums):
    """Add the sums of some rows to those of rows and columns; return whether one is negative."""
    m, n = block.shape
    negative = False
    for top in range(0, m, 4):
        for start in range(0, n, TILE):
            stop = min(start + TILE, n)
            if top + 4 <= m:
                a, b, c, d = block[top], block[top + 1], block[top + 2], block[top + 3]
                for j in range(start, stop):
                    column_sums[j] += (a[j] + b[j]) + (c[j] + d[j])
            else:
                for i in range(top, m):
                    for j in range(start, stop):
                        column_sums[j] += block[i, j]
            for i in range(top, min(top + 4, m)):
                total, below = sum_between(block[i], start, stop)
                row_sums[i] += total
                negative |= below
    return negative


@inlined_in_any_order
def sum_between(row, start, stop):
    """Return the sum of some entries, and whether one is negative."""
    total, below = 0.0, False
    for j in range(start, stop):
        total += row[j]
        below |= row[j] < 0.0
    return total, below


@kernel
def census_of(block, row_squares, column_squares):
    """Add the squares of a block to those of rows and columns; return what `Census` counts."""
    m, n = block.shape
    numbers = np.zeros(5)
    for i in range(m):
        for start in range(0, n, TILE):
            stop = min(start + TILE, n)
            row_squares[i] += count_between(block[i], start, stop, numbers)
            for j in range(start, stop):
                x = block[i, j]
                column_squares[j] += x * x if x == x else 0.0
    return numbers


@kernel
def census_of_values(values):
    """Return what `Census` counts of some values."""
    numbers = np.zeros(5)
    for start in range(0, values.size, TILE):
        count_between(values, start, min(start + TILE, values.size), numbers)
    return numbers


@inlined_in_any_order
def count_between(row, start, stop, numbers):
    """Count entries of each kind, add up their sizes, and return the sum of their squares."""
    zeros, ones, positive, fractions = 0.0, 0.0, 0.0, 0.0
    absolute, squares = 0.0, 0.0
    for j in range(start, stop):
        x = row[j]
        size = abs(x) if x == x else 0.0
        zeros += 1.0 if x == 0.0 else 0.0
        ones += 1.0 if x == 1.0 else 0.0
        positive += 1.0 if x > 0.0 else 0.0
        fractions += 1.0 if size != np.floor(size) or size > LARGEST_WHOLE else 0.0
        absolute += size
        squares += size * size
    numbers[0] += zeros
    numbers[1] += ones
    numbers[2] += positive
    numbers[3] += fractions
    numbers[4] += absolute
    return squares


@kernel
def add_sums_of_observed(block, row_sums, column_sums, observed, positive):
    """Do the same over entries that are not NaN, and pack which are observed and positive.

    Bit k of byte g belongs to column 8 g + k.
    """
    m, n = block.shape
    negative = False
    seen, above = np.zeros(TILE, np.uint8), np.zeros(TILE, np.uint8)
    eight_observed, eight_above = seen.view(np.uint64), above.view(np.uint64)
    for i in range(m):
        for start in range(0, n, TILE):
            stop = min(start + TILE, n)
            seen[stop - start :], above[stop - start :] = 0, 0
            total, below = sum_observed(block[i], start, stop, column_sums, seen, above)
            row_sums[i] += total
            negative |= below
            pack(eight_observed, observed[i], start, stop)
            pack(eight_above, positive[i], start, stop)
    return negative


@inlined_in_any_order
def sum_observed(row, start, stop, column_sums, seen, above):
    """Return the sum of entries that are not NaN, and whether one is negative; flag them."""
    total, below = 0.0, False
    for j in range(start, stop):
        value = row[j] if row[j] == row[j] else 0.0
        total += value
        below |= value < 0.0
        column_sums[j] += value
        seen[j - start] = row[j] == row[j]
        above[j - start] = value > 0.0
    return total, below


@inlined
def pack(eights, bits, start, stop):
    """Pack bytes of 0 or 1, read eight at a time: the product moves byte k to bit 56 + k."""
    for g in range((stop - start + 7) // 8):
        bits[start // 8 + g] = (eights[g] * np.uint64(0x0102040810204080)) >> np.uint64(56)


@kernel
def packed_dot(bits, v):
    """Return the product of packed bits with v, eight bits at a time.

    A byte selects one of the 256 sums that eight neighbours in v can have. These are tabulated
    once for all rows, so that eight products cost one look into a table.
    """
    m, width = bits.shape
    product = np.zeros(m)
    table = np.empty((TABLES, 256))
    for start in range(0, width, TABLES):
        used = min(TABLES, width - start)
        for g in range(used):
            tabulate(table[g], v, 8 * (start + g))
        for i in range(m):
            even, odd = 0.0, 0.0
            for g in range(0, used - 1, 2):
                even += table[g, bits[i, start + g]]
                odd += table[g + 1, bits[i, start + g + 1]]
            if used % 2:
                even += table[used - 1, bits[i, start + used - 1]]
            product[i] += even + odd
    return product


@inlined
def tabulate(sums, v, first):
    """Write the sum of v[first + k] over the bits k of a byte, for all bytes."""
    sums[0] = 0.0
    for k in range(8):
        value = v[first + k] if first + k < v.size else 0.0
        for byte in range(1 << k):
            sums[byte + (1 << k)] = sums[byte] + value


@kernel
def packed_dot_transposed(bits, u, n):
    """Return the product of the transpose of packed bits with u: `packed_dot` run backwards."""
    m, width = bits.shape
    product = np.zeros(n)
    table = np.empty((TABLES, 256))
    for start in range(0, width, TABLES):
        used = min(TABLES, width - start)
        table[:used] = 0.0
        for i in range(m):
            for g in range(used):
                table[g, bits[i, start + g]] += u[i]
        for g in range(used):
            distribute(table[g], product, 8 * (start + g))
    return product


@inlined
def distribute(sums, product, first):
    """Add to product[first + k] what was added up for all bytes that have bit k."""
    for k in range(7, -1, -1):
        total = 0.0
        for byte in range(1 << k):
            total += sums[byte + (1 << k)]
            sums[byte] += sums[byte + (1 << k)]
        if first + k < product.size:
            product[first + k] += total


@kernel
def sparse_sums(data, indices, indptr, n):
    """Return row sums, column sums, and whether a stored value is negative."""
    m = indptr.size - 1
    row_sums, column_sums = np.zeros(m), np.zeros(n)
    negative = False
    for i in range(m):
        total = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            value = data[e]
            total += value
            column_sums[indices[e]] += value
            negative |= value < 0.0
        row_sums[i] = total
    return row_sums, column_sums, negative


@kernel
def sparse_dot(data, indices, indptr, v, start, product):
    """Write the product of v with the rows from ``start`` on, one for each entry of the product."""
    for i in range(product.size):
        total = 0.0
        for e in range(indptr[start + i], indptr[start + i + 1]):
            total += data[e] * v[indices[e]]
        product[i] = total


@kernel
def add_sparse_dot_transposed(data, indices, indptr, u, start, product):
    """Add the product of u with the transpose of the rows from ``start`` on."""
    for i in range(u.size):
        for e in range(indptr[start + i], indptr[start + i + 1]):
            product[indices[e]] += data[e] * u[i]


@kernel
def sparse_dot_own(data, indices, indptr, vectors, labels):
    """Return the product of each row with the vector of its label."""
    product = np.empty(indptr.size - 1)
    for i in range(product.size):
        label = labels[i]
        total = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            total += data[e] * vectors[indices[e], label]
        product[i] = total
    return product


@kernel
def sparse_group_columns(data, indices, indptr, labels, weights, n_groups):
    """Return the weighted sums of each row over each group of columns."""
    m = indptr.size - 1
    sums = np.zeros((m, n_groups))
    for i in range(m):
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            sums[i, labels[j]] += data[e] * weights[j]
    return sums


@kernel
def sparse_group_rows(data, indices, indptr, labels, weights, n_groups, n):
    """Return the weighted sums of each column over each group of rows."""
    sums = np.zeros((n, n_groups))
    for i in range(indptr.size - 1):
        group, weight = labels[i], weights[i]
        for e in range(indptr[i], indptr[i + 1]):
            sums[indices[e], group] += data[e] * weight
    return sums


@kernel
def pattern_dot(indices, indptr, v):
    """Return the product of a 0/1 matrix, given by its pattern, with v."""
    m = indptr.size - 1
    product = np.empty(m)
    for i in range(m):
        total = 0.0
        for e in range(indptr[i], indptr[i + 1]):
            total += v[indices[e]]
        product[i] = total
    return product


@kernel
def pattern_dot_transposed(indices, indptr, u, n):
    """Return the product of the transpose of a 0/1 matrix with u."""
    product = np.zeros(n)
    for i in range(indptr.size - 1):
        for e in range(indptr[i], indptr[i + 1]):
            product[indices[e]] += u[i]
    return product
