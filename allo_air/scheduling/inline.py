"""The primitive inline: replaces calls of a function by its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.core.cloning import clone_body
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError
from allo_air.mlir import ir

if TYPE_CHECKING:
    from allo_air.mlir import func


def inline(function: func.FuncOp) -> None:
    """Replaces each call of the function by a copy of its body, and erases the function.

    Before: `%y = call @inc(%x)`. After: `%y = arith.addi %x, %c1`.
    """
    name = sym_name_of(function)
    module = function.parent
    calls = [op for op in walk_named(module, "func.call") if callee_of(op) == name]
    if not calls:
        raise AlloAirError(f"function '{name}' is not called, so that there is no place to put its body")
    [block] = function.regions[0].blocks
    for call in calls:
        with ir.InsertionPoint(call), call.location:
            values = dict(zip(block.arguments, call.operands, strict=True))
            _, results = clone_body(block, values)
        for old, new in zip(call.results, results, strict=True):
            old.replace_all_uses_with(new)
        call.erase()
    function.erase()
