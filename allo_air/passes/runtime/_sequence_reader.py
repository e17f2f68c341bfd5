"""Reads a control program into the steps of a runtime sequence: transfers, waits, parameters, loops and branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from allo_air.access.dims import span
from allo_air.access.linear import Linear
from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.loops import Loop
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_pre_order
from allo_air.dialects.declarations import no_allocation
from allo_air.dialects.memrefs import element_bits
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.runtime._emit import LOCK, herd_place
from allo_air.passes.runtime._expand import AFFINE
from allo_air.passes.runtime._host_ops import EVENT
from allo_air.passes.runtime._sequence_bds import TaskBd, bds_of, walk_of
from allo_air.passes.runtime._sequence_loops import has_sequence_ops
from allo_air.passes.runtime._sequence_order import arranged
from allo_air.passes.runtime._sequence_steps import (
    Await,
    Channel,
    Configure,
    Load,
    Nested,
    Pass,
    ReleaseHerdLock,
    Start,
    Step,
    Task,
    Wait,
)
from allo_air.passes.runtime._trace import LAUNCH_END

_DYNAMIC = -(2**63)
PURE = ("memref.dim", "memref.rank", *AFFINE)
"""Operations whose results a sequence may recompute at their uses, as those of the dialects in COMPUTES."""
COMPUTES = ("arith.", "math.", "index.")
_NOTHING = (
    "airrt.segment_load", "airrt.alloc", "airrt.dealloc", "memref.alloc", "memref.alloca", "memref.dealloc",
    "memref.get_global", "func.return", "scf.yield", "affine.yield", "scf.for", "scf.if", "scf.index_switch", "scf.parallel",
    "scf.reduce", "affine.for", "affine.parallel", "ub.poison",
)  # fmt: skip
"""Operations that have no counterpart in a sequence."""
VIEWS = (
    "memref.cast", "memref.memory_space_cast", "memref.assume_alignment", "memref.collapse_shape", "memref.expand_shape",
    "memref.subview", "memref.reinterpret_cast",
)  # fmt: skip


class StepReader:
    """Reads `body`, a block of the host's function.

    The arguments of the block `arguments` are those of the sequence; buffers that the program allocates are added to them.
    `allocations` has the channel of each shim DMA allocation of the device whose block is `device_block`.
    """

    def __init__(self, body: ir.Block, arguments: ir.Block, device_block: ir.Block, allocations: Mapping[str, Channel]) -> None:
        self.block, self.device_block, self.allocations = arguments, device_block, allocations
        self.buffers: dict[Any, Any] = dict(zip(body.arguments, arguments.arguments, strict=False))
        """The sequence's argument for each buffer of the program."""
        self.events: dict[Any, tuple[Task, ...]] = {}
        """The tasks that an event of the program waits for."""
        self.named = {
            o.sym_name: o for o in device_block.operations if o.operation.name in ("aie.buffer", "aie.lock") and o.sym_name
        }
        self.values = IndexValues()
        self.released: set[str] = set()
        """Names of locks that the program sets to start a core."""
        self.reach: dict[Any, int | None] = {}
        """Elements of each argument that are moved; None if that depends on the run."""

    def initial_releases(self) -> list[Step]:
        """Steps that set the locks of cores which the program never starts itself."""
        locks = [o for name, o in self.named.items() if name.startswith(LOCK) and name not in self.released]
        return [ReleaseHerdLock(o.operation, o.lock) for o in locks]

    def allocated(self, op: AnyOp) -> None:
        """Adds an argument to the sequence for a buffer that the program allocates, if a transfer uses it."""
        kind = op.results[0].type
        if not any(u.owner.operation.name in ("airrt.dma_memcpy_nd", *VIEWS) for u in op.results[0].uses):
            return
        if not kind.has_static_shape:
            raise error_at(op, f"allocates a {kind} for a transfer, whose size is not known; expected a constant one")
        self.buffers[op.results[0]] = self.block.add_argument(kind, op.location)

    def read(self, block: ir.Block) -> list[Step]:
        """The steps of a block, in its order."""
        steps: list[Step] = []
        for view in block.operations:
            steps += self.steps(view.operation)
        return steps

    def steps(self, op: AnyOp) -> list[Step]:
        """The steps of one operation."""
        match op.name:
            case "airrt.dma_memcpy_nd":
                return self.transfer(op)
            case "airrt.wait_all":
                return self.wait(op)
            case "airrt.herd_load":
                return self.herd(op)
            case "aiex.npu.load_pdi":
                return [Load(op.attributes["device_ref"].value)]
            case "scf.for" | "scf.if" | "scf.index_switch" if has_sequence_ops(op):
                result = self.nested(op)
                does_nothing = not any(result.blocks) and all(str(r.type) == EVENT for r in op.results)
                return [] if does_nothing else [result]
            case "memref.get_global" if any(u.owner.operation.name == "airrt.dma_memcpy_nd" for u in op.results[0].uses):
                raise error_at(
                    op, "is a constant array, which no runtime sequence has; make it an argument (pipeline npu does so)"
                )
        for inner in walk_pre_order(op):
            if not (inner.name in _NOTHING or inner.name in PURE or inner.name in VIEWS or inner.name.startswith(COMPUTES)):
                raise error_at(inner, "has no place in a runtime sequence; it holds transfers, waits, loops and branches")
        return []

    def transfer(self, op: AnyOp) -> list[Step]:
        """The tasks of a transfer, one for each descriptor that it needs."""
        if "metadata" not in op.attributes:
            raise error_at(op, "has no metadata attribute that names the shim DMA allocation it uses; run air-to-aie first")
        name = op.attributes["metadata"].value
        if name not in self.allocations:
            raise no_allocation(op, name, self.allocations)
        argument, base, moved = self.viewed(op.opview.memref, op)
        kind = argument.type
        bits = element_bits(kind, index=0)
        if not bits:
            raise error_at(op, f"moves elements of type {kind.element_type}, whose width is not known; use a number's type")
        new = bds_of(op, walk_of(op, base, moved), bits)
        reach = _reach(new, self.values)
        farthest = self.reach.get(argument, 0)
        self.reach[argument] = None if reach is None or farthest is None else max(reach[1] + 1, farthest)
        moves = any(each.value_terms for each in new)  # a condition may exclude the first or last iterations
        if (
            reach is not None
            and not moves
            and getattr(kind, "has_static_shape", False)
            and (reach[0] < 0 or reach[1] >= prod(kind.shape))
        ):
            warn_at(op, f"reaches elements {reach[0]} to {reach[1]} of {kind}, which has {prod(kind.shape)}")
        tasks = tuple(Task(op, name, self.allocations[name], argument, each) for each in new)
        for result in op.results:
            self.events[result] = tasks
        return [step for task in tasks for step in (Configure(task), Start(task))]

    def viewed(self, buffer: ir.Value, op: AnyOp) -> tuple[Any, int, list[tuple[Any, int]]]:
        """The argument that `buffer` is a view of, and the view's offset in elements: a number, and values with factors."""
        base, moved = 0, list[tuple[Any, int]]()
        is_absolute = False
        while buffer not in self.buffers:
            owner: Any = getattr(buffer, "owner", None)
            if getattr(owner, "name", "") not in VIEWS:
                raise error_at(
                    op, "moves a buffer that is not an argument of the function; the host passes buffers as arguments"
                )
            if not is_absolute and owner.name in ("memref.subview", "memref.reinterpret_cast"):
                strides = [1] if owner.name == "memref.reinterpret_cast" else owner.operands[0].type.get_strides_and_offset()[0]
                if _DYNAMIC in strides:
                    raise error_at(owner, "views a buffer whose strides are not constant; a descriptor needs numbers")
                dynamic = iter(list(owner.operands)[1:])
                for static, stride in zip(owner.attributes["static_offsets"], strides, strict=True):
                    if static != _DYNAMIC:
                        base += static * stride
                    else:
                        moved.append((next(dynamic), stride))
                is_absolute = owner.name == "memref.reinterpret_cast"  # its offset counts from the start of the buffer
            buffer = owner.operands[0]
        return self.buffers[buffer], base, moved

    def wait(self, op: AnyOp) -> list[Step]:
        """The wait for the tasks of events; a joined event has the tasks of all its operands."""
        tasks = tuple(dict.fromkeys(t for e in op.operands for t in self.events.get(e, ())))
        for result in op.results:
            self.events[result] = tasks
        return [] if len(op.results) else [Wait(tasks, final=LAUNCH_END in op.attributes)]

    def herd(self, op: AnyOp) -> list[Step]:
        """The steps that pass parameters to the cores of a herd and start them."""
        for result in op.results:
            self.events[result] = ()
        herd = sym_name_of(op)
        locked = any(name.startswith(LOCK) for name in self.named)
        if not len(op.operands) and not locked:
            return []
        place = herd_place(op, herd, self.device_block)
        steps: list[Step] = []
        for column, row in place if len(op.operands) else ():
            buffer = f"__air_herd_rtp_{column}_{row}"
            if buffer not in self.named:
                raise error_at(
                    op, f"passes parameters to core ({column}, {row}), which has no buffer @{buffer} for them; run air-to-aie"
                )
            steps += [Pass(op, buffer, n, value) for n, value in enumerate(op.operands)]
        for column, row in place:
            name = f"{LOCK}{column}_{row}"
            if name in self.named:
                self.released.add(name)
                steps.append(ReleaseHerdLock(op, self.named[name].lock))
        return steps

    def nested(self, op: AnyOp) -> Nested:
        """A loop or branch, with the steps of its blocks."""
        if op.name == "scf.for":
            arguments = list(op.regions[0].blocks[0].arguments)
            for argument, init in zip(arguments[1:], list(op.operands)[3:], strict=True):
                self.events[argument] = self.events.get(init, ())
        blocks = tuple(arranged(self.read(b), drains=False) for r in op.regions for b in r.blocks)
        if op.name == "scf.for":
            _warn_of_queues(op, blocks[0])
        for number, result in enumerate(op.results):
            if str(result.type) == EVENT and op.name == "scf.for":  # a wait after the loop cannot name tasks inside it
                self.events[result] = self.events.get(op.operands[3 + number], ())
        return Nested(op, blocks)


def _warn_of_queues(loop: AnyOp, steps: Sequence[Step]) -> None:
    """Warns if the iterations of a loop queue more tasks on a channel than its queue holds, without a wait in between."""
    trips = Loop(loop).trips()
    started = [s.task for s in steps if isinstance(s, Start)]
    waited = {s.task.channel for s in steps if isinstance(s, Await)}
    for channel in {t.channel for t in started} - waited:
        count = sum(t.channel == channel for t in started)
        if count * (trips or QUEUE_DEPTH + 1) > QUEUE_DEPTH:
            name = next(t.allocation for t in started if t.channel == channel)
            rounds = "its iterations (a number known at run time)" if trips is None else counted(trips, "iteration")
            warn_at(
                loop,
                f"queues {counted(count, 'task')} on @{name} in each of {rounds} and never waits; the queue "
                f"holds {QUEUE_DEPTH} and"
                f" drops further tasks: wait in the loop, or give unroll-loops=true or order=planned",
            )


def _reach(items: Sequence[TaskBd], values: IndexValues) -> tuple[int, int] | None:
    """The first and last element that descriptors access, in loops with constant bounds; None if that is only known at run
    time."""
    spans = []
    for each in items:
        low, high = span(each.dims, each.offset)
        moved = values.resolved(Linear(0, tuple(each.value_terms)))
        assert moved is not None
        for value, factor in moved.terms:
            ends = values.range_of(value)
            if ends is None:
                return None
            first, count, step = ends
            places = factor * first, factor * (first + max(count - 1, 0) * step)
            low, high = low + min(places), high + max(places)
        if each.length_value is not None:
            return None
        spans.append((low + moved.constant, high + moved.constant))
    return min(first for first, _ in spans), max(last for _, last in spans)
