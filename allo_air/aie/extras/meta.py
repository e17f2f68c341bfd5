"""Decorators that make builders of operations with regions out of constructors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.aie.building.regions import block_of, fill_with
from allo_air.aie.extras.util import bb

__all__ = ["bb", "op_region_builder", "region_op"]


def region_op(op_constructor: Callable[..., Any], terminator: Callable[[Any], object] | None = None) -> Callable[..., Any]:
    """A decorator that builds an operation's body with the decorated function; `terminator` gets a list of the returned
    values."""

    def decorate(*arguments: object, **named: object) -> Callable[..., Any]:
        op = op_constructor(*arguments, **named)
        return op_region_builder(op, op.operation.regions[0], terminator)

    return decorate


def op_region_builder(op: Any, op_region: Any, terminator: Callable[[Any], object] | None = None) -> Callable[..., Any]:
    """Fills a region of `op` with the body of a function, whose annotations are the types of the block's arguments."""

    def fill(function: Callable[..., Any]) -> Any:
        types = [t for name, t in getattr(function, "__annotations__", {}).items() if name != "return"]
        returned: list[Any] = []
        end = None if terminator is None else lambda: terminator(returned)
        block_of(op, types, list(op.operation.regions).index(op_region))

        def run(*values: object) -> None:
            result = function(*values)
            returned.extend(result if isinstance(result, list | tuple) else [] if result is None else [result])

        fill_with(op, run, end, types)
        return op

    return fill
