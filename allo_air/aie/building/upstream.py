"""MLIR's own dialects under the names that programs import; their functions return values with Python's operators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allo_air import mlir
from allo_air.aie.building.values import wrapped
from allo_air.mlir import ir


def forwarded(dialect: str) -> Callable[[str], Any]:
    """A module's `__getattr__` that finds the names of the bindings' module `dialect`."""

    def get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        result = getattr(getattr(mlir, dialect), name)
        return _wrapping(result) if callable(result) and not isinstance(result, type) else result

    return get


def names(dialect: str) -> list[str]:
    """The public names of the bindings' module `dialect`."""
    return [n for n in dir(getattr(mlir, dialect)) if not n.startswith("_")]


def _wrapping(function: Callable[..., object]) -> Callable[..., Any]:
    @wraps(function)
    def build(*arguments: object, **named: object) -> Any:
        result = function(*arguments, **named)
        if isinstance(result, list | ir.OpResultList):
            return [wrapped(v) for v in result]
        return wrapped(result)

    return build
