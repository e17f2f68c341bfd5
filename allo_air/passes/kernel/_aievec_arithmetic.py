"""Rules that convert arithmetic on whole registers to AIEVec operations: sums, products, minima, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import defining_op
from allo_air.dialects import aievec
from allo_air.mlir import ir
from allo_air.passes.kernel._aievec_registers import (
    Target,
    bit_width,
    bits,
    by_halves,
    cast,
    extended_from,
    is_bf16,
    is_f32,
    is_float,
    lanes,
    of_width,
    srs,
    ups,
    used_once,
)

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

Rule = Callable[[Any, Target], Any]
_REGISTER = 512
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_FLOAT_PREDICATES = {1: "eq", 2: "sgt", 3: "sge", 4: "slt", 5: "sle", 6: "ne", 8: "eq", 9: "sgt", 10: "sge", 11: "slt",
                     12: "sle", 13: "ne"}  # fmt: skip
_COMPARED = {(16, 16), (16, 32), (32, 16), (8, 64)}  # bits of an element, lanes


def sum_of(kind: type) -> Rule:
    """The rule of addf and subf, or of addi and subi: `kind` is AIEVec's operation."""

    def rule(op: AnyOp, target: Target) -> Any:
        result, operands = op.results[0].type, list(op.operands)
        if not is_float(result):
            fits = bits(result) == _REGISTER and not target.is_llvm
            return kind(lhs=operands[0], rhs=operands[1], result=result).result if fits else None
        if kind is aievec.AddElemOp and (fused := _fused(operands, result, target)) is not None:
            return fused
        return _whole_or_halves(operands, result, lambda v, t: _float_sum(kind, v, t))

    return rule


def _float_sum(kind: type, operands: Sequence[object], item: Any) -> Any:
    """A sum in accumulators of 16 lanes of f32."""
    wide = of_width(item, ir.F32Type.get())
    if is_f32(item):
        left, right = [cast(v, accumulator=True) for v in operands]
        return cast(kind(lhs=left, rhs=right, result=item).result, accumulator=False)
    left, right = [ups(v, wide) for v in operands]
    return srs(kind(lhs=left, rhs=right, result=wide).result, item)


def _fused(operands: list[ir.Value], item: object, target: Target) -> Any:
    """The sum as one multiply-accumulate, if one operand is a product without other users; otherwise None."""
    for product, addend in (operands, operands[::-1]):
        owner = defining_op(product, "arith.mulf")
        if owner is None or not used_once(product) or not is_bf16(item):
            continue
        return _whole_or_halves([*owner.operands, addend], item, lambda v, t: _multiply_add(v, t, target))
    return None


def fma(op: AnyOp, target: Target) -> Any:
    """`vector.fma` of bf16, or of f32 whose factors are extended bf16: one multiply-accumulate."""
    result, (left, right, addend) = op.results[0].type, op.operands
    if is_bf16(result):
        return _whole_or_halves([left, right, addend], result, lambda v, t: _multiply_add(v, t, target))
    factors = [extended_from(v, "arith.extf") for v in (left, right)]
    if lanes(result) == 16 and is_f32(result) and all(v is not None and is_bf16(v.type) for v in factors):
        into = cast(addend, accumulator=True)
        return cast(aievec.FMAElemOp(lhs=factors[0], rhs=factors[1], acc=into, result=result).result, accumulator=False)
    return None


def _multiply_add(operands: Sequence[object], item: Any, target: Target) -> Any:
    wide = of_width(item, ir.F32Type.get())
    left, right, addend = operands
    return srs(aievec.FMAElemOp(lhs=left, rhs=right, acc=ups(addend, wide), result=wide).result, item)


def _multiply(operands: Sequence[object], item: Any) -> Any:
    wide = of_width(item, ir.F32Type.get())
    return srs(aievec.MulElemOp(lhs=operands[0], rhs=operands[1], result=wide).result, item)


def product_of_floats(op: AnyOp, target: Target) -> Any:
    """mulf of bf16 at 16 or 32 lanes, of f32 at 16; extensions of bf16 are taken into the product."""
    result, operands = op.results[0].type, list(op.operands)
    if is_bf16(result):
        return _whole_or_halves(operands, result, _multiply)
    if not is_f32(result) or lanes(result) != 16:
        return None
    narrow = [extended_from(v, "arith.extf") for v in operands]
    if all(v is not None and is_bf16(v.type) for v in narrow):
        operands = narrow
    elif target.bf16_emulation:
        operands = [srs(cast(v, accumulator=True), of_width(result, ir.BF16Type.get())) for v in operands]
    return cast(aievec.MulElemOp(lhs=operands[0], rhs=operands[1], result=result).result, accumulator=False)


def product_of_integers(op: AnyOp, target: Target) -> Any:
    """muli of 32 lanes of i8 or i16, or 16 of i32, in an accumulator; extensions are taken into the product."""
    result, operands = op.results[0].type, list(op.operands)
    narrow = [extended_from(v, "arith.extsi") for v in operands]
    if all(v is not None for v in narrow) and narrow[0].type == narrow[1].type and lanes(result) == 32:
        operands = narrow
    input_type = operands[0].type
    if (bit_width(input_type), lanes(input_type)) not in {(8, 32), (16, 32), (32, 16)}:
        return None
    wide = of_width(input_type, 64 if bit_width(input_type) == 32 else 32)
    total = aievec.MulElemOp(lhs=operands[0], rhs=operands[1], result=wide).result
    return cast(total, accumulator=False) if wide == result else srs(total, result)


def extremum(kind: type) -> Rule:
    """The rule of minima or maxima: integers of a register, 32 lanes of bf16; 16 lanes go into a register of 32."""

    def rule(op: AnyOp, target: Target) -> Any:
        result, (left, right) = op.results[0].type, op.operands
        if is_bf16(result) and lanes(result) == 16 and target.is_llvm:
            double = ir.VectorType.get([32], result.element_type)
            left, right = [aievec.ConcatOp(sources=[v, v], result=double).result for v in (left, right)]
            whole = kind(lhs=left, rhs=right, result=double).result
            return aievec.ExtOp(source=whole, index=0, result=result).result
        fits = bits(result) == _REGISTER and (is_bf16(result) or not is_float(result))
        return kind(lhs=left, rhs=right, result=result).result if fits else None

    return rule


def bitwise(kind: type) -> Rule:
    """The rule of andi, ori or xori. An exclusive or with all ones inverts the bits."""

    def rule(op: AnyOp, target: Target) -> Any:
        result, (left, right) = op.results[0].type, op.operands
        if bits(result) != _REGISTER:
            return None
        if kind is aievec.BxorOp and _is_ones(right):
            return aievec.BnegOp(source=left, result=result).result
        return kind(lhs=left, rhs=right, result=result).result

    return rule


def _is_ones(value: ir.Value) -> bool:
    owner = defining_op(value, "arith.constant")
    if owner is None:
        return False
    attribute = owner.attributes["value"]
    return (
        isinstance(attribute, ir.DenseIntElementsAttr)
        and attribute.is_splat
        and ir.IntegerAttr(attribute.get_splat_value()).value == -1
    )


def negation(op: AnyOp, target: Target) -> Any:
    result, [value] = op.results[0].type, op.operands
    if lanes(result) != 16 or not (is_bf16(result) or is_f32(result)):
        return None
    if is_f32(result):
        return cast(aievec.NegOp(source=cast(value, accumulator=True), result=result).result, accumulator=False)
    wide = of_width(result, ir.F32Type.get())
    return srs(aievec.NegOp(source=ups(value, wide), result=wide).result, result)


def selection(op: AnyOp, target: Target) -> Any:
    """A comparison and a select: the comparison gives a word of bits, which select the lanes."""
    chosen, yes, no = op.operands
    compare = defining_op(chosen, "arith.cmpi", "arith.cmpf")
    if compare is None:
        return None
    left, right = compare.operands
    type_ = yes.type
    if lanes(type_) != lanes(left.type) or (bit_width(left.type), lanes(left.type)) not in _COMPARED or is_f32(left.type):
        return None
    number = ir.IntegerAttr(compare.attributes["predicate"]).value
    name = _PREDICATES[number] if compare.name == "arith.cmpi" else _FLOAT_PREDICATES.get(number)
    if name is None:
        return None
    word = ir.IntegerType.get_unsigned(64 if lanes(left.type) > 32 else 32)
    mask = aievec.CmpOp(lhs=left, rhs=right, pred=name, result=word).result
    return aievec.SelOp(lhs=no, rhs=yes, sel=mask, result=type_).result


def reciprocal(op: AnyOp, target: Target) -> Any:
    """The reciprocal of an f32, where the core has an instruction for it."""
    result, (numerator, below) = op.results[0].type, op.operands
    owner = defining_op(numerator)
    if not target.core.forms.functions or not is_f32(result) or isinstance(result, ir.VectorType) or owner is None:
        return None
    if owner.name != "arith.constant" or ir.FloatAttr(owner.attributes["value"]).value != 1.0:
        return None
    return aievec.InvOp(source=below, result=result).result


def _whole_or_halves(operands: list[ir.Value], item: Any, rule: Callable[[list[Any], Any], object]) -> Any:
    """`rule` on 16 lanes, or on both halves of 32; None at other lengths."""
    if not (is_bf16(item) or is_f32(item)) or any(v.type != item for v in operands):
        return None
    if lanes(item) == 16:
        return rule(operands, item)
    return by_halves(operands, item, rule) if lanes(item) == 32 and len(item.shape) == 1 else None


ARITHMETIC: dict[str, Rule] = {
    "arith.addf": sum_of(aievec.AddElemOp),
    "arith.subf": sum_of(aievec.SubElemOp),
    "arith.addi": sum_of(aievec.AddElemOp),
    "arith.subi": sum_of(aievec.SubElemOp),
    "arith.mulf": product_of_floats,
    "arith.muli": product_of_integers,
    "vector.fma": fma,
    "arith.maxsi": extremum(aievec.MaxOp),
    "arith.minsi": extremum(aievec.MinOp),
    "arith.maximumf": extremum(aievec.MaxOp),
    "arith.minimumf": extremum(aievec.MinOp),
    "arith.maxnumf": extremum(aievec.MaxOp),
    "arith.andi": bitwise(aievec.BandOp),
    "arith.ori": bitwise(aievec.BorOp),
    "arith.xori": bitwise(aievec.BxorOp),
    "arith.negf": negation,
    "arith.select": selection,
    "arith.divf": reciprocal,
}
