"""Builds `affine.for` loops with constant bounds, nests of them, and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.loops import Dim, dim_of
from allo_air.core.walking import walk_named
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir

LABEL = "affine_opt_label"
"""Attribute of a loop by which affine passes select it, as in mlir-air."""


def affine_for(
    lower: tuple[ir.AffineMap, Sequence[ir.Value]],
    upper: tuple[ir.AffineMap, Sequence[ir.Value]],
    step: int,
    attributes: dict[str, ir.StringAttr] | None = None,
) -> ir.Operation:
    """An `affine.for` without results at the insertion point, its body empty; a bound is a map and its operands."""
    (low, low_args), (up, up_args) = lower, upper
    index = ir.IndexType.get()
    op = ir.Operation.create(
        "affine.for",
        [],
        [*low_args, *up_args],
        {
            **(attributes or {}),
            "lowerBoundMap": ir.AffineMapAttr.get(low),
            "upperBoundMap": ir.AffineMapAttr.get(up),
            "step": ir.IntegerAttr.get(index, step),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(low_args), len(up_args), 0]),
        },
        regions=1,
    )
    block = op.regions[0].blocks.append(index, arg_locs=[op.location])
    ir.Operation.create("affine.yield", ip=ir.InsertionPoint(block), loc=op.location)
    return op


def constant(number: int) -> tuple[Any, Sequence[Any]]:
    """A constant bound."""
    return ir.AffineMap.get_constant(number), ()


def body_of(loop: ir.Operation) -> ir.Block:
    """The block of a loop."""
    return loop.regions[0].blocks[0]


def perfect_nest(loop: ir.Operation) -> list[ir.Operation]:
    """The perfect nest of `loop`: `loop`, and each inner loop that is the only operation of its parent loop's body."""
    nest = [loop]
    while True:
        inner_ops = [o.operation for o in body_of(nest[-1]).operations]
        if [o.name for o in inner_ops] != ["affine.for", "affine.yield"]:
            return nest
        nest.append(inner_ops[0])


def tile(nest: Sequence[ir.Operation], ranges: Sequence[Dim], sizes: Sequence[int], label: str) -> None:
    """Replaces `nest` by loops over tiles and loops within a tile, around the innermost body. The outermost gets `label`."""
    outermost, innermost = nest[0], nest[-1]
    point, ivs = ir.InsertionPoint(outermost), []
    for i, (dim, size) in enumerate(zip(ranges, sizes, strict=True)):
        attributes = {LABEL: ir.StringAttr.get(label, outermost.context)} if label and not i else {}
        with point, nest[i].location:
            result = affine_for(constant(dim.lower), constant(dim.upper), dim.step * size, attributes)
        ivs.append(body_of(result).arguments[0])
        point = ir.InsertionPoint.at_block_terminator(body_of(result))
    inner = []
    for loop, iv, dim, size in zip(nest, ivs, ranges, sizes, strict=True):
        with point, loop.location:
            d0 = ir.AffineExpr.get_dim(0)
            ends = [d0 + dim.step * size, ir.AffineExpr.get_constant(dim.upper)]
            even = dim.trips % size == 0
            result = affine_for(
                (ir.AffineMap.get(1, 0, [d0]), [iv]), (ir.AffineMap.get(1, 0, ends[:1] if even else ends), [iv]), dim.step
            )
        inner.append(result)
        point = ir.InsertionPoint.at_block_terminator(body_of(result))
    move_body(innermost, inner[-1])
    for old, new in zip(nest, inner, strict=True):
        body_of(old).arguments[0].replace_all_uses_with(body_of(new).arguments[0])
    outermost.erase()


def labelled(op: AnyOp, label: str, depth: int | None = None) -> list[list[ir.Operation]]:
    """The perfect nests in `op` whose outermost loop has label `label`, or any label if that is empty; of each, the first
    `depth` loops.
    """
    ops: list[list[ir.Operation]] = []
    for loop in walk_named(op, "affine.for"):
        is_wanted = LABEL in loop.attributes and label in ("", loop.attributes[LABEL].value)
        if is_wanted and not any(loop in nest for nest in ops):
            ops.append(perfect_nest(loop)[:depth])
    return ops


def dims_of(nest: Sequence[ir.Operation], done: str) -> list[Dim]:
    """The dimensions of the loops of `nest`. Raises DiagnosticError if bounds are not constant or a loop returns values.

    The message says that the nest cannot be `done`: "reordered", for example.
    """
    dims = []
    for loop in nest:
        dim = dim_of(loop, number_of)
        if dim is None or len(loop.results):
            raise error_at(loop, f"cannot be {done}: its bounds are not constant, or it returns values; run canonicalize first")
        dims.append(dim)
    return dims


def empty_nest(dims: Sequence[Dim], labels: Sequence[str] = ()) -> list[ir.Operation]:
    """A nest of empty loops over `dims`, outermost first, at the insertion point; the first ones have `labels`."""
    ops: list[ir.Operation] = []
    for n, dim in enumerate(dims):
        attributes = {LABEL: ir.StringAttr.get(labels[n])} if n < len(labels) and labels[n] else {}
        ip = ir.InsertionPoint.at_block_terminator(body_of(ops[-1])) if ops else ir.InsertionPoint.current
        with ip:
            ops.append(affine_for(constant(dim.lower), constant(dim.upper), dim.step, attributes))
    return ops


def move_body(old: ir.Operation, new: ir.Operation) -> None:
    """Moves the operations of loop `old`, except its terminator, to the end of loop `new`."""
    end = list(body_of(new).operations)[-1].operation
    for op in [o.operation for o in body_of(old).operations][:-1]:
        op.move_before(end)


def check_even(nest: Sequence[ir.Operation], ranges: Sequence[Dim], sizes: Sequence[int]) -> None:
    """Raises DiagnosticError if a size in `sizes` does not divide the trip count of its loop."""
    for loop, dim, size in zip(nest, ranges, sizes, strict=True):
        if dim.trips % size:
            raise error_at(
                loop,
                f"has {counted(dim.trips, 'iteration')}, and partial tiles of {size} are not separated; choose "
                f"a divisor of {dim.trips}",
            )
