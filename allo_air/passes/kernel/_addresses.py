"""Finds vector accesses in misaligned buffers: a core ignores the low bits of the address, and accesses neighbouring
elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import Any

from allo_air.arch import ARCHITECTURES
from allo_air.core.names import callee_of
from allo_air.core.walking import walk_named
from allo_air.dialects.aie import BufferOp
from allo_air.dialects.declarations import device_of, functions_for
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.element_types import bit_width
from allo_air.passes.kernel._indices import divisor
from allo_air.passes.kernel._memory import ACCESSES, ALIGNMENT, access_of
from allo_air.passes.kernel._op_signature import Legality

_VIEWS = (
    "memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast",
    "memref.transpose", "memref.memory_space_cast",
)  # fmt: skip
_NARROWEST = 16
"""Bytes of the narrowest vector that a core loads in one instruction."""


def misplaced(device: ir.Operation) -> Iterator[tuple[ir.Operation, Legality]]:
    """The vector loads and stores at addresses that the core's load unit does not support."""
    core = ARCHITECTURES[device_of(device).arch].core
    if core is None:
        return
    widest = core.load_bytes
    functions = functions_for(device)
    for buffer in walk_named(device, "aie.buffer"):
        address = BufferOp(buffer).address
        if address is None or address % widest == 0:
            continue
        for op in _accesses(buffer.results[0], functions, set()):
            if (verdict := _misalignment(op, BufferOp(buffer), address, widest)) is not None:
                yield op, verdict


def _accesses(value: ir.Value, functions: Mapping[str, AnyOp], seen: set[ir.Value]) -> Iterator[Any]:
    """The vector loads and stores of `value`, of its views, and in functions that receive it."""
    for use in value.uses:
        op = use.owner.operation
        if op.name in ACCESSES:
            yield op
        elif op.name in _VIEWS:
            yield from _accesses(op.results[0], functions, seen)
        elif op.name == "func.call":
            function = functions.get(callee_of(op))
            if function is None or not function.regions[0].blocks:
                continue
            argument = function.regions[0].blocks[0].arguments[use.operand_number]
            if argument not in seen:
                seen.add(argument)
                yield from _accesses(argument, functions, seen)


def _misalignment(op: ir.Operation, buffer: BufferOp, address: int, widest: int) -> Legality | None:
    """The problem of an access in `buffer` at `address`; None if it is aligned."""
    access = access_of(op)
    if access is None or access.strides is None:
        return None
    needed = min(access.bytes, widest)
    if needed < _NARROWEST or needed & (needed - 1):
        return None
    _, offset = access.memref.type.get_strides_and_offset()
    if ir.MemRefType.is_dynamic_stride_or_offset(access.memref.type, offset):
        return None
    size = max(bit_width(str(access.memref.type.element_type)), 8) // 8
    steps = [divisor(index) * stride * size for index, stride in zip(access.indices, access.strides, strict=True)]
    if (address + offset * size) % gcd(needed, *steps) == 0:
        return None
    half = min(needed, ALIGNMENT)
    certain = (address + offset * size) % gcd(half, *steps) != 0
    name = f"@{buffer.sym_name}" if buffer.sym_name else "its buffer"
    return Legality(
        "wrong" if certain else "depends",
        f"moves {counted(access.bytes, 'byte')} at an address that is not a multiple of {needed}: {name} is at "
        f"{address:,}, and the core"
        " drops the low bits of the address",
        f"put {name} at a multiple of {needed}, such as {-(-address // needed) * needed:,}",
    )
