"""Estimates the cycles of a kernel's tiles: cores, streams, external memory, and the overhead of each launch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from allo_air.access.fit import divisor
from allo_air.approximations import LOOP_CYCLES
from allo_air.arch import Machine, arch_of, machine_of
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.body_price import body_of, cycles_of
from allo_air.passes._analysis.once import LEAST, saved
from allo_air.passes._analysis.structured import indexing_maps, loops_in, reductions
from allo_air.passes.map._demand import Demand, Step
from allo_air.passes.map._descriptors import launches_served
from allo_air.passes.map._limits import core_descriptors, l2_bytes, share
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space, Tensor
from allo_air.passes.map._walks import LANES

STEP = 60
"""Cycles of a core around a tile: locks, and starting its loops."""

WORD = 4
"""Bytes of a DMA word."""

DEPTH = 2
"""Latency of code outside of a loop, as a multiple of its cycles in an unrolled loop."""

ROW_CYCLES = 5
"""Cycles of the start of a loop: the jump of the loop around it, and addresses."""


@dataclass(frozen=True)
class Cost:
    """Estimated cycles, the bound, bytes to and from external memory, the cycles without start and tail, and the buffer
    descriptors of a core.

    Tiles are compared by `cycles`, and by `work` if these are equal. The reported time also includes the start and the tail.
    """

    cycles: float
    bound: str
    moved_bytes: float
    work: float
    device: Device
    descriptors: int

    @property
    def total(self) -> float:
        """Cycles of a run."""
        return machine_of(self.device).run(self.cycles)

    def __str__(self) -> str:
        megabytes = self.moved_bytes / 1e6
        return f"about {self.total:.3g} cycles, bound by {self.bound} ({megabytes:.3g} MB to and from external memory)"


@dataclass(frozen=True)
class Price:
    """The cycles of a step on a core: `full` per iteration of the innermost loop, which restarts after `row` iterations (None:
    never).

    `starts` are the cycles of scalar work before the innermost loop, before the innermost two loops, and so on, over the tensor
    `output`.
    """

    full: float
    row: int | None
    starts: tuple[float, ...] = ()
    output: int | None = None

    def of(self, iterations: int, parts: Sequence[list[int] | None]) -> float:
        """Cycles of `iterations` iterations for a tile with these `parts` of tensors."""
        rows = iterations / min(self.row, iterations) if self.row and iterations else 1
        cycles = self.full * iterations + rows * ROW_CYCLES
        if self.output is not None and (part := parts[self.output]):
            cycles += sum(start * prod(part[: -n - 1]) for n, start in enumerate(self.starts))
        return cycles


def cost(space: Space, tiles: Tiles, needed: Demand, prices: dict[int, Price]) -> Cost:
    """The cost of `tiles`; `prices` gives the cycles of each step on a core.

    In each launch, cores compute one tile while the next tile arrives and the previous result leaves.
    """
    columns, rows = tiles.cores
    arch, machine = arch_of(space.device), machine_of(space.device)
    stream = machine.stream_bytes
    along, across = tiles.rows_along, _dimension_of_columns(space, tiles)
    core_bytes: dict[int, float] = {}
    launch: dict[int, float] = {}
    # Windows of neighbouring cores overlap. `moved_bytes`, for the cycles, counts shared rows for each core, which ranks
    # plans as the simulator does; `exact` counts them once.
    moved = exact = reading = 0.0
    read_tensors = {t.number for t in space.inputs}
    for tensor in (*space.inputs, *space.outputs):
        if (part := needed.parts[tensor.number]) is not None:
            core_bytes[tensor.number] = prod(part) * tensor.bits / 8
            launch[tensor.number] = (
                core_bytes[tensor.number] * columns * (rows if along is None or along in tensor.dimensions else 1)
            )
            elements = _column_elements(space, tiles, tensor, _with_padding(space, tiles, tensor, part))
            exact += elements * tensor.bits / 8 * (columns if _differs_by_column(space, tiles, tensor, across) else 1)
            run = _run(tensor, part, along, rows, across, columns) * tensor.bits / 8
            slow = launch[tensor.number] * arch.memory_share(run if tiles.launches == 1 else _in_descriptors(run, machine))
            moved += slow
            if tensor.number in read_tensors:
                reading += slow / arch.memory_bytes + launch[tensor.number] * machine.read_delay
    busy = compute(needed, prices)
    read = sum(launch.get(t.number, 0) for t in space.inputs)
    write = sum(launch.get(t.number, 0) for t in space.outputs)
    columns = _columns_of_herd(space, tiles.cores)
    passes = space.model.passes
    feed = max(
        max(read, write) / columns / machine.column_bytes, max(n * passes.get(t, 1) for t, n in core_bytes.items()) / stream
    )
    outside = max(moved / arch.memory_bytes, reading)
    parts = {"the cores": busy, "the streams": feed, "external memory": outside}
    if len(space.inputs) > machine.core_channels:
        # Operands that share a core's channel alternate. Their descriptors can serve several launches if all of them advance by
        # one distance each between these launches; otherwise each descriptor serves one walk over all launches.
        tensors = (*space.inputs, *space.outputs)
        separate = sum(along is None or bool({along, across} & {*t.dimensions}) for t in tensors)
        tasks = tiles.cores[0] * separate + len(tensors) - separate
        parts["the instruction stream"] = machine.descriptor * tasks / launches_served(space, tiles)
    bound = max(parts, key=parts.__getitem__)
    if max(passes.values(), default=1) > 1 and 2 * l2_bytes(space, tiles, needed) > machine.l2:
        # L2 holds the rows of one launch only, so the next rows arrive in two halves, each after the previous half is read.
        parts[bound] += min(outside, max(busy, feed)) / 2
    shares = {t.number: share(space, needed, t) for t in space.inputs}
    first = (sum(launch.get(n, 0) * part for n, part in shares.items()) / columns + write / columns) / stream
    hidden, waits = busy / 4, busy * max(shares.values(), default=1)
    work = tiles.launches * (parts[bound] + STEP) + (hidden if bound == "the cores" else waits) + first
    # The control processor starts channels one after another, inputs first. A column works as soon as its own channels have
    # started.
    column = tiles.launches * (max(busy, feed) + STEP) + (hidden if busy >= feed else waits) + first
    lead, starts = starting(space, tiles.cores)
    control = max(lead + (work if machine.holds_tasks else column), starts)
    if control > work and starts > column:
        bound = "the control processor"
    return Cost(max(work, control), bound, tiles.launches * exact, work, space.device, core_descriptors(space, needed))


def starting(space: Space, cores: tuple[int, int]) -> tuple[float, float]:
    """Cycles until the control processor has started the channels of the first column of `cores`, and of all columns."""
    machine, columns = machine_of(space.device), _columns_of_herd(space, cores)
    inputs, outputs = columns * len(space.inputs), columns * len(space.outputs)
    return machine.lead(inputs, outputs), machine.push * (inputs + outputs)


def _columns_of_herd(space: Space, cores: tuple[int, int]) -> int:
    """The columns of `cores` on the array: `air-collapse-herd` lays a row of cores along a column."""
    columns, rows = cores
    return 1 if rows == 1 and columns <= machine_of(space.device).rows and not space.is_alone else columns


def compute(needed: Demand, prices: dict[int, Price]) -> float:
    """Cycles of a core for a tile."""
    return sum(prices[number].of(count, needed.parts) for number, count in needed.iterations.items()) + needed.scalar + STEP


def _with_padding(space: Space, tiles: Tiles, tensor: Tensor, part: list[int]) -> list[int]:
    """A tile's part of a tensor. If a dimension is split in two, the part may be longer than the tensor, which is then
    padded.
    """
    cut = tiles.cut
    if cut is None or cut.dimension not in tensor.dimensions:
        return part
    tile = tiles.herd[space.loops.index(cut.dimension) + 1]
    return [max(size, tile) if d == cut.dimension else size for d, size in zip(tensor.dimensions, part, strict=True)]


def _column_elements(space: Space, tiles: Tiles, tensor: Tensor, part: Sequence[int]) -> int:
    """Elements of a tensor that a column of cores takes in a launch. Windows of neighbouring rows of cores overlap."""
    along, (_, rows) = tiles.rows_along, tiles.cores
    if along is None or rows == 1:
        return prod(part) * rows
    if tiles.cut is None and space.model.has_sums:
        sizes = [launch if d == along else core for d, launch, core in zip(space.loops, tiles.launch, tiles.herd, strict=True)]
        return prod(space.model.demand(sizes).parts[tensor.number] or part)
    return prod(part) * (rows if along in tensor.dimensions else 1)


def _dimension_of_columns(space: Space, tiles: Tiles) -> int | None:
    """The dimension that columns of cores divide; None if that dimension is split in two."""
    columns, _ = tiles.cores
    sizes = zip(space.loops, tiles.launch, tiles.herd, strict=True) if tiles.cut is None and columns > 1 else ()
    return next((d for d, launch, core in sizes if d != tiles.rows_along and core and launch == core * columns), None)


def _differs_by_column(space: Space, tiles: Tiles, tensor: Tensor, across: int | None) -> bool:
    """Whether columns of cores take different parts of a tensor, not one that is broadcast to all. Dimensions of windows have
    no loop of their own.
    """
    dimension = across if tiles.cut is None else tiles.cut.dimension
    return dimension is None or dimension in tensor.dimensions or space.model.has_sums


def _run(tensor: Tensor, part: Sequence[int], along: int | None, rows: int, across: int | None, columns: int) -> int:
    """Contiguous elements in external memory of the data that one channel brings of a tensor in a launch.

    By default, this is the data of one column of cores. It is the data of one row of cores if rows of the tensor go to
    different rows of cores, and there are at least as many rows as columns: `air-split-l2-memref` cuts a buffer into the
    largest number of parts, and prefers the first dimension.
    """
    dimensions: list[int | None] = [*tensor.dimensions]
    by_rows = rows >= columns and {along, across} <= {*dimensions} and dimensions.index(along) < dimensions.index(across)
    shared, count = (across, columns) if by_rows else (along, rows)
    run = 1
    for dimension, extent, size in reversed(list(zip(dimensions, tensor.shape, part, strict=True))):
        whole = size * (count if dimension == shared else 1)
        run *= whole
        if whole < extent:
            break
    return run


def _in_descriptors(run: float, machine: Machine) -> float:
    """Bytes of the runs into which descriptors with iterations cut a longer run: the largest word count that divides it and
    fits their wrap.
    """
    words = int(run) // WORD
    most = machine.shim_bd.max_wraps[0]
    return run if words <= most else divisor(words, most) * WORD


def prices(space: Space) -> dict[int, Price]:
    """Cycles of the model's steps on a core; fewer if all results are rounded to bf16."""
    steps = {number: step for number, step in enumerate(space.model.steps) if isinstance(step, Step)}
    results = [r for step in steps.values() if step.is_returned for r in step.op.results]
    is_bf16 = all(str(r.type.element_type) == "bf16" for r in results)
    return {number: _of_step(step, is_bf16) for number, step in steps.items()}


def _of_step(step: Step, is_bf16: bool) -> Price:
    if step.is_fill or not step.extents:
        return Price(_price(step.op, is_bf16, 0.0), _row(step))
    last = len(step.extents) - 1
    savings = {loop: _saved(step.op, [loop], is_bf16) for loop, extent in enumerate(step.extents) if extent >= LEAST}
    once = max(savings.values(), default=0.0)
    full, row = _price(step.op, is_bf16, once), _row(step)
    result = next((number for number, loops in step.writes if loops == [*range(last + 1)]), None)
    if result is None or not once or savings.get(last) != once:
        return Price(full, row)
    inner = [_saved(step.op, range(loop, last + 1), is_bf16) for loop in range(last, -1, -1)]
    return Price(full, row, tuple(DEPTH * (a - b) for a, b in pairwise([*inner, 0.0])), result)


def _row(step: Step) -> int | None:
    """Iterations of the innermost loop, if the loops cannot all be collapsed into one for all operands."""
    if step.is_fill or not step.extents:
        return None
    maps = indexing_maps(step.op)
    return None if all(m == ir.AffineMap.get_identity(m.n_dims) for m in maps) else step.extents[-1]


def _price(op: ir.Operation, is_bf16: bool, once: float) -> float:
    """Cycles of a core for an iteration in compiled code, without those that are spent `once`, before a loop."""
    if op.name == "linalg.fill":
        return 1 / LANES
    loop = LOOP_CYCLES if body_of(op) else 1  # copies are moves of the store's unit alone
    return (sum(cycles_of(o, is_bf16) for o in body_of(op)) - once + loop) / LANES


def _saved(op: ir.Operation, inside: Collection[int], is_bf16: bool) -> float:
    """Cycles of an elementwise operation that are hoisted out of the loops `inside`."""
    if any(reductions(op)):
        return 0.0
    maps = zip(op.regions[0].blocks[0].arguments, indexing_maps(op), strict=True)
    same = {a for a, m in maps if not any(loop in loops_in(e) for e in m.results for loop in inside)}
    return saved(body_of(op), same, lambda d: d in inside, lambda o: cycles_of(o, is_bf16))
