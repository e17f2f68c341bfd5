"""Programs with numbers among their arguments. Instruction words depend on these, so each set of numbers is compiled once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from allo_air.core.calls import NUMBERS
from allo_air.core.names import set_function_type
from allo_air.core.walking import is_unused
from allo_air.errors import AlloAirError, ArgumentError, UnknownNameError, counted
from allo_air.program.program import Program
from allo_air.program.source import Source
from allo_air.target.npu_numbers import is_number, number_of
from allo_air.target.npu_values import bind, by_place, replace_argument, scalars, scalars_of
from allo_air.target.sequences import choose_sequence, devices, main_sequences

_WRITTEN = re.compile(r"\bai[re]\.")
"""Text of AIR or AIE; other texts are not parsed to find numbers among the arguments."""
_OWN = ("_names", "_make", "_programs", "_called", "of")
"""Attributes of a ScalarProgram itself."""


class ScalarProgram(Program):
    """A program whose source takes numbers as well as arrays: `program(a, b, 4)`, or `program(a, b, values={"n": 4})`.

    `program.of(n=4)` is the Program for these numbers. After a call, all other attributes (`report`, `text`, ...) are those of
    the program that was called; before the first call they raise AlloAirError.
    """

    def __init__(self, names: Sequence[str], make: Callable[[Mapping[str, Any]], Program]) -> None:
        self._names, self._make = tuple(names), make
        self._programs: dict[tuple[str, ...], Program] = {}
        self._called: Program | None = None

    def of(self, **values: Any) -> Program:
        """The program for numbers by the names of their arguments; raises ArgumentError if one is missing."""
        values = {name.removeprefix("%"): value for name, value in values.items()}
        for name, value in values.items():
            if name not in self._names:
                raise UnknownNameError("scalar argument", name, self._names, f"there are {', '.join(self._names)}")
            if (number := number_of(value)) is None:
                raise ArgumentError(f"{name} is {value!r}, expected a number")
            values[name] = number
        if missing := [name for name in self._names if name not in values]:
            raise ArgumentError(f"the program takes {', '.join(self._names)} beside its arrays; missing: {', '.join(missing)}")
        key = tuple(repr(values[name]) for name in self._names)  # 0.0 and -0.0 are equal
        if key not in self._programs:
            self._programs[key] = self._make(values)
        return self._programs[key]

    def __call__(self, *arrays: object, values: Mapping[str, Any] | None = None, **settings: Any) -> Any:
        """Like a Program's call. Numbers are passed with the arrays, in the order of the arguments, or in `values` by name."""
        named = {name.removeprefix("%"): value for name, value in NUMBERS.checked("values", values or {}).items()}
        numbers = [a for a in arrays if is_number(a)]
        rest = [name for name in self._names if name not in named]
        if len(numbers) > len(rest):
            raise ArgumentError(f"the program takes {counted(len(rest), 'number')} ({', '.join(rest)}), found {len(numbers)}")
        self._called = self.of(**named, **dict(zip(rest, numbers, strict=False)))
        return self._called(*(a for a in arrays if not is_number(a)), **settings)

    def __str__(self) -> str:
        return f"of the numbers {', '.join(self._names)}, before a call" if self._called is None else str(self._called)

    def __getattribute__(self, name: str) -> Any:
        """Everything else is an attribute of the program of the last call."""
        if name.startswith("__") or name in _OWN:
            return super().__getattribute__(name)
        if self._called is not None:
            return getattr(self._called, name)
        raise AlloAirError(
            f"the program takes {', '.join(self._names)}, and its '{name}' depends on them: use program.of("
            f"{', '.join(f'{n}=...' for n in self._names)}), or call it first"
        )

    def __setattr__(self, name: str, value: object) -> None:
        if name in _OWN:
            super().__setattr__(name, value)
        else:
            setattr(self._called, name, value)


def scalar_program(source: Source, compiled: Callable[[Source], Program]) -> ScalarProgram | None:
    """The program of a source that uses a number among its arguments; None for other sources."""
    names = scalar_names(source)
    return ScalarProgram(names, lambda values: compiled(with_numbers(source, lambda _: values))) if names else None


def scalar_names(source: Source) -> list[str]:
    """The names of the numbers that a program of AIR or AIE takes, if it uses one: those of the file, or their positions."""
    if source.described is not None or not _WRITTEN.search(source.text):
        return []
    with source.context:
        arguments = _scalars(source.module)
        return [name for name, _ in arguments] if any(not is_unused(a) for _, a in arguments) else []


def with_numbers(source: Source, values_of: Callable[[Callable[[], Any]], Mapping[str, Any]]) -> Source:
    """The source with constants instead of its scalar arguments. `values_of` gets a function that lists these arguments, and
    returns the constants by name.
    """
    from allo_air import asm

    with source.context:
        module = source.clone()
        _bind(module, values_of(lambda: _scalars(module)))
        return replace(source, text=asm.write(module, debug_info=True))


def with_constants(module: Any, values: Sequence[Any], places: Sequence[int]) -> None:
    """Replaces the arguments at `places` of the module's one function by the constants `values`."""
    from allo_air.mlir import ir

    [function] = defined(module)
    block = function.regions[0].blocks[0]
    for place, value in sorted(zip(places, values, strict=True), reverse=True):
        replace_argument(block.arguments[place], value)
    set_function_type(function)
    if "arg_attrs" in function.attributes:
        kept_attributes = [a for i, a in enumerate(function.attributes["arg_attrs"]) if i not in places]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(kept_attributes)


def defined(module: Any) -> list[Any]:
    """The functions of a module that have a body."""
    inner_ops = [o.operation for o in module.operation.regions[0].blocks[0].operations]
    return [o for o in inner_ops if o.name == "func.func" and len(o.regions[0].blocks)]


def _scalars(module: Any) -> list[tuple[str, Any]]:
    if devices(module):
        pairs = main_sequences(module, None, None)
        return scalars(pairs[0][1]) if len(pairs) == 1 else []
    functions = defined(module)
    return scalars_of(functions[0].regions[0].blocks[0]) if len(functions) == 1 else []


def _bind(module: Any, values: Mapping[str, Any]) -> None:
    if devices(module):
        bind(choose_sequence(module, None, None)[1], values)
        return
    arguments = _scalars(module)
    numbers = by_place("the function", arguments, values)
    if missing := [name for name, a in arguments if a.arg_number not in numbers]:
        raise AlloAirError(f"the function takes {', '.join(missing)}, which the call does not have")
    with_constants(module, [*numbers.values()], [*numbers])
