"""`symbol`: an integer that a launch records, so that a tuner can replace it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from typing import Any

from allo_air.air.api.errors import TypeError, ValueError
from allo_air.air.api.naming import assigned_name, given_name

__all__ = ["Symbol", "symbol", "symbols_set_to"]

_SET: ContextVar[dict[str, int]] = ContextVar("allo_air_api_symbols", default={})  # noqa: B039 - never changed in place


class Symbol:
    """An integer with the list of its possible values; arithmetic returns plain integers."""

    def __init__(self, value: int, choices: tuple[int, ...] | None, hint: int | None, name: str | None):
        self.value, self.choices, self.hint, self.name = value, choices, hint, name

    def __index__(self) -> int:
        return self.value

    def __int__(self) -> int:
        return self.value

    def __float__(self) -> float:
        return float(self.value)

    def __add__(self, other: Symbol | float) -> Any:
        return self.value + other

    def __radd__(self, other: Symbol | float) -> Any:
        return other + self.value

    def __sub__(self, other: Symbol | float) -> Any:
        return self.value - other

    def __rsub__(self, other: Symbol | float) -> Any:
        return other - self.value

    def __mul__(self, other: Symbol | float) -> Any:
        return self.value * other

    def __rmul__(self, other: Symbol | float) -> Any:
        return other * self.value

    def __floordiv__(self, other: Symbol | float) -> Any:
        return self.value // other

    def __rfloordiv__(self, other: Symbol | float) -> Any:
        return other // self.value

    def __truediv__(self, other: Symbol | float) -> Any:
        return self.value / other

    def __rtruediv__(self, other: Symbol | float) -> Any:
        return other / self.value

    def __mod__(self, other: Symbol | float) -> Any:
        return self.value % other

    def __rmod__(self, other: Symbol | float) -> Any:
        return other % self.value

    def __neg__(self) -> int:
        return -self.value

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, Symbol) else other)

    def __lt__(self, other: Symbol | float) -> bool:
        return self.value < int(other)

    def __le__(self, other: Symbol | float) -> bool:
        return self.value <= int(other)

    def __gt__(self, other: Symbol | float) -> bool:
        return self.value > int(other)

    def __ge__(self, other: Symbol | float) -> bool:
        return self.value >= int(other)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"symbol({self.name or '?'}={self.value})"


PENDING_SYMBOLS: list[Symbol] = []
"""Symbols of the next launch."""


def symbol(choices: Sequence[int] | None = None, hint: int | None = None, default: int = 64, name: str | None = None) -> Symbol:
    """An integer: `hint`, else the first of `choices`, else `default`; `allo-tune` tries all of `choices`."""
    allowed = None if choices is None else _choices(choices)
    if hint is not None:
        hint = _integer(hint, "hint")
        if allowed is not None and hint not in allowed:
            raise ValueError(f"symbol's hint {hint} is not among its choices {list(allowed)}")
    value = hint if hint is not None else allowed[0] if allowed else _integer(default, "default")
    name = given_name(name, "symbol") or assigned_name("symbol")
    result = Symbol(_SET.get().get(name or "", value), allowed, hint, name)
    PENDING_SYMBOLS.append(result)
    return result


@contextmanager
def symbols_set_to(values: dict[str, int]) -> Iterator[None]:
    """Sets symbols by name inside the `with` block."""
    token = _SET.set(values)
    try:
        yield
    finally:
        _SET.reset(token)


def plain(value: object) -> Any:
    """An integer of any kind, or a symbol, as an int; other objects are unchanged."""
    if type(value) is bool:
        return value
    return int(value) if isinstance(value, Integral | Symbol) else value


def _choices(choices: object) -> tuple[int, ...]:
    if isinstance(choices, str) or not isinstance(choices, Sequence | range):
        raise TypeError(f"symbol's choices are a list of integers, got {choices!r}")
    if not choices:
        raise ValueError("symbol's choices are empty; give at least one integer")
    return tuple(_integer(c, "choices") for c in choices)


def _integer(value: int, which: str) -> int:
    if not isinstance(plain(value), int) or isinstance(value, bool):
        expectation = "integers" if which == "choices" else "an integer"
        raise TypeError(f"symbol's {which} must be {expectation}, got {value!r}")
    return int(value)
