"""forward-host-copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_result_of, walk_named
from allo_air.dialects.air_values import forwarded_value
from allo_air.mlir import AnyOp, ir

_READS = ("memref.load", "memref.dealloc", "memref.dim", "air.channel.put")


@dataclass(frozen=True)
class ForwardHostCopies(Pass):
    """Eliminates copies between host buffers, which an NPU does not execute, by using one buffer instead of two.

    A copy into a buffer that the function allocates is removed if it is the first use and the only write of that buffer, and
    the source is not written after it. A copy from such a buffer is removed if the target is not used before it; if the buffer
    is used after it, neither may be written there. Other copies stay.

    Before:

        %t = memref.alloc() : memref<64xf32>
        memref.copy %x, %t : memref<64xf32> to memref<64xf32>
        air.herd tile (%i, %j) in (%m=%c1, %n=%c1) args(%a=%t, %b=%z) : memref<64xf32>, memref<64xf32> { ... }

    After:

        air.herd tile (%i, %j) in (%m=%c1, %n=%c1) args(%a=%x, %b=%z) : memref<64xf32>, memref<64xf32> { ... }
    """

    name = "forward-host-copies"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            for block in function.regions[0].blocks:
                for copy in [o.operation for o in block.operations if o.operation.name == "memref.copy"]:
                    _forward(copy, block)


def _forward(copy: ir.Operation, block: ir.Block) -> None:
    source, target = copy.operands
    if source.type != target.type or source == target or not _is_of_the_host(source):
        return
    order = {o.operation: i for i, o in enumerate(block.operations)}
    position = order[copy]
    if (
        _is_allocated(target)
        and _is_first(target, copy, position, order)
        and not (_writes(target, copy) or _is_written_after(source, position, order))
    ):
        _replace(target, source, copy)
    elif (
        _is_allocated(source)
        and _is_first(target, copy, position, order)
        and not (
            _used_after(source, position, order)
            and (_is_written_after(source, position, order) or _is_written_after(target, position, order))
        )
    ):
        _replace(source, target, copy)


def _replace(old: ir.Value, new: ir.Value, copy: ir.Operation) -> None:
    copy.erase()
    alloc = old.owner
    for use in list(old.uses):
        if use.owner.name == "memref.dealloc":
            use.owner.operation.erase()
    old.replace_all_uses_with(new)
    alloc.erase()


def _is_of_the_host(value: ir.Value) -> bool:
    space = value.type.memory_space if isinstance(value.type, ir.MemRefType) else None
    return isinstance(value.type, ir.MemRefType) and (space is None or (isinstance(space, ir.IntegerAttr) and not space.value))


def _is_allocated(value: ir.Value) -> bool:
    return is_result_of(value, "memref.alloc")


def _position_in_block(op: AnyOp, order: dict[Any, int]) -> int | None:
    """The position of the operation of the block that is or contains `op`; None if `op` is in another block."""
    while op is not None and op.operation not in order:
        op = op.operation.parent
    return None if op is None else order[op.operation]


def _is_first(value: ir.Value, copy: ir.Operation, position: int, order: dict[Any, int]) -> bool:
    """Whether nothing uses `value` before `copy`."""
    places = [_position_in_block(use.owner, order) for use in value.uses if use.owner.operation != copy]
    return all(p is not None and p > position for p in places)


def _used_after(value: ir.Value, position: int, order: dict[Any, int]) -> bool:
    users = [use.owner for use in value.uses if use.owner.name != "memref.dealloc"]
    return any((p := _position_in_block(u, order)) is None or p > position for u in users)


def _is_written_after(value: ir.Value, position: int, order: dict[Any, int]) -> bool:
    """Whether `value` may be written after `position`."""
    return any(((p := _position_in_block(use.owner, order)) is None or p > position) and _is_write(use) for use in value.uses)


def _writes(value: ir.Value, copy: ir.Operation) -> bool:
    """Whether an operation other than `copy` may write `value`."""
    return any(use.owner.operation != copy and _is_write(use) for use in value.uses)


def _is_write(use: ir.OpOperand) -> bool:
    user = use.owner.operation
    if (inner := forwarded_value(use)) is not None:
        return any(_is_write(u) for u in inner.uses)
    match user.name:
        case "memref.copy":
            return bool(use.operand_number == 1)
        case "air.dma_memcpy_nd":
            return bool(user.opview.dst == use.owner.operands[use.operand_number])
    return user.name not in _READS
