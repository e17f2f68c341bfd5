"""`transform.air.eliminate_cascade_memcpy`."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import defining_block, is_inside, walk_named, walk_pre_order
from allo_air.dialects.operands import lists_of, operands_of
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._ir.operands import with_operands
from allo_air.transform.operations import Application


def apply(call: Application) -> list[list[ir.Operation]]:
    """Joins two DMA copies through a buffer with no other user into one copy with the access lists of both; returns the
    operations.

    Before: `air.dma_memcpy_nd (%m[] [] [], %a[%i] [%n] [%c1]); air.dma_memcpy_nd (%b[] [] [], %m[] [] [])`
    After:  `air.dma_memcpy_nd (%b[] [] [], %a[%i] [%n] [%c1])`
    """

    def rewrite(target: ir.Operation) -> ir.Operation:
        for alloc in walk_named(target, "memref.alloc"):
            _join(alloc)
        return target

    return call.each(rewrite)


def _join(alloc: Any) -> None:
    middle = alloc.results[0]
    users = [use.owner.operation for use in middle.uses]
    frees = [o for o in users if o.name == "memref.dealloc"]
    copies = [o for o in users if o.name == "air.dma_memcpy_nd"]
    if len(copies) != 2 or len(users) != 2 + len(frees) or any(len(o.results) for o in copies):
        return
    into = next((o for o in copies if operands_of(o)["dst"][0] == middle), None)
    out = next((o for o in copies if operands_of(o)["src"][0] == middle), None)
    if into is None or out is None or into == out or into.block != out.block or not into.is_before_in_block(out):
        return
    if any(lists_of(into, "dst")) or any(lists_of(out, "src")) or any("pad_before" in o.attributes for o in copies):
        return
    first, last = operands_of(into), operands_of(out)
    sides = {name: values for name, values in first.items() if name.startswith("src")} | {
        name: values for name, values in last.items() if name.startswith("dst")
    }
    between = _ops_between(into, out)
    if not _touched(between, sides["src"][0]):
        place = out
    elif not _touched(between, sides["dst"][0]) and _is_known_at(sides, into):
        place = into
    else:
        return
    buffer = into if place == out else out
    with_operands(place, sides | {"deps": []})
    for op in (buffer, *frees):
        op.erase()
    alloc.erase()


def _ops_between(first: ir.Operation, last: ir.Operation) -> list[ir.Operation]:
    ops = [o.operation for o in first.block.operations]
    numbered = dict(enumerate(ops))
    begin = next(n for n, o in numbered.items() if o == first)
    end = next(n for n, o in numbered.items() if o == last)
    return ops[begin + 1 : end]


def _touched(ops: list[ir.Operation], memref: ir.Value) -> bool:
    """Whether one of `ops`, or an operation in them, takes a view of the buffer of `memref` as an operand."""
    root = root_of(memref)
    memrefs = (ir.MemRefType, ir.UnrankedMemRefType)
    return any(
        isinstance(v.type, memrefs) and root_of(v) == root for o in ops for inner in walk_pre_order(o) for v in inner.operands
    )


def _is_known_at(sides: dict[str, Any], op: ir.Operation) -> bool:
    """Whether all values of `sides` are defined before `op`."""
    for values in sides.values():
        for value in values:
            if isinstance(value, ir.BlockArgument):
                continue
            owner = value.owner.operation
            if defining_block(value) == op.block and not owner.is_before_in_block(op):
                return False
            if is_inside(owner, op):
                return False
    return True
