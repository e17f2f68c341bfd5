"""Brings a function to what groups are made of."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_unused, walk_named
from allo_air.mlir import ir
from allo_air.passes.partition._generic import copy_of
from allo_air.passes.partition._kinds import is_copy, may_read_tiles
from allo_air.passes.partition._roles import Role, base, role


def prepare(function: ir.Operation) -> None:
    """Drops what nobody uses, and gives every result a tensor of its own that an operation computes."""
    for op in walk_named(function, "cf.assert"):
        op.erase()
    drop_unused(function)
    _own_results(function)
    _own_copies(function)
    drop_unused(function)


def drop_unused(function: ir.Operation) -> None:
    """Erases the operations whose results nothing uses."""
    [block] = function.regions[0].blocks
    for op in reversed([o.operation for o in block.operations][:-1]):
        if all(map(is_unused, op.results)):
            op.erase()


def _own_results(function: ir.Operation) -> None:
    """Copies what the function returns where that is an argument, a constant, or returned in another place, too."""
    [block] = function.regions[0].blocks
    end = block.operations[len(block.operations) - 1].operation
    taken: set[Any] = set()
    for n, value in enumerate(end.operands):
        below = base(value)
        if isinstance(below.owner, ir.Block) or role(below.owner.operation) is not Role.WORK or below in taken:
            with ir.InsertionPoint(end), end.location:
                end.operands[n] = copy_of(value)
        taken.add(below)


def _own_copies(function: ir.Operation) -> None:
    """Gives each operation that can read a slice, a permuted copy or numbers made of indices itself one of its own.

    It reads what is copied instead of the copy then, and no kernel has to write that.
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
