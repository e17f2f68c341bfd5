"""Integer differences, shifts and conditions, by vector operations that AIE has."""

from __future__ import annotations

from typing import Any

from allo_air.arch import core_of
from allo_air.mlir import arith, ir, vector
from allo_air.passes._analysis.requantisation import constant_splat
from allo_air.passes.kernel._lane_values import shaped, splat
from allo_air.passes.kernel._op_signature import OpSignature
from allo_air.passes.kernel._real import Bits

_LOWEST = -(1 << 31)


def _subtract(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    if form.source != "i32" or form.lanes != 16:
        return None
    lhs, rhs = op.operands
    number = constant_splat(rhs)
    if number is not None:
        return (Bits(lhs) + -number).value
    if not core_of(arch).forms.differences:
        negated = arith.muli(rhs, splat(rhs.type, -1))  # saturates for the lowest number, which is its own negation
        return arith.addi(lhs, arith.select(Bits(rhs) < _LOWEST + 1, rhs, negated))
    low, high = (arith.subi(*(vector.shuffle(v, v, [*range(first, first + 8)]) for v in (lhs, rhs))) for first in (0, 8))
    return vector.shuffle(low, high, [*range(16)])


def _combine(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Combines conditions as numbers: `and` is the minimum, `or` the maximum, and `xor` the inequality.

    An `and` of 16 bytes is done on 32 bytes, since vectors of 256 bits are legal; the bytes in between are 0.
    """
    if op.name == "arith.andi" and form.source == "i8" and form.lanes == 16:
        wide = [vector.InterleaveOp(v, splat(v.type, 0)).result for v in op.operands]
        return vector.DeinterleaveOp(arith.andi(*wide)).results[0]
    if form.source != "i1" or not form.lanes:
        return None
    lhs, rhs = (number_of(v) for v in op.operands)
    if op.name == "arith.xori":
        return arith.cmpi(arith.CmpIPredicate.slt, arith.minsi(lhs, rhs), arith.maxsi(lhs, rhs))
    result = arith.minsi(lhs, rhs) if op.name == "arith.andi" else arith.maxsi(lhs, rhs)
    return arith.cmpi(arith.CmpIPredicate.sgt, result, splat(result.type, 0))


def _extend(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """A condition as 1 or 0."""
    if form.source != "i1":
        return None
    if form.result == "i32":
        return number_of(op.operands[0])
    if form.result == "f32":
        kind = shaped(op.operands[0], ir.IntegerType.get_signless(32))
        return Bits(arith.select(op.operands[0], splat(kind, 0x3F800000), splat(kind, 0))).real().value
    return None


def _shift(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """A right shift as the upper half of a left shift, which is done by doubling.

    mlir-aie's own shift, if the tool chain has one, rounds (docs/sources.md#vector-kernels).
    """
    value, number = op.operands[0], constant_splat(op.operands[1])
    if form.source != "i32" or form.lanes != 16 or number is None or not 0 <= number < 32:
        return None
    if not number:
        return value
    low, high = halves(value)
    wide = arith.extsi(value.type, high)
    if number >= 16:
        return arith.extsi(value.type, halves(doubled(wide, 32 - number))[1]) if number > 16 else wide
    nothing = splat(low.type, 0)
    rest = vector.bitcast(value.type, vector.InterleaveOp(low, nothing).result)
    below = arith.extsi(value.type, halves(doubled(rest, 16 - number))[1])
    return arith.addi(doubled(wide, 16 - number), below)


def halves(value: ir.Value) -> tuple[Any, Any]:
    """The lower and the upper i16 of each i32."""
    [lanes] = value.type.shape
    pairs = vector.bitcast(ir.VectorType.get([2 * lanes], ir.IntegerType.get_signless(16)), value)
    low, high = vector.DeinterleaveOp(pairs).results
    return low, high


def doubled(value: ir.Value, times: int) -> Any:
    """`value` added to itself the given number of times."""
    for _ in range(times):
        value = arith.addi(value, value)
    return value


def number_of(condition: ir.Value) -> Any:
    """1 in the lanes in which the condition is true, else 0."""
    kind = shaped(condition, ir.IntegerType.get_signless(32 if condition.type.shape[0] == 16 else 16))
    return arith.select(condition, splat(kind, 1), splat(kind, 0))


RULES = {
    "arith.subi": _subtract,
    "arith.shrsi": _shift,
    **dict.fromkeys(("arith.andi", "arith.ori", "arith.xori"), _combine),
    **dict.fromkeys(("arith.extui", "arith.uitofp"), _extend),
}
