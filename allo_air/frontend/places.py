"""Elements of buffers as places that are loaded and stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.frontend.arithmetic import Scalar, emit
from allo_air.frontend.numbers import Number, mlir_type
from allo_air.frontend.values import Buffer
from allo_air.mlir import affine, ir, memref


@dataclass(frozen=True)
class Place:
    """An element of a buffer. Its subscripts are affine, with a map, or index values."""

    buffer: Buffer
    operands: tuple[Any, ...]
    map: Any = None

    def load(self) -> Number:
        """The element."""
        element = self.buffer.element
        if self.map is None:
            return Number(memref.load(self.buffer.value, list(self.operands)), element)
        return Number(affine.AffineLoadOp(mlir_type(element), self.buffer.value, list(self.operands), self.map).result, element)

    def store(self, value: Scalar) -> None:
        """Sets the element, with a cast to its type."""
        number = emit(value, self.buffer.element)
        if self.map is None:
            memref.store(number.value, self.buffer.value, list(self.operands))
        else:
            affine.AffineStoreOp(number.value, self.buffer.value, list(self.operands), self.map)


def scalar_place(buffer: Buffer) -> Place:
    """The only element of a buffer of rank 0."""
    return Place(buffer, (), ir.AffineMap.get(0, 0, []))
