"""The emitters of the kernel language's operations, by their functions in `dsl`, and checks of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from allo_air.frontend.errors import KernelError
from allo_air.frontend.operands import as_operand
from allo_air.frontend.types import ScalarType, float32
from allo_air.frontend.values import Buffer

Emitter = Callable[..., Any]
OPERATIONS: dict[Any, Emitter] = {}
"""The emitter of each function of `dsl`, called with the state, the arguments, a target or None, and keywords."""


def operation(function: Callable[..., object]) -> Callable[[Emitter], Emitter]:
    """Registers the emitter of a function of `dsl`."""

    def register(emitter: Emitter) -> Emitter:
        OPERATIONS[function] = emitter
        return emitter

    return register


def tensor(buffer: object, expected: str = "a tensor") -> Buffer:
    """`buffer`, which must be a tensor; `expected` names it in the error."""
    buffer = as_operand(buffer)
    if not isinstance(buffer, Buffer):
        raise KernelError(f"expected {expected}, found {buffer!r}")
    return buffer


def shape_of(item: object) -> tuple[int, ...]:
    """`item`, which must be a shape."""
    sizes = item if isinstance(item, (tuple, list)) else (item,)
    if not all(isinstance(s, int) for s in sizes):
        raise KernelError(f"a shape must be known when the kernel is compiled, found {item!r}")
    return tuple(sizes)


def float_of(kind: ScalarType) -> ScalarType:
    """The type in which functions of real numbers compute for operands of type `kind`."""
    return kind if kind.floating else float32


def reusable(target: Buffer | None, operands: Sequence[Buffer]) -> Buffer | None:
    """`target`, unless it shares memory with an operand."""
    if target is None or any(isinstance(o, Buffer) and o.origin == target.origin for o in operands):
        return None
    return target
