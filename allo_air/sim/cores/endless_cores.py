"""Ends cores that would run forever without an observable effect: their time would hide a deadlock."""

from __future__ import annotations

from typing import Any

from allo_air.core.names import function_type_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir

_UNSEEN = ("arith.", "math.", "cf.", "index.", "ub.", "memref.load", "vector.transfer_read", "vector.load", "vector.broadcast")


def end_idle(module: ir.Operation) -> bool:
    """Inserts returns into functions whose remaining blocks have no effect and never end; returns whether it did."""
    result = False
    for function in walk_named(module, "func.func"):
        blocks = list(function.regions[0].blocks)
        if len(blocks) < 2 or function_type_of(function).results:
            continue
        for block in _blocks_without_effect(blocks):
            result = True
            list(block.operations)[-1].operation.erase()
            with ir.InsertionPoint(block), function.location:
                ir.Operation.create("func.return")
    return result


def _blocks_without_effect(blocks: list[ir.Block]) -> list[Any]:
    """The blocks without effect from which no block with an effect, and no end of the function, can be reached."""
    idle = [b for b in blocks if all(o.operation.name.startswith(_UNSEEN) for o in b.operations)]
    while (kept_idle := [b for b in idle if _successors(b) and all(any(s == i for i in idle) for s in _successors(b))]) != idle:
        idle = kept_idle
    return idle


def _successors(block: ir.Block) -> list[Any]:
    return list(list(block.operations)[-1].operation.successors)
