"""Decides whether packing makes a convolution faster: compares the unpacked kernel with the packed one plus the kernels that
pack operands and unpack results.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import gcd, inf, prod
from typing import Any

from allo_air.arch.limits import core_room
from allo_air.core.walking import is_result_of
from allo_air.device import Device
from allo_air.dialects.memrefs import element_bits
from allo_air.mlir import ir
from allo_air.passes._analysis.columns import COLUMNS, moved_by_cores, on_columns, with_columns
from allo_air.passes._analysis.kernels import calls_of
from allo_air.passes.map._choices import cycles_on_one_core, least
from allo_air.passes.map._convolution import Convolution
from allo_air.passes.map._kernel import Kernel, kernel_of
from allo_air.passes.map._searches import once

PACKS, UNPACKS = 2, 1
"""Kernels that pad and pack an operand, and that unpack a result."""
Unpacked = dict[Any, tuple[str, Callable[[Any, str], Any]]]
"""For each unpacked result of a packed convolution: the letters of its dimensions, and a function that unpacks it in another
order.
"""
Letters = dict[Any, str]
"""For each result of a packed convolution: the letters of its dimensions."""
_VECTOR = 32
"""DMAs move a result faster with channels last if the channels of a pixel have at least this many bytes."""
_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice", "tensor.cast", "tensor.pad", "linalg.generic")


def is_faster(function: ir.Operation, device: Device, cycles: float, axes: str, packed: Letters) -> bool:
    """Whether a packed convolution that takes `cycles`, plus its packing, is faster than the unpacked kernel.

    `axes` are the letters of its result's dimensions, `packed` those of convolutions that are already packed. In a program of
    one kernel the host packs; packing is then always chosen.
    """
    packing = packing_cycles(function, device, axes, packed)
    packed_total = with_columns(function, device, cycles) + packing
    return not packing or (packed_total < inf and packed_total < unpacked_cycles(function, device, packed_total))


def unpacked_cycles(function: ir.Operation, device: Device, limit: float) -> float:
    """Cycles of the unpacked kernel by the best plan of `plan-tiles`, plus the price of its columns; infinite if nothing is
    below `limit`.
    """
    noted = function.attributes.get(COLUMNS)

    def best(device: Device) -> float:
        kernel = kernel_of(function)
        result = _least(kernel, text, device, limit)
        return result if result < inf else cycles_on_one_core(kernel, device)

    if COLUMNS in function.attributes:
        del function.attributes[COLUMNS]
    text = str(function.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True))
    result = with_columns(function, device, on_columns(function, device, best, lambda cycles: cycles))
    if noted is not None:
        function.attributes[COLUMNS] = noted
    elif COLUMNS in function.attributes:
        del function.attributes[COLUMNS]
    return result


def _least(kernel: Kernel, text: str, device: Device, limit: float) -> float:
    """Cycles of the best tiles of `kernel`, whose function has this text; infinite if none take fewer than `limit`. Only an
    earlier search below the same limit has the answer: below another one, fewer parts of reductions are tried.
    """
    key = ("least", text, device.name, device.columns, len(device.core_rows), limit)
    return float(once(key, lambda: least(kernel, device, limit=limit)))


def packing_cycles(function: ir.Operation, device: Device, axes: str, packed: Letters) -> float:
    """An upper bound of the cycles of kernels that pack operands for the calls of `function` and unpack results for other
    kernels.

    Each kernel also pays for its columns. Infinite if such a kernel is impossible: DMAs move words, and a tensor whose rows are
    not whole words must fit a core.
    """
    cycles = 0.0
    letters = packed | {v: axes for call in calls_of(function) for v in call.results}
    for call in calls_of(function):
        moved = [(v, PACKS) for v in call.operands if _comes_from_kernel(v)]
        moved += [(v, UNPACKS) for v in call.results if _goes_to_kernel(v)]
        if not all(
            (v in letters and prefers_channels_last(v.type, letters[v])) or _can_be_moved(v.type, device) for v, _ in moved
        ):
            return inf
        cycles += sum(count * moved_by_cores(prod(v.type.shape), device) for v, count in moved)
    return cycles / max(1, len(calls_of(function)))


def moved_images(function: ir.Operation, conv: Convolution) -> Convolution:
    """`conv`, of `function`, with its number of calls, and the share of those whose image comes from a kernel."""
    calls = calls_of(function)
    moved = sum(_comes_from_kernel(call.operands[conv.image.arg_number]) for call in calls)
    return replace(conv, moved=moved / max(1, len(calls)), calls=max(1, len(calls)))


def prefers_channels_last(kind: ir.RankedTensorType, axes: str) -> bool:
    """Whether DMAs move a result with these dimension letters faster with channels last, or only then in whole words."""
    bits, shape = element_bits(kind) or 32, list(kind.shape)
    row = bits * shape[axes.index("f")]
    return bool(row % 32 == 0 and (bits * shape[-1] % 32 or row >= 8 * _VECTOR) and axes[-1] != "f")


def _can_be_moved(kind: ir.RankedTensorType, device: Device) -> bool:
    """Whether DMAs can move the tensor: its rows are whole words, or some of its planes are and five fit a core, or all of it
    is small.
    """
    bits, shape = element_bits(kind) or 32, list(kind.shape)
    room = 8 * core_room(device)
    planes = bits * prod(shape[2:])
    planes *= 32 // gcd(32, planes)
    return bool(
        bits * prod(shape[-1:]) % 32 == 0 or 4 * prod(shape) * bits <= room or (planes % 32 == 0 and 5 * planes <= room)
    )


def _comes_from_kernel(value: ir.Value) -> bool:
    while is_result_of(value, *_VIEWS):
        value = value.owner.operands[0]
    return is_result_of(value, "func.call")


def _goes_to_kernel(value: ir.Value) -> bool:
    users = [use.owner for use in value.uses]
    return any(u.name == "func.call" or (u.name in _VIEWS and any(map(_goes_to_kernel, u.results))) for u in users)
