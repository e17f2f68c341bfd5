"""Splits kernels that fit neither one core nor tiles: one kernel for each operation and each padded dimension."""

from __future__ import annotations

from allo_air.core.cloning import replace
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir, linalg
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes._ir.divided import compute_ops, divide
from allo_air.passes._ir.names import Names
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty
from allo_air.passes.map._kernel import Kernel, kernel_of
from allo_air.passes.map._pads import padding

_WHY = "by itself: with the other operations of its kernel it fits neither a core as a whole nor in tiles"


def operations(kernel: Kernel) -> list[Kernel]:
    """Replaces `kernel` by kernels of one operation each, and returns them; nothing if it has operations other than linalg and
    tensor.pad.

    A tensor.pad becomes one kernel for each padded dimension, so that tiles can cut the other dimensions.

    Before:

        func.func private @k(%a) { %b = linalg.generic ins(%a), %p = tensor.pad %b low[1, 2], %c = linalg.copy ins(%p) }

    After:

        func.func private @k_0(%a) { %b = linalg.generic ins(%a) }
        func.func private @k_1(%b) { %p = tensor.pad %b low[1, 0], %c = linalg.copy ins(%p) }
        func.func private @k_2(%b) { %p = tensor.pad %b low[0, 2], %c = linalg.copy ins(%p) }
    """
    work = compute_ops(kernel.function)
    if not all(is_structured(o) or _is_plain_pad(o) for o in work) or walk_named(kernel.function, "tensor.extract"):
        return []
    for pad in [o for o in work if o.name == "tensor.pad"]:
        _pad_in_steps(pad)
    parts: list[list[ir.Operation]] = []
    for op in compute_ops(kernel.function):
        result = defining_op(op.operands[0]) if op.name == "linalg.copy" else None
        if result is not None and result.name == "tensor.pad":
            next(part for part in parts if result in part).append(op)
        else:
            parts.append([op])
    if len(parts) < 2:
        return [kernel_of(kernel.function)]
    names = Names(kernel.function.parent)
    named = [(names.fresh(kernel.name), ops) for ops in parts]
    return [kernel_of(each) for each in divide(kernel.function, named, _WHY).values()]


def _is_plain_pad(op: ir.Operation) -> bool:
    """Whether `op` pads by constant amounts with one number, which is computed outside of its body."""
    if op.name != "tensor.pad" or padding(op) is None or len(op.operands) > 1:
        return False
    [block] = op.regions[0].blocks
    return len(block.operations) == 1 and not isinstance(block.operations[0].operands[0], ir.BlockArgument)


def _pad_in_steps(op: ir.Operation) -> None:
    """Pads one dimension at a time; each result is copied, which gives each pad a kernel of its own."""
    [block] = op.regions[0].blocks
    number, value = block.operations[0].operands[0], op.operands[0]
    sides = [(dim, side) for dim, side in enumerate(padding(op) or []) if side != (0, 0)]
    is_copied = [use.owner.operation.name for use in op.results[0].uses] == ["linalg.copy"]
    with ir.InsertionPoint(op), op.location:
        for dim, side in sides:
            low, high = ([n if d == dim else 0 for d in range(len(value.type.shape))] for n in side)
            value = pad_by(value, low, high, number)
            if not is_copied or dim != sides[-1][0]:
                value = linalg.copy(value, outs=[empty(value.type)])
    replace(op, [value])
