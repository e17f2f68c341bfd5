"""Writes a control program as a runtime sequence in its own order, its loops kept.

Affine and parallel loops are written out before (`_written_loops.py`). What the program
computes for the run (offsets, sizes, parameters) is computed in the sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from allo_air.access.dims import span
from allo_air.arch.limits import QUEUE_DEPTH
from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at, warn_at
from allo_air.core.loops import Loop
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.dialects._aie_tiles import DMABDOp, EndOp
from allo_air.dialects._aiex_npu import NpuLoadPdiOp, NpuRtpWriteOp
from allo_air.dialects._aiex_tasks import (
    DMAAwaitTaskOp,
    DMAConfigureTaskForOp,
    DMAFreeTaskOp,
    DMAStartTaskOp,
    SetLockOp,
)
from allo_air.dialects._places import paired
from allo_air.dialects.declarations import no_allocation
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import AnyOp, ir
from allo_air.passes.runtime._emit import LOCK, herd_place
from allo_air.passes.runtime._expand import AFFINE, expand
from allo_air.passes.runtime._host_ops import EVENT, is_l3
from allo_air.passes.runtime._trace import LAUNCH_END
from allo_air.passes.runtime._written_loops import acts
from allo_air.passes.runtime._written_steps import (
    Await,
    Channel,
    Configure,
    Free,
    LetGo,
    Load,
    Nested,
    Pass,
    Start,
    Step,
    Task,
    Wait,
    arranged,
)
from allo_air.passes.runtime._written_walks import Written, walk_of, written

_DYNAMIC = -(2**63)
_PURE = ("memref.dim", "memref.rank", *AFFINE)
_COMPUTES = ("arith.", "math.", "index.")
_NOTHING = (
    "airrt.segment_load", "airrt.alloc", "airrt.dealloc", "memref.alloc", "memref.alloca", "memref.dealloc",
    "memref.get_global", "func.return", "scf.yield", "affine.yield", "scf.for", "scf.if", "scf.index_switch", "scf.parallel",
    "scf.reduce", "affine.for", "affine.parallel", "ub.poison",
)  # fmt: skip
"""What a sequence does without."""
_VIEWS = (
    "memref.cast", "memref.memory_space_cast", "memref.assume_alignment", "memref.collapse_shape", "memref.expand_shape",
    "memref.subview", "memref.reinterpret_cast",
)  # fmt: skip


class WrittenSequence:
    """Turns the body of `function`, settled, into that of a sequence with `arguments`, at the insertion point.

    `allocations` has the channel of each shim DMA allocation of the device whose block is `device_block`.
    """

    def __init__(
        self, function: Any, device_block: ir.Block, allocations: Mapping[str, Channel], block: ir.Block, reload: Sequence[str]
    ) -> None:
        self.body, self.device_block, self.block = function.regions[0].blocks[0], device_block, block
        self.allocations, self.reload = allocations, reload
        self.buffers: dict[Any, Any] = dict(zip(self.body.arguments, block.arguments, strict=False))
        self.values: list[dict[Any, Any]] = [dict(self.buffers)]
        self.events: dict[Any, tuple[Task, ...]] = {}
        self.tasks: dict[Task, Any] = {}
        self.named = {
            o.sym_name: o for o in device_block.operations if o.operation.name in ("aie.buffer", "aie.lock") and o.sym_name
        }
        self.let_go: set[str] = set()
        self.reach: dict[Any, int | None] = {}
        """Elements of each argument that are moved; None where that depends on the run."""

    def write(self) -> None:
        """Writes the whole sequence."""
        for op in self.body.operations:
            if op.operation.name == "memref.alloc" and is_l3(op.results[0]):
                self.allocated(op.operation)
        steps = self.read(self.body)
        held_locks = [o for name, o in self.named.items() if name.startswith(LOCK) and name not in self.let_go]
        rest = [LetGo(o.operation, o.lock) for o in held_locks]
        self.emit(arranged([*rest, *steps], drains=True, reload=self.reload))

    def allocated(self, op: AnyOp) -> None:
        """A buffer that the program allocates is one more argument, if it is transferred."""
        kind = op.results[0].type
        if not any(u.owner.operation.name in ("airrt.dma_memcpy_nd", *_VIEWS) for u in op.results[0].uses):
            return
        if not kind.has_static_shape:
            raise error_at(op, f"allocates a {kind} for a transfer, whose size is not known; wanted a constant one")
        self.buffers[op.results[0]] = self.block.add_argument(kind, op.location)

    # Reading.

    def read(self, block: ir.Block) -> list[Step]:
        steps: list[Step] = []
        for view in block.operations:
            steps += self.steps(view.operation)
        return steps

    def steps(self, op: AnyOp) -> list[Step]:
        match op.name:
            case "airrt.dma_memcpy_nd":
                return self.transfer(op)
            case "airrt.wait_all":
                return self.wait(op)
            case "airrt.herd_load":
                return self.herd(op)
            case "aiex.npu.load_pdi":
                return [Load(op.attributes["device_ref"].value)]
            case "scf.for" | "scf.if" | "scf.index_switch" if acts(op):
                result = self.nested(op)
                does_nothing = not any(result.blocks) and all(str(r.type) == EVENT for r in op.results)
                return [] if does_nothing else [result]
            case "memref.get_global" if any(u.owner.operation.name == "airrt.dma_memcpy_nd" for u in op.results[0].uses):
                raise error_at(
                    op, "is a constant array, which no runtime sequence has; make it an argument (pipeline npu does so)"
                )
        for inner in walk_pre_order(op):
            if not (inner.name in _NOTHING or inner.name in _PURE or inner.name in _VIEWS or inner.name.startswith(_COMPUTES)):
                raise error_at(inner, "has no place in a runtime sequence; it holds transfers, waits, loops and branches")
        return []

    def transfer(self, op: AnyOp) -> list[Step]:
        if "metadata" not in op.attributes:
            raise error_at(op, "has no metadata attribute that names the shim DMA allocation it uses; run air-to-aie before")
        name = op.attributes["metadata"].value
        if name not in self.allocations:
            raise no_allocation(op, name, self.allocations)
        argument, base, moved = self.viewed(op.opview.memref, op)
        kind = argument.type
        bits = element_bits(kind, index=0)
        if not bits:
            raise error_at(op, f"moves elements of type {kind.element_type}, whose width is not known; use a number's type")
        new = written(op, walk_of(op, base, moved), bits)
        reach = _reach(new)
        farthest = self.reach.get(argument, 0)
        self.reach[argument] = None if reach is None or farthest is None else max(reach[1] + 1, farthest)
        if reach is not None and getattr(kind, "has_static_shape", False) and (reach[0] < 0 or reach[1] >= prod(kind.shape)):
            warn_at(op, f"reaches elements {reach[0]} to {reach[1]} of {kind}, which has {prod(kind.shape)}")
        tasks = tuple(Task(op, name, self.allocations[name], argument, each) for each in new)
        for result in op.results:
            self.events[result] = tasks
        return [step for task in tasks for step in (Configure(task), Start(task))]

    def viewed(self, buffer: ir.Value, op: AnyOp) -> tuple[Any, int, list[tuple[Any, int]]]:
        """The argument that a buffer is part of, where that begins, and values by what they move it further."""
        base, moved = 0, list[tuple[Any, int]]()
        whole = False
        while buffer not in self.buffers:
            owner: Any = getattr(buffer, "owner", None)
            if getattr(owner, "name", "") not in _VIEWS:
                raise error_at(op, "moves a buffer that is no argument of the function; the host passes buffers as arguments")
            if not whole and owner.name in ("memref.subview", "memref.reinterpret_cast"):
                strides = [1] if owner.name == "memref.reinterpret_cast" else owner.operands[0].type.get_strides_and_offset()[0]
                if _DYNAMIC in strides:
                    raise error_at(owner, "views a buffer whose strides are not constant; a descriptor needs numbers")
                dynamic = iter(list(owner.operands)[1:])
                for static, stride in zip(owner.attributes["static_offsets"], strides, strict=True):
                    if static != _DYNAMIC:
                        base += static * stride
                    else:
                        moved.append((next(dynamic), stride))
                whole = owner.name == "memref.reinterpret_cast"  # from the start of the memory on
            buffer = owner.operands[0]
        return self.buffers[buffer], base, moved

    def wait(self, op: AnyOp) -> list[Step]:
        tasks = tuple(dict.fromkeys(t for e in op.operands for t in self.events.get(e, ())))
        for result in op.results:
            self.events[result] = tasks
        return [] if len(op.results) else [Wait(tasks, final=LAUNCH_END in op.attributes)]

    def herd(self, op: AnyOp) -> list[Step]:
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
                self.let_go.add(name)
                steps.append(LetGo(op, self.named[name].lock))
        return steps

    def nested(self, op: AnyOp) -> Nested:
        if op.name == "scf.for":
            arguments = list(op.regions[0].blocks[0].arguments)
            for argument, init in zip(arguments[1:], list(op.operands)[3:], strict=True):
                self.events[argument] = self.events.get(init, ())
        blocks = tuple(arranged(self.read(b), drains=False) for r in op.regions for b in r.blocks)
        if op.name == "scf.for":
            _warn_of_queues(op, blocks[0])
        for number, result in enumerate(op.results):
            if str(result.type) == EVENT and op.name == "scf.for":  # what it runs no wait behind it can name
                self.events[result] = self.events.get(op.operands[3 + number], ())
        return Nested(op, blocks)

    # Writing.

    def emit(self, steps: Sequence[Step]) -> None:
        for step in steps:
            match step:
                case Configure():
                    with step.task.op.location:
                        self.configure(step.task)
                case Start():
                    DMAStartTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case Await() if step.task in self.tasks:
                    DMAAwaitTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case Free() if step.task in self.tasks:
                    DMAFreeTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case Load():
                    NpuLoadPdiOp(device_ref=step.device)
                case Pass():
                    with step.op.location:
                        self.passed(step)
                case LetGo():
                    SetLockOp(lock=step.lock, value=step.rounds, loc=step.op.location)
                case Nested():
                    with step.op.location:
                        self.structure(step)

    def configure(self, task: Task) -> None:
        result = task.written
        offset, length = result.offset, result.length
        offset_value = length_value = times = None
        if result.moved:
            offset_value = self.narrow(self.sum(result.moved, result.offset))
        if result.length_value is not None:
            length_value = self.narrow(self.sum([result.length_value], 0))
        if result.times_value is not None:
            one = self.constant(1, 32)
            times = self.arith("subi", self.narrow(self.value(result.times_value)), one)
        configured = DMAConfigureTaskForOp(
            alloc=task.allocation,
            issue_token=True if task.token else None,
            repeat_count=result.times - 1 or None,
            repeat_count_operand=times,
        )
        with ir.InsertionPoint(configured.regions[0].blocks.append()):
            DMABDOp(
                buffer=task.buffer,
                offset=None if offset_value is not None else offset,
                offset_operand=offset_value,
                len=None if length_value is not None else length,
                len_operand=length_value,
                dimensions=paired(result.dims, "bd_dim_layout_array") if result.dims else None,
                packet=task.op.attributes.get("packet", None),
            )
            EndOp()
        self.tasks[task] = configured.task

    def passed(self, step: Pass) -> None:
        number = constant_of(step.value)
        kind = step.value.type
        if number is not None:
            NpuRtpWriteOp(buffer=step.buffer, index=step.index, value=number)
            return
        value = self.value(step.value)
        i32 = ir.IntegerType.get_signless(32)
        if isinstance(kind, ir.IndexType):
            value = ir.Operation.create("arith.index_cast", [i32], [value]).results[0]
        elif isinstance(kind, ir.IntegerType) and kind.width != 32:
            name = "arith.trunci" if kind.width > 32 else "arith.extsi"
            value = ir.Operation.create(name, [i32], [value]).results[0]
        elif isinstance(kind, ir.FloatType) and kind.width == 32:
            value = ir.Operation.create("arith.bitcast", [i32], [value]).results[0]
        elif not isinstance(kind, ir.IntegerType):
            raise error_at(step.op, f"passes a {kind} to its cores; wanted an integer of at most 32 bits, index, or f32")
        NpuRtpWriteOp(buffer=step.buffer, index=step.index, value=None, value_operand=value)

    def structure(self, step: Nested) -> None:
        """The loop or branch without the events that it hands on; what it hands on else goes, too, if nothing uses it."""
        op = step.op
        kept_results = [n for n, r in enumerate(op.results) if str(r.type) != EVENT]
        first = 3 if op.name == "scf.for" else len(op.operands)
        operands = [self.value(v) for v in list(op.operands)[:first]]
        operands += [self.value(op.operands[3 + n]) for n in kept_results] if op.name == "scf.for" else []
        attributes = {n: a for n, a in op.attributes.items() if n != "operandSegmentSizes"}
        new = ir.Operation.create(
            op.name, [op.results[n].type for n in kept_results], operands, attributes, regions=len(op.regions)
        )
        steps = iter(step.blocks)
        for old, region in zip(op.regions, new.regions, strict=True):
            for block in old.blocks:
                inner = self.block_of(op, block, region, kept_results)
                with ir.InsertionPoint(inner):
                    self.values.append(dict(self.arguments(op, block, inner, kept_results)))
                    self.emit(next(steps))
                    terminator = block.operations[len(block.operations) - 1].operation
                    handed = [self.value(terminator.operands[n]) for n in kept_results]
                    ir.Operation.create("scf.yield", operands=handed)
                    self.values.pop()
        for n, result in zip(kept_results, new.results, strict=True):
            self.values[-1][op.results[n]] = result

    @staticmethod
    def block_of(op: AnyOp, block: ir.Block, region: ir.Region, positions: Sequence[int]) -> Any:
        if op.name != "scf.for":
            return region.blocks.append()
        arguments = list(block.arguments)
        types = [arguments[0].type, *(arguments[1 + n].type for n in positions)]
        return region.blocks.append(*types, arg_locs=[op.location] * len(types))

    @staticmethod
    def arguments(op: AnyOp, block: ir.Block, inner: ir.Block, positions: Sequence[int]) -> Any:
        if op.name != "scf.for":
            return ()
        arguments = list(block.arguments)
        return zip([arguments[0], *(arguments[1 + n] for n in positions)], inner.arguments, strict=True)

    # Values.

    def value(self, value: ir.Value) -> Any:
        """The value of the sequence for `value` of the program, computed at the insertion point if it does not exist yet."""
        for mapping in reversed(self.values):
            if value in mapping:
                return mapping[value]
        owner = value.owner
        if not hasattr(owner, "operands"):
            raise error_at(self.body.owner, f"uses a {value.type} that is no value of the host; run air-to-std before")
        name = owner.name
        if name in AFFINE:
            result = expand(owner, [self.value(v) for v in owner.operands])
            self.values[-1][value] = result
            return result
        if not name.startswith(_COMPUTES) and name not in _PURE and name not in _VIEWS:
            raise error_at(owner, "has no place in a runtime sequence, and a transfer or a parameter needs its result")
        values = {v: self.value(v) for v in owner.operands}
        clone(owner.operation, values)
        self.values[-1].update((r, values[r]) for r in owner.results)
        return self.values[-1][value]

    def sum(self, parts: Sequence[tuple[ir.Value, int]], number: int) -> Any:
        """Values by their factors, and a number, as an i64."""
        whole = None
        for value, factor in parts:
            part = self.wide(self.value(value))
            if factor != 1:
                part = self.arith("muli", part, self.constant(factor, 64))
            whole = part if whole is None else self.arith("addi", whole, part)
        return self.arith("addi", whole, self.constant(number, 64)) if number else whole

    @staticmethod
    def wide(value: ir.Value) -> Any:
        if not isinstance(value.type, ir.IndexType):
            return value
        return ir.Operation.create("arith.index_cast", [ir.IntegerType.get_signless(64)], [value]).results[0]

    @staticmethod
    def narrow(value: ir.Value) -> Any:
        return ir.Operation.create("arith.trunci", [ir.IntegerType.get_signless(32)], [value]).results[0]

    @staticmethod
    def arith(name: str, left: Any, right: ir.Value) -> Any:
        return ir.Operation.create(f"arith.{name}", [left.type], [left, right]).results[0]

    @staticmethod
    def constant(number: int, bits: int) -> Any:
        kind = ir.IntegerType.get_signless(bits)
        return ir.Operation.create("arith.constant", [kind], [], {"value": ir.IntegerAttr.get(kind, number)}).results[0]


def _warn_of_queues(loop: AnyOp, steps: Sequence[Step]) -> None:
    """Warns where the rounds of a loop queue more tasks on a channel than it holds, and none is waited for in between."""
    trips = Loop(loop).trips()
    started = [s.task for s in steps if isinstance(s, Start)]
    waited = {s.task.channel for s in steps if isinstance(s, Await)}
    for channel in {t.channel for t in started} - waited:
        count = sum(t.channel == channel for t in started)
        if count * (trips or QUEUE_DEPTH + 1) > QUEUE_DEPTH:
            name = next(t.allocation for t in started if t.channel == channel)
            rounds = "as many rounds as the run says" if trips is None else f"{trips} rounds"
            warn_at(
                loop,
                f"queues {count} tasks on @{name} in each of {rounds} and waits for none; the queue holds {QUEUE_DEPTH} and"
                " drops the next: wait in the loop, or give unroll-loops=true or order=planned",
            )


def _reach(items: Sequence[Written]) -> tuple[int, int] | None:
    """The first and the last element that descriptors reach; None where that depends on the run."""
    if any(each.moved or each.length_value is not None for each in items):
        return None
    spans = [span(each.dims, each.offset) for each in items]
    return min(first for first, _ in spans), max(last for _, last in spans)


def resets(device: AnyOp) -> bool:
    """Whether a device does not begin again by itself: its DMA programs repeat, or cores with cascades end."""
    if any(o.opview.repeat_count for o in walk_named(device, "aie.dma_start")):
        return True
    return any(
        walk_named(core, "aie.put_cascade", "aie.get_cascade") and not walk_named(core, "scf.while", "cf.br", "cf.cond_br")
        for core in walk_named(device, "aie.core")
    )
