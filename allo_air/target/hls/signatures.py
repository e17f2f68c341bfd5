"""Signatures of C++ functions: results are trailing parameters, unless they are arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.mlir import AnyOp, ir
from allo_air.target.hls.types import TAKEN, Kind, kind_of


@dataclass(frozen=True)
class Parameter:
    """A parameter; `shape` is None for a number."""

    name: str
    kind: Kind
    shape: tuple[int, ...] | None
    is_out: bool = False
    stream: bool = False


def is_buffer(parameter: Parameter) -> bool:
    """Whether the host passes memory for it: an array, or the address of a number that is written; others are passed by
    value.
    """
    return not parameter.stream and (parameter.shape is not None or parameter.is_out)


@dataclass
class Signature:
    """A function's name and parameters."""

    name: str
    arguments: tuple[Parameter, ...]
    results: tuple[Parameter | int, ...]
    """For each result, its parameter, or the number of the argument that is returned."""
    outs: dict[Any, Parameter]
    """The returned values that have a parameter."""
    copied: dict[Any, bool]
    """Whether a returned value is stored to its parameter at the end; others are that parameter all along."""
    is_top: bool = False
    streams: tuple[Parameter, ...] = ()
    """The streams that it uses and its caller declares."""
    own: tuple[tuple[Parameter, int], ...] = ()
    """The streams that it declares, with their depths."""
    written: frozenset[int] = frozenset()
    """The numbers of the arrays among its arguments that it may write to."""
    pragmas: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def parameters(self) -> list[Parameter]:
        """All parameters, in order."""
        return [*self.arguments, *(r for r in self.results if isinstance(r, Parameter)), *self.streams]


def signature(op: AnyOp, is_top: bool = False) -> Signature:
    """The signature of a function operation."""
    kinds = [op.attributes[name].value if name in op.attributes else "" for name in ("itypes", "otypes")]
    [block] = op.regions[0].blocks
    arguments = tuple(
        Parameter(f"v{n}", _kind(op, "fixed", n, value.type, kinds[0]), _shape(value.type))
        for n, value in enumerate(block.arguments)
    )
    [*_, last] = block.operations
    returned: list[Any] = list(last.operands)
    values: list[Any] = list(block.arguments)
    results: list[Parameter | int] = []
    outs: dict[Any, Parameter] = {}
    copied: dict[Any, bool] = {}
    for n, value in enumerate(returned):
        if isinstance(value.type, ir.MemRefType) and value in values:
            results.append(values.index(value))
            continue
        kind = _kind(op, "fixed_result", n, value.type, kinds[1])
        parameter = Parameter(f"v{len(arguments) + len(outs)}", kind, _shape(value.type), True)
        results.append(parameter)
        outs[value] = parameter
        copied[value] = not _is_created_inside(value) or returned.count(value) > 1
    symbol = sym_name_of(op)
    return Signature(f"{symbol}_" if symbol in TAKEN else symbol, arguments, tuple(results), outs, copied, is_top)


def _is_created_inside(value: ir.Value) -> bool:
    """Whether a returned array is allocated in the function, so that the parameter can replace it."""
    if isinstance(value, ir.BlockArgument):
        return False
    owner = value.owner.operation
    return bool(owner.name == "memref.alloc" and owner.parent.name == "func.func")


def _kind(op: AnyOp, attribute: str, number: int, type_: ir.Type, signs: str) -> Kind:
    places = op.attributes[f"{attribute}.{number}"].value if f"{attribute}.{number}" in op.attributes else 0
    return kind_of(type_, number >= len(signs) or signs[number] != "u", places)


def _shape(type_: ir.Type) -> tuple[int, ...] | None:
    return tuple(type_.shape) if isinstance(type_, ir.MemRefType) else None


def with_streams(signatures: dict[str, Signature], bodies: dict[str, AnyOp], declared: dict[str, AnyOp]) -> None:
    """Completes signatures, of callees before callers, by the streams that functions use and the arrays that they write."""
    from allo_air.core.walking import walk_named

    for name, item in signatures.items():
        used: dict[str, Parameter] = {}
        for call in walk_named(bodies[name], "func.call"):
            callee = callee_of(call)
            if callee in signatures:
                used |= {s.name: s for s in signatures[callee].streams}
            elif "stream" in declared[callee].attributes:
                stream = _stream(declared[callee])
                if stream is not None:
                    used.setdefault(stream.name, stream)
        depths = _depths(bodies[name])
        item.own = tuple((s, depths[s.name]) for s in used.values() if s.name in depths)
        item.streams = tuple(s for s in used.values() if s.name not in depths)
        [block] = bodies[name].regions[0].blocks
        item.written = frozenset(n for n, argument in enumerate(block.arguments) if _is_written(argument, signatures, declared))


def _stream(op: AnyOp) -> Parameter | None:
    """The stream and operation that a function without a body represents."""
    name, inputs = str(op.attributes["stream"].value), function_type_of(op).inputs
    if not inputs:
        return None
    return Parameter(name, kind_of(inputs[0], "unsigned" not in op.attributes), (), stream=True)


def _depths(op: AnyOp) -> dict[str, int]:
    """The streams that a function declares, and their depths."""
    texts = [str(a.value) for a in op.attributes["streams"]] if "streams" in op.attributes else []
    return {name: int(depth) for name, _, depth in (text.rpartition(":") for text in texts)}


_READS = ("affine.load", "memref.load", "memref.dim")
_VIEWS = ("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reshape")


def _is_written(value: ir.Value, signatures: dict[str, Signature], declared: dict[str, AnyOp]) -> bool:
    """Whether a user of an array may write to it."""
    for use in value.uses:
        op = use.owner.operation
        if op.name in _READS or (op.name == "memref.copy" and use.operand_number == 0):
            continue
        if op.name in _VIEWS and not _is_written(op.results[0], signatures, declared):
            continue
        if op.name == "func.call":
            callee = callee_of(op)
            if callee in signatures and use.operand_number not in signatures[callee].written and not op.results:
                continue
            if (
                callee in declared
                and "does" in declared[callee].attributes
                and declared[callee].attributes["does"].value == "put"
            ):
                continue
        return True
    return False
