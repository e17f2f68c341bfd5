"""Kernels that one core computes as a whole."""

from __future__ import annotations

from math import prod

from allo_air.arch.limits import core_room
from allo_air.device import Device
from allo_air.mlir import ir
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._search import bits_of, bytes_of

IN_PLACE = ("tensor.empty", "tensor.insert_slice", "tensor.expand_shape", "tensor.collapse_shape")
"""What makes tensors in buffers that others make."""


def whole_fits(found: Kernel, device: Device) -> bool:
    """Whether all of a kernel fits into one core's L1; results that are no whole words are there twice."""
    values = [v for v in Dimensions(found).values if isinstance(v.owner, ir.Block) or v.owner.name not in IN_PLACE]
    values += [v for v in found.returned if bits_of(v) * prod(v.type.shape) % 32]
    return sum(bytes_of(v, list(v.type.shape)) for v in values) <= core_room(device)
