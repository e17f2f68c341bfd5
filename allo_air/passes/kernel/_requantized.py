"""Requantization: sums of i32 become bytes. One instruction (srs) shifts, clamps and truncates 32 of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.walking import defining_op
from allo_air.mlir import arith, ir, vector
from allo_air.passes._analysis.requantisation import RANGES, constant_splat, shifted
from allo_air.passes.kernel._chains import is_requantised
from allo_air.passes.kernel._lane_values import splat
from allo_air.passes.kernel._op_signature import OpSignature
from allo_air.passes.kernel._real import Bits

LANES = 32
"""Number of sums that one instruction converts to bytes."""
_FULL = 16
"""Number of sums in a register, on which all other operations work."""


def _shorten(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Clears the bits that the shift drops, so that the shift is exact in any rounding mode of the core."""
    result = shifted(op) if (form.lanes, form.source) == (LANES, "i32") else None
    if result is None:
        return None
    least, most, by, value = result
    low, high = next(pair for pair in reversed(RANGES) if pair[0] <= least <= most <= pair[1])
    parts = halves(value)
    if least > low:
        parts = [Bits(part).max(least << by).value for part in parts]
    if most < high:
        parts = [Bits(part).min(((most + 1) << by) - 1).value for part in parts]
    value = value if (least, most) == (low, high) else joined(parts)
    even = arith.andi(value, splat(value.type, -(1 << by)))
    less = arith.shrsi(even, splat(value.type, by))
    clamped = arith.minsi(arith.maxsi(less, splat(value.type, low)), splat(value.type, high))
    return arith.trunci(op.results[0].type, clamped)


def _by_halves(op: ir.Operation, form: OpSignature, arch: str) -> Any:
    """Applies the operation to two registers separately, except for those operations that are part of the instruction."""
    if (form.lanes, form.source) != (LANES, "i32") or _is_part(op):
        return None
    make = {"arith.addi": arith.addi, "arith.maxsi": arith.maxsi, "arith.minsi": arith.minsi}[op.name]
    return joined([make(lhs, rhs) for lhs, rhs in zip(*map(halves, op.operands), strict=True)])


def _is_part(op: ir.Operation) -> bool:
    """Whether `op` clamps the result of the shift."""
    while op.name in ("arith.maxsi", "arith.minsi"):
        if isinstance(op.operands[0], ir.BlockArgument):
            return False
        op = op.operands[0].owner
    return bool(op.name == "arith.shrsi" and is_requantised(op))


def halves(value: ir.Value) -> list[Any]:
    """The two registers of `value`."""
    number = constant_splat(value)
    if number is not None:
        return [splat(ir.VectorType.get([_FULL], value.type.element_type), number)] * 2
    owner = defining_op(value, "vector.shuffle")
    if owner is not None:
        parts = list(owner.operands)
        if all(part.type.shape == [_FULL] for part in parts) and list(owner.attributes["mask"]) == [*range(LANES)]:
            return parts
    return [vector.shuffle(value, value, [*range(first, first + _FULL)]) for first in (0, _FULL)]


def joined(parts: Sequence[ir.Value]) -> Any:
    """One value of two registers."""
    low, high = parts
    return vector.shuffle(low, high, [*range(LANES)])


SHORTER = {"arith.trunci": _shorten}
APART = dict.fromkeys(("arith.addi", "arith.maxsi", "arith.minsi"), _by_halves)
