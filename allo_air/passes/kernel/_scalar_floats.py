"""Sums, products and quotients of f32 scalars on lanes of vectors: on scalars they would be calls of the run-time library."""

from __future__ import annotations

from math import frexp

import numpy as np

from allo_air.arch import core_of
from allo_air.core.walking import defining_op, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._lane_values import splat

LANES = 16
_OPERATIONS = {"arith.addf": arith.addf, "arith.subf": arith.subf, "arith.mulf": arith.mulf}


def on_lanes(op: AnyOp, arch: str) -> None:
    """Replaces f32 scalars in `op` by lane 0 of vectors; a chain of operations stays in vectors.

    A quotient by a constant becomes the product with the constant's inverse. On AIE2p, which inverts a number by one
    instruction, other quotients become products with the inverse, too.
    """
    vectors: dict[ir.Value, ir.Value] = {}
    for item in walk_pre_order(op):
        if item.name not in (*_OPERATIONS, "arith.divf") or str(item.results[0].type) != "f32":
            continue
        with ir.InsertionPoint(item), item.location:
            factors = list(item.operands) if item.name in _OPERATIONS else _factors(item, arch)
            if factors is None:
                continue
            emit = _OPERATIONS.get(item.name, arith.mulf)
            lanes = emit(*(_lanes(value, vectors) for value in factors))
            number = vector.extract(lanes, [], [0])
        vectors[number] = lanes
        item.results[0].replace_all_uses_with(number)
        item.erase()


def _factors(quotient: ir.Operation, arch: str) -> list[ir.Value] | None:
    """The dividend and the inverse of the divisor; None where there is no cheaper way to divide, or nothing to multiply."""
    dividend, divisor = quotient.operands
    if (number := _number(divisor)) is not None and number != 0 and abs(frexp(number)[1]) < 126:
        return [dividend, splat(divisor.type, float(np.float32(1) / np.float32(number)))]
    if not core_of(arch).forms.functions or _number(dividend) == 1:
        return None
    return [dividend, arith.divf(splat(divisor.type, 1.0), divisor)]


def _lanes(value: ir.Value, vectors: dict[ir.Value, ir.Value]) -> ir.Value:
    kind = ir.VectorType.get([LANES], value.type)
    if (number := _number(value)) is not None:
        return splat(kind, number)
    return vectors[value] if value in vectors else vector.broadcast(kind, value)


def _number(value: ir.Value) -> float | None:
    constant = defining_op(value, "arith.constant")
    return float(ir.FloatAttr(constant.attributes["value"]).value) if constant else None
