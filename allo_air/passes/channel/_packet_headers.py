"""Packet headers: stores the id of a packet's destination as the first word of its data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_post_order
from allo_air.dialects.air import ExecuteOp, ExecuteTerminatorOp
from allo_air.dialects.air_values import outer_operand
from allo_air.errors import counted
from allo_air.mlir import AnyOp, arith, ir, vector
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._ir.operands import with_operands
from allo_air.passes._ir.tokens import add_deps, deps_of

_WORD = 32


def emit_header(put_op: AnyOp, ids: Sequence[int]) -> None:
    """Makes `put_op` send the id of its destination as the first word, instead of naming a destination.

    The store of the word goes into the nearest `air.execute` that precedes and touches the buffer, so that payload and header
    are written together; if its operands are not available there, it is placed next to the put.
    """
    view = put_op.opview
    number, memref, offsets = view.dest, view.src, list(view.src_offsets)
    kind = memref.type
    width = getattr(kind.element_type, "width", 0)
    if not width or _WORD % width:
        raise error_at(put_op, f"sends elements of {kind.element_type}, whose width does not divide the 32 bits of a header")
    if offsets and len(offsets) != kind.rank:
        raise error_at(
            put_op,
            f"has {counted(len(offsets), 'offset')} on a buffer of "
            f"{counted(kind.rank, 'dimension')}; give one for each to write a header",
        )
    place = _filler(put_op, [number, memref, *offsets])
    with put_op.location:
        if place is not None:
            with ir.InsertionPoint(place):
                header, offsets_of_header = (
                    _header(number, ids, kind.element_type, width),
                    _first_indices(offsets, kind.rank, put_op.location),
                )
            last = list(place.regions[0].blocks[0].operations)[-1]
            _store(header, _as_argument(memref, place), offsets_of_header, ir.InsertionPoint(last))
            with_operands(put_op, {"dest": []})
            return
        with ir.InsertionPoint(put_op):
            header, offsets_of_header = (
                _header(number, ids, kind.element_type, width),
                _first_indices(offsets, kind.rank, put_op.location),
            )
            if not len(put_op.results):
                _store(header, memref, offsets_of_header, ir.InsertionPoint(put_op))
                with_operands(put_op, {"dest": []})
                return
            execute = ExecuteOp(deps=deps_of(put_op), values=[])
        block = execute.regions[0].blocks.append()
        with ir.InsertionPoint(block):
            end = ExecuteTerminatorOp(values=[])
        _store(header, memref, offsets_of_header, ir.InsertionPoint(end))
        add_deps(with_operands(put_op, {"dest": []}), [execute.results[0]])


def _store(header: ir.Value, memref: ir.Value, indices: Sequence[ir.Value], ip: ir.InsertionPoint) -> None:
    vector.StoreOp(header, memref, indices, alignment=4, ip=ip)


def _filler(put_op: AnyOp, needed: list[ir.Value]) -> Any:
    """The nearest air.execute before `put_op` that accesses its buffer and follows all of `needed`; None if another operation
    accesses the buffer after it.
    """
    root = root_of(put_op.opview.src)
    ops = [o.operation for o in put_op.block.operations]
    for op in reversed(ops[: ops.index(put_op.operation)]):
        if not _accesses_buffer(op, root):
            continue
        if op.name != "air.execute":
            return None
        values = [_external_value(v, op) for v in needed]
        return op if all(v is None or _is_there(v, op) for v in values) else None
    return None


def _accesses_buffer(op: AnyOp, root: ir.Value) -> bool:
    if op.name.startswith("memref.") and op.name != "memref.alloc" and op.name != "memref.copy":
        return False
    inside = [*walk_post_order(op)]
    if any(o.name == "memref.alloc" and o.results[0] == root for o in inside):
        return True
    return any(isinstance(v.type, ir.MemRefType) and root_of(v) == root for o in inside for v in o.operands)


def _external_value(value: ir.Value, place: object) -> Any:
    """The value that must be available before `place` so that `place` can use `value`; None if `place` creates it itself."""
    inner = outer_operand(value)
    return None if inner is not None and isinstance(value, ir.OpResult) and value.owner.operation == place else value


def _is_there(value: ir.BlockArgument | ir.OpResult, op: ir.Operation) -> bool:
    if isinstance(value, ir.BlockArgument):
        return True
    owner = value.owner.operation
    return owner.block != op.block or owner.is_before_in_block(op)


def _as_argument(memref: ir.Value, place: AnyOp) -> Any:
    """`memref` as operations inside `place` see it."""
    if isinstance(memref, ir.OpResult) and memref.owner.operation == place:
        return outer_operand(memref)
    return memref


def _first_indices(offsets: list[ir.Value], rank: int, location: ir.Location) -> list[Any]:
    return offsets or [index_constant(0, location)] * rank


def _header(number: ir.Value, ids: Sequence[int], element: ir.Type, width: int) -> Any:
    """A vector of `element` whose bits are the id of destination `number`."""
    i32 = ir.IntegerType.get_signless(32)
    word = ir.VectorType.get([1], i32)
    header = vector.BroadcastOp(word, arith.IndexCastOp(i32, _id(number, ids)).result).result
    payload = ir.VectorType.get([_WORD // width], element)
    return header if payload == word else vector.BitCastOp(payload, header).result


def _id(number: ir.Value, ids: Sequence[int]) -> Any:
    location = ir.Location.current
    constant = constant_of(number)
    if constant is not None and 0 <= constant < len(ids):
        return index_constant(ids[constant], location)
    steps = {b - a for a, b in pairwise(ids)}
    if len(steps) <= 1:
        step = next(iter(steps), 0)
        scaled = arith.MulIOp(number, index_constant(step, location)).result
        return arith.AddIOp(scaled, index_constant(ids[0], location)).result
    result = index_constant(ids[0], location)
    for n, each in enumerate(ids[1:], 1):
        same = arith.CmpIOp(arith.CmpIPredicate.eq, number, index_constant(n, location)).result
        result = arith.SelectOp(same, index_constant(each, location), result).result
    return result
