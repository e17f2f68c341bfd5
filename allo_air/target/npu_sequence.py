"""Converts an `aie.runtime_sequence` of `aiex.npu.*` operations to instructions, and checks its limits.

The hardware does not report violations: fields of a BD, more tasks than a channel's queue holds, a BD that is rewritten while
in use, a wait for a token that no task issues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from allo_air.access.decompose import decomposed
from allo_air.access.dims import start_of
from allo_air.arch import arch_of
from allo_air.core.diagnostics import DiagnosticError, error_at
from allo_air.core.names import sym_name_of
from allo_air.dialects._places import size_stride_pairs
from allo_air.target import npu_array, npu_bd, npu_shim, npu_tasks, npu_views
from allo_air.target.npu_parameters import moved_by
from allo_air.target.npu_state import State
from allo_air.target.npu_unroll import flattened
from allo_air.target.npu_values import Values
from allo_air.target.npu_words import BlockWrite, Instruction, LoadPdi, MaskWrite, Patch, Preempt, Sync, Write, stream
from allo_air.target.sequences import choose_sequence

if TYPE_CHECKING:
    from allo_air.dialects._aiex_npu import NpuBlockWriteOp, NpuDmaWaitOp, NpuLoadPdiOp, NpuPreemptOp
    from allo_air.mlir import AnyOp, ir

_LOWERINGS: dict[str, Callable[[Any, Any], list[Instruction]]] = {}


def _sequence_of(name: str) -> Callable[[Any], Any]:
    def register(function: Any) -> Any:
        _LOWERINGS[f"aiex.npu.{name}"] = function
        return function

    return register


def rule_of(name: str) -> Callable[[Any, Any], list[Instruction]] | None:
    """The rule that writes the instructions of operations called `name`, or None."""
    return _LOWERINGS.get(name) or npu_tasks.LOWERINGS.get(name) or npu_array.LOWERINGS.get(name)


def without_words(op: AnyOp) -> DiagnosticError:
    """The error at an operation that has no instruction words, with the pass that lowers it."""
    if op.operation.name in ("aiex.configure", "aiex.run"):
        how = "run pass 'aie-materialize-runtime-sequences' first, and name the sequence of the device that configures others"
    else:
        how = "lower it to aiex.npu operations first"
    return error_at(op, f"has no instruction words; {how}")


class Sequence(State):
    """One runtime sequence and its instructions; `owner` is its module, if only this object keeps that alive."""

    owner: Any = None

    def instructions(self) -> list[Instruction]:
        """All instructions; DiagnosticError at the operation that cannot be written or breaks a limit."""
        return [instruction for _, instruction in self.by_operation()]

    def by_operation(self) -> Iterator[tuple[Any, Instruction]]:
        """Each instruction with the operation that it comes from."""
        for op in self.op.body.blocks[0].operations:
            yield from ((op, instruction) for instruction in self.lower(op))

    def lower(self, op: AnyOp) -> list[Instruction]:
        """The instructions of one operation."""
        name = op.operation.name
        if npu_views.means_nothing(name):
            return []
        rule = rule_of(name)
        if rule is None:
            raise without_words(op)
        return rule(self, op)


def _address(op: ir.OpView, sequence: Sequence) -> int:
    """A register's address; with column and row the operation gives it relative to a tile, with a buffer as a word of that."""
    if op.buffer is not None:
        buffer = sequence.buffers.get(op.buffer)
        if buffer is None:
            raise error_at(op, f"writes into @{op.buffer}, which is not an aie.buffer of the device")
        column, row = sequence.place(op, buffer.tile)
        return sequence.device.address(column, row, sequence.buffer_address(op, buffer) + 4 * op.address)
    if op.column is None or op.row is None:
        return op.address
    return sequence.device.address(op.column, op.row, op.address & 0xFFFFF)


def _followed(sequence: Sequence, op: ir.OpView, instruction: Instruction) -> list[Instruction]:
    sequence.follow(op, instruction)
    return [instruction]


@_sequence_of("write32")
def _write32(sequence: Sequence, op: ir.OpView) -> list[Instruction]:
    return _followed(sequence, op, Write(_address(op, sequence), op.value))


@_sequence_of("maskwrite32")
def _maskwrite32(sequence: Sequence, op: ir.OpView) -> list[Instruction]:
    return _followed(sequence, op, MaskWrite(_address(op, sequence), op.value, op.mask))


@_sequence_of("blockwrite")
def _blockwrite(sequence: Sequence, op: NpuBlockWriteOp) -> list[Instruction]:
    place = None if op.column is None or op.row is None else (op.column, op.row)
    return _followed(sequence, op, BlockWrite(_address(op, sequence), tuple(_global_words(op)), place))


def _global_words(op: NpuBlockWriteOp) -> list[int]:
    """The words of the constant global that a blockwrite writes."""
    source = op.data.owner
    if source.operation.name != "memref.get_global":
        raise error_at(op, "takes its data from a memref.get_global of a constant")
    symbol = source.operation.attributes["name"].value
    parent = op.operation.parent
    while parent is not None:
        for region in parent.regions:
            for block in region.blocks:
                for candidate in block.operations:
                    if candidate.operation.name == "memref.global" and sym_name_of(candidate.operation) == symbol:
                        return [int(word) for word in candidate.operation.attributes["initial_value"]]
        parent = parent.parent
    raise error_at(op, f"takes its data from @{symbol}, which is not defined")


@_sequence_of("address_patch")
def _address_patch(sequence: Sequence, op: ir.OpView) -> list[Instruction]:
    return _followed(sequence, op, Patch(op.addr, op.arg_idx, op.arg_plus))


@_sequence_of("sync")
def _sync(sequence: Sequence, op: ir.OpView) -> list[Instruction]:
    for column in range(op.column, op.column + op.column_num):
        for row in range(op.row, op.row + op.row_num):
            sequence.sync(op, (column, row, op.direction, op.channel))
    return [Sync(op.column, op.row, op.direction, op.channel, op.column_num, op.row_num)]


@_sequence_of("push_queue")
def _push_queue(sequence: Sequence, op: ir.OpView) -> list[Instruction]:
    return sequence.queue(op, (op.column, op.row, op.direction, op.channel), op.bd_id, op.repeat_count, token=op.issue_token)


@_sequence_of("load_pdi")
def _load_pdi(sequence: Sequence, op: NpuLoadPdiOp) -> list[Instruction]:
    if op.device_ref is not None:
        sequence.reload()
    return [LoadPdi(op.id or 0, op.size or 0, op.address or 0)]


@_sequence_of("preempt")
def _preempt(sequence: Sequence, op: NpuPreemptOp) -> list[Instruction]:
    return [Preempt(op.level)]


@_sequence_of("dma_wait")
def _dma_wait(sequence: Sequence, op: NpuDmaWaitOp) -> list[Instruction]:
    column, direction, channel = sequence.allocation(op, op.symbol)
    sequence.sync(op, (column, 0, direction, channel))
    return [Sync(column, 0, direction, channel)]


@_sequence_of("dma_memcpy_nd")
def _dma_memcpy_nd(sequence: Sequence, op: Any) -> list[Instruction]:
    column, direction, channel = sequence.allocation(op, op.metadata)
    host = npu_views.argument_of(sequence, op.memref)
    if host is None:
        raise error_at(op, "moves a buffer that is not an argument of the runtime sequence")
    argument, begin = host
    offsets, sizes, strides = (
        tuple(npu_views.filled(op, getattr(op, f"static_{kind}"), list(getattr(op, kind)), kind))
        for kind in ("offsets", "sizes", "strides")
    )
    bits = sequence.bits(op.memref.type)
    offset = npu_views.patched_bytes(op, begin + start_of(offsets, strides) * bits // 8)
    packet = op.packet
    transfer = npu_shim.Transfer(
        sizes[::-1],
        strides[::-1],
        offset,
        bits,
        size_stride_pairs(packet)[0] if packet is not None else None,
        op.burst_length,
    )
    if problems := transfer.problems():
        if decomposed(sizes, strides, bits) is not None:
            problems.append("aie-decompose-large-dma-bd makes transfers of it that fit")
        raise error_at(op, "; ".join(problems))
    bursts = arch_of(sequence.device).burst_lengths
    if transfer.burst and transfer.burst not in bursts:
        raise error_at(op, f"burst length {transfer.burst}; {sequence.device.name} has {bursts}")
    token = op.issue_token or direction == 0
    sequence.claim(op, column, op.id)
    sequence.taken.setdefault((column, 0), set()).add(op.id)
    sequence.push(op, (column, 0, direction, channel), op.id, token=token)
    *configured, start = npu_shim.transfer_instructions(
        transfer, sequence.device, column, direction, channel, op.id, argument, token=token
    )
    base = sequence.device.address(column, 0, npu_bd.BD_BASE["shim_noc"] + npu_bd.BD_STRIDE * op.id)
    configured += moved_by(sequence, op, base, bits)
    return [*configured, *sequence.token_route((column, 0, direction, channel), token=token), start]


def find(module: Any, device: str | None = None, name: str | None = None, values: Values | None = None) -> Sequence:
    """The runtime sequence of these names, or the one that no other runs, unrolled; raises AlloAirError if it is ambiguous.
    `values` are its scalar arguments, by name or number.
    """
    module = flattened(module, device, name, values)
    sequence = Sequence(*choose_sequence(module, device, name))
    sequence.owner = module
    return sequence


def sequence_words(
    module: AnyOp, device: str | None = None, name: str | None = None, values: Values | None = None
) -> list[int]:
    """The instruction words of a runtime sequence in `module`, header included."""
    sequence = find(module, device, name, values)
    return stream(sequence.device, sequence.instructions())
