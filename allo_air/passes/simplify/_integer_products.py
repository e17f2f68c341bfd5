"""Rewrites matrix products and convolutions of dequantized values as integer products, followed by the scaling.

With x = s (q - z) and y = t (r - w), for integers q and r, scales s and t and zero points z and w, the sum of x y is
s t sum (q - z) (r - w). The integer product has operands in i8 if only one of z and w is not 0 and the other operand is a
constant: sum (q - z) r = sum q r - z sum r, and the sums of r are known. Otherwise the operands are q - z and r - w in i16.
Sums are in i32.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from allo_air.core.elements import elements_attr
from allo_air.core.walking import is_unused
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.zeros import is_filled_with_zeros, is_zero
from allo_air.passes._ir.generic import generic
from allo_air.passes._ir.tensors import empty, filled
from allo_air.passes.simplify._evaluate import constant_array
from allo_air.passes.simplify._quantized import Quantized, arranged_by_loops, quantized

_MAX_I32 = 2**31 - 1


@dataclass(frozen=True)
class Factor:
    """An operand of an integer product."""

    operand: Quantized
    layout: Any
    """The map from the loops to its dimensions."""
    bits: int
    """Bits of the integers that are multiplied, 8 or 16."""
    zeros: Any
    """The zero points that are not yet subtracted from these integers."""
    array: Any
    """The integers, if they are constants; otherwise None."""
    largest: int
    """The largest possible magnitude of an integer."""

    def value(self) -> Any:
        """The tensor of integers, computed at the insertion point."""
        kind = ir.RankedTensorType.get(self.operand.shape, ir.IntegerType.get_signless(self.bits))
        if self.array is not None:
            return arith.constant(kind, elements_attr(self.array, kind, "weights"))
        if self.bits == 8 and self.operand.signed is not False:
            return self.operand.make()
        offset = int(self.zeros) if self.bits > 8 else 0

        def body(values: list[ir.Value]) -> list[Any]:
            if self.bits == 8:
                return [arith.xori(values[0], _integer(-128, 8))]
            extend = arith.extui if self.operand.signed is False else arith.extsi
            wide = extend(ir.IntegerType.get_signless(self.bits), values[0])
            return [arith.subi(wide, _integer(offset, self.bits)) if offset else wide]

        rank = len(kind.shape)
        maps = [ir.AffineMap.get_identity(rank)] * 2
        return generic([self.operand.make()], [empty(kind)], maps, ["parallel"] * rank, body).results[0]


def rewrite_as_integers(op: AnyOp) -> None:
    """Rewrites the f32 product `op` if both operands are scaled integers."""
    if len(op.operands) != 3 or not _adds_products(op, ("arith.mulf", "arith.addf")) or op.operands[0] == op.operands[1]:
        return
    values = [g for v in list(op.operands)[:2] if (g := quantized(v)) is not None and g.zeros is not None]
    maps = _maps(op)
    if len(values) < 2 or maps is None:
        return
    scale = np.ones([1] * maps[2].n_dims)
    for operand, layout in zip(values, maps, strict=False):
        spread = arranged_by_loops(operand.scale, layout, maps[2].n_dims)
        if spread is None or not _is_of_results(spread, maps[2]):
            return
        scale = scale * spread
    with ir.InsertionPoint(op), op.location:
        product = _product(op, [(g, g.zeros, m) for g, m in zip(values, maps, strict=False)], maps)
        if product is not None:
            _replace(op, *product, _results_of(scale, maps[2]))


def remove_zero_points(op: AnyOp) -> None:
    """Rewrites a named operation with zero-point operands (`linalg.quantized_matmul`, `..._q`), if these are constants.

    The first one may also be a computed number, as in dynamic quantization, if the second operand is a constant: the number
    times the sums of the second operand is subtracted from the product.
    """
    name = op.name.replace("quantized_", "").removesuffix("_q")
    operands = list(op.operands)
    points = [constant_array(v) for v in operands[2:4]]
    values = [g for v in operands[:2] if (g := quantized(v)) is not None]
    if len(operands) != 5 or points[1] is None or len(values) < 2 or not hasattr(linalg, name[7:]):
        return
    is_computed = points[0] is None
    if is_computed:
        points[0] = np.int64(0)
    maps = _maps(op, (0, 1, 4))
    if maps is None:
        return
    shapes = [[1] * len(g.shape) for g in values]
    zeros = [np.full(s, int(p), np.int64) for s, p in zip(shapes, points, strict=True)]
    factors = _i16_factors(list(zip(values, zeros, maps, strict=False))) if is_computed else None
    weight_sums = None if factors is None else _sums(factors[1], op, maps)
    if is_computed and weight_sums is None:
        return
    with ir.InsertionPoint(op), op.location:
        product = _product(op, list(zip(values, zeros, maps, strict=False)), maps, name)
        if product is not None:
            computed = None if weight_sums is None else (operands[2], _results_of(weight_sums, maps[2]))
            _replace(op, *product, None, computed)


def _product(
    op: AnyOp, values: list[tuple[Quantized | np.ndarray | ir.AffineMap, ...]], maps: list[ir.AffineMap], name: str = ""
) -> tuple[Any, Any] | None:
    """The sum of the integer products in i32, and the array to subtract from it; None if i32 could overflow.

    `values` has, for both operands, the quantized value, the zero points and the map. `name` is the operation without zero
    points.
    """
    loops = maps[2].n_dims
    factors = _i8_factors(values) or _i16_factors(values)
    if factors is None:
        return None
    extents = _extents(op, maps)
    steps = math.prod(n for d, n in extents.items() if d not in _dims(maps[2]))
    if steps * factors[0].largest * factors[1].largest > _MAX_I32 or len(extents) != loops:
        return None
    subtrahend: Any = np.zeros([1] * loops, np.int64)
    for factor, rest in (factors, factors[::-1]):
        if factor.bits == 8 and np.any(factor.zeros):
            sums = _sums(rest, op, maps)
            zeros = arranged_by_loops(factor.zeros, factor.layout, loops)
            if sums is None or zeros is None or not _is_of_results(zeros, maps[2]):
                return None
            subtrahend = subtrahend + zeros * sums
    kind = ir.RankedTensorType.get(op.results[0].type.shape, ir.IntegerType.get_signless(32))
    zero = filled(_integer(0, 32), kind)
    operands = [factors[0].value(), factors[1].value(), zero]
    attributes = {
        a: op.attributes[a] for a in op.attributes if a not in ("operandSegmentSizes", "linalg.memoized_indexing_maps")
    }
    attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([2, 1])
    new = ir.Operation.create(name or op.name, [kind], operands, attributes, regions=1)
    element = kind.element_type
    block = new.regions[0].blocks.append(*[v.type.element_type for v in operands])
    with ir.InsertionPoint(block):
        a, b, c = block.arguments
        total = arith.addi(c, arith.muli(arith.extsi(element, a), arith.extsi(element, b)))
        linalg.YieldOp([total])
    return new.results[0], _results_of(subtrahend, maps[2])


def _sums(factor: Factor, op: AnyOp, maps: list[ir.AffineMap]) -> Any:
    """The sums of a factor's constant integers over the loops that the result lacks, with an axis for each loop; None if it is
    no constant.
    """
    loops = maps[2].n_dims
    integers = None if factor.array is None else arranged_by_loops(factor.array.astype(np.int64), factor.layout, loops)
    if integers is None:
        return None
    extents = _extents(op, maps)
    axes = tuple(d for d in range(loops) if d not in _dims(maps[2]))
    return integers.sum(axis=axes, keepdims=True) * math.prod(extents[d] for d in axes if integers.shape[d] == 1)


def _i8_factors(values: list[Any]) -> tuple[Factor, Factor] | None:
    """Both operands in i8. None if an operand has a zero point, unless the other one is a constant without zero point.

    Unsigned integers become signed by flipping the sign bit, which subtracts 128 from value and zero point.
    """
    results = []
    for operand, zeros, layout in values:
        if operand.signed is False:
            zeros = zeros - 128
        array = operand.array
        if array is not None:
            array = array.astype(np.int64) + (0 if operand.signed is not False else np.where(array < 0, 128, -128))
            difference = array - zeros
            if difference.min() >= -128 and difference.max() <= 127:
                array, zeros = difference, 0 * zeros
        results.append(Factor(operand, layout, 8, zeros, array, 128))
    a, b = results
    fits = all(not np.any(x.zeros) or (y.array is not None and not np.any(y.zeros)) for x, y in ((a, b), (b, a)))
    return (a, b) if fits else None


def _i16_factors(values: list[Any]) -> tuple[Factor, Factor] | None:
    """Both operands in i16, with their zero points subtracted. None if the zero points of a non-constant operand differ."""
    results = []
    for operand, zeros, layout in values:
        array = operand.array
        if array is not None:
            array = (array.view(np.uint8) if operand.signed is False else array).astype(np.int64) - zeros
        elif zeros.size > 1:
            return None
        results.append(Factor(operand, layout, 16, zeros.item() if zeros.size == 1 else zeros, array, 255 + 128))
    return results[0], results[1]


def _replace(
    op: AnyOp,
    sums: ir.Value,
    subtrahend: np.ndarray,
    scale: np.ndarray | None,
    computed: tuple[ir.Value, np.ndarray] | None = None,
) -> None:
    """Replaces the result of `op` by (`sums` - `subtrahend`) * `scale` plus the init of `op`; `scale` is None for integers.

    The product of `computed`, a number in i32 and an array, is also subtracted.
    """
    kind = op.results[0].type
    rank = len(kind.shape)
    inputs, maps = [sums], [ir.AffineMap.get_identity(rank)]
    init = op.operands[len(op.operands) - 1]

    def constant(array: np.ndarray, element: ir.F32Type | ir.IntegerType) -> Any:
        """A scalar constant if `array` has one element; otherwise the number of a new input with these elements."""
        if array.size == 1:
            value = array.item()
            return arith.constant(element, float(value) if isinstance(element, ir.F32Type) else int(value))
        dims = [d for d in range(rank) if array.shape[d] > 1]
        shape = ir.RankedTensorType.get([array.shape[d] for d in dims], element)
        inputs.append(arith.constant(shape, elements_attr(array.reshape(shape.shape), shape, "weights")))
        maps.append(ir.AffineMap.get(rank, 0, [ir.AffineDimExpr.get(d) for d in dims]))
        return len(inputs) - 1

    subtracted = constant(subtrahend, ir.IntegerType.get_signless(32)) if np.any(subtrahend) else None
    factor = constant(scale.astype(np.float32), kind.element_type) if scale is not None else None
    weights = constant(computed[1], ir.IntegerType.get_signless(32)) if computed is not None else None
    start = None
    if not (is_zero(init) or is_filled_with_zeros(init)):
        inputs.append(init)
        maps.append(ir.AffineMap.get_identity(rank))
        start = len(inputs) - 1

    def body(values: list[ir.Value]) -> list[Any]:
        def element(operand: int | ir.Value) -> Any:
            return values[operand] if isinstance(operand, int) else operand

        result = values[0] if subtracted is None else arith.subi(values[0], element(subtracted))
        if computed is not None and weights is not None:
            result = arith.subi(result, arith.muli(computed[0], element(weights)))
        if factor is not None:
            result = arith.mulf(arith.sitofp(kind.element_type, result), element(factor))
        if start is not None:
            result = (arith.addi if factor is None else arith.addf)(result, element(start))
        return [result]

    result = generic(inputs, [empty(kind)], [*maps, ir.AffineMap.get_identity(rank)], ["parallel"] * rank, body)
    op.results[0].replace_all_uses_with(result.results[0])
    op.erase()


def _adds_products(op: AnyOp, names: tuple[str, str]) -> bool:
    """Whether the body adds the product of the two inputs to the destination, in f32."""
    if len(op.regions) != 1 or not op.regions[0].blocks:
        return False
    block = op.regions[0].blocks[0]
    body = [o.operation for o in block.operations]
    return (
        [o.name for o in body] == [*names, "linalg.yield"]
        and set(body[0].operands) == set(list(block.arguments)[:2])
        and set(body[1].operands) == {body[0].results[0], block.arguments[2]}
        and all(isinstance(a.type, ir.F32Type) for a in block.arguments)
        and not is_unused(block.arguments[2])
    )


def _maps(op: AnyOp, operands: tuple[int, ...] = (0, 1, 2)) -> list[Any] | None:
    """The maps of the two inputs and of the result, whose results are loops."""
    indexing_maps = op.attributes.get("indexing_maps", None) or linalg.get_indexing_maps(op)
    listed = [getattr(m, "value", m) for m in indexing_maps or ()]
    if len(listed) <= max(operands):
        return None
    maps = [listed[n] for n in operands]
    return maps if all(isinstance(e, ir.AffineDimExpr) for e in maps[2].results) else None


def _dims(layout: ir.AffineMap) -> list[int]:
    return [ir.AffineDimExpr(e).position for e in layout.results]


def _extents(op: AnyOp, maps: list[ir.AffineMap]) -> dict[int, int]:
    """The extents of the loops in an operand's dimensions."""
    extents: dict[int, int] = {}
    for value, layout in zip((op.operands[0], op.operands[1], op.results[0]), maps, strict=True):
        for size, expr in zip(value.type.shape, layout.results, strict=True):
            if isinstance(expr, ir.AffineDimExpr):
                extents[ir.AffineDimExpr(expr).position] = size
    return extents


def _is_of_results(array: np.ndarray, layout: ir.AffineMap) -> bool:
    """Whether an array with one axis for each loop varies only along dimensions of the result."""
    return all(n == 1 or d in _dims(layout) for d, n in enumerate(array.shape))


def _results_of(array: np.ndarray, layout: ir.AffineMap) -> Any:
    """An array with one axis for each loop, as one with an axis for each dimension of the result."""
    dims = _dims(layout)
    unit_dims = [d for d in range(array.ndim) if d not in dims]
    return np.transpose(array, [*dims, *unit_dims]).reshape([array.shape[d] for d in dims])


def _integer(value: int, bits: int) -> Any:
    element = ir.IntegerType.get_signless(bits)
    return arith.constant(element, ir.IntegerAttr.get(element, value))
