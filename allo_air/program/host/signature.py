"""The signature of a program: shapes, types and directions of its arguments, from the source's function and the runtime
sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import gt
from typing import TYPE_CHECKING, Any

from allo_air.access.layout import Layout
from allo_air.asm.blocks import in_bytes
from allo_air.core.diagnostics import error_at, given_name
from allo_air.dialects.host_shapes import HOST_SHAPES, host_layouts, host_shapes
from allo_air.errors import counted
from allo_air.program.host.transfers import Role, roles

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class Argument:
    """A host buffer: `shape` is the shape that the user passes, `padded` the shape that the device moves; `element` is MLIR's
    type.
    """

    name: str
    shape: tuple[int, ...]
    element: str
    role: Role
    padded: tuple[int, ...]
    source_name: str = ""
    """Its name in the source, if known."""
    layout: Layout | None = None
    """The layout of the array on the device, unless it is the leading corner of a larger array."""

    @property
    def type_text(self) -> str:
        """`512x512xbf16`."""
        return type_text(self.shape, self.element)

    def __str__(self) -> str:
        return f"{self.name}: {'x'.join(map(str, self.shape)) or 'scalar'} of {self.element}"


def signature(source: ir.Operation, lowered: AnyOp, sequence: Any, instructions: Any = None) -> tuple[Argument, ...]:
    """The arguments of runtime sequence `sequence` (of module `lowered`), with the shapes that `source` declares.

    `instructions` determine directions, if `sequence` does not. `source` is the module before the pipeline. Its function's
    results are the last arguments, as out-parameters. If it has no function, or if the source is already a device, the
    sequence's own types are used. Larger shapes on the device are padding.
    """
    info = roles(sequence.instructions() if instructions is None else instructions)
    device = declared(sequence.op.operation, info, "in")
    types, results = _of_function(source, str(sequence.op.sym_name))
    if types is None or source.operation == lowered.operation:
        return tuple(device)
    if len(types) != len(device):
        raise error_at(
            sequence.op,
            f"has {counted(len(device), 'argument')} where the source's function has "
            f"{counted(len(types), 'argument')} and results",
        )
    arguments = []
    for number, ((shape, element), moved) in enumerate(zip(types, device, strict=True)):
        padded = moved.padded
        if moved.layout is not None:
            differs = element != moved.element or shape != moved.shape
        else:
            differs = element != moved.element or len(shape) != len(padded) or any(map(gt, shape, padded))
        if differs:
            raise error_at(
                sequence.op,
                f"argument {number} is {type_text(padded, moved.element)} on the device, "
                f"the source's function has {type_text(shape, element)}",
            )
        result = number - (len(device) - results)
        name, role = (f"argument {number}", moved.role) if result < 0 else (f"result {result}", "out")
        arguments.append(Argument(name, shape, element, role, padded, layout=moved.layout))
    return tuple(arguments)


def with_results(arguments: tuple[Argument, ...], source: AnyOp, name: str) -> tuple[Argument, ...]:
    """`arguments`, with the last ones marked as results if the function `name` of `source`, or the only function, returns
    values.
    """
    declared, results = _of_function(source, name)
    if not results or declared is None or len(declared) != len(arguments):
        return arguments
    first = len(arguments) - results
    return (*arguments[:first], *(replace(a, name=f"result {n}", role="out") for n, a in enumerate(arguments[first:])))


def declared(entry: ir.Operation, info: Mapping[int, Role], otherwise: Role) -> list[Argument]:
    """The arguments of a function or runtime sequence, with the caller's shapes if they are padded or packed."""
    shapes, layouts, arguments = host_shapes(entry), host_layouts(entry), list[Argument]()
    count = len(entry.regions[0].blocks[0].arguments)
    if len(shapes) not in (0, count):
        raise error_at(entry, f"has {counted(count, 'argument')}, and {HOST_SHAPES} has {counted(len(shapes), 'shape')}")
    for number, argument in enumerate(entry.regions[0].blocks[0].arguments):
        kind = shaped(argument.type)
        if kind is None:
            raise error_at(entry, f"has argument {number} of type {argument.type}; host buffers are memrefs of static shape")
        padded, element = kind
        shape = shapes[number] if shapes else padded
        value = given_name(argument.location, "argument").lstrip("%")
        layout = layouts[number] if layouts else None
        arguments.append(Argument(f"argument {number}", shape, element, info.get(number, otherwise), padded, value, layout))
    return arguments


def _of_function(source: AnyOp, name: str) -> tuple[list[tuple[tuple[int, ...], str]] | None, int]:
    """The types of the arguments and results of function `name`, or of the only function; and the number of results."""
    inside = source.operation.regions[0].blocks[0].operations
    functions = [o for o in inside if o.operation.name == "func.func" and not o.is_external]
    chosen = [f for f in functions if f.sym_name.value == name] or functions
    if len(chosen) != 1:
        return None, 0
    kind = chosen[0].type
    types = [shaped(t) for t in (*kind.inputs, *kind.results)]
    return (None, 0) if None in types else ([in_bytes(*t) for t in types if t is not None], len(kind.results))


def shaped(kind: ir.MemRefType | ir.RankedTensorType) -> tuple[tuple[int, ...], str] | None:
    """Shape and element type of a tensor or memref type; None for other types and dynamic sizes."""
    if not getattr(kind, "has_rank", False) or not kind.has_static_shape:
        return None
    return tuple(kind.shape), str(kind.element_type)


def unranked(kind: Any) -> str:
    """The element type of an unranked memref, whose array may have any shape; empty for other types."""
    return str(kind.element_type) if str(kind).startswith("memref<*x") else ""


def type_text(shape: Sequence[int], element: str) -> str:
    """A shape and element type as MLIR writes them."""
    return "x".join([*map(str, shape), element])


def inputs(arguments: Sequence[Argument]) -> list[Argument]:
    """The arguments that a call must pass."""
    return [a for a in arguments if a.role != "out"]


def outputs(arguments: Sequence[Argument]) -> list[Argument]:
    """The arguments that a call returns."""
    return [a for a in arguments if a.role != "in"]


def describe(arguments: Sequence[Argument]) -> str:
    """`argument 0: 512x512 of bf16, argument 1: ...`."""
    return ", ".join(map(str, arguments)) or "nothing"
