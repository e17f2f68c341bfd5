"""Calls of public functions: unknown and missing arguments, and values of a wrong kind, are errors that the user can fix."""

from __future__ import annotations

import inspect
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from allo_air.errors import AlloAirError, ArgumentError, nearest, suggestion

if TYPE_CHECKING:
    from pathlib import Path

    from allo_air.aie_api.kernel import CppKernel

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Kind:
    """The kind of an argument: `expected` in words, and a function that converts a value, or raises TypeError or ValueError."""

    expected: str
    convert: Callable[[Any], Any]

    def checked(self, name: str, value: object) -> Any:
        """`value` as the function gets it. Raises ArgumentError if it is of another kind."""
        try:
            return self.convert(value)
        except (TypeError, ValueError):
            shown = repr(value)
            shown = shown if len(shown) <= 60 else f"a {type(value).__name__}"
            raise ArgumentError(f"{name} is {shown}, expected {self.expected}") from None

    def __or__(self, other: None) -> Kind:
        """This kind, or None."""
        return Kind(f"{self.expected} or None", lambda value: None if value is None else self.convert(value))


def _converter_if(
    holds: Callable[[object], bool], convert: Callable[[Any], object] = lambda value: value
) -> Callable[[Any], Any]:
    def checked(value: bool | str | dict[str, CppKernel]) -> Any:
        if not holds(value):
            raise ValueError
        return convert(value)

    return checked


def _path(value: str | Path) -> Any:
    text = os.fspath(value)
    if not text or "\0" in os.fsdecode(text):
        raise ValueError
    return value


def _integer_converter(least: int, most: int) -> Callable[[Any], int]:
    def convert(value: int) -> int:
        number = operator.index(value)
        if isinstance(value, bool) or not least <= number <= most:
            raise ValueError
        return number

    return convert


def _as_words(value: Any) -> Any:
    if isinstance(value, str | bytes) or not all(0 <= operator.index(word) < 2**32 for word in value):
        raise ValueError
    return value


def _shapes(value: Any) -> dict[str, tuple[int, ...]]:
    if not _by_name(value) or any(isinstance(sizes, str | bytes) for sizes in value.values()):
        raise ValueError
    size = _integer_converter(0, 2**31 - 1)
    return {name: tuple(map(size, sizes)) for name, sizes in value.items()}


def _by_name(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(n, str) for n in value)


FLAG = Kind(
    "True or False", _converter_if(lambda value: isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"), bool)
)
NAME = Kind("a name", _converter_if(lambda value: isinstance(value, str)))
PATH = Kind("a path", _path)
SEED = Kind("an integer from 0 to 2^64 - 1", _integer_converter(0, 2**64 - 1))
COUNT = Kind("a positive integer", _integer_converter(1, 2**63 - 1))
FUNCTION = Kind("a function", _converter_if(callable))
WORDS = Kind("integers of 32 bits", _as_words)
CLOCK = Kind("a clock in MHz, above 0", _converter_if(lambda value: isinstance(value, int | float) and 0 < value < 1e6))
SECONDS = Kind("a time in seconds, above 0", _converter_if(lambda value: isinstance(value, int | float) and value > 0, float))
SCHEDULE = Kind("'scheduled' or 'compiled'", _converter_if(lambda value: value in ("scheduled", "compiled")))
TIMING = Kind("an allo_air.arch.Timing", _converter_if(lambda value: type(value).__name__ == "Timing"))
REPORT = Kind("a report, as estimate() and report() give one", _converter_if(lambda value: hasattr(value, "cycles")))
CHECKPOINT = Kind("a path, or tensors by name", lambda value: value if _by_name(value) else _path(value))
SHAPES = Kind("sizes by the names of inputs, as {'x': (1, 64)}", _shapes)
NUMBERS = Kind("a dictionary of numbers by name", _converter_if(_by_name))
KERNELS = Kind("a dictionary of functions or MLIR by name", _converter_if(_by_name))


def checked(**kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a function raise ArgumentError for unknown and missing arguments, and for arguments that are not of `kinds`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = _bound(function.__qualname__, signature, args, kwargs)
            for name, kind in kinds.items():
                if name in bound.arguments:
                    bound.arguments[name] = kind.checked(name, bound.arguments[name])
            try:
                return function(*bound.args, **bound.kwargs)
            except AlloAirError as error:
                _hide_earlier_forms(error)
                raise

        return call

    return decorate


def _hide_earlier_forms(error: AlloAirError) -> None:
    """Makes a traceback show `error` without the errors that it was made from, which have the same text; not those of a bug."""
    earlier: BaseException | None = error
    forms = list[BaseException]()
    while earlier is not None and earlier not in forms:  # an error may be the cause of its own cause
        if not isinstance(earlier, AlloAirError):
            return
        forms.append(earlier)
        earlier = earlier.__cause__ or (None if earlier.__suppress_context__ else earlier.__context__)
    error.__cause__, error.__suppress_context__ = None, True


def checked_class(kind: type[R]) -> type[R]:
    """A class whose constructor raises ArgumentError as `checked` functions do."""
    setattr(kind, "__init__", checked()(kind.__init__))  # noqa: B010 (mypy forbids the assignment)
    return kind


def refuse_unknown(name: str, values: Iterable[str], allowed: Sequence[str]) -> None:
    """Raises ArgumentError for the first of the arguments `values` that function `name` does not have."""
    for wrong in [n for n in values if n not in allowed]:
        near = suggestion(nearest(wrong, allowed))
        raise ArgumentError(f"{name}() has no argument '{wrong}'{near or '; it has ' + ', '.join(allowed)}")


def _bound(
    name: str, signature: inspect.Signature, args: Sequence[object], kwargs: Mapping[str, object]
) -> inspect.BoundArguments:
    parameters = signature.parameters.values()
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    parameter_names = [n for n in named if n not in ("self", "source_")]
    name = name.replace(".__call__", "").replace("Program", "program").replace(".__init__", "")
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        refuse_unknown(name, kwargs, parameter_names)
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        raise ArgumentError(f"{name}(): {error}; its arguments: {', '.join(parameter_names)}") from None
