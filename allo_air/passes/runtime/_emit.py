"""Writes the steps of a runtime sequence as operations: DMA tasks, or transfers with explicit BD ids."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from allo_air.access.dims import Dims
from allo_air.arch.limits import MAX_REPEAT
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import root_of
from allo_air.device import SHIM_BD, SHIM_TILE
from allo_air.dialects._aie_dma import DMABDOp, NextBDOp
from allo_air.dialects._aie_tiles import EndOp
from allo_air.dialects._aiex_npu import NpuDmaMemcpyNdOp, NpuDmaWaitOp, NpuRtpWriteOp
from allo_air.dialects._aiex_tasks import (
    DMAAwaitTaskOp,
    DMAConfigureTaskForOp,
    DMAFreeTaskOp,
    DMAStartTaskOp,
    SetLockOp,
)
from allo_air.dialects._places import paired
from allo_air.mlir import ir
from allo_air.passes.runtime._program import Act
from allo_air.passes.runtime._schedule import Await, FreeTask, Start, Step, Task
from allo_air.passes.runtime._shim_limits import Descriptor

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def header_of(task: Task) -> ir.Attribute | None:
    """The header of a task's packets, if its transfer has one."""
    return task.sources[0].op.attributes.get("packet", None)


class TaskEmitter:
    """`aiex.dma_configure_task_for` and its start, await and free; BD ids are assigned later."""

    max_repeat = MAX_REPEAT
    iterates_again = True
    chains = True

    def __init__(self, arguments: Sequence[object], herds: Herds) -> None:
        self.arguments, self.herds = arguments, herds
        self.tasks: dict[int, Any] = {}
        self.walks: dict[Dims, ir.Attribute | None] = {}

    def emit(self, steps: Sequence[Step]) -> None:
        """Writes `steps` at the insertion point."""
        for step in steps:
            match step:
                case Act():
                    self.herds.start(step)
                case Start():
                    self.start(step.task)
                case Await():
                    self.end(step.task)
                case FreeTask():
                    self.free(step.task)

    def start(self, task: Task) -> None:
        with task.sources[0].op.location:
            configured = DMAConfigureTaskForOp(
                alloc=task.allocation,
                issue_token=True if task.token else None,
                repeat_count=task.descriptor.runs - 1 or None,
            )
            links = [(task.argument, task.descriptor), *task.following]
            blocks = [configured.regions[0].blocks.append() for _ in links]
            for (argument, item), block, after in zip(links, blocks, [*blocks[1:], None], strict=True):
                with ir.InsertionPoint(block):
                    self.descriptor(argument, item, header_of(task))
                    EndOp() if after is None else NextBDOp(dest=after)
            self.tasks[id(task)] = configured.task
            DMAStartTaskOp(task=configured.task)

    def descriptor(self, argument: int, descriptor: Descriptor, packet: ir.Attribute | None) -> None:
        dims = descriptor.dims
        if descriptor.stride:
            dims = ((descriptor.rounds, descriptor.stride), *dims)
        if dims not in self.walks:
            self.walks[dims] = paired(dims, "bd_dim_layout_array")
        DMABDOp(
            buffer=self.arguments[argument],
            offset=descriptor.offset,
            len=descriptor.length,
            dimensions=self.walks[dims],
            packet=packet,
        )

    def end(self, task: Task) -> None:
        DMAAwaitTaskOp(task=self.tasks[id(task)], loc=task.sources[0].op.location)

    def free(self, task: Task) -> None:
        DMAFreeTaskOp(task=self.tasks[id(task)], loc=task.sources[0].op.location)


class MemcpyEmitter(TaskEmitter):
    """`aiex.npu.dma_memcpy_nd` with the lowest free BD of its tile, and `aiex.npu.dma_wait`."""

    max_repeat = SHIM_BD.max_iterations  # the outermost size is the repeat, and is checked as an iteration
    iterates_again = False
    chains = False

    def __init__(self, arguments: Sequence[ir.Value], herds: Herds) -> None:
        super().__init__(arguments, herds)
        self.bds: dict[int, list[int]] = {}  # free BDs by column
        self.used: dict[int, int] = {}

    def start(self, task: Task) -> None:
        result = task.descriptor
        free = self.bds.setdefault(task.channel[0], list(range(SHIM_TILE.bds)))
        assert free, "a channel holds four tasks, a tile four channels"
        self.used[id(task)] = heapq.heappop(free)
        dims = result.dims or ((result.length, 1),)
        lists = [(result.rounds, result.stride), *(((1, 0),) * (SHIM_BD.dimensions - len(dims))), *dims]
        offsets, strides = _placed(result.offset, lists, task)
        NpuDmaMemcpyNdOp(
            memref=self.arguments[task.argument],
            static_offsets=offsets,
            static_sizes=[n for n, _ in lists],
            static_strides=strides,
            metadata=task.allocation,
            id=self.used[id(task)],
            issue_token=True if task.token else None,
            packet=header_of(task),
            loc=task.sources[0].op.location,
        )

    def end(self, task: Task) -> None:
        NpuDmaWaitOp(symbol=task.allocation, loc=task.sources[0].op.location)
        self.free(task)

    def free(self, task: Task) -> None:
        heapq.heappush(self.bds[task.channel[0]], self.used[id(task)])


LOCK = "__air_herd_lock_"
"""Prefix of the locks of a herd's cores by air-to-aie{emit-herd-lock=true}, before column and row."""


class Herds:
    """Starts herds with runtime parameters: writes the values to the cores' buffers, then sets the cores' locks."""

    def __init__(self, device_block: ir.Block) -> None:
        self.names: dict[str, Any] = {}
        self.started: set[str] = set()  # names of the locks that were set
        for op in device_block.operations:
            if op.operation.name in ("aie.buffer", "aie.lock") and op.sym_name:
                self.names[op.sym_name] = op

    def start(self, act: Act) -> None:
        """Writes the parameters into the buffers `__air_herd_rtp_<col>_<row>` of the herd's tiles."""
        herd = sym_name_of(act.op)
        place = herd_place(act.op, herd)
        for column, row in place:
            buffer = f"__air_herd_rtp_{column}_{row}"
            if buffer not in self.names:
                raise error_at(
                    act.op,
                    f"passes parameters to core ({column}, {row}), which has no buffer @{buffer} for them; run air-to-aie",
                )
            for index, value in enumerate(act.values):
                NpuRtpWriteOp(buffer=buffer, index=index, value=value, loc=act.op.location)
        for column, row in place:
            self._release(f"{LOCK}{column}_{row}", act.op.location, act.rounds)

    def start_others(self) -> None:
        """Releases the cores that wait for a lock and have no parameters."""
        for name in [n for n in self.names if n.startswith(LOCK) and n not in self.started]:
            self._release(name, self.names[name].operation.location)

    def _release(self, name: str, location: ir.Location, rounds: int = 1) -> None:
        if name in self.names:
            self.started.add(name)
            SetLockOp(lock=self.names[name].lock, value=rounds, loc=location)


def herd_place(op: AnyOp, herd: str, device_block: ir.Block | None = None) -> list[tuple[int, int]]:
    """The tiles of a herd: from the attributes of the cores in `device_block`, otherwise from the metadata of air-to-aie."""
    results = []
    for view in device_block.operations if device_block is not None else ():
        core = view.operation
        if core.name == "aie.core" and "air.herd_name" in core.attributes and core.attributes["air.herd_name"].value == herd:
            tile = core.operands[0].owner.attributes
            results.append((tile["col"].value, tile["row"].value))
    if results:
        return results
    top = root_of(op)
    segment = op.attributes["segment_name"].value if "segment_name" in op.attributes else None
    for metadata in (o for o in top.regions[0].blocks[0].operations if o.operation.name == "airrt.module_metadata"):
        for outer in metadata.operation.regions[0].blocks[0].operations:
            if outer.operation.name != "airrt.segment_metadata" or segment not in (None, outer.sym_name):
                continue
            for herds in outer.operation.regions[0].blocks[0].operations:
                a = herds.operation.attributes
                if herds.operation.name == "airrt.herd_metadata" and a["sym_name"].value == herd:
                    x, y, nx, ny = (a[k].value for k in ("loc_x", "loc_y", "size_x", "size_y"))
                    return [(x + i, y + j) for i in range(nx) for j in range(ny)]
    raise error_at(op, f"starts herd '{herd}', which airrt.module_metadata does not place; run air-to-aie first")


def _placed(offset: int, lists: Sequence[tuple[int, int]], task: Task) -> tuple[list[int], list[int]]:
    """Four offsets whose products with the strides add up to `offset`; they are in the innermost dimension, or in dimensions
    of size 1."""
    strides = [s for _, s in lists]
    index = next((i for i in reversed(range(len(lists))) if strides[i] == 1 or lists[i][0] == 1), None)
    if index is None:
        result = _combination(offset, strides)
        if result is not None:
            return result, strides
        op = task.sources[0].op
        raise error_at(op, f"walks four dimensions of strides {strides}, which cannot hold offset {offset}; use form=tasks")
    if strides[index] != 1 and offset:
        strides[index] = 1
    return [offset if i == index else 0 for i in range(len(lists))], strides


def _combination(offset: int, strides: Sequence[int]) -> list[int] | None:
    """Multiples of `strides` that add up to `offset`, from a search over few multiples of all but the smallest; None if none
    are found."""
    positive = sorted((s, i) for i, s in enumerate(strides) if s > 0)
    if not positive:
        return None if offset else [0] * len(strides)
    (smallest, last), *rest = positive
    for counts in product(range(min(smallest, 64)), repeat=len(rest)):
        remainder = offset - sum(n * s for n, (s, _) in zip(counts, rest, strict=True))
        if remainder >= 0 and remainder % smallest == 0:
            result = [0] * len(strides)
            result[last] = remainder // smallest
            for n, (_, i) in zip(counts, rest, strict=True):
                result[i] = n
            return result
    return None
