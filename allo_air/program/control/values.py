"""Values of a control program: numbers, and where in a host buffer a memref begins."""

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
"""Views that begin where their source does."""


@dataclass(frozen=True)
class Place:
    """A memref: argument number of the function, and elements from its begin."""

    argument: int
    offset: int = 0


@dataclass(frozen=True)
class Past:
    """A token of AIR: what has ended when it fires, bit n for the program's n-th transfer."""

    moves: int


class Values(Walker):
    """The values that are known; what belongs to the device is not."""

    def __init__(self, arguments: ir.BlockArgumentList) -> None:
        super().__init__({a: Place(n) for n, a in enumerate(arguments) if isinstance(a.type, ir.MemRefType)})

    def required_number(self, value: ir.Value, op: ir.Operation) -> int:
        """A number; Unsupported, at `op`, where it is not known."""
        number = self.number(value)
        if number is None:
            raise Unsupported(op, "uses a value that the host's program does not know before it runs")
        return number

    def place(self, value: ir.Value, op: ir.Operation) -> Place:
        """Where a memref is; Unsupported where it is no argument of the function, or a view of one."""
        place = self.known.get(value)
        if not isinstance(place, Place):
            raise Unsupported(op, "moves a buffer that is no argument of the function")
        return place

    def view(self, op: ir.Operation) -> None:
        """A view of a host buffer; of a buffer of the device nothing is known."""
        source = self.known.get(op.operands[0])
        if not isinstance(source, Place):
            return
        if op.name in SAME_BUFFER:
            for result in op.results:
                self.known[result] = source
            return
        strides, start = op.operands[0].type.get_strides_and_offset()[0], source.offset
        if op.name == "memref.reinterpret_cast":  # from the start of the memory on, whatever its source leaves out
            strides, start = [1], 0
        dynamic = iter(op.operands[1:])
        offsets = [self.required_number(next(dynamic), op) if n == DYNAMIC else n for n in op.attributes["static_offsets"]]
        if any(s == DYNAMIC for s in strides):
            raise Unsupported(op, "views a buffer whose strides are not constant")
        self.known[op.results[0]] = Place(source.argument, start + start_of(offsets, strides))
