"""`transform.air.forall_with_reduce_to_parallel`: turns an scf.forall and a linalg.reduce of its results into a reducing
scf.parallel.
"""

from __future__ import annotations

from typing import Any

from allo_air.core.constants import index_constant
from allo_air.core.walking import is_inside
from allo_air.mlir import bufferization, ir, linalg, scf
from allo_air.transform.operations import Application

_COMBINERS = {"arith.addf": "linalg.add", "arith.addi": "linalg.add", "arith.mulf": "linalg.mul", "arith.muli": "linalg.mul"}


def apply(call: Application) -> list[list[ir.Operation]]:
    """Replaces an scf.forall and the linalg.reduce of its results by an scf.parallel that reduces in L1 buffers; returns it.

    Before: `%p = scf.forall (%k) in (4) shared_outs -> tensor<4x8xf32>; linalg.reduce(add) %p into %i : tensor<8xf32>`
    After:  `%r = scf.parallel (%k) init (%b) -> memref<8xf32, 2> { ...; scf.reduce(%part) { linalg.add } }`
    """
    loop = call.one(0)
    call.expect(loop, "scf.forall")
    reduces = [_reduce(call, loop, result) for result in loop.results]
    if not reduces:
        raise call.refuse("expects an scf.forall whose results linalg.reduce takes, found one without results", loop)
    with ir.InsertionPoint(reduces[-1]), loop.location:
        new = _parallel(call, loop, reduces)
    for reduce, result in zip(reduces, new.results, strict=True):
        with ir.InsertionPoint.after(new), loop.location:
            tensor = bufferization.to_tensor(reduce.results[0].type, result, restrict=True, writable=True)
        reduce.results[0].replace_all_uses_with(tensor)
        reduce.erase()
    loop.erase()
    return [[new]]


def _reduce(call: Application, loop: ir.Operation, result: ir.Value) -> ir.Operation:
    """The linalg.reduce of one of the loop's results along the dimension of its iterations."""
    users = [u.owner.operation for u in result.uses]
    if len(users) != 1 or users[0].name != "linalg.reduce" or len(users[0].results) != 1:
        raise call.refuse("expects each result to be used by one linalg.reduce, and by nothing else", loop, *users[:1])
    [user] = users
    names = [o.operation.name for o in user.regions[0].blocks[0].operations]
    if len(names) != 2 or names[0] not in _COMBINERS:
        raise call.refuse(f"expects a linalg.reduce that adds or multiplies, found {names[0]}", user)
    if user.block != loop.block:
        raise call.refuse("expects the linalg.reduce in the block of the loop", user)
    return user


def _parallel(call: Application, loop: ir.Operation, reduces: list[ir.Operation]) -> ir.Operation:
    block = loop.regions[0].blocks[0]
    rank = len(block.arguments) - len(loop.results)
    inserts = _inserts(call, loop, block, rank, reduces)
    bounds = []
    for name in ("staticLowerBound", "staticUpperBound", "staticStep"):
        numbers = list(loop.attributes[name])
        if any(n == ir.ShapedType.get_dynamic_size() for n in numbers):
            raise call.refuse("expects constant bounds", loop)
        bounds.append([index_constant(n, loop.location) for n in numbers])
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 2)
    inits = []
    for reduce in reduces:
        kind = reduce.operands[1].type
        type_ = ir.MemRefType.get(kind.shape, kind.element_type, None, space)
        inits.append(bufferization.to_buffer(type_, reduce.operands[1]))
    new = scf.ParallelOp([v.type for v in inits], *bounds, inits).operation
    if "mapping" in loop.attributes:
        new.attributes["mapping"] = loop.attributes["mapping"]
    body = new.regions[0].blocks.append(*[ir.IndexType.get()] * rank, arg_locs=[loop.location] * rank)
    outs = list(loop.operands)[len(loop.operands) - len(loop.results) :]
    for old, value in zip(block.arguments, [*body.arguments, *outs], strict=True):
        old.replace_all_uses_with(value)
    *ops, _end = [o.operation for o in block.operations]
    with ir.InsertionPoint(body):
        end = scf.ReduceOp([], 0).operation
    for op in ops:
        op.move_before(end)
    with ir.InsertionPoint(end):
        sources = zip(inserts, inits, strict=True)
        parts = [bufferization.to_buffer(init.type, source, read_only=True) for source, init in sources]
        _combine(parts, reduces)
    end.erase()
    return new


def _inserts(call: Application, loop: ir.Operation, block: ir.Block, rank: int, reduces: list[ir.Operation]) -> list[Any]:
    """The slice that each iteration inserts into each result; refuses anything except one slice of the reduced dimension."""
    end = block.operations[-1].operation
    inserts = [o.operation for o in end.regions[0].blocks[0].operations]
    results = []
    for n, reduce in enumerate(reduces):
        own_inserts = [i for i in inserts if i.operands[1] == block.arguments[rank + n]]
        if len(own_inserts) != 1:
            raise call.refuse("expects one tensor.parallel_insert_slice for each result", loop)
        [insert] = own_inserts
        source, type_ = insert.operands[0], reduce.operands[1].type
        sizes = list(insert.attributes["static_sizes"])
        reduced = list(reduce.attributes["dimensions"])
        whole = insert.operands[1].type.shape
        if source.type != type_ or any(s != (1 if d in reduced else whole[d]) for d, s in enumerate(sizes)):
            raise call.refuse("expects that each iteration makes one whole summand of the linalg.reduce", insert, reduce)
        trips = [whole[d] for d in reduced]
        uppers = list(loop.attributes["staticUpperBound"])
        if sorted(trips) != sorted(uppers) or not is_inside(insert, loop):
            raise call.refuse("expects as many iterations as the linalg.reduce has summands", loop, reduce)
        results.append(source)
    return results


def _combine(parts: list[Any], reduces: list[ir.Operation]) -> None:
    op = scf.ReduceOp(parts, len(parts))
    for part, reduce, region in zip(parts, reduces, op.regions, strict=True):
        name = _COMBINERS[reduce.regions[0].blocks[0].operations[0].operation.name]
        block = region.blocks.append(part.type, part.type, arg_locs=[reduce.location] * 2)
        with ir.InsertionPoint(block):
            left, right = block.arguments
            _elementwise(name, left, right)
            scf.ReduceReturnOp(left)


def _elementwise(name: str, left: ir.Value, right: ir.Value) -> None:
    (linalg.add if name == "linalg.add" else linalg.mul)(left, right, outs=[left])
