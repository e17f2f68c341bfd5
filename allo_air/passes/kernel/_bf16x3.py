"""Emulates products of f32 by products of bf16 parts: AIE2 and AIE2p multiply bf16 in one instruction."""

from __future__ import annotations

from typing import Any

from allo_air.arch.core import F32_PARTS
from allo_air.core.walking import defining_op, is_result_of
from allo_air.mlir import arith, ir, vector
from allo_air.passes._analysis.element_types import element_of
from allo_air.passes.kernel._lane_values import splat

PART, PARTS = 8, F32_PARTS
"""Bits of the mantissa of a bf16, and how many of them make an f32."""

_LANES = 16

MOST = 255 / 256 * 2.0**128
"""The largest finite bf16."""


def product(lhs: ir.Value, rhs: ir.Value, count: int = PARTS, addend: ir.Value | None = None) -> Any:
    """The product of finite numbers from the first `count` parts of each factor, without terms below the last bit.

    If `addend` is set, the product is added to it. If all bits count, this is the last step, so that the result is rounded
    once. Scalars, and vectors of other lengths, are multiplied directly.
    """
    kind = lhs.type
    if not isinstance(kind, ir.VectorType) or list(kind.shape) != [_LANES]:
        return _sum(arith.mulf(lhs, rhs), addend)
    firsts, seconds = parts_of(lhs, count), parts_of(rhs, count)
    pairs = [(a, b) for a in range(len(firsts)) for b in range(len(seconds)) if a + b < count]
    total = addend if count < PARTS else None
    for a, b in sorted(pairs, key=lambda pair: (-sum(pair), pair)):
        factors = extended(firsts[a]), extended(seconds[b])
        total = arith.mulf(*factors) if total is None else vector.FMAOp(*factors, total).result
    return total if count < PARTS else _sum(total, addend)


def remainder(whole: ir.Value, lhs: ir.Value, rhs: ir.Value) -> Any:
    """`whole` - `lhs` * `rhs` of finite numbers, if the product is within a few units in the last place of `whole`.

    Products of parts are exact. After the largest ones are subtracted, the rest of `whole` is exact as well, since it has no
    higher bits. Parts whose product is below 2^-32 of the whole are omitted, which leaves 8 correct bits of the remainder.
    """
    zero = splat(lhs.type, 0.0)
    firsts, seconds = parts_of(arith.subf(zero, lhs), PARTS), parts_of(rhs, PARTS)
    pairs = [(a, b) for a in range(len(firsts)) for b in range(len(seconds)) if a + b <= PARTS]
    fused = list(lhs.type.shape) == [_LANES]
    for a, b in sorted(pairs, key=sum):
        factors = extended(firsts[a]), extended(seconds[b])
        whole = vector.FMAOp(*factors, whole).result if fused else arith.addf(whole, arith.mulf(*factors))
    return whole


def _sum(value: Any, addend: ir.Value | None) -> Any:
    return value if addend is None else arith.addf(value, addend)


def low_precision_product(lhs: ir.Value, rhs: ir.Value, *, finite: bool = False) -> Any:
    """The product from the first two parts of each factor. It may be infinite or NaN. `finite`: the other factor is neither."""
    kind = lhs.type
    if not isinstance(kind, ir.VectorType) or list(kind.shape) != [_LANES]:
        return arith.mulf(lhs, rhs)
    firsts, lasts = zip(*(_bf16_and_rest(v, f) for v, f in ((lhs, False), (rhs, finite))), strict=True)
    result: Any = None
    for inside, rest in ((firsts[0], lasts[1]), (firsts[1], lasts[0])):
        if rest is not None:
            result = _added(extended(inside), rest, result)
    whole = [
        v if low_precision_source(v) is not None else extended(inside) for v, inside in zip((lhs, rhs), firsts, strict=True)
    ]
    return _added(whole[0], whole[1], result)


def _added(lhs: ir.Value, rhs: ir.Value, addend: ir.Value | None) -> Any:
    return arith.mulf(lhs, rhs) if addend is None else vector.FMAOp(lhs, rhs, addend).result


def _bf16_and_rest(value: ir.Value, finite: bool) -> tuple[Any, Any]:
    """A finite bf16 close to `value`, and the rest, which is infinite if the value is. The rest is None if there is none."""
    kind = ir.VectorType.get(value.type.shape, ir.BF16Type.get())
    low = low_precision_source(value)
    if finite or lanes_constant(value) is not None:
        parts = parts_of(value, 2)
        return parts[0], extended(parts[1]) if len(parts) > 1 else None
    inside = arith.truncf(kind, value) if low is None else low
    inside = arith.maximumf(arith.minimumf(inside, splat(kind, MOST)), splat(kind, -MOST))
    return inside, extended(arith.truncf(kind, arith.subf(value, extended(inside)))) if low is None else None


def parts_of(value: ir.Value, count: int) -> list[Any]:
    """The bf16 numbers whose sum is `value` except for the last bits, the largest first."""
    low = low_precision_source(value)
    if low is not None:
        number = lanes_constant(low)
        return [low if number is None else _opaque(low.type, number)]
    kind = ir.VectorType.get(value.type.shape, ir.BF16Type.get())
    number = lanes_constant(value)
    if number is not None:
        return [_opaque(kind, part) for part in _split(number, count)]
    parts: list[Any] = []
    for _ in range(count):
        if parts:
            value = arith.subf(value, extended(parts[-1]))
        parts.append(arith.truncf(kind, value))
    return parts


def _opaque(kind: ir.VectorType, number: float) -> Any:
    """A constant that stays a bf16. Canonicalization would fold its extension into an f32."""
    half = splat(ir.VectorType.get([kind.shape[0] // 2], kind.element_type), number)
    return vector.InterleaveOp(half, half).result


def _split(number: float, count: int) -> list[float]:
    """The bf16 numbers whose sum is `number` except for the last bits: at least one."""
    results: list[float] = []
    while len(results) < count and (number or not results):
        part = ir.FloatAttr.get(ir.BF16Type.get(), number).value
        results.append(part)
        number -= part
    return results


def low_precision_source(value: ir.Value) -> Any:
    """The bf16 that `value` extends; None if it extends none."""
    owner = defining_op(value)
    is_extended = owner is not None and owner.name == "arith.extf"
    return owner.operands[0] if is_extended and element_of(owner.operands[0].type) == "bf16" else None


def extended(low: ir.Value) -> Any:
    return arith.extf(ir.VectorType.get(low.type.shape, ir.F32Type.get()), low)


def lanes_constant(value: ir.Value) -> float | None:
    """The constant that every lane of `value` is; None if it is not a constant splat."""
    if not is_result_of(value, "arith.constant"):
        return None
    attribute = value.owner.attributes["value"]
    splat_only = isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat
    return float(attribute.get_splat_value().value) if splat_only else None
