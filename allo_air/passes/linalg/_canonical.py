"""Rewrites a contraction with the loops m, n, k of a matrix multiplication, in this order. A vector becomes a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.match import NoMatch, no_match
from allo_air.core.names import set_function_type
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps
from allo_air.passes._ir.generic import generic, maps_attr
from allo_air.passes._ir.tensors import all_parallel, empty, filled
from allo_air.passes.linalg._contraction import Loops, Product, extents_of, loops_of_contraction
from allo_air.passes.linalg._elementwise import dependent_operations
from allo_air.passes.linalg._indexing import positions


def canonical(
    function: ir.Operation, op: ir.Operation, body: Product, column: bool = False, row: bool = False
) -> ir.Operation | NoMatch:
    """Replaces contraction `op` by a linalg.generic with the loops (outer loops, m, n, k), and returns it.

    A vector operand becomes a matrix of one row. With `column`, it becomes B as a matrix of one column if possible; with `row`,
    a matrix of one row is treated like a vector if there is no vector. The function's arguments and results, and the
    elementwise operations after the contraction, get the same dimensions.

    Before:

        %y = linalg.generic ins(%w, %x : tensor<33x16xf32>, tensor<16xf32>) outs(%init : tensor<33xf32>) // (i, j), (j), (i)

    After:

        %y = linalg.generic ins(%x, %w : tensor<1x16xf32>, tensor<33x16xf32>)
            outs(%new : tensor<1x33xf32>) // (m, k), (n, k), (m, n)
    """
    bits = [v.type.element_type.width for v in op.operands]
    loops = loops_of_contraction(indexing_maps(op), extents_of(op), min(bits) >= 32, column, row)
    if isinstance(loops, str):
        return no_match(op, loops)
    a, b, c = (positions(m) for m in indexing_maps(op))
    values, extended = list(op.operands), body.extensions
    if loops.swapped:
        a, b, values, extended = b, a, [values[1], values[0], values[2]], (extended[1], extended[0])
    dims = [_with_vector(a, "m", loops.m, loops.k), _with_vector(b, "n", loops.n, loops.k), _result(c, loops)]
    for value, each in zip(values[:2], dims[:2], strict=True):
        if failure := _expand(op, value, _added(each)):
            return failure
    added, chained = _added(dims[2]), dependent_operations(op)
    with ir.InsertionPoint(op), op.location:
        outs = filled(values[2].owner.operands[0], _transposed_type(_with_unit_dim(values[2].type, added), dims[2], c))
        new = _generic(_numbered(dims, loops), values[:2], outs, Product(extended, body.multiply, body.add))
    op.results[0].replace_all_uses_with(new.results[0])
    op.erase()
    for later in chained if added else ():
        _grow(later, added)
    set_function_type(function)
    return new


Dim = int | str
"""A loop of the contraction, or "m" or "n" for a missing one."""


def _with_vector(dims: list[int], name: str, own: int | None, k: int) -> list[Dim]:
    """The loops of an operand; a missing loop is inserted before k."""
    position = dims.index(k)
    return list(dims) if own is not None else [*dims[:position], name, *dims[position:]]


def _result(dims: list[int], loops: Loops) -> list[Dim]:
    if loops.n is None:
        return [*dims, "n"] if loops.m is not None else [*dims, "m", "n"]
    if loops.n in dims[:-1]:  # one row, which becomes one column: the same elements in the same order
        return [*dims[:-2], dims[-1], dims[-2]]
    return list(dims) if loops.m is not None else [*dims[:-1], "m", dims[-1]]


def _added(dims: list[Dim]) -> list[int]:
    return [number for number, loop in enumerate(dims) if isinstance(loop, str)]


def _numbered(dims: list[list[Dim]], loops: Loops) -> list[list[int]]:
    """The dimensions as numbers of the new loops."""
    order = (*loops.outer, "m" if loops.m is None else loops.m, "n" if loops.n is None else loops.n, loops.k)
    return [[order.index(loop) for loop in loops] for loops in dims]


def _with_unit_dim(kind: ir.RankedTensorType, positions: list[int]) -> ir.RankedTensorType:
    shape = list(kind.shape)
    for position in positions:
        shape.insert(position, 1)
    return ir.RankedTensorType.get(shape, kind.element_type)


def _transposed_type(kind: ir.RankedTensorType, dims: list[Dim], before: Sequence[Dim]) -> ir.RankedTensorType:
    """`kind`, the type of a result with the dimensions `before`, permuted to the order `dims`."""
    if len(dims) != len(before):
        return kind
    shape = list(kind.shape)
    return ir.RankedTensorType.get([shape[before.index(loop)] for loop in dims], kind.element_type)


def _expand(op: ir.Operation, value: ir.Value, positions: list[int]) -> NoMatch | None:
    """Inserts dimensions of extent 1 into argument `value` at `positions`. Fails if `op` is not its only user."""
    if not positions:
        return None
    if not isinstance(value, ir.BlockArgument) or any(use.owner.operation != op for use in value.uses):
        return no_match(
            op,
            f"multiplies {value.type} as a matrix of one row, which is also used elsewhere or is not an argument of the "
            "function; pass it as an argument of its own",
        )
    value.set_type(_with_unit_dim(value.type, positions))
    return None


def _grow(op: ir.Operation, positions: list[int]) -> None:
    """Inserts loops of extent 1 into an elementwise operation on the contraction's result, and dimensions into its result."""
    with ir.InsertionPoint(op), op.location:
        *ins, _ = indexing_maps(op)
        kind = _with_unit_dim(op.results[0].type, positions)
        rank = len(kind.shape)
        new = [d for d in range(rank) if d not in positions]
        dims = [ir.AffineDimExpr.get(d) for d in new]
        moved = [m.results for m in ins]
        results = [[e.compose(ir.AffineMap.get(rank, 0, dims)) for e in map_results] for map_results in moved]
        identity = ir.AffineMap.get_identity(rank)
        extended_maps = [
            identity if isinstance(v.type, ir.RankedTensorType) and list(v.type.shape) == list(kind.shape) and _is_computed(v)
            else ir.AffineMap.get(rank, 0, item)
            for v, item in zip(list(op.operands)[:-1], results, strict=True)
        ]  # fmt: skip
        op.attributes["indexing_maps"] = maps_attr((*extended_maps, identity))
        op.attributes["iterator_types"] = all_parallel(rank)
        op.operands[len(op.operands) - 1] = empty(kind)
        op.results[0].set_type(kind)


def _is_computed(value: ir.Value) -> bool:
    return not isinstance(value, ir.BlockArgument)


def _generic(numbered: list[list[int]], ins: list[ir.Value], outs: ir.Value, body: Product) -> Any:
    count = max(map(max, numbered)) + 1
    kinds = ["parallel"] * (count - 1) + ["reduction"]
    indexing = [ir.AffineMap.get(count, 0, [ir.AffineDimExpr.get(i) for i in dims]) for dims in numbered]
    wide = outs.type.element_type

    def added(values: list[ir.Value]) -> list[ir.Value]:
        factors = [
            v if not name else ir.Operation.create(name, [wide], [v]).results[0]
            for v, name in zip(values, body.extensions, strict=False)
        ]
        both = ir.Operation.create(body.multiply, [wide], factors).results[0]
        return [ir.Operation.create(body.add, [wide], [values[-1], both]).results[0]]

    return generic(ins, [outs], indexing, kinds, added)
