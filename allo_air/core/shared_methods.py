"""Creates methods of dataclasses from the code of other methods that only differ in the names of fields.

Compiling a method takes 0.15 ms, changing the names in its code a fiftieth of that, and programs use about a hundred.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import CodeType, FunctionType
from typing import Any

_MISSING = dataclasses.MISSING
_FACTORY: Any = getattr(dataclasses, "_HAS_DEFAULT_FACTORY", None)
"""The default of an argument whose field has a factory."""


def shared_method(kind: object, name: str) -> FunctionType | None:
    """The generated `__init__`, `__eq__` or `__hash__` of dataclass `kind`; None for other methods, and if the class defines
    its own."""
    no_field = dataclasses._FIELD_CLASSVAR  # type: ignore[attr-defined]
    fields = [f for f in vars(kind)["__dataclass_fields__"].values() if f._field_type is not no_field]
    match name:
        case "__init__":
            return _init(kind, fields)
        case "__eq__":
            return _with_names(_code(name, sum(f.compare for f in fields)), [f.name for f in fields if f.compare], {})
        case "__hash__":
            hashed = [f.name for f in fields if (f.compare if f.hash is None else f.hash)]
            return _with_names(_code(name, len(hashed)), hashed, {})
    return None


def _init(kind: Any, fields: list[Any]) -> FunctionType | None:
    """`__init__` of a class whose fields can be passed by position or keyword; None if `__post_init__` has parameters."""
    plain = dataclasses._FIELD  # type: ignore[attr-defined]
    if any(not f.init or f.kw_only or f._field_type is not plain or f.name == "self" for f in fields):
        return None
    factories = {n: f.default_factory for n, f in enumerate(fields) if f.default_factory is not _MISSING}
    frozen, followed = kind.__dataclass_params__.frozen, hasattr(kind, "__post_init__")
    code = _code("__init__", len(fields), frozen, followed, tuple(factories))
    function_type = _with_names(code, [f.name for f in fields], {f"make{n}": factory for n, factory in factories.items()})
    defaults = (_FACTORY if n in factories else f.default for n, f in enumerate(fields))
    function_type.__defaults__ = tuple(default for default in defaults if default is not _MISSING)
    function_type.__annotations__ = {f.name: f.type for f in fields} | {"return": None}
    return function_type


def _with_names(code: CodeType, names: list[str], more: Mapping[str, type]) -> FunctionType:
    """A function with the code of `_code`, but with `names` for the fields; `more` are its further globals."""
    now = {_field(n): name for n, name in enumerate(names)}

    def renamed(old: tuple[str | None, ...]) -> tuple[Any, ...]:
        return tuple([now.get(field, field) if isinstance(field, str) else field for field in old])

    code = code.replace(
        co_names=renamed(code.co_names), co_varnames=renamed(code.co_varnames), co_consts=renamed(code.co_consts)
    )
    return FunctionType(code, {"put": object.__setattr__, "missing": _FACTORY, **more}, code.co_name)


def _field(number: int) -> str:
    return f"field{number}"


@cache
def _code(name: str, count: int, frozen: bool = False, followed: bool = False, factories: tuple[int, ...] = ()) -> CodeType:
    """The code of method `name` for `count` fields, which `_field` names."""
    fields = [_field(n) for n in range(count)]
    match name:
        case "__init__":
            texts = {n: f"make{n}() if {f} is missing else {f}" if n in factories else f for n, f in enumerate(fields)}
            body = [f"put(self, {f!r}, {texts[n]})" if frozen else f"self.{f} = {texts[n]}" for n, f in enumerate(fields)]
            body += ["self.__post_init__()"] if followed else []
            arguments = ["self", *fields]
        case "__eq__":
            self_fields, rest = ("".join(f"{side}.{f}, " for f in fields) for side in ("self", "other"))
            body = [f"if other.__class__ is self.__class__: return ({self_fields}) == ({rest})", "return NotImplemented"]
            arguments = ["self", "other"]
        case _:
            body, arguments = [f"return hash(({''.join(f'self.{f}, ' for f in fields)}))"], ["self"]
    results: dict[str, Any] = {}
    exec(f"def {name}({', '.join(arguments)}):\n " + "\n ".join(body or ["pass"]), results)
    code: CodeType = results[name].__code__
    return code
