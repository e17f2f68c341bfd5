"""Moves a loop around a herd into the herd, whose cores then run it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.constants import constant_of
from allo_air.core.walking import is_unused
from allo_air.dialects.air import L1, HerdOp, HerdTerminatorOp
from allo_air.dialects.air_values import ASYNC, is_join, is_token
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.memory import is_in
from allo_air.passes._analysis.parallel import CONDITIONS
from allo_air.passes._ir.leave_loop import is_outside
from allo_air.passes._ir.tokens import add_deps, deps_of, joined, token_of, without_joins


def sink_into_herd(loop: AnyOp) -> Any:
    """Turns `scf.for` `loop`, whose body is a herd, into a herd whose body is that loop; returns `loop` itself if that is
    impossible.

    The herd may share no buffer with the outside, since cores would start their next iteration independently and could
    overtake others. An L1 buffer that is allocated before the loop is private to each core.

    Before:

        scf.for %k = %c0 to %c4 step %c1 {
          air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) { BODY }
        }

    After:

        air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {
          scf.for %k = %c0 to %c4 step %c1 { BODY }
        }
    """
    block = loop.regions[0].blocks[0]
    body = [o.operation for o in block.operations][:-1]
    herds = [HerdOp(op) for op in body if op.name == "air.herd"]
    rest = [op for op in body if op.name != "air.herd"]
    if len(herds) != 1 or not all(is_pure(op) or is_join(op) for op in rest) or not all(map(is_token, loop.results)):
        return loop
    [herd] = herds
    if any(_is_shared(a, loop) for a in herd.args):
        return loop
    if any(not is_outside(v, loop) for v in herd.sizes):
        return loop
    return _sunk(loop, herd, [op for op in rest if is_pure(op)])


def _is_shared(argument: ir.Value, loop: AnyOp) -> bool:
    """Whether `argument` orders the cores' iterations, or is memory that another core accesses."""
    if not isinstance(argument.type, (ir.MemRefType, ir.UnrankedMemRefType)):
        return is_token(argument)
    allocated = isinstance(argument, ir.OpResult) and argument.owner.name in ("memref.alloc", "air.execute")
    return not (is_in(argument.type, L1) and allocated and is_outside(argument, loop))


def _sunk(loop: Any, herd: HerdOp, pure: Sequence[AnyOp]) -> Any:
    outer = [v for v in _needed(loop, herd, pure) if constant_of(v) is None]
    inits = without_joins([*list(loop.operands)[3:], *(d for d in herd.deps if is_outside(d, loop))])
    attributes = {name: value for name, value in herd.attributes.items() if name != "operandSegmentSizes"}
    own = {name: attributes.pop(name).value for name in ("sym_name", "link_with") if name in attributes}
    new = HerdOp.build(
        list(herd.sizes),
        outer,
        deps=inits,
        token=herd.token is not None,
        loc=herd.location,
        ip=ir.InsertionPoint(loop),
        attributes=attributes,
        **own,
    )
    end = ir.InsertionPoint(list(new.block.operations)[-1])
    mapped = dict(zip(outer, new.body_args, strict=True))
    for value in _needed(loop, herd, pure):
        if value not in mapped:
            mapped[value] = value.owner.operation.clone(ip=end).results[0]
    _fill(new, loop, herd, pure, mapped, end)
    for result in loop.results:
        result.replace_all_uses_with(new.token if new.token is not None else joined(inits, loop))
    loop.erase()
    return new.operation


def _needed(loop: scf.ForOp, herd: HerdOp, pure: Sequence[AnyOp]) -> list[Any]:
    """The captured values of `loop` that the loop inside the herd uses: bounds, arguments, and operands of `pure`."""
    used = [*list(loop.operands)[:3], *herd.args, *(v for op in pure for v in op.operands)]
    return list(dict.fromkeys(v for v in used if is_outside(v, loop)))


def _fill(
    new: HerdOp, loop: scf.ForOp, herd: HerdOp, pure: Sequence[AnyOp], mapped: dict[ir.Value, ir.Value], end: ir.InsertionPoint
) -> None:
    """Builds the loop inside `new` and moves the herd's body into it."""
    is_async = any(o.operation.name in ASYNC for o in herd.block.operations)
    seeds = [joined([], end)] if is_async else []
    inner = scf.ForOp(*(mapped[v] for v in list(loop.operands)[:3]), seeds, loc=loop.location, ip=end)
    block = inner.body
    mapped[loop.regions[0].blocks[0].arguments[0]] = inner.induction_variable
    for op in pure:
        ip = ir.InsertionPoint(block)
        clone = op.clone(ip=ip)
        for n, value in enumerate(clone.operands):
            if value in mapped:
                clone.operands[n] = mapped[value]
        mapped.update(zip(op.results, clone.results, strict=True))
    olds = [*herd.ids, *herd.size_args, *herd.body_args]
    news = [*new.ids, *new.size_args, *(mapped[a] for a in herd.args)]
    for old, value in zip(olds, news, strict=True):
        old.replace_all_uses_with(value)
    for op in [o.operation for o in herd.block.operations]:
        if op.name == HerdTerminatorOp.OPERATION_NAME:
            continue
        op.detach_from_parent()
        ir.InsertionPoint(block).insert(op)
    with ir.InsertionPoint(block), loop.location:
        if not is_async:
            scf.YieldOp([])
            return
    _carry(block, inner.inner_iter_args[0])


def _carry(block: ir.Block, carried: ir.Value) -> None:
    """Makes the operations in `block` that wait for no transfer wait for `carried`, and yields a token that follows all of
    them.
    """
    for op in _asynchronous(block):
        if op.name != "air.wait_all" and not _allocates(op) and all(_is_allocation(d) for d in without_joins(deps_of(op))):
            add_deps(op, [carried])
    ends = [t for o in block.operations if (t := token_of(o.operation)) is not None and is_unused(t)]
    with ir.InsertionPoint(block):
        loc = block.owner.location
        token = joined(ends, ir.InsertionPoint(block)) if ends else carried
        scf.YieldOp([token], loc=loc)


def _asynchronous(block: ir.Block) -> list[Any]:
    """The asynchronous operations of `block` and of the conditionals in it; for a loop, the loop."""
    async_ops: list[Any] = []
    for view in list(block.operations):
        op = view.operation
        if op.name in ASYNC or op.name == "scf.for":
            async_ops.append(op)
        elif op.name in CONDITIONS:
            async_ops += [inner for region in op.regions for b in region.blocks for inner in _asynchronous(b)]
    return async_ops


def _allocates(op: AnyOp) -> bool:
    return op.name == "air.execute" and any(o.operation.name == "memref.alloc" for o in op.regions[0].blocks[0].operations)


def _is_allocation(token: ir.Value) -> bool:
    return isinstance(token, ir.OpResult) and _allocates(token.owner.operation)
