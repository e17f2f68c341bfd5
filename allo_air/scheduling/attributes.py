"""Attributes of a schedule's operations, and what is wrong with them."""

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
    """A string."""
    return str(_attribute(op, name).value)


def number(op: AnyOp, name: str) -> int:
    """A whole number."""
    return int(_attribute(op, name).value)


def numbers(op: AnyOp, name: str) -> list[int]:
    """A list of whole numbers."""
    return [int(n.value) for n in _attribute(op, name)]
