"""`@func`: Python functions of buffers and scalars that cores call as functions of the device."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

from allo_air.aie.iron.arrays import ArrayType, array_type, is_array_type, scalar_element
from allo_air.aie.iron.errors import IronTypeError, IronValueError
from allo_air.aie.iron.values import Memory, Scalar, cast
from allo_air.aie.iron.writing import Writer, writer

__all__ = ["func"]


class Function:
    """A function with annotated parameters; its body is written at the first call in a design."""

    def __init__(self, function: Callable[..., Any]):
        self.function, self.__name__, self.__doc__ = function, function.__name__, function.__doc__
        hints = get_type_hints(function)
        self.kinds: list[ArrayType | str] = [self._kind(hints.get(n), n) for n in inspect.signature(function).parameters]

    def _kind(self, given: Any, name: str) -> ArrayType | str:
        if is_array_type(given):
            return array_type(given, f"@func {self.__name__}")
        if (element := scalar_element(given)) is not None:
            return element
        raise IronTypeError(f"@func {self.__name__}: parameter '{name}' needs an array type or a numpy scalar type")

    def __call__(self, *arguments: Any) -> None:
        """Calls it in a core."""
        out = writer(f"@func {self.__name__} is called", "core")
        if len(arguments) != len(self.kinds):
            raise IronValueError(f"@func {self.__name__} is called with {len(arguments)} arguments, and has {len(self.kinds)}")
        types = [k.memref if isinstance(k, ArrayType) else k for k in self.kinds]
        if self.__name__ not in out.functions:
            out.functions[self.__name__] = self._written(out, types)
        values = [self._passed(given, kind) for given, kind in zip(arguments, self.kinds, strict=True)]
        out.op(f"func.call @{self.__name__}({', '.join(values)}) : ({', '.join(types)}) -> ()")

    def _passed(self, given: Any, kind: ArrayType | str) -> str:
        if isinstance(kind, str):
            return cast(given, kind).name
        if not isinstance(given, Memory) or given.type != kind:
            raise IronTypeError(f"@func {self.__name__}: {type(given).__name__} for a parameter of {kind.memref}")
        return given.name

    def _written(self, out: Writer, types: list[str]) -> str:
        names = [out.fresh() for _ in types]
        heads = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
        given = [Memory(n, k) if isinstance(k, ArrayType) else Scalar(n, k) for n, k in zip(names, self.kinds, strict=True)]

        def body() -> None:
            self.function(*given)
            out.op("return")

        return out.apart(f"func.func private @{self.__name__}({heads}) {{", body)


def func(function: Callable[..., Any] | None = None, **_: Any) -> Any:
    """Makes `function`, whose parameters are annotated with array and scalar types, a function of the device."""
    return Function(function) if function is not None else Function
