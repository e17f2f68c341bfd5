"""Inlines tensors that are functions of their indices into the bodies that read them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allo_air.core.cloning import clone_body
from allo_air.core.elements import array_of, is_elements
from allo_air.core.walking import defining_op
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._ir.generic import Argument, Generic, generics, has_all_loops, rewrite
from allo_air.passes.simplify._boundary import is_boundary_cast
from allo_air.passes.simplify._scalars import constant

Build = Callable[[list[ir.Value]], Any]
"""Builds a value in the body of a generic."""


def inline_indices(function: AnyOp) -> None:
    """Computes position tables and causal masks in their users' bodies instead of storing them.

    Constants of integers that grow evenly along their dimensions are such tables: exported models have positions as constants.
    Casts of returned values are no such users, since the caller does them.

    Before:

        %n = linalg.generic outs(%e : tensor<8xi32>) { yield (arith.index_cast (linalg.index 0)) }
        %y = linalg.generic {(d0, d1) -> (d0, d1), (d0, d1) -> (d1), ...} ins(%x, %n) outs(%f) { ... %a, %b ... }

    After:

        %y = linalg.generic {(d0, d1) -> (d0, d1), ...} ins(%x) outs(%f) { %b = arith.index_cast (linalg.index 1) ... }
    """
    for generic in generics(function):
        if is_boundary_cast(generic.op):
            continue
        indices = [_indices(v, m) or _progression(v, m) for v, m in zip(generic.inputs, generic.maps, strict=False)]
        kept_inputs = [n for n, m in enumerate(indices) if m is None]
        count = len(generic.inputs)
        if len(kept_inputs) == count or not has_all_loops(
            [generic.maps[n] for n in (*kept_inputs, *range(count, len(generic.maps)))]
        ):
            continue
        places: list[Argument] = []
        for n, source in enumerate(indices):
            places.append(kept_inputs.index(n) if source is None else source)
        rewrite(
            generic,
            [(generic.inputs[n], generic.maps[n]) for n in kept_inputs],
            [*places, *range(len(kept_inputs), len(kept_inputs) + len(generic.outs))],
        )


def _indices(value: ir.Value, map_: ir.AffineMap) -> Build | None:
    """Builds `value` at the indices that `map_` gives, if a generic computes it from its indices alone."""
    result = defining_op(value, "linalg.generic")
    if result is None or len(result.results) != 1 or not _is_plain(map_):
        return None
    source = Generic.of(result)
    is_function_of_indices = not source.inputs and source.is_elementwise
    if not is_function_of_indices or any(o.name == "tensor.extract" for o in source.body):
        return None

    def build(_: list[ir.Value]) -> Any:
        copies, [result] = clone_body(source.block, {})
        for op in copies:
            if op.name == "linalg.index":
                with ir.InsertionPoint(op):
                    op.results[0].replace_all_uses_with(_index(map_.results[int(op.attributes["dim"].value)]))
                op.erase()
        return result

    return build


def _progression(value: ir.Value, map_: ir.AffineMap) -> Build | None:
    """Builds `value` at the indices that `map_` gives, if it is a constant of integers that grow evenly along dimensions."""
    result = defining_op(value, "arith.constant")
    if result is None or not is_elements(result.attributes["value"]) or not _is_plain(map_):
        return None
    element = value.type.element_type
    if not isinstance(element, ir.IntegerType) or element.width not in (8, 16, 32, 64):
        return None
    if 0 in value.type.shape or max(value.type.shape, default=0) <= 2:
        return None
    sum_ = _even_steps(array_of(result.attributes["value"]))
    if sum_ is None:
        return None

    def build(_: list[ir.Value]) -> Any:
        number = constant(sum_[0], ir.IndexType.get())
        for step, e in zip(sum_[1], map_.results, strict=True):
            if step:
                number = arith.addi(arith.muli(_index(e), constant(step, ir.IndexType.get())), number)
        return arith.index_cast(element, number)

    return build


def _even_steps(array: np.ndarray) -> tuple[int, list[int]] | None:
    """The first element of `array` and the step along each of its dimensions, if these determine all elements; else None.

    Two elements are no progression: any two numbers would be one.
    """
    first, corner = int(array.flat[0]), tuple(slice(0, 3) for _ in array.shape)
    steps = [int(np.take(array, 1, axis).flat[0]) - first if extent > 1 else 0 for axis, extent in enumerate(array.shape)]
    if any(step and extent <= 2 for step, extent in zip(steps, array.shape, strict=True)):
        return None
    for part in (array[corner], array):  # most tables of other numbers differ in their first elements
        grid = np.ogrid[tuple(slice(0, extent) for extent in part.shape)]
        if not np.array_equal(part, first + sum(step * axis for step, axis in zip(steps, grid, strict=True))):
            return None
    return first, steps


def _is_plain(map_: ir.AffineMap) -> bool:
    return all(isinstance(e, ir.AffineDimExpr | ir.AffineConstantExpr) for e in map_.results)


def _index(e: ir.AffineExpr) -> Any:
    """The index that `e`, a dimension or constant, is in the loops of a generic."""
    if isinstance(e, ir.AffineDimExpr):
        return linalg.IndexOp(ir.AffineDimExpr(e).position).result
    return constant(ir.AffineConstantExpr(e).value, ir.IndexType.get())
