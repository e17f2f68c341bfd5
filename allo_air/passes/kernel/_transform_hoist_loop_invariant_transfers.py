"""`transform.air.hoist_loop_invariant_transfers`: keeps an accumulator in a vector instead of memory during a loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.walking import is_defined_in, is_inside, walk_pre_order
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.effects import accesses
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.kernel._rebuilt_for import rebuilt_for
from allo_air.passes.kernel._transfers import Transfer, may_meet, same_place, transfer
from allo_air.transform.operations import Application


@dataclass(frozen=True)
class _Cell:
    """A location that the loop reads, then writes, in each iteration, and that nothing else in it accesses."""

    reads: tuple[Transfer, ...]
    write: Transfer


def apply(call: Application) -> list[list[ir.Operation]]:
    """Makes the loop carry in a vector the location that each iteration reads and writes; returns the loop.

    A location stays in memory if another access in the loop may overlap it.
    Before: `scf.for { %v = read %c[0]; %w = f(%v); write %w, %c[0] }`
    After:  `%v0 = read %c[0]; %r = scf.for iter_args(%v = %v0) { scf.yield f(%v) }; write %r, %c[0]`
    """
    scope, loop = call.one(0), call.one(1)
    call.expect(loop, "scf.for")
    if not is_inside(loop, scope):
        raise call.refuse("expects the loop to be in the scope", loop, scope)
    cells = _cells(loop)
    if not cells:
        return [[loop]]
    with ir.InsertionPoint(loop), loop.location:
        starts = [_moved_read(cell, loop) for cell in cells]
    count = len(loop.operands) - 3

    def enter(arguments: list[ir.Value]) -> list[Any]:
        for cell, argument in zip(cells, arguments[count:], strict=True):
            for read in cell.reads:
                read.op.results[0].replace_all_uses_with(argument)
        return arguments[:count]

    new = rebuilt_for(
        loop,
        [*list(loop.operands)[3:], *starts],
        enter,
        lambda _, yielded: [*yielded, *(cell.write.op.operands[0] for cell in cells)],
    )
    for old, item in zip(loop.results, list(new.results)[:count], strict=True):
        old.replace_all_uses_with(item)
    for cell, result in zip(cells, list(new.results)[count:], strict=True):
        with ir.InsertionPoint.after(new):
            _moved_write(cell, result, new)
        for read in cell.reads:
            read.op.erase()
        cell.write.op.erase()
    loop.erase()
    return [[new]]


def _cells(loop: ir.Operation) -> list[_Cell]:
    values = IndexValues()
    body = [o.operation for o in loop.regions[0].blocks[0].operations]
    inner_ops = [o for top in body for o in walk_pre_order(top)]
    transfers = [t for o in inner_ops if (t := transfer(o)) is not None]
    direct = [t for o in body if (t := transfer(o)) is not None]
    cells: list[_Cell] = []
    for write in direct:
        if write.is_read or not _is_fixed(write, loop) or not write.is_inside or write.is_masked:
            continue
        reads = tuple(t for t in direct if t.is_read and same_place(t, write, values) and t.op.is_before_in_block(write.op))
        rest = [t for t in transfers if t.op != write.op and all(t.op != r.op for r in reads)]
        if reads and not any(may_meet(t, write, values) for t in rest) and not _touched(inner_ops, write):
            cells.append(_Cell(reads, write))
    return cells


def _is_fixed(item: Transfer, loop: ir.Operation) -> bool:
    """Whether base and indices can be computed before the loop."""
    return all(_can_move(v, loop) for v in (item.base, *item.indices))


def _can_move(value: ir.Value, loop: ir.Operation) -> bool:
    if not is_defined_in(value, loop):
        return True
    if isinstance(value, ir.BlockArgument):
        return False
    op = value.owner.operation
    pure = op.name in ("affine.apply", "memref.subview", "memref.collapse_shape", "memref.expand_shape", "memref.cast")
    return (pure or op.name.startswith("arith.")) and all(_can_move(v, loop) for v in op.operands)


def _touched(inside: list[ir.Operation], write: Transfer) -> bool:
    """Whether an operation other than a transfer accesses the buffer."""
    root = root_of(write.base)
    leaf_ops = [o for o in inside if not len(o.regions) or o.name.startswith("linalg.")]
    return any(a.root == root for o in leaf_ops if transfer(o) is None for a in accesses(o))


def _hoisted(value: ir.Value, loop: ir.Operation) -> Any:
    """`value`, computed at the insertion point before `loop`."""
    if not is_defined_in(value, loop):
        return value
    op = value.owner.operation.clone()
    for n, operand in enumerate(op.operands):
        if is_defined_in(operand, loop):
            with ir.InsertionPoint(op):
                op.operands[n] = _hoisted(operand, loop)
    return op.results[0]


def _moved_read(cell: _Cell, loop: ir.Operation) -> Any:
    read = cell.reads[0].op
    operands = [_hoisted(v, loop) for v in read.operands]
    op = ir.Operation.create(read.name, [r.type for r in read.results], operands, dict(read.attributes.items()))
    return op.results[0]


def _moved_write(cell: _Cell, value: object, loop: ir.Operation) -> None:
    write = cell.write.op
    operands = [value, *(_hoisted(v, loop) for v in list(write.operands)[1:])]
    ir.Operation.create(write.name, [], operands, dict(write.attributes.items()), loc=write.location)
