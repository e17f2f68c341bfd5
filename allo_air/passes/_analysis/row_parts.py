"""The parts in which cores sweep over a row that does not fit into L1. Parts are whole vectors; their number is even, since two
buffers alternate.
"""

from __future__ import annotations

LANES = 16
"""Elements of a vector, and smallest size of a part."""
MANY = 64
"""A power of two whose multiples can be divided among columns, rows and vectors."""


def rounded_up(extent: int) -> int:
    """`extent` rounded up to a multiple of the largest power of two that adds at most a thirty-second to it; if that power is
    below `MANY`, of the largest that adds at most an eighth.
    """
    for share in (32, 8):
        units = [1 << n for n in range(extent.bit_length())]
        unit = max(u for u in units if -(-extent // u) * u * share <= extent * (share + 1))
        if unit >= MANY:
            break
    return -(-extent // unit) * unit


def part_sizes(extent: int) -> list[int]:
    """Sizes of equal parts of a row, the largest first."""
    return [extent // n for n in range(2, extent // LANES + 1, 2) if extent % n == 0]


def smaller_first(extent: int, *, masked: bool) -> list[int]:
    """The sizes of parts of a row, the smallest first; if it has none and its padding can be `masked`, those of the row padded
    to `rounded_up`.
    """
    return (part_sizes(extent) or (part_sizes(rounded_up(extent)) if masked else []))[::-1]


def smallest_part(extent: int, *, masked: bool) -> int | None:
    """The smallest size of a part; None if there is none."""
    return next(iter(smaller_first(extent, masked=masked)), None)
