"""The price of an elementwise operation's body on a core: cycles of compiled code for a vector of 16 numbers."""

from __future__ import annotations

from allo_air.approximations import CYCLES
from allo_air.core.walking import defining_op
from allo_air.mlir import ir


def body_of(op: ir.Operation) -> list[ir.Operation]:
    """The operations of the body of `op`, without the terminator."""
    return [o.operation for o in op.regions[0].blocks[0].operations][:-1]


def cycles_of(op: ir.Operation, is_bf16: bool) -> float:
    """Cycles of `op` on a vector. `is_bf16`: all results of the body are rounded to bf16, so functions are computed with the
    accuracy of bf16.
    """
    cycles = CYCLES.get(op.name)
    if op.name == "arith.mulf" and all(map(_is_extended_bf16, op.operands)):
        return 1  # a MAC
    if cycles is None:
        return 0 if op.name == "arith.constant" else 1
    exact = op.name == "arith.mulf" or not is_bf16
    return cycles[not exact or str(op.results[0].type) == "bf16"]


def _is_extended_bf16(value: ir.Value) -> bool:
    """Whether `value` is extended from bf16."""
    owner = defining_op(value, "arith.extf")
    return owner is not None and str(owner.operands[0].type) == "bf16"
