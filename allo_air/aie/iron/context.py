"""The current compile-time arguments, for functions that generators call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from allo_air.aie.building.errors import IronValueError

_ARGUMENTS: ContextVar[dict[str, Any]] = ContextVar("allo_air_iron_arguments", default={})  # noqa: B039 - never changed
_REQUIRED = object()


@contextmanager
def compile_context(**arguments: object) -> Iterator[dict[str, Any]]:
    """Makes `get_compile_arg` find these arguments, and those of enclosing `with` blocks, inside the `with` block."""
    token = _ARGUMENTS.set({**_ARGUMENTS.get(), **arguments})
    try:
        yield _ARGUMENTS.get()
    finally:
        _ARGUMENTS.reset(token)


def get_compile_arg(name: str, default: object = _REQUIRED) -> Any:
    """The compile-time argument `name` of the design under construction, else `default`."""
    result = _ARGUMENTS.get()
    if name not in result and default is _REQUIRED:
        raise IronValueError(f"get_compile_arg: there is no argument '{name}' (there are: {', '.join(result) or 'none'})")
    return result.get(name, default)
