"""What lets programs start quickly: they import hundreds of files to do one thing, and leave out what that does not need."""

from __future__ import annotations

import dataclasses
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from allo_air.core.collector import SELDOM

_is_tool = False
_create: Callable[..., Any] | None = getattr(dataclasses, "_create_fn", None)
"""What compiles a method of a dataclass; not there from Python 3.13 on."""


def prepare() -> None:
    """Makes this process, which is a tool's own, start quickly; has `import_bindings` do without numpy in it."""
    global _is_tool
    _is_tool = True
    hurry()


def hurry() -> None:
    """Has all dataclasses compile methods late, and the collector of garbage look at what there is less often."""
    compile_late("")
    gc.set_threshold(*SELDOM)


def compile_late(package: str) -> None:
    """Has dataclasses of the modules whose names begin with `package` compile a method when it is first used.

    Compiling the methods of a class takes longer than importing the rest of its file (0.6 ms), and most are never called.
    """
    if _create is not None:
        dataclasses._create_fn = partial(_created, package)  # type: ignore[attr-defined]


def _created(package: str, name: str, *given: Any, globals: Any = None, **named: Any) -> Any:
    assert _create is not None

    def made() -> Any:
        return _create(name, *given, globals=globals, **named)

    return _Late(name, made) if (globals or {}).get("__name__", "").startswith(package) else made()


_TRIED = 16
"""Instances that are made of a class before its `__init__` is compiled, which takes as long: most have fewer."""

_MISSING = dataclasses.MISSING


class _Late:
    """A method that is compiled when it is first looked up, and then takes this one's place in its class.

    An `__init__` does what it would do field by field at first.
    """

    def __init__(self, name: str, compile_: Callable[[], Any]) -> None:
        self.__name__ = name
        self._compile = compile_
        self._left = _TRIED if name == "__init__" else 0
        self._plain: _Plain | None = None

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is not None and self._left:
            self._left -= 1
            return partial(self._fill, instance, owner)
        return self._method(owner).__get__(instance, owner)

    def __call__(self, *given: Any, **named: Any) -> Any:  # in what dataclasses put around a `__repr__`
        return self._compile()(*given, **named)

    def _method(self, owner: type) -> Any:
        method = self._compile()
        for kind in self._holders(owner):
            method.__qualname__ = f"{kind.__qualname__}.{self.__name__}"
            setattr(kind, self.__name__, method)
        return method

    def _holders(self, owner: type) -> list[Any]:
        return [kind for kind in owner.__mro__ if vars(kind).get(self.__name__) is self]

    def _fill(self, instance: Any, owner: type, /, *given: Any, **named: Any) -> None:
        """What `__init__` does; it is compiled where that is not plain, or the arguments are wrong."""
        if self._plain is None:
            self._plain = _plain(next(iter(self._holders(owner)), None))
        fields, put, is_followed = self._plain
        values, used = list(given), 0
        for name, default, factory in (fields or ())[len(given) :]:
            if name in named:
                values.append(named[name])
                used += 1
            elif default is not _MISSING:
                values.append(default)
            elif factory is not _MISSING:
                values.append(factory())
            else:
                break
        if fields is None or used != len(named) or len(values) != len(fields):
            self._left = 0
            self._method(owner)(instance, *given, **named)
            return
        for (name, _, _), value in zip(fields, values, strict=True):
            put(instance, name, value)
        if is_followed:
            instance.__post_init__()


_Plain = tuple[list[tuple[str, Any, Any]] | None, Callable[..., None], bool]
"""Fields with their defaults and factories, None where `__init__` does more than to set them; what sets them; whether
`__post_init__` follows."""


def _plain(kind: Any) -> _Plain:
    """What `__init__` of a dataclass does."""
    every = [] if kind is None else vars(kind)["__dataclass_fields__"].values()
    fields = [f for f in every if f._field_type is not dataclasses._FIELD_CLASSVAR]  # type: ignore[attr-defined]
    is_plain = all(f.init and not f.kw_only and f._field_type is dataclasses._FIELD for f in fields)  # type: ignore[attr-defined]
    put = object.__setattr__ if kind is not None and kind.__dataclass_params__.frozen else setattr
    return (
        [(f.name, f.default, f.default_factory) for f in fields] if is_plain and kind is not None else None,
        put,
        hasattr(kind, "__post_init__"),
    )


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
