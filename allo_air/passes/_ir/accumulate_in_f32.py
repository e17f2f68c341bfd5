"""Makes sums and products of bf16 and f16 round once, at the end; sums of products of short integers wrap once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import defining_op, is_result_of, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._ir.generic import Generic, generic, generics
from allo_air.passes._ir.named import generalize_named
from allo_air.passes._ir.tensors import empty, filled

_OPS = ("arith.addf", "arith.mulf")
_SHORT = (8, 16)
"""Bits of integers whose products the cores sum in 32 bits (docs/sources.md#core-kernels)."""


def widen_sums(function: AnyOp) -> None:
    """Accumulates sums and products of a narrower float type in f32; products that are summed are computed in f32, too.

    Sums of products of i8 and i16 in these types are accumulated in i32, whose low bits are the same.

    Before:

        %s = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%z : tensor<8xbf16>) { yield (arith.addf %out, %in) }

    After:

        %w = linalg.generic ins(%x : tensor<8x64xbf16>) outs(%f : tensor<8xf32>) { yield (arith.addf %out, (arith.extf %in)) }
        %s = linalg.generic ins(%w : tensor<8xf32>) outs(%e : tensor<8xbf16>) { yield (arith.truncf %in) }
    """
    generalize_named(function, [op for op in walk_pre_order(function) if _is_low_precision(op)])
    for generic_op in generics(function):
        if (join := _sum(generic_op)) is not None:
            _accumulate_wide(generic_op, join)


def _is_low_precision(op: AnyOp) -> bool:
    """Whether a named matrix product, or a convolution, accumulates in a type narrower than f32, or i32."""
    if not op.name.startswith("linalg.") or op.name == "linalg.generic" or len(op.results) != 1:
        return False
    kind = op.results[0].type
    if not isinstance(kind, ir.RankedTensorType) or _accumulation_type(kind.element_type) is None:
        return False
    return "conv_" in op.name or linalg.isa_contraction_op(op)


def _sum(generic_op: Generic) -> Any:
    """The operation that adds to, or multiplies, the accumulator in a type narrower than f32; for integers it must add
    products.
    """
    if "reduction" not in generic_op.iterators or len(generic_op.outs) != 1:
        return None
    [value], so_far = generic_op.yielded, generic_op.arguments[-1]
    if _accumulation_type(value.type) is None or isinstance(value, ir.BlockArgument):
        return None
    op = value.owner.operation
    is_only_user = len(list(value.uses)) == 1 and len(list(so_far.uses)) == 1
    is_sum = op.name in _OPS or (op.name == "arith.addi" and _product(op) is not None)
    return op if is_sum and op.block == generic_op.block and is_only_user and so_far in list(op.operands) else None


def _accumulation_type(kind: ir.Type) -> Any:
    """The accumulation type for `kind`; None if that is `kind` itself."""
    if isinstance(kind, ir.BF16Type | ir.F16Type):
        return ir.F32Type.get()
    return ir.IntegerType.get_signless(32) if isinstance(kind, ir.IntegerType) and kind.width in _SHORT else None


def _extension(value: ir.Value) -> Any:
    """The operation that extends a shorter integer to `value`; None for other values."""
    return defining_op(value, "arith.extsi", "arith.extui")


def _extended(wide: ir.Type, value: ir.Value, mapping: dict[ir.Value, ir.Value]) -> Any:
    """`value`, or its replacement in `mapping`, extended to `wide`. If `value` is an extended integer, its source is extended
    instead.
    """
    result = _extension(value)
    if result is not None:
        source = result.operands[0]
        return ir.Operation.create(result.name, [wide], [mapping.get(source, source)]).results[0]
    here = mapping.get(value, value)
    return arith.extsi(wide, here) if isinstance(wide, ir.IntegerType) else arith.extf(wide, here)


def _accumulate_wide(generic_op: Generic, join: AnyOp) -> None:
    out = generic_op.outs[0]
    wide = _accumulation_type(out.type.element_type)
    integers = isinstance(wide, ir.IntegerType)
    multiply, add = (arith.muli, arith.addi) if integers else (arith.mulf, arith.addf)
    kind = ir.RankedTensorType.get(out.type.shape, wide)
    here = [ir.AffineMap.get_identity(len(kind.shape))] * 2
    iterators = ["parallel"] * len(kind.shape)

    def body(values: list[ir.Value]) -> list[Any]:
        mapping = dict(zip(generic_op.arguments, values, strict=True))
        product = _product(join)
        factors = [result for v in product.operands if (result := _extension(v)) is not None] if product is not None else []
        for op in generic_op.body:
            if op in factors and len(list(op.results[0].uses)) == 1:
                continue
            if product is not None and op == product:
                mapping[op.results[0]] = multiply(*(_extended(wide, v, mapping) for v in op.operands))
            elif op != join:
                clone(op, mapping)
        so_far = generic_op.arguments[-1]
        rest = [mapping.get(v, v) for v in join.operands if v != so_far]
        operands = [mapping[so_far], *(v if v.type == wide else _extended(wide, v, {}) for v in rest)]
        return [ir.Operation.create(join.name, [wide], operands).results[0]]

    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        # The initial value of a sum of products is added last: passes for matrix multiplications expect that form.
        later = [out] if _product(join) is not None and not _is_fill(out) else []
        start = filled(arith.constant(wide, 0 if integers else 0.0), kind) if later else _wide_init(out, kind, here, iterators)
        result = generic(generic_op.inputs, [start], generic_op.maps, generic_op.iterators, body)

        def narrowed(values: list[ir.Value]) -> list[Any]:
            total = add(values[0], _extended(wide, values[1], {})) if later else values[0]
            return [(arith.trunci if integers else arith.truncf)(out.type.element_type, total)]

        narrow = generic([*result.results, *later], [empty(out.type)], [*here, *here[: len(later)]], iterators, narrowed)
    generic_op.op.results[0].replace_all_uses_with(narrow.results[0])
    generic_op.op.erase()


def _product(join: AnyOp) -> Any:
    """The product that `join`, an addition, adds, if nothing else uses it; otherwise None."""
    products = ("arith.mulf", "arith.muli")
    ops = [v.owner.operation for v in join.operands if is_result_of(v, *products)]
    candidates = [op for op in ops if op.block == join.block and len(list(op.results[0].uses)) == 1]
    return candidates[0] if join.name in ("arith.addf", "arith.addi") and candidates else None


def _is_fill(out: ir.Value) -> bool:
    return is_result_of(out, "linalg.fill")


def _wide_init(out: ir.Value, kind: ir.RankedTensorType, maps: Sequence[ir.AffineMap], iterators: list[str]) -> Any:
    """The initial value in the wide type."""
    wide = kind.element_type
    if not _is_fill(out):
        return generic([out], [empty(kind)], maps, iterators, lambda values: [_extended(wide, values[0], {})]).results[0]
    value = out.owner.operands[0]
    if is_result_of(value, "arith.constant"):
        return filled(arith.constant(wide, value.owner.attributes["value"].value), kind)
    return filled(_extended(wide, value, {}), kind)
