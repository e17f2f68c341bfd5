"""Whether packing a convolution pays: what its kernel takes as it is, and what kernels that pack between others take."""

from __future__ import annotations

from math import gcd, inf, prod
from typing import Any

from allo_air.arch import arch_of
from allo_air.arch.limits import core_room
from allo_air.arch.timing import RECONFIGURE_MICROSECONDS
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes.map._convolution import Convolution

SCALAR_CYCLES = {"f32": 20}
OTHER_CYCLES = 6
"""Cycles of a product in a loop over single elements: an address, loads of 7 cycles that share them, the loop's jump; f32 by
calls of functions."""
MOVED_CYCLES = 10
"""Cycles that a core takes for each element that it brings to another place."""
PACKS, UNPACKS = 2, 1
"""Kernels that pad and pack an operand, and that unpack a result."""
_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.cast", "tensor.pad", "linalg.generic")


def as_it_is(conv: Convolution, device: Device) -> float:
    """Cycles of a convolution whose cores multiply single elements, each for some of the channels.

    Without end where what is padded does not fit a core, which has padded rows and columns whole, in whole words: image and
    result twice, and the padded image.
    """
    macs, cores = prod(conv.extents.values()), device.columns * len(device.core_rows)
    if conv.pad is not None:
        image, result = (prod(n for n, a in zip(v.type.shape, axes, strict=True) if a in "hw") for v, axes in _planes(conv))
        bits, out_bits = conv.bits
        channels = 32 // (bits if conv.axes[0][-1] in "cf" else gcd(32, image * bits))
        room = core_room(device)
        if conv.channels % channels or channels * (3 * image * bits + 2 * result * out_bits) > 8 * room:
            return inf
    return SCALAR_CYCLES.get(conv.element, OTHER_CYCLES) * macs / min(cores, conv.extents["f"])


def _planes(conv: Convolution) -> list[tuple[Any, str]]:
    return [(conv.image, conv.axes[0]), (conv.result, conv.axes[2])]


def between(function: ir.Operation, conv: Convolution, device: Device) -> float:
    """Cycles, at most, of the kernels that pack what other kernels leave the calls of `function`, and unpack for others.

    Without end where they could not: DMAs move words, and what has no whole words in a row has to fit a core.
    """
    load = RECONFIGURE_MICROSECONDS * arch_of(device).mhz
    cores = device.columns * len(device.core_rows)
    cycles = 0.0
    for call in calls_of(function):
        moved = [(v, PACKS) for v in call.operands if _comes_from_kernel(v)]
        moved += [(v, UNPACKS) for v in call.results if _goes_to_kernel(v)]
        if not all(_has_words(v.type, device) for v, _ in moved):
            return inf
        cycles += sum(count * (load + MOVED_CYCLES * prod(v.type.shape) / cores) for v, count in moved)
    return cycles / max(1, len(calls_of(function)))


def _has_words(kind: Any, device: Device) -> bool:
    bits, shape = element_bits(kind) or 32, list(kind.shape)
    room = core_room(device)
    return bool(bits * shape[-1] % 32 == 0 or 4 * prod(shape) * bits <= 8 * room)


def _comes_from_kernel(value: Any) -> bool:
    while not isinstance(value.owner, ir.Block) and value.owner.name in _VIEWS:
        value = value.owner.operands[0]
    return not isinstance(value.owner, ir.Block) and value.owner.name == "func.call"


def _goes_to_kernel(value: Any) -> bool:
    users = [use.owner for use in value.uses]
    return any(u.name == "func.call" or (u.name in _VIEWS and any(map(_goes_to_kernel, u.results))) for u in users)
