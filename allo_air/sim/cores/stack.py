"""The host stack of a core's native code: its size must be known in advance, since the core keeps this stack for the whole
run."""

from __future__ import annotations

import re
from math import prod

from allo_air.core.walking import walk_named
from allo_air.mlir import ir

FRAME = 256 * 1024
"""Bytes for calls, spilled registers and the engine's own functions."""


def hoist_allocas(module: ir.Operation) -> int:
    """Moves stack allocations of constant size to the function's entry, so that they do not grow in each iteration of a loop.

    Returns the number of bytes of stack that the code of `module` (in the LLVM dialect) may need.
    """
    total = FRAME
    for alloca in walk_named(module, "llvm.alloca"):
        size = alloca.operands[0].owner
        if getattr(size, "name", "") not in ("llvm.mlir.constant", "arith.constant"):
            continue
        total += _bytes(str(alloca.attributes["elem_type"].value), size.attributes["value"].value) + 64
        function = alloca.parent.operation
        while function.name != "llvm.func":
            function = function.parent.operation
        first = function.regions[0].blocks[0].operations[0].operation
        if alloca.block != first.block:
            copy = size.operation.clone(ip=ir.InsertionPoint(first))
            alloca.operands[0] = copy.results[0]
            alloca.move_before(first)
    return total


def _bytes(kind: str, count: int) -> int:
    """Bytes of `count` values of LLVM type `kind`, without alignment; a type without a width counts as 8 bytes."""
    lanes = prod(int(n) for n in re.findall(r"(\d+) ?x", kind))
    widths = [int(w) for w in re.findall(r"(?:i|f|bf)(\d+)", kind)] or [64]
    return count * lanes * max(1, sum(widths) // 8)
