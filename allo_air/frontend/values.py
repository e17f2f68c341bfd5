"""The values of expressions: a compile-time Python object, a number, or a buffer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.frontend.errors import KernelError
from allo_air.frontend.numbers import mlir_type
from allo_air.frontend.types import ScalarType, StreamType
from allo_air.mlir import ir, memref

DYNAMIC: int = ir.ShapedType.get_dynamic_size()
"""A dynamic size, written `...`, which the arguments of a call determine."""


def shape_text(shape: tuple[int, ...]) -> str:
    """`[4, ...]`."""
    return f"[{', '.join('...' if size == DYNAMIC else str(size) for size in shape)}]"


@dataclass(frozen=True)
class Buffer:
    """A memref: the type of its elements, its shape, and the buffer of which it is a view (itself if it is not a view)."""

    value: Any
    element: ScalarType
    root: Any = None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(ir.MemRefType(self.value.type).shape)

    @property
    def origin(self) -> Any:
        """The memref whose memory this buffer uses."""
        return self.value if self.root is None else self.root


@dataclass(frozen=True)
class Variable:
    """A named scalar: a memref of rank 0 that assignments store to."""

    value: Any
    type: ScalarType


@dataclass(frozen=True)
class LoopIndex:
    """The variable of a loop. `affine`: it can occur in affine expressions."""

    value: Any
    affine: bool = True


@dataclass(frozen=True)
class StreamValue:
    """A stream of a region, or an array of them, by its symbol."""

    symbol: str
    type: StreamType


def memref_type(element: ScalarType, shape: tuple[int, ...]) -> Any:
    """The type of a buffer in row-major order."""
    return ir.MemRefType.get(list(shape), mlir_type(element))


def allocate(element: ScalarType, shape: tuple[int, ...], name: str = "") -> Buffer:
    """A new buffer; `name` becomes an attribute that schedules use to find it."""
    if DYNAMIC in shape:
        raise KernelError(f"a new tensor {element}{shape_text(shape)}: its sizes must be known when the kernel is compiled")
    op = memref.AllocOp(memref_type(element, shape), [], [])
    if name:
        op.operation.attributes["name"] = ir.StringAttr.get(name)
        if not element.signed:
            op.operation.attributes["unsigned"] = ir.UnitAttr.get()
    if element.fixed:
        op.operation.attributes["fixed"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), element.fracs)
    return Buffer(op.result, element)


@dataclass(frozen=True)
class Record:
    """A struct. Each field is a variable, a place, a number or a buffer."""

    fields: dict[str, Any]


class KnownInt(int):
    """An integer that is a compile-time value also after it is bound to a name: a core's number, or the variable of a
    `meta_for`.
    """


class Pid(KnownInt):
    """A core's number along dimension `axis` of the mapping."""

    axis: int

    @classmethod
    def of(cls, number: int, axis: int) -> Pid:
        """The number of a core."""
        pid = cls(number)
        pid.axis = axis
        return pid
