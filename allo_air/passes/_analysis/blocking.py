"""Chooses how the loops of a core's micro-tile product are unrolled and jammed, and computes the cycles of the innermost
loop.
"""

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
"""Jam factors that the transform script jam_loops supports."""

UNROLLED = 64
"""Largest number of contraction instructions of a reduction that is fully unrolled. A core's program memory holds 1024
instructions of 16 bytes, for the loop body of each of two buffers, with prologue and epilogue.
"""


KEPT = 8
"""Number of micro-tiles that stay in registers during the inner loop, in block floating point. AIE2p has 12 registers for them
(llvm-aie: EX0 to EX11); the others hold micro-tiles that change.
"""


@dataclass(frozen=True)
class Read:
    """One operand's micro-tile, as the loops read it.

    `bits` of a micro-tile; whether it changes with the outer and with the inner loop; and the move and vector instructions that
    convert it to a factor. With `blocks`, it is in block floating point.
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


ROW_CYCLES = 35
"""Cycles around the iterations of an innermost loop: a jump of 6 cycles, and the extra time of the first iteration: the
latencies of a load, a product and a store (sources.md#timing), and waiting for operations.
"""

KEPT_CYCLES = 14
"""Cycles until the first block that stays in a register is ready: the latencies of a load, a widening and two shuffles."""

TURN_CYCLES = 26
"""Cycles around a reduction that remains a loop: a jump, and the latencies of a load, a product and a store."""

ORDERS = (
    (4, 2, 1, 0, 3), (2, 1, 4, 0, 3), (4, 2, 3, 0, 1), (0, 3, 4, 2, 1),
    (4, 0, 1, 2, 3), (0, 1, 2, 3, 4), (4, 0, 3, 1, 2), (4, 2, 1, 3, 0),
)  # fmt: skip
"""Orders of the two buffers of each operand (0 and 1, 2 and 3) and of the result (4) that the cost considers;
aie-spread-buffers tries all. The cost is 0.2 % higher on average with these orders.
"""

CROWDED = 1.05
"""Smallest gain for which more than half of the accumulators are used. With half of them, the next ones are loaded while the
current ones are stored.
"""


@dataclass(frozen=True)
class Nest:
    """Two loops of `trips` iterations around a reduction of `steps` iterations into accumulators of `accumulator` bits.

    The contraction of one iteration takes `instructions`. `reads` are the operands of one iteration; their `by` says which of
    the two loops change them.
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
def best(nest: Nest, core: Core) -> Jam:
    """The jam with the fewest cycles, if only the instructions of the contractions count."""
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

    `buffers` are the bytes of the two alternating buffers of each read, and of the accumulators' buffer, for cores whose memory
    has banks.
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
    """One iteration of the inner loop: its minimal cycles, the cycles of its accesses, the number of iterations that depend on
    each other, and the overheads per iteration and in total.
    """

    least: int
    accesses: tuple[int, ...]
    trips: int
    more: int
    around: int

    def interval(self, buffers: tuple[int, ...]) -> float:
        """Cycles of an iteration, including conflicts between the accesses of `buffers`."""
        return _in_banks(self.least, self.accesses, buffers)

    def cycles(self, trips: tuple[int, int], by: tuple[int, int], interval: float) -> float:
        """Cycles of both loops with `trips`, jammed by `by`."""
        return (trips[0] // by[0]) * ((interval * self.trips + self.more) * (trips[1] // by[1]) + self.around)


@cache
def _jam_factors(
    reads: tuple[Read, ...], accumulator: int, trips: int, instructions: int, swap: bool, load: int, store: int, room: int
) -> list[tuple[tuple[int, int], float, _Turn]]:
    """For loops around a reduction: the possible jam factors, each with the required gain and its iteration."""
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
    """The iteration of loops jammed by `by`. A reduction of at most UNROLLED instructions is unrolled, and the loop around it
    is pipelined. Otherwise each iteration of that loop waits for its operands, its last product and its stores.
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
    """The number of innermost reduction loops, with these extents, to unroll together.

    As many as give two pairs of products of `instructions` each, but at least one.
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
