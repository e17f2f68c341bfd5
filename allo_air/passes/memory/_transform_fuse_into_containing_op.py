"""`transform.air.fuse_into_containing_op`: on buffers, unlike MLIR's."""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.loops import Loop
from allo_air.core.walking import ancestor_in, defining_op, is_inside, parents, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS
from allo_air.passes._analysis.structured import first_output, indexing_maps, is_structured, loop_extents
from allo_air.transform.operations import Application

_DYNAMIC = ir.ShapedType.get_dynamic_size()


def apply(call: Application) -> list[list[ir.Operation]]:
    """The producer, computed in the loop tile by tile; the tiles must cover its buffer.

    Before: `linalg.fill outs(%c); scf.forall (%i) { %s = memref.subview %c[%i, 0] [12, 28] [1, 1]; linalg.matmul outs(%s) }`
    After:  `scf.forall (%i) { %s = memref.subview %c[%i, 0] [12, 28] [1, 1]; linalg.fill outs(%s); linalg.matmul outs(%s) }`
    """
    if not call.targets[0]:
        return [[]]
    producer, loop = call.one(0), call.one(1)
    if not is_structured(producer) or len(producer.results) or _inits(producer) != 1:
        raise call.refuse("expects a linalg operation on buffers with one output as its producer", producer)
    init = list(producer.operands)[-1]
    tiles = [t for t in walk_named(loop, "memref.subview") if t.operands[0] == init]
    if not tiles:
        raise call.refuse("found no memref.subview of the producer's output in the containing operation", loop, producer)
    if problem := _problem(producer, loop, init, tiles):
        raise call.refuse(f"cannot compute the producer tile by tile: {problem}", producer, loop)
    with ir.InsertionPoint.after(tiles[0]), producer.location:
        result = _tiled(producer, tiles[0])
    producer.erase()
    return [[result]]


def _inits(op: ir.Operation) -> int:
    return len(op.operands) - first_output(op)


def _problem(producer: ir.Operation, loop: ir.Operation, init: ir.Value, tiles: list[ir.Operation]) -> str:
    """Why computing only the first of `tiles` in `loop` would leave another result in `init` than the producer does."""
    if any(str(t).split("=", 1)[1] != str(tiles[0]).split("=", 1)[1] for t in tiles[1:]):
        return "the loop uses different parts of its output"
    if ancestor_in(loop, producer.block) is None or not producer.is_before_in_block(ancestor_in(loop, producer.block)):
        return "it is not before the loop, in a block around it"
    for use in init.uses:
        user = use.owner.operation
        if user == producer or user.name == "memref.dealloc" or user in tiles:
            continue
        if is_inside(user, loop):
            return f"the loop also uses all of its output, in {user.name}"
        if user.name in VIEWS or (
            ancestor_in(user, producer.block) is not None
            and producer.is_before_in_block(ancestor_in(user, producer.block))
            and ancestor_in(user, producer.block).is_before_in_block(ancestor_in(loop, producer.block))
        ):
            return f"its output is used between it and the loop, in {user.name}"
    if _changed_between(producer, loop):
        return "a buffer that it reads is used between it and the loop"
    return "" if _covers(tiles[0], loop) else "the tiles do not cover its output exactly once"


def _changed_between(producer: ir.Operation, loop: ir.Operation) -> bool:
    inputs = [v for v in list(producer.operands)[:-1] if isinstance(v.type, ir.MemRefType)]
    outer = ancestor_in(loop, producer.block)
    for value in inputs:
        for use in value.uses:
            user = ancestor_in(use.owner.operation, producer.block)
            if user is None or user == producer or not producer.is_before_in_block(user):
                continue
            if user == outer or user.is_before_in_block(outer):
                return True
    return False


def _covers(tile: ir.Operation, loop: ir.Operation) -> bool:
    """Whether the loops from `loop` down to `tile` visit each element of its buffer exactly once."""
    loops = [p for p in parents(tile) if is_inside(p, loop)]
    if any(not p.name.startswith("scf.") or p.name in ("scf.if", "scf.while") for p in loops):
        return False
    ivs: dict[Any, Any] = {}
    for op in loops:
        result = Loop(op)
        for iv, (lower, upper, step) in zip(result.ivs, result.bounds(), strict=True):
            if lower is None or upper is None or step is None:
                return False
            ivs[iv] = (lower, upper, step)
    sizes, strides = list(tile.attributes["static_sizes"]), list(tile.attributes["static_strides"])
    shape = tile.operands[0].type.shape
    values = iter(list(tile.operands)[1:])
    used = set()
    for offset, size, stride, extent in zip(tile.attributes["static_offsets"], sizes, strides, shape, strict=True):
        if size == _DYNAMIC or stride != 1:
            return False
        if offset != _DYNAMIC:
            if offset != 0 or size != extent:
                return False
            continue
        iv, scale = _scaled(next(values))
        if iv not in ivs or iv in used:
            return False
        lower, upper, step = ivs[iv]
        used.add(iv)
        if lower != 0 or step * scale != size or -(-upper // step) * size != extent:
            return False
    return all(iv in used or -(-(upper - lower) // step) == 1 for iv, (lower, upper, step) in ivs.items())


def _scaled(value: ir.Value) -> tuple[Any, int]:
    """`value` as a multiple of another."""
    owner = defining_op(value)
    if owner is not None and owner.name == "affine.apply" and len(owner.operands) == 1:
        [expression] = owner.attributes["map"].value.results
        if isinstance(expression, ir.AffineMulExpr):
            product = ir.AffineBinaryExpr(expression)
            if isinstance(product.rhs, ir.AffineConstantExpr):
                return owner.operands[0], ir.AffineConstantExpr(product.rhs).value
    if owner is not None and owner.name == "arith.muli" and (factor := constant_of(owner.operands[1])) is not None:
        return owner.operands[0], factor
    return value, 1


def _tiled(producer: ir.Operation, tile: ir.Operation) -> ir.Operation:
    """The producer on the part of each operand that computes the elements of `tile`."""
    maps = indexing_maps(producer)
    extents = loop_extents(producer)
    values = iter(list(tile.operands)[1:])
    offsets: list[Any] = [0] * len(extents)
    sizes = list(extents)
    for expression, offset, size in zip(
        maps[-1].results, tile.attributes["static_offsets"], tile.attributes["static_sizes"], strict=True
    ):
        d = ir.AffineDimExpr(expression).position
        offsets[d] = next(values) if offset == _DYNAMIC else offset
        sizes[d] = size
    new = producer.clone()
    for n, (value, indexing) in enumerate(zip(list(producer.operands)[:-1], maps, strict=False)):
        if isinstance(value.type, ir.MemRefType):
            dims = [ir.AffineDimExpr(e).position for e in indexing.results]
            new.operands[n] = _subview(value, [offsets[d] for d in dims], [sizes[d] for d in dims])
    new.operands[len(new.operands) - 1] = tile.results[0]
    return new


def _subview(value: ir.Value, offsets: list[ir.Value], sizes: list[int]) -> Any:
    from allo_air.mlir import memref

    return memref.subview(value, offsets, sizes, [1] * len(sizes))
