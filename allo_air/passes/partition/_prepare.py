"""Prepares a function for grouping: removes unused operations and copies."""

from __future__ import annotations

from allo_air.core.walking import is_unused, walk_named
from allo_air.mlir import ir
from allo_air.passes.partition._generic import copy_of
from allo_air.passes.partition._kinds import is_copy, may_read_tiles
from allo_air.passes.partition._roles import Role, role


def prepare(function: ir.Operation) -> None:
    """Erases unused operations, makes users of copies read their source, and adds a copy to a function that computes
    nothing.
    """
    for op in walk_named(function, "cf.assert"):
        op.erase()
    drop_unused(function)
    _ensure_work(function)
    _clone_copies(function)
    drop_unused(function)


def drop_unused(function: ir.Operation) -> None:
    """Erases the operations whose results nothing uses."""
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations][:-1]):
        if all(map(is_unused, op.results)):
            op.erase()


def _ensure_work(function: ir.Operation) -> None:
    """Copies the first result of a function that computes nothing."""
    [block] = function.regions[0].blocks
    if any(role(o.operation) is Role.WORK for o in list(block.operations)[:-1]):
        return
    end = block.operations[-1].operation
    if len(end.operands):
        with ir.InsertionPoint(end), end.location:
            end.operands[0] = copy_of(end.operands[0])


def _clone_copies(function: ir.Operation) -> None:
    """Gives each user of a slice, a permuting copy or a table of indices its own copy of that operation.

    The user then reads the source directly, and no kernel has to write the copy.
    """
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations][:-1]):
        if not is_copy(op):
            continue
        readers = list(dict.fromkeys(u.owner.operation for u in op.results[0].uses))
        for reader in readers:
            if reader.parent.operation == function and len(readers) > 1 and may_read_tiles(reader):
                copy = op.clone(ip=ir.InsertionPoint(reader)).results[0]
                for n, value in enumerate(reader.operands):
                    if value == op.results[0]:
                        reader.operands[n] = copy
