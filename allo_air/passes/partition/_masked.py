"""Finds results of kernels whose last columns are zero, because the kernel multiplies by a mask."""

from __future__ import annotations

from typing import Any

from allo_air.core.elements import array_of
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import called
from allo_air.passes._analysis.masks import masked_by
from allo_air.passes.partition._constants import is_constant
from allo_air.passes.partition._movement import movement


def zeros_after(block: ir.Block) -> dict[Any, int]:
    """For each call in `block` whose kernel masks its result: the first index in the last dimension after which all is zero.

    The masks are constants, which assign-layouts pads with zeros.
    """
    zeros: dict[Any, int] = {}
    for op in [o.operation for o in block.operations if o.operation.name == "func.call"]:
        function = called(op)
        number = masked_by(function) if function is not None else None
        if number is None:
            continue
        mask = movement(op.operands[number])
        if is_constant(mask.source) and all(s.kind == "grow" for s in mask.steps):
            bits = array_of(mask.source.owner.attributes["value"])
            true_places = bits.nonzero()[0]
            zeros[op.results[0]] = int(true_places[-1]) + 1 if len(true_places) else 0
    return zeros
