"""Emits steps as operations of a runtime sequence, including the arithmetic that the program performs at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.dialects._aie_dma import DMABDOp
from allo_air.dialects._aie_tiles import EndOp
from allo_air.dialects._aiex_npu import NpuLoadPdiOp, NpuRtpWriteOp
from allo_air.dialects._aiex_tasks import (
    DMAAwaitTaskOp,
    DMAConfigureTaskForOp,
    DMAFreeTaskOp,
    DMAStartTaskOp,
    SetLockOp,
)
from allo_air.dialects._places import paired
from allo_air.mlir import AnyOp, arith, ir, scf
from allo_air.passes.runtime._expand import AFFINE, expand
from allo_air.passes.runtime._host_ops import EVENT
from allo_air.passes.runtime._sequence_reader import COMPUTES, PURE, VIEWS
from allo_air.passes.runtime._sequence_steps import (
    Await,
    Configure,
    FreeTask,
    Load,
    Nested,
    Pass,
    ReleaseHerdLock,
    Start,
    Step,
    Task,
)


class SequenceWriter:
    """Emits at the insertion point. `arguments` maps the arguments of `body`, the program's block, to those of the sequence."""

    def __init__(self, body: ir.Block, arguments: ir.Block) -> None:
        self.body = body
        self.values: list[dict[Any, Any]] = [dict(zip(body.arguments, arguments.arguments, strict=False))]
        """The sequence's values for values of the program, one dictionary for each open loop or branch."""
        self.tasks: dict[Task, Any] = {}
        """The results of the operations that configure the tasks."""

    def emit(self, steps: Sequence[Step]) -> None:
        """Emits `steps` in order."""
        for step in steps:
            match step:
                case Configure():
                    with step.task.op.location:
                        self.configure(step.task)
                case Start():
                    DMAStartTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case Await() if step.task in self.tasks:
                    DMAAwaitTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case FreeTask() if step.task in self.tasks:
                    DMAFreeTaskOp(task=self.tasks[step.task], loc=step.task.op.location)
                case Load():
                    NpuLoadPdiOp(device_ref=step.device)
                case Pass():
                    with step.op.location:
                        self.parameter(step)
                case ReleaseHerdLock():
                    SetLockOp(lock=step.lock, value=step.rounds, loc=step.op.location)
                case Nested():
                    with step.op.location:
                        self.structure(step)

    def configure(self, task: Task) -> None:
        """Emits the configuration of a task: its descriptor, with constants or run-time values."""
        result = task.bd
        offset, length = result.offset, result.length
        offset_value = length_value = times = None
        if result.value_terms:
            offset_value = self.narrow(self.sum(result.value_terms, result.offset))
        if result.length_value is not None:
            length_value = self.narrow(self.sum([result.length_value], 0))
        if result.times_value is not None:
            one = arith.constant(ir.IntegerType.get_signless(32), 1)
            times = arith.subi(self.narrow(self.value(result.times_value)), one)
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

    def parameter(self, step: Pass) -> None:
        """Writes a parameter of a core, as 32 bits."""
        number = constant_of(step.value)
        kind = step.value.type
        if number is not None:
            NpuRtpWriteOp(buffer=step.buffer, index=step.index, value=number)
            return
        value = self.value(step.value)
        i32 = ir.IntegerType.get_signless(32)
        if isinstance(kind, ir.IndexType):
            value = arith.IndexCastOp(i32, value).result
        elif isinstance(kind, ir.IntegerType) and kind.width != 32:
            value = (arith.TruncIOp if kind.width > 32 else arith.ExtSIOp)(i32, value).result
        elif isinstance(kind, ir.FloatType) and kind.width == 32:
            value = arith.BitcastOp(i32, value).result
        elif not isinstance(kind, ir.IntegerType):
            raise error_at(step.op, f"passes a {kind} to its cores; expected an integer of at most 32 bits, index, or f32")
        NpuRtpWriteOp(buffer=step.buffer, index=step.index, value=None, value_operand=value)

    def structure(self, step: Nested) -> None:
        """Writes a loop or branch, without its results that are events."""
        op = step.op
        positions = [n for n, r in enumerate(op.results) if str(r.type) != EVENT]
        first = 3 if op.name == "scf.for" else len(op.operands)
        operands = [self.value(v) for v in list(op.operands)[:first]]
        operands += [self.value(op.operands[3 + n]) for n in positions] if op.name == "scf.for" else []
        attributes = {n: a for n, a in op.attributes.items() if n != "operandSegmentSizes"}
        new = ir.Operation.create(
            op.name, [op.results[n].type for n in positions], operands, attributes, regions=len(op.regions)
        )
        steps = iter(step.blocks)
        for old, region in zip(op.regions, new.regions, strict=True):
            for block in old.blocks:
                inner = self.block_of(op, block, region, positions)
                with ir.InsertionPoint(inner):
                    self.values.append(dict(self.arguments(op, block, inner, positions)))
                    self.emit(next(steps))
                    terminator = block.operations[-1].operation
                    yielded = [self.value(terminator.operands[n]) for n in positions]
                    scf.YieldOp(yielded)
                    self.values.pop()
        for n, result in zip(positions, new.results, strict=True):
            self.values[-1][op.results[n]] = result

    @staticmethod
    def block_of(op: AnyOp, block: ir.Block, region: ir.Region, positions: Sequence[int]) -> Any:
        """A new block of `region` for `block` of the program; for a loop, with the loop-carried values at `positions`."""
        if op.name != "scf.for":
            return region.blocks.append()
        arguments = list(block.arguments)
        types = [arguments[0].type, *(arguments[1 + n].type for n in positions)]
        return region.blocks.append(*types, arg_locs=[op.location] * len(types))

    @staticmethod
    def arguments(op: AnyOp, block: ir.Block, inner: ir.Block, positions: Sequence[int]) -> Any:
        """Pairs of arguments of `block` and of the new block `inner`."""
        if op.name != "scf.for":
            return ()
        arguments = list(block.arguments)
        return zip([arguments[0], *(arguments[1 + n] for n in positions)], inner.arguments, strict=True)

    def value(self, value: ir.Value) -> Any:
        """The value of the sequence for `value` of the program, computed at the insertion point if it does not exist yet."""
        for mapping in reversed(self.values):
            if value in mapping:
                return mapping[value]
        owner = value.owner
        if not hasattr(owner, "operands"):
            raise error_at(self.body.owner, f"uses a {value.type} that is not a value of the host; run air-to-std first")
        name = owner.name
        if name in AFFINE:
            result = expand(owner, [self.value(v) for v in owner.operands])
            self.values[-1][value] = result
            return result
        if not name.startswith(COMPUTES) and name not in PURE and name not in VIEWS:
            raise error_at(owner, "has no place in a runtime sequence, and a transfer or a parameter needs its result")
        values = {v: self.value(v) for v in owner.operands}
        clone(owner.operation, values)
        self.values[-1].update((r, values[r]) for r in owner.results)
        return self.values[-1][value]

    def sum(self, parts: Sequence[tuple[ir.Value, int]], number: int) -> Any:
        """The sum of values times their factors, and of a number, as an i64."""
        total: Any = None
        i64 = ir.IntegerType.get_signless(64)
        for value, factor in parts:
            part = self.wide(self.value(value))
            if factor != 1:
                part = arith.muli(part, arith.constant(i64, factor))
            total = part if total is None else arith.addi(total, part)
        return arith.addi(total, arith.constant(i64, number)) if number else total

    @staticmethod
    def wide(value: ir.Value) -> Any:
        if not isinstance(value.type, ir.IndexType):
            return value
        return arith.IndexCastOp(ir.IntegerType.get_signless(64), value).result

    @staticmethod
    def narrow(value: ir.Value) -> Any:
        return arith.TruncIOp(ir.IntegerType.get_signless(32), value).result
