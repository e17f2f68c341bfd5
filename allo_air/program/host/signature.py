"""What a program takes and gives: shapes and types of its arguments, from the source's function and the runtime sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.program.host.transfers import Role, roles


@dataclass(frozen=True)
class Argument:
    """A host buffer: `shape` is what the user passes, `padded` what the device moves; `element` is MLIR's type."""

    name: str
    shape: tuple[int, ...]
    element: str
    role: Role
    padded: tuple[int, ...]
    given: str = ""
    """What the text calls it, where that is known."""

    @property
    def type_text(self) -> str:
        """`512x512xbf16`."""
        return type_text(self.shape, self.element)

    def __str__(self) -> str:
        return f"{self.name}: {'x'.join(map(str, self.shape)) or 'scalar'} of {self.element}"


def signature(source: Any, lowered: Any, sequence: Any, instructions: Any = None) -> tuple[Argument, ...]:
    """The arguments of runtime sequence `sequence` (of module `lowered`), with the shapes that `source` declares.

    `instructions` say which way they go, where those of `sequence` do not. `source` is the module before the pipeline. Its
    function's results come after its arguments, as out-parameters; where it has no function, or the device is the source, the
    sequence's own types count. Larger shapes on the device are padding.
    """
    told = roles(sequence.instructions() if instructions is None else instructions)
    device = [_memref(a.type, sequence.op) for a in sequence.op.body.blocks[0].arguments]
    declared, results = _declared(source, str(sequence.op.sym_name))
    if declared is None or _same_module(source, lowered):
        declared, results = _host_types(sequence.op, device), 0
    if len(declared) != len(device):
        raise error_at(
            sequence.op, f"has {len(device)} arguments where the source's function has {len(declared)} arguments and results"
        )
    found = []
    for number, ((shape, element), (padded, moved)) in enumerate(zip(declared, device, strict=True)):
        if element != moved or len(shape) != len(padded) or any(s > p for s, p in zip(shape, padded, strict=True)):
            raise error_at(
                sequence.op,
                f"argument {number} is {type_text(padded, moved)} on the device, "
                f"the source's function has {type_text(shape, element)}",
            )
        inner = len(device) - results
        role: Role = "out" if number >= inner else told.get(number, "in")
        name = f"result {number - inner}" if results and number >= inner else f"argument {number}"
        found.append(Argument(name, shape, element, role, padded))
    return tuple(found)


def _host_types(op: Any, device: list[tuple[tuple[int, ...], str]]) -> list[tuple[tuple[int, ...], str]]:
    """The types `device` with the shapes of the user's arrays, where `pad-gemm` left them for sequence `op`."""
    from allo_air.dialects.host_shapes import HOST_SHAPES, host_shapes

    shapes = host_shapes(op.operation)
    if not shapes:
        return device
    if len(shapes) != len(device):
        raise error_at(op, f"has {len(device)} arguments, and {HOST_SHAPES} has {len(shapes)} shapes")
    return [(shape, element) for shape, (_, element) in zip(shapes, device, strict=True)]


def _same_module(one: Any, other: Any) -> bool:
    return bool(one.operation == other.operation)


def _declared(source: Any, name: str) -> tuple[list[tuple[tuple[int, ...], str]] | None, int]:
    """Types of the arguments and then the results of the function called `name`, or the only one; and how many results."""
    inside = source.operation.regions[0].blocks[0].operations
    functions = [o for o in inside if o.operation.name == "func.func" and not o.is_external]
    chosen = [f for f in functions if f.sym_name.value == name] or functions
    if len(chosen) != 1:
        return None, 0
    kind = chosen[0].type
    types = [shaped(t) for t in (*kind.inputs, *kind.results)]
    return (None, 0) if None in types else ([t for t in types if t is not None], len(kind.results))


def shaped(kind: Any) -> tuple[tuple[int, ...], str] | None:
    """Shape and element type of a tensor or memref type; None for another, and for sizes that are not constant."""
    if not hasattr(kind, "shape") or not kind.has_static_shape:
        return None
    return tuple(kind.shape), str(kind.element_type)


def _memref(kind: Any, op: Any) -> tuple[tuple[int, ...], str]:
    found = shaped(kind)
    if found is None:
        raise error_at(op, f"has an argument of type {kind}; host buffers are memrefs of static shape")
    return found


def type_text(shape: Sequence[int], element: str) -> str:
    """A shape and element type as MLIR writes them."""
    return "x".join([*map(str, shape), element])


def inputs(arguments: Sequence[Argument]) -> list[Argument]:
    """The arguments that a call must be given."""
    return [a for a in arguments if a.role != "out"]


def outputs(arguments: Sequence[Argument]) -> list[Argument]:
    """The arguments that a call gives back."""
    return [a for a in arguments if a.role != "in"]


def describe(arguments: Sequence[Argument]) -> str:
    """`argument 0: 512x512 of bf16, argument 1: ...`."""
    return ", ".join(map(str, arguments)) or "nothing"
