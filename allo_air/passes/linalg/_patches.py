"""Convolutions whose windows do not overlap, as matrix products."""

from __future__ import annotations

from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.mlir import ir, tensor
from allo_air.passes._analysis.structured import indexing_maps, loop_extents
from allo_air.passes._ir.generic import generic as new_generic
from allo_air.passes._ir.packing import copy_by
from allo_air.passes._ir.tensors import filled

Axes = list[int]
"""The loops that the dimensions of a tensor follow, in its order."""


def as_product(generic: ir.Operation) -> Any:
    """The product that replaces the convolution `generic`, which starts at zero, if its windows do not overlap.

    None for others: other strides, dilation, groups, and dynamic sizes.

    Before:

        %r = linalg.generic {(n, c, 4 y + u, 4 x + v), (f, c, u, v), (n, f, y, x)} ins(%i, %w : tensor<1x3x32x32xf32>, ...)

    After:

        %e = tensor.expand_shape %i [[0], [1], [2, 3], [4, 5]] : ... into tensor<1x3x8x4x8x4xf32>
        %t = linalg.generic {...} ins(%e) // (n, y, x, c, u, v)
        %p = linalg.generic {(p, k), (f, k), (p, f)} ins(%t collapsed : tensor<64x48xf32>, %w collapsed) { product, sum }
        %r = linalg.generic {...} ins(%p expanded) // (n, f, y, x)
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
    with ir.InsertionPoint(generic), generic.location:
        sides = [
            _matrix(_expanded(_cut(image, window_axes, extents), window_axes, extents), of_image, pixels, sums, extents),
            _matrix(weights, of_weights, channels, sums, extents),
        ]
        kind = generic.results[0].type
        rows, columns = (prod(extents[d] for d in loops) for loops in (pixels, channels))
        flat = ir.RankedTensorType.get([rows, columns], kind.element_type)
        init = filled(generic.operands[2].owner.operands[0], flat)
        p, f, k = (ir.AffineDimExpr.get(n) for n in range(3))
        arrays = [ir.AffineMap.get(3, 0, m) for m in ([p, k], [f, k], [p, f])]
        [old] = generic.regions[0].blocks

        def body(arguments: list[ir.Value]) -> list[Any]:
            return clone_body(old, dict(zip(old.arguments, arguments, strict=True)))[1]

        result = new_generic(sides, [init], arrays, ["parallel", "parallel", "reduction"], body)
    return result, [*pixels, *channels], of_result, extents


def arranged_matrix(value: ir.Value, have: Axes, want: Axes, extents: list[int]) -> Any:
    """A matrix whose rows or columns are the collapsed loops `have`, as a tensor of the loops `want`."""
    kind = ir.RankedTensorType.get([extents[d] for d in have], value.type.element_type)
    rows = value.type.shape[0]
    count = next(n for n in range(1, len(have)) if prod(extents[d] for d in have[:n]) == rows)
    groups = [list(range(count)), list(range(count, len(have)))]
    return _transposed(tensor.expand_shape(kind, value, groups, [], kind.shape), have, want, extents)


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


def _matrix(value: ir.Value, have: Axes, rows: Axes, columns: Axes, extents: list[int]) -> Any:
    """A tensor of the loops `have` as a matrix, with the loops of `rows` and of `columns` collapsed."""
    value = _transposed(value, have, [*rows, *columns], extents)
    kind = ir.RankedTensorType.get([prod(extents[d] for d in loops) for loops in (rows, columns)], value.type.element_type)
    return tensor.collapse_shape(kind, value, [list(range(len(rows))), list(range(len(rows), len(have)))])


def _transposed(value: ir.Value, have: Axes, want: Axes, extents: list[int]) -> Any:
    if have == want:
        return value
    indexing = ir.AffineMap.get(len(want), 0, [ir.AffineDimExpr.get(want.index(d)) for d in have])
    return copy_by(value, indexing, [extents[d] for d in want])
