"""Convolutions whose windows do not overlap, as matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import is_result_of
from allo_air.mlir import ir, tensor
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._analysis.structured import indexing_maps, is_structured, loop_extents, reductions
from allo_air.passes._ir.generic import generic as new_generic
from allo_air.passes._ir.packing import copy_by
from allo_air.passes._ir.tensors import empty, filled

_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape")
Axes = list[int]
"""The loops that the dimensions of a tensor follow, in its order."""


@dataclass(frozen=True)
class Product:
    """A matrix product `op` that replaces a convolution. Its result has the loops `rows` and `columns`, that of the convolution
    the loops `order`, all with extents `extents`.
    """

    op: ir.Operation
    rows: Axes
    columns: Axes
    order: Axes
    extents: list[int]

    def arranged(self, value: ir.Value) -> Any:
        """A matrix like the product's result, as the convolution's result."""
        have, count = [*self.rows, *self.columns], len(self.rows)
        if _same_order(have, self.order, self.extents):
            have, rows = self.order, value.type.shape[0]
            count = next((n for n in range(1, len(have)) if prod(self.extents[d] for d in have[:n]) == rows), 0)
        kind = ir.RankedTensorType.get([self.extents[d] for d in have], value.type.element_type)
        groups = [list(range(count)), list(range(count, len(have)))]
        if not count:  # loops of one step are elsewhere in the order
            flat = ir.RankedTensorType.get([prod(kind.shape)], kind.element_type)
            value, groups = tensor.collapse_shape(flat, value, [[0, 1]]), groups[1:]
        return _transposed(tensor.expand_shape(kind, value, groups, [], kind.shape), have, self.order, self.extents)

    def followed_by(self, op: ir.Operation, read: ir.Value) -> Any:
        """The elementwise `op`, which reads the convolution's result `read`, on the product's result, before it is arranged.

        None if an operand has other loops than the rows, the columns or none.
        """
        maps = indexing_maps(op) if op.name == "linalg.generic" and len(op.results) == 1 and not any(reductions(op)) else []
        if not maps or maps[-1] != ir.AffineMap.get_identity(len(self.order)) or read == op.operands[len(maps) - 1]:
            return None
        dims = [ir.AffineDimExpr.get(n) for n in range(2)]
        values, arrays = list[Any](), list[ir.AffineMap]()
        for value, indexing in zip(list(op.operands)[:-1], maps, strict=False):
            along = _dimensions(indexing)
            loops = None if along is None else [self.order[d] for d in along]
            if value == read and indexing == maps[-1]:
                value, results = self.op.results[0], dims
            elif loops == []:
                results = []
            elif loops is not None and len(loops) == 1 and loops in (self.rows, self.columns):
                results = [dims[loops == self.columns]]
            else:
                return None
            values.append(value)
            arrays.append(ir.AffineMap.get(2, 0, results))
        [old] = op.regions[0].blocks
        if list(old.arguments[len(values)].uses) or any(o.operation.name == "linalg.index" for o in old.operations):
            return None
        kind = ir.RankedTensorType.get(list(self.op.results[0].type.shape), op.results[0].type.element_type)

        def body(arguments: list[ir.Value]) -> list[Any]:
            return clone_body(old, dict(zip(old.arguments, arguments, strict=True)))[1]

        return new_generic(values, [empty(kind)], [*arrays, ir.AffineMap.get_identity(2)], ["parallel"] * 2, body)


def as_product(generic: ir.Operation) -> Product | None:
    """The product that replaces the convolution `generic`, which starts at zero, if its windows do not overlap.

    None for others: other strides, dilation, groups, and dynamic sizes. The rows of the product are the windows; they are the
    channels if the result then needs no transposition. The caller arranges the windows of an image that is an argument.

    Before:

        %r = linalg.generic {(n, c, 4 y + u, 4 x + v), (f, c, u, v), (n, f, y, x)} ins(%i, %w : tensor<1x3x32x32xf32>, ...)

    After:

        %e = tensor.expand_shape %i [[0], [1], [2, 3], [4, 5]] : ... into tensor<1x3x8x4x8x4xf32>
        %t = linalg.generic {...} ins(%e) // (n, y, x, c, u, v)
        %p = linalg.generic {(f, k), (p, k), (f, p)} ins(%w collapsed, %t collapsed : tensor<64x48xf32>) { product, sum }
        %r = tensor.expand_shape %p [[0, 1], [2, 3]] : ... // (n, f, y, x)
    """
    image, weights = list(generic.operands)[:2]
    extents, maps = loop_extents(generic), indexing_maps(generic)
    window_axes = _window_axes(maps[0], list(image.type.shape), extents)
    axes = [_dimensions(m) for m in maps[1:]]
    if window_axes is None or None in axes or not _is_static(generic):
        return None
    of_weights, of_result = axes
    assert of_weights is not None and of_result is not None, "looked at"
    of_image = [loop for group in window_axes for loop in group]
    pixels = [d for d in of_image if d in of_result and d not in of_weights]
    sums = [d for d in of_image if d in of_weights and d not in of_result]
    channels = [d for d in of_weights if d in of_result and d not in of_image]
    if not (pixels and sums and channels):
        return None
    if sorted((*pixels, *sums, *channels)) != list(range(len(extents))) or len(pixels) + len(sums) < len(of_image):
        return None
    rows_are_channels = _same_order([*channels, *pixels], of_result, extents) and not _is_transposed(generic.results[0])
    with ir.InsertionPoint(generic), generic.location:
        covered = _cut(image, window_axes, extents)
        mark = MOVED_BY_HOST if _is_argument(covered) else ""
        sides = [
            _matrix(_expanded(covered, window_axes, extents), of_image, pixels, sums, extents, mark),
            _matrix(weights, of_weights, channels, sums, extents),
        ]
        order = [1, 0] if rows_are_channels else [0, 1]
        sides = [sides[n] for n in order]
        kind = generic.results[0].type
        flat = ir.RankedTensorType.get([side.type.shape[0] for side in sides], kind.element_type)
        init = filled(generic.operands[2].owner.operands[0], flat)
        m, n, k = (ir.AffineDimExpr.get(d) for d in range(3))
        arrays = [ir.AffineMap.get(3, 0, results) for results in ([m, k], [n, k], [m, n])]
        [old] = generic.regions[0].blocks

        def body(arguments: list[ir.Value]) -> list[Any]:
            inner = [*(arguments[n] for n in order), arguments[2]]
            return clone_body(old, dict(zip(old.arguments, inner, strict=True)))[1]

        result = new_generic(sides, [init], arrays, ["parallel", "parallel", "reduction"], body)
    return Product(result, *((channels, pixels) if rows_are_channels else (pixels, channels)), of_result, extents)


def _same_order(one: Axes, other: Axes, extents: list[int]) -> bool:
    """Whether tensors of these loops have the same order of elements: loops of one step do not matter."""
    return [d for d in one if extents[d] > 1] == [d for d in other if extents[d] > 1]


def _is_transposed(value: ir.Value) -> bool:
    """Whether a reader of `value` permutes its dimensions, perhaps after reshapes and elementwise operations."""
    for use in value.uses:
        op = use.owner.operation
        follows = op.name in _VIEWS
        if is_structured(op) and not any(reductions(op)) and len(op.results) == 1:
            maps = indexing_maps(op)
            if maps[use.operand_number] != maps[-1]:
                return True
            follows = True
        if follows and _is_transposed(op.results[0]):
            return True
    return False


def _is_argument(value: ir.Value) -> bool:
    """Whether `value` is an argument of the function, or a view of one."""
    while is_result_of(value, *_VIEWS):
        value = value.owner.operands[0]
    return isinstance(value, ir.BlockArgument) and value.owner.owner.operation.name == "func.func"


def _is_static(generic: ir.Operation) -> bool:
    return all(isinstance(v.type, ir.RankedTensorType) and v.type.has_static_shape for v in generic.operands)


def _dimensions(indexing: ir.AffineMap) -> Axes | None:
    """The loops that are the results of a map; None if a result is anything else."""
    results = [ir.AffineDimExpr(e).position for e in indexing.results if isinstance(e, ir.AffineDimExpr)]
    return results if len(results) == len(indexing.results) == len(set(results)) else None


def _window_axes(indexing: ir.AffineMap, shape: list[int], extents: list[int]) -> list[Axes] | None:
    """The loops of each dimension of an image: one, or a pixel's and a window's with a stride equal to the window length.

    None if there is no window, or windows overlap.
    """
    axes: list[Axes] = []
    for expression in indexing.results:
        loops = _strided(expression)
        if loops is None or loops[0][1] != 1:
            return None
        if len(loops) > 1 and loops[1][1] != extents[loops[0][0]]:
            return None
        axes.append([d for d, _ in reversed(loops)])
    sizes = [prod(extents[d] for d in group) for group in axes]
    wide = any(len(group) > 1 and extents[group[1]] > 1 for group in axes)
    return axes if wide and all(size <= value for size, value in zip(sizes, shape, strict=True)) else None


def _strided(expression: ir.AffineExpr) -> list[tuple[int, int]] | None:
    """The loops that an expression adds, with the factor of each, the smallest first; None for other expressions."""
    if isinstance(expression, ir.AffineDimExpr):
        return [(ir.AffineDimExpr(expression).position, 1)]
    if isinstance(expression, ir.AffineMulExpr):
        dim, factor = expression.lhs, expression.rhs
        if isinstance(dim, ir.AffineDimExpr) and isinstance(factor, ir.AffineConstantExpr):
            return [(ir.AffineDimExpr(dim).position, ir.AffineConstantExpr(factor).value)]
    if isinstance(expression, ir.AffineAddExpr):
        sides = [_strided(e) for e in (expression.lhs, expression.rhs)]
        loops = sorted((loop for side in sides if side is not None for loop in side), key=lambda loop: loop[1])
        if None not in sides and len(loops) == 2:
            return loops
    return None


def _cut(image: ir.Value, groups: list[Axes], extents: list[int]) -> Any:
    """The part of an image that the windows cover."""
    sizes = [prod(extents[d] for d in group) for group in groups]
    if sizes == list(image.type.shape):
        return image
    kind = ir.RankedTensorType.get(sizes, image.type.element_type)
    zeros, ones = [0] * len(sizes), [1] * len(sizes)
    return tensor.ExtractSliceOp(kind, image, [], [], [], zeros, sizes, ones).result


def _expanded(image: ir.Value, groups: list[Axes], extents: list[int]) -> Any:
    sizes = [extents[d] for group in groups for d in group]
    numbers = iter(range(len(sizes)))
    kind = ir.RankedTensorType.get(sizes, image.type.element_type)
    return tensor.expand_shape(kind, image, [[next(numbers) for _ in group] for group in groups], [], sizes)


def _matrix(value: ir.Value, have: Axes, rows: Axes, columns: Axes, extents: list[int], mark: str = "") -> Any:
    """A tensor of the loops `have` as a matrix, with the loops of `rows` and of `columns` collapsed. The operation that
    permutes its dimensions gets the attribute `mark`.
    """
    moved = _transposed(value, have, [*rows, *columns], extents)
    if mark and moved != value:
        moved.owner.attributes[mark] = ir.UnitAttr.get()
    kind = ir.RankedTensorType.get([prod(extents[d] for d in loops) for loops in (rows, columns)], value.type.element_type)
    return tensor.collapse_shape(kind, moved, [list(range(len(rows))), list(range(len(rows), len(have)))])


def _transposed(value: ir.Value, have: Axes, want: Axes, extents: list[int]) -> Any:
    if have == want:
        return value
    indexing = ir.AffineMap.get(len(want), 0, [ir.AffineDimExpr.get(want.index(d)) for d in have])
    return copy_by(value, indexing, [extents[d] for d in want])
