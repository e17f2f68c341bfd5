"""Sums, products and quotients of f32 scalars on lanes of vectors: on scalars they would be calls of the run-time library."""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

from allo_air.arch import core_of
from allo_air.core.walking import defining_op, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes.kernel._lane_values import splat

LANES = 16
_OPERATIONS = {"arith.addf": arith.addf, "arith.subf": arith.subf, "arith.mulf": arith.mulf}


@dataclass(frozen=True)
class _Lanes:
    """A vector with a scalar in lane 0, and in all lanes if it `is_splat`."""

    vector: ir.Value
    is_splat: bool = True


def on_lanes(op: AnyOp, arch: str) -> None:
    """Replaces f32 scalars in `op` by lane 0 of vectors; a chain of operations stays in vectors.

    A quotient by a constant becomes the product with the constant's inverse. On AIE2p, which inverts a number by one
    instruction, other quotients become products with the inverse, too. An operation stays if a vector would have to be made
    of an extracted lane, which the tool chain does not lower (docs/sources.md#vector-kernels).
    """
    vectors: dict[ir.Value, _Lanes] = {}
    unused: list[AnyOp] = []
    for item in walk_pre_order(op):
        if item.name not in (*_OPERATIONS, "arith.divf") or str(item.results[0].type) != "f32":
            continue
        if not all(_is_on_lanes(value, vectors) for value in item.operands):
            continue
        splats = [use.owner for use in item.results[0].uses if use.owner.name == "vector.broadcast"]
        if splats and not all(_is_splat(value, vectors) for value in item.operands):
            continue
        if any(splat.results[0].type != _kind(item.results[0].type) for splat in splats):
            continue
        with ir.InsertionPoint(item), item.location:
            factors = list(item.operands) if item.name in _OPERATIONS else _factors(item, arch)
            if factors is None:
                continue
            sources = [_lanes(value, vectors) for value in factors]
            lanes = _OPERATIONS.get(item.name, arith.mulf)(*(source.vector for source in sources))
            number = vector.extract(lanes, [], [0])
        vectors[number] = _Lanes(lanes, all(source.is_splat for source in sources))
        for each in splats:
            each.operation.results[0].replace_all_uses_with(lanes)
        unused += [each.operation for each in splats]  # the walk reaches them later
        item.results[0].replace_all_uses_with(number)
        item.erase()
    for each in (*unused, *(number.owner for number in vectors if not list(number.uses))):
        each.erase()


def _is_on_lanes(value: ir.Value, vectors: dict[ir.Value, _Lanes]) -> bool:
    """Whether `value` is, or can become, lane 0 of a vector."""
    extracted = defining_op(value, "vector.extract")
    return extracted is None or value in vectors or _is_lane_0(extracted)


def _is_lane_0(extracted: AnyOp) -> bool:
    kind = extracted.operands[0].type
    return bool(
        len(extracted.operands) == 1 and kind == _kind(kind.element_type) and [*extracted.attributes["static_position"]] == [0]
    )


def _is_splat(value: ir.Value, vectors: dict[ir.Value, _Lanes]) -> bool:
    if value in vectors:
        return vectors[value].is_splat
    return defining_op(value, "vector.extract") is None


def _kind(element: ir.Type) -> ir.VectorType:
    return ir.VectorType.get([LANES], element)


def _factors(quotient: ir.Operation, arch: str) -> list[ir.Value] | None:
    """The dividend and the inverse of the divisor; None if there is no cheaper way to divide, or nothing to multiply."""
    dividend, divisor = quotient.operands
    if (number := _number(divisor)) is not None and number != 0 and abs(frexp(number)[1]) < 126:
        import numpy as np  # most runs of the tools do not need it

        return [dividend, splat(divisor.type, float(np.float32(1) / np.float32(number)))]
    if not core_of(arch).forms.functions or _number(dividend) == 1:
        return None
    return [dividend, arith.divf(splat(divisor.type, 1.0), divisor)]


def _lanes(value: ir.Value, vectors: dict[ir.Value, _Lanes]) -> _Lanes:
    if (number := _number(value)) is not None:
        return _Lanes(splat(_kind(value.type), number))
    if value in vectors:
        return vectors[value]
    if (extracted := defining_op(value, "vector.extract")) is not None:
        return _Lanes(extracted.operands[0], is_splat=False)
    return _Lanes(vector.broadcast(_kind(value.type), value))


def _number(value: ir.Value) -> float | None:
    constant = defining_op(value, "arith.constant")
    return float(ir.FloatAttr(constant.attributes["value"]).value) if constant else None
