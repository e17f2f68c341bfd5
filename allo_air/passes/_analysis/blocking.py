"""How a core's code for a product of micro-tiles is unrolled, and the resulting cost of its innermost loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil

from allo_air.arch import Core
from allo_air.arch.limits import STACK_BYTES
from allo_air.device import CORE_TILE
from allo_air.passes._analysis.banks import Body, Layout, in_banks

FACTORS = (1, 2, 4, 8)
"""Powers of two that transform script jam_loops knows."""

UNROLLED = 64
"""Instructions of the contractions of a reduction that is unrolled whole: a core's program memory holds 1024 instructions of 16
bytes, for a body in each of two buffers, its prologue and its epilogue."""


KEPT = 8
"""Micro-tiles of blocks that stay in registers while the inner loop goes on: AIE2p has 12 registers for them (llvm-aie: EX0 to
EX11), of which the others take those that change."""


@dataclass(frozen=True)
class Read:
    """The micro-tile of an operand.

    It has its bits, whether it changes with the counters of the outer and the inner loop, and the instructions of the move
    slot and of the vector unit that make a factor of it; with `blocks` it is in block floating point.
    """

    bits: int
    by: tuple[bool, bool]
    moves: int = 0
    vectors: int = 0
    blocks: bool = False

    @property
    def swapped(self) -> Read:
        """The same if the loops are exchanged."""
        return replace(self, by=(self.by[1], self.by[0]))

    def copies(self, factors: tuple[int, int]) -> int:
        """The different micro-tiles that an iteration jammed by `factors` reads."""
        return (factors[0] if self.by[0] else 1) * (factors[1] if self.by[1] else 1)


ROW_CYCLES = 35
"""Around the iterations of an innermost loop: a jump of 6 cycles, and what its first iteration takes beyond the distance
between two: about the latencies of a load, a product and a store (sources.md#timing), and the operations that wait for their
turn."""

KEPT_CYCLES = 14
"""Until the first of the blocks that stay is there: the latencies of a load, of widening and of two shuffles."""

TURN_CYCLES = 26
"""Around a reduction that stays a loop: a jump, and the latencies of a load, a product and a store."""

ORDERS = (
    (4, 2, 1, 0, 3), (2, 1, 4, 0, 3), (4, 2, 3, 0, 1), (0, 3, 4, 2, 1),
    (4, 0, 1, 2, 3), (0, 1, 2, 3, 4), (4, 0, 3, 1, 2), (4, 2, 1, 3, 0),
)  # fmt: skip
"""Orders of the two buffers of each operand (0 and 1, 2 and 3) and the result's (4) that a plan counts on;
aie-spread-buffers tries all. With these an iteration's cycles are 0.2 % more in the mean of the tiles that are looked at."""

CROWDED = 1.05
"""What more than half of the accumulators must gain: with half of them, the next ones load while these are stored."""


@dataclass(frozen=True)
class Nest:
    """Two loops of `trips` around a reduction of `steps` iterations into an accumulator of the given bits.

    The contraction of an iteration takes the given `instructions`. The reads are those of one iteration; their `by` says with
    which counter, of the outer or the inner loop, they change.
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
    """Whether the two loops are exchanged, and the factors by which the outer and the inner one are then jammed."""

    swap: bool = False
    factors: tuple[int, int] = (1, 1)


@cache
def best(nest: Nest, core: Core) -> Jam:
    """The jam of `nest` with the fewest cycles, if contractions take only their instructions."""
    results = []
    for swap, trips in ((False, nest.trips), (True, nest.trips[::-1])):
        for by, times, turn in _jam_factors(nest.reads, nest.accumulator, nest.steps, nest.instructions, swap, *_sizes(core)):
            if not (trips[0] % by[0] or trips[1] % by[1]):
                results.append((turn.cycles(trips, by, turn.interval(())) * times, by[0] * by[1], swap, by))
    if not results:
        return Jam()
    _, _, swap, by = min(results)
    return Jam(swap, by)


@cache
def cycles(nest: Nest, instructions: int, core: Core, buffers: tuple[int, ...] = ()) -> float:
    """Cycles of `nest` with the best jam.

    `buffers` are the bytes of the two alternating buffers of each read, and of the accumulators' buffer, for cores whose
    memory has banks.
    """
    jam = best(nest, core)
    order = nest.swapped if jam.swap else nest
    turn = _turn(order.reads, order.accumulator, order.steps, instructions, jam.factors, *_sizes(core)[:2])
    return turn.cycles(order.trips, jam.factors, turn.interval(buffers))


def _sizes(core: Core) -> tuple[int, int, int]:
    """Bits of a load, of a store, and of the accumulators of a core."""
    return 8 * core.load_bytes, core.store_bits, core.accumulator_bits


@dataclass(frozen=True)
class _Turn:
    """An iteration of the inner loop: its minimal cycles, those of its accesses, the dependent iterations, and the overheads
    per iteration and in total.
    """

    least: int
    accesses: tuple[int, ...]
    trips: int
    more: int
    around: int

    def interval(self, buffers: tuple[int, ...]) -> float:
        """Cycles including conflicts between the accesses of `buffers`."""
        return _in_banks(self.least, self.accesses, buffers)

    def cycles(self, trips: tuple[int, int], by: tuple[int, int], interval: float) -> float:
        """Cycles of both loops, with the given trips, jammed by the given factors."""
        return (trips[0] // by[0]) * ((interval * self.trips + self.more) * (trips[1] // by[1]) + self.around)


@cache
def _jam_factors(
    reads: tuple[Read, ...], accumulator: int, trips: int, instructions: int, swap: bool, load: int, store: int, room: int
) -> list[tuple[tuple[int, int], float, _Turn]]:
    """The factors by which loops around a reduction can be jammed, with the gain that is required, and an iteration."""
    order = tuple(read.swapped for read in reads) if swap else reads
    return [
        (by, CROWDED if 2 * bits > room else 1, _turn(order, accumulator, trips, instructions, by, load, store))
        for by in product(FACTORS, FACTORS)
        if (bits := by[0] * by[1] * accumulator) <= room
    ]


@cache
def _turn(
    reads: tuple[Read, ...], accumulator: int, trips: int, instructions: int, by: tuple[int, int], load: int, store: int
) -> _Turn:
    """A reduction of at most UNROLLED instructions is unrolled, and the loop around it is pipelined. Otherwise each iteration
    of that loop waits for its operands, its last product and its stores.
    """
    count = by[0] * by[1]
    unrolled = count * trips * instructions <= UNROLLED
    copies = [read.copies(by) for read in reads]
    stationary = [unrolled and stays(read, by, trips) for read in reads]
    changing = [(read, n) for read, n, stay in zip(reads, copies, stationary, strict=True) if not stay]
    each = [0 if stay else ceil(read.bits / load) * n for read, n, stay in zip(reads, copies, stationary, strict=True)]
    moves, vectors = (sum(getattr(read, slot) * n for read, n in changing) for slot in ("moves", "vectors"))
    busy = max(count * instructions + vectors, moves)
    loads = sum(each)
    loaded, stored = ceil(accumulator / load) * count, ceil(accumulator / store) * count
    if not unrolled:
        return _Turn(max(busy, ceil(loads / 2)), (*each, 0), trips, loaded + stored + TURN_CYCLES, ROW_CYCLES)
    least = max(busy * trips, ceil((loads * trips + loaded) / 2), loaded, stored)
    before = trips * sum(read.moves * n for read, n, stay in zip(reads, copies, stationary, strict=True) if stay)
    around = ROW_CYCLES + before + KEPT_CYCLES * any(stationary)
    return _Turn(least, (*(n * trips for n in each), loaded + stored), 1, 0, around)


def unrolled(extents: Sequence[int], instructions: int) -> int:
    """The number of a reduction's loops, of these extents, to unroll together.

    As many of the last ones as two pairs of products with the given instructions per iteration allow, and at least one.
    """
    count, trips = 0, 4 * instructions
    for extent in reversed(extents):
        trips *= extent
        if count and trips > UNROLLED:
            break
        count += 1
    return count


def stays(read: Read, by: tuple[int, int], trips: int) -> bool:
    """Whether the blocks of `read` stay in registers for the inner loop of loops that are jammed by `by`
    (block-contractions).
    """
    return read.blocks and not read.by[1] and read.copies(by) * trips <= KEPT


@cache
def _in_banks(least: int, accesses: tuple[int, ...], buffers: tuple[int, ...]) -> float:
    """Cycles of an iteration with at least `least` cycles and the given access cycles of each operand and of the accumulators.

    For the best of some orders of the buffers, or for separate banks if the buffers are not known.
    """
    if not buffers:
        return max(least, *accesses)
    *operands, last = accesses
    result = 2 * len(operands)
    sizes = (*(size for size in buffers[:-1] for _ in range(2)), buffers[-1])
    bodies = [
        Body(1, least, (*((2 * n + turn, cycles) for n, cycles in enumerate(operands)), (result, last))) for turn in range(2)
    ]
    layout = Layout(sizes, bodies, STACK_BYTES, CORE_TILE.memory)
    match = None
    for order in ORDERS:
        if (placed := layout.best((order,))) is None:
            continue
        cycles = sum(max(least, round(in_banks(body, placed[1], sizes))) for body in bodies) / 2
        match = cycles if match is None else min(match, cycles)
        if match == least:
            break
    return max(least, sum(accesses)) if match is None else match
