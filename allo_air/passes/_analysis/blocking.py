"""Chooses how the loops around a core's micro-tile products are unrolled and jammed, and computes the cycles of the loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil

from allo_air.arch import Core

FACTORS = (1, 2, 4, 8)
"""Jam factors that the transform script jam_loops supports."""

UNROLLED = 64
"""Largest number of contraction instructions of a reduction that is fully unrolled. A core's program memory holds 1024
instructions of 16 bytes, for the loop body of each of two buffers, with prologue and epilogue.
"""


KEPT = 8
"""Largest number of micro-tiles that stay in registers during the inner loop, in block floating point. AIE2p has 12 registers
for micro-tiles (llvm-aie: EX0 to EX11); the others hold those that change.
"""


@dataclass(frozen=True)
class Read:
    """One operand of the product, which is read a micro-tile at a time.

    `bits`: size of a micro-tile. `by`: whether it changes with the outer loop, and with the inner loop. `moves`, `vectors`: the
    move and vector instructions that convert it after the load. `blocks`: whether it is in block floating point.
    """

    bits: int
    by: tuple[bool, bool]
    moves: int = 0
    vectors: int = 0
    blocks: bool = False

    @property
    def swapped(self) -> Read:
        """The same read after the two loops were exchanged."""
        return replace(self, by=(self.by[1], self.by[0]))

    def copies(self, factors: tuple[int, int]) -> int:
        """The number of different micro-tiles that an iteration reads if loops are jammed by `factors`."""
        return (factors[0] if self.by[0] else 1) * (factors[1] if self.by[1] else 1)


FIRST_CYCLES = 7
"""Cycles until the first operands of an iteration are available: the latency of a load (sources.md#timing)."""

LAST_CYCLES = 6
"""Cycles from the last product of an iteration until it can be stored: the latency of a product (sources.md#timing)."""

ROW_CYCLES = 10
"""Cycles around the iterations of an innermost loop: a jump of 6 cycles, the latency of the last store, and addresses."""

KEPT_CYCLES = 14
"""Cycles until the first micro-tile in block floating point is ready: the latencies of a load, a widening and two shuffles."""

TURN_CYCLES = 26
"""Cycles around a reduction that remains a loop: a jump, and the latencies of a load, a product and a store."""

CROWDED = 1.05
"""Smallest gain for which more than half of the accumulators are used. With half of them, the next ones are loaded while the
current ones are stored.
"""


@dataclass(frozen=True)
class Nest:
    """Two loops of `trips` iterations around a reduction of `steps` iterations into an accumulator of `accumulator` bits.

    Each iteration of the reduction multiplies the micro-tiles `reads`, which takes `instructions`.
    """

    trips: tuple[int, int]
    reads: tuple[Read, ...]
    accumulator: int
    steps: int
    instructions: int = 1

    @property
    def swapped(self) -> Nest:
        """The same with the loops exchanged."""
        reads = tuple(read.swapped for read in self.reads)
        return Nest((self.trips[1], self.trips[0]), reads, self.accumulator, self.steps, self.instructions)


@dataclass(frozen=True)
class Jam:
    """A way to jam two loops: whether they are exchanged first, and the factors of the outer and the inner loop."""

    swap: bool = False
    factors: tuple[int, int] = (1, 1)


@cache
def fastest_jam(nest: Nest, core: Core) -> Jam:
    """The jam of `nest` with the fewest cycles."""
    results = []
    orders = [(False, nest.trips), (True, nest.trips[::-1])]
    for swap, trips in orders[:1] if nest.trips[0] == 1 else orders:
        for by, times, iteration in _jam_factors(
            nest.reads, nest.accumulator, nest.steps, nest.instructions, swap, *_sizes(core)
        ):
            if not (trips[0] % by[0] or trips[1] % by[1]):
                results.append((iteration.cycles(trips, by) * times, by[0] * by[1], swap, by))
    if not results:
        return Jam()
    _, _, swap, by = min(results)
    return Jam(swap, by)


@cache
def cycles(nest: Nest, instructions: int, core: Core) -> float:
    """Cycles of `nest` with the fastest jam, if each of its products takes `instructions`."""
    jam = fastest_jam(nest, core)
    order = nest.swapped if jam.swap else nest
    iteration = _iteration_cycles(order.reads, order.accumulator, order.steps, instructions, jam.factors, *_sizes(core)[:2])
    return iteration.cycles(order.trips, jam.factors)


def _sizes(core: Core) -> tuple[int, int, int]:
    """Bits of a load, of a store, and of the accumulators of a core."""
    return 8 * core.load_bytes, core.store_bits, core.accumulator_bits


@dataclass(frozen=True)
class _LoopCost:
    """Cycles of an iteration of the inner loop, and those around all its iterations."""

    each: int
    overhead: int

    def cycles(self, trips: tuple[int, int], by: tuple[int, int]) -> float:
        """Cycles of both loops with `trips`, jammed by `by`."""
        return (trips[0] // by[0]) * (self.each * (trips[1] // by[1]) + self.overhead)


@cache
def _jam_factors(
    reads: tuple[Read, ...], accumulator: int, trips: int, instructions: int, swap: bool, load: int, store: int, room: int
) -> list[tuple[tuple[int, int], float, _LoopCost]]:
    """The jam factors whose accumulators fit into `room` bits, each with the factor by which its cycles count in a comparison
    (`CROWDED` or 1), and the cost of its inner loop. `trips` are those of the reduction.
    """
    order = tuple(read.swapped for read in reads) if swap else reads
    return [
        (by, CROWDED if 2 * bits > room else 1, _iteration_cycles(order, accumulator, trips, instructions, by, load, store))
        for by in product(FACTORS, FACTORS)
        if (bits := by[0] * by[1] * accumulator) <= room
    ]


@cache
def _iteration_cycles(
    reads: tuple[Read, ...], accumulator: int, trips: int, instructions: int, by: tuple[int, int], load: int, store: int
) -> _LoopCost:
    """The cost of the inner loop of two loops that are jammed by `by`, around a reduction of `trips` iterations.

    A reduction of at most UNROLLED instructions is unrolled, and the loop around it is pipelined. Otherwise each iteration of
    that loop waits for its operands, its last product and its stores.
    """
    count = by[0] * by[1]
    unrolled = count * trips * instructions <= UNROLLED
    copies = [read.copies(by) for read in reads]
    stationary = [unrolled and stays_in_registers(read, by, trips) for read in reads]
    changing = [(read, n) for read, n, stay in zip(reads, copies, stationary, strict=True) if not stay]
    loads = sum(ceil(read.bits / load) * n for read, n in changing)
    moves, vectors = (sum(getattr(read, slot) * n for read, n in changing) for slot in ("moves", "vectors"))
    busy = max(count * instructions + vectors, moves, ceil(loads / 2))
    loaded, stored = ceil(accumulator / load) * count, ceil(accumulator / store) * count
    if not unrolled:
        return _LoopCost((busy + FIRST_CYCLES) * trips + loaded + stored + TURN_CYCLES, ROW_CYCLES)
    before = trips * sum(read.moves * n for read, n, stay in zip(reads, copies, stationary, strict=True) if stay)
    # One load unit brings the accumulators; the other one brings the operands of the first products at the same time.
    overlapped = min(loaded, busy * min(trips, loaded / loads)) if loads else 0
    first = KEPT_CYCLES if any(read.blocks for read, _ in changing) else FIRST_CYCLES
    each = busy * trips - int(overlapped) + first + loaded + LAST_CYCLES + stored
    return _LoopCost(each, ROW_CYCLES + before + KEPT_CYCLES * any(stationary))


def unrolled(extents: Sequence[int], instructions: int) -> int:
    """The number of innermost reduction loops to unroll together, of loops with these `extents`, outermost first.

    At least one, and as many as keep four jammed products of `instructions` each within `UNROLLED` instructions.
    """
    count, trips = 0, 4 * instructions
    for extent in reversed(extents):
        trips *= extent
        if count and trips > UNROLLED:
            break
        count += 1
    return count


def stays_in_registers(read: Read, by: tuple[int, int], trips: int) -> bool:
    """Whether the micro-tiles of `read` stay in registers during the inner loop of two loops that are jammed by `by`, around a
    reduction of `trips` iterations (pass block-contractions).
    """
    return read.blocks and not read.by[1] and read.copies(by) * trips <= KEPT
