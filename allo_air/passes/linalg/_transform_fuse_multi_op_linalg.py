"""`transform.air.fuse_multi_op_linalg`: fuses a linalg operation into a user of its result."""

from __future__ import annotations

from dataclasses import replace as with_fields
from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import defining_op
from allo_air.mlir import ir
from allo_air.passes._ir.generic import Generic
from allo_air.passes.linalg._fusion import fused, why_not
from allo_air.transform.operations import Application

_PURE = ("arith", "math")
_TO_TENSOR, _TO_BUFFER = "bufferization.to_tensor", "bufferization.to_buffer"


def apply(call: Application) -> list[list[ir.Operation]]:
    """Fuses the first operation into the body of the second; the first stays for its other users.

    One of them may already be on buffers, and the other on tensors of these.
    """
    if any(o.name != "linalg.generic" for o in (call.one(0), call.one(1))):
        raise call.refuse("expects two linalg.generic", call.one(0), call.one(1))
    first, second = Generic.of(call.one(0)), Generic.of(call.one(1))
    if wrong := next((o for o in first.body if o.name.split(".")[0] not in _PURE), None):
        raise call.refuse(
            f"expects the first operation to be elementwise, of arith and math only; found {wrong.name}", first.op
        )
    result = first.op.results[0] if len(first.op.results) else first.outs[0]
    operands = [n for n, value in enumerate(second.inputs) if result in (value, _counterpart(value))]
    if not operands:
        raise call.refuse("expects the second operation to take the first one's result as an input", first.op, second.op)
    if reason := why_not(first, second, operands[-1]):
        raise call.refuse(f"cannot compute the first operation in the second: {reason}", first.op, second.op)
    on_tensors = bool(len(second.op.results))
    if on_tensors != bool(len(first.op.results)):
        with ir.InsertionPoint(second.op), second.op.location:
            inputs, outs = ([_converted(v, on_tensors) for v in values] for values in (first.inputs, first.outs))
        first = with_fields(first, inputs=tuple(inputs), outs=tuple(outs))
    op = second.op
    for n in reversed(operands):
        new = fused(first, Generic.of(op), n)
        replace(op, new.results)
        op = new
    return [[op]]


def _counterpart(value: ir.Value) -> Any:
    """The buffer from which a tensor was made, or the tensor that was made from a buffer."""
    owner = defining_op(value)
    return owner.operands[0] if owner is not None and owner.name in (_TO_TENSOR, _TO_BUFFER) else None


def _converted(value: ir.Value, tensor: bool) -> Any:
    """`value` as a tensor or as a buffer, converted at the insertion point if necessary; scalars stay unchanged."""
    kind = value.type
    if not isinstance(kind, ir.MemRefType | ir.RankedTensorType) or isinstance(kind, ir.RankedTensorType) == tensor:
        return value
    if (inside := _counterpart(value)) is not None:
        return inside
    if tensor:
        whole = ir.RankedTensorType.get(kind.shape, kind.element_type)
        return ir.Operation.create(_TO_TENSOR, [whole], [value], {"restrict": ir.UnitAttr.get()}).results[0]
    buffer = ir.MemRefType.get(kind.shape, kind.element_type)
    return ir.Operation.create(_TO_BUFFER, [buffer], [value], {"read_only": ir.UnitAttr.get()}).results[0]
