"""What functions take and give in C++: results are parameters behind the others, unless they are arguments themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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


@dataclass
class Signature:
    """A function's name and parameters."""

    name: str
    arguments: tuple[Parameter, ...]
    results: tuple[Parameter | int, ...]
    """For each result its parameter, or the number of the argument that it is."""
    outs: dict[Any, Parameter]
    """The returned values that have a parameter."""
    copied: dict[Any, bool]
    """Whether a returned value is stored to its parameter at the end; others are that parameter all along."""
    is_top: bool = False
    pragmas: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    @property
    def parameters(self) -> list[Parameter]:
        """All, in order."""
        return [*self.arguments, *(r for r in self.results if isinstance(r, Parameter))]


def signature(op: AnyOp, is_top: bool = False) -> Signature:
    """What a `func.func` takes and gives."""
    kinds = [op.attributes[name].value if name in op.attributes else "" for name in ("itypes", "otypes")]
    [block] = op.regions[0].blocks
    arguments = tuple(
        Parameter(f"v{n}", _kind(op, "fixed", n, value.type, kinds[0]), _shape(value.type))
        for n, value in enumerate(block.arguments)
    )
    [*_, last] = block.operations
    returned: list[Any] = list(last.operands)
    given: list[Any] = list(block.arguments)
    results: list[Parameter | int] = []
    outs: dict[Any, Parameter] = {}
    copied: dict[Any, bool] = {}
    for n, value in enumerate(returned):
        if isinstance(value.type, ir.MemRefType) and value in given:
            results.append(given.index(value))
            continue
        kind = _kind(op, "fixed_result", n, value.type, kinds[1])
        made = Parameter(f"v{len(arguments) + len(outs)}", kind, _shape(value.type), True)
        results.append(made)
        outs[value] = made
        copied[value] = not _own(value) or returned.count(value) > 1
    symbol = str(op.attributes["sym_name"].value)
    return Signature(f"{symbol}_" if symbol in TAKEN else symbol, arguments, tuple(results), outs, copied, is_top)


def _own(value: Any) -> bool:
    """Whether a returned array is made in the function, so that it can be the parameter itself."""
    if isinstance(value, ir.BlockArgument):
        return False
    owner = value.owner.operation
    return bool(owner.name == "memref.alloc" and owner.parent.name == "func.func")


def _kind(op: AnyOp, attribute: str, number: int, type_: Any, signs: str) -> Kind:
    places = op.attributes[f"{attribute}.{number}"].value if f"{attribute}.{number}" in op.attributes else 0
    return kind_of(type_, number >= len(signs) or signs[number] != "u", places)


def _shape(type_: Any) -> tuple[int, ...] | None:
    return tuple(type_.shape) if isinstance(type_, ir.MemRefType) else None
