"""What lets a tool start quickly: it imports hundreds of files to do one thing, and leaves out what that thing does not need.

Only processes of our own do this, for it changes how a module of Python's works. The seconds are of `gemm-bf16` at 512^3.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

_is_tool = False


def prepare() -> None:
    """Has methods of dataclasses compiled when they are first called (0.1 s), and `import_bindings` do without numpy."""
    global _is_tool
    _is_tool = True
    if hasattr(dataclasses, "_create_fn"):  # up to Python 3.12; later ones compile all methods of a class at once
        dataclasses._create_fn = _deferred(dataclasses._create_fn)


def import_bindings() -> None:
    """Imports the bindings; in a tool without numpy (0.04 s), with which they build attributes as nothing here does."""
    with _without_numpy() if _is_tool and "numpy" not in sys.modules else nullcontext():
        import allo_air.mlir  # noqa: F401


@contextmanager
def _without_numpy() -> Iterator[None]:
    """Lets `import numpy` fail."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numpy"]


def _deferred(create: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `dataclasses._create_fn`, which compiles a method: makes methods that compile themselves when called."""

    def create_later(name: str, *args: Any, **given: Any) -> Callable[..., Any]:
        made: Callable[..., Any] | None = None

        def method(self: Any, /, *values: Any, **named: Any) -> Any:
            nonlocal made
            if made is None:
                made = create(name, *args, **given)
                for owner in type(self).__mro__:
                    if owner.__dict__.get(name) is method:
                        setattr(owner, name, made)
            return made(self, *values, **named)

        method.__name__ = name
        return method

    return create_later
