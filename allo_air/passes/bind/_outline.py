"""Moves the body of a parallel loop into an isolated hierarchy operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from allo_air.core.constants import index_constant
from allo_air.core.loops import Dim, parallel_loop
from allo_air.core.walking import is_result_of, parents, walk_named, walk_pre_order
from allo_air.dialects._fields import SLOTS
from allo_air.dialects.air_values import is_token
from allo_air.errors import PassError
from allo_air.mlir import affine, ir
from allo_air.passes._analysis.parallel import ParallelLoop, select, view

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp

_CONSTANTS = ("arith.constant", "complex.constant", "func.constant", "ub.poison")
"""Operations that are cloned into a hierarchy instead of being passed to it."""


def candidates(root: Any, depth: int, target: str, inside: Sequence[str], containing: Sequence[str]) -> Iterator[ParallelLoop]:
    """The loops at `depth` in `root` that are to become `target`, except those inside of an operation in `inside` and those
    that contain one in `containing`.

    Loops without iterations are erased, with their bodies. Each loop is examined after its predecessor was rewritten. Loops
    that reduce tokens are already asynchronous AIR and stay.
    """
    loops = select(root, depth)[::-1]
    while loops:
        op = loops.pop()
        if any(p.name in inside for p in parents(op)) or walk_named(op, *containing) or any(map(is_token, op.results)):
            continue
        loop = view(op, target)
        if not loop.is_empty:
            yield loop
            continue
        while loops and op in parents(loops[-1]):
            loops.pop()
        for result, init in zip(op.results, loop.inits, strict=True):
            result.replace_all_uses_with(init)
        op.erase()


def check_no_reduction(loop: ParallelLoop, target: str) -> None:
    """Raises PassError if `loop` reduces values."""
    if loop.inits:
        raise PassError(
            f"cannot become {target}: it reduces values, and {target} returns none; write each iteration's value to a memref",
            loop.op.location,
            loop.op.name,
        )


def outline(
    loop: ParallelLoop, kind: Any, grid: Sequence[Dim], ops: list[ir.OpView], also: Iterable[ir.Value] = (), **fields: Any
) -> Any:
    """Moves `ops` of `loop` into a new operation of class `kind` before it, with one instance for each point of `grid`.

    Captured values become arguments, and those in `also` too; constants are cloned. Induction variables become ids, through an
    affine.apply for an scf.parallel, and if the dimension does not count 0, 1, 2, ... The caller erases the rest of the loop,
    and rewrites what does not verify in a hierarchy (`lower_affine_scope`).
    """
    location = loop.op.location
    with ir.InsertionPoint(loop.op):
        for number in (n for dim in grid for n in (dim.trips, 0, 1) if loop.op.name == "scf.parallel" and dim.iv is not None):
            index_constant(number, location)  # a constant for each lower bound 0, which mlir-air leaves in the IR
        sizes = [index_constant(dim.trips, location) for dim in grid]
    ivs = [dim.iv for dim in grid if dim.iv is not None]
    captured = _captured(ops, ivs, also)
    constants = [v for v in captured if is_result_of(v, *_CONSTANTS)]
    args = arranged([v for v in captured if v not in constants])
    new = kind.build(sizes, args, loc=location, ip=ir.InsertionPoint(loop.op), **fields)
    inside = dict(zip(args, new.body_args, strict=True))
    fill(new, ops, inside, constants)
    [*_, terminator] = new.block.operations
    with ir.InsertionPoint(ops[0] if ops else terminator):
        for dim, index in reversed(list(zip(grid, new.ids, strict=True))):  # after the constants, as in mlir-air
            if dim.iv is not None:
                dim.iv.replace_all_uses_with(_point(dim, index, location, always=loop.op.name == "scf.parallel"))
    return new


def wrapped(ops: list[Any], kind: Any, sizes: Sequence[ir.Value] = (), **fields: Any) -> Any:
    """Replaces `ops`, which are consecutive, by a new operation of class `kind` with `sizes` that contains them.

    Captured values become arguments, and constants are cloned.
    """
    captured = _captured(ops, [], [])
    constants = [v for v in captured if is_result_of(v, *_CONSTANTS)]
    args = arranged([v for v in captured if v not in constants])
    new = kind.build(list(sizes), args, loc=ops[0].location, ip=ir.InsertionPoint(ops[0]), **fields)
    fill(new, ops, dict(zip(args, new.body_args, strict=True)), constants)
    return new


def arranged(args: list[ir.Value]) -> list[Any]:
    """`args`, sorted by type if a hierarchy cannot represent as many changes of type as they have (see `_fields.SLOTS`)."""
    types = [str(v.type) for v in args]
    if len(list(groupby(types))) <= SLOTS:
        return args
    return sorted(args, key=lambda v: types.index(str(v.type)))


def fill(new: AnyOp, ops: list[Any], inside: dict[ir.Value, ir.Value], constants: Sequence[ir.Value] = ()) -> None:
    """Moves `ops` to the end of hierarchy `new`; values are replaced by `inside`, `constants` are cloned."""
    [*_, terminator] = new.block.operations
    for value in constants:
        inside[value] = value.owner.clone(ip=ir.InsertionPoint(terminator)).results[0]
    for op in ops:
        op.move_before(terminator)
        for inner in walk_pre_order(op):
            for n, value in enumerate(inner.operands):
                if value in inside:
                    inner.operands[n] = inside[value]


def parallel(dims: Sequence[Dim], location: ir.Location) -> Any:
    """An scf.parallel over `dims`, at the current insertion point, whose body is empty."""
    bounds = [[index_constant(getattr(d, name), location) for d in dims] for name in ("lower", "upper", "step")]
    with location:
        return parallel_loop(*bounds)


def apply(expression: Any, operands: list[Any], location: ir.Location) -> Any:
    """affine.apply of `expression` in dims d0, d1, ... on `operands`, at the current insertion point."""
    return affine.apply(ir.AffineMap.get(len(operands), 0, [expression]), operands, loc=location)


def _point(dim: Dim, index: ir.Value, location: ir.Location, *, always: bool) -> Any:
    """The counter of `dim` for id `index`; with `always`, a map is emitted even if it is the identity, as mlir-air does for
    scf.parallel.
    """
    if (dim.lower, dim.step) == (0, 1) and not always:
        return index
    return apply(ir.AffineDimExpr.get(0) * dim.step + dim.lower, [index], location)


def _captured(ops: list[ir.OpView], ivs: list[ir.Value], also: Iterable[ir.Value]) -> list[Any]:
    """Captured values of `ops`, in order of first use, followed by those of `also`; `ivs` do not count."""
    nested = [inner for op in ops for inner in walk_pre_order(op)]
    defined = set(ivs)
    for op in nested:
        defined.update(op.results)
        defined.update(a for region in op.regions for block in region.blocks for a in block.arguments)
    used = [v for op in nested for v in op.operands]
    return list(dict.fromkeys(v for v in [*used, *also] if v not in defined))
