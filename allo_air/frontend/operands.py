"""Operands of arithmetic: constant arrays as buffers, and operations on the elements of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.frontend import tensors
from allo_air.frontend.arithmetic import apply, numpys_type, type_of
from allo_air.frontend.constants import constant_buffer
from allo_air.frontend.numbers import BOOL
from allo_air.frontend.rules import common
from allo_air.frontend.state import State
from allo_air.frontend.values import Buffer

if TYPE_CHECKING:
    from allo_air.frontend.values import KnownInt, Pid


def as_operand(value: Any) -> Any:
    """A value as an operand of arithmetic: a constant array becomes a buffer, other values stay."""
    if hasattr(value, "ndim") and hasattr(value, "dtype") and not isinstance(value, Buffer):
        if value.ndim == 0:
            return value.item()
        return constant_buffer(value)
    return value


def element_type(state: State, name: str, left: Buffer, right: Any) -> Any:
    """The element type of an operation on tensors. If both have the same type, it is that type, so that sums do not widen
    tensors.
    """
    types = [x.element if isinstance(x, Buffer) else None for x in (left, right)]
    partner_type = types[0] or types[1]
    full = [t or type_of(x, partner_type) for t, x in zip(types, (left, right), strict=True)]
    if name in ("eq", "ne", "lt", "le", "gt", "ge"):
        return BOOL
    return numpys_type(name, *full) if state.rules == "numpy" else common(*full)


def tensor_binary(state: State, name: str, left: Buffer, right: Any, target: Buffer | None) -> Buffer:
    """An operation on the elements of tensors, with broadcasting."""
    kind = element_type(state, name, left, right)
    usable = target if target is not None and can_write_to([left, right], target) else None
    return tensors.elementwise([left, right], lambda x: apply(name, x[0], x[1], state.rules), kind, usable)


def can_write_to(operands: Sequence[Buffer | KnownInt | Pid | float], target: Buffer) -> bool:
    """Whether a result can be written to `target` directly: no operand is a different view of its memory."""
    return all(not isinstance(o, Buffer) or o.origin != target.origin or o.value == target.value for o in operands)
