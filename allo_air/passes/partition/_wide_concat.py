"""Splits concatenations of many tensors into nested ones, since a core has descriptors and channels for only a few operands."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from allo_air.core.cloning import replace
from allo_air.core.walking import walk_named
from allo_air.mlir import AnyOp, ir, tensor
from allo_air.passes._analysis.kernels import IN_PLACE

MOST = 6
"""Largest number of operands of a concatenation in one kernel: the channels into a memtile. A core has 16 buffer descriptors
and locks.
"""


def nest_concats(function: AnyOp) -> None:
    """Splits concatenations of more than `MOST` parts into nested ones, in groups of equal size if possible.

    Before: `tensor.concat dim(0) %0, ..., %7`;
    after: `%a = tensor.concat dim(0) %0, ..., %3`, `%b = tensor.concat dim(0) %4, ..., %7`, `tensor.concat dim(0) %a, %b`.
    """
    for op in walk_named(function, "tensor.concat"):
        parts = list(op.operands)
        if (
            IN_PLACE not in op.attributes
            and len(parts) > MOST
            and op.results[0].type.has_static_shape
            and all(v.type.has_static_shape for v in parts)
        ):
            with ir.InsertionPoint(op), op.location:
                replace(op, [_nested(parts, int(op.attributes["dim"]))])


def _nested(parts: Sequence[Any], dim: int) -> Any:
    if len(parts) <= MOST:
        return _concat(parts, dim)
    size = next((n for n in range(MOST, 1, -1) if len(parts) % n == 0), ceil(len(parts) / ceil(len(parts) / MOST)))
    return _nested([_nested(parts[n : n + size], dim) for n in range(0, len(parts), size)], dim)


def _concat(parts: Sequence[ir.BlockArgument | ir.OpResult], dim: int) -> Any:
    if len(parts) == 1:
        return parts[0]
    shape = list(parts[0].type.shape)
    shape[dim] = sum(v.type.shape[dim] for v in parts)
    return tensor.ConcatOp(ir.RankedTensorType.get(shape, parts[0].type.element_type), dim, list(parts)).result
