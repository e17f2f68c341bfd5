"""Kernels that one core computes as a whole."""

from __future__ import annotations

from math import prod

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._space import bits_of, bytes_of

IN_PLACE = ("tensor.empty", "tensor.insert_slice", "tensor.expand_shape", "tensor.collapse_shape")
"""Operations whose result is a buffer that another operation created."""


def _is_in_place(value: ir.Value) -> bool:
    """Whether a tensor shares the buffer of another: the result of an operation reuses the buffer of its destination."""
    if value.owner.name == "linalg.fill":
        users = [(use.owner.operation, use.operand_number) for use in value.uses]
        return len(users) == 1 and all(is_structured(op) and n >= len(op.operands) - len(op.results) for op, n in users)
    return value.owner.name in IN_PLACE


def whole_fits(kernel: Kernel, device: Device) -> bool:
    """Whether the whole kernel fits into one core's L1. Results that are not whole words count twice."""
    values = [v for v in Dimensions(kernel).values if isinstance(v, ir.BlockArgument) or not _is_in_place(v)]
    values += [v for v in kernel.returned if bits_of(v) * prod(v.type.shape) % 32]
    return sum(bytes_of(v, list(v.type.shape)) for v in values) <= core_room(device)
