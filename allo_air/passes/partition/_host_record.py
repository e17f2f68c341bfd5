"""Describes the buffers of a linked sequence: their types, and attribute `allo_air.host_buffers`, which says what each
contains.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.dialects.host_buffers import BufferContents, HostBuffers, HostResult, host_buffers, keep_host_buffers
from allo_air.mlir import ir
from allo_air.passes.partition._flow import Buffer
from allo_air.passes.partition._movement import is_prefix


def argument_type(buffer: Buffer) -> Any:
    """The type of the argument for `buffer`: the type at its first use, with more rows or flat if the buffer became longer."""
    shape = list(buffer.type.shape)
    row = math.prod(shape[1:])
    if row * shape[0] == buffer.size if shape else buffer.size == 1:
        return buffer.type
    rows = [buffer.size // row, *shape[1:]] if shape and buffer.size % row == 0 and not buffer.is_own else [buffer.size]
    return ir.MemRefType.get(rows, buffer.element)


def record_host_buffers(
    function: ir.Operation, device: ir.Operation, order: list[Buffer], types: Sequence[ir.Type] = ()
) -> None:
    """Sets attribute `allo_air.host_buffers` of the device, which describes the content of each buffer in `order`.

    A buffer whose type differs from the one in `types` is described as flat.
    """
    buffers = host_buffers(function)
    arguments = [a.type for a in function.regions[0].blocks[0].arguments]
    if buffers is None:
        holds = [BufferContents(argument=n, view=tuple(t.shape)) for n, t in enumerate(arguments)]
        buffers = HostBuffers(tuple(arguments), tuple(holds), None)
    values = [*buffers.holds, *(BufferContents() for _ in arguments[len(buffers.holds) :])]
    result = list[BufferContents]()
    for buffer in order:
        source = buffer.like or buffer
        if source.argument is not None:
            result.append(values[source.argument])
        else:
            result.append(BufferContents(constant=source.constant))
    places = {buffer.argument: n for n, buffer in enumerate(order) if buffer.argument is not None}
    gives = buffers.gives and tuple(g.moved(places.__getitem__) for g in buffers.gives)
    for n, (buffer, kind) in enumerate(zip(order, types, strict=False)):
        if argument_type(buffer) != kind:
            result[n] = _flat_description(result[n], buffer)
            gives = gives and tuple(_flat_at(g, n, buffer) for g in gives)
    keep_host_buffers(device, sym_name_of(function), HostBuffers(buffers.takes, tuple(result), gives))


def _flat_description(content: HostResult | BufferContents, buffer: Buffer) -> Any:
    """The description of `content`, at the start of `buffer`, for a flat array; other descriptions stay unchanged."""
    if content.packing is not None or not is_beginning(content, buffer):
        return content
    return replace(content, view=(math.prod(content.view),))


def _flat_at(value: HostResult, n: int, buffer: Buffer) -> HostResult:
    """The description of result `value` for a flat array, where its parts are in `buffer`, argument number `n`. A result of
    64-bit integers has two halves.
    """
    value = _flat_description(value, buffer) if value.place == n else value
    return value if value.high is None else replace(value, high=_flat_at(value.high, n, buffer))


def is_beginning(content: HostResult | BufferContents, buffer: Buffer) -> bool:
    """Whether a content is at the beginning of a buffer: consecutive elements, or a packed array."""
    view, shape = content.view, list(buffer.type.shape)
    return content.packing is not None or len(view) == 1 or (len(view) == len(shape) and is_prefix(view, shape))
