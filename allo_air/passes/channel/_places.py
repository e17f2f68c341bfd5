"""The place of an operation among hierarchies, and the place that its memory requires."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import parents
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.memory import space

LEVELS = {"air.herd": 2, "air.segment": 1, "air.launch": 0, "air.rank": 0}
"""The memory space that belongs to a hierarchy; buffers farther away are reached through channels."""
GRIDS = ("air.segment", "air.herd")
LOOPS = ("scf.for", "scf.parallel", "scf.forall", "affine.for", "affine.parallel", "scf.while")


def level(op: ir.Operation) -> int:
    """The smallest memory space that transfers at `op` may access."""
    return next((LEVELS[p.name] for p in parents(op) if p.name in LEVELS), 0)


def space_at(op: ir.Operation, memref: ir.Value) -> int:
    """Memory space of `memref`, an operand of `op`."""
    try:
        return space(memref.type)
    except ValueError as wrong:
        raise error_at(op, f"{wrong}; write 0 or none for L3, 1 for L2, 2 for L1") from None


def grids(op: AnyOp) -> list[ir.Operation]:
    """The segments and herds around `op`, outermost first."""
    return [p for p in parents(op) if p.name in GRIDS][::-1]


def home_of(op: AnyOp, memory: int) -> Any:
    """The outermost hierarchy around `op` that a transfer on memory space `memory` must leave."""
    outside = [g for g in grids(op) if LEVELS[g.name] > memory]
    return outside[0] if outside else None


def path(top: ir.Operation, op: ir.Operation) -> tuple[ir.Operation, ...]:
    """The operations from `top` down to `op`, both included."""
    ops = [op.operation]
    for p in parents(op):
        ops.append(p)
        if p == top:
            break
    return tuple(ops[::-1])


def shape_of(grid: ir.Operation) -> tuple[int, ...]:
    """The sizes of a segment or herd; raises PassError if one is not constant."""
    sizes = [known_index(v) for v in grid.opview.sizes]
    for n, size in enumerate(sizes):
        if size is None:
            raise error_at(
                grid,
                f"size {n} is not constant, and the channels of the copies in it need the grid's shape;"
                " give it a constant size, or run canonicalize first if it folds to a constant",
            )
    return tuple(int(s) for s in sizes if s is not None)


def known_index(value: ir.Value) -> int | None:
    """The constant that `value` equals, also through sizes and arguments of hierarchies; None if it is not constant."""
    while isinstance(value, ir.BlockArgument):
        passed = passed_for(value)
        if passed is None:
            return None
        value = passed
    return constant_of(value)


def passed_for(argument: ir.BlockArgument) -> ir.Value | None:
    """The operand of a hierarchy that the block argument `argument` receives; None for ids and for other blocks."""
    owner = argument.owner.owner.operation
    if owner.name not in LEVELS:
        return None
    op, rank, number = owner.opview, len(owner.opview.sizes), argument.arg_number
    if number < rank:
        return None
    return op.sizes[number - rank] if number < 2 * rank else op.args[number - 2 * rank]


def branch(outer: ir.Operation, inner: ir.Operation) -> int:
    """The number of the region of `outer` that contains `inner`."""
    block = inner.block
    for number, region in enumerate(outer.regions):
        if any(b == block for b in region.blocks):
            return number
    raise AssertionError("the two are parent and child")


def shared_loop(first: tuple[ir.Operation, ...], second: tuple[ir.Operation, ...]) -> ir.Operation | None:
    """The outermost loop on both paths, or None."""
    common = [a for a, b in zip(first, second, strict=False) if a == b]
    return next((op for op in common if op.name in LOOPS), None)
