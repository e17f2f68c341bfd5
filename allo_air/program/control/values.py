"""The values of a control program that the host knows: numbers, and the places of memrefs in host buffers."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.access.dims import start_of
from allo_air.core.control_flow import Walker
from allo_air.interp.errors import Unsupported
from allo_air.interp.values import DYNAMIC
from allo_air.mlir import ir

SAME_BUFFER = (
    *("memref.cast", "memref.memory_space_cast", "memref.assume_alignment"),
    *("memref.collapse_shape", "memref.expand_shape"),
)
"""Views with the same first element as their source."""


@dataclass(frozen=True)
class Place:
    """The place of a memref in a host buffer."""

    argument: int
    """The number of the function's argument that is the buffer."""
    offset: int = 0
    """Elements from the beginning of the buffer to the first element of the memref."""


@dataclass(frozen=True)
class EndedTransfers:
    """The transfers that have ended when an async token of AIR fires."""

    moves: int
    """A bit mask: bit n stands for the program's transfer number n."""


class Values(Walker):
    """The known values; buffers in the memories of the device are unknown."""

    def __init__(self, arguments: ir.BlockArgumentList) -> None:
        super().__init__({a: Place(n) for n, a in enumerate(arguments) if isinstance(a.type, ir.MemRefType)})

    def required_number(self, value: ir.Value, op: ir.Operation) -> int:
        """The integer `value`; raises Unsupported at its user `op` if it is not known."""
        number = self.number(value)
        if number is None:
            raise Unsupported(op, "uses a value that the host's program does not know before it runs")
        return number

    def place(self, value: ir.Value, op: ir.Operation) -> Place:
        """The place of a memref; raises Unsupported at `op` if it is neither an argument of the function nor a view of one."""
        place = self.known.get(value)
        if not isinstance(place, Place):
            raise Unsupported(op, "moves a buffer that is not an argument of the function")
        return place

    def view(self, op: ir.Operation) -> None:
        """Records the places of the results of view `op`, if its source is a host buffer."""
        source = self.known.get(op.operands[0])
        if not isinstance(source, Place):
            return
        if op.name in SAME_BUFFER:
            for result in op.results:
                self.known[result] = source
            return
        strides, start = op.operands[0].type.get_strides_and_offset()[0], source.offset
        if op.name == "memref.reinterpret_cast":  # its offset counts from the start of the buffer, not of its source
            strides, start = [1], 0
        dynamic = iter(op.operands[1:])
        offsets = [self.required_number(next(dynamic), op) if n == DYNAMIC else n for n in op.attributes["static_offsets"]]
        if any(s == DYNAMIC for s in strides):
            raise Unsupported(op, "views a buffer whose strides are not constant")
        self.known[op.results[0]] = Place(source.argument, start + start_of(offsets, strides))
