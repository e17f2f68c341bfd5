"""Removes unnecessary arguments of `air.launch`, `air.segment`, `air.herd`, `air.rank`."""

from __future__ import annotations

from typing import Any

from allo_air.core.walking import is_unused
from allo_air.dialects.air_values import HIERARCHIES
from allo_air.dialects.operands import operands_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.executes import CONSTANTS
from allo_air.passes._ir.operands import with_operands

PARAMETERS = "air.runtime_parameters"
"""Marks a herd whose scalars the cores read by their number: it keeps its arguments."""


def prune_arguments(ops: list[ir.Operation]) -> bool:
    """Prunes the arguments of the hierarchies among `ops`, inner ones first, so that outer ones can drop theirs as well."""
    changed = False
    for i in range(len(ops) - 1, -1, -1):
        op = ops[i]
        if op is not None and op.name in HIERARCHIES and (new := _pruned(op)) is not op:
            ops[i] = new
            changed = True
    return changed


def _pruned(op: AnyOp) -> Any:
    """Sinks constants into the body, merges arguments with the same operand, drops unused ones.

    Before:

        air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c4) args(%a=%m, %b=%m, %c=%c64, %d=%n) : ... {
          "use"(%a, %b, %c) : (memref<64xf32>, memref<64xf32>, index) -> ()
        }

    After:

        air.herd @h tile (%x, %y) in (%sx=%c4, %sy=%c4) args(%a=%m) : memref<64xf32> {
          %c64 = arith.constant 64 : index
          "use"(%a, %a, %c64) : (memref<64xf32>, memref<64xf32>, index) -> ()
        }
    """
    blocks = list(op.regions[0].blocks)
    operands = operands_of(op)
    args = operands["args"]
    if not blocks or not args or PARAMETERS in op.attributes:
        return op
    block, start = blocks[0], 2 * len(operands["sizes"])
    inside = list(block.arguments)[start:]
    first: dict[ir.Value, ir.Value] = {}
    for passed, argument in zip(args, inside, strict=True):
        if passed in first:
            argument.replace_all_uses_with(first[passed])
        elif not _sink_constant(passed, argument, block):
            first[passed] = argument
    unused = [is_unused(argument) for argument in inside]
    if not any(unused):
        return op
    for i in range(len(inside) - 1, -1, -1):
        if unused[i]:
            block.erase_argument(start + i)
    return with_operands(op, {"args": [passed for passed, dropped in zip(args, unused, strict=True) if not dropped]})


def _sink_constant(passed: ir.Value, argument: ir.Value, block: ir.Block) -> bool:
    """Clones the constant `passed` into the body instead of `argument`; returns False if it is not a constant."""
    if not isinstance(passed, ir.OpResult) or passed.owner.name not in CONSTANTS:
        return False
    if not is_unused(argument):
        clone = passed.owner.operation.clone(ip=ir.InsertionPoint.at_block_begin(block))
        argument.replace_all_uses_with(clone.results[0])
    return True


def is_parameter(value: ir.Value) -> bool:
    """Whether cores receive `value`, an operand of a herd, from the host: a scalar, except ids and sizes of a segment.

    Each instance of a segment has its own cores, which know its ids.
    """
    if isinstance(value.type, ir.ShapedType):
        return False
    owner = value.owner
    if not isinstance(owner, ir.Block) or owner.owner.name != "air.segment":
        return True
    segment = owner.owner.opview
    return value not in segment.ids and value not in segment.size_args
