"""Describes how a program of kernels uses memory: its buffers, and its kernel calls and copies in order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.walking import root_of
from allo_air.dialects.host_buffers import host_buffers
from allo_air.mlir import ir

_VIEWS = ("memref.subview", "memref.reinterpret_cast", "memref.cast", "memref.collapse_shape", "memref.expand_shape")
_NOTHING = ("memref.dealloc", "func.return", "arith.constant")


@dataclass(eq=False)
class Buffer:
    """A buffer of the program: argument `argument`, constant `constant`, or an intermediate. It has `size` elements."""

    element: ir.Type
    size: int
    type: Any
    argument: int | None = None
    constant: Any = None
    like: Buffer | None = None
    """The argument or constant whose contents the buffer has at the start."""
    may_grow: bool = False
    """Whether the buffer may be longer than its type: an intermediate, or a result of which the caller sees a part."""

    @property
    def is_own(self) -> bool:
        """Whether it is an intermediate."""
        return self.argument is None and self.constant is None


@dataclass(frozen=True)
class Place:
    """`count` elements of `buffer` from element `offset` on."""

    buffer: Buffer
    offset: int
    count: int

    def meets(self, other: Place) -> bool:
        """Whether the two overlap."""
        first, second = (self, other) if self.offset <= other.offset else (other, self)
        return self.buffer is other.buffer and second.offset < first.offset + first.count


@dataclass(eq=False)
class Run:
    """A call of a kernel: the places of its operands, and which of them the kernel reads and writes."""

    op: Any
    kernel: str
    places: list[Place]
    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()

    def touched(self, *, writes: bool = False) -> list[Place]:
        """The places that it reads or writes; with `writes`, only those that it writes."""
        return [p for n, p in enumerate(self.places) if n in self.writes or (not writes and n in self.reads)]


@dataclass(eq=False)
class Copy:
    """`memref.copy` of one place to another."""

    op: Any
    source: Place
    target: Place


@dataclass
class Flow:
    """A program of kernels; `buffers` has its arguments first, in order."""

    buffers: list[Buffer] = field(default_factory=list)
    steps: list[Any] = field(default_factory=list)


def flow_of(function: ir.Operation, uses: dict[str, tuple[frozenset[int], frozenset[int]]]) -> Flow:
    """Reads `function`. `uses` gives for each kernel the operands that it reads and those that it writes.

    Raises DiagnosticError at an operation that a program of kernels cannot have.
    """
    flow = _Reader(uses).read(function)
    buffers = host_buffers(function)
    for buffer in flow.buffers:
        is_result = buffers is not None and buffers.gives is not None and (buffer.argument or 0) >= len(buffers.holds)
        buffer.may_grow = buffer.is_own or is_result
    return flow


class _Reader:
    def __init__(self, uses: dict[str, tuple[frozenset[int], frozenset[int]]]) -> None:
        self.uses, self.flow = uses, Flow()
        self.places: dict[Any, Place] = {}
        self.globals: dict[str, Buffer] = {}

    def read(self, function: ir.Operation) -> Flow:
        if len(function.regions[0].blocks) != 1:
            raise error_at(function, "branches; a program of kernels must be one block, all of whose calls run")
        [block] = function.regions[0].blocks
        for number, argument in enumerate(block.arguments):
            if not isinstance(argument.type, ir.MemRefType) or not argument.type.has_static_shape:
                raise error_at(
                    function,
                    f"has argument {number} of type {argument.type}; a program of kernels takes memrefs of static shape",
                )
            self._new(argument, Buffer(argument.type.element_type, math.prod(argument.type.shape), argument.type, number))
        for view in block.operations:
            self._operation(view.operation)
        return self.flow

    def _new(self, value: ir.Value, buffer: Buffer) -> None:
        self.flow.buffers.append(buffer)
        self.places[value] = Place(buffer, 0, buffer.size)

    def _operation(self, op: ir.Operation) -> None:
        if op.name in _NOTHING:
            return
        if op.name in _VIEWS:
            self.places[op.results[0]] = self._view(op)
        elif op.name == "memref.alloc":
            kind = op.results[0].type
            self._new(op.results[0], Buffer(kind.element_type, math.prod(kind.shape), kind))
        elif op.name == "memref.get_global":
            self._constant(op)
        elif op.name == "memref.copy":
            source, target = (self._place(op, v) for v in op.operands)
            self.flow.steps.append(Copy(op, source, target))
        elif op.name == "func.call" and callee_of(op) in self.uses:
            kernel = callee_of(op)
            reads, writes = self.uses[kernel]
            self.flow.steps.append(Run(op, kernel, [self._place(op, v) for v in op.operands], reads, writes))
        else:
            raise error_at(
                op,
                "is in a program of kernels, which may only call kernels and pass whole buffers; compute it in a kernel, a "
                "function that is called",
            )

    def _constant(self, op: ir.Operation) -> None:
        name, kind = op.attributes["name"].value, op.results[0].type
        if name not in self.globals:
            data = next(
                o.operation.attributes["initial_value"]
                for o in root_of(op).regions[0].blocks[0].operations
                if o.operation.name == "memref.global" and sym_name_of(o.operation) == name
            )
            self._new(op.results[0], Buffer(kind.element_type, math.prod(kind.shape), kind, constant=data))
            self.globals[name] = self.flow.buffers[-1]
        buffer = self.globals[name]
        self.places[op.results[0]] = Place(buffer, 0, buffer.size)

    def _place(self, op: ir.Operation, value: ir.Value) -> Place:
        place = self.places.get(value)
        if place is None:
            raise error_at(op, f"works on '{value.type}', which is not a buffer of the program; pass kernels whole buffers")
        return place

    def _view(self, op: ir.Operation) -> Place:
        source, kind = self._place(op, op.operands[0]), op.results[0].type
        strides, offset = kind.get_strides_and_offset()
        if not _is_row_major(list(kind.shape), strides) or offset < 0:
            raise error_at(
                op,
                f"is of type '{kind}', rows with gaps between them; a kernel takes whole buffers, so that a kernel has to move "
                "the rows together",
            )
        before = max(op.operands[0].type.get_strides_and_offset()[1], 0)
        return Place(source.buffer, source.offset + offset - before, math.prod(kind.shape))


def _is_row_major(shape: list[int], strides: list[int]) -> bool:
    row_major_stride = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and stride != row_major_stride:
            return False
        row_major_stride *= size
    return True
