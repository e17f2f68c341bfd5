"""Faster start of programs, which import hundreds of files for one task: work that the task does not need is postponed."""

from __future__ import annotations

import dataclasses
import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from typing import Any

from allo_air.core.gc_pause import SELDOM
from allo_air.core.shared_methods import shared_method

_is_tool = False
_create: Callable[..., Any] | None = getattr(dataclasses, "_create_fn", None)
"""The function that compiles a method of a dataclass; Python 3.13 has none."""


def prepare() -> None:
    """Makes this process, which runs only a tool, start quickly; in it, `import_bindings` does not import numpy."""
    global _is_tool
    _is_tool = True
    speed_up_start()


def speed_up_start() -> None:
    """Makes all dataclasses compile their methods late, and the garbage collector run less often."""
    compile_late("")
    gc.set_threshold(*SELDOM)


def compile_late(package: str) -> None:
    """Makes dataclasses of modules whose names begin with `package` compile each method at its first use.

    Compiling the methods of a class takes longer than importing the rest of its file (0.6 ms), and most methods are never
    called.
    """
    if _create is not None:
        dataclasses._create_fn = partial(_created, package)  # type: ignore[attr-defined]


def _created(package: str, name: str, *values: Sequence[str], globals: Any = None, **named: object) -> Any:
    assert _create is not None

    def create() -> Any:
        return _create(name, *values, globals=globals, **named)

    return _Late(name, create) if (globals or {}).get("__name__", "").startswith(package) else create()


class _Late:
    """A descriptor that compiles a method at its first lookup and then replaces itself by the method."""

    def __init__(self, name: str, compile_: Callable[[], Callable[..., object]]) -> None:
        self.__name__ = name
        self._compile = cache(compile_)

    def __get__(self, instance: object, owner: type) -> Any:
        return self._method(owner).__get__(instance, owner)

    def __call__(self, *arguments: object, **named: Any) -> Any:  # dataclasses call it in a wrapper around `__repr__`
        return self._compile()(*arguments, **named)

    def _method(self, owner: type) -> Any:
        holders: list[Any] = [kind for kind in owner.__mro__ if vars(kind).get(self.__name__) is self]
        method = (shared_method(holders[0], self.__name__) if holders else None) or self._compile()
        for kind in holders:
            method.__qualname__ = f"{kind.__qualname__}.{self.__name__}"
            setattr(kind, self.__name__, method)
        return method


def import_bindings() -> None:
    """Imports the bindings; in a tool, without numpy (0.04 s), which they only need for attributes that the tools do not
    build.
    """
    with _without_numpy() if _is_tool and "numpy" not in sys.modules else nullcontext():
        import allo_air.mlir  # noqa: F401


@contextmanager
def _without_numpy() -> Iterator[None]:
    """Makes `import numpy` fail."""
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numpy"]
