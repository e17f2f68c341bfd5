"""Reads the attributes of schedule operations, and reports invalid ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def _attribute(op: AnyOp, name: str) -> Any:
    if name not in op.attributes:
        raise AlloAirError(f"{op.operation.name} needs attribute '{name}'")
    return op.attributes[name]


def text(op: AnyOp, name: str) -> str:
    """The string in attribute `name`."""
    return str(_attribute(op, name).value)


def number(op: AnyOp, name: str) -> int:
    """The integer in attribute `name`."""
    return int(_attribute(op, name).value)


def numbers(op: AnyOp, name: str) -> list[int]:
    """The list of integers in attribute `name`."""
    return [int(n.value) for n in _attribute(op, name)]
