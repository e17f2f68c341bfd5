"""Rebuilds loops and branches of a launch around the host's transfers, with events instead of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from allo_air.core.affine import IntegerSet
from allo_air.core.diagnostics import error_at
from allo_air.core.folding import number_of
from allo_air.core.loops import dim_of
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import is_token
from allo_air.dialects.airrt import WaitAllOp
from allo_air.mlir import arith, ir, scf
from allo_air.passes._ir.affine_loops import LABEL, affine_for, body_of, constant
from allo_air.passes.runtime._expand import expression
from allo_air.passes.runtime._hazards import Accesses
from allo_air.passes.runtime._host_ops import EVENT, has_air, is_for_device, loop_attributes, selects_channel
from allo_air.passes.runtime._memcpy import MemcpyBuilder


class Converter(Protocol):
    """The interface of a function's converter that this file uses."""

    map: dict[Any, Any]
    events: dict[Any, frozenset[int]]
    accesses: Accesses
    memcpy: MemcpyBuilder
    done: list[Any]

    def mapped(self, value: ir.Value) -> Any: ...

    def event_of(self, tokens: Sequence[ir.Value]) -> Any: ...

    def body(self, block: ir.Block) -> Any: ...

    def convert(self, op: ir.Operation) -> None: ...

    def clone(self, op: ir.Operation) -> None: ...


def loop(c: Converter, op: ir.Operation) -> None:
    """Converts `scf.for`: it is unrolled if its index selects a channel, and erased if it has no transfers."""
    block = body_of(op)
    iv, *carried = block.arguments
    inits = list(op.operands)[3:]
    if not c.accesses.moves(op):
        return without_transfers(c, op, inits)
    if selects_channel(op, iv):
        return _unrolled(c, op, iv, carried, inits)
    return _carrying(c, op, [c.mapped(v) for v in list(op.operands)[:3]], inits)


def _carrying(c: Converter, op: ir.Operation, numbers: Sequence[ir.Value], inits: list[ir.Value]) -> None:
    """An scf.for with lower bound, upper bound and step `numbers`, and the initial values `inits`."""
    block = body_of(op)
    values = [c.event_of([v]) if is_token(v) else c.mapped(v) for v in inits]
    new = scf.ForOp(*numbers, values)
    for name, attribute in loop_attributes(op).items():
        new.operation.attributes[name] = attribute
    inner = new.body
    c.map.update(zip(block.arguments, inner.arguments, strict=True))
    before = frozenset[int]().union(*(c.events.get(g, frozenset()) for g in values))
    coming = c.accesses.feeding(block.operations[-1].operands)
    for argument, init in zip(list(inner.arguments)[1:], values, strict=True):
        c.events[argument] = before | coming if str(init.type) == EVENT else frozenset()
    with ir.InsertionPoint(inner):
        terminator = c.body(block)
        out = [c.event_of([v]) if is_token(v) else c.mapped(v) for v in (terminator.operands if terminator else [])]
        scf.YieldOp(out)
    for old, result, init, value in zip(op.results, new.results, values, out, strict=True):
        c.map[old] = result
        c.events[result] = c.events.get(init, frozenset()) | c.events.get(value, frozenset())
        c.done.append(result)


def without_transfers(c: Converter, op: ir.Operation, inits: Sequence[ir.Value]) -> None:
    for herd in walk_named(op, "air.herd"):
        if any(not isinstance(v.type, ir.ShapedType) for v in herd.opview.args):
            raise error_at(
                herd, "gets scalar arguments inside a loop of the segment; the host cannot pass them there: unroll it"
            )
        c.convert(herd)
    tokens = [v for v in inits if is_token(v)]
    for result in op.results:
        if is_token(result):
            c.map[result] = c.event_of(tokens)
    if not has_air(op) and not is_for_device(op):
        c.clone(op)


def _unrolled(c: Converter, op: ir.Operation, iv: ir.Value, carried: Sequence[object], inits: list[ir.Value]) -> None:
    low, up, step = (number_of(c.mapped(v)) for v in list(op.operands)[:3])
    if low is None or up is None or step is None:
        raise error_at(op, "picks channels by its index and has bounds that are not constant; expected constants")
    values = [c.mapped(v) for v in inits]
    for i in range(low, up, step):
        c.map[iv] = c.memcpy.constant(i, "index")
        c.map.update(zip(carried, values, strict=True))
        terminator = c.body(body_of(op))
        values = [c.mapped(v) for v in terminator.operands] if terminator is not None else []
    c.map.update(zip(op.results, values, strict=True))


def parallel(c: Converter, op: ir.Operation) -> None:
    """Converts `scf.parallel` to loops in the order of its indices; its events are joined."""
    block = body_of(op)
    rank = len(block.arguments)
    operands = list(op.operands)
    inits = operands[3 * rank :]
    if not c.accesses.moves(op):
        return without_transfers(c, op, inits)
    groups = [[c.mapped(v) for v in operands[i * rank : (i + 1) * rank]] for i in range(3)]
    unroll = any(selects_channel(op, iv) for iv in block.arguments)
    events: list[ir.Value] = []
    _nest(c, op, list(zip(block.arguments, *groups, strict=True)), unroll, events)
    here = ir.InsertionPoint.current.block
    reachable = [e for e in events if e.owner.operation.block == here]
    for result in op.results:
        c.map[result] = _joined(c, reachable)
    return None


def _joined(c: Converter, events: list[ir.Value]) -> ir.OpResult:
    op_result = WaitAllOp(events=events, event=True).event
    c.events[op_result] = frozenset[int]().union(*(c.events.get(e, frozenset()) for e in events))
    return op_result


def _nest(c: Converter, op: ir.Operation, axes: list[tuple[ir.Value, ...]], unroll: bool, events: list[ir.Value]) -> None:
    if not axes:
        terminator = c.body(body_of(op))
        if terminator is not None:
            events += [c.mapped(v) for v in terminator.operands if is_token(v)]
        return
    (iv, low, up, step), *rest = axes
    if unroll:
        numbers = [number_of(v) for v in (low, up, step)]
        if None in numbers:
            raise error_at(op, "picks channels by its index and has bounds that are not constant; expected constants")
        for i in range(*numbers):  # type: ignore[arg-type]
            c.map[iv] = c.memcpy.constant(i, "index")
            _nest(c, op, rest, unroll, events)
        return
    start = WaitAllOp(events=[], event=True).event
    new = scf.ForOp(low, up, step, [start])
    inner = new.body
    c.map[iv] = inner.arguments[0]
    with ir.InsertionPoint(inner):
        results: list[Any] = []
        _nest(c, op, rest, unroll, results)
        joined = _joined(c, [inner.arguments[1], *results])
        scf.YieldOp([joined])
    c.events[new.results[0]] = c.events[joined]
    c.done.append(new.results[0])
    events.append(new.results[0])


def branch(c: Converter, op: ir.Operation) -> None:
    """Converts `scf.if`, `scf.index_switch` and `affine.if`. The set of an affine.if becomes a condition, since not all loops
    are affine."""
    if not c.accesses.moves(op):
        return without_transfers(c, op, [])
    condition = _holds(c, op) if op.name.endswith("affine.if") or op.name == "air.affine_if" else c.mapped(op.operands[0])
    name = "scf.index_switch" if op.name == "scf.index_switch" else "scf.if"
    types = [ir.Type.parse(EVENT) if is_token(r) else r.type for r in op.results]
    attributes = {n: a for n, a in op.attributes.items() if n == "cases"}
    new = ir.Operation.create(name, types, [condition], attributes, regions=len(op.regions))
    outs: list[list[Any]] = []
    for old_region, region in zip(op.regions, new.regions, strict=True):
        blocks = list(old_region.blocks)
        if not blocks and not types:
            continue
        with ir.InsertionPoint(region.blocks.append()):
            terminator = c.body(blocks[0]) if blocks else None
            operands = terminator.operands if terminator is not None else []
            outs.append([c.event_of([v]) if is_token(v) else c.mapped(v) for v in operands])
            scf.YieldOp(outs[-1])
    for old, result, *values in zip(op.results, new.results, *outs, strict=False):
        c.map[old] = result
        c.events[result] = frozenset[int]().union(*(c.events.get(v, frozenset()) for v in values))
        c.done.append(result)
    return None


def _holds(c: Converter, op: ir.Operation) -> Any:
    result = IntegerSet.of(op.attributes["condition"])
    values = [c.mapped(v) for v in op.operands]
    whole = None
    for constraint in result.constraints:
        value = expression(constraint.expression, values[: result.dims], values[result.dims :])
        predicate = arith.CmpIPredicate.eq if constraint.is_equality else arith.CmpIPredicate.sge
        holds = arith.cmpi(predicate, value, c.memcpy.constant(0, "index"))
        whole = holds if whole is None else arith.AndIOp(whole, holds).result
    return whole if whole is not None else c.memcpy.constant(1, "i1")


def affine_loop(c: Converter, op: ir.Operation) -> None:
    result = dim_of(op, number_of)
    if not c.accesses.moves(op):
        return without_transfers(c, op, list(op.operands)[len(op.operands) - len(op.results) :])
    if result is None:
        raise error_at(op, "has bounds that are not constant; use scf.for")
    if len(op.results):
        numbers = [c.memcpy.constant(n, "index") for n in (result.lower, result.upper, result.step)]
        return _carrying(c, op, numbers, list(op.operands)[-len(op.results) :])
    new = affine_for(
        constant(result.lower),
        constant(result.upper),
        result.step,
        {k: v for k, v in loop_attributes(op).items() if k == LABEL},
    )
    c.map[body_of(op).arguments[0]] = body_of(new).arguments[0]
    with ir.InsertionPoint.at_block_terminator(body_of(new)):
        c.body(body_of(op))
    return None
