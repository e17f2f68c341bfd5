"""Products of f32, and sums of products, as vectors that AIE has."""

from __future__ import annotations

from typing import Any

from allo_air.mlir import arith, ir, vector
from allo_air.passes.kernel._chains import lone_products
from allo_air.passes.kernel._form import Form
from allo_air.passes.kernel._real import INFINITY, Real, choose, shaped, splat

_PARTS = 3
"""bf16 numbers that make an f32: 8 bits of the mantissa each."""


def _sum(op: ir.Operation, form: Form, arch: str) -> Any:
    """A sum that takes a product, or two, as what the tool chain takes for one operation or for two."""
    products = lone_products(op)
    if form.lanes not in (16, 32) or not products:
        return None
    product = products[0]
    rest = op.operands[1] if op.operands[0] == product else op.operands[0]
    factors = list(product.owner.operands)
    if form.source == "f32" and form.lanes == 16 and all(_brief(f) is not None for f in factors):
        return vector.FMAOp(factors[0], factors[1], rest).result
    if arch != "AIE2" and form.source == "f32":
        return None  # the product becomes others
    if form.source != "f32" and len(products) < 2:
        return None
    if (number := _constant(rest)) is not None:
        return arith.subf(product, splat(rest.type, -number))
    factors = factors if _constant(factors[0]) is not None else factors[::-1]
    return arith.subf(rest, arith.mulf(_negated(factors[0]), factors[1]))


def _product(op: ir.Operation, form: Form, arch: str) -> Any:
    """The sum of the products of the factors' parts; where the first one is infinite or no number, that."""
    if arch == "AIE2" or form.source != "f32" or form.lanes != 16:
        return None
    one, other = (_parts(v) for v in op.operands)
    pairs = [(a, b) for a in range(len(one)) for b in range(len(other)) if a + b < _PARTS]
    if len(pairs) == 1:
        return arith.mulf(_wide(one[0]), _wide(other[0])) if any(_brief(v) is None for v in op.operands) else None
    total = None
    for a, b in sorted(pairs, key=lambda pair: (-sum(pair), pair)):
        factors = _wide(one[a]), _wide(other[b])
        total = arith.mulf(*factors) if total is None else vector.FMAOp(*factors, total).result
    first = Real(arith.mulf(_wide(one[0]), _wide(other[0])))
    return choose(first.is_above(INFINITY - 1), first, Real(total)).value


def _parts(value: Any) -> list[Any]:
    """The bf16 numbers that add up to `value`, but for the last bits, the greatest first."""
    brief = _brief(value)
    if brief is not None:
        return [brief]
    kind = shaped(value, ir.BF16Type.get())
    number = _constant(value)
    if number is not None:
        return [_opaque(kind, part) for part in _split(number)]
    found: list[Any] = []
    for _ in range(_PARTS):
        if found:
            value = arith.subf(value, _wide(found[-1]))
        found.append(arith.truncf(kind, value))
    return found


def _opaque(kind: Any, number: float) -> Any:
    """A constant that stays a bf16: canonicalize would fold its extension into one of f32."""
    half = splat(ir.VectorType.get([kind.shape[0] // 2], kind.element_type), number)
    return vector.InterleaveOp(half, half).result


def _split(number: float) -> list[float]:
    """The bf16 numbers that add up to `number`, but for the last bits: at least one."""
    found: list[float] = []
    while len(found) < _PARTS and (number or not found):
        part = ir.FloatAttr.get(ir.BF16Type.get(), number).value
        found.append(part)
        number -= part
    return found


def _brief(value: Any) -> Any:
    """The bf16 that `value` is an extension of."""
    owner = value.owner
    is_extended = not isinstance(owner, ir.Block) and owner.name == "arith.extf"
    return owner.operands[0] if is_extended and str(owner.operands[0].type.element_type) == "bf16" else None


def _wide(brief: Any) -> Any:
    return arith.extf(shaped(brief, ir.F32Type.get()), brief)


def _constant(value: Any) -> float | None:
    if isinstance(value.owner, ir.Block) or value.owner.name != "arith.constant":
        return None
    attribute = value.owner.attributes["value"]
    splat_only = isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat
    return float(attribute.get_splat_value().value) if splat_only else None


def _negated(value: Any) -> Any:
    number = _constant(value)
    return splat(value.type, -number) if number is not None else arith.subf(splat(value.type, 0.0), value)


SUMS = {"arith.addf": _sum}
RULES = {"arith.mulf": _product}
