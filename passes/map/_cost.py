"""Cycles of a kernel's tiles: cores, streams, external memory, and what each launch adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from allo_air.access.fit import divisor
from allo_air.approximations import CYCLES
from allo_air.arch import arch_of
from allo_air.device import SHIM_BD
from allo_air.mlir import ir
from allo_air.passes._analysis.once import LEAST, saved
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes._analysis.whole_run import CHANNEL, whole_run
from allo_air.passes.map._demand import Demand, Step
from allo_air.passes.map._limits import held_in_l2, share
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space, Tensor
from allo_air.passes.map._walks import LANES

STEP = 60
"""Cycles of a core around a tile: locks, and the start of its loops."""

WORD = 4
"""Bytes of a word of a DMA."""
TASK = 550
"""Cycles of the control processor for a task of a shim, as simulated, beside a quarter of what memory takes.

Operands that share a channel of the cores take turns, which makes a descriptor serve one launch; else one walks all launches.
"""

DEPTH = 6
"""How many times longer than the next iteration's distance the first iteration of a pipelined loop takes: an instruction's
latency where each waits for the one before."""


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, what bounds them, bytes to and from external memory, and those of the cycles in which work goes on.

    Tiles are compared by `cycles`, and `work` where these are equal; what is told has also what comes before and after.
    """

    cycles: float
    bound: str
    moved: float
    work: float

    @property
    def whole(self) -> float:
        """Cycles of a run."""
        return whole_run(self.cycles)

    def __str__(self) -> str:
        return f"about {self.whole:.3g} cycles, bound by {self.bound} ({self.moved / 1e6:.3g} MB to and from external memory)"


@dataclass(frozen=True)
class Price:
    """Cycles of a core for an iteration of a step, and iterations until its loop starts again: none where it is one."""

    each: float
    row: int | None

    def of(self, iterations: int) -> float:
        """Those of so many iterations."""
        starts = iterations / min(self.row, iterations) if self.row and iterations else 1
        return self.each * (iterations + starts * (DEPTH - 1) * LANES)


def cost(found: Space, tiles: Tiles, needed: Demand, prices: dict[int, Price]) -> Cost:
    """The cost of `tiles`, where the steps cost a core what `prices` says.

    In each launch cores compute one tile while the next one comes and the last one leaves.
    """
    columns, rows = tiles.cores
    arch = arch_of(found.device)
    stream = arch.stream_bytes
    along, across = tiles.rows_along, _across(found, tiles)
    each: dict[int, float] = {}
    launch: dict[int, float] = {}
    moved = 0.0
    for tensor in (*found.inputs, *found.outputs):
        if (part := needed.parts[tensor.number]) is not None:
            each[tensor.number] = prod(part) * tensor.bits / 8
            launch[tensor.number] = each[tensor.number] * columns * (rows if along is None or along in tensor.dimensions else 1)
            run = _run(tensor, part, along, rows, across, columns) * tensor.bits / 8
            moved += launch[tensor.number] * arch.memory_share(run if tiles.launches == 1 else _in_descriptors(run))
    busy = compute(needed, prices)
    read = sum(launch.get(t.number, 0) for t in found.inputs)
    write = sum(launch.get(t.number, 0) for t in found.outputs)
    if rows == 1 and columns <= len(found.device.core_rows) and not found.is_alone:
        columns = 1  # air-collapse-herd lays them along a column
    again = found.model.passes
    feed = max(max(read, write) / columns / arch.column_bytes, max(n * again.get(t, 1) for t, n in each.items()) / stream)
    outside = moved / arch.memory_bytes
    parts = {"the cores": busy, "the streams": feed, "external memory": outside}
    if len(found.inputs) > found.device.tiles["core"].channels[0]:
        apart = sum(along is None or along in t.dimensions for t in (*found.inputs, *found.outputs))
        tasks = tiles.cores[0] * apart + len(found.inputs) + len(found.outputs) - apart
        parts["the instruction stream"] = TASK * tasks + outside / 4
    bound = max(parts, key=parts.__getitem__)
    if max(again.values(), default=1) > 1 and 2 * held_in_l2(found, tiles, needed) > found.device.tiles["mem"].memory:
        parts[bound] += min(outside, max(busy, feed)) / 2  # the next rows come where these were, in two halves
    begun = {t.number: share(found, needed, t) for t in found.inputs}
    first = (sum(launch.get(n, 0) * each for n, each in begun.items()) / columns + write / columns) / stream
    hidden, waits = busy / 4, busy * max(begun.values(), default=1)
    work = tiles.launches * (parts[bound] + STEP) + (hidden if bound == "the cores" else waits) + first
    # The control processor starts one channel after the other, inputs first; a column works when its own are started.
    column = tiles.launches * (max(busy, feed) + STEP) + (hidden if busy >= feed else waits) + first
    inputs, outputs = columns * len(found.inputs), columns * len(found.outputs)
    control = max(CHANNEL * inputs + column, CHANNEL * (inputs + outputs))
    if control > work and CHANNEL * (inputs + outputs) > column:
        bound = "the control processor"
    return Cost(max(work, control), bound, tiles.launches * (read + write), work)


def compute(needed: Demand, prices: dict[int, Price]) -> float:
    """Cycles of a core for a tile."""
    return sum(prices[number].of(count) for number, count in needed.iterations.items()) + needed.scalar + STEP


def _across(found: Space, tiles: Tiles) -> int | None:
    """The dimension along which columns of cores lie, where it is not cut in two."""
    columns, _ = tiles.cores
    sizes = zip(found.loops, tiles.launch, tiles.herd, strict=True) if tiles.cut is None and columns > 1 else ()
    return next((d for d, launch, core in sizes if d != tiles.rows_along and core and launch == core * columns), None)


def _run(tensor: Tensor, part: Sequence[int], along: int | None, rows: int, across: int | None, columns: int) -> int:
    """Neighbouring elements in external memory of what comes by one channel of a tensor in a launch.

    That is what a column's cores take; of a tensor whose rows go to different rows of cores, as many as columns or more, what a
    row's take: `air-split-l2-memref` cuts buffers in most parts, and then along the first dimension.
    """
    dimensions: list[int | None] = [*tensor.dimensions]
    turned = rows >= columns and {along, across} <= {*dimensions} and dimensions.index(along) < dimensions.index(across)
    shared, count = (across, columns) if turned else (along, rows)
    run = 1
    for dimension, extent, size in reversed(list(zip(dimensions, tensor.shape, part, strict=True))):
        whole = size * (count if dimension == shared else 1)
        run *= whole
        if whole < extent:
            break
    return run


def _in_descriptors(run: float) -> float:
    """Bytes of the runs in which descriptors that iterate move a longer one: as many words as divide it and fit their wrap."""
    words = int(run) // WORD
    most = SHIM_BD.max_wraps[0]
    return run if words <= most else divisor(words, most) * WORD


def prices(found: Space) -> dict[int, Price]:
    """What the steps of the model cost a core; less where all results are rounded to bf16."""
    steps = {number: step for number, step in enumerate(found.model.steps) if isinstance(step, Step)}
    results = [r for step in steps.values() if step.is_returned for r in step.op.results]
    brief = all(str(r.type.element_type) == "bf16" for r in results)
    return {number: Price(_price(step.op, brief), _row(step)) for number, step in steps.items()}


def _row(step: Step) -> int | None:
    """Iterations of the innermost loop, where not all of the loops are one for all operands."""
    if step.is_fill or not step.extents:
        return None
    maps = indexing_maps(step.op)
    return None if all(m == ir.AffineMap.get_identity(m.n_dims) for m in maps) else step.extents[-1]


def _price(op: ir.Operation, brief: bool) -> float:
    """Cycles of a core for one iteration of an operation."""
    if op.name == "linalg.fill":
        return 1 / LANES
    body = [o.operation for o in op.regions[0].blocks[0].operations][:-1]
    return (sum(_cycles(o, brief) for o in body) - _saved(op, body, brief) + 1) / LANES


def _saved(op: ir.Operation, body: list[ir.Operation], brief: bool) -> float:
    """Cycles of an elementwise operation that are done once in front of the loop that `vectorize-leaves` puts inside."""
    if any(reductions(op)):
        return 0
    maps = list(zip(op.regions[0].blocks[0].arguments, indexing_maps(op), strict=True))
    loops = [d for d, extent in enumerate(loop_extents(op)) if extent >= LEAST]

    def along(loop: int) -> float:
        same = {a for a, m in maps if not any(loop in loops_in(e) for e in m.results)}
        return saved(body, same, lambda d: d == loop, lambda o: _cycles(o, brief))

    return max(map(along, loops), default=0)


def _cycles(op: ir.Operation, brief: bool) -> float:
    """Cycles of an operation on a vector."""
    known = CYCLES.get(op.name)
    if op.name == "arith.mulf" and all(map(_is_brief, op.operands)):
        return 1  # a MAC
    if known is None:
        return 0 if op.name == "arith.constant" else 1
    exact = op.name == "arith.mulf" or not brief
    return known[not exact or str(op.results[0].type) == "bf16"]


def _is_brief(value: ir.Value) -> bool:
    """Whether a value of f32 is one of bf16."""
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == "arith.extf" and str(owner.operands[0].type) == "bf16"
