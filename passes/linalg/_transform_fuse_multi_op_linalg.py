"""`transform.air.fuse_multi_op_linalg`."""

from allo_air.core.cloning import replace
from allo_air.mlir import ir
from allo_air.passes.linalg._fusion import fused, why_not
from allo_air.passes.linalg._generic import generic_on_tensors
from allo_air.transform.operations import Application

_PURE = ("arith", "math")


def apply(call: Application) -> list[list[ir.Operation]]:
    """The second operation, which computes the first in its body; the first stays for who else reads it."""
    first, second = generic_on_tensors(call.one(0)), generic_on_tensors(call.one(1))
    if first is None or second is None:
        raise call.refuse("expects two linalg.generic on tensors", call.one(0), call.one(1))
    if wrong := next((o for o in first.body if o.name.split(".")[0] not in _PURE), None):
        raise call.refuse(
            f"expects the first operation to be elementwise, of arith and math only; found {wrong.name}", first.op
        )
    operands = [n for n, value in enumerate(second.inputs) if value == first.op.results[0]]
    if not operands:
        raise call.refuse("expects the second operation to take the first one's result as an input", first.op, second.op)
    if reason := why_not(first, second, operands[-1]):
        raise call.refuse(f"cannot compute the first operation in the second: {reason}", first.op, second.op)
    op = second.op
    for n in reversed(operands):
        generic = generic_on_tensors(op)
        assert generic is not None
        new = fused(first, generic, n)
        replace(op, new.results)
        op = new
    return [[op]]
