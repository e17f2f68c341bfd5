"""Typed options: the fields of a frozen dataclass, read from and printed as `name=value` text.

A field may be a bool, int, float, str, a Literal of strings or ints, `tuple[int, ...]`, `tuple[str, ...]`, or one of these
`| None` with the default None ("not given"). Names are snake_case in Python and kebab-case in text.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Iterable
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any, Literal

from allo_air.core import renamed
from allo_air.errors import OptionError, UnknownNameError, nearest, suggestion

_PLAIN = re.compile(r"[^\s{}()\[\],\"'=\\]+")
_INT = re.compile(r"[+-]?(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)")
_BOOLS = {"true": True, "1": True, "false": False, "0": False}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True)
class Option:
    """A placeholder, in a pass of a pipeline, for the value of the pipeline's option `name`."""

    name: str


def option(name: str) -> Any:
    """An `Option` that a typed pass option accepts: `PlaceHerds(rows=option("rows"))`."""
    return Option(name)


@dataclass(frozen=True)
class Spec:
    """One option: `kind` is a type of the module's list, without `| None`."""

    name: str
    kind: Any
    default: Any
    help: str

    @property
    def text_name(self) -> str:
        return self.name.replace("_", "-")

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def allowed_text(self) -> str:
        """The allowed values, in words."""
        if typing.get_origin(self.kind) is Literal:
            return "one of " + ", ".join(map(str, typing.get_args(self.kind)))
        if typing.get_origin(self.kind) is tuple:
            return f"a list of {typing.get_args(self.kind)[0].__name__}, as in a,b"
        return {bool: "a bool (true or false)", int: "an int", float: "a float", str: "a str"}[self.kind]


def specs(cls: type) -> tuple[Spec, ...]:
    """The options that dataclass `cls` declares."""
    return _specs(cls)


@cache
def _specs(cls: type) -> tuple[Spec, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(
        Spec(f.name, _kind(cls, f.name, hints[f.name]), f.default, f.metadata.get("help", ""))
        for f in dataclasses.fields(cls)
        if f.init
    )


def _kind(cls: type, name: str, hint: object) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        hints = [h for h in typing.get_args(hint) if h is not type(None)]
        hint = hints[0] if len(hints) == 1 else None
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    is_plain = hint in (bool, int, float, str) or origin is Literal or (origin is tuple and args in ((int, ...), (str, ...)))
    if not is_plain:
        raise TypeError(
            f"{cls.__qualname__}.{name}: an option is a bool, int, float, str, Literal, tuple[int, ...] or tuple[str, ...]"
        )
    return hint


def check(owner: str, values: object) -> None:
    """Raises OptionError unless every field of dataclass instance `values` has a value of its type."""
    for spec in specs(type(values)):
        value = getattr(values, spec.name)
        if isinstance(value, Option) or (value is None and spec.default is None):
            continue
        if not _has_kind(spec.kind, value):
            raise OptionError(f"{owner}: option '{spec.text_name}' is {value!r}, expected {spec.allowed_text}")


def _has_kind(kind: object, value: object) -> bool:
    if typing.get_origin(kind) is Literal:
        return any(type(value) is type(a) and value == a for a in typing.get_args(kind))
    if typing.get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(type(v) is typing.get_args(kind)[0] for v in value)
    return type(value) is kind


def text(values: object) -> str:
    """The non-default options of dataclass instance `values` as `a=1 b=x,y`; it parses back to equal values."""
    arguments = [(spec, getattr(values, spec.name)) for spec in specs(type(values))]
    return " ".join(f"{s.text_name}={value_text(v)}" for s, v in arguments if s.required or not _is_default(v, s.default))


def default_text(spec: Spec) -> str:
    """The default of `spec` as text."""
    return "not given" if spec.default is None else value_text(spec.default)


def _is_default(value: object, default: object) -> bool:
    return type(value) is type(default) and value == default and str(value) == str(default)


def value_text(value: object) -> str:
    """The text of a value; a placeholder for option `name` becomes `<name>`."""
    if isinstance(value, Option):
        return f"<{value.name}>"
    if isinstance(value, tuple):
        return ",".join(map(value_text, value)) if value else "{}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _quote(value) if isinstance(value, str) else str(value)


def _quote(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return '"' + "".join(_ESCAPES.get(c, c) for c in word) + '"'


def parse(owner: str, cls: type, source: str) -> Any:
    """An instance of dataclass `cls` with the options written in `source`; `owner` names it in errors."""
    options_by_name = {s.text_name: s for s in specs(cls)}
    values: dict[str, Any] = {}
    for name, raw in split(owner, source):
        spec = options_by_name.get(name.replace("_", "-")) or options_by_name.get(_renamed(owner, cls, name))
        if spec is None:
            offered = suggestion(nearest(name, options_by_name)) or f"; its options: {', '.join(options_by_name) or 'none'}"
            raise OptionError(f"{owner} has no option '{name}'{offered}")
        if spec.name in values:
            raise OptionError(f"{owner}: option '{name}' is given twice")
        values[spec.name] = _value(owner, spec, raw)
    missing = [s.text_name for s in options_by_name.values() if s.required and s.name not in values]
    if missing:
        raise OptionError(f"{owner} needs option{'s' * (len(missing) > 1)} {', '.join(missing)}")
    return cls(**values)


def _renamed(owner: str, cls: type, name: str) -> str:
    """The current name of the former option `name` of `cls`; "" if there was none."""
    old = name.replace("_", "-")
    new: str = getattr(cls, "renamed", {}).get(old, "")
    if new:
        renamed.warn(f"option of {owner}", old, new)
    return new


def split(owner: str, source: str) -> list[tuple[str, str]]:
    """Splits `a=1 b={x y} c` into names and raw values; a name alone means true."""
    result, position = [], 0
    while (position := _skip_space(source, position)) < len(source):
        end = position
        while end < len(source) and source[end] not in "= \t\r\n":
            end += 1
        name, value = source[position:end], "true"
        if end < len(source) and source[end] == "=":
            start, end = end + 1, _value_end(owner, source, end + 1)
            value = source[start:end]
        if not re.fullmatch(r"[A-Za-z_][\w.-]*", name):
            raise OptionError(f"{owner}: expected an option name at '{source[position : position + 20]}'")
        result.append((name, value))
        position = end
    return result


def _skip_space(source: str, position: int) -> int:
    while position < len(source) and source[position].isspace():
        position += 1
    return position


def closing_index(source: str, position: int) -> int:
    """Index after the quoted string or bracketed group that opens at `position`; -1 if it does not close."""
    if source[position] in "\"'":
        quote, position = source[position], position + 1
        while position < len(source) and source[position] != quote:
            position += 2 if source[position] == "\\" else 1
        return position + 1 if position < len(source) else -1
    stack, pairs = [], {"{": "}", "(": ")", "[": "]"}
    while position < len(source):
        char = source[position]
        if char in "\"'":
            position = closing_index(source, position)
            if position < 0:
                return -1
            continue
        if char in pairs:
            stack.append(pairs[char])
        elif char in "})]":
            if stack.pop() != char:
                return -1
            if not stack:
                return position + 1
        position += 1
    return -1


def _value_end(owner: str, source: str, position: int) -> int:
    while position < len(source) and not source[position].isspace():
        if source[position] not in "\"'{([":
            position += 1
        elif (position := closing_index(source, start := position)) < 0:
            raise OptionError(f"{owner}: '{source[start]}' is not closed in the options '{source}'")
    return position


def _value(owner: str, spec: Spec, raw: str) -> Any:
    try:
        if typing.get_origin(spec.kind) is tuple:
            return tuple(_scalar(typing.get_args(spec.kind)[0], item) for item in _items(raw))
        if typing.get_origin(spec.kind) is Literal:
            return _choice(typing.get_args(spec.kind), _scalar(str, raw))
        return _scalar(spec.kind, raw)
    except (UnknownNameError, ValueError) as wrong:
        near = suggestion(wrong.near) if isinstance(wrong, UnknownNameError) else ""
        spaces = "; a space separates options" if re.search(r",\s*[\w-]+=", raw) else ""
        raise OptionError(
            f"{owner}: option '{spec.text_name}' is '{raw}', expected {spec.allowed_text}{near}{spaces}"
        ) from None


def _choice(choices: Iterable[object], word: str) -> Any:
    for choice in choices:
        if str(choice) == word:
            return choice
    raise UnknownNameError("value", word, map(str, choices))


def _items(raw: str) -> list[str]:
    if raw.startswith(("{", "[")) and closing_index(raw, 0) == len(raw):
        raw = raw[1:-1].strip()
        if not raw:
            return []
    items, start, position = [], 0, 0
    while position < len(raw):
        if raw[position] in "\"'":
            position = closing_index(raw, position)
            continue
        if raw[position] == ",":
            items.append(raw[start:position])
            start = position + 1
        position += 1
    return [item.strip() for item in [*items, raw[start:]]]


def _scalar(kind: type, raw: str) -> Any:
    if kind is bool:
        if raw.lower() not in _BOOLS:
            raise ValueError(raw)
        return _BOOLS[raw.lower()]
    if kind is int and not _INT.fullmatch(raw):
        raise ValueError(raw)
    if kind is str:
        return _unquote(raw)
    return int(raw, 0) if kind is int else float(raw)


def _unquote(raw: str) -> str:
    if raw[:1] in ("'", '"') and closing_index(raw, 0) == len(raw):
        letters = {"n": "\n", "r": "\r", "t": "\t"}
        return re.sub(r"\\(.)", lambda m: letters.get(m[1], m[1]), raw[1:-1], flags=re.DOTALL)
    if raw.startswith("{") and closing_index(raw, 0) == len(raw):
        return raw[1:-1]
    return raw
