"""Estimates the cycles of a kernel's tiles: cores, streams, external memory, and the overhead of each launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from math import prod

from allo_air.access.fit import divisor
from allo_air.arch import Machine, arch_of, machine_of
from allo_air.device import Device
from allo_air.passes.map._demand import STEP, Demand
from allo_air.passes.map._descriptors import launches_served
from allo_air.passes.map._limits import core_descriptors, l2_bytes, share
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space, Tensor

LAUNCH = 60
"""Cycles between launches: locks and descriptors of the transfers to a core and back."""

WORD = 4
"""Bytes of a DMA word."""


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


def cost(space: Space, tiles: Tiles, needed: Demand) -> Cost:
    """The cost of `tiles`.

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
    busy = compute(needed)
    read = sum(launch.get(t.number, 0) for t in space.inputs)
    write = sum(launch.get(t.number, 0) for t in space.outputs)
    columns = _columns_of_herd(space, tiles.cores)
    # Columns share the channel of a tensor that is the same for all cores.
    inputs, outputs = (
        sum(columns if _differs_by_column(space, tiles, t, across) or along in t.dimensions else 1 for t in tensors)
        for tensors in (space.inputs, space.outputs)
    )
    passes = space.model.passes
    feed = max(
        max(read, write) / columns / machine.column_bytes, max(n * passes.get(t, 1) for t, n in core_bytes.items()) / stream
    )
    outside = max(moved / arch.memory_bytes, reading)
    parts = {"the cores": busy, "the streams": feed, "external memory": outside}
    if len(space.inputs) > machine.core_channels:
        # Operands that share a core's channel alternate. Their descriptors can serve several launches if all of them advance by
        # one distance each between these launches; otherwise each descriptor serves one walk over all launches.
        parts["the instruction stream"] = machine.descriptor * (inputs + outputs) / launches_served(space, tiles)
    bound = max(parts, key=parts.__getitem__)
    if max(passes.values(), default=1) > 1 and 2 * l2_bytes(space, tiles, needed) > machine.l2:
        # L2 holds the rows of one launch only, so the next rows arrive in two halves, each after the previous half is read.
        parts[bound] += min(outside, max(busy, feed)) / 2
    shares = {t.number: share(space, needed, t) for t in space.inputs}
    first = (sum(launch.get(n, 0) * part for n, part in shares.items()) / columns + write / columns) / stream
    hidden, waits = busy / 4, busy * max(shares.values(), default=1)
    work = tiles.launches * (parts[bound] + LAUNCH) + (hidden if bound == "the cores" else waits) + first
    # The control processor starts channels one after another, inputs first. A column works as soon as its own channels have
    # started.
    column = tiles.launches * (max(busy, feed) + LAUNCH) + (hidden if busy >= feed else waits) + first
    lead, starts = _starting(machine, inputs, outputs)
    control = max(lead + (work if machine.holds_tasks else column), starts)
    if control > work and starts > column:
        bound = "the control processor"
    return Cost(max(work, control), bound, tiles.launches * exact, work, space.device, core_descriptors(space, needed))


def least_starting(space: Space, cores: tuple[int, int]) -> tuple[float, float]:
    """The least cycles until the control processor has started the channels of the first column of `cores`, and of all
    columns: cores take different parts of tensors with all dimensions.
    """
    columns, dimensions = _columns_of_herd(space, cores), set(compress(space.loops, space.independent))
    inputs = sum(columns if dimensions <= {*t.dimensions} else 1 for t in space.inputs)
    return _starting(machine_of(space.device), inputs, columns * len(space.outputs))


def _starting(machine: Machine, inputs: int, outputs: int) -> tuple[float, float]:
    """Cycles until the control processor has started the channels of `inputs`, so that a column can work, and all channels."""
    return machine.lead(inputs, outputs), machine.push * (inputs + outputs)


def _columns_of_herd(space: Space, cores: tuple[int, int]) -> int:
    """The columns of `cores` on the array: `air-collapse-herd` lays a row of cores along a column."""
    columns, rows = cores
    return 1 if rows == 1 and columns <= machine_of(space.device).rows and not space.is_alone else columns


def compute(needed: Demand) -> float:
    """Cycles of a core for a tile."""
    return needed.cycles + STEP


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
    """Whether columns of cores take different parts of a tensor, not one that is broadcast to all."""
    dimension = across if tiles.cut is None else tiles.cut.dimension
    if dimension is None or dimension in tensor.dimensions or not space.model.has_sums:
        return dimension is None or dimension in tensor.dimensions
    loop = space.loops.index(dimension)  # dimensions of windows have no loop of their own
    sizes = tiles.herd if tiles.cut is None else (*tiles.herd[:loop], *tiles.herd[loop + 1 :])
    one, two = (space.model.demand([*sizes[:loop], n * sizes[loop], *sizes[loop + 1 :]]) for n in (1, 2))
    return one.parts[tensor.number] != two.parts[tensor.number]


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
