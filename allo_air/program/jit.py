"""`allo_air.jit`: compiles a function for the array when it is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import update_wrapper
from typing import Any

import numpy as np

from allo_air.errors import ArgumentError, counted
from allo_air.frontend.annotations import Declared
from allo_air.frontend.constants import element_of
from allo_air.frontend.schedule.schedule import Schedule, scheduled
from allo_air.frontend.source import Source, callers
from allo_air.frontend.types import TensorType
from allo_air.frontend.untyped import with_types
from allo_air.program.array_function import ArrayFunction, build_schedule


class Jit:
    """A function that is compiled for the array at its first call with new types of arguments."""

    def __init__(self, function: Callable[..., Any], device: str, names: tuple[dict[str, Any], ...], options: dict[str, Any]):
        self.function, self.device, self.options, self._names = function, device, options, names
        self._made: dict[Any, ArrayFunction] = {}
        update_wrapper(self, function)

    def __call__(self, *args: np.ndarray, **named: object) -> Any:
        """Compiles the function for these arguments if necessary, and runs it."""
        value = self._bound_arguments(args, named)
        fixed = self._constants(value)
        compiled = self.compiled(*value)
        result = compiled(*(a for n, a in enumerate(value) if n not in fixed))
        if not self._untyped() or not compiled.compiled.results:
            return result
        several = result if isinstance(result, tuple) else (result,)
        results = [_of_numpy(a, k) for a, k in zip(several, compiled.compiled.results, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    def _untyped(self) -> set[str]:
        """The parameters without a type."""
        return {p.name for p in inspect.signature(self.function).parameters.values() if p.annotation is p.empty}

    def compiled(self, *args: np.ndarray, **named: object) -> ArrayFunction:
        """The compiled function for arguments of these types and shapes, and for these numbers."""
        argument = self._bound_arguments(args, named)
        fixed = self._constants(argument)
        names, untyped = [*inspect.signature(self.function).parameters], self._untyped()
        for name, value in zip(names, argument, strict=True):
            if name in untyped and isinstance(value, np.ndarray | np.generic) and value.dtype == bool:
                cure = f"give .view('uint8'), or write its type, {name}: uint1{[*value.shape] or ''}"
                raise ArgumentError(f"argument '{name}' is of bool, and kernels compute with numbers; {cure}")
        kinds = [None if n in fixed else _kind_of(a) for n, a in enumerate(argument)]
        key = (tuple(map(str, kinds)), repr(fixed))  # 2 and 2.0 are equal, but not interchangeable
        if key not in self._made:
            self._made[key] = build_schedule(self.schedule(kinds, fixed), self.device, **self.options)
        return self._made[key]

    def _bound_arguments(self, args: Sequence[np.ndarray], named: Mapping[str, object]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters, with the function's defaults."""
        signature = inspect.signature(self.function)
        for parameter in signature.parameters.values():
            if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                why = "and functions for the array take plain ones, by position or by name"
                raise ArgumentError(f"'{self.function.__name__}' has parameter '{parameter}', {why}")
        try:
            bound = signature.bind(*args, **named)
        except TypeError as error:
            count = f"takes {counted(len(signature.parameters), 'argument')}, found {len(args) + len(named)}"
            raise ArgumentError(f"'{self.function.__name__}' {count}: {error}") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _constants(self, args: Sequence[np.ndarray]) -> dict[int, Any]:
        """Arguments of Python's own types, for parameters without a type; they become constants."""
        result = zip(inspect.signature(self.function).parameters.values(), args, strict=True)
        return {n: a for n, (p, a) in enumerate(result) if p.annotation is p.empty and _is_plain(a)}

    def schedule(self, kinds: Sequence[Any], fixed: Mapping[int, Any] | None = None) -> Schedule:
        """The function with types for its parameters: the written types, or `kinds`. Parameters in `fixed` become constants."""
        source = Source(self.function, self._names)
        named = {p: kind for p, kind in zip(source.tree.args.args, kinds, strict=False) if p.annotation is None}
        names = [p.arg for p in source.tree.args.args]
        result = with_types(source, {p.arg: k for p, k in named.items()}, {names[n]: v for n, v in (fixed or {}).items()})
        is_named = bool(named)
        return scheduled(result, (), "numpy" if is_named else "default", rebinds=is_named)


def _is_plain(value: object) -> bool:
    """Whether the `repr` of a value shows all of it; that of a tuple with long arrays does not."""
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, int | float | str | type(None))


def _of_numpy(result: np.ndarray, kind: Declared) -> Any:
    """A result in numpy's type: comparisons give bool."""
    is_truth = not kind.element.floating and kind.element.bits == 1
    return result if not is_truth else bool(result) if kind.shape is None else result.astype(bool)


def _kind_of(value: object) -> Any:
    if isinstance(value, tuple) and not _is_plain(value):
        raise ArgumentError("a tuple that holds more than numbers and texts as an argument; give its arrays one by one")
    array = np.asarray(value)
    element = element_of(array.dtype)
    return TensorType(element, array.shape) if array.shape else element


def jit(function: Callable[..., object] | None = None, *, device: str = "npu1", **options: object) -> Any:
    """A decorator: the function is compiled for the array at its first call, and takes numpy arrays.

    A parameter without a type has the type of the passed array.

        @allo_air.jit
        def f(a, b):
            return allo_air.matmul(a, b) + 1

    It is compiled when it is first called with arguments of new shapes or types, or with other numbers. `device` is npu1,
    npu2, or some of their columns; further options are the pipeline's. Where parameters have no type, arithmetic is numpy's:
    its results have a type that holds those of both operands, floats of 32 bits at most.
    """
    names = callers(1)
    if function is not None and not inspect.isfunction(function):
        raise ArgumentError(f"jit() decorates a function, found {function!r}; options have names, as in @jit(device='npu2')")
    if function is None:
        return lambda f: Jit(f, device, names, options)
    return Jit(function, device, names, options)
