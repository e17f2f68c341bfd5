"""Rules that convert casts, splats, reductions, matrix products and functions of lanes to AIEVec operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.arch import Core
from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op
from allo_air.dialects import aievec
from allo_air.mlir import arith, ir, vector
from allo_air.passes.kernel._aievec_arithmetic import Rule
from allo_air.passes.kernel._aievec_registers import (
    Target,
    bit_width,
    bits,
    by_halves,
    cast,
    extended_from,
    i32,
    is_bf16,
    is_f32,
    is_float,
    lanes,
    of_width,
    srs,
    ups,
)

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_SPLATS = (256, 512, 1024)
_WIDER = {(8, 32, 32), (16, 32, 16), (16, 32, 32), (16, 64, 16), (32, 64, 16), (8, 32, 64)}  # from, to, lanes
_NARROWER = {(16, 8, 32), (32, 8, 32), (32, 16, 16), (32, 16, 32), (64, 32, 16), (64, 16, 16)}


def extended_integers(op: AnyOp, target: Target) -> Any:
    """arith.extsi: widens a register to an accumulator; from i8 to i16, the accumulator is then narrowed to a register."""
    result, [value] = op.results[0].type, op.operands
    input_type = value.type
    if (bit_width(input_type), bit_width(result), lanes(result)) == (8, 16, 32):
        return srs(ups(value, of_width(result, 32)), result)
    if (bit_width(input_type), bit_width(result), lanes(result)) not in _WIDER:
        return None
    return cast(ups(value, result), accumulator=False)


def truncated_integers(op: AnyOp, target: Target) -> Any:
    """arith.trunci: narrows an accumulator to a register, and shifts it if the operand is a shrsi by a constant."""
    result, [value] = op.results[0].type, op.operands
    if (bit_width(value.type), bit_width(result), lanes(result)) not in _NARROWER:
        return None
    shift: Any = 0
    owner = defining_op(value, "arith.shrsi")
    if owner is not None and (by := _splat_number(owner.operands[1])) is not None:
        value, shift = owner.operands[0], by
    if bit_width(value.type) == 16:
        wide = of_width(value.type, 32)
        return srs(ups(value, wide), result, shift)
    return srs(cast(value, accumulator=True), result, shift)


def _splat_number(value: ir.Value) -> int | None:
    """The integer in all lanes of a splat; None for other values."""
    owner = defining_op(value)
    if owner is None:
        return None
    if owner.name == "aievec.broadcast_scalar":
        result = constant_of(owner.operands[0])
        return result if isinstance(result, int) else None
    if owner.name != "arith.constant":
        return None
    value_attribute = owner.attributes["value"]
    if not isinstance(value_attribute, ir.DenseIntElementsAttr) or not value_attribute.is_splat:
        return None
    return ir.IntegerAttr(value_attribute.get_splat_value()).value


def extended_floats(op: AnyOp, target: Target) -> Any:
    """arith.extf from bf16 to f32."""
    result, [value] = op.results[0].type, op.operands
    if not is_bf16(value.type) or not is_f32(result) or lanes(result) not in (16, 32):
        return None
    if lanes(result) == 32 and not target.core.forms.wide_casts:
        return by_halves([value], result, lambda v, t: cast(ups(v[0], t), accumulator=False))
    return cast(ups(value, result), accumulator=False)


def truncated_floats(op: AnyOp, target: Target) -> Any:
    """arith.truncf from f32 to bf16."""
    result, [value] = op.results[0].type, op.operands
    if not is_bf16(result) or not is_f32(value.type) or lanes(result) not in (16, 32):
        return None
    if lanes(result) == 32 and not target.core.forms.wide_casts:
        return by_halves([value], result, lambda v, t: srs(cast(v[0], accumulator=True), t))
    return srs(cast(value, accumulator=True), result)


def splat(op: AnyOp, target: Target) -> Any:
    """A number in all lanes of one or two registers, or of half of one."""
    result, [value] = op.results[0].type, op.operands
    if isinstance(value.type, ir.VectorType) or bits(result) not in _SPLATS:
        return None
    return _broadcast(value, result)


def constant(op: ir.OpView, target: Target) -> Any:
    """A constant with equal lanes, as a splat of its number."""
    type_ = op.results[0].type
    value_attribute = op.attributes["value"]
    if (
        bits(type_) not in _SPLATS
        or bit_width(type_) < 8
        or not isinstance(value_attribute, ir.DenseElementsAttr)
        or not value_attribute.is_splat
    ):
        return None
    return _broadcast(arith.constant(type_.element_type, value_attribute.get_splat_value()), type_)


def _broadcast(value: ir.Value, vector_type: ir.VectorType) -> Any:
    flat = ir.VectorType.get([lanes(vector_type)], vector_type.element_type)
    whole = aievec.BroadcastScalarOp(source=value, result=flat).result
    return whole if flat == vector_type else vector.shape_cast(vector_type, whole)


def reduction(op: AnyOp, target: Target) -> Any:
    """Reduces all lanes to one: combines the vector with itself, shifted by half its length, a quarter, ...; then extracts lane
    0.
    """
    value = op.operands[0]
    input_type = value.type
    if len(op.operands) > 1 or lanes(input_type) == 0 or bit_width(input_type) < 8:
        return None
    name = str(op.attributes["kind"]).removeprefix("#vector.kind<").removesuffix(">")
    kind: Any = {"add": aievec.AddElemOp, "minsi": aievec.MinOp, "maxsi": aievec.MaxOp, "minimumf": aievec.MinOp,
                 "maximumf": aievec.MaxOp, "minnumf": aievec.MinOp, "maxnumf": aievec.MaxOp}.get(name)  # fmt: skip
    if kind is None:
        return None
    if is_float(input_type) and kind is aievec.AddElemOp:
        return _sum_of_floats(value)
    if bits(input_type) != 512 or is_f32(input_type):
        return None
    return _lane(_folded(value, kind), 0)


def _folded(value: ir.Value, kind: type, *, accumulator: bool = False) -> Any:
    input_type = value.type
    step = lanes(input_type) // 2
    while step:
        moved = aievec.ShiftOp(
            lhs=value, rhs=value, shift=i32(step * bit_width(input_type) // 8), isAcc=accumulator, result=input_type
        ).result
        value = kind(lhs=moved, rhs=value, result=input_type).result
        step //= 2
    return value


def _sum_of_floats(value: ir.Value) -> Any:
    """Adds the lanes in an accumulator of 16 lanes."""
    input_type = value.type
    if is_bf16(input_type) and lanes(input_type) == 32:
        half = ir.VectorType.get([16], input_type.element_type)
        wide = of_width(half, ir.F32Type.get())
        low, high = [ups(aievec.ExtOp(source=value, index=i, result=half).result, wide) for i in (0, 1)]
        value = srs(aievec.AddElemOp(lhs=low, rhs=high, result=wide).result, half)
        input_type = half
    if lanes(input_type) != 16:
        return None
    if is_f32(input_type):
        total = _folded(cast(value, accumulator=True), aievec.AddElemOp, accumulator=True)
        return _lane(cast(total, accumulator=False), 0)
    total = _folded(ups(value, of_width(input_type, ir.F32Type.get())), aievec.AddElemOp, accumulator=True)
    return _lane(srs(total, input_type), 0)


def _lane(value: ir.Value, number: int) -> Any:
    return aievec.ExtElemOp(source=value, index=i32(number), result=value.type.element_type).result


_PRODUCTS: dict[str, Any] = {"AIE2": aievec.MatMulOp, "AIE2p": aievec.MatMulAIE2POp}
"""The operation of a matrix product, by architecture."""


def contraction(op: AnyOp, target: Target) -> Any:
    """A plain product of two matrices in a shape that the core supports, or one for C++.

    Leading dimensions of size 1 and extensions of the factors are dropped. On AIE2, only the first factor of an integer product
    may be unsigned.
    """
    unsigned = [extended_from(v, "arith.extui") is not None for v in list(op.operands)[:2]]
    if not _is_plain(op) or unsigned[1] or (unsigned[0] and not target.core.mixes_signs):
        return None
    operands = list(op.operands)
    for number in (0, 1):
        narrow = extended_from(operands[number], "arith.extsi", "arith.extui", "arith.extf")
        operands[number] = narrow if narrow is not None else operands[number]
    if target.is_llvm and not _is_product(operands, target.core):
        return None
    flat = []
    for value in operands:
        shape = list(value.type.shape)
        matrix = ir.VectorType.get(shape[-2:], value.type.element_type)
        flat.append(value if len(shape) == 2 else vector.shape_cast(matrix, value))
    kind = _PRODUCTS[target.core.arch]
    total = kind(lhs=flat[0], rhs=flat[1], acc=flat[2], result=flat[2].type).result
    type_ = op.results[0].type
    return total if total.type == type_ else vector.shape_cast(type_, total)


def _is_product(operands: list[ir.Value], core: Core) -> bool:
    """Whether the core has instructions for the product of two matrices, added to a third."""
    left, right, total = (value.type for value in operands)
    (m, k), n = list(left.shape)[-2:], list(right.shape)[-1]
    return left.element_type == right.element_type and bool(
        core.contraction(str(left.element_type), (m, k, n), str(total.element_type))
    )


def _is_plain(op: AnyOp) -> bool:
    """Whether a contraction adds products, and the last two dimensions of its operands are (m, k), (k, n) and (m, n), with all
    others of size 1.
    """
    kind = op.attributes.get("kind", None)
    if kind is not None and str(kind) != "#vector.kind<add>":
        return False
    maps = [ir.AffineMapAttr(map_attribute).value for map_attribute in ir.ArrayAttr(op.attributes["indexing_maps"])]
    loops = []
    for map_, value in zip(maps, op.operands, strict=False):
        if not isinstance(value.type, ir.VectorType) or len(value.type.shape) < 2 or set(list(value.type.shape)[:-2]) - {1}:
            return False
        last = list(map_.results)[-2:]
        if not all(isinstance(e, ir.AffineDimExpr) for e in last):
            return False
        loops.append([ir.AffineDimExpr(e).position for e in last])
    (m, k), (k2, n), out = loops
    return k == k2 and out == [m, n] and len({m, n, k}) == 3


_TRANSPOSED = {(8, 4, 16), (8, 16, 4), (8, 8, 8), (16, 2, 16), (16, 16, 2), (16, 4, 8), (16, 8, 4), (32, 4, 4)}


def transposition(op: AnyOp, target: Target) -> Any:
    """Transposes a matrix in one register by one shuffle."""
    new, [value] = op.results[0].type, op.operands
    shape = list(value.type.shape)
    permutation = [int(n) for n in ir.DenseI64ArrayAttr(op.attributes["permutation"])]
    each = bit_width(value.type)
    if permutation != [1, 0] or (each, *shape) not in _TRANSPOSED:
        return None
    flat = ir.VectorType.get([shape[0] * shape[1]], value.type.element_type)
    whole = vector.shape_cast(flat, value)
    result = aievec.ShuffleOp(lhs=whole, mode=f"t{each}_{shape[0]}x{shape[1]}", result=flat).result
    return vector.shape_cast(new, result)


_FUNCTIONS: dict[str, Any] = {"math.exp": aievec.ExpOp, "math.tanh": aievec.TanhOp}


def function(op: AnyOp, target: Target) -> Any:
    """math.exp and math.tanh of bf16, where the core has instructions for them."""
    result, [value] = op.results[0].type, op.operands
    if not target.core.forms.functions or not is_bf16(result) or lanes(result) not in (16, 32):
        return None
    return _FUNCTIONS[op.name](source=value, result=result).result


def reciprocal_root(op: AnyOp, target: Target) -> Any:
    """math.rsqrt of an f32, where the core has an instruction for it."""
    result, [value] = op.results[0].type, op.operands
    if not target.core.forms.functions or isinstance(result, ir.VectorType) or not is_f32(result):
        return None
    return aievec.RsqrtOp(source=value, result=result).result


MOVES: dict[str, Rule] = {
    "arith.extsi": extended_integers,
    "arith.trunci": truncated_integers,
    "arith.extf": extended_floats,
    "arith.truncf": truncated_floats,
    "vector.broadcast": splat,
    "arith.constant": constant,
    "vector.reduction": reduction,
    "vector.contract": contraction,
    "vector.transpose": transposition,
    "math.exp": function,
    "math.tanh": function,
    "math.rsqrt": reciprocal_root,
}
