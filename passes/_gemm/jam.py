"""How a core's code for a product of micro-tiles is unrolled, and what its innermost loop then costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod

FACTORS = (1, 2, 4, 8)
"""Powers of two that transform script jam_loops knows."""

UNROLLED = 64
"""Contractions of a reduction that is unrolled whole: a core's program memory holds 1024 instructions of 16 bytes, for a body
in
each of two buffers, its prologue and its epilogue."""


@dataclass(frozen=True)
class Read:
    """An operand's micro-tile: its bits, and whether it differs with the counters of the outer and the inner loop."""

    bits: int
    by: tuple[bool, bool]

    def copies(self, factors: tuple[int, ...]) -> int:
        """Different micro-tiles that an iteration jammed by `factors` reads."""
        return prod(factor for factor, differs in zip(factors, self.by, strict=True) if differs)


@dataclass(frozen=True)
class Registers:
    """Bits of accumulators that a core has registers for, and bits that it loads and stores in a cycle."""

    accumulators: int = 8192
    load_bits: int = 512
    store_bits: int = 256


def factors(trips: Sequence[int], reads: Sequence[Read], accumulator: int, turns: int, registers: Registers) -> tuple[int, int]:
    """Factors for the outer and inner loop, of `trips`, around a reduction of `turns` turns into an accumulator of that many
    bits.

    Those come first that keep a contraction a cycle, then those with the fewest accumulators, then a short outer loop.
    """

    def pace(by: tuple[int, int]) -> tuple[float, int, int]:
        bits = sum(read.bits * read.copies(by) for read in reads) / prod(by)
        loads = (bits + accumulator / turns) / registers.load_bits
        return max(1, loads, accumulator / turns / registers.store_bits), prod(by), -by[0]

    fitting = [
        (outer, inner)
        for outer, inner in product(FACTORS, repeat=2)
        if outer * inner * accumulator <= registers.accumulators and trips[0] % outer == 0 and trips[1] % inner == 0
    ]
    return min(fitting, key=pace, default=(1, 1))


def cycles(
    trips: Sequence[int], reads: Sequence[Read], accumulator: int, turns: int, instructions: int, registers: Registers
) -> int:
    """Cycles of the loop nest, a contraction being that many instructions.

    A reduction of at most UNROLLED contractions is unrolled, and the loop around it overlaps its iterations. Else each
    iteration of that loop waits for its operands, its last product and its stores.
    """
    outer, inner = by = factors(trips, reads, accumulator, turns, registers)
    load, store = registers.load_bits // 2, registers.store_bits
    count = prod(by)
    loads = sum(ceil(read.bits / load) * read.copies(by) for read in reads)
    carried = ceil(accumulator / load) * count, ceil(accumulator / store) * count
    jump, latency = 6, 20
    if count * turns <= UNROLLED:
        interval = max(count * turns * instructions, ceil((loads * turns + carried[0]) / 2), carried[1])
        row = interval * (trips[1] // inner) + jump
    else:
        interval = max(count * instructions, ceil(loads / 2))
        row = (interval * turns + ceil(carried[0] / 2) + carried[1] + latency + jump) * (trips[1] // inner) + jump
    return row * (trips[0] // outer)
