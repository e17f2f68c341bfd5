"""The factors by which loops over vectors are unrolled."""

from __future__ import annotations

MOST = 8
"""Largest factor."""
OPERATIONS = 128
"""Largest number of operations of an unrolled loop."""
CORE_OPERATIONS = 640
"""Largest number of operations of a core with doubled loops. A core's program memory holds 1024 instructions."""


def unroll_factors(trips: int, count: int, most: int, operations: int) -> list[int]:
    """The divisors of `trips` within the limits, the largest last, else the number with the fewest iterations, if any."""
    within = [n for n in range(2, min(most, trips) + 1) if (n + trips % n) * count <= operations]
    divisors = [n for n in within if trips % n == 0]
    return divisors or sorted(within, key=lambda n: trips // n + trips % n)[:1]
