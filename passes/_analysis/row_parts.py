"""The parts in which cores go over a row that they do not hold: of whole vectors, an even number, as two buffers take turns."""

from __future__ import annotations

LANES = 16
"""Elements of a vector, and of a part at least."""
MANY = 64
"""A power of two whose multiples can be cut for columns, rows and vectors."""


def rounder(extent: int) -> int:
    """The next multiple of the greatest power of two that is a thirty-second longer at most, else an eighth."""
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
    """The sizes of parts of a row, or of a longer one if what is behind its end can be `masked`, the smallest first."""
    return (part_sizes(extent) or (part_sizes(rounder(extent)) if masked else []))[::-1]


def smallest_part(extent: int, *, masked: bool) -> int | None:
    """The smallest of them; None where there is none."""
    return next(iter(smaller_first(extent, masked=masked)), None)
