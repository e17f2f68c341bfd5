"""Copies operands of linalg operations into buffers of a closer memory, and results back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.core.walking import is_result_of, is_unused, walk_post_order
from allo_air.errors import PassError
from allo_air.mlir import ir, memref
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.memory import is_in


@dataclass
class _Promoted:
    """A buffer that replaces memref `value` up to operation `last`, with the operations that copy it back and free it."""

    value: ir.Value
    buffer: ir.Value
    last: ir.Operation
    back: ir.Operation | None = None
    free: ir.Operation | None = None


@dataclass
class Promotion:
    """Promotes to memory space `space`, written as an integer of `width` bits."""

    space: int
    on_stack: bool = False
    alignment: int = 0
    width: int = 32
    promoted: list[_Promoted] = field(default_factory=list)

    def operand(self, op: ir.Operation, number: int, inputs: int) -> bool:
        """Promotes operand `number` of `op`, of which the first `inputs` operands are only read; returns whether it changed
        anything.
        """
        value = op.operands[number]
        if not isinstance(value.type, ir.MemRefType):
            return False
        is_view = is_result_of(value, "memref.subview")
        if is_in(value.type, self.space):
            return False
        written = number >= inputs
        promoted = self._reusable(value, op)
        with op.location:
            if promoted is None and (promoted := self._earlier(value, op)) is not None:
                self.promoted.append(promoted)
            elif promoted is None:
                promoted = _Promoted(value, self._alloc(op, value, number), op)
                self.promoted.append(promoted)
                if not written or _reads(op, number):
                    with ir.InsertionPoint(op):
                        memref.CopyOp(value, promoted.buffer)
            op.operands[number] = promoted.buffer
            self._place_after(promoted, op, written, is_view and not self.on_stack)
        promoted.last = op
        return True

    def _place_after(self, promoted: _Promoted, op: ir.Operation, written: bool, freed: bool) -> None:
        """Moves the copy back and the deallocation after `op`."""
        if promoted.free is not None:
            promoted.free.move_after(op)
        elif freed:
            with ir.InsertionPoint.after(op):
                promoted.free = memref.DeallocOp(promoted.buffer).operation
        if promoted.back is not None:
            promoted.back.move_after(op)
        elif written:
            with ir.InsertionPoint.after(op):
                promoted.back = memref.CopyOp(promoted.buffer, promoted.value).operation

    def _alloc(self, op: ir.Operation, value: ir.Value, number: int) -> Any:
        kind = value.type
        if not kind.has_static_shape:
            raise PassError(
                f"has operand {number} of type {kind}, and only static shapes are promoted: tile with sizes that divide",
                op.location,
                op.name,
            )
        space = ir.IntegerAttr.get(ir.IntegerType.get_signless(self.width), self.space)
        type_ = ir.MemRefType.get(kind.shape, kind.element_type, None, space)
        attributes: dict[str, Any] = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0])}
        if self.alignment:
            attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), self.alignment)
        name = "memref.alloca" if self.on_stack else "memref.alloc"
        new = ir.Operation.create(name, [type_], [], attributes, ip=ir.InsertionPoint(op))
        return new.results[0]

    def _reusable(self, value: ir.Value, op: ir.Operation) -> _Promoted | None:
        """An earlier copy of `value` that can be used again: no operation since then can have changed either of them."""
        for candidate in self.promoted:
            if candidate.value == value and candidate.last.block == op.block and self._stands(candidate, op):
                return candidate
        return None

    def _earlier(self, value: ir.Value, op: ir.Operation) -> _Promoted | None:
        """The buffer that an earlier promotion copied back to `value`, if both still have the same contents."""
        maker = "memref.alloca" if self.on_stack else "memref.alloc"
        for back in reversed([u.owner.operation for u in value.uses]):
            if back.name != "memref.copy" or back.operands[1] != value or back.block != op.block:
                continue
            buffer = back.operands[0]
            if not is_result_of(buffer, maker) or not is_in(buffer.type, self.space) or not back.is_before_in_block(op):
                continue
            free = next((u.owner.operation for u in buffer.uses if u.owner.name == "memref.dealloc"), None)
            candidate = _Promoted(value, buffer, back, back, free)
            if (free is None or free.block == op.block) and self._stands(candidate, op) and _is_last_use(candidate, op):
                return candidate
        return None

    def _stands(self, promoted: _Promoted, op: ir.Operation) -> bool:
        """Whether the operations in between only read the memref, if it is only read, or the buffer."""
        if promoted.last == op:
            return True
        ops = [o.operation for o in op.block.operations]
        begin = next(n for n, o in enumerate(ops) if o == promoted.last)
        end = next(n for n, o in enumerate(ops) if o == op)
        own_ops = [o for o in (promoted.back, promoted.free) if o is not None]
        near, far = root_of(promoted.buffer), root_of(promoted.value)
        for skipped in ops[begin + 1 : end]:
            if skipped in own_ops:
                continue
            for access in accesses(skipped):
                if access.root == near or (access.root == far and (access.kind != "read" or promoted.back is not None)):
                    return False
        return True


def _is_last_use(promoted: _Promoted, op: ir.Operation) -> bool:
    """Whether nothing after `op`, or in a later run of its block, uses the buffer, so that `op` may write to it."""
    if promoted.buffer.owner.operation.block != op.block:
        return False
    ops = [o.operation for o in op.block.operations]
    end = next(n for n, o in enumerate(ops) if o == op)
    later = [user for o in ops[end + 1 :] if promoted.free is None or o != promoted.free for user in walk_post_order(o)]
    return all(root_of(value) != promoted.buffer for user in later for value in user.operands)


def _reads(op: ir.Operation, number: int) -> bool:
    """Whether `op` reads the initial content of its output `number`."""
    if op.name in ("linalg.fill", "linalg.copy"):
        return False
    blocks = [b for region in op.regions for b in region.blocks]
    return len(blocks) != 1 or (number < len(blocks[0].arguments) and not is_unused(blocks[0].arguments[number]))
