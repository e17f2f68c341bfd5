"""Combines two multiply-adds of a vector with constants in one MAC instruction, which computes more products than a vector has
lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.arch import Core
from allo_air.core.walking import defining_op, is_result_of
from allo_air.dialects.mac import contract
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._bf16x3 import lanes_constant

_SHAPE = (4, 8, 4)
"""M, K and N of the instruction: it multiplies [v | v] by two diagonal matrices, one below the other."""


def has_pairs(core: Core) -> bool:
    """Whether a core multiplies bf16 matrices of shape _SHAPE in one instruction."""
    result = core.contraction("bf16", _SHAPE)
    return result is not None and result.instructions == 1 and not result.blocks


def pair_products(ops: Sequence[AnyOp]) -> None:
    """Rewrites v * b + (v * a + x), of 16 lanes of a bf16 v and of bf16 constants a and b, as one contraction, among `ops`."""
    for op in ops:
        if op.name != "vector.fma":
            continue
        inner = defining_op(op.operands[2], "vector.fma")
        if inner is None or len(list(inner.results[0].uses)) != 1:
            continue
        value, factors = _bf16_source(op.operands[0]), [_constant(o.operands[1]) for o in (inner, op)]
        if value is None or list(value.type.shape) != [16] or None in factors or inner.operands[0] != op.operands[0]:
            continue
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(_contracted(value, factors, inner.operands[2]))
        op.erase()
        inner.erase()


def _bf16_source(value: ir.Value) -> Any:
    """The bf16 that `value` extends."""
    owner = defining_op(value)
    is_extended = owner is not None and owner.name == "arith.extf"
    operand = owner.operands[0] if is_extended else None
    return operand if operand is not None and str(operand.type.element_type) == "bf16" else None


def _constant(value: ir.Value) -> float | None:
    """The number in all lanes of a bf16 constant, built as an interleave of two halves, which is not folded."""
    low = _bf16_source(value)
    if low is None or not is_result_of(low, "vector.interleave"):
        return None
    low_half, high_half = low.owner.operands
    return lanes_constant(low_half) if low_half == high_half else None


def _contracted(value: ir.Value, factors: Sequence[Any], added: ir.Value) -> Any:
    bf16, f32 = ir.BF16Type.get(), ir.F32Type.get()
    rows, deep, columns = _SHAPE
    twice = [row * columns + n for row in range(rows) for _ in range(2) for n in range(columns)]
    left = vector.shape_cast(ir.VectorType.get([rows, deep], bf16), vector.shuffle(value, value, twice))
    diagonal = [factors[k // columns] if k % columns == n else 0.0 for k in range(deep) for n in range(columns)]
    halves = [_dense(diagonal[n::2]) for n in range(2)]
    right = vector.shape_cast(ir.VectorType.get([deep, columns], bf16), vector.InterleaveOp(*halves).result)
    wide = [arith.extf(ir.VectorType.get(v.type.shape, f32), v) for v in (left, right)]
    tile = vector.shape_cast(ir.VectorType.get([rows, columns], f32), added)
    return vector.shape_cast(added.type, contract(wide[0], wide[1], tile))


def _dense(numbers: Sequence[float]) -> Any:
    bf16 = ir.BF16Type.get()
    kind = ir.VectorType.get([len(numbers)], bf16)
    return arith.constant(kind, ir.DenseElementsAttr.get([ir.FloatAttr.get(bf16, n) for n in numbers], kind))
