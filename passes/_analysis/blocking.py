"""How a core's code for a product of micro-tiles is unrolled, and what its innermost loop then costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress, product
from math import ceil, prod

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
    """An operand's micro-tile: its bits, whether it differs with the counters of the outer and the inner loop, and the
    instructions of the move slot and of the vector unit that make a factor of it; with `blocks` one in block floating point."""

    bits: int
    by: tuple[bool, bool]
    moves: int = 0
    vectors: int = 0
    blocks: bool = False

    def copies(self, factors: tuple[int, ...]) -> int:
        """Different micro-tiles that an iteration jammed by `factors` reads."""
        return prod(factor for factor, differs in zip(factors, self.by, strict=True) if differs)


ROW_CYCLES = 35
"""Around the iterations of an innermost loop: a jump of 6 cycles, and what its first iteration takes beyond the distance
between two: about the latencies of a load, a product and a store (sources.md#timing), and the operations that wait for their
turn."""

KEPT_CYCLES = 14
"""Until the first of the blocks that stay is there: the latencies of a load, of widening and of two shuffles."""

TURN_CYCLES = 26
"""Around a reduction that stays a loop: a jump, and the latencies of a load, a product and a store."""

ORDERS = ((0, 1, 4, 2, 3), (4, 0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 2, 4, 1, 3))
"""Orders of the two buffers of each operand (0 and 1, 2 and 3) and the result's (4) that a plan counts on;
aie-spread-buffers tries all."""

CROWDED = 1.05
"""What more than half of the accumulators must gain: with half of them, the next ones load while these are stored."""


@dataclass(frozen=True)
class Nest:
    """Two loops of `trips` around a reduction of `turns` turns into an accumulator of that many bits.

    A turn's contraction takes that many `instructions`. The reads are those of one turn; their `by` says which counter, of the
    outer or the inner loop, they differ with.
    """

    trips: tuple[int, int]
    reads: tuple[Read, ...]
    accumulator: int
    turns: int
    instructions: int = 1

    @property
    def swapped(self) -> Nest:
        """The same with the inner loop outside."""
        reads = tuple(replace(read, by=(read.by[1], read.by[0])) for read in self.reads)
        return Nest((self.trips[1], self.trips[0]), reads, self.accumulator, self.turns, self.instructions)


@dataclass(frozen=True)
class Jam:
    """Whether the two loops change places, and the factors by which the outer and the inner one are then jammed."""

    swap: bool = False
    factors: tuple[int, int] = (1, 1)


@cache
def best(nest: Nest, core: Core) -> Jam:
    """How `nest` takes the fewest cycles, a contraction taking its instructions and nothing else."""
    found = []
    for swap, order in ((False, nest), (True, nest.swapped)):
        for by in product(FACTORS, FACTORS):
            bits = prod(by) * nest.accumulator
            if bits <= core.accumulator_bits and not any(n % f for n, f in zip(order.trips, by, strict=True)):
                crowded = CROWDED if 2 * bits > core.accumulator_bits else 1
                found.append((_cycles(order, by, nest.instructions, core) * crowded, prod(by), swap, by))
    if not found:
        return Jam()
    _, _, swap, by = min(found)
    return Jam(swap, by)


@cache
def cycles(nest: Nest, instructions: int, core: Core, buffers: tuple[int, ...] = ()) -> float:
    """Cycles of `nest`, jammed as is best, a contraction being that many instructions; `buffers` are the bytes of the two
    buffers of each read, which take turns, and of the accumulators' one, for cores whose memory has banks."""
    jam = best(nest, core)
    return _cycles(nest.swapped if jam.swap else nest, jam.factors, instructions, core, buffers)


def _cycles(nest: Nest, by: tuple[int, int], instructions: int, core: Core, buffers: tuple[int, ...] = ()) -> float:
    """A reduction of at most UNROLLED instructions is unrolled, and the loop around it overlaps its iterations; else each
    iteration of that loop waits for its operands, its last product and its stores."""
    load, store, count = 8 * core.load_bytes, core.store_bits, prod(by)
    rows, columns = (n // f for n, f in zip(nest.trips, by, strict=True))
    unrolled = count * nest.turns * instructions <= UNROLLED
    kept = [unrolled and stays(read, by, nest.turns) for read in nest.reads]
    each = [0 if stay else ceil(read.bits / load) * read.copies(by) for read, stay in zip(nest.reads, kept, strict=True)]
    moves, vectors = (
        [n * read.copies(by) for n, read in zip(counts, nest.reads, strict=True)]
        for counts in ([read.moves for read in nest.reads], [read.vectors for read in nest.reads])
    )
    changing = [not stay for stay in kept]
    busy = max(count * instructions + sum(compress(vectors, changing)), sum(compress(moves, changing)))
    loads = sum(each)
    loaded, stored = ceil(nest.accumulator / load) * count, ceil(nest.accumulator / store) * count
    if unrolled:
        least = max(busy * nest.turns, ceil((loads * nest.turns + loaded) / 2), loaded, stored)
        interval = _in_banks(least, (*(n * nest.turns for n in each), loaded + stored), buffers)
        before = nest.turns * sum(compress(moves, kept)) + KEPT_CYCLES * any(kept)
        return rows * (interval * columns + ROW_CYCLES + before)
    interval = _in_banks(max(busy, ceil(loads / 2)), (*each, 0), buffers) * nest.turns
    return rows * ((interval + loaded + stored + TURN_CYCLES) * columns + ROW_CYCLES)


def unrolled(extents: Sequence[int], instructions: int) -> int:
    """How many of a reduction's loops, of these extents, are unrolled together: as many of the last ones as two pairs of
    products of so many instructions a turn allow, and one at least."""
    count, turns = 0, 4 * instructions
    for extent in reversed(extents):
        turns *= extent
        if count and turns > UNROLLED:
            break
        count += 1
    return count


def stays(read: Read, by: tuple[int, int], turns: int) -> bool:
    """Whether the blocks of `read` stay in registers for the inner loop of loops that are jammed by `by` (keep-blocks)."""
    return read.blocks and not read.by[1] and read.copies(by) * turns <= KEPT


@cache
def _in_banks(least: int, accesses: tuple[int, ...], buffers: tuple[int, ...]) -> float:
    """Cycles of an iteration that takes `least` in any case, with that many cycles of accesses of each operand and of the
    accumulators: in the best of some orders of the buffers, or in separate banks where they are not known."""
    if not buffers:
        return max(least, *accesses)
    *operands, last = accesses
    result = 2 * len(operands)
    sizes = (*(size for size in buffers[:-1] for _ in range(2)), buffers[-1])
    bodies = [
        Body(1, least, (*((2 * n + turn, cycles) for n, cycles in enumerate(operands)), (result, last))) for turn in range(2)
    ]
    placed = Layout(sizes, bodies, STACK_BYTES, CORE_TILE.memory).best(ORDERS)
    found = placed[1] if placed else None
    if found is None:
        return max(least, sum(accesses))
    return sum(max(least, round(in_banks(body, found, sizes))) for body in bodies) / 2
